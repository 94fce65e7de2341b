import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/platform/kernel/clock.js';
import type { Store } from '../../../../src/seller/store/store.js';
import { attemptDelivery, DELIVERY_POLICY } from '../../../../src/seller/webhooks/delivery/attempt.js';
import { createEndpointCache, endpointOf } from '../../../../src/seller/webhooks/delivery/endpoint.js';
import { startReceiver } from '../../../kit/receiver.js';
import { openTestStore } from '../../store/fixture.js';
import { addressOf, addressOfBuy, changeCallbacks, keepBuy, OWNER, type Sender, startSender } from '../sender.js';

const eventOf = async ({ store }: Sender, key: string) =>
  (await store.read.webhookLog.find(key)) ?? expect.fail(`no event ${key}`);

/** Posts many events in one transaction; answers their keys. */
function sendMany({ store, delivery }: Sender, url: string, count: number): Promise<readonly string[]> {
  return store.transact(async (tx) => {
    const keys: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const posted = await delivery.post(tx, {
        ...addressOf(url),
        body: (idempotency_key) => ({ idempotency_key, task_id: `task_${n}` }),
      });
      keys.push(posted ?? 'not posted');
    }
    return keys;
  });
}

/** A store whose commits fail while a test says so. */
function failing(store: Store): Store & { fail: boolean } {
  const wrapped = {
    ...store,
    fail: false,
    transact: <T>(work: Parameters<typeof store.transact<T>>[0]) =>
      wrapped.fail ? Promise.reject(new Error('disk full')) : store.transact(work),
  };
  return wrapped;
}

describe('concurrency', () => {
  it('to one endpoint grows to four with good answers', async () => {
    const receiver = await startReceiver();
    receiver.script(...Array.from({ length: 20 }, () => 200), 'hang', 'hang', 'hang', 'hang', 'hang', 'hang');
    const sender = await startSender({ policy: { timeoutMs: 400 } });
    await sendMany(sender, receiver.url, 20);
    await sender.delivery.idle();
    await sendMany(sender, receiver.url, 30);
    await receiver.received(24);
    // A fifth would have come with the fourth; what runs ends by its time alone.
    expect(receiver.posts).toHaveLength(24);
    await sender.delivery.idle();
  });

  it('is shared fairly: an endpoint that never answers holds one slot, however much waits for it', async () => {
    const hole = await startReceiver();
    hole.always('hang');
    const good = await startReceiver();
    const sender = await startSender({ policy: { timeoutMs: 60_000 }, limits: { perEndpoint: 4, total: 2 } });
    await sendMany(sender, hole.url, 10_000);
    await hole.received(1);
    const keys = await sendMany(sender, good.url, 200);
    await good.received(200);
    expect(hole.posts).toHaveLength(1);
    expect(new Set(good.posts.map((post) => post.json.idempotency_key))).toEqual(new Set(keys));
    await hole.close();
  });

  it('takes endpoints in turn', async () => {
    const receivers = await Promise.all(Array.from({ length: 6 }, () => startReceiver()));
    const order: number[] = [];
    for (const [index, receiver] of receivers.entries()) {
      receiver.always(() => {
        order.push(index);
        return 200;
      });
    }
    const sender = await startSender({ limits: { perEndpoint: 1, total: 1 }, start: false });
    for (const receiver of receivers) await sendMany(sender, receiver.url, 20);
    await sender.delivery.start();
    await sender.delivery.idle();
    expect(order).toHaveLength(120);
    // Each has had its share when half is done, though all of the first was stored before any of the last.
    for (const index of receivers.keys()) {
      expect(order.slice(0, 60).filter((one) => one === index).length).toBeGreaterThanOrEqual(6);
    }
  });
});

describe('a process whose clock was set back by an hour', () => {
  it('finds what another one has posted as soon as before', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    await sender.settle();
    sender.clock.advance(-HOUR_MS);
    const other = await startSender({ store: sender.store, clock: sender.clock, start: false });
    await sendMany(other, receiver.url, 1);
    await sender.pass(MINUTE_MS, SECOND_MS);
    await receiver.received(1);
  });
});

