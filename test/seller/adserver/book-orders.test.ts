import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { createLog } from '../../../src/platform/kernel/log.js';
import { createBooking } from '../../../src/seller/adserver/booking.js';
import { Connection } from '../../../src/seller/adserver/connection.js';
import type { AdServerAdapter } from '../../../src/seller/adserver/port/adapter.js';
import { beginBooking } from '../../../src/seller/domain/booking/booking.js';
import { adServerWith } from '../../kit/ad-server.js';
import { NOW } from '../domain/order-context.js';
import { buyCalled, openTestStore } from '../store/fixture.js';

const ID = 'mb_1';

/** A store with one live buy that waits for an ad server, and what books it there. */
async function waitingOrder(parts: Partial<AdServerAdapter>) {
  const store = await openTestStore();
  const buy = buyCalled(ID, { fulfillment: 'adapter', sandbox: false });
  await store.transact((tx) => tx.mediaBuys.insert('o', buy, false));
  const confirmed: string[] = [];
  const booking = createBooking({
    store,
    clock: { now: () => NOW, nowOf: () => NOW },
    log: createLog('silent'),
    findConnection: () => new Connection(adServerWith(parts), []),
    onBooked: async (_tx, _owner, { media_buy_id }) => void confirmed.push(media_buy_id),
    onRefused: async () => undefined,
    timeoutMs: 1,
  });
  const lease = (await store.leases.take('booking', MINUTE_MS)) ?? expect.fail();
  return {
    store,
    buy,
    confirmed,
    round: () => booking.bookWaiting(lease),
    read: () => store.read.orderBookings.find(ID),
  };
}

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
    const { store, buy, confirmed, round, read } = await waitingOrder({
      find: async () => {
        calls.push('find');
        return { order: 'there' };
      },
      book: async (_buy, { foreign }) => {
        calls.push(foreign);
        return undefined;
      },
    });
    const order = { media_buy_id: ID, owner: 'o', revision: buy.revision, ad_server: 'spy' };
    const begun = beginBooking(undefined, order, NOW);
    await store.transact(async (tx) => tx.orderBookings.save(begun));
    expect(await round()).toBe(1);
    expect(calls).toEqual(['find', { order: 'there' }]);
    expect(confirmed).toEqual([ID]);
    expect(await read()).toMatchObject({ state: 'booked', attempts: 2, foreign: { order: 'there' } });
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
});
