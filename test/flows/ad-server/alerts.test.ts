import { describe, expect, test, vi } from 'vitest';
import { recordDecision } from '../../../src/seller/http/operator/operations.js';
import { readOrders, recordBooking } from '../../../src/seller/tasks/order/orders.js';
import { listWaiting } from '../../../src/seller/tasks/task/approvals.js';
import { afterUse } from '../../kit/after-use.js';
import { boot } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';
import { localConsole } from '../../kit/console.js';
import { pass } from '../../kit/events.js';
import { startKevelContract } from '../../kit/kevel/contract.js';
import { readSamples } from '../../kit/metrics.js';
import { startReceiver } from '../../kit/receiver.js';
import { shopper } from '../../kit/shopper.js';
import { type SoldThrough, sellOneProduct } from '../../kit/sold-through.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The tests follow one another on one server: what one has left is what the next begins with. */
describe('people are alerted of an order', async () => {
  const kevel = await startKevelContract();
  afterUse(() => kevel.stop());
  const receiver = await startReceiver();
  const through: SoldThrough = {
    settings: { ...kevel.settings(kevel.url), requests_per_second: 50 },
    product: kevel.product,
  };
  const byHand: SoldThrough = { settings: { adapter: 'manual' } };
  function draft(to: SoldThrough) {
    const tenant = shippedTenant();
    sellOneProduct(tenant, to);
    const order_reminders = { after_hours: 4, every_hours: 24 };
    return Object.assign(tenant, { order_reminders, alerts: { webhook: { url: receiver.url } } });
  }
  const tenants = tenantsFolder((tenant) => void Object.assign(tenant, draft(through)));
  const server = await boot({ tenants });
  const { app } = server.server();
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
  const switchTo = async (to: SoldThrough) => {
    writeTenant(tenants, draft(to));
    await server.server().reload();
  };
  /** What alerts of a kind have said, each time that they were sent. */
  const alerted = (kind: string) =>
    receiver.posts
      .flatMap(({ json }) => json.alerts as readonly Readonly<Record<string, string>>[])
      .filter((alert) => alert.kind === kind)
      .map(({ text }) => text);

  const { media_buy_id: id } = await live.create();
  await pass(server, MINUTE);
  // A call that is slow goes on after the round.
  await vi.waitFor(async () => expect((await app.store.read.orderBookings.find(id))?.state).toBe('booked'), 30_000);
  await pass(server, 2 * MINUTE);

  test('that somebody has changed in the ad server, once', async () => {
    const flight = [...kevel.fake.flights.values()].find(({ Name }) => String(Name).includes(`[${id} `));
    Object.assign(flight ?? expect.fail(), { Impressions: 7 });
    await pass(server, 31 * MINUTE);
    await pass(server, 12 * MINUTE, 6 * MINUTE);
    expect(alerted('order_drifted')).toEqual([expect.stringContaining(`${id} was changed in the ad server by hand: `)]);
    expect(alerted('order_drifted')[0]).toContain('goal 7, booked 200000');
    Object.assign(flight ?? {}, { Impressions: 200_000 });
    await pass(server, 6 * MINUTE);
    expect(alerted('order_drifted')).toHaveLength(1);
  });

  test('whose tenant names its ad server no more, seen by the operator, until it does again', async () => {
    expect((await readOrders(app)).orders).toEqual([]);
    await switchTo(byHand);
    await pass(server, 75 * MINUTE, 15 * MINUTE);
    const reason = 'The order is booked in kevel, and the tenant has no ad server by now. Name kevel again';
    expect((await readOrders(app)).orders).toMatchObject([
      {
        media_buy_id: id,
        trouble: expect.stringContaining(reason),
        todo: expect.stringContaining('mend what is said there'),
      },
    ]);
    expect((await readSamples(server)).get('seller_agent_deliveries_failing')).toBe(1);
    expect((await (await localConsole(server)).get(`/console/buys/${id}`)).text).toContain('Name kevel again');
    expect(alerted('delivery_failing')).toEqual([]);
    await pass(server, 75 * MINUTE, 15 * MINUTE);
    expect(alerted('delivery_failing')).toEqual([expect.stringContaining(reason)]);
    await switchTo(through);
    await pass(server, 30 * MINUTE, 5 * MINUTE);
    expect((await readOrders(app)).orders).toEqual([]);
    expect((await readSamples(server)).get('seller_agent_deliveries_failing')).toBe(0);
    expect(alerted('delivery_failing')).toHaveLength(1);
  });

  test('that waits for a person longer than the tenant file says, once, and not once it is booked', async () => {
    await switchTo(byHand);
    succeeded(await live.call('create_media_buy', createRequest({ account: { account_id: LIVE_ACCOUNT } })));
    const [waiting] = (await listWaiting(app, 10)).approvals;
    await recordDecision(app, waiting?.id ?? '', { decision: 'approve', book_later: true });
    await pass(server, 3 * HOUR, HOUR);
    expect(alerted('order_waiting')).toEqual([]);
    await pass(server, 2 * HOUR, 30 * MINUTE);
    const [text = '', ...others] = alerted('order_waiting');
    expect(others).toEqual([]);
    expect(text).toContain('waits for a person since');
    const manual = (await readOrders(app)).orders.find(({ media_buy_id }) => media_buy_id !== id);
    expect(text).toContain(String(manual?.media_buy_id));
    await recordBooking(app, manual?.media_buy_id ?? '', {});
    await pass(server, 25 * HOUR, 5 * HOUR);
    expect(alerted('order_waiting')).toHaveLength(1);
  });
});
