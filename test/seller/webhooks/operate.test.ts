import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/platform/kernel/clock.js';
import { readOwner } from '../../../src/seller/domain/tenant/principal.js';
import { readActivity } from '../../../src/seller/webhooks/activity.js';
import { readEventFilter } from '../../../src/seller/webhooks/operate.js';
import { shownUrl } from '../../../src/seller/webhooks/shown-url.js';
import { startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { addressOf, addressOfBuy, OWNER, type Sender, startSender } from './sender.js';

const PAGE = { limit: 50, after: undefined };
const eventOf = async ({ store }: Sender, key: string) =>
  (await store.read.webhookLog.find(key)) ?? expect.fail(`no event ${key}`);
const replay = ({ store, delivery }: Sender, key: string) => store.transact((tx) => delivery.replay(tx, key));
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: { code: string; extras: { suggestion?: string } }) => (error.extras.suggestion ? error.code : 'no way out'),
  );

describe('replay', () => {
  it('within the time that receivers remember a key sends the same bytes under it', async () => {
    const receiver = await startReceiver();
    receiver.script(409);
    const sender = await startSender();
    const key = await sender.send(addressOf(receiver.url));
    await sender.delivery.idle();
    expect(await eventOf(sender, key)).toMatchObject({ state: 'dead', reason: 'conflict' });
    sender.clock.advance(23 * HOUR_MS);
    expect(await replay(sender, key)).toBe(key);
    await sender.delivery.idle();
    const [first, second] = receiver.posts;
    expect(second?.body.equals(first?.body as Buffer)).toBe(true);
    expect(second?.headers['signature-input']).not.toBe(first?.headers['signature-input']);
    expect(await eventOf(sender, key)).toMatchObject({ state: 'delivered', attempts: 2, reason: null });
  });

  it('later is a re-emission: another key, the same notification_id, nothing else changed; the old one stays', async () => {
    const receiver = await startReceiver();
    receiver.script(410);
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url });
    const more = { notificationId: 'imp_1', context: { note: 'idempotency_key' } };
    const key = await sender.send(to, more, { notificationType: 'impairment' });
    await sender.delivery.idle();
    sender.clock.advance(25 * HOUR_MS);
    const fresh = await replay(sender, key);
    await sender.delivery.idle();
    expect(fresh).not.toBe(key);
    const [first, second] = receiver.posts.map((post) => post.json);
    expect(second).toEqual({ ...first, idempotency_key: fresh });
    expect(receiver.posts[1]?.body.toString()).toBe(receiver.posts[0]?.body.toString().replace(key, fresh));
    expect(await eventOf(sender, fresh)).toMatchObject({
      state: 'delivered',
      notification_id: 'imp_1',
      notification_type: 'impairment',
      media_buy_id: 'mb_1',
    });
    expect(await eventOf(sender, key)).toMatchObject({ state: 'dead', reason: 'gone' });
  });

  it('of a delivered event sends it again, of one that waits sends it now', async () => {
    const receiver = await startReceiver();
    receiver.script(200, 200, 503, 200);
    const sender = await startSender();
    const delivered = await sender.send(addressOf(receiver.url));
    await sender.delivery.idle();
    await replay(sender, delivered);
    await sender.delivery.idle();
    expect(receiver.posts).toHaveLength(2);
    const waiting = await sender.send(addressOf(receiver.url));
    await sender.delivery.idle();
    await replay(sender, waiting);
    await sender.delivery.idle();
    expect(receiver.posts).toHaveLength(4);
    expect(await eventOf(sender, waiting)).toMatchObject({ state: 'delivered' });
  });

  it('refuses a key that is not there, and an event that is under way', async () => {
    const receiver = await startReceiver();
    receiver.always('hang');
    const sender = await startSender({ policy: { timeoutMs: 500 } });
    expect(await codeOf(replay(sender, 'nobody-knows-this-key'))).toBe('REFERENCE_NOT_FOUND');
    const key = await sender.send(addressOf(receiver.url));
    await receiver.received(1);
    expect(await codeOf(replay(sender, key))).toBe('CONFLICT');
    await sender.delivery.idle();
  });
});

