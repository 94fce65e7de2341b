import { describe, expect, test } from 'vitest';
import { type CsvRecord, readCsv } from '../../../src/commands/orders/csv.js';
import { creative, packageRequest } from '../../kit/buyer.js';
import { localConsole } from '../../kit/console.js';
import type { Operator } from '../../kit/operator.js';
import { picture } from '../../kit/renderer.js';
import { approveOrder, selling } from '../../kit/selling.js';
import { packageIds, shopper } from '../../kit/shopper.js';

const BYTES = (await picture(300, 250)).toString('base64');
const FORMULA = '=HYPERLINK("https://evil.example","Acme")';

/** A seller by hand whose products say where the ad server has them, with an order of one package that is accepted and not booked yet. */
async function withOrder() {
  const sold = await selling('manual', (tenant) => {
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
