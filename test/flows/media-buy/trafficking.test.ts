import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CsvRecord, readCsv } from '../../../src/commands/orders/csv.js';
import { importDelivery } from '../../../src/commands/orders/delivery.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { creative, packageRequest } from '../../kit/buyer.js';
import { localConsole } from '../../kit/console.js';
import { readSamples } from '../../kit/metrics.js';
import type { Operator } from '../../kit/operator.js';
import { picture } from '../../kit/renderer.js';
import { approveOrder, selling } from '../../kit/selling.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';
import { tenantsFolder } from '../../kit/tenants.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BYTES = (await picture(300, 250)).toString('base64');
const FORMULA = '=HYPERLINK("https://evil.example","Acme")';

/** A seller by hand whose products say where the ad server has them, with an order of one package that is accepted and not booked yet. */
async function withOrder(order_reminders?: object) {
  const sold = await selling('manual', (tenant) => {
    tenant.order_reminders = order_reminders;
    for (const product of tenant.products) product.adapter = { ad_unit: '=1+1', sizes: ['300x250'] };
  });
  const { live, operator } = sold;
  const targeting_overlay = {
    geo_countries: ['US'],
    frequency_cap: { max_impressions: 3, per: 'individuals', window: { interval: 1, unit: 'days' } },
  };
  await live.create({ packages: [packageRequest({ budget: 1000, targeting_overlay })], po_number: FORMULA });
  const id = await approveOrder(operator, { book_later: true });
  const [line = ''] = packageIds(await live.read(id));
  return { ...sold, id, line };
}

const waiting = async (operator: Operator) =>
  ((await operator.get('/orders')).json() as { orders: readonly { media_buy_id: string }[] }).orders;

/** The rows of a CSV text by the names in its head. */
async function parse(text: string): Promise<Readonly<Record<string, string>>[]> {
  const records: CsvRecord[] = [];
  for await (const record of readCsv([text])) records.push(record);
  const [head, ...rows] = records;
  return rows.map(({ fields }) => Object.fromEntries(fields.map((value, index) => [head?.fields[index] ?? '', value])));
}

describe('an order that is accepted and booked later', () => {
  test('waits in the list of orders, and is confirmed to its buyer once it is booked', async () => {
    const { id, live, operator } = await withOrder();
    const before = await live.read(id);
    expect([before.status, before.confirmed_at ?? undefined]).toEqual(['pending_start', undefined]);
    expect(await waiting(operator)).toMatchObject([{ media_buy_id: id, revision: 1 }]);
    await operator.post(`/orders/${id}`, { order_id: 'A-1' });
    expect(await live.read(id)).toMatchObject({ status: 'active', confirmed_at: expect.any(String) });
    expect(await waiting(operator)).toEqual([]);
  });

  test('is not approved with an id of the ad server, which says that it is booked', async () => {
    const { live, operator } = await selling('manual');
    await live.create();
    const [{ id = '' } = {}] = await operator.waiting();
    const refused = await operator.post(`/approvals/${id}`, { decision: 'approve', order_id: 'A-1', book_later: true });
    expect(refused.json()).toMatchObject({ code: 'INVALID_REQUEST', error: expect.stringMatching(/Leave one of/) });
  });
});

describe('the ids of packages in the ad server', () => {
  test('are entered in the console or by the operator, shown with the order, and checked', async () => {
    const { id, line, operator, server } = await withOrder();
    const client = await localConsole(server);
    await client.post(`/console/buys/${id}/ids`, { [`line_${line}`]: 'L-7' });
    expect((await client.get(`/console/buys/${id}`)).text).toContain('The ids are saved.');
    expect(await waiting(operator)).toMatchObject([{ packages: [expect.stringMatching(/, line L-7$/)] }]);
    expect((await operator.get('/sheets')).json()).toMatchObject({ sheets: [{ packages: [{ line_id: 'L-7' }] }] });
    const enter = async (lines: object) => (await operator.post(`/orders/${id}/ids`, { lines })).json();
    expect(await enter({ [line]: 'L-8' })).toEqual({ media_buy_id: id, lines: { [line]: 'L-8' }, deals: {} });
    expect(await enter({ pkg_none: 'L-9' })).toMatchObject({ code: 'REFERENCE_NOT_FOUND' });
    expect(await enter({ [line]: 'L 9' })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await enter({ [line]: '' })).toEqual({ media_buy_id: id, lines: {}, deals: {} });
    expect((await client.get('/console/audit')).text).toContain('order.ids');
  });

  test('find the packages of an ad server’s export, with its dates, counts, money and totals', async () => {
    const { id, line, live, operator, server } = await withOrder();
    await operator.post(`/orders/${id}`, { order_id: '2911', lines: { [line]: '5300011' } });
    server.clock.advance(3 * DAY);
    const file = path.join(temporaryFolder(), 'export.csv');
    writeFileSync(
      file,
      `\ufeffOrder,Order ID,Line item,Line item ID,Date,Ad server impressions,Ad server clicks,Ad server CTR,Ad server CPM and CPC revenue
acme-outdoor.example,2911,"Run of site, [${line}]",5300011,1/1/30,"10,000",25,0.25%,$50.00
acme-outdoor.example,2911,"Run of site, [${line}]",5300011,1/2/30,"1,250",3,0.24%,$6.25
other.example,3000,Elsewhere,99,1/2/30,7,0,0.00%,$0.01
Total,-,-,-,-,"11,257",28,0.25%,$56.26
`,
    );
    const map =
      'Order ID=order_id,Line item ID=line_id,Date=date,Ad server impressions=impressions,Ad server clicks=clicks,Ad server CPM and CPC revenue=spend';
    const lines: string[] = [];
    const flags = { data: server.dataDir, tenants: tenantsFolder() };
    const settings = await resolveSettings({ flags, env: {}, cwd: PROJECT, packageRoot: PROJECT });
    const run = (isDryRun: boolean) =>
      importDelivery(
        settings,
        {},
        { file, map, dates: 'm/d/y', isDryRun, isQuiet: true, out: (said) => lines.push(said) },
      );
    expect(await run(true)).toMatchObject({ text: expect.stringMatching(/2 created, .* 1 refused/) });
    expect(lines).toEqual([expect.stringMatching(/^line 4: refused: no package is booked as 99\./)]);
    expect((await live.delivered(id)).totals).toEqual({ impressions: 0, spend: 0 });
    await run(false);
    expect((await live.delivered(id)).totals).toEqual({ impressions: 11_250, spend: 56.25, clicks: 28 });
    expect(await run(false)).toMatchObject({ text: expect.stringMatching(/2 unchanged/) });
  });
});

