import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { packageRequest, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { pass } from '../../kit/events.js';
import { startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import type { WireMetrics } from '../../kit/wire.js';

const DAY = 86_400_000;
const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const EUROS = { product_id: 'stadtblick_display', pricing_option_id: 'cpm_fixed' };

const cents = (money: number): number => Math.round(money * 100);
const sum = (rows: readonly { readonly impressions: number; readonly spend: number }[]) =>
  rows.reduce(
    (all, { impressions, spend }) => ({ impressions: all.impressions + impressions, cents: all.cents + cents(spend) }),
    { impressions: 0, cents: 0 },
  );
const numbers = ({ impressions, spend }: WireMetrics) => ({ impressions, cents: cents(spend) });

/** A row of a breakdown, or a package with its rows. */
type Row = WireMetrics & Readonly<Record<string, unknown>>;

describe('the same numbers', () => {
  test('are in the webhooks of each day, in the report of all days, and in the account’s bill', async () => {
    const server = await boot();
    const receiver = await startReceiver();
    const one = shopper(server);
    const reporting_webhook = { url: `${receiver.url}/reports`, reporting_frequency: 'daily' };
    const packages = [
      packageRequest(),
      packageRequest({ product_id: 'northlight_native_stories', pricing_option_id: 'cpc_fixed', budget: 300 }),
    ];
    const { media_buy_id: id } = await one.create({ packages, reporting_webhook });
    await pass(server, 9 * DAY, DAY);
    const reports = receiver.posts.map(
      ({ json }) =>
        (json.result as { media_buy_deliveries: { totals: WireMetrics }[] }).media_buy_deliveries[0]?.totals,
    );
    expect(reports.length).toBeGreaterThanOrEqual(8);
    const reported = sum(reports.flatMap((totals) => totals ?? []));
    const end_date = `2030-01-${String(reports.length + 1).padStart(2, '0')}`;
    const { totals } = await one.delivered(id, { end_date });
    expect(reported).toEqual(numbers(totals));
    const bill = succeeded(
      await one.call('get_account_financials', {
        account: ACCOUNT,
        period: { start: '2030-01-01', end: `2030-01-${String(reports.length).padStart(2, '0')}` },
      }),
    );
    expect(cents((bill.spend as { total_spend: number }).total_spend)).toBe(reported.cents);
  });

  test('are in every breakdown that is asked for, each adding up to its package', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id, packages } = await one.create({
      packages: [
        packageRequest({ targeting_overlay: { geo_countries: ['US', 'GB'], device_type: ['mobile', 'desktop'] } }),
      ],
    });
    await one.sync({ banner: packageIds({ packages }), other: packageIds({ packages }) });
    server.clock.advance(9 * DAY);
    const answer = succeeded(
      await one.call('get_media_buy_delivery', {
        media_buy_ids: [id],
        reporting_dimensions: {
          geo: { geo_level: 'country' },
          device_type: { sort_by: 'impressions', limit: 1 },
          device_platform: {},
          audience: {},
          placement: {},
        },
      }),
    );
    const [delivery] = answer.media_buy_deliveries;
    const [line] = (delivery?.by_package ?? []) as unknown as Row[];
    const rows = (name: string) => line?.[name] as Row[];
    expect(line).toMatchObject({ by_audience: [], by_audience_truncated: false });
    expect(line).not.toHaveProperty('by_placement');
    for (const name of ['by_geo', 'by_device_platform', 'by_creative'])
      expect(sum(rows(name))).toEqual(line && numbers(line));
    expect(rows('by_geo').map(({ geo_level, geo_code }) => [geo_level, geo_code])).toEqual([
      ['country', 'US'],
      ['country', 'GB'],
    ]);
    expect(rows('by_device_type').map(({ device_type }) => device_type)).toEqual(['mobile']);
    expect(line).toMatchObject({ by_geo_truncated: false, by_device_type_truncated: true });
    expect(rows('by_creative').reduce((all, row) => all + Number(row.weight), 0)).toBeCloseTo(100, 1);
    expect(rows('by_creative')[0]).not.toHaveProperty('views');
    if (!hasSchemas('3.1')) return;
    expect(schemaJudge('3.1')('media-buy/get-media-buy-delivery-response', answer)).toEqual([]);
  });

  test('are never a sum of unlike money', async () => {
    const server = await boot();
    const one = shopper(server);
    await one.create();
    await one.create({ packages: [packageRequest({ ...EUROS, budget: 500 })] });
    await one.create({ packages: [packageRequest({ ...EUROS, budget: 700 })] });
    server.clock.advance(5 * DAY);
    const mixed = succeeded(await one.call('get_media_buy_delivery')) as unknown as {
      readonly media_buy_deliveries: readonly { readonly totals: WireMetrics; readonly by_package: readonly Row[] }[];
      readonly ext: { readonly seller_agent: { readonly totals_by_currency: readonly Row[] } };
    };
    expect(mixed).not.toHaveProperty('aggregated_totals');
    const totals = mixed.ext.seller_agent.totals_by_currency;
    expect(totals.map(({ currency, media_buy_count }) => [currency, media_buy_count]).toSorted()).toEqual([
      ['EUR', 2],
      ['USD', 1],
    ]);
    for (const total of totals) {
      const own = mixed.media_buy_deliveries.filter(({ by_package }) => by_package[0]?.currency === total.currency);
      expect(sum(own.map((entry) => entry.totals))).toEqual(numbers(total));
    }
    const bill = succeeded(await one.call('get_account_financials', { account: ACCOUNT }));
    const { spend_by_currency } = (bill as unknown as { ext: { seller_agent: { spend_by_currency: readonly Row[] } } })
      .ext.seller_agent;
    expect(Object.fromEntries(spend_by_currency.map(({ currency, total_spend }) => [currency, total_spend]))).toEqual(
      Object.fromEntries(totals.map(({ currency, spend }) => [currency, spend])),
    );
    expect(bill.currency).toBe(spend_by_currency[0]?.currency);
  });

  test('are of all buys where no page is asked for, and of each once where pages are', async () => {
    const server = await boot();
    const one = shopper(server);
    const made = new Set<string>();
    for (let count = 0; count < 60; count += 1) made.add((await one.create()).media_buy_id);
    server.clock.advance(DAY);
    const all = succeeded(await one.call('get_media_buy_delivery'));
    expect(new Set(all.media_buy_deliveries.map((entry) => entry.media_buy_id))).toEqual(made);
    expect(all).not.toHaveProperty('pagination');
    expect(all).toMatchObject({ aggregated_totals: { media_buy_count: 60 } });
    const seen: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = succeeded(
        await one.call('get_media_buy_delivery', {
          pagination: { max_results: 25, ...(cursor === undefined ? {} : { cursor }) },
        }),
      );
      seen.push(...page.media_buy_deliveries.map((entry) => entry.media_buy_id));
      ({ cursor, has_more: more } = page.pagination as { cursor?: string; has_more: boolean });
    }
    expect(seen.length).toBe(60);
    expect(new Set(seen)).toEqual(made);
  });
});

