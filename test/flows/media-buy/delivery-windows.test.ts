import { describe, expect, test } from 'vitest';
import { type BootOptions, boot } from '../../kit/boot.js';
import { createRequest, packageRequest, succeeded } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { type Shopper, shopper } from '../../kit/shopper.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { tenantsFolder } from '../../kit/tenants.js';
import type { WireMetrics } from '../../kit/wire.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Slice = {
  readonly window_start: string;
  readonly window_end: string;
  readonly totals: WireMetrics;
  readonly by_package: readonly (WireMetrics & { readonly package_id: string })[];
};

/** A seller whose test product declares `pull` (by default what it can report), and a buyer. */
async function open(pull?: readonly string[], options: BootOptions = {}) {
  const tenants = tenantsFolder(({ products }) => {
    const capabilities = products[0]?.reporting_capabilities;
    if (pull !== undefined) Object.assign(capabilities as object, { windowed_pull_granularities: pull });
  });
  const server = await boot({ tenants, ...options });
  return { server, one: shopper(server) };
}

/** A buy's delivery in windows. */
async function sliced(one: Shopper, id: string, time_granularity: string, more: object = {}) {
  const delivery = await one.delivered(id, { time_granularity, include_window_breakdown: true, ...more });
  return delivery as typeof delivery & { readonly windows: readonly Slice[] };
}

const edges = (windows: readonly Slice[]) => windows.map(({ window_start, window_end }) => [window_start, window_end]);
const cents = (amount: number): number => Math.round(amount * 100) / 100;
const sum = (parts: readonly WireMetrics[], name: 'impressions' | 'spend' | 'clicks'): number =>
  cents(parts.reduce((total, part) => total + (part[name] ?? 0), 0));

describe('windows of delivery', () => {
  test.each([
    ['hourly', 31, '2030-01-30T22:00:00Z'],
    ['daily', 3, '2030-01-31T00:00:00Z'],
    ['monthly', 2, '2030-02-01T00:00:00Z'],
  ] as const)('%s follow each other on the UTC calendar and add up to the whole', async (granularity, count, first) => {
    const { server, one } = await open(['hourly', 'daily', 'monthly'], { at: '2030-01-30T21:10:30Z' });
    const packages = [packageRequest(), packageRequest({ pricing_option_id: 'auction', bid_price: 3, budget: 400 })];
    const { media_buy_id: id } = await one.create({ packages, end_time: '2030-03-01T00:00:00Z' });
    server.clock.set('2030-02-01T03:20:00Z');
    const { windows, totals, by_package } = await sliced(one, id, granularity);
    expect(windows).toHaveLength(count);
    expect(edges(windows)[0]).toEqual(['2030-01-30T21:10:30Z', first]);
    expect(edges(windows).at(-1)?.[1]).toBe('2030-02-01T03:20:00Z');
    for (const [at, { window_start }] of windows.slice(1).entries()) expect(window_start).toBe(windows[at]?.window_end);
    for (const name of ['impressions', 'spend', 'clicks'] as const) {
      expect(
        sum(
          windows.map((window) => window.totals),
          name,
        ),
      ).toBe(totals[name]);
      for (const line of by_package) {
        const own = windows.flatMap((window) => window.by_package.filter((row) => row.package_id === line.package_id));
        expect(own).toHaveLength(count);
        expect(sum(own, name)).toBe(line[name]);
      }
    }
  });

  test('are those of the days that were asked for', async () => {
    const { server, one } = await open();
    const { media_buy_id: id } = await one.create({ start_time: '2030-01-02T12:00:00Z' });
    server.clock.advance(5 * DAY + 30 * 60_000);
    const day = (at: number) => `2030-01-0${at}T00:00:00Z`;
    const asked = await sliced(one, id, 'daily', { start_date: '2030-01-02', end_date: '2030-01-04' });
    expect(edges(asked.windows)).toEqual([
      [day(2), day(3)],
      [day(3), day(4)],
    ]);
    expect(
      sum(
        asked.windows.map((window) => window.totals),
        'impressions',
      ),
    ).toBe(asked.totals.impressions);
    // What has not happened yet has no window.
    const open_end = await sliced(one, id, 'daily', { start_date: '2030-01-05', end_date: '2030-01-20' });
    expect(edges(open_end.windows)).toEqual([
      [day(5), day(6)],
      [day(6), '2030-01-06T00:30:00Z'],
    ]);
    const before = await sliced(one, id, 'hourly', { start_date: '2029-12-30', end_date: '2029-12-31' });
    expect(before.windows).toHaveLength(24);
    expect(before.totals.impressions).toBe(0);
  });

  test('end with the buy', async () => {
    const { server, one } = await open();
    const { media_buy_id: id } = await one.create({ end_time: '2030-01-04T06:00:00Z' });
    const { media_buy_id: canceled } = await one.create();
    server.clock.advance(DAY + HOUR);
    await one.update(canceled, { canceled: true });
    server.clock.advance(300 * DAY);
    const ends = async (which: string) => edges((await sliced(one, which, 'daily')).windows).map(([, end]) => end);
    expect(await ends(id)).toEqual([2, 3, 4].map((at) => `2030-01-0${at}T00:00:00Z`).concat('2030-01-04T06:00:00Z'));
    expect(await ends(canceled)).toEqual(['2030-01-02T00:00:00Z', '2030-01-02T01:00:00Z']);
  });

  test('are there when both arguments ask for them', async () => {
    const { server, one } = await open();
    const { media_buy_id: id } = await one.create();
    server.clock.advance(2 * DAY);
    expect(await one.delivered(id, { include_window_breakdown: true })).not.toHaveProperty('windows');
    expect(await one.delivered(id, { time_granularity: 'hourly' })).not.toHaveProperty('windows');
    expect((await one.delivered(id, { time_granularity: 'daily' })).by_package[0]?.daily_breakdown).toHaveLength(2);
  });

  test.each((['3.0', '3.1'] as const).filter(hasSchemas))('are valid in %s', async (version) => {
    const { server, one } = await open();
    const { media_buy_id: id } = await one.create();
    server.clock.advance(2 * DAY);
    const args = { media_buy_ids: [id], time_granularity: 'hourly', include_window_breakdown: true };
    const payload = succeeded(await server.call('get_media_buy_delivery', args, { version }));
    expect(schemaJudge(version)('media-buy/get-media-buy-delivery-response', payload)).toEqual([]);
    const products = succeeded(await server.call('get_products', { buying_mode: 'wholesale' }, { version }));
    expect(schemaJudge(version)('media-buy/get-products-response', products)).toEqual([]);
  });
});

