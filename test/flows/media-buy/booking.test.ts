import { describe, expect, test } from 'vitest';
import { OrderRefusedError, RetryLaterError } from '../../../src/seller/adserver/errors.js';
import type { AdServerAdapter } from '../../../src/seller/adserver/port/adapter.js';
import type { BookContext } from '../../../src/seller/adserver/port/answers.js';
import type { ForeignIds } from '../../../src/seller/domain/booking/foreign-ids.js';
import type { LiveOrder } from '../../../src/seller/domain/booking/live-order.js';
import { saveCreative } from '../../../src/seller/lifecycle/creatives.js';
import { readOrders, recordBooking } from '../../../src/seller/tasks/order/orders.js';
import { adServerWith, sellThroughAdServer } from '../../kit/ad-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { packageRequest } from '../../kit/buyer.js';
import { type Shopper, shopper } from '../../kit/shopper.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

type Book = AdServerAdapter['book'];

/** An ad server whose orders have ids, with books that show each call; `trouble` comes before or after the effect of a call. */
function ledger() {
  const orders = new Map<string, { id: string; revision: number; state: string }>();
  const calls: { buy: LiveOrder; context: BookContext }[] = [];
  const found: string[] = [];
  let trouble: { before?: Book; after?: Book } = {};
  const idsOf = (buy: LiveOrder): ForeignIds => ({
    order: orders.get(buy.media_buy_id)?.id ?? '',
    packages: Object.fromEntries(buy.packages.map(({ package_id }) => [package_id, `line of ${package_id}`])),
  });
  const adServer = adServerWith({
    book: async (buy, context) => {
      calls.push({ buy, context });
      await trouble.before?.(buy, context);
      const { media_buy_id, revision, state } = buy;
      const present = orders.get(media_buy_id);
      if (present !== undefined && context.foreign?.order !== present.id) throw new Error('booked twice');
      const orderId = present?.id ?? context.foreign?.order ?? `order ${orders.size + 1}`;
      orders.set(media_buy_id, { id: orderId, revision, state });
      await trouble.after?.(buy, context);
      return idsOf(buy);
    },
    find: async (buy) => {
      found.push(buy.media_buy_id);
      return orders.has(buy.media_buy_id) ? idsOf(buy) : undefined;
    },
  });
  return { adServer, orders, calls, found, fail: (next: typeof trouble) => (trouble = next) };
}

async function open(adServer: AdServerAdapter): Promise<{ server: Booted; live: Shopper; round: () => Promise<void> }> {
  const server = await boot({ adServer, tenants: tenantsFolder(sellThroughAdServer) });
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
  const round = async () => {
    server.clock.advance(MINUTE);
    await server.server().tick();
  };
  return { server, live, round };
}

/** Approves a creative of a buy whose files nobody can look at here. */
async function approve(server: Booted, mediaBuyId: string, creativeId: string): Promise<void> {
  const { lifecycle, store } = server.server().app;
  await store.transact(async (tx) => {
    const { owner, buy } = (await tx.mediaBuys.findAnywhere(mediaBuyId)) ?? expect.fail();
    const creative = (await tx.creatives.find(owner, buy.account_id, creativeId)) ?? expect.fail();
    const ms = server.clock.now();
    const now = { ms, iso: new Date(ms).toISOString() };
    await saveCreative({ tx, lifecycle, owner, now }, { ...creative, status: 'approved', hold: undefined });
  });
}

const bookingOf = (server: Booted, id: string) => server.server().app.store.read.orderBookings.find(id);