describe('a report', () => {
  test('has reach and frequency where the product declares them', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create({
      packages: [packageRequest({ product_id: 'play_prime_drama', pricing_option_id: 'cpm_fixed', budget: 20_000 })],
    });
    server.clock.advance(7 * DAY);
    const { totals, by_package } = await one.delivered(id);
    const [line] = by_package as unknown as Row[];
    expect(line).toMatchObject({ reach_unit: 'households', reach_window: { kind: 'cumulative' } });
    expect(totals).toMatchObject({ reach: line?.reach, frequency: line?.frequency });
    expect(Number(line?.frequency)).toBeCloseTo(Number(line?.impressions) / Number(line?.reach), 3);
    expect(line).not.toHaveProperty('clicks');
    expect(line).not.toHaveProperty('missing_metrics');
  });

  test('says why a package is behind', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create({
      packages: [
        packageRequest({
          budget: 40_000,
          targeting_overlay: { daypart_targets: [{ days: ['sunday'], start_hour: 2, end_hour: 3 }] },
        }),
      ],
    });
    server.clock.advance(14 * DAY);
    const [line] = (await one.delivered(id)).by_package as unknown as Row[];
    expect(line?.pacing_index).toBeLessThan(0.9);
    expect(line).toMatchObject({ ext: { seller_agent: { pacing_reason: { code: 'dayparts' } } } });
  });
});
