import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Inventory, PricingOption, Product } from '../../../../src/seller/domain/product/product.js';
import { buildProductIndex, rankProducts } from '../../../../src/seller/domain/product/search.js';
import { readBudget } from '../../../../src/seller/domain/search/budget.js';
import { stem } from '../../../../src/seller/domain/search/words.js';

function price(extra: Partial<PricingOption>): PricingOption {
  return { pricing_option_id: 'p', pricing_model: 'cpm', currency: 'USD', ...extra };
}

function product(
  product_id: string,
  name: string,
  channels: Product['channels'],
  extra: Omit<Partial<Product>, 'inventory'> & { inventory?: Partial<Inventory> } = {},
): Product {
  return {
    product_id,
    name,
    description: '',
    publisher_properties: [{ publisher_domain: 'northlight.example', selection_type: 'all' }],
    channels,
    format_ids: [{ agent_url: 'https://a.example', id: 'display_300x250' }],
    delivery_type: 'non_guaranteed',
    pricing_options: [price({ fixed_price: 10 })],
    reporting_capabilities: {
      available_reporting_frequencies: ['daily'],
      expected_delay_minutes: 60,
      timezone: 'UTC',
      supports_webhooks: true,
      available_metrics: ['impressions', 'spend'],
      date_range_support: 'date_range',
      windowed_pull_granularities: ['daily'],
    },
    ...extra,
    inventory: { countries: ['US'], keywords: [], daily_impressions: 1000, ...extra.inventory },
  };
}

const catalog: readonly Product[] = [
  product('ros', 'Run of site', ['display'], {
    description: 'Banners on every page.',
    inventory: { keywords: ['reach', 'lifestyle'] },
  }),
  product('homepage', 'Homepage takeover', ['display'], {
    exclusivity: 'exclusive',
    delivery_type: 'guaranteed',
    pricing_options: [price({ pricing_model: 'flat_rate', fixed_price: 18_000 })],
    inventory: { keywords: ['front page'] },
  }),
  product('stories', 'Native stories', ['display'], {
    pricing_options: [price({ pricing_model: 'cpc', fixed_price: 0.8 })],
  }),
  product('preroll', 'News pre-roll', ['olv'], { inventory: { keywords: ['politics'] } }),
  product('sports_tv', 'Live sports', ['ctv'], {
    pricing_options: [price({ floor_price: 24 })],
    inventory: { keywords: ['football'], countries: ['US', 'CA'] },
  }),
  product('familien_tv', 'Familien-TV', ['ctv'], {
    delivery_type: 'guaranteed',
    pricing_options: [price({ currency: 'EUR', fixed_price: 32, min_spend_per_package: 2500 })],
    inventory: { countries: ['DE', 'AT'] },
  }),
  product('music', 'Free music', ['streaming_audio'], { inventory: { countries: ['GB'] } }),
  product('podcast', 'Trail Talk', ['podcast'], { inventory: { keywords: ['outdoor', 'hiking'] } }),
  product('screens', 'City walls', ['dooh'], { inventory: { keywords: ['commuters'], countries: ['US'] } }),
];
const index = buildProductIndex(catalog);
const ask = (brief: string) => rankProducts(index, brief).map((row) => row.product.product_id);
const why = (brief: string, id: string) =>
  rankProducts(index, brief).find((row) => row.product.product_id === id)?.relevance ?? '';

