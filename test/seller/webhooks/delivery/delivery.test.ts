import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/platform/kernel/clock.js';
import { isBearer, verifyHmac } from '../../../../src/platform/signing/hmac.js';
import { createMemoryNonces } from '../../../../src/platform/signing/verify/nonces.js';
import { NO_REVOCATION } from '../../../../src/platform/signing/verify/revocation.js';
import { createVerifier, type Verifier } from '../../../../src/platform/signing/verify/verify.js';
import { type ReceivedPost, startReceiver } from '../../../kit/receiver.js';
import { keysOf } from '../../../platform/signing/context.js';
import { addressOf, NAMES, type Sender, startSender } from '../sender.js';

const keyOf = (post: ReceivedPost): string => String(post.json.idempotency_key);
const stateOf = async ({ store }: Sender, key: string) =>
  (await store.read.webhookLog.find(key)) ?? expect.fail(`no event ${key}`);

/** The receiving side's verifier, with one memory of nonces for everything that comes. */
function verifierFor(sender: Sender): Verifier {
  return createVerifier({
    profile: 'webhook',
    names: NAMES,
    keys: keysOf(sender.key.publicJwk),
    nonces: createMemoryNonces({ perKey: 1000, total: 1000 }),
    revocation: NO_REVOCATION,
    now: () => Math.floor(sender.clock.now() / SECOND_MS),
  });
}

describe('an event', () => {
  it('goes out right after its commit, without a tick, signed over the bytes that are stored', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const key = await sender.send(
      addressOf(`${receiver.url}/hooks?b=1`, { operation_id: 'op-1', token: 'a'.repeat(16) }),
      { context: { trace: [1, null, 'ä'] }, message: 'Done.' },
    );
    await receiver.received(1);
    await sender.delivery.idle();
    const [post] = receiver.posts;
    expect(post?.path).toBe('/hooks?b=1');
    expect(post?.headers).toMatchObject({ 'content-type': 'application/json', host: new URL(receiver.url).host });
    expect(post?.body.toString()).toBe((await stateOf(sender, key)).body);
    expect(post?.json).toMatchObject({
      idempotency_key: key,
      operation_id: 'op-1',
      token: 'a'.repeat(16),
      context: { trace: [1, null, 'ä'] },
    });
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const url = `${receiver.url}/hooks?b=1`;
    expect(await verifierFor(sender)({ ...(post as ReceivedPost), url })).toMatchObject({ ok: true });
    expect(await stateOf(sender, key)).toMatchObject({ state: 'delivered', attempts: 1, next_attempt_at: null });
  });

  it('of a transaction that is undone was never there', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const undone = sender.store.transact(async (tx) => {
      await sender.delivery.post(tx, { ...addressOf(receiver.url), body: (key) => ({ idempotency_key: key }) });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await sender.settle();
    expect(receiver.posts).toEqual([]);
    expect(await sender.store.read.webhookLog.backlog()).toMatchObject({ pending: 0 });
  });

  it('for a placeholder is not stored', async () => {
    const sender = await startSender();
    expect(await sender.send(addressOf('{{runner.webhook_url}}'))).toBe('not posted');
    expect(await sender.store.read.webhookLog.backlog()).toMatchObject({ pending: 0 });
  });

  it('keeps bytes and key on every retry, and every attempt is signed anew', async () => {
    const receiver = await startReceiver();
    receiver.script(503, 500, 'reset', 429);
    const sender = await startSender();
    const key = await sender.send(addressOf(`${receiver.url}/a%2fb/../c?`));
    await sender.settle();
    await sender.pass(HOUR_MS, SECOND_MS * 20);
    expect(receiver.posts).toHaveLength(5);
    expect(new Set(receiver.posts.map(keyOf))).toEqual(new Set([key]));
    expect(new Set(receiver.posts.map((post) => post.body.toString('hex'))).size).toBe(1);
    expect(new Set(receiver.posts.map((post) => post.headers['signature-input'])).size).toBe(5);
    expect(await stateOf(sender, key)).toMatchObject({ state: 'delivered', attempts: 5 });
  });

  it('is signed for the address as it arrives, whatever its spelling', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const verify = verifierFor(sender);
    for (const path of ['/a%2fb/%7euser', '/p?', '/p?x=%2f&y=a+b', '/a/../b//c/.', '', '/ä?ö#part', '/a b|c']) {
      const before = receiver.posts.length;
      await sender.send(addressOf(`${receiver.url}${path}`));
      await receiver.received(before + 1);
      const post = receiver.posts.at(-1) as ReceivedPost;
      const verdict = await verify({ ...post, url: `${receiver.url}${post.path}` });
      expect(verdict, path).toMatchObject({ ok: true });
    }
  });
});

