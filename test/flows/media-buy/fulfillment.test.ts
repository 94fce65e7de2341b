import { describe, expect, test } from 'vitest';
import { creative, packageRequest, succeeded } from '../../kit/buyer.js';
import { pass } from '../../kit/events.js';
import type { Operator } from '../../kit/operator.js';
import { startReceiver } from '../../kit/receiver.js';
import { picture } from '../../kit/renderer.js';
import { approveOrder, selling } from '../../kit/selling.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import { LIVE_ACCOUNT } from '../../kit/tenants.js';

const PICTURE = `data:image/png;base64,${(await picture(300, 250)).toString('base64')}`;
const CLICK = { asset_type: 'url', url: 'https://acme-outdoor.example/' };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const approve = (operator: Operator, order_id?: string): Promise<string> => approveOrder(operator, { order_id });

type Outcome = { readonly action: string; readonly why?: string };

async function enter(operator: Operator, ...rows: readonly object[]): Promise<readonly Outcome[]> {
  return ((await operator.post('/delivery', { rows })).json() as { rows: readonly Outcome[] }).rows;
}

const orders = async (operator: Operator) =>
  ((await operator.get('/orders')).json() as { orders: readonly { media_buy_id: string; revision: number }[] }).orders;

describe('a live order of a seller that names no ad server', () => {
  test('waits for a person, is bought under the id of that ad server, and reports only what was entered', async () => {
    const { server, live, operator } = await selling(undefined);
    const submitted = await live.create({ packages: [packageRequest({ budget: 1000 })] });
    expect(submitted.status).toBe('submitted');
    expect(await operator.waiting()).toMatchObject([{ because: 'orders are booked by hand' }]);

    const id = await approve(operator, 'GAM-4711');
    expect((await live.read(id)).status).toBe('active');
    expect(await orders(operator)).toEqual([]);
    server.clock.advance(3 * DAY);
    const nothing = await live.delivered(id);
    expect(nothing.totals).toEqual({ impressions: 0, spend: 0 });

    const [pkg = ''] = packageIds(await live.read(id));
    const rehearsed = { package_id: pkg, date: '2030-01-01', impressions: 10_000, spend: 50 };
    const trial = await operator.post('/delivery', { rows: [rehearsed, rehearsed], dry_run: true });
    expect(trial.json()).toEqual({ rows: [{ action: 'created' }, { action: 'unchanged' }] });
    expect((await live.delivered(id)).totals, 'a dry run enters nothing').toEqual({ impressions: 0, spend: 0 });
    const first = { package_id: pkg, date: '2030-01-01', impressions: 10_000, spend: 50, clicks: 25 };
    const second = { order_id: 'GAM-4711', date: '2030-01-02', impressions: 20_000, spend: 100.5 };
    expect(await enter(operator, first, second)).toEqual([{ action: 'created' }, { action: 'created' }]);
    expect(await enter(operator, first, { ...second, spend: 101 })).toEqual([
      { action: 'unchanged' },
      { action: 'updated' },
    ]);
    const delivered = await live.delivered(id, { include_package_daily_breakdown: true });
    expect(delivered.totals).toEqual({ impressions: 30_000, spend: 151, clicks: 25 });
    expect(delivered.by_package[0]).toMatchObject({
      delivery_status: 'delivering',
      daily_breakdown: [
        { date: '2030-01-01', impressions: 10_000, spend: 50, clicks: 25 },
        { date: '2030-01-02', impressions: 20_000, spend: 101 },
      ],
    });
    expect(JSON.stringify(delivered)).not.toContain('made up');
    const window = await live.delivered(id, { start_date: '2030-01-02', end_date: '2030-01-03' });
    expect(window.totals).toEqual({ impressions: 20_000, spend: 101 });
    const { spend } = succeeded(
      await live.call('get_account_financials', { account: { account_id: LIVE_ACCOUNT } }),
    ) as unknown as { spend: { total_spend: number } };
    expect(spend.total_spend).toBe(151);
  });

  test('refuses delivery that cannot be, row by row, and says what to do', async () => {
    const { server, live, operator } = await selling('manual');
    await live.create({ packages: [packageRequest({ budget: 1000 })] });
    const id = await approve(operator);
    const [package_id = ''] = packageIds(await live.read(id));
    server.clock.advance(2 * DAY);
    const row = { package_id, date: '2030-01-01', impressions: 1000, spend: 10 };
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ ...row, package_id: 'pkg_000000_1' }, /there is no package/],
      [{ ...row, package_id: undefined, order_id: 'GAM-1' }, /no order was booked as GAM-1/],
      [{ ...row, package_id: undefined }, /package_id, or line_id or order_id of the ad server, is needed/],
      [{ ...row, date: '2029-12-31' }, /runs from/],
      [{ ...row, date: '2030-01-09' }, /has not begun/],
      [{ ...row, date: '01.01.2030' }, /date/],
      [{ ...row, currency: 'EUR' }, /in USD/],
      [{ ...row, spend: 1000.01 }, /1000 USD of 1000 USD are left/],
      [{ ...row, creative_id: 'nobodys' }, /never in this buy/],
      [{ ...row, clicks: 1001 }, /at most the impressions/],
      [{ ...row, impressions: -1 }, /impressions/],
      [{ ...row, surprise: 1 }, /surprise/],
    ];
    const answers = await enter(operator, ...wrong.map(([bad]) => bad), row);
    expect(answers.at(-1)).toEqual({ action: 'created' });
    for (const [index, [, why]] of wrong.entries())
      expect(answers[index]).toEqual({ action: 'refused', why: expect.stringMatching(why) });
    expect((await live.delivered(id)).totals).toEqual({ impressions: 1000, spend: 10 });
  });

  test('lists a change that needs a hand until somebody has booked it, and nothing that the clock did', async () => {
    const { server, live, operator } = await selling('manual');
    await live.create({ start_time: '2030-01-05T00:00:00Z' });
    const id = await approve(operator, 'A-1');
    server.clock.advance(5 * DAY);
    expect((await live.read(id)).status).toBe('active');
    expect(await orders(operator)).toEqual([]);
    await live.update(id, { paused: true });
    expect(await orders(operator)).toMatchObject([{ media_buy_id: id, order_id: 'A-1', status: 'paused' }]);
    const [{ revision = 0 } = {}] = await orders(operator);
    expect((await operator.post(`/orders/${id}`, { revision: revision - 1 })).status).toBe(409);
    expect((await operator.post(`/orders/${id}`, { revision })).json()).toEqual({
      media_buy_id: id,
      revision,
      order_id: 'A-1',
    });
    expect(await orders(operator)).toEqual([]);
  });

  test.each([
    ['runs already', 'asap', 'active'],
    ['has not begun', '2030-01-05T00:00:00Z', 'pending_start'],
  ])('lists the creatives that came after it was booked, of an order that %s', async (_when, start_time, status) => {
    const { live, operator } = await selling('manual', (tenant) => {
      for (const principal of tenant.principals)
        if (principal.id === 'live') principal.policies = { creative_requirement: 'required' };
    });
    await live.create({ start_time, packages: [packageRequest({ budget: 1000 })] });
    const id = await approve(operator, 'A-1');
    expect(await orders(operator)).toEqual([]);
    const [line = ''] = packageIds(await live.read(id));
    const assets = { banner_image: { asset_type: 'image', url: PICTURE, width: 300, height: 250 }, click_url: CLICK };
    await live.sync({ banner: [line] }, { creatives: [creative('banner', { assets })] });
    expect((await live.read(id)).status).toBe(status);
    const creatives = [
      expect.stringContaining(`${line} creative banner, approved, display_300x250_image  data:image/png`),
    ];
    expect(await orders(operator)).toMatchObject([{ media_buy_id: id, order_id: 'A-1', status, creatives }]);
  });

  test('is turned down when nobody books it in time', async () => {
    const { server, live } = await selling('manual');
    const { task_id } = await live.create();
    server.clock.advance(3 * DAY + 1000);
    await server.server().tick();
    const task = succeeded(await live.call('get_task_status', { task_id }));
    expect(task.status).toBe('rejected');
  });

  test('asks again for a change that promises more', async () => {
    const { live, operator } = await selling('manual');
    await live.create({ packages: [packageRequest({ budget: 1000 })] });
    const id = await approve(operator);
    const [package_id] = packageIds(await live.read(id));
    expect((await live.update(id, { packages: [{ package_id, budget: 2000 }] })).status).toBe('submitted');
    await approve(operator);
    expect((await live.read(id)).total_budget).toBe(2000);
    expect(await orders(operator)).toEqual([]);
  });

  test('reports to its webhook when the numbers of the period are entered, not before', async () => {
    const hooks = await startReceiver();
    const { server, live, operator } = await selling('manual', (tenant) => {
      // A live buyer may name no loopback address; this host stands for one.
      tenant.outbound = { resolve: { 'reports.buyer.example': hooks.url } };
    });
    const kinds = () => hooks.posts.map(({ json }) => (json.result as { notification_type: string }).notification_type);
    await live.create({
      reporting_webhook: { url: 'https://reports.buyer.example/reports', reporting_frequency: 'daily' },
    });
    const id = await approve(operator);
    const [package_id] = packageIds(await live.read(id));
    await pass(server, DAY + HOUR, HOUR);
    expect(kinds()).toEqual(['delayed']);
    await enter(operator, { package_id, date: '2030-01-01', impressions: 500, spend: 4 });
    await pass(server, HOUR);
    expect(kinds()).toEqual(['delayed', 'scheduled']);
    expect(hooks.posts.at(-1)?.json.result).toMatchObject({
      media_buy_deliveries: [{ totals: { impressions: 500, spend: 4 } }],
    });
  });

  test('leaves the sandbox of its tenant simulated', async () => {
    const { server } = await selling('manual');
    const sandbox = shopper(server, 'first');
    const { media_buy_id: id } = await sandbox.create();
    server.clock.advance(3 * DAY);
    expect((await sandbox.delivered(id)).totals.impressions).toBeGreaterThan(0);
  });

  test('takes the order id on the page of the approval', async () => {
    const { server, live, operator } = await selling('manual');
    await live.create();
    const [{ link = '' } = {}] = await operator.waiting();
    expect(await (await fetch(link)).text()).toContain('name="order_id"');
    const body = new URLSearchParams({ decision: 'approve', order_id: 'WEB-9' });
    const headers = { origin: new URL(server.baseUrl).origin };
    expect((await fetch(link, { method: 'POST', body, headers, redirect: 'manual' })).status).toBe(303);
    const [row] = await enter(operator, { order_id: 'WEB-9', date: '2030-01-01', impressions: 1, spend: 0 });
    expect(row).toEqual({ action: 'created' });
  });
});