describe('finding', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['connected TV', ['sports_tv', 'familien_tv']],
    ['Streaming television for our brand', ['sports_tv', 'familien_tv', 'music']],
    ['video', ['preroll', 'sports_tv', 'familien_tv']],
    ['radio', ['music', 'podcast']],
    ['something like Spotify', ['music']],
    ['podcasts', ['podcast', 'music']],
    ['billboards', ['screens']],
    ['out-of-home', ['screens']],
    ['outdoor screens', ['screens', 'podcast']],
    ['city walls by the street', ['screens']],
    ['outdoor lifestyle', ['podcast', 'ros']],
    ['banner ads', ['ros', 'stories', 'homepage']],
    ['as many cheap clicks as possible', ['stories']],
    ['exclusive sponsorship', ['homepage']],
    ['commuting', ['screens']],
    ['football fans', ['sports_tv']],
    ['Familien', ['familien_tv']],
    ['reserved', ['familien_tv', 'homepage']],
    ['auction', ['sports_tv']],
    ['Germany', ['familien_tv']],
    ['something in the UK', ['music']],
    ['CANADA', ['sports_tv']],
    ['priced in euros', ['familien_tv']],
  ];
  it.each(cases)('%s', (brief, expected) => {
    expect(new Set(ask(brief))).toEqual(new Set(expected));
  });

  it('puts what matches more first', () => {
    expect(ask('video for sports fans')[0]).toBe('sports_tv');
    expect(ask('video for news readers')[0]).toBe('preroll');
    expect(ask('CTV in Germany')).toEqual(['familien_tv', 'sports_tv']);
    expect(ask('sports on CTV in Germany')[0]).toBe('familien_tv');
    expect(why('sports on CTV in Germany', 'sports_tv')).toContain('not sold in Germany');
    expect(ask('CTV in the US')).toEqual(['sports_tv', 'familien_tv']);
    expect(ask('CTV in DE and AT')[0]).toBe('familien_tv');
    expect(ask('display with cpc prices')[0]).toBe('stories');
    expect(ask('podcasts')[0]).toBe('podcast');
  });

  it('a rare word counts more than a common one', () => {
    const named = (id: string, keyword: string) => product(id, id, [], { inventory: { keywords: [keyword] } });
    const shelf = [named('a', 'gardening'), named('b', 'gardening'), named('c', 'chess'), named('d', 'gardening')];
    const found = rankProducts(buildProductIndex(shelf), 'gardening or chess').map((row) => row.product.product_id);
    expect(found).toEqual(['c', 'a', 'b', 'd']);
  });

  it('does not take the pronoun for the country', () => {
    expect(ask('tell us about it')).toHaveLength(catalog.length);
    expect(ask('HELP US SELL SHOES NOW')).toHaveLength(catalog.length);
    expect(why('CTV for IT managers', 'sports_tv')).not.toContain('not sold');
    expect(why('CTV in DE, IT', 'sports_tv')).toContain('not sold in DE and IT');
    expect(ask('US, IT')).not.toContain('familien_tv');
  });

  it('leaves out last what a brief does not want', () => {
    expect(ask('audio or display, but no podcasts').at(-1)).toBe('podcast');
    expect(ask('audio or display, but no podcasts')).toHaveLength(5);
    expect(ask('not only video')).toEqual(['preroll', 'sports_tv', 'familien_tv']);
    expect(ask('no video').slice(-3).toSorted()).toEqual(['familien_tv', 'preroll', 'sports_tv']);
    expect(why('no video', 'preroll')).toContain('although the brief asks to leave out video');
  });

  it('knows budgets', () => {
    const brief = 'display, $5k';
    expect(ask(brief).at(-1)).toBe('homepage');
    expect(why(brief, 'homepage')).toContain('minimum spend of 18000 USD exceeds the budget');
    expect(why('ctv, budget of 3000 EUR', 'familien_tv')).toContain('minimum spend of 2500 EUR is within the budget');
    expect(why('ctv, budget of 3000 EUR', 'sports_tv')).toContain('not priced in EUR');
  });

  it('searches only among what filters left, and gives it back as it was left', () => {
    const pruned = { ...(catalog[4] as Product), pricing_options: [price({ fixed_price: 99 })] };
    const rows = rankProducts(index, 'ctv', [catalog[0] as Product, pruned]);
    expect(rows.map((row) => row.product)).toEqual([pruned]);
    expect(rows[0]?.relevance).toContain('from 99 USD cpm');
    expect(rankProducts(index, 'ctv', [])).toEqual([]);
  });
});

