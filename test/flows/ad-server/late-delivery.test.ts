import { describe, expect, test } from 'vitest';
import { RetryLaterError } from '../../../src/seller/adserver/errors.js';
import type { AdServerAdapter } from '../../../src/seller/adserver/port/adapter.js';
import type { DeliveryAnswer, DeliveryRequest } from '../../../src/seller/adserver/port/delivery.js';
import { recordDelivery } from '../../../src/seller/tasks/order/deliveries.js';
import { recordIds } from '../../../src/seller/tasks/order/ids.js';
import { readOrders, recordBooking } from '../../../src/seller/tasks/order/orders.js';
import { adServerWith, rowsOf, sellThroughAdServer } from '../../kit/ad-server.js';
import { boot } from '../../kit/boot.js';
import { localConsole } from '../../kit/console.js';
import { pass, settle } from '../../kit/events.js';
import { readSamples } from '../../kit/metrics.js';
import { startReceiver } from '../../kit/receiver.js';
import { shopper } from '../../kit/shopper.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A report that was asked for: its days, and the handle that it was asked for under. */
type Asked = readonly [from: string, to: string, job: string | undefined];

/** An ad server whose reports `answer` makes; every day of every package has `count` impressions at half a cent. */
function reporting() {
  const asked: Asked[] = [];
  const counted = (request: DeliveryRequest): DeliveryAnswer => ({
    kind: 'rows',
    rows: rowsOf(request, (dayMs) => {
      const impressions = state.count(new Date(dayMs).toISOString().slice(0, 10));
      return { impressions, spend: impressions / 200 };
    }),
  });
  const state: {
    count: (date: string) => number;
    answer: (request: DeliveryRequest, job: string | undefined) => DeliveryAnswer;
  } = { count: () => 4000, answer: counted };
  const delivery: AdServerAdapter['delivery'] = async (request, { job }) => {
    asked.push([request.from_date, request.to_date, job]);
    return state.answer(request, job);
  };
  return { adServer: adServerWith({ delivery }), asked, counted, state };
}

async function open() {
  const receiver = await startReceiver();
  const network = reporting();
  // A live buyer may name no loopback address; this host stands for one.
  const outbound = { resolve: { 'reports.buyer.example': receiver.url } };
  const tenants = tenantsFolder((tenant) => {
    sellThroughAdServer(tenant);
    tenant.outbound = outbound;
  });
  const server = await boot({ tenants, adServer: network.adServer });
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
  const reporting_webhook = { url: 'https://reports.buyer.example/reports', reporting_frequency: 'daily' };
  const { media_buy_id: id } = await live.create({ reporting_webhook });
  /** The impressions and the spend of each day, as the buyer reads them. */
  const days = async () => {
    const { by_package } = await live.delivered(id, { include_package_daily_breakdown: true });
    return by_package[0]?.daily_breakdown?.map(({ date, impressions, spend }) => [date, impressions, spend]);
  };
  const stored = () => server.server().app.store.read.deliveries.ofRange({ media_buy_id: id, fromDay: 0, toDay: 1e6 });
  /** Has the tenant file say how live orders are carried out. */
  const carryOut = async (fulfillment: 'adapter' | 'manual') => {
    const tenant = shippedTenant();
    sellThroughAdServer(tenant);
    writeTenant(tenants, Object.assign(tenant, { fulfillment, outbound }));
    await server.server().reload();
  };
  return { ...network, server, receiver, live, id, days, stored, carryOut };
}

const pending = (job: string): DeliveryAnswer => ({ kind: 'pending', job, retry_after_ms: 10_000 });