describe('the breaker', () => {
  it('opens after five failures in a row, probes with one event, and drops nothing', async () => {
    const receiver = await startReceiver();
    receiver.always(503);
    const sender = await startSender();
    const keys = await sendMany(sender, receiver.url, 40);
    await sender.settle();
    expect(receiver.posts).toHaveLength(5);
    await sender.pass(29 * SECOND_MS, SECOND_MS);
    expect(receiver.posts).toHaveLength(5);
    await sender.pass(SECOND_MS, SECOND_MS);
    expect(receiver.posts).toHaveLength(6);
    await sender.pass(29 * SECOND_MS, SECOND_MS);
    expect(receiver.posts).toHaveLength(6);
    receiver.always(200);
    await sender.pass(SECOND_MS, SECOND_MS);
    const delivered = receiver.posts.slice(6).map((post) => post.json.idempotency_key);
    expect(delivered.toSorted()).toEqual(keys.toSorted());
  });

  it('counts failures also where events come one at a time', async () => {
    const receiver = await startReceiver();
    receiver.always(503);
    const sender = await startSender();
    for (let n = 0; n < 9; n += 1) {
      await sender.send(addressOf(receiver.url));
      await sender.delivery.idle();
    }
    expect(receiver.posts).toHaveLength(5);
  });

  it('of one endpoint is no other’s, and a refusal that is about the event opens none', async () => {
    const [dead, well] = [await startReceiver(), await startReceiver()];
    dead.always('reset');
    well.always(400);
    const sender = await startSender();
    await sendMany(sender, dead.url, 20);
    await sendMany(sender, well.url, 20);
    await sender.settle();
    expect([dead.posts.length, well.posts.length]).toEqual([5, 20]);
  });

  it('lets no event expire without an attempt, however long it was open', async () => {
    const receiver = await startReceiver();
    receiver.always('reset');
    const sender = await startSender();
    await sendMany(sender, receiver.url, 400);
    await sender.settle();
    // A probe every hour: most are not tried in their time.
    await sender.pass(23 * HOUR_MS, HOUR_MS);
    const late = await sender.send(addressOf(receiver.url));
    await sender.pass(2 * HOUR_MS, MINUTE_MS);
    const { pending, dead } = await sender.store.read.webhookLog.backlog();
    expect([pending, dead]).toEqual([1, 400]);
    expect(await eventOf(sender, late)).toMatchObject({ state: 'pending' });
    const { rows } = await sender.delivery.list(sender.store.read, { limit: 400, after: undefined }, { state: 'dead' });
    expect(rows.map((row) => row.attempts).filter((attempts) => attempts < 1)).toEqual([]);
    expect(new Set(receiver.posts.map((post) => post.json.idempotency_key)).size).toBeGreaterThanOrEqual(400);
  });
});

