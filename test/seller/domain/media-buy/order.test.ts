import { describe, expect, it } from 'vitest';
import { type Order, openMediaBuy, type PackageRequest } from '../../../../src/seller/domain/media-buy/order.js';
import { MAX_BUDGET } from '../../../../src/seller/domain/media-buy/pricing.js';
import {
  ACCOUNT,
  contextAt,
  fromNow,
  NOW,
  OWNER,
  orderOf,
  packageOf,
  type Refusal,
  refusalOf,
} from '../order-context.js';

const DAY = 86_400_000;
const open = (extra: Partial<Order>, context = contextAt(NOW)) => openMediaBuy(orderOf(extra), ACCOUNT, context);
const buyPackages = (...packages: PackageRequest[]) => open({ packages });

describe('what an order is refused for', () => {
  const PACKAGES: readonly (readonly [why: string, request: Partial<PackageRequest>, refusal: Refusal])[] = [
    ['an unknown product', { product_id: 'nope' }, ['PRODUCT_NOT_FOUND', 'packages[0].product_id']],
    ['a product off sale', { product_id: 'gone' }, ['PRODUCT_EXPIRED', 'packages[0].product_id']],
    ['another product’s price', { pricing_option_id: 'flat' }, ['VALIDATION_ERROR', 'packages[0].pricing_option_id']],
    ['no budget', { budget: 0 }, ['BUDGET_TOO_LOW', 'packages[0].budget']],
    ['no budget, no minimum', { pricing_option_id: 'free', budget: 0 }, ['BUDGET_TOO_LOW', 'packages[0].budget']],
    ['a budget below the minimum', { budget: 99.99 }, ['BUDGET_TOO_LOW', 'packages[0].budget']],
    [
      'less than a flat rate',
      { product_id: 'takeover', pricing_option_id: 'flat', budget: 999.99 },
      ['BUDGET_TOO_LOW', 'packages[0].budget'],
    ],
    ['an absurd budget', { budget: MAX_BUDGET + 1 }, ['BUDGET_EXCEEDED', 'packages[0].budget']],
    [
      'a bid below the floor',
      { pricing_option_id: 'auction', bid_price: 1.99 },
      ['VALIDATION_ERROR', 'packages[0].bid_price'],
    ],
    [
      'a format it does not take',
      { format_ids: [{ agent_url: OWNER, id: 'video_30s' }] },
      ['FORMAT_NOT_SUPPORTED', 'packages[0].format_ids[0]'],
    ],
    [
      'a second format it does not take',
      {
        format_ids: [
          { agent_url: OWNER, id: 'display_300x250_image' },
          { agent_url: OWNER, id: 'video_30s' },
        ],
      },
      ['FORMAT_NOT_SUPPORTED', 'packages[0].format_ids[1]'],
    ],
    [
      'targeting not offered',
      { targeting_overlay: { geo_metros: [] } },
      ['UNSUPPORTED_FEATURE', 'packages[0].targeting_overlay.geo_metros'],
    ],
    [
      'a country it does not reach',
      { targeting_overlay: { geo_countries: ['DE'] } },
      ['VALIDATION_ERROR', 'packages[0].targeting_overlay.geo_countries'],
    ],
    [
      'terms nobody can keep',
      { measurement_terms: { billing_measurement: { max_variance_percent: 1 } } },
      ['TERMS_REJECTED', 'packages[0].measurement_terms.billing_measurement.max_variance_percent'],
    ],
    ['a start before the buy’s', { start_time: fromNow(-1000) }, ['INVALID_REQUEST', 'packages[0].start_time']],
    ['an end after the buy’s', { end_time: fromNow(31 * DAY) }, ['INVALID_REQUEST', 'packages[0].end_time']],
    [
      'an end before its start',
      { start_time: fromNow(5 * DAY), end_time: fromNow(4 * DAY) },
      ['INVALID_REQUEST', 'packages[0].end_time'],
    ],
    ['a naive start', { start_time: '2030-06-05T00:00:00' }, ['INVALID_REQUEST', 'packages[0].start_time']],
    ['a naive end', { end_time: '2030-06-05T00:00:00' }, ['INVALID_REQUEST', 'packages[0].end_time']],
  ];

  it.each(PACKAGES)('a package with %s', (_why, request, refusal) => {
    expect(refusalOf(() => buyPackages(packageOf(request)))).toEqual(refusal);
  });

  it.each(PACKAGES)('and names the package that stands second: %s', (_why, request, [code, field]) => {
    const good = packageOf({ budget: 777 });
    expect(refusalOf(() => buyPackages(good, packageOf(request)))).toEqual([
      code,
      field?.replace('packages[0]', 'packages[1]'),
    ]);
  });

  it('two currencies, at the first package that differs', () => {
    const euro = packageOf({ pricing_option_id: 'euro' });
    expect(refusalOf(() => buyPackages(packageOf(), packageOf({ budget: 500 }), euro))).toEqual([
      'INVALID_REQUEST',
      'packages[2].pricing_option_id',
    ]);
  });
});