describe('the legacy modes', () => {
  it('HMAC goes over timestamp and raw body, under both names of the headers, and nothing else is signed', async () => {
    const receiver = await startReceiver();
    receiver.script(500);
    const sender = await startSender();
    const credentials = 'a-secret-of-more-than-32-characters';
    await sender.send(addressOf(receiver.url, { mode: 'hmac-sha256', credentials }));
    await sender.settle();
    await sender.pass(MINUTE_MS, SECOND_MS);
    expect(receiver.posts).toHaveLength(2);
    for (const post of receiver.posts) {
      for (const name of ['x-adcp', 'x-proto']) {
        const nowSeconds = Number(post.headers[`${name}-timestamp`]);
        const options = { secrets: [credentials], headers: [name], nowSeconds };
        expect(verifyHmac(post, options)).toEqual({ ok: true });
        expect(verifyHmac(post, { ...options, secrets: [`${credentials}x`] }).ok).toBe(false);
      }
      expect(post.headers).not.toHaveProperty('signature');
      expect(post.headers).not.toHaveProperty('authorization');
    }
    const stamps = receiver.posts.map((post) => post.headers['x-adcp-timestamp']);
    expect(new Set(stamps).size).toBe(2);
  });

  it('Bearer sends the token and no signature', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const credentials = 'bearer-token-of-more-than-32-chars';
    await sender.send(addressOf(receiver.url, { mode: 'bearer', credentials }));
    await receiver.received(1);
    const headers = receiver.posts[0]?.headers ?? {};
    expect(isBearer(headers.authorization, credentials)).toBe(true);
    expect(Object.keys(headers).filter((name) => /signature|digest/.test(name))).toEqual([]);
  });
});

describe('what cannot be proven', () => {
  it('waits, is never sent unsigned, and goes out once there is a key', async () => {
    const receiver = await startReceiver();
    let key: Sender['key'] | undefined;
    const sender = await startSender({ sign: () => ({ names: NAMES, key }) });
    const sent = [await sender.send(addressOf(receiver.url)), await sender.send(addressOf(receiver.url))];
    await sender.pass(30 * HOUR_MS, HOUR_MS);
    expect(receiver.posts).toEqual([]);
    expect(await stateOf(sender, sent[0] ?? '')).toMatchObject({
      state: 'pending',
      attempts: 0,
      reason: 'there is no key to prove it with',
    });
    expect(sender.log.filter(({ level }) => level === 'error')).toHaveLength(1);
    key = sender.key;
    await sender.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(receiver.posts.map(keyOf).toSorted()).toEqual(sent.toSorted());
  });

  it('waits where the signatory fails', async () => {
    const receiver = await startReceiver();
    let failing = true;
    let key: Sender['key'] | undefined;
    const sender = await startSender({
      sign: () => {
        if (failing) throw new Error('no such tenant');
        return { names: NAMES, key };
      },
    });
    key = sender.key;
    await sender.send(addressOf(receiver.url));
    await sender.settle();
    expect(receiver.posts).toEqual([]);
    failing = false;
    await sender.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(receiver.posts).toHaveLength(1);
  });
});

describe('a receiver that is down', () => {
  it('for 20 hours misses nothing', async () => {
    const receiver = await startReceiver();
    receiver.always(503);
    const sender = await startSender();
    const start = sender.clock.now();
    const sent: string[] = [];
    for (let hour = 0; hour < 20; hour += 1) {
      for (let n = 0; n < 3; n += 1) sent.push(await sender.send(addressOf(`${receiver.url}/${n}`)));
      await sender.pass(HOUR_MS, MINUTE_MS);
    }
    expect(sender.clock.now() - start).toBe(20 * HOUR_MS);
    const failed = receiver.posts.length;
    receiver.always(200);
    await sender.pass(24 * HOUR_MS, MINUTE_MS);
    const delivered = receiver.posts.slice(failed).map(keyOf);
    expect(delivered.toSorted()).toEqual(sent.toSorted());
    expect(await sender.store.read.webhookLog.backlog()).toMatchObject({ pending: 0, dead: 0 });
  });

  it('for 20 hours misses nothing either where hundreds of events wait for one probe at a time', async () => {
    let isDown = true;
    const answered: string[] = [];
    const sender = await startSender({
      fetch: async (url, { body = '' }) => {
        if (!isDown) answered.push(String(JSON.parse(Buffer.from(body).toString()).idempotency_key));
        return { status: isDown ? 503 : 200, headers: {}, bytes: Buffer.alloc(0), url };
      },
    });
    const sent: string[] = [];
    for (let half = 0; half < 40; half += 1) {
      for (let n = 0; n < 10; n += 1) sent.push(await sender.send(addressOf('https://buyer.example/')));
      await sender.pass(30 * MINUTE_MS, 5 * MINUTE_MS);
    }
    isDown = false;
    await sender.pass(24 * HOUR_MS, 5 * MINUTE_MS);
    expect(answered.toSorted()).toEqual(sent.toSorted());
  });

  it('for good is tried to the end of 24 hours and not beyond; the event is kept', async () => {
    const receiver = await startReceiver();
    receiver.always(500);
    const sender = await startSender();
    const key = await sender.send(addressOf(receiver.url));
    await sender.settle();
    await sender.pass(MINUTE_MS, SECOND_MS);
    await sender.pass(24 * HOUR_MS, MINUTE_MS);
    const tried = receiver.posts.length;
    const event = await stateOf(sender, key);
    expect(event).toMatchObject({ state: 'dead', reason: 'exhausted', attempts: tried });
    expect((event.finished_at ?? 0) - event.created_at).toBeGreaterThan(23.9 * HOUR_MS);
    expect((event.finished_at ?? 0) - event.created_at).toBeLessThan(24 * HOUR_MS);
    await sender.pass(60 * DAY_MS, DAY_MS);
    expect(receiver.posts).toHaveLength(tried);
    expect(await stateOf(sender, key)).toMatchObject({ state: 'dead' });
  });
});
