import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastSpend } from '../../../../src/seller/domain/media-buy/pricing.js';
import {
  explainNoProducts,
  filterProducts,
  type ProductFilters,
} from '../../../../src/seller/domain/product/filters.js';
import type { Inventory, PricingOption, Product } from '../../../../src/seller/domain/product/product.js';

const AGENT = 'https://seller.example/creative/mcp';

function price(pricing_option_id: string, extra: Partial<PricingOption>): PricingOption {
  return { pricing_option_id, pricing_model: 'cpm', currency: 'USD', ...extra };
}

function product(
  product_id: string,
  extra: Omit<Partial<Product>, 'inventory'> & { inventory?: Partial<Inventory> },
): Product {
  return {
    product_id,
    name: product_id,
    description: product_id,
    publisher_properties: [{ publisher_domain: 'news.example', selection_type: 'all' }],
    channels: ['display'],
    format_ids: [{ agent_url: AGENT, id: 'display_300x250_image' }],
    delivery_type: 'guaranteed',
    pricing_options: [price('cpm', { fixed_price: 10 })],
    reporting_capabilities: {
      available_reporting_frequencies: ['daily'],
      expected_delay_minutes: 60,
      timezone: 'UTC',
      supports_webhooks: true,
      available_metrics: ['impressions', 'spend', 'clicks'],
      date_range_support: 'date_range',
      windowed_pull_granularities: ['daily'],
    },
    ...extra,
    inventory: { countries: ['US'], keywords: [], daily_impressions: 10_000, ...extra.inventory },
  };
}

const display = product('display', {});
const ctv = product('ctv', {
  channels: ['ctv', 'olv'],
  delivery_type: 'non_guaranteed',
  exclusivity: 'category',
  expires_at: '2027-03-15T00:00:00Z',
  format_ids: [
    { agent_url: AGENT, id: 'video_30s' },
    { agent_url: 'https://custom.example', id: 'takeover' },
  ],
  pricing_options: [
    price('fixed_eur', { currency: 'EUR', fixed_price: 20, min_spend_per_package: 5000 }),
    price('auction_usd', { floor_price: 8, min_spend_per_package: 1000 }),
  ],
  inventory: { countries: ['GB', 'DE'], daily_impressions: 1000 },
  reporting_capabilities: {
    ...display.reporting_capabilities,
    available_metrics: ['impressions', 'spend', 'completed_views'],
  },
});
const takeover = product('takeover', {
  exclusivity: 'exclusive',
  pricing_options: [price('flat', { pricing_model: 'flat_rate', currency: 'GBP', fixed_price: 30_000 })],
  inventory: { countries: ['GB'], daily_impressions: 50_000, targeting: { geo_countries: true } },
});
const catalog = [display, ctv, takeover];

const passedIds = (filters: ProductFilters) => filterProducts(catalog, filters).passed.map((each) => each.product_id);