describe('list', () => {
  it('is narrowed by principal, by the host or the path that is posted to, and by state', async () => {
    const [here, there] = [await startReceiver(), await startReceiver()];
    there.always(410);
    const sender = await startSender();
    const delivered = await sender.send(addressOf(`${here.url}/a?x=1`));
    const dead = await sender.send(addressOf(`${there.url}/b`));
    const foreign = await sender.send({ ...addressOf(here.url), owner: 'sales#somebody' });
    await sender.delivery.idle();
    const keys = async (given: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const { rows } = await sender.delivery.list(sender.store.read, PAGE, readEventFilter(given));
      return rows.map((row) => row.idempotency_key);
    };
    const { principal } = readOwner(OWNER);
    expect(await keys({})).toEqual([foreign, dead, delivered]);
    expect(await keys({ principal })).toEqual([dead, delivered]);
    expect(await keys({ principal: 'somebody' })).toEqual([foreign]);
    expect(await keys({ principal: 'omebody' })).toEqual([]);
    expect(await keys({ endpoint: here.url })).toEqual([foreign, delivered]);
    expect(await keys({ endpoint: `${here.url}/a?y=2` })).toEqual([delivered]);
    expect(await keys({ endpoint: `${here.url}/other` })).toEqual([]);
    expect(await keys({ endpoint: there.url, state: 'dead' })).toEqual([dead]);
    expect(await keys({ endpoint: there.url, state: 'delivered' })).toEqual([]);
    expect(() => readEventFilter({ endpoint: 'buyer.example' })).toThrow('The endpoint is no URL.');
  });
});

describe('recover', () => {
  const recover = ({ store, delivery }: Sender, sinceMs: number, given: Readonly<Record<string, string>> = {}) =>
    store.transact((tx) =>
      delivery.recover(tx, { sinceMs, filter: readEventFilter(given), after: undefined }, new Set()),
    );

  it('sends again what was given up since, and nothing that was given up before or delivered', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    receiver.script(410, 200, 410, 410);
    const keys: string[] = [];
    const since: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      since.push(sender.clock.now());
      keys.push(await sender.send(addressOf(receiver.url)));
      await sender.delivery.idle();
      sender.clock.advance(HOUR_MS);
    }
    expect(await recover(sender, since[1] ?? 0)).toEqual({ sent: 2, overtaken: 0, after: undefined });
    await sender.delivery.idle();
    expect(receiver.posts.slice(4).map((post) => post.json.idempotency_key)).toEqual(
      expect.arrayContaining([keys[2], keys[3]]),
    );
    expect(await eventOf(sender, keys[0] ?? '')).toMatchObject({ state: 'dead' });
    expect(await recover(sender, since[1] ?? 0)).toMatchObject({ sent: 0 });
  });

  it('a day later gives expired events new keys', async () => {
    const receiver = await startReceiver();
    receiver.always(503);
    const sender = await startSender();
    const since = sender.clock.now();
    const key = await sender.send(addressOf(receiver.url));
    await sender.pass(25 * HOUR_MS, HOUR_MS);
    expect(await eventOf(sender, key)).toMatchObject({ state: 'dead' });
    receiver.always(200);
    expect(await recover(sender, since)).toMatchObject({ sent: 1 });
    sender.clock.advance(10 * MINUTE_MS);
    await sender.settle();
    const last = receiver.posts.at(-1)?.json;
    expect(last).toEqual({ ...receiver.posts[0]?.json, idempotency_key: expect.not.stringMatching(key) });
  });

  it('leaves out what a later event of the same state overtook, whether that was delivered or given up too', async () => {
    const receiver = await startReceiver();
    receiver.script(410, 410, 200, 410, 410);
    const sender = await startSender();
    const since = sender.clock.now();
    const overtaken = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url });
    const waiting = await addressOfBuy(sender.store, 'mb_2', { url: receiver.url });
    const keys: string[] = [];
    for (const to of [overtaken, overtaken, overtaken, waiting, waiting]) {
      keys.push(await sender.send(to, { taskId: to.mediaBuyId }));
      await sender.delivery.idle();
    }
    expect(await recover(sender, since)).toEqual({ sent: 1, overtaken: 3, after: undefined });
    await sender.delivery.idle();
    expect(receiver.posts.slice(5).map((post) => post.json.idempotency_key)).toEqual([keys[4]]);
  });

  it('heeds the filters', async () => {
    const receiver = await startReceiver();
    receiver.script(410);
    const sender = await startSender();
    await sender.send(addressOf(receiver.url));
    await sender.delivery.idle();
    expect(await recover(sender, 0, { principal: 'somebody' })).toMatchObject({ sent: 0 });
    expect(await recover(sender, 0, { endpoint: receiver.url })).toMatchObject({ sent: 1 });
  });
});