describe('a registration that is replaced', () => {
  it('takes retries and what waits to the new address with its own credentials, past the open breaker of the old', async () => {
    const [old, fresh] = [await startReceiver(), await startReceiver()];
    old.always('reset');
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: old.url, operation_id: 'op-1' });
    const keys: string[] = [];
    for (let n = 0; n < 12; n += 1) keys.push(await sender.send(to));
    await sender.settle();
    expect(old.posts).toHaveLength(5);
    const buy = (await sender.store.read.mediaBuys.find(to.owner, 'mb_1')) ?? expect.fail();
    const secret = 'a-secret-of-more-than-32-characters';
    const config = { url: fresh.url, authentication: { schemes: ['HMAC-SHA256'], credentials: secret } };
    await sender.store.transact(async (tx) => {
      await changeCallbacks(tx, buy, { push_notification_config: config });
      const channel = { ...to.channel, url: fresh.url };
      const field = 'push_notification_config';
      await sender.delivery.readdress(tx, { owner: to.owner, mediaBuyId: 'mb_1', field, channel });
    });
    await sender.pass(MINUTE_MS, SECOND_MS);
    expect(old.posts).toHaveLength(5);
    expect(fresh.posts.map((post) => post.json.idempotency_key).toSorted()).toEqual(keys.toSorted());
    expect(fresh.posts.every((post) => post.headers['x-adcp-signature'] !== undefined)).toBe(true);
    // The text is the event's own and stays as it was written.
    expect(fresh.posts.every((post) => post.json.operation_id === 'op-1')).toBe(true);
  });

  it('is noticed at the next attempt even where nobody said so', async () => {
    const [old, fresh] = [await startReceiver(), await startReceiver()];
    old.always(503);
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: old.url });
    const keys = [await sender.send(to), await sender.send(to)];
    await sender.settle();
    const buy = (await sender.store.read.mediaBuys.find(to.owner, 'mb_1')) ?? expect.fail();
    await sender.store.transact((tx) => changeCallbacks(tx, buy, { push_notification_config: { url: fresh.url } }));
    await sender.pass(MINUTE_MS, SECOND_MS);
    expect(old.posts).toHaveLength(2);
    expect(fresh.posts.map((post) => post.json.idempotency_key).toSorted()).toEqual(keys.toSorted());
  });

  it('that is gone leaves its events as dead letters', async () => {
    const receiver = await startReceiver();
    const sender = await startSender({ start: false });
    const to = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url });
    const key = await sender.send(to);
    const buy = (await sender.store.read.mediaBuys.find(to.owner, 'mb_1')) ?? expect.fail();
    await sender.store.transact((tx) => changeCallbacks(tx, buy, {}));
    await sender.delivery.start();
    await sender.delivery.idle();
    expect(receiver.posts).toEqual([]);
    expect(await eventOf(sender, key)).toMatchObject({ state: 'dead', reason: 'unregistered', attempts: 0 });
  });
});

describe('events that an earlier release queued by origin', () => {
  it('are sent as they are, those of a buy too', async () => {
    const receiver = await startReceiver();
    const sender = await startSender({ start: false });
    const to = await addressOfBuy(sender.store, 'mb_1', { url: `${receiver.url}/hooks` });
    const keys = [await sender.send(to), await sender.send(addressOf(`${receiver.url}/other`))];
    for (const key of keys) {
      const nowMs = sender.clock.now();
      await sender.store.transact((tx) => tx.outbox.revive(key, receiver.url, nowMs, nowMs + DAY_MS));
    }
    await sender.delivery.start();
    await sender.delivery.idle();
    expect(receiver.posts.map((post) => post.json.idempotency_key).toSorted()).toEqual(keys.toSorted());
    expect(await eventOf(sender, keys[0] ?? '')).toMatchObject({ state: 'delivered', endpoint: receiver.url });
  });
});