describe('delivery that an ad server makes reports of', () => {
  test('comes of the report that was asked for before a restart, and is stored once', async () => {
    const { server, asked, counted, state, live, id, stored } = await open();
    let isReady = false;
    state.answer = (request, job) => (isReady && job === 'report 1' ? counted(request) : pending('report 1'));
    await settle(server);
    await pass(server, MINUTE);
    const today = ['2030-01-01', '2030-01-01'];
    expect(asked).toEqual([
      [...today, undefined],
      [...today, 'report 1'],
    ]);
    await server.restart();
    isReady = true;
    await pass(server, MINUTE);
    expect(asked.slice(2)).toEqual([[...today, 'report 1']]);
    await server.restart();
    await pass(server, MINUTE);
    expect(asked).toHaveLength(3);
    expect(await stored()).toHaveLength(1);
    expect((await live.delivered(id)).totals).toMatchObject({ impressions: 4000, spend: 20 });
    expect((await readOrders(server.server().app)).orders).toEqual([]);
  });

  test('replaces what was read before, in what the buyer reads and in its next reports', async () => {
    const { server, receiver, state, live, id, days } = await open();
    await settle(server);
    await pass(server, DAY, 6 * HOUR);
    await pass(server, 2 * HOUR, HOUR);
    const sent = () =>
      receiver.posts.map(({ json }) => {
        const { notification_type, reporting_period, media_buy_deliveries } = json.result as {
          readonly notification_type: string;
          readonly reporting_period: { readonly start: string };
          readonly media_buy_deliveries: readonly { readonly totals: { readonly impressions: number } }[];
        };
        const [row] = media_buy_deliveries;
        return [notification_type, reporting_period.start.slice(0, 10), row?.totals.impressions];
      });
    expect(sent()).toEqual([['scheduled', '2030-01-01', 4000]]);
    state.count = (date) => (date === '2030-01-01' ? 3000 : 5000);
    await pass(server, HOUR, HOUR);
    expect(await days()).toEqual([
      ['2030-01-01', 3000, 15],
      ['2030-01-02', 5000, 25],
    ]);
    expect((await live.delivered(id)).totals).toMatchObject({ impressions: 8000, spend: 40 });
    await pass(server, 21 * HOUR, 7 * HOUR);
    await pass(server, 3 * HOUR, HOUR);
    const others = sent()
      .slice(1)
      .toSorted((one, other) => String(one[1]).localeCompare(String(other[1])));
    expect(others).toEqual([
      ['adjusted', '2030-01-01', 3000],
      ['scheduled', '2030-01-02', 5000],
    ]);
    // A day that is in no report any more is taken back.
    state.answer = () => ({ kind: 'rows', rows: [] });
    await pass(server, HOUR, HOUR);
    expect((await live.delivered(id)).totals).toMatchObject({ impressions: 0, spend: 0 });
  });

  test('whose report never ends is asked for anew after 6 hours, seen by the operator, and loses nothing', async () => {
    const { server, asked, counted, state, id, days, stored } = await open();
    const { log } = server;
    let made = 0;
    state.answer = (_request, job) => pending(job ?? `report ${++made}`);
    await settle(server);
    await pass(server, 5 * HOUR + 50 * MINUTE, 70 * MINUTE);
    expect(made).toBe(1);
    const orders = async () => (await readOrders(server.server().app)).orders;
    expect(await orders()).toEqual([]);
    await pass(server, 10 * MINUTE);
    expect(made).toBe(2);
    expect(await orders()).toMatchObject([
      {
        media_buy_id: id,
        trouble: expect.stringContaining('delivery cannot be read since 2030-01-01T06:00:00'),
        todo: expect.stringContaining('check --online'),
      },
    ]);
    expect((await readSamples(server)).get('seller_agent_deliveries_failing')).toBe(1);
    expect(log.filter(({ text }) => text.includes('was not ready within 6 hours'))).toHaveLength(1);
    // Past the next midnight: the days that nobody could read are asked for again.
    await pass(server, 20 * HOUR, 4 * HOUR);
    expect(await stored()).toEqual([]);
    state.answer = counted;
    await pass(server, HOUR, 30 * MINUTE);
    expect(asked.at(-1)?.slice(0, 2)).toEqual(['2030-01-01', '2030-01-02']);
    expect(await days()).toEqual([
      ['2030-01-01', 4000, 20],
      ['2030-01-02', 4000, 20],
    ]);
    expect(await orders()).toEqual([]);
    expect((await readSamples(server)).get('seller_agent_deliveries_failing')).toBe(0);
  });

  test('is asked for no more once its tenant names that ad server no more, and is read when it does again', async () => {
    const { server, counted, state, id, stored, carryOut } = await open();
    const { reportJobs } = server.server().app.store.read;
    state.answer = (_request, job) => pending(job ?? 'report 1');
    await settle(server);
    await pass(server, MINUTE);
    expect(await reportJobs.due(Number.MAX_SAFE_INTEGER, 10)).toHaveLength(1);
    await carryOut('manual');
    await pass(server, 2 * MINUTE, MINUTE);
    expect(await reportJobs.due(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    const trouble = expect.stringContaining('booked in spy, and the tenant has no ad server by now. Name spy again');
    expect((await readOrders(server.server().app)).orders).toMatchObject([{ media_buy_id: id, trouble }]);
    await carryOut('adapter');
    state.answer = counted;
    await pass(server, 16 * MINUTE, 8 * MINUTE);
    expect(await stored()).toHaveLength(1);
    expect((await readOrders(server.server().app)).orders).toEqual([]);
  });

  test('of an order that people take over is theirs to enter until the ad server has it again, and neither loses the days of the other', async () => {
    const { server, receiver, state, live, id, days, carryOut } = await open();
    const { app } = server.server();
    await settle(server);
    await pass(server, 23 * HOUR, 23 * HOUR);
    await carryOut('manual');
    const row = (date: string, impressions: number) => ({ package_id: `${package_id}`, date, impressions });
    const { package_id } = (await live.read(id)).packages[0] ?? expect.fail();
    const enter = async (date: string, impressions: number) =>
      (await recordDelivery(app, { rows: [row(date, impressions)] })).rows[0];
    expect(await enter('2030-01-01', 1)).toMatchObject({ action: 'refused', why: expect.stringContaining('by hand') });
    await live.update(id, { packages: [{ package_id, budget: 3000 }] });
    await pass(server, MINUTE);
    const booked = await recordBooking(app, id, { order_id: 'BY-HAND' });
    expect(booked.todo).toContain('delivery import');
    const told = await localConsole(server);
    expect((await told.get(`/console/buys/${id}`)).text).toContain('enter what it delivers');
    await carryOut('adapter');
    await pass(server, 20 * HOUR, 20 * HOUR);
    expect(await enter('2030-01-02', 6000)).toEqual({ action: 'created' });
    await pass(server, 10 * HOUR, 2 * HOUR);
    expect(await enter('2030-01-03', 500)).toEqual({ action: 'created' });
    const reported = () => receiver.posts.map(({ json }) => JSON.stringify(json));
    expect(reported().at(-1)).toContain('"impressions":6000');
    expect((await readOrders(app)).orders).toEqual([]);
    // With the id of the line the ad server can go on with it.
    await recordIds(app, id, { lines: { [package_id]: 'LINE-1' } });
    await live.update(id, { packages: [{ package_id, budget: 4000 }] });
    state.count = () => 5000;
    await pass(server, 2 * DAY, 8 * HOUR);
    expect(await days()).toEqual([
      ['2030-01-01', 4000, 20],
      ['2030-01-02', 6000, 30],
      ['2030-01-03', 500, 2.5],
      ['2030-01-04', 5000, 25],
      ['2030-01-05', 5000, 25],
    ]);
    expect(await enter('2030-01-03', 700)).toEqual({ action: 'updated' });
    expect(await enter('2030-01-04', 700)).toMatchObject({ why: expect.stringContaining('any more on that day') });
  });

  test('that cannot be read is in orders from the first failure on, until it can', async () => {
    const { server, counted, state, id, live } = await open();
    await settle(server);
    state.answer = () => {
      throw new RetryLaterError('the network\0 is closed for the night');
    };
    await pass(server, 15 * MINUTE, 15 * MINUTE);
    const trouble = expect.stringContaining('2030-01-01T00:15:00Z: the network is closed for the night');
    expect((await readOrders(server.server().app)).orders).toMatchObject([{ media_buy_id: id, trouble }]);
    const told = await localConsole(server);
    for (const page of ['/console', `/console/buys/${id}`])
      expect((await told.get(page)).text).toContain('the network is closed for the night');
    await server.restart();
    await pass(server, HOUR, HOUR);
    expect((await readOrders(server.server().app)).orders).toMatchObject([{ media_buy_id: id, trouble }]);
    // What was read before stands.
    expect((await live.delivered(id)).totals).toMatchObject({ impressions: 4000, spend: 20 });
    state.answer = counted;
    await pass(server, 15 * MINUTE);
    expect((await readOrders(server.server().app)).orders).toEqual([]);
  });
});