describe('a granularity', () => {
  test('is declared by products, as what they report unless their file says otherwise', async () => {
    const declared = async (pull?: readonly string[]) => {
      const { one } = await open(pull);
      const { products } = succeeded(await one.call('get_products', { buying_mode: 'wholesale' }));
      const [test_product, daily] = products.map(
        (product) => (product as unknown as { reporting_capabilities: object }).reporting_capabilities,
      );
      return [test_product, daily].map((one_of) => (one_of as Record<string, unknown>).windowed_pull_granularities);
    };
    expect(await declared()).toEqual([['hourly', 'daily'], ['daily']]);
    expect(await declared(['monthly'])).toEqual([['monthly'], ['daily']]);
    expect(await declared([])).toEqual([[], ['daily']]);
  });

  test.each([
    [['daily'], 'hourly', ['daily'], /Use daily/],
    [['hourly', 'daily'], 'monthly', ['hourly', 'daily'], /Use hourly or daily/],
    [['daily'], 'weekly', ['daily'], /Use daily/],
    [[], 'daily', [], /Leave it out/],
  ] as const)('%j does not have %s, which is refused with those it has', async (pull, asked, supported, way) => {
    const { server, one } = await open(pull);
    const { media_buy_id: id } = await one.create();
    for (const include_window_breakdown of [true, undefined]) {
      const args = { media_buy_ids: [id], time_granularity: asked, include_window_breakdown };
      const { payload, isError } = await server.call('get_media_buy_delivery', args, { version: '3.1' });
      expect(isError).toBe(true);
      expect(payload.errors).toMatchObject([
        {
          code: 'UNSUPPORTED_GRANULARITY',
          field: 'time_granularity',
          suggestion: expect.stringMatching(way),
          details: { supported_granularities: supported },
        },
      ]);
    }
  });

  test('has to be one that all products of the buys in the answer have', async () => {
    const { one } = await open();
    const daily = { product_id: 'northlight_ros_display', pricing_option_id: 'vcpm_fixed', budget: 500 };
    const fine = await one.create();
    const coarse = await one.create({ packages: [packageRequest(), daily] });
    const args = (...media_buy_ids: string[]) => ({ media_buy_ids, time_granularity: 'hourly' });
    succeeded(await one.call('get_media_buy_delivery', args(fine.media_buy_id)));
    const both = args(fine.media_buy_id, coarse.media_buy_id);
    expect(await one.refused('get_media_buy_delivery', both)).toBe('UNSUPPORTED_FEATURE');
    succeeded(await one.call('get_media_buy_delivery', { ...both, time_granularity: 'daily' }));
    succeeded(await one.call('get_media_buy_delivery', { media_buy_ids: [], time_granularity: 'monthly' }));
  });

  test('whose windows are too many for one answer is refused with what to ask instead', async () => {
    const { server, one } = await open();
    const { media_buy_id: id } = await one.create({ end_time: '2031-12-31T00:00:00Z' });
    server.clock.advance(300 * DAY);
    const args = { media_buy_ids: [id], time_granularity: 'hourly', include_window_breakdown: true };
    const { payload } = await one.call('get_media_buy_delivery', args);
    expect(payload.errors).toMatchObject([
      { code: 'INVALID_REQUEST', field: 'time_granularity', suggestion: expect.stringMatching(/start_date/) },
    ]);
    expect(
      (await sliced(one, id, 'hourly', { start_date: '2030-05-01', end_date: '2030-06-01' })).windows,
    ).toHaveLength(31 * 24);
    // However far back somebody asks, it is the answer of a moment.
    expect(await one.refused('get_media_buy_delivery', { ...args, start_date: '0100-01-01' })).toBe('INVALID_REQUEST');
    expect((await sliced(one, id, 'daily')).windows).toHaveLength(300);
  });

  test('is one that was sold, whatever becomes of the product', async () => {
    const dataDir = temporaryFolder();
    const { server, one } = await open(undefined, { dataDir });
    const { media_buy_id: id } = await one.create();
    await server.close();
    const later = await open(['daily'], { dataDir });
    later.server.clock.advance(DAY);
    expect((await sliced(later.one, id, 'hourly')).windows).toHaveLength(24);
    const { media_buy_id: other } = await later.one.create();
    const args = { media_buy_ids: [other], time_granularity: 'hourly', include_window_breakdown: true };
    expect(await later.one.refused('get_media_buy_delivery', args)).toBe('UNSUPPORTED_FEATURE');
  });

  test('that the protocol does not have is a wrong argument', async () => {
    const { one } = await open();
    await one.call('create_media_buy', createRequest());
    const { payload } = await one.call('get_media_buy_delivery', { time_granularity: 'fortnightly' });
    expect(payload.errors).toMatchObject([{ code: 'INVALID_REQUEST', field: 'time_granularity' }]);
  });
});