describe('what an order is not refused for', () => {
  it.each<readonly [string, PackageRequest]>([
    ['exactly the minimum', packageOf({ budget: 100 })],
    ['a cent where there is no minimum', packageOf({ pricing_option_id: 'free', budget: 0.01 })],
    ['exactly a flat rate', packageOf({ product_id: 'takeover', pricing_option_id: 'flat', budget: 1000 })],
    ['the largest budget', packageOf({ budget: MAX_BUDGET })],
    ['a bid at the floor', packageOf({ pricing_option_id: 'auction', bid_price: 2 })],
    ['a bid on a fixed price', packageOf({ bid_price: 0.01 })],
    ['a product in its last millisecond', packageOf({ product_id: 'last_call' })],
    [
      'targeting it does offer',
      packageOf({ targeting_overlay: { geo_countries: ['US', 'DE'], device_type: ['mobile'] } }),
    ],
    ['members nobody knows', packageOf({ whatever: { deep: [1] } })],
  ])('%s', (_what, request) => {
    expect(buyPackages(request).packages).toHaveLength(1);
  });

  it('the same product twice with different budgets', () => {
    expect(buyPackages(packageOf(), packageOf({ budget: 1001 })).packages).toHaveLength(2);
  });
});

describe('what an order becomes', () => {
  it('is a buy at revision 1, in the currency and flight of its order', () => {
    const buy = open({
      start_time: fromNow(DAY),
      end_time: fromNow(3 * DAY),
      packages: [packageOf({ pricing_option_id: 'euro' })],
      echoed: { po_number: 'PO-1' },
      callbacks: { push_notification_config: { url: 'https://buyer.example/' } },
    });
    expect(buy).toMatchObject({
      revision: 1,
      status: 'pending_creatives',
      held: false,
      currency: 'EUR',
      account_id: ACCOUNT.account_id,
      sandbox: true,
      start_time: fromNow(DAY),
      end_time: fromNow(3 * DAY),
      confirmed_at: undefined,
      created_at: fromNow(0),
      updated_at: fromNow(0),
      echoed: { po_number: 'PO-1' },
      callbacks: { push_notification_config: { url: 'https://buyer.example/' } },
    });
  });

  it('has its budgets in whole units, without what binary arithmetic left on them', () => {
    const budgets = (extra: Partial<Order>) => open(extra).packages.map(({ budget }) => budget);
    const packages = [packageOf({ budget: 100.1 + 0.2 }), packageOf({ budget: 200.00000000000003 })];
    expect(packages.map(({ budget }) => budget)).not.toEqual([100.3, 200]);
    expect(budgets({ packages })).toEqual([100.3, 200]);
  });

  it('keeps a package’s terms, dates and the fields it echoes, and nothing it does not know', () => {
    const [line] = buyPackages(
      packageOf({
        pricing_option_id: 'auction',
        bid_price: 3,
        pacing: 'asap',
        impressions: 100,
        start_time: fromNow(DAY),
        context: { mine: 1 },
        ext: { x: 1 },
        unknown: 'thrown away',
        format_ids: [{ agent_url: OWNER, id: 'display_728x90_image' }],
      }),
    ).packages;
    expect(line).toMatchObject({
      product_id: 'banner',
      pricing_option_id: 'auction',
      budget: 1000,
      bid_price: 3,
      pacing: 'asap',
      impressions: 100,
      start_time: fromNow(DAY),
      end_time: '2030-07-01T12:00:00Z',
      paused: false,
      canceled: false,
      format_ids: [{ agent_url: OWNER, id: 'display_728x90_image' }],
      echoed: { context: { mine: 1 }, ext: { x: 1 } },
      segments: [],
    });
    expect(line).not.toHaveProperty('unknown');
  });

  it('keeps the price it was sold at, whatever the catalog says later', () => {
    const [line] = buyPackages(packageOf()).packages;
    expect(line?.sold).toMatchObject({ option: { fixed_price: 5 }, delivery_type: 'non_guaranteed' });
  });

  it.each([
    ['required', 'banner', true],
    ['none', 'banner', false],
    ['required', 'needs_none', false],
  ] as const)('where creatives are %s, a package of %s needs one: %s', (creativeRequirement, product_id, needs) => {
    const { packages } = open({ packages: [packageOf({ product_id })] }, contextAt(NOW, { creativeRequirement }));
    expect(packages[0]?.needs_creative).toBe(needs);
  });

  it('gives every package an id of its own', () => {
    const ids = buyPackages(packageOf(), packageOf({ budget: 200 }), packageOf({ budget: 300 })).packages.map(
      (line) => line.package_id,
    );
    expect(new Set(ids).size).toBe(3);
  });
});