describe('a process that stops', () => {
  it('closing lets what is under way end, keeps what it came to, and leaves the rest for the next start', async () => {
    const receiver = await startReceiver();
    const store = await openTestStore();
    const first = await startSender({ store });
    const keys = await sendMany(first, receiver.url, 50);
    await receiver.received(1);
    await first.delivery.close();
    const posted = receiver.posts.length;
    expect(posted).toBeLessThan(50);
    const { rows } = await first.delivery.list(store.read, { limit: 100, after: undefined }, { state: 'delivered' });
    expect(rows).toHaveLength(posted);
    await first.settle();
    expect(receiver.posts).toHaveLength(posted);
    const second = await startSender({ store, clock: first.clock });
    await second.delivery.idle();
    expect(receiver.posts.map((post) => post.json.idempotency_key).toSorted()).toEqual(keys.toSorted());
  });

  it('without closing: what it had claimed is sent again, the same bytes under the same key', async () => {
    const receiver = await startReceiver();
    const store = await openTestStore();
    const first = await startSender({ store, start: false });
    const [key = ''] = await sendMany(first, receiver.url, 1);
    const nowMs = first.clock.now();
    const endpoints = [endpointOf(OWNER, { url: receiver.url }) ?? expect.fail()];
    const claim = { endpoints, kind: 'due', claim: 'a killed process', nowMs, leaseMs: HOUR_MS, limit: 10 } as const;
    expect(await store.transact((tx) => tx.outbox.claim(claim))).toHaveLength(1);
    const second = await startSender({ store, clock: first.clock });
    await second.delivery.idle();
    expect(receiver.posts.map((post) => post.json.idempotency_key)).toEqual([key]);
    expect(receiver.posts[0]?.body.toString()).toBe((await eventOf(second, key)).body);
  });

  it('drops what it had claimed once an answer told the same, under the same revision', async () => {
    const receiver = await startReceiver();
    const store = await openTestStore();
    const first = await startSender({ store, start: false });
    const to = await addressOfBuy(store, 'mb_1', { url: receiver.url, operation_id: 'op' });
    const key = await first.send(to, {}, { revision: 1 });
    const nowMs = first.clock.now();
    const endpoints = [endpointOf(OWNER, { url: receiver.url }) ?? expect.fail()];
    const claim = { endpoints, kind: 'due', claim: 'a slow process', nowMs, leaseMs: HOUR_MS, limit: 10 } as const;
    const [event] = await store.transact((tx) => tx.outbox.claim(claim));
    await store.transact((tx) => tx.outbox.dropState('mb_1', nowMs, 'outdated'));
    const { settled } = await attemptDelivery(event ?? expect.fail('nothing was claimed'), {
      store,
      clock: first.clock,
      outbound: { fetch: () => expect.fail('it was posted') },
      prove: async () => ({}),
      findEndpoint: createEndpointCache(),
      policy: DELIVERY_POLICY,
    });
    expect([event?.idempotency_key, event?.revision, settled.state]).toEqual([key, 1, 'dropped']);
  });

  it('for longer than an event is tried: one that was never tried has its time before it', async () => {
    const receiver = await startReceiver();
    const store = await openTestStore();
    const first = await startSender({ store, start: false });
    await sendMany(first, receiver.url, 3);
    first.clock.advance(5 * DAY_MS);
    const second = await startSender({ store, clock: first.clock });
    await second.delivery.idle();
    expect(receiver.posts).toHaveLength(3);
  });
});