describe('test', () => {
  it('posts a valid, signed event that changes nothing', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url, operation_id: 'op-1' });
    const key = await sender.store.transact((tx) => sender.delivery.test(tx, to));
    await sender.delivery.idle();
    const [post] = receiver.posts;
    expect(post?.json).toMatchObject({
      idempotency_key: key,
      task_id: 'mb_1',
      operation_id: 'op-1',
      status: 'working',
    });
    expect(post?.headers).toHaveProperty('signature');
    for (const release of (['3.0', '3.1'] as const).filter(hasSchemas))
      expect(schemaJudge(release)('core/mcp-webhook-payload', post?.json)).toEqual([]);
  });

  it('refuses an address that is never called', async () => {
    const sender = await startSender();
    const attempt = sender.store.transact((tx) => sender.delivery.test(tx, addressOf('{{url}}')));
    expect(await codeOf(attempt)).toBe('INVALID_REQUEST');
  });
});

describe('list', () => {
  it('shows what became of events, newest first, by page and filter, and no secrets', async () => {
    const receiver = await startReceiver();
    receiver.script(200, 413);
    const sender = await startSender();
    const secret = 'secret-of-more-than-32-characters-x';
    const to = addressOf(`${receiver.url}/in/${'4f'.repeat(12)}?k=${secret}`, {
      mode: 'bearer',
      credentials: secret,
      token: secret,
    });
    const keys: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      keys.push(await sender.send(to));
      await sender.delivery.idle();
    }
    const all = await sender.delivery.list(sender.store.read, PAGE, {});
    expect(all.rows.map((row) => row.idempotency_key)).toEqual(keys.toReversed());
    expect(all.rows[0]).toMatchObject({
      state: 'dead',
      reason: 'it is larger than the receiver takes',
      url: `${receiver.url}/in/***`,
      attempts: 1,
      next_attempt_at: null,
    });
    expect(JSON.stringify(all)).not.toContain(secret);
    const dead = await sender.delivery.list(sender.store.read, PAGE, { state: 'dead', tenant: 'sales' });
    expect(dead.rows.map((row) => row.idempotency_key)).toEqual([keys[1]]);
    const none = await sender.delivery.list(sender.store.read, PAGE, { tenant: 'other' });
    expect(none.rows).toEqual([]);
    const first = await sender.delivery.list(sender.store.read, { limit: 1, after: undefined }, {});
    expect([first.rows.length, first.info.has_more]).toEqual([1, true]);
  });
});

