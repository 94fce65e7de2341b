import { describe, expect, it } from 'vitest';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import type { Log } from '../../../src/platform/kernel/log.js';
import { createBooking } from '../../../src/seller/adserver/booking.js';
import type { MediaBuy } from '../../../src/seller/domain/media-buy/media-buy.js';
import { Lifecycle } from '../../../src/seller/lifecycle/media-buys.js';
import { createReports } from '../../../src/seller/lifecycle/reports.js';
import { Spend } from '../../../src/seller/lifecycle/spend.js';
import { Sandboxes } from '../../../src/seller/sandbox/sandboxes.js';
import type { Store } from '../../../src/seller/store/store.js';
import { BuyEvents } from '../../../src/seller/webhooks/events/buy-events.js';
import type { Outbox } from '../../../src/seller/webhooks/outbox.js';
import { turnableClock } from '../../kit/surroundings.js';
import { boughtAt, contextAt, fromNow, NOW } from '../domain/order-context.js';
import { creativeCalled, openTestStore } from '../store/fixture.js';

const HOUR = 3_600_000;
const nothing = (): void => undefined;
const LOG = { debug: nothing, info: nothing, warn: nothing, error: nothing } as Log;

/** A lifecycle over a real store and a clock that stands still. */
async function lifecycleOver(store: Store) {
  const clock = turnableClock(fromNow(0));
  const booking = createBooking({
    store,
    clock: { now: () => clock.now(), nowOf: () => clock.now() },
    log: LOG,
    findConnection: () => undefined,
    onBooked: async () => undefined,
    onRefused: async () => undefined,
  });
  const outbox: Outbox = {
    post: async () => undefined,
    readdress: async () => undefined,
    dropState: async () => ({ bodies: [], gathersMs: undefined }),
    gathering: async () => [],
    flush: async () => undefined,
  };
  const events = new BuyEvents(outbox, () => ({}));
  const sandboxes = await Sandboxes.open(store, clock);
  const reports = createReports({ store, clock: sandboxes.clock, log: LOG, booking, outbox });
  const spend = new Spend({ store, clock: sandboxes.clock, log: LOG, booking });
  const lifecycle = await Lifecycle.start({
    store,
    clock: sandboxes.clock,
    ids: systemIds,
    booking,
    events,
    reports,
    spend,
    lostProperties: () => new Map(),
  });
  const keep = (buy: MediaBuy) => store.transact((tx) => lifecycle.open(tx, 'o', buy));
  const find = async (id: string) => (await store.read.mediaBuys.find('o', id)) ?? expect.fail(`${id} is not there`);
  const statuses = async (...ids: readonly string[]) => Promise.all(ids.map(async (id) => (await find(id)).status));
  return { clock, lifecycle, keep, find, statuses };
}

/** A buy whose flight is `from` to `to`, hours after `NOW`; it needs creatives where `needs` says so. */
function flight(media_buy_id: string, from: number, to: number, needs: 'required' | 'none' = 'none'): MediaBuy {
  const start_time = from === 0 ? 'asap' : fromNow(from * HOUR);
  const buy = boughtAt(
    NOW,
    { start_time, end_time: fromNow(to * HOUR) },
    contextAt(NOW, { creativeRequirement: needs }),
  );
  const packages = buy.packages.map((line) => ({ ...line, package_id: media_buy_id.replace('mb_', 'pkg_') }));
  return { ...buy, media_buy_id, packages };
}