describe('a store that fails', () => {
  it('loses nothing: what was posted is settled later and not posted again', async () => {
    const receiver = await startReceiver();
    const store = failing(await openTestStore());
    const sender = await startSender({ store });
    receiver.always(() => {
      store.fail = true;
      return 200;
    });
    const [key = ''] = await sendMany(sender, receiver.url, 1);
    await receiver.received(1);
    await sender.delivery.idle();
    expect(await eventOf(sender, key)).toMatchObject({ state: 'pending' });
    expect(sender.log.filter((line) => line.level === 'error')).not.toEqual([]);
    store.fail = false;
    receiver.always(200);
    await sender.settle();
    expect(await eventOf(sender, key)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(receiver.posts).toHaveLength(1);
  });
});

describe('gathered events', () => {
  const gathered = (text: string) => ({
    body: (idempotency_key: string) => ({ idempotency_key, text }),
    coalesce: { key: 'buy:mb_1', windowMs: 30 * SECOND_MS },
  });

  it('near changes become one event that tells of the last, and a later change is another', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url });
    const first = await sender.send(to, {}, gathered('one'));
    await sender.pass(29 * SECOND_MS, SECOND_MS);
    expect(await sender.send(to, {}, gathered('two'))).toBe(first);
    expect(receiver.posts).toEqual([]);
    await sender.pass(SECOND_MS, SECOND_MS);
    expect(receiver.posts.map((post) => post.json)).toEqual([{ idempotency_key: first, text: 'two' }]);
    const second = await sender.send(to, {}, gathered('three'));
    expect(second).not.toBe(first);
    await sender.pass(30 * SECOND_MS, SECOND_MS);
    expect(receiver.posts.map((post) => post.json.text)).toEqual(['two', 'three']);
  });

  it('wait no longer once there is one among them that gathers nothing', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url });
    const { coalesce, ...rest } = gathered('one');
    const key = coalesce?.key ?? expect.fail('it gathers');
    const first = await sender.send(to, {}, { ...rest, coalesce: { key, windowMs: 30 * SECOND_MS } });
    const end = { ...gathered('the end'), coalesce: { key, windowMs: 0 } };
    expect(await sender.send(to, {}, end)).toBe(first);
    await sender.settle();
    expect(receiver.posts.map((post) => post.json)).toEqual([{ idempotency_key: first, text: 'the end' }]);
    await sender.pass(30 * SECOND_MS, SECOND_MS);
    expect(receiver.posts).toHaveLength(1);
  });

  it('are another owner’s never, and an event that was tried is changed no more', async () => {
    const receiver = await startReceiver();
    receiver.script(503);
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url });
    const first = await sender.send(to, {}, gathered('one'));
    expect(await sender.send({ ...to, owner: 'sales#other' }, {}, gathered('theirs'))).not.toBe(first);
    await sender.pass(30 * SECOND_MS, SECOND_MS);
    const again = await sender.send(to, {}, gathered('two'));
    expect(again).not.toBe(first);
    await sender.pass(MINUTE_MS, SECOND_MS);
    const bodies = receiver.posts.filter((post) => post.json.idempotency_key === first).map((post) => post.json.text);
    expect(new Set(bodies)).toEqual(new Set(['one']));
  });

  it('do not wait when they are hurried, and go before what is posted after them', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    const to = await addressOfBuy(sender.store, 'mb_1', { url: receiver.url });
    await sender.send(to, {}, gathered('impairment'));
    await sender.store.transact(async (tx) => {
      await sender.delivery.flush(tx, 'mb_1');
      await sender.delivery.post(tx, { ...to, body: (key) => ({ idempotency_key: key, text: 'final' }) });
    });
    await sender.delivery.idle();
    expect(receiver.posts.map((post) => post.json.text)).toEqual(['impairment', 'final']);
  });
});

describe('streams of reports', () => {
  it('count from 1, each for itself, and a transaction that is undone takes no number', async () => {
    const store = await openTestStore();
    const next = (stream: string) => store.transact((tx) => tx.outbox.nextSequence(stream));
    expect([await next('mb_1'), await next('mb_1'), await next('mb_2')]).toEqual([1, 2, 1]);
    const undone = store.transact(async (tx) => {
      await tx.outbox.nextSequence('mb_1');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await next('mb_1')).toBe(3);
  });
});

describe('what is kept', () => {
  it('delivered events and attempts for 30 days, dead ones for a year', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    await keepBuy(sender.store, 'mb_1', {});
    const delivered = await sender.send(addressOf(receiver.url));
    await sender.delivery.idle();
    receiver.always(409);
    const dead = await sender.send(addressOf(receiver.url));
    await sender.delivery.idle();
    await sender.pass(29 * DAY_MS, 12 * HOUR_MS);
    await sender.store.sweep(sender.clock.now());
    expect(await eventOf(sender, delivered)).toMatchObject({ state: 'delivered' });
    await sender.pass(2 * DAY_MS, 12 * HOUR_MS);
    await sender.store.sweep(sender.clock.now());
    expect(await sender.store.read.webhookLog.find(delivered)).toBeUndefined();
    expect(await eventOf(sender, dead)).toMatchObject({ state: 'dead', reason: 'conflict' });
    await sender.store.sweep(sender.clock.now() + 335 * DAY_MS);
    expect(await sender.store.read.webhookLog.find(dead)).toBeUndefined();
  });
});