describe('webhook_activity', () => {
  it('has one valid entry per attempt, newest first, of the owner’s own buy alone', async () => {
    const receiver = await startReceiver();
    receiver.script(503, 'reset');
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: `${receiver.url}/hooks?secret=1#x` });
    const report = await sender.send(to, {}, { notificationType: 'scheduled', sequence: 7 });
    await sender.settle();
    await sender.pass(MINUTE_MS, SECOND_MS);
    const read = (owner: string, id: string) => readActivity(sender.store.read, owner, id);
    const activity = await read(OWNER, 'mb_1');
    expect(activity.map((entry) => [entry.attempt, entry.status])).toEqual([
      [3, 'success'],
      [2, 'connection_error'],
      [1, 'failed'],
    ]);
    expect(activity[0]).toEqual({
      idempotency_key: report,
      notification_type: 'scheduled',
      sequence_number: 7,
      payload_size_bytes: receiver.posts[0]?.body.length,
      fired_at: expect.stringMatching(/^2030-01-01T00:00:(?:09|1[0-2])Z$/),
      completed_at: activity[0]?.fired_at,
      attempt: 3,
      status: 'success',
      url: `${receiver.url}/hooks`,
      http_status_code: 200,
      response_time_ms: 0,
      error_message: null,
    });
    expect(activity[1]).toMatchObject({ http_status_code: null, response_time_ms: null });
    expect(await read('sales#other', 'mb_1')).toEqual([]);
    expect(await read(OWNER, 'mb_2')).toEqual([]);
    if (!hasSchemas('3.1')) return;
    const judge = schemaJudge('3.1');
    for (const entry of activity) expect(judge('core/webhook-activity-record', entry)).toEqual([]);
  });

  it('shows what is under way as pending, and keeps to its limit', async () => {
    const receiver = await startReceiver();
    const sender = await startSender({ policy: { timeoutMs: 1000 } });
    const to = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url });
    for (let n = 0; n < 60; n += 1) await sender.send(to, {}, { notificationType: 'scheduled' });
    await sender.delivery.idle();
    receiver.always('hang');
    sender.clock.advance(SECOND_MS);
    const key = await sender.send(to, {}, { notificationType: 'final' });
    await receiver.received(61);
    const read = (limit?: number) => readActivity(sender.store.read, OWNER, 'mb_1', { limit });
    const [newest] = await read();
    expect(newest).toMatchObject({
      idempotency_key: key,
      status: 'pending',
      attempt: 1,
      completed_at: null,
      http_status_code: null,
      response_time_ms: null,
      error_message: null,
      url: `${receiver.url}/`,
    });
    if (hasSchemas('3.1')) expect(schemaJudge('3.1')('core/webhook-activity-record', newest)).toEqual([]);
    expect([(await read()).length, (await read(5)).length, (await read(1000)).length]).toEqual([50, 5, 61]);
    expect((await read(0)).length).toBe(1);
    await sender.delivery.idle();
    expect((await read(1))[0]).toMatchObject({ status: 'timeout' });
  });

  it('reaches back 30 days', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url });
    await sender.send(to);
    await sender.delivery.idle();
    const read = async () => (await readActivity(sender.store.read, OWNER, 'mb_1')).length;
    await sender.pass(29 * DAY_MS, 12 * HOUR_MS);
    expect(await read()).toBe(1);
    await sender.pass(2 * DAY_MS, 12 * HOUR_MS);
    await sender.store.sweep(sender.clock.now());
    expect(await read()).toBe(0);
  });
});

describe('a URL that is shown', () => {
  it.each([
    ['https://buyer.example/hooks/media-buys?token=abc#x', 'https://buyer.example/hooks/media-buys'],
    ['https://buyer.example', 'https://buyer.example/'],
    ['https://b.example/h/550e8400-e29b-41d4-a716-446655440000/x', 'https://b.example/h/***/x'],
    ['https://b.example/h/9f86d081884c7d659a2feaa0c55ad015', 'https://b.example/h/***'],
    ['https://b.example/T024BE7LD/B0XXXXXXX/sK9dL2mN4pQ6rS8tU0vW1xY3', 'https://b.example/T024BE7LD/B0XXXXXXX/***'],
    ['https://b.example/whsec_abc123def', 'https://b.example/***'],
    [
      'https://b.example/webhooks/create-media-buy-notifications',
      'https://b.example/webhooks/create-media-buy-notifications',
    ],
    ['https://b.example/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdef', 'https://b.example/***'],
    ['no url', 'no url'],
  ])('%s is %s', (url, shown) => expect(shownUrl(url)).toBe(shown));
});
