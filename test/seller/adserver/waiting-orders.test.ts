import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { createLog } from '../../../src/platform/kernel/log.js';
import { createBooking } from '../../../src/seller/adserver/booking.js';
import { Connection } from '../../../src/seller/adserver/connection.js';
import { RetryLaterError } from '../../../src/seller/adserver/errors.js';
import type { AdServerAdapter } from '../../../src/seller/adserver/port/adapter.js';
import { beginBooking } from '../../../src/seller/domain/booking/booking.js';
import { ABLE, adServerWith } from '../../kit/ad-server.js';
import { NOW } from '../domain/order-context.js';
import { buyCalled, openTestStore } from '../store/fixture.js';

const ID = 'mb_1';

/** A store with live buys that wait for ad servers, and what books them there; `parts` may depend on who sold. */
async function waitingOrders(ids: readonly string[], partsOf: (owner: string) => Partial<AdServerAdapter> | undefined) {
  const store = await openTestStore();
  const buys = ids.map((id) => buyCalled(id, { fulfillment: 'adapter', sandbox: false }));
  for (const buy of buys) await store.transact((tx) => tx.mediaBuys.insert(ownerOf(buy.media_buy_id), buy, false));
  const confirmed: string[] = [];
  const connections = new Map<string, Connection | undefined>();
  const connect = (owner: string) => {
    const parts = partsOf(owner);
    return parts && new Connection(adServerWith(parts), []);
  };
  const clock = { nowMs: NOW };
  const booking = createBooking({
    store,
    clock: { now: () => clock.nowMs, nowOf: () => clock.nowMs },
    log: createLog('silent'),
    findConnection: (owner) => {
      if (!connections.has(owner)) connections.set(owner, connect(owner));
      return connections.get(owner);
    },
    onBooked: async (_tx, _owner, { media_buy_id }) => void confirmed.push(media_buy_id),
    onRefused: async () => undefined,
    timeoutMs: 50,
  });
  const lease = (await store.leases.take('booking', MINUTE_MS)) ?? expect.fail();
  return {
    ...{ store, buys, clock, confirmed, connections },
    round: () => booking.bookWaiting(lease),
    read: (id = ID) => store.read.orderBookings.find(id),
  };
}

/** The owner of a buy: what its id begins with. */
const ownerOf = (id: string): string => id.split('_')[0] ?? '';

const waitingOrder = (parts: Partial<AdServerAdapter>) => waitingOrders([ID], () => parts);

describe('bookWaiting', () => {
  it('takes a call without an answer for one of unknown outcome, and tells the adapter that nobody waits', async () => {
    const signals: AbortSignal[] = [];
    const { round, read } = await waitingOrder({
      book: (_buy, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    });
    expect(await round()).toBe(0);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await read()).toMatchObject({
      state: 'unknown',
      is_unsure: true,
      reason: expect.stringContaining('did not answer'),
    });
    expect(await round(), 'its next attempt has not come').toBe(0);
    expect(signals).toHaveLength(1);
  });

  it('looks first where a process ended within the call', async () => {
    const calls: unknown[] = [];
    const { store, buys, confirmed, round, read } = await waitingOrder({
      find: async () => {
        calls.push('find');
        return { order: 'there' };
      },
      book: async (_buy, { foreign }) => {
        calls.push(foreign);
        return undefined;
      },
    });
    const order = { media_buy_id: ID, owner: ownerOf(ID), revision: buys[0]?.revision ?? 0, ad_server: 'spy' };
    const begun = beginBooking(undefined, order, NOW);
    await store.transact(async (tx) => tx.orderBookings.save(begun));
    expect(await round()).toBe(1);
    expect(calls).toEqual(['find', { order: 'there' }]);
    expect(confirmed).toEqual([ID]);
    expect(await read()).toMatchObject({ state: 'booked', attempts: 1, foreign: { order: 'there' } });
  });

  it('does not look where nothing was tried, and takes ids that are no strings for an unknown outcome', async () => {
    const found: string[] = [];
    const { round, read } = await waitingOrder({
      find: async ({ media_buy_id }) => {
        found.push(media_buy_id);
        return undefined;
      },
      book: async () => JSON.parse('{"order":7}'),
    });
    expect(await round()).toBe(0);
    expect(found).toEqual([]);
    expect(await read()).toMatchObject({ state: 'unknown', reason: expect.stringContaining('order is no string') });
  });

  it('books as many orders beside each other as the ad server says, and each of them once', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `a_${index}`);
    const inHand = new Set<string>();
    const seen: number[] = [];
    const { confirmed, round } = await waitingOrders(ids, () => ({
      declaration: { ...ABLE, orders_at_once: 4 },
      book: async ({ media_buy_id }) => {
        inHand.add(media_buy_id);
        seen.push(inHand.size);
        await new Promise((resume) => setImmediate(resume));
        inHand.delete(media_buy_id);
        return { order: media_buy_id };
      },
    }));
    expect(await round()).toBe(12);
    expect(confirmed.toSorted()).toEqual(ids.toSorted());
    expect(seen).toHaveLength(12);
    expect(Math.max(...seen)).toBe(4);
  });

  it('leaves an ad server alone for the round that fails again and again, and others are booked meanwhile', async () => {
    let calls = 0;
    const ids = [...Array.from({ length: 30 }, (_, index) => `down_${index}`), 'up_1'];
    const { confirmed, round } = await waitingOrders(ids, (owner) => ({
      name: owner,
      book: async () => {
        if (owner === 'up') return undefined;
        calls += 1;
        throw new RetryLaterError('Maintenance.');
      },
    }));
    expect(await round()).toBe(1);
    expect([confirmed, calls]).toEqual([['up_1'], 5]);
    await round();
    expect(calls, 'the next five; those that failed wait').toBe(10);
  });

  it('says of an order without an ad server that a person has to carry it out, and books it once there is one', async () => {
    const { clock, confirmed, connections, round, read } = await waitingOrders([ID], () => undefined);
    expect(await round()).toBe(0);
    expect(await read()).toMatchObject({
      state: 'stranded',
      is_unsure: false,
      reason: expect.stringContaining('by hand'),
    });
    connections.set(ownerOf(ID), new Connection(adServerWith(), []));
    clock.nowMs += MINUTE_MS;
    expect(await round()).toBe(1);
    expect(confirmed).toEqual([ID]);
  });

  it('does not book an order in another ad server than has it', async () => {
    const calls: string[] = [];
    const { clock, connections, round, read, store } = await waitingOrders([ID], () => ({
      name: 'first',
      book: async () => ({ order: '7' }),
    }));
    expect(await round()).toBe(1);
    await store.transact(async (tx) => {
      const buy = (await tx.mediaBuys.find(ownerOf(ID), ID)) ?? expect.fail();
      await tx.mediaBuys.replace({ ...buy, revision: buy.revision + 1 }, false);
    });
    const book = async () => {
      calls.push('second');
      return undefined;
    };
    connections.set(ownerOf(ID), new Connection(adServerWith({ name: 'second', book }), []));
    clock.nowMs += MINUTE_MS;
    expect(await round()).toBe(0);
    expect(calls).toEqual([]);
    expect(await read()).toMatchObject({
      ...{ state: 'stranded', ad_server: 'first', foreign: { order: '7' } },
      reason: expect.stringContaining('booked in first'),
    });
  });
});