describe('each filter keeps what it should', () => {
  const cases: readonly (readonly [ProductFilters, readonly string[]])[] = [
    [{}, ['display', 'ctv', 'takeover']],
    [{ delivery_type: 'guaranteed' }, ['display', 'takeover']],
    [{ exclusivity: 'none' }, ['display']],
    [{ exclusivity: 'exclusive' }, ['takeover']],
    [{ is_fixed_price: true }, ['display', 'ctv', 'takeover']],
    [{ is_fixed_price: false }, ['ctv']],
    [{ pricing_currencies: ['USD'] }, ['display', 'ctv']],
    [{ pricing_currencies: ['JPY'] }, []],
    [{ format_ids: [{ agent_url: 'https://your-platform.example.com', id: 'video_30s' }] }, ['ctv']],
    [{ format_ids: [{ agent_url: 'https://CUSTOM.example:443/', id: 'takeover' }] }, ['ctv']],
    [{ format_ids: [{ agent_url: 'https://other.example/', id: 'takeover' }] }, []],
    [{ standard_formats_only: true }, ['display', 'takeover']],
    [{ standard_formats_only: false }, ['display', 'ctv', 'takeover']],
    [{ min_exposures: 30_000 }, ['display', 'ctv', 'takeover']],
    [{ min_exposures: 30_001 }, ['display', 'takeover']],
    [{ min_exposures: 20_001, start_date: '2027-03-01', end_date: '2027-03-02' }, ['takeover']],
    [{ min_exposures: 20_000, start_date: '2027-03-01', end_date: '2027-03-02' }, ['display', 'takeover']],
    [{ start_date: '2027-03-14' }, ['display', 'ctv', 'takeover']],
    [{ start_date: '2027-03-15' }, ['display', 'takeover']],
    [{ start_date: '2027-03-05', end_date: '2027-03-04' }, []],
    [{ end_date: '2027-03-04' }, ['display', 'ctv', 'takeover']],
    [{ budget_range: { currency: 'USD', max: 999 } }, ['display']],
    [{ budget_range: { currency: 'USD', max: 1000 } }, ['display', 'ctv']],
    [{ budget_range: { currency: 'GBP', max: 29_999 } }, []],
    [{ budget_range: { currency: 'GBP', min: 30_000 } }, ['takeover']],
    [{ countries: ['DE', 'FR'] }, ['ctv']],
    [{ regions: ['GB-SCT', 'FR-75'] }, ['ctv', 'takeover']],
    [{ channels: ['olv', 'dooh'] }, ['ctv']],
    [{ required_metrics: ['impressions', 'completed_views'] }, ['ctv']],
    [{ required_features: { catalog_management: false } }, ['display', 'ctv', 'takeover']],
    [{ required_features: { catalog_management: true } }, []],
    [{ required_geo_targeting: [{ level: 'country' }] }, ['display', 'ctv', 'takeover']],
    [{ required_geo_targeting: [{ level: 'country' }, { level: 'region' }] }, ['display', 'ctv']],
    [{ required_geo_targeting: [{ level: 'metro', system: 'nielsen_dma' }] }, []],
    [{ required_geo_targeting: [{ level: 'postal_area' }] }, []],
    [{ metros: [{ system: 'nielsen_dma', code: '501' }] }, []],
    [{ required_vendor_metrics: [{ metric_id: 'attention' }] }, []],
    [{ channels: [] }, ['display', 'ctv', 'takeover']],
    [
      { ext: { acme: 1 }, toString: 'x', __proto__: { channels: ['olv'] } } as ProductFilters,
      ['display', 'ctv', 'takeover'],
    ],
  ];
  it.each(cases)('%j keeps %j', (filters, expected) => {
    expect(passedIds(filters)).toEqual(expected);
  });

  it('asks the seller about features', () => {
    const features = new Set(['catalog_management']);
    const count = (filters: ProductFilters) => filterProducts(catalog, filters, features).passed.length;
    expect(count({ required_features: { catalog_management: true, property_list_filtering: false } })).toBe(3);
    expect(count({ required_features: { property_list_filtering: true } })).toBe(0);
  });
});

describe('prices', () => {
  const options = (filters: ProductFilters) =>
    filterProducts([ctv], filters).passed.flatMap((each) =>
      each.pricing_options.map((option) => option.pricing_option_id),
    );

  it('leave the answer when a price filter refuses them', () => {
    expect(options({ is_fixed_price: false })).toEqual(['auction_usd']);
    expect(options({ pricing_currencies: ['EUR'] })).toEqual(['fixed_eur']);
    expect(options({ budget_range: { currency: 'USD', max: 2000 } })).toEqual(['fixed_eur', 'auction_usd']);
    expect(ctv.pricing_options).toHaveLength(2);
  });

  it('must meet all price filters at once', () => {
    expect(options({ is_fixed_price: true, pricing_currencies: ['USD'] })).toEqual([]);
    expect(options({ is_fixed_price: true, budget_range: { currency: 'EUR', max: 4000 } })).toEqual([]);
    expect(options({ is_fixed_price: true, budget_range: { currency: 'EUR', max: 5000 } })).toEqual(['fixed_eur']);
  });

  it('cost at least the minimum spend, and a flat rate as a whole', () => {
    expect(leastSpend(price('a', { fixed_price: 10 }))).toBe(0);
    expect(leastSpend(price('a', { fixed_price: 10, min_spend_per_package: 500 }))).toBe(500);
    expect(leastSpend(price('a', { pricing_model: 'flat_rate', fixed_price: 9000, min_spend_per_package: 500 }))).toBe(
      9000,
    );
  });
});

