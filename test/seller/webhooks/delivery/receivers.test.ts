import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/platform/kernel/clock.js';
import { readActivity } from '../../../../src/seller/webhooks/activity.js';
import type { AnswerPolicy } from '../../../../src/seller/webhooks/delivery/answers.js';
import { type Reaction, startReceiver } from '../../../kit/receiver.js';
import { addressOf, addressOfBuy, OWNER, type Sender, startSender } from '../sender.js';

const REDIRECT = { status: 302, headers: { location: 'http://169.254.169.254/latest' } };
const CODED = { status: 401, headers: { 'www-authenticate': 'Signature error="webhook_signature_key_unknown"' } };

const eventOf = async ({ store }: Sender, key: string) =>
  (await store.read.webhookLog.find(key)) ?? expect.fail(`no event ${key}`);
const activityOf = ({ store }: Sender, id: string) => readActivity(store.read, OWNER, id, { limit: 200 });

/** Two days, in steps that are short enough for every planned attempt to be one of its own. */
async function twoDays(sender: Sender): Promise<void> {
  await sender.settle();
  await sender.pass(MINUTE_MS, SECOND_MS);
  await sender.pass(HOUR_MS, MINUTE_MS);
  await sender.pass(22 * HOUR_MS, 10 * MINUTE_MS);
  await sender.pass(2 * HOUR_MS, MINUTE_MS);
  await sender.pass(DAY_MS, 10 * MINUTE_MS);
}

/** How often an endpoint that only fails is tried in these steps: its plan and a probe in each step, to the end. */
const PROBED = 253;

/** What becomes of an event whose receiver always does the same: how often it is posted, how it ends, what the buyer reads. */
type Ending = [
  name: string,
  reaction: Reaction,
  posts: number,
  state: string,
  reason: string | null,
  activity: [status: string, code: number | null, message: string | null],
  policy?: Partial<AnswerPolicy>,
];
const ENDINGS: readonly Ending[] = [
  ['200', 200, 1, 'delivered', null, ['success', 200, null]],
  ['204', 204, 1, 'delivered', null, ['success', 204, null]],
  ['200 that never ends', 'flood', 1, 'delivered', null, ['success', 200, null]],
  ['302', REDIRECT, 6, 'dead', 'refused', ['failed', 302, 'HTTP 302 Found']],
  ['400', 400, 6, 'dead', 'refused', ['failed', 400, 'HTTP 400 Bad Request']],
  ['401', 401, 13, 'dead', 'exhausted', ['failed', 401, 'HTTP 401 Unauthorized']],
  ['404', 404, 6, 'dead', 'refused', ['failed', 404, 'HTTP 404 Not Found']],
  ['408', 408, PROBED, 'dead', 'exhausted', ['failed', 408, 'HTTP 408 Request Timeout']],
  ['409', 409, 1, 'dead', 'conflict', ['failed', 409, 'HTTP 409 Conflict']],
  ['410', 410, 1, 'dead', 'gone', ['failed', 410, 'HTTP 410 Gone']],
  ['413', 413, 1, 'dead', 'too_large', ['failed', 413, 'HTTP 413 Payload Too Large']],
  ['429', 429, PROBED, 'dead', 'exhausted', ['failed', 429, 'HTTP 429 Too Many Requests']],
  ['500', 500, PROBED, 'dead', 'exhausted', ['failed', 500, 'HTTP 500 Internal Server Error']],
  ['503', 503, PROBED, 'dead', 'exhausted', ['failed', 503, 'HTTP 503 Service Unavailable']],
  ['a reset', 'reset', PROBED, 'dead', 'exhausted', ['connection_error', null, 'connection failed']],
  [
    'an answer that breaks off',
    'break',
    PROBED,
    'dead',
    'exhausted',
    // Which of the two it is hangs on whether the end or the reset is seen first.
    ['connection_error', null, expect.stringMatching(/^(answer breaks off or is not valid HTTP|connection failed)$/)],
  ],
  [
    'a rejected signature',
    CODED,
    13,
    'dead',
    'exhausted',
    ['failed', 401, 'HTTP 401 Unauthorized: signature rejected (webhook_signature_key_unknown)'],
  ],
  [
    'a rejected signature, bounded',
    CODED,
    3,
    'dead',
    'signature_rejected',
    ['failed', 401, 'HTTP 401 Unauthorized: signature rejected (webhook_signature_key_unknown)'],
    { signatureReject: 'bounded' },
  ],
  [
    'a rejected signature, stopped',
    CODED,
    1,
    'dead',
    'signature_rejected',
    ['failed', 401, 'HTTP 401 Unauthorized: signature rejected (webhook_signature_key_unknown)'],
    { signatureReject: 'stop' },
  ],
];

