import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/platform/kernel/clock.js';
import { createBooking } from '../../src/seller/adserver/booking.js';
import { Connection } from '../../src/seller/adserver/connection.js';
import type { Lease } from '../../src/seller/store/store.js';
import { adServerWith, sellThroughAdServer } from '../kit/ad-server.js';
import { startMachine } from '../kit/machine.js';
import { shopper } from '../kit/shopper.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../kit/tenants.js';
import { bootTwo } from '../kit/two-servers.js';

const tenants = () => tenantsFolder(sellThroughAdServer);
const LIVE = { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } };

/** An ad server that takes every order once `whileBooking` is over. */
function adServerThat(whileBooking: () => Promise<unknown> = async () => undefined) {
  const orders: string[] = [];
  const adServer = adServerWith({
    book: async (order) => {
      orders.push(`${order.media_buy_id}@${order.revision}`);
      await whileBooking();
      return undefined;
    },
  });
  return { adServer, orders };
}

describe('what the clock brings about at two processes', () => {
  it('is booked by one of them: no order reaches the ad server twice', async () => {
    const { adServer, orders } = adServerThat();
    const { one, two } = await bootTwo({ adServer, tenants: tenants() });
    const bought = [];
    for (const server of [one, two, one]) bought.push((await shopper(server, LIVE).create()).media_buy_id);
    const isBooked = async () => {
      await Promise.all([one.server().tick(), two.server().tick()]);
      return (await one.server().app.store.read.mediaBuys.unbooked('adapter', 10)).length;
    };
    await expect.poll(isBooked, { timeout: 20_000, interval: 5 }).toBe(0);
    expect(orders.sort()).toEqual(bought.map((id) => `${id}@1`).sort());
  });

  it('is not noted by a process that was away while another took over', async () => {
    let takeOver = async (): Promise<unknown> => undefined;
    const { adServer, orders } = adServerThat(() => takeOver());
    const { adServer: away } = adServerThat(() => Promise.reject(new Error('the ad server is down')));
    const { one, two, pass } = await bootTwo({ adServer: away, tenants: tenants() });
    const { media_buy_id } = await shopper(one, LIVE).create();
    const { clock, log, store } = one.server().app;
    const announced: string[] = [];
    const booking = createBooking({
      store,
      clock,
      log,
      findConnection: () => new Connection(adServer, []),
      onBooked: async (_tx, _owner, buy) => void announced.push(buy.media_buy_id),
      onRefused: async () => undefined,
    });
    const lease = (await store.leases.take('booking of the test', 0)) ?? expect.fail();
    takeOver = () => two.server().app.store.leases.take('booking of the test', MINUTE_MS);
    // The servers try it too, in vain, and put it off each time.
    const book = async (held: Lease) => {
      pass(15 * MINUTE_MS);
      return booking.bookWaiting(held);
    };
    const called = async () => [await book(lease), orders.length];
    await expect.poll(called, { timeout: 20_000, interval: 5 }).toEqual([0, 1]);
    expect([orders, announced]).toEqual([[`${media_buy_id}@1`], []]);
    expect(await store.read.mediaBuys.unbooked('adapter', 10)).toHaveLength(1);
    takeOver = async () => undefined;
    const next = (await store.leases.take('booking once more', MINUTE_MS)) ?? expect.fail();
    await expect.poll(() => book(next), { timeout: 20_000, interval: 5 }).toBe(1);
    expect(announced).toEqual([media_buy_id]);
  });

  it('is not deleted, nor kept from being deleted, by a process that doubts its clock', async () => {
    const machine = startMachine();
    const { one, two } = await bootTwo({ time: machine });
    const tick = () => Promise.all([one, two].map((server) => server.server().tick()));
    const { leases } = one.server().app.store;
    await tick();
    expect(await leases.take('sweep', MINUTE_MS), 'one of the two has the job').toBeUndefined();
    machine.jump(DAY_MS);
    await tick();
    expect(await leases.take('sweep', MINUTE_MS), 'neither of the two has it any more').toBeDefined();
  });

  it('goes on when the process that has the jobs is closed', async () => {
    const { one, two, pass } = await bootTwo();
    const { media_buy_id } = await shopper(one).create();
    await one.server().tick();
    await one.close();
    pass(400 * DAY_MS);
    const status = async () => {
      await two.server().tick();
      const { read } = two.server().app.store;
      return (await read.mediaBuys.findAnywhere(media_buy_id))?.buy.status;
    };
    await expect.poll(status, { timeout: 20_000, interval: 20 }).toBe('completed');
  });
});