describe('diagnostics', () => {
  it('count what one filter alone keeps out', () => {
    const { passed: left, diagnostics } = filterProducts(catalog, {
      channels: ['ctv'],
      required_metrics: ['clicks', 'impressions'],
    });
    expect(left).toEqual([]);
    expect(diagnostics).toEqual({
      semantics: 'only',
      total_candidates: 3,
      excluded_by: {
        channels: { count: 2, values: ['ctv'] },
        required_metrics: { count: 1, values: ['clicks'] },
      },
    });
    const text = explainNoProducts(diagnostics);
    expect(text).toContain('channels (ctv) alone keeps out 2 and required_metrics (clicks) alone keeps out 1');
    expect(text).toContain('Relax channels first');
  });

  it('count by any where no filter alone is to blame', () => {
    const { diagnostics } = filterProducts([display], { channels: ['ctv'], countries: ['FR'] });
    expect(diagnostics.semantics).toBe('any');
    expect(diagnostics.excluded_by).toEqual({
      channels: { count: 1, values: ['ctv'] },
      countries: { count: 1, values: ['FR'] },
    });
    const text = explainNoProducts(diagnostics);
    expect(text).toContain('Relax them together');
    expect(text).toContain('countries');
  });

  it('blame both price filters that no single price meets', () => {
    const { diagnostics } = filterProducts([ctv], { is_fixed_price: true, pricing_currencies: ['USD'] });
    expect(diagnostics.excluded_by).toEqual({
      is_fixed_price: { count: 1 },
      pricing_currencies: { count: 1, values: ['USD'] },
    });
  });

  it('name nothing when nothing was excluded', () => {
    const { diagnostics } = filterProducts(catalog, { is_fixed_price: true });
    expect(diagnostics).toEqual({ semantics: 'only', total_candidates: 3, excluded_by: {} });
    expect(explainNoProducts(diagnostics)).toContain('3 products');
    expect(explainNoProducts(filterProducts([], { channels: ['ctv'] }).diagnostics)).toBe(
      'There was no product to filter.',
    );
  });
});

describe('any combination of filters', () => {
  const filters = fc.record(
    {
      delivery_type: fc.constantFrom('guaranteed', 'non_guaranteed'),
      is_fixed_price: fc.boolean(),
      pricing_currencies: fc.subarray(['USD', 'EUR', 'GBP'], { minLength: 1 }),
      channels: fc.subarray(['display', 'ctv', 'dooh'], { minLength: 1 }),
      countries: fc.subarray(['US', 'GB', 'FR'], { minLength: 1 }),
      min_exposures: fc.integer({ min: 1, max: 2_000_000 }),
      budget_range: fc.record({ currency: fc.constantFrom('USD', 'GBP'), max: fc.integer({ min: 0, max: 50_000 }) }),
    },
    { requiredKeys: [] },
  );

  it('adding filters never adds a product, and an "only" count is what dropping that filter brings back', () => {
    fc.assert(
      fc.property(filters, (given) => {
        const { passed: left, diagnostics } = filterProducts(catalog, given);
        for (const name of Object.keys(given) as (keyof typeof given)[]) {
          const { [name]: _dropped, ...fewer } = given;
          const gain = filterProducts(catalog, fewer).passed.length - left.length;
          expect(gain).toBeGreaterThanOrEqual(0);
          if (diagnostics.semantics === 'only') expect(diagnostics.excluded_by[name]?.count ?? 0).toBe(gain);
        }
        if (left.length === 0) expect(explainNoProducts(diagnostics)).toMatch(/keeps out \d/);
      }),
    );
  });
});