describe('an order on its way into the ad server', () => {
  test('keeps the ids that it has there, and every change is booked under them', async () => {
    const { adServer, orders, calls } = ledger();
    const { server, live, round } = await open(adServer);
    const { media_buy_id: id, packages } = await live.create();
    await round();
    await live.update(id, { packages: [{ package_id: packages[0]?.package_id, budget: 9000 }] });
    await round();
    expect(orders.get(id)).toMatchObject({ id: 'order 1', state: 'running' });
    expect(calls.map(({ context }) => context.foreign?.order)).toEqual([undefined, 'order 1']);
    expect(await bookingOf(server, id)).toMatchObject({ state: 'booked', foreign: { order: 'order 1' } });
  });

  test('has the creatives that may run, with what they are made of', async () => {
    const { adServer, calls } = ledger();
    const { server, live, round } = await open(adServer);
    const { media_buy_id: id, packages } = await live.create();
    const { package_id } = packages[0] ?? expect.fail();
    await round();
    await live.sync({ banner: [package_id] });
    await approve(server, id, 'banner');
    await round();
    expect(calls.map(({ buy }) => buy.packages[0]?.creatives.length)).toEqual([0, 1]);
    expect(calls.at(-1)?.buy.packages[0]?.creatives).toMatchObject([
      {
        creative_id: 'banner',
        package_id,
        format_id: { id: 'display_300x250_image' },
        assets: { banner_image: { width: 300 } },
        click_urls: ['https://acme-outdoor.example/'],
        tracker_urls: [],
      },
    ]);
  });

  test('has the creatives that came while it was on its way', async () => {
    const { adServer, calls, fail } = ledger();
    const { server, live, round } = await open(adServer);
    const { media_buy_id: id, packages } = await live.create();
    const { package_id } = packages[0] ?? expect.fail();
    fail({
      before: async () => {
        fail({});
        await live.sync({ banner: [package_id] });
        await approve(server, id, 'banner');
      },
    });
    await round();
    await round();
    expect(calls.map(({ buy }) => buy.packages[0]?.creatives.length)).toEqual([0, 1]);
    await round();
    expect(calls, 'not once more').toHaveLength(2);
  });

  test('that the ad server will never take is rejected, its buyer told why, and it is not tried again', async () => {
    const { adServer, calls, fail } = ledger();
    fail({
      before: async () => {
        throw new OrderRefusedError('The network does not sell this format.');
      },
    });
    const { server, live, round } = await open(adServer);
    const { media_buy_id: id } = await live.create();
    await round();
    expect(await live.read(id)).toMatchObject({
      status: 'rejected',
      rejection_reason: 'The network does not sell this format.',
    });
    await round();
    server.clock.advance(2 * DAY);
    await round();
    expect(calls).toHaveLength(1);
    expect(await server.server().app.store.read.mediaBuys.unbooked('adapter', 10)).toEqual([]);
  });

  test('whose change is refused goes back to what is booked, and its buyer is told why', async () => {
    const { adServer, orders, calls, fail } = ledger();
    const { server, live, round } = await open(adServer);
    const { media_buy_id: id, packages } = await live.create();
    await round();
    fail({
      before: async () => {
        throw new OrderRefusedError('No more inventory.');
      },
    });
    const { package_id } = packages[0] ?? expect.fail();
    const flight = { end_time: '2030-03-01T00:00:00Z' };
    await live.update(id, {
      ...flight,
      packages: [{ package_id, budget: 9000 }],
      new_packages: [packageRequest({ budget: 333 })],
    });
    const changed = await live.read(id);
    expect(changed.packages.map(({ budget }) => budget)).toEqual([9000, 333]);
    await round();
    await round();
    expect(calls).toHaveLength(2);
    expect(orders.get(id)?.revision).toBe(1);
    const undone = await live.read(id);
    expect(undone).toMatchObject({ status: 'active', revision: changed.revision + 1 });
    expect(undone.packages).toMatchObject([
      { budget: 1000, end_time: packages[0]?.end_time },
      { budget: 333, canceled: true },
    ]);
    expect(await readOrders(server.server().app)).toEqual({ orders: [] });
    const [newest] = (await server.server().app.store.read.mediaBuys.history([id], 1)).get(id) ?? [];
    expect(newest).toMatchObject({ actor: 'seller', action: 'change_refused', summary: 'No more inventory.' });
    fail({});
    await live.update(id, { packages: [{ package_id, budget: 8000 }] });
    await round();
    expect(calls.at(-1)?.context.changes).toEqual(['terms', 'packages']);
    expect(orders.get(id)?.revision).toBeGreaterThan(1);
  });

  test('stores ids that an adapter learns on its way, so that a call that breaks off goes on from there', async () => {
    const { adServer, calls } = ledger();
    const book: Book = async (order, context) => {
      if (context.foreign === undefined) {
        await context.saveIds({ others: { advertiser: 'adv 7' } });
        throw new RetryLaterError('half done', { foreign: { order: 'order 1' } });
      }
      return adServer.book(order, context);
    };
    const { server, live, round } = await open({ ...adServer, book });
    const { media_buy_id: id } = await live.create();
    await round();
    await round();
    const foreign = { order: 'order 1', others: { advertiser: 'adv 7' } };
    expect(calls.map(({ context }) => context.foreign)).toEqual([foreign]);
    expect(await bookingOf(server, id)).toMatchObject({ state: 'booked', foreign });
  });

  test('of which nobody knows what came is looked for before it is booked again, and never booked twice', async () => {
    const { adServer, orders, calls, found, fail } = ledger();
    fail({
      after: async () => {
        throw new Error('the connection broke');
      },
    });
    const { server, live, round } = await open(adServer);
    const { media_buy_id: id } = await live.create();
    await round();
    expect(await live.read(id)).toMatchObject({ status: 'pending_start' });
    expect(await bookingOf(server, id)).toMatchObject({ state: 'unknown', reason: 'the connection broke' });
    fail({});
    await round();
    expect(found).toContain(id);
    expect(calls.at(-1)?.context.foreign).toMatchObject({ order: 'order 1' });
    expect(orders.size).toBe(1);
    expect((await live.read(id)).status).toBe('active');
  });

  test('that the ad server puts off waits as long as that asks for, and keeps nobody waiting', async () => {
    const { adServer, orders, calls, fail } = ledger();
    fail({
      before: async ({ packages }) => {
        if (packages.some(({ budget }) => budget === 666))
          throw new RetryLaterError('Too many requests.', { retryAfterMs: 5 * MINUTE });
      },
    });
    const { server, live, round } = await open(adServer);
    const slow = await live.create({ packages: [packageRequest({ budget: 666 })] });
    const quick = await live.create();
    await round();
    await round();
    expect([...orders.keys()]).toEqual([quick.media_buy_id]);
    const ofSlow = () => calls.filter(({ buy }) => buy.media_buy_id === slow.media_buy_id).length;
    expect(ofSlow()).toBe(1);
    expect(await bookingOf(server, slow.media_buy_id)).toMatchObject({ state: 'waiting', attempts: 1 });
    fail({});
    server.clock.advance(4 * MINUTE);
    await round();
    expect([...orders.keys()]).toContain(slow.media_buy_id);
  });

  test('that was canceled before the ad server had anything of it is not booked at all', async () => {
    const { adServer, orders, calls, fail } = ledger();
    fail({
      before: async () => {
        throw new RetryLaterError('Too many requests.');
      },
    });
    const { server, live, round } = await open(adServer);
    const { media_buy_id: id } = await live.create();
    await round();
    await live.update(id, { canceled: true });
    fail({});
    const tried = calls.length;
    await round();
    expect([calls.length, orders.size]).toEqual([tried, 0]);
    expect(await server.server().app.store.read.mediaBuys.unbooked('adapter', 10)).toEqual([]);
  });

  test('that nobody could book for a day is for a person, who may have booked it by hand', async () => {
    const { adServer, calls, fail } = ledger();
    fail({
      before: async () => {
        throw new RetryLaterError('Maintenance.');
      },
    });
    const { server, live, round } = await open(adServer);
    const { media_buy_id: id } = await live.create();
    await round();
    const { app } = server.server();
    expect(await readOrders(app), 'at once').toMatchObject({
      orders: [
        { trouble: expect.stringContaining('Maintenance.'), todo: expect.stringContaining('tried again by itself') },
      ],
    });
    await expect(recordBooking(app, id, {})).rejects.toMatchObject({ code: 'INVALID_STATE' });
    server.clock.advance(DAY);
    await round();
    expect(await readOrders(app)).toMatchObject({
      orders: [{ media_buy_id: id, trouble: expect.stringContaining('overdue') }],
    });
    expect(server.log.some(({ level, text }) => level === 'error' && text.includes(id))).toBe(true);
    const booked = await recordBooking(app, id, { order_id: 'BY-HAND' });
    expect(booked.todo).toContain('delivery import');
    expect((await live.read(id)).status).toBe('active');
    expect(await readOrders(app)).toEqual({ orders: [] });
    fail({});
    const tried = calls.length;
    await live.update(id, { paused: true });
    await round();
    // The ad server has nothing of it: it would make all of it once more, beside what the person made.
    expect(calls).toHaveLength(tried);
    expect(await readOrders(app)).toMatchObject({
      orders: [{ media_buy_id: id, trouble: expect.stringContaining('carried out by hand, and has changed') }],
    });
    const { packages } = await live.read(id);
    await recordBooking(app, id, { lines: { [packages[0]?.package_id ?? '']: 'LINE-1' } });
    await live.update(id, { paused: false });
    await round();
    const there = { order: 'BY-HAND', packages: { [packages[0]?.package_id ?? '']: 'LINE-1' } };
    expect(calls.at(-1)?.context.foreign).toMatchObject(there);
  });

  test('is never one of a sandbox', async () => {
    const { adServer, calls } = ledger();
    const { server, round } = await open(adServer);
    const { media_buy_id: id } = await shopper(server, 'first').create();
    await round();
    expect([calls, await bookingOf(server, id)]).toEqual([[], undefined]);
  });
});