test('people are reminded of an order that waits once, and again at the cadence, and no more once it is booked', async () => {
  const { id, operator, server } = await withOrder({ after_hours: 2, every_hours: 6 });
  const reminders = () => server.log.filter(({ text }) => text.includes('waits for a person')).length;
  const passed: number[] = [];
  for (let hour = 0; hour <= 14; hour += 1) {
    await server.server().tick();
    passed.push(reminders());
    server.clock.advance(HOUR);
  }
  expect(passed).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3]);
  expect(await waiting(operator)).toMatchObject([
    { waiting_since: '2030-01-01T00:00:00Z', reminded_at: '2030-01-01T14:00:00Z' },
  ]);
  expect((await (await localConsole(server)).get('/console')).text).toContain('overdue');
  expect((await readSamples(server)).get('seller_agent_orders_reminded')).toBe(1);
  await operator.post(`/orders/${id}`, {});
  server.clock.advance(DAY);
  await server.server().tick();
  expect(reminders()).toBe(3);
  expect((await readSamples(server)).get('seller_agent_orders_reminded')).toBe(0);
});

describe('a trafficking sheet', () => {
  test('says what a person needs to book each package, as JSON', async () => {
    const { id, line, live, operator } = await withOrder();
    const assets = {
      banner_image: { asset_type: 'image', url: `data:image/png;base64,${BYTES}`, width: 300, height: 250 },
      click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/shoes' },
    };
    await live.sync({ banner: [line] }, { creatives: [creative('banner', { assets })] });
    const sheets = (await operator.get('/sheets')).json();
    expect(sheets).toMatchObject({
      more: false,
      sheets: [
        {
          ...{ media_buy_id: id, advertiser: 'acme-outdoor.example', po_number: FORMULA, currency: 'USD' },
          packages: [
            {
              ...{ package_id: line, budget: 1000, state: 'running', pacing: 'even' },
              adapter: { ad_unit: '=1+1', sizes: ['300x250'] },
              price: { model: 'cpm', amount: expect.any(Number), kind: 'fixed' },
              goal: { unit: 'impressions', count: expect.any(Number) },
              targeting_words: [
                'Countries: US',
                'Frequency cap: at most 3 impressions in 1 day for each of individuals',
              ],
              creatives: [
                {
                  ...{ creative_id: 'banner', version: 1, click_urls: ['https://acme-outdoor.example/shoes'] },
                  format_id: { id: 'display_300x250_image' },
                  assets: { banner_image: { url: expect.stringContaining(BYTES) } },
                },
              ],
            },
          ],
        },
      ],
    });
    expect((await operator.get(`/sheets/${id}`)).json()).toEqual(sheets);
  });

  test('is a table without formulas, a row for each package, downloaded in the console', async () => {
    const { id, line, server } = await withOrder();
    const client = await localConsole(server);
    expect((await client.get('/console')).text).toContain('href="/console/buys/sheets"');
    expect((await client.get(`/console/buys/${id}`)).text).toContain(`href="/console/buys/${id}/sheet"`);
    const { headers, text } = await client.get('/console/buys/sheets');
    expect(headers['content-disposition']).toBe('attachment; filename="orders.csv"');
    const rows = await parse(text);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      ...{ media_buy_id: id, package_id: line, budget: '1000', currency: 'USD', creative_id: '' },
      po_number: `'${FORMULA}`,
      targeting: 'Countries: US. Frequency cap: at most 3 impressions in 1 day for each of individuals',
      adapter: '{"ad_unit":"=1+1","sizes":["300x250"]}',
    });
    expect((await client.get(`/console/buys/${id}/sheet`)).text).toBe(text);
    expect((await client.get('/console/buys/nobody/sheet')).status).toBe(404);
  });

  test('is not made of orders of a sandbox', async () => {
    const { server, operator } = await withOrder();
    const { media_buy_id: id } = await shopper(server, 'first').create();
    expect((await operator.get(`/sheets/${id}`)).json()).toMatchObject({ code: 'REFERENCE_NOT_FOUND' });
  });
});
