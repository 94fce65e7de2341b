import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BreakdownRequest, breakDown, hasBreakdown } from '../../../../src/seller/domain/delivery/breakdown.js';
import { simulateDelivery } from '../../../../src/seller/domain/delivery/delivery.js';
import { deliveryLine } from '../../../../src/seller/domain/delivery/line.js';
import type { Metrics } from '../../../../src/seller/domain/delivery/metrics.js';
import { changeMediaBuy } from '../../../../src/seller/domain/media-buy/change/change.js';
import type { MediaBuy, Package } from '../../../../src/seller/domain/media-buy/media-buy.js';
import { settleBuy } from '../../../../src/seller/domain/media-buy/settlement.js';
import { boughtAt, contextAt, NOW, packageOf, price, product } from '../order-context.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = NOW + 30 * DAY;
const REPORTING = {
  available_reporting_frequencies: ['daily'] as const,
  expected_delay_minutes: 60,
  timezone: 'UTC',
  supports_webhooks: false,
  available_metrics: ['impressions', 'spend'],
  date_range_support: 'date_range' as const,
  windowed_pull_granularities: ['daily'] as const,
  supports_creative_breakdown: true,
  supports_geo_breakdown: { country: true, region: true },
  supports_device_type_breakdown: true,
  supports_device_platform_breakdown: true,
  supports_audience_breakdown: true,
  supports_placement_breakdown: true,
};
const SOLD = product('banner', [price('fixed', { fixed_price: 5 })], {
  reporting_capabilities: REPORTING,
  placements: [
    { placement_id: 'top', name: 'Top of the page', kind: 'seller_inline' },
    { placement_id: 'side', name: 'Beside the text', kind: 'seller_inline' },
    { placement_id: 'foot', name: 'Foot of the page', kind: 'seller_inline' },
  ],
  inventory: {
    countries: ['US', 'CA'],
    keywords: [],
    daily_impressions: 1_000_000,
    viewable_rate: 0.6,
    targeting: {
      geo_countries: { US: 0.8, CA: 0.2 },
      geo_regions: { 'US-CA': 0.5, 'US-NY': 0.3, 'CA-ON': 0.2 },
      device_type: true,
      device_platform: true,
      audience: true,
    },
  },
});
const context = (ms = NOW) => contextAt(ms, { products: new Map([['banner', SOLD]]) });

function bought(overlay: Record<string, unknown>): MediaBuy {
  return boughtAt(NOW, { packages: [packageOf({ budget: 4321, targeting_overlay: overlay })] }, context());
}

function lineOf({ packages: [line] }: MediaBuy): Package {
  if (line === undefined) throw new Error('no package');
  return line;
}

const numbers = ({ impressions, spend, clicks, viewability }: Metrics) => [
  impressions,
  Math.round(spend * 100),
  clicks,
  viewability?.viewable_impressions ?? 0,
];
const added = (rows: readonly { readonly metrics: Metrics }[]) =>
  rows
    .map(({ metrics }) => numbers(metrics))
    .reduce((sum, row) => sum.map((one, at) => one + (row[at] ?? 0)), [0, 0, 0, 0]);
const whole = (line: Package, from: number, to: number) => numbers(simulateDelivery(deliveryLine(line), from, to));

const REQUESTS: readonly BreakdownRequest[] = [
  { dimension: 'geo', geo_level: 'country' },
  { dimension: 'geo', geo_level: 'region' },
  { dimension: 'device_type' },
  { dimension: 'device_platform' },
  { dimension: 'audience' },
  { dimension: 'placement' },
];
const OVERLAYS: readonly Record<string, unknown>[] = [
  { audience_include: ['a', 'b'] },
  { geo_countries: ['US'], audience_include: ['a'] },
  { geo_regions: ['US-NY', 'CA-ON'], device_type: ['mobile'], audience_include: ['a'] },
  { geo_countries_exclude: ['CA'], device_platform: ['ios', 'windows'], audience_include: ['a', 'b', 'c'] },
];

describe('a breakdown', () => {
  it('adds up to its package in every dimension and window, and adjacent windows add up', () => {
    const hours = fc.nat(31 * 24).map((hour) => NOW + hour * HOUR);
    fc.assert(
      fc.property(
        fc.constantFrom(...REQUESTS),
        fc.constantFrom(...OVERLAYS),
        hours,
        hours,
        hours,
        (request, overlay, ...times) => {
          const line = lineOf(bought(overlay));
          const [a = 0, b = 0, c = 0] = times.toSorted((one, other) => one - other);
          const rows = (from: number, to: number) =>
            breakDown(line, request, { fromMs: from, toMs: to }, undefined) ?? [];
          expect(added(rows(a, c))).toEqual(whole(line, a, c));
          for (const { head, metrics } of rows(a, c)) {
            const own = [...rows(a, b), ...rows(b, c)].filter(
              (row) => JSON.stringify(row.head) === JSON.stringify(head),
            );
            expect(added(own)).toEqual(numbers(metrics));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('has the parts of the supply that the targeting leaves, and nothing else', () => {
    const line = lineOf(bought({ geo_countries: ['US'], device_type: ['mobile', 'desktop'] }));
    const shares = (request: BreakdownRequest) => {
      const rows = breakDown(line, request, { fromMs: NOW, toMs: END }, undefined) ?? [];
      const all = rows.reduce((sum, { metrics }) => sum + metrics.impressions, 0);
      return rows.map(({ head, metrics }) => [
        Object.values(head).at(-1),
        Math.round((metrics.impressions / all) * 1000) / 1000,
      ]);
    };
    expect(shares({ dimension: 'geo', geo_level: 'country' })).toEqual([['US', 1]]);
    expect(shares({ dimension: 'geo', geo_level: 'region' })).toEqual([
      ['US-CA', 0.625],
      ['US-NY', 0.375],
    ]);
    expect(shares({ dimension: 'device_type' })).toEqual([
      ['mobile', 0.638],
      ['desktop', 0.362],
    ]);
  });

  it('knows what was targeted before a change', () => {
    const before = bought({ geo_countries: ['US'] });
    const later = context(NOW + 10 * DAY);
    const settled = settleBuy(before, new Map(), later.now).buy;
    const { package_id } = lineOf(settled);
    const change = { packages: [{ package_id, targeting_overlay: { geo_countries: ['CA'] } }], callbacks: {} };
    const after = lineOf(changeMediaBuy(settled, change, later).buy);
    const rows = (from: number, to: number) =>
      breakDown(after, { dimension: 'geo', geo_level: 'country' }, { fromMs: from, toMs: to }, undefined)?.map(
        ({ head }) => head.geo_code,
      );
    expect(rows(NOW, NOW + 10 * DAY)).toEqual(['US']);
    expect(rows(NOW + 10 * DAY, END)).toEqual(['CA']);
    expect(rows(NOW, END)).toEqual(['US', 'CA']);
  });

  it('has no row where no audience is targeted, and is left out where it was not sold', () => {
    const untargeted = lineOf(bought({}));
    expect(breakDown(untargeted, { dimension: 'audience' }, { fromMs: NOW, toMs: END }, undefined)).toEqual([]);
    expect(hasBreakdown(untargeted, { dimension: 'geo', geo_level: 'metro' })).toBe(false);
    const { reporting: _reporting, ...sold } = untargeted.sold;
    for (const request of [...REQUESTS, { dimension: 'creative' } as const])
      expect(hasBreakdown({ ...untargeted, sold }, request)).toBe(false);
  });
});
