import { describe, expect, test } from 'vitest';
import { readOrders } from '../../../src/seller/tasks/order/orders.js';
import { afterUse } from '../../kit/after-use.js';
import { boot } from '../../kit/boot.js';
import { packageRequest } from '../../kit/buyer.js';
import { startKevelContract } from '../../kit/kevel/contract.js';
import { readSamples } from '../../kit/metrics.js';
import { shopper } from '../../kit/shopper.js';
import { sellOneProduct } from '../../kit/sold-through.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';

const MINUTE = 60_000;

describe('what people change in the ad server by hand', async () => {
  const kevel = await startKevelContract();
  afterUse(() => kevel.stop());
  const settings = { ...kevel.settings(kevel.url), requests_per_second: 50 };
  const tenants = tenantsFolder((tenant) => sellOneProduct(tenant, { settings, product: kevel.product }));
  const server = await boot({ tenants });
  const { app } = server.server();
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });

  /** Lets some time pass, and what the clock brings about with it. */
  async function pass(minutes: number): Promise<void> {
    server.clock.advance(minutes * MINUTE);
    await server.server().tick();
  }

  const logged = (text: string): number => server.log.filter((line) => line.text.includes(text)).length;
  const flightsOf = (id: string) =>
    [...kevel.fake.flights.values()].filter(({ Name }) => String(Name).includes(`[${id} `));

  test('is seen by the operator with what to do, logged once, and gone once it is put back', async () => {
    const { media_buy_id: id } = await live.create();
    await pass(0);
    await pass(2);
    expect(await readOrders(app)).toEqual({ orders: [] });
    const [flight] = flightsOf(id);
    Object.assign(flight ?? {}, { Impressions: 7, IsActive: false });
    await pass(31);
    await pass(6);
    const wanted = 'goal 7, booked 200000';
    expect(await readOrders(app)).toMatchObject({
      orders: [
        { media_buy_id: id, trouble: expect.stringContaining(wanted), todo: expect.stringContaining('Put it back') },
      ],
    });
    expect((await readSamples(server)).get('seller_agent_orders_drifted')).toBe(1);
    expect(logged('otherwise than it was booked')).toBe(1);
    Object.assign(flight ?? {}, { Impressions: 200_000, IsActive: true });
    await pass(6);
    expect(await readOrders(app)).toEqual({ orders: [] });
    expect((await readSamples(server)).get('seller_agent_orders_drifted')).toBe(0);
    expect(logged('otherwise than it was booked')).toBe(1);
  });

  test('by deleting a line is not undone at the next change, which would deliver it twice', async () => {
    const { media_buy_id: id, packages } = await live.create({ packages: [packageRequest(), packageRequest()] });
    const [first, second] = packages;
    await pass(0);
    const deleted = flightsOf(id).find(({ Name }) => String(Name).includes(` ${first?.package_id}]`));
    Object.assign(deleted ?? {}, { IsDeleted: true });
    await live.update(id, { packages: [{ package_id: second?.package_id, budget: 2000 }] });
    await pass(1);
    const there = () => flightsOf(id).map(({ Impressions, IsDeleted }) => [Impressions, IsDeleted]);
    expect(there()).toEqual([
      [200_000, true],
      [400_000, false],
    ]);
    expect(await readOrders(app)).toMatchObject({
      orders: [{ media_buy_id: id, trouble: expect.stringContaining(`${deleted?.Id} of ${first?.package_id}`) }],
    });
    await live.update(id, { packages: [{ package_id: first?.package_id, canceled: true }] });
    await pass(1);
    expect(await readOrders(app)).toEqual({ orders: [] });
    expect(there()).toHaveLength(2);
    expect(kevel.fake.violations).toEqual([]);
  });

  test('is seen within a minute of all orders, however many there are', async () => {
    const many = 30;
    const ids: string[] = [];
    for (let at = 0; at < many; at += 1) ids.push((await live.create()).media_buy_id);
    await pass(0);
    await expect.poll(() => pass(0).then(() => ids.filter((id) => flightsOf(id).length > 0).length)).toBe(many);
    await pass(2);
    for (const id of ids) for (const flight of flightsOf(id)) Object.assign(flight, { IsActive: false });
    await pass(1);
    const { orders } = await readOrders(app);
    expect(orders.map(({ media_buy_id }) => media_buy_id).toSorted()).toEqual(ids.toSorted());
    expect(kevel.fake.violations).toEqual([]);
  });
});