describe('catchUp', () => {
  it('moves the buys of its owner alone, and no more of them than a call has time for', async () => {
    const store = await openTestStore();
    const { clock, lifecycle } = await lifecycleOver(store);
    const keep = (owner: string, id: string) => store.transact((tx) => lifecycle.open(tx, owner, flight(id, 1, 5)));
    await Promise.all(Array.from({ length: 200 }, (_, n) => keep('burst', `mb_burst${n}`)));
    await keep('o', 'mb_mine');
    clock.advance(HOUR);
    const active = async (owner: string) =>
      (await store.read.mediaBuys.list(owner, { limit: 500, after: undefined }, { statuses: ['active'] })).length;
    await lifecycle.catchUp('o');
    expect([await active('o'), await active('burst')]).toEqual([1, 0]);
    await lifecycle.catchUp('burst', ['mb_burst199', 'mb_mine', 'mb_none']);
    expect(await active('burst')).toBe(51);
    expect((await store.read.mediaBuys.find('burst', 'mb_burst199'))?.status).toBe('active');
    const before = store.stats();
    await lifecycle.catchUp('o');
    expect(store.stats()).toEqual(before);
    await lifecycle.moveAllDue();
    expect(await active('burst')).toBe(200);
  });
});

describe('moveAllDue', () => {
  it('moves owners by turns, and stops when it is told to', async () => {
    const store = await openTestStore();
    const { clock, lifecycle } = await lifecycleOver(store);
    for (const owner of ['a', 'b'])
      await Promise.all(
        Array.from({ length: 300 }, (_, n) =>
          store.transact((tx) => lifecycle.open(tx, owner, flight(`mb_${owner}${n}`, 1, 5))),
        ),
      );
    clock.advance(HOUR);
    const before = store.stats().transactions;
    await lifecycle.moveAllDue(() => store.stats().transactions - before >= 2);
    const active = await Promise.all(
      ['a', 'b'].map((owner) =>
        store.read.mediaBuys.list(owner, { limit: 500, after: undefined }, { statuses: ['active'] }),
      ),
    );
    for (const moved of active) {
      expect(moved.length).toBeGreaterThan(0);
      expect(moved.length).toBeLessThan(300);
    }
  });

  it('moves what the clock has overtaken, and nothing else', async () => {
    const { clock, lifecycle, keep, statuses } = await lifecycleOver(await openTestStore());
    await Promise.all([
      keep(flight('mb_soon', 1, 5)),
      keep(flight('mb_runs', 0, 3)),
      keep(flight('mb_late', 50, 60)),
      keep(flight('mb_bare', 0, 4, 'required')),
    ]);
    const ids = ['mb_soon', 'mb_runs', 'mb_late', 'mb_bare'];
    await lifecycle.moveAllDue();
    expect(await statuses(...ids)).toEqual(['pending_start', 'active', 'pending_start', 'pending_creatives']);
    clock.advance(HOUR);
    await lifecycle.moveAllDue();
    expect(await statuses(...ids)).toEqual(['active', 'active', 'pending_start', 'pending_creatives']);
    clock.advance(2 * HOUR);
    await lifecycle.moveAllDue();
    expect(await statuses(...ids)).toEqual(['active', 'completed', 'pending_start', 'pending_creatives']);
    clock.advance(10 * HOUR);
    await lifecycle.moveAllDue();
    expect(await statuses('mb_soon', 'mb_runs', 'mb_late')).toEqual(['completed', 'completed', 'pending_start']);
    expect(['canceled', 'completed']).toContain((await statuses('mb_bare'))[0]);
  });

  it('records each move when it happened, one revision each', async () => {
    const store = await openTestStore();
    const { clock, lifecycle, keep, find } = await lifecycleOver(store);
    await keep(flight('mb_a', 1, 5));
    clock.advance(100 * HOUR);
    await lifecycle.moveAllDue();
    expect(await find('mb_a')).toMatchObject({ status: 'completed', revision: 3 });
    expect((await store.read.mediaBuys.history(['mb_a'], 9)).get('mb_a')).toEqual([
      { revision: 3, timestamp: fromNow(5 * HOUR), actor: 'system', action: 'completed' },
      { revision: 2, timestamp: fromNow(HOUR), actor: 'system', action: 'activated' },
    ]);
  });

  it('writes nothing when nothing is due', async () => {
    const store = await openTestStore();
    const { clock, lifecycle, keep } = await lifecycleOver(store);
    await keep(flight('mb_a', 1, 5));
    const before = store.stats();
    await lifecycle.moveAllDue();
    clock.advance(HOUR - 1);
    await lifecycle.moveAllDue();
    expect(store.stats()).toEqual(before);
  });

  it('moves each buy once, however many ask at the same time', async () => {
    const { clock, lifecycle, keep, find } = await lifecycleOver(await openTestStore());
    await keep(flight('mb_a', 1, 5));
    clock.advance(2 * HOUR);
    await Promise.all(Array.from({ length: 20 }, () => lifecycle.moveAllDue()));
    expect(await find('mb_a')).toMatchObject({ status: 'active', revision: 2 });
  });

  it('moves more buys than one transaction takes', async () => {
    const store = await openTestStore();
    const { clock, lifecycle, keep } = await lifecycleOver(store);
    await Promise.all(Array.from({ length: 250 }, (_, n) => keep(flight(`mb_${n}`, 1, 5))));
    clock.advance(HOUR);
    await lifecycle.moveAllDue();
    const active = await store.read.mediaBuys.list('o', { limit: 500, after: undefined }, { statuses: ['active'] });
    expect(active).toHaveLength(250);
  });

  it('knows after a restart what is due', async () => {
    const store = await openTestStore();
    await (await lifecycleOver(store)).keep(flight('mb_a', 1, 5));
    const again = await lifecycleOver(store);
    again.clock.advance(2 * HOUR);
    await again.lifecycle.moveAllDue();
    expect(await again.statuses('mb_a')).toEqual(['active']);
  });

  it('counts a creative that is approved, and no other', async () => {
    const store = await openTestStore();
    const { clock, lifecycle, keep, statuses } = await lifecycleOver(store);
    for (const [id, status] of [
      ['mb_good', 'approved'],
      ['mb_bad', 'rejected'],
    ] as const) {
      await keep({ ...flight(id, 1, 5, 'required'), status: 'pending_start' });
      await store.transact(async (tx) => {
        await tx.creatives.save('o', creativeCalled(id, { status }));
        const package_id = id.replace('mb_', 'pkg_');
        await tx.creatives.assign('o', 'acct_1', {
          creative_id: id,
          media_buy_id: id,
          package_id,
          assigned_date: fromNow(0),
        });
      });
    }
    clock.advance(HOUR);
    await lifecycle.moveAllDue();
    expect(await statuses('mb_good', 'mb_bad')).toEqual(['active', 'active']);
    const running = async (id: string) => (await store.read.mediaBuys.find('o', id))?.packages[0]?.segments.length;
    expect([await running('mb_good'), await running('mb_bad')]).toEqual([1, 0]);
  });

  it('lets the creatives of a buy go when it ends', async () => {
    const store = await openTestStore();
    const { clock, lifecycle, keep } = await lifecycleOver(store);
    await keep(flight('mb_a', 0, 5));
    await store.transact((tx) =>
      tx.creatives.assign('o', 'acct_1', {
        creative_id: 'c',
        media_buy_id: 'mb_a',
        package_id: 'pkg_a',
        assigned_date: fromNow(0),
      }),
    );
    clock.advance(5 * HOUR);
    await lifecycle.moveAllDue();
    expect(await store.read.creatives.listAssignments('o', [creativeCalled('c')])).toEqual([]);
  });

  // A buy that is stored while others are being moved is due before them: the next round must not forget it.
  it('forgets no buy that comes while it moves others', async () => {
    const { clock, lifecycle, keep, statuses } = await lifecycleOver(await openTestStore());
    await Promise.all([keep(flight('mb_now', 1, 90)), keep(flight('mb_far', 80, 90))]);
    clock.advance(HOUR);
    const moving = lifecycle.moveAllDue();
    const coming = keep(flight('mb_new', 2, 90));
    await Promise.all([moving, coming]);
    clock.advance(HOUR);
    await lifecycle.moveAllDue();
    expect(await statuses('mb_now', 'mb_new', 'mb_far')).toEqual(['active', 'active', 'pending_start']);
  });
});