test('a live order whose delivery is made up says so in every answer, and the server says so too', async () => {
  const { server, live } = await selling('simulated');
  const mark = { fulfillment: { mode: 'simulated', note: expect.stringContaining('no ad is served') } };
  const bought = await live.create();
  expect(bought).toMatchObject({ status: 'active', ext: mark });
  server.clock.advance(DAY);
  for (const tool of ['get_media_buys', 'get_media_buy_delivery', 'get_products', 'get_adcp_capabilities'])
    expect(succeeded(await live.call(tool, tool === 'get_products' ? { brief: 'video' } : {}))).toMatchObject({
      ext: mark,
    });
  expect((await live.call('update_media_buy', { media_buy_id: 'mb_none' })).payload).toMatchObject({ ext: mark });
  expect(await shopper(server, 'first').create()).not.toHaveProperty('ext');
  const ready = (await (await fetch(`${server.baseUrl}/readyz`)).json()) as Record<string, object>;
  expect(ready.fulfillment).toMatchObject({ status: 'ok', simulated_tenants: 1 });
});

test('figures of vendors are entered with the days, and reported as their mean over what was measured', async () => {
  const attention = { vendor: { domain: 'attention.example' }, metric_id: 'attention_units' };
  const { server, live, operator } = await selling('manual', (tenant) => {
    for (const product of tenant.products)
      Object.assign(product.reporting_capabilities as object, { vendor_metrics: [attention] });
  });
  await live.create({ packages: [packageRequest({ budget: 1000 })] });
  const id = await approve(operator);
  server.clock.advance(3 * DAY);
  const [package_id = ''] = packageIds(await live.read(id));
  const row = (date: string, vendor_metrics?: string) => ({
    package_id,
    date,
    impressions: 1000,
    spend: 5,
    vendor_metrics,
  });
  expect(await enter(operator, row('2030-01-01'), row('2030-01-01', 'other.example/attention_units=5'))).toEqual([
    { action: 'created' },
    { action: 'refused', why: expect.stringContaining('attention.example/attention_units') },
  ]);
  expect((await live.delivered(id)).by_package[0]).toMatchObject({
    missing_metrics: expect.arrayContaining([{ scope: 'vendor', ...attention }]),
  });
  const entered = [
    row('2030-01-01', 'attention.example/attention_units=60/900'),
    row('2030-01-02', 'attention.example/attention_units=40/300'),
  ];
  expect((await enter(operator, ...entered)).map(({ action }) => action)).toEqual(['updated', 'created']);
  const [line] = (await live.delivered(id)).by_package;
  expect(line).toMatchObject({ vendor_metric_values: [{ ...attention, value: 55, measurable_impressions: 1200 }] });
});