describe('a receiver that always answers the same', () => {
  it.each(ENDINGS)('%s', async (_name, reaction, posts, state, reason, [status, code, message], policy) => {
    const receiver = await startReceiver();
    receiver.always(reaction);
    const sender = await startSender(policy === undefined ? {} : { policy });
    const key = await sender.send(await addressOfBuy(sender.store, 'mb_1', { url: receiver.url }));
    await twoDays(sender);
    const count = receiver.posts.length;
    if (posts === PROBED) expect(count).toBeGreaterThan(PROBED - 20);
    else expect(count).toBe(posts);
    expect(await eventOf(sender, key)).toMatchObject({ state, reason, attempts: count });
    const activity = await activityOf(sender, 'mb_1');
    const told = Array.from({ length: count }, (_, at) => count - at);
    expect(activity.map((entry) => entry.attempt)).toEqual(
      told.filter((attempt) => attempt <= 20 || attempt % 20 === 0 || attempt === count),
    );
    for (const entry of activity) {
      expect(entry).toMatchObject({ status, http_status_code: code, error_message: message });
    }
    expect(receiver.written()).toBeLessThan(32 * 1024 ** 2);
  });

  it.each([
    ['hangs', 'hang'],
    ['drips', 'drip'],
  ] as const)('one that %s is given up on in time, tried again, and told as a timeout', async (_name, reaction) => {
    const receiver = await startReceiver();
    receiver.script(reaction);
    const sender = await startSender({ policy: { timeoutMs: 300 } });
    const key = await sender.send(await addressOfBuy(sender.store, 'mb_1', { url: receiver.url }));
    await sender.settle();
    expect(await activityOf(sender, 'mb_1')).toMatchObject([
      { status: 'timeout', http_status_code: null, response_time_ms: null },
    ]);
    await sender.pass(MINUTE_MS, SECOND_MS);
    expect(receiver.posts.map((post) => post.json.idempotency_key)).toEqual([key, key]);
    expect(await eventOf(sender, key)).toMatchObject({ state: 'delivered' });
  });

  it('a receiver that nobody serves, or whose name leads nowhere, is tried to the end', async () => {
    const lookup = () => Promise.reject(new Error('ENOTFOUND'));
    const sender = await startSender({ outbound: { lookup } });
    const nobody = await sender.send(await addressOfBuy(sender.store, 'mb_1', { url: 'http://127.0.0.1:1/' }));
    const nowhere = await sender.send(await addressOfBuy(sender.store, 'mb_2', { url: 'https://nowhere.example/' }));
    await twoDays(sender);
    for (const key of [nobody, nowhere])
      expect(await eventOf(sender, key)).toMatchObject({ reason: 'exhausted', state: 'dead' });
    expect((await activityOf(sender, 'mb_2'))[0]).toMatchObject({
      status: 'connection_error',
      error_message: 'host name does not resolve',
    });
  });
});

describe('an address that leads inside', () => {
  it.each([
    ['https://hooks.example/', '10.0.0.7'],
    ['https://hooks.example/', '169.254.169.254'],
    ['https://10.0.0.7/', ''],
    ['http://169.254.169.254/latest', ''],
    ['ftp://hooks.example/', ''],
  ])('%s (%s) is not called at delivery either: one attempt is told, the event is kept', async (url, address) => {
    const sender = await startSender({ outbound: { lookup: async () => [{ address, family: 4 }] } });
    const key = await sender.send(await addressOfBuy(sender.store, 'mb_1', { url }));
    await twoDays(sender);
    expect(await eventOf(sender, key)).toMatchObject({ state: 'dead', reason: 'not_allowed', attempts: 1 });
    expect(await activityOf(sender, 'mb_1')).toMatchObject([
      { status: 'connection_error', error_message: 'destination not allowed', http_status_code: null },
    ]);
  });

  it('a name that changes its address after the registration', async () => {
    let address = '8.8.8.8';
    const receiver = await startReceiver();
    const sender = await startSender({ outbound: { lookup: async () => [{ address, family: 4 }] }, start: false });
    const { port } = new URL(receiver.url);
    const key = await sender.send(await addressOfBuy(sender.store, 'mb_1', { url: `https://rebind.example:${port}/` }));
    address = '192.168.0.9';
    await sender.delivery.start();
    await sender.delivery.idle();
    expect(receiver.posts).toEqual([]);
    expect(await eventOf(sender, key)).toMatchObject({ state: 'dead', reason: 'not_allowed' });
  });

  it('loopback for a caller who may not', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const key = await sender.send(addressOf(receiver.url, { local: false }));
    await sender.settle();
    expect(receiver.posts).toEqual([]);
    expect(await eventOf(sender, key)).toMatchObject({ reason: 'not_allowed' });
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120 * SECOND_MS],
    ['86400', HOUR_MS],
    ['0', 2 * SECOND_MS],
    ['soon', 2 * SECOND_MS],
  ])('%s puts the next attempt off, up to an hour', async (header, atLeastMs) => {
    const receiver = await startReceiver();
    receiver.script({ status: 429, headers: { 'retry-after': header } });
    const sender = await startSender();
    const key = await sender.send(addressOf(receiver.url));
    await sender.settle();
    const { next_attempt_at, first_attempt_at } = await eventOf(sender, key);
    const delay = (next_attempt_at ?? 0) - (first_attempt_at ?? 0);
    if (atLeastMs > 2 * SECOND_MS) expect(delay).toBe(atLeastMs);
    else expect(Math.abs(delay - atLeastMs)).toBeLessThanOrEqual(400);
  });
});

describe('a channel', () => {
  it('goes on after any answer: no receiver can switch it off', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url });
    for (const reaction of [401, CODED, 403, 404, 409, 410, 413]) {
      receiver.script(reaction);
      await sender.send(to);
      await sender.settle();
    }
    const key = await sender.send(to);
    await sender.settle();
    expect(await eventOf(sender, key)).toMatchObject({ state: 'delivered' });
  });

  it('rests after a 410 where the tenant wants it, until another URL is registered', async () => {
    const receiver = await startReceiver();
    const sender = await startSender({ policy: { onGone: 'pause' } });
    const to = await addressOfBuy(sender.store, 'mb_1', { url: `${receiver.url}/old` });
    receiver.script(410);
    await sender.send(to);
    await sender.settle();
    const held = await sender.send(to);
    await sender.settle();
    expect(receiver.posts).toHaveLength(1);
    expect(await eventOf(sender, held)).toMatchObject({ state: 'dead', reason: 'paused', attempts: 0 });
    const other = await addressOfBuy(sender.store, 'mb_2', { url: `${receiver.url}/old` });
    expect(await eventOf(sender, await sender.send(other))).toBeDefined();
    await sender.settle();
    expect(receiver.posts).toHaveLength(2);
  });
});