describe('the sentence', () => {
  it('names the terms, where they were found, countries and price', () => {
    expect(why('CTV for sports in the US', 'sports_tv')).toBe(
      'Matches CTV, sports and US in the channels, name and countries; sold in US and CA, auction from 24 USD cpm',
    );
    expect(why('video', 'preroll')).toBe('Matches video (olv) in the channels; sold in US, from 10 USD cpm');
    expect(why('connected tv', 'sports_tv')).toContain('Matches connected tv (ctv)');
  });

  it('shows the price that was asked for', () => {
    const both = product('both', 'Both', ['display'], {
      pricing_options: [price({ fixed_price: 10 }), price({ pricing_model: 'cpc', fixed_price: 0.5 })],
    });
    expect(rankProducts(buildProductIndex([both]), 'clicks')[0]?.relevance).toContain('from 0.5 USD cpc');
  });

  it('says so when nothing matched, and returns everything in catalog order', () => {
    for (const brief of ['unicorn', '', '   ', 'Show all available advertising products', '☃', 'Q2 flight, 50']) {
      const rows = rankProducts(index, brief);
      expect(rows.map((row) => row.product)).toEqual(catalog);
      for (const row of rows)
        expect(row.relevance).toMatch(/^No term of the brief matched; this is general inventory; sold in /);
    }
  });

  it('repeats nothing of a hostile brief but its words', () => {
    const text = why('ctv <script>alert(1)</script> {"role":"system"} \u0000 sports', 'sports_tv');
    expect(text).not.toMatch(/[<>{}"()]/);
  });
});

describe('money in a brief', () => {
  it.each([
    ['$50k', 50_000, 'USD'],
    ['$50K budget', 50_000, 'USD'],
    ['budget of 25,000 EUR', 25_000, 'EUR'],
    ['25.000 €', 25_000, 'EUR'],
    ['€1.5m', 1_500_000, 'EUR'],
    ['1,5 mio euro', 1_500_000, 'EUR'],
    ['US$ 400K', 400_000, 'USD'],
    ['in 2026 $50K', 50_000, 'USD'],
    ['2026 USD 50,000', 50_000, 'USD'],
    ['between $20k and $40k', 40_000, 'USD'],
    ['£750', 750, 'GBP'],
    ['we will spend 8000', 8000, undefined],
    ['$30 CPM, budget $5,000', 5000, 'USD'],
  ])('%s', (brief, amount, currency) => {
    expect(readBudget(brief)).toEqual({ amount, currency });
  });

  it.each([
    '$30 CPM',
    'adults 25-54',
    '100k impressions',
    '300x250',
    'budget is tight, adults 25-54',
    '30s spots',
    'no money',
  ])('%s: none', (brief) => {
    expect(readBudget(brief)).toBeUndefined();
  });
});

describe('stems', () => {
  it.each([
    ['streaming', 'streams'],
    ['sports', 'sport'],
    ['running', 'run'],
    ['cookies', 'cooky'],
    ['games', 'gaming'],
    ['recipes', 'recipe'],
    ['commuting', 'commute'],
    ['targeted', 'targets'],
  ])('%s = %s', (a, b) => {
    expect(stem(a)).toBe(stem(b));
  });

  it('keeps apart what only looks alike', () => {
    expect(stem('news')).not.toBe(stem('new'));
    expect(stem('business')).toBe('business');
  });
});

describe('any brief', () => {
  const words = fc.constantFrom(
    'ctv',
    'video',
    'US',
    'no',
    'sports',
    '$',
    '50k',
    'out of home',
    '{',
    'é',
    'Germany',
    'budget',
    ',',
    'cpc',
  );
  const brief = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.array(words, { maxLength: 40 }).map((list) => list.join(' ')),
  );

  it('gets at least one product, each once, the same every time', () => {
    fc.assert(
      fc.property(brief, (text) => {
        const rows = rankProducts(index, text);
        expect(rows.length).toBeGreaterThan(0);
        expect(new Set(rows.map((row) => row.product.product_id)).size).toBe(rows.length);
        expect(rankProducts(buildProductIndex(catalog), text)).toEqual(rows);
        for (const row of rows) expect(row.relevance.length).toBeLessThan(700);
      }),
    );
  });

  it('reads only the beginning of an endless one', () => {
    expect(ask(`${'x '.repeat(2100)} ctv`)).toHaveLength(catalog.length);
    expect(ask(`${'x'.repeat(4000)} ctv`)).toHaveLength(catalog.length);
    expect(ask(`${'word '.repeat(201)} ctv`)).toHaveLength(catalog.length);
    expect(ask(`ctv ${'word '.repeat(5_000_000 / 5)}`)).toEqual(['sports_tv', 'familien_tv']);
  });
});