describe('a product that is reported for its whole life alone', async () => {
  const tenants = tenantsFolder(({ products }) => {
    Object.assign(products[0]?.reporting_capabilities as object, { date_range_support: 'lifetime_only' });
  });
  const server = await boot({ tenants });
  const one = shopper(server);
  const { media_buy_id: id } = await one.create();
  server.clock.advance(2 * DAY);

  test.each([
    ['get_media_buy_delivery', { start_date: '2030-01-01' }, 'start_date'],
    ['get_media_buy_delivery', { end_date: '2030-01-02' }, 'end_date'],
    ['get_creative_delivery', { start_date: '2030-01-01', end_date: '2030-01-02' }, 'start_date'],
  ])('%s takes no days: %j', async (tool, days, field) => {
    await one.sync({ banner: [] });
    const { media_buys } = succeeded(await one.call('get_media_buys', { media_buy_ids: [id] }));
    await one.sync({ banner: media_buys[0]?.packages.map(({ package_id }) => package_id) ?? [] });
    const { payload } = await one.call(tool, { media_buy_ids: [id], ...days });
    expect(payload.errors).toMatchObject([{ code: 'UNSUPPORTED_FEATURE', field, suggestion: expect.any(String) }]);
  });

  test('answers without them', async () => {
    expect((await one.delivered(id)).totals.impressions).toBeGreaterThan(0);
  });
});
