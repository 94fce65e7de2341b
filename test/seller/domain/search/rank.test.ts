import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Inventory, PricingOption, Product } from '../../../../src/seller/domain/product/product.js';
import { buildProductIndex, rankProducts } from '../../../../src/seller/domain/product/search.js';
import { readBudget } from '../../../../src/seller/domain/search/budget.js';
import { explainNothing } from '../../../../src/seller/domain/search/ranking/explain.js';
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
const ask = (brief: string) => rankProducts(index, brief).matches.map((row) => row.item.product_id);
const why = (brief: string, id: string) =>
  rankProducts(index, brief).matches.find((row) => row.item.product_id === id)?.relevance ?? '';

describe('finding', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['connected TV', ['sports_tv', 'familien_tv']],
    ['Streaming television for our brand', ['sports_tv', 'familien_tv']],
    ['video', ['preroll', 'sports_tv', 'familien_tv']],
    ['radio', ['music', 'podcast']],
    ['something like Spotify', ['music']],
    ['podcasts', ['podcast']],
    ['billboards', ['screens']],
    ['out-of-home', ['screens']],
    ['outdoor screens', ['screens']],
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
    expect(ask('CTV for sports')).toEqual(['sports_tv', 'familien_tv']);
    expect(ask('CTV in DE and AT')[0]).toBe('familien_tv');
    expect(ask('display with cpc prices')[0]).toBe('stories');
    expect(ask('podcasts')[0]).toBe('podcast');
  });

  it('a rare word counts more than a common one', () => {
    const named = (id: string, keyword: string) => product(id, id, [], { inventory: { keywords: [keyword] } });
    const shelf = [named('a', 'gardening'), named('b', 'gardening'), named('c', 'chess'), named('d', 'gardening')];
    const found = rankProducts(buildProductIndex(shelf), 'gardening or chess').matches.map(
      (row) => row.item.product_id,
    );
    expect(found).toEqual(['c', 'a', 'b', 'd']);
  });

  it('does not take the pronoun for the country', () => {
    expect(ask('tell us about it')).toHaveLength(catalog.length);
    expect(ask('HELP US SELL THIS NOW')).toHaveLength(catalog.length);
    expect(ask('CTV for IT managers')).toContain('sports_tv');
    expect(ask('CTV in DE, IT')).toEqual(['familien_tv']);
    expect(ask('US, IT')).not.toContain('familien_tv');
  });

  it('leaves out in a place alone what a brief refuses there', () => {
    const products = [
      product('berlin', 'Posters in Berlin', ['dooh'], { inventory: { countries: ['DE'], keywords: ['Berlin'] } }),
      product('lyon', 'Posters in Lyon', ['dooh'], { inventory: { countries: ['FR'], keywords: ['Lyon'] } }),
      product('spain', 'Screens', ['dooh'], { inventory: { countries: ['ES'] } }),
      product('both', 'Screens', ['dooh'], { inventory: { countries: ['ES', 'FR'] } }),
    ];
    const find = (brief: string): readonly string[] =>
      rankProducts(buildProductIndex(products), brief).matches.map(({ item }) => item.product_id);
    expect(find('No posters in Lyon')).toEqual(expect.arrayContaining(['berlin', 'spain', 'both']));
    expect(find('No posters in Lyon')).not.toContain('lyon');
    expect(find('No posters in Spain')).toEqual(expect.arrayContaining(['berlin', 'lyon', 'both']));
    expect(find('No posters in Spain')).not.toContain('spain');
    expect(find('No posters, Lyon')).toEqual([]);
  });

  it('offers what takes banners before what is native alone where a brief wants banners, and the other way round', () => {
    const native = product('cards', 'Lifestyle cards', ['display'], {
      format_ids: [{ agent_url: 'https://a.example', id: 'native_standard' }],
    });
    const banners = product('pages', 'Lifestyle pages', ['display']);
    const index = buildProductIndex([native, banners, ...catalog]);
    const first = (brief: string) => rankProducts(index, brief, [native, banners]).matches[0]?.item.product_id;
    expect(first('Display inventory, lifestyle')).toBe('pages');
    expect(first('native ads, lifestyle')).toBe('cards');
  });

  it('never offers what a brief refuses, whatever it runs on', () => {
    expect(new Set(ask('audio or display, but no podcasts'))).toEqual(new Set(['music', 'ros', 'homepage', 'stories']));
    expect(ask('not only video')).toEqual(['preroll', 'sports_tv', 'familien_tv']);
    expect(new Set(ask('no video'))).toEqual(new Set(['ros', 'homepage', 'stories', 'music', 'podcast', 'screens']));
    expect(ask('no audio, podcasts or video')).toEqual(['ros', 'homepage', 'stories', 'screens']);
    expect(ask('video, nothing with sports')).not.toContain('sports_tv');
  });

  it('offers nothing that is not sold where the brief is, or costs more than it pays', () => {
    expect(ask('CTV in Germany')).toEqual(['familien_tv']);
    expect(ask('CTV in the US')).toEqual(['sports_tv']);
    expect(ask('CTV under $25 CPM')).toEqual(['sports_tv']);
    expect(ask('CTV under $20 CPM')).toEqual([]);
    expect(ask('video priced in euros')).toEqual(['familien_tv']);
    expect(ask('guaranteed video only')).toEqual(['familien_tv']);
  });

  it('explains what found nothing, and names the nearest', () => {
    const ranking = rankProducts(index, 'CTV under $20 CPM');
    expect(
      explainNothing(ranking, { noun: 'product', everything: 'wholesale', nameOf: ({ product_id }) => product_id }),
    ).toBe(
      'Understood: CTV. No product meets all of it: "CTV" keeps out 7 and "under $20 CPM" keeps out 4. The nearest: sports_tv, familien_tv and ros. Relax one of these, or list everything with wholesale.',
    );
  });

  it('offers what is sold to everybody where it knows no word of a brief, and says so', () => {
    const wide = product('wide', 'Everywhere', ['display'], { inventory: { daily_impressions: 4_000_000 } });
    const ranking = rankProducts(buildProductIndex([...catalog, wide]), 'unicorn saddles');
    expect(ranking.matches.map(({ item }) => item.product_id)).toEqual(['wide']);
    expect(ranking.isGuess).toBe(true);
    expect(rankProducts(index, 'unicorn')).toMatchObject({ matches: [], isGuess: false });
    expect(rankProducts(index, 'unicorn').nearest).toHaveLength(3);
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
    const rows = rankProducts(index, 'ctv', [catalog[0] as Product, pruned]).matches;
    expect(rows.map((row) => row.item)).toEqual([pruned]);
    expect(rows[0]?.relevance).toContain('from 99 USD CPM');
    expect(rankProducts(index, 'ctv', []).matches).toEqual([]);
  });
});

describe('the sentence', () => {
  it('names the terms, where they were found, countries and price', () => {
    expect(why('CTV for sports in the US', 'sports_tv')).toBe(
      'Matches CTV, sports and US in the channels, name, keywords and countries; sold in US and CA, auction from 24 USD CPM',
    );
    expect(why('video', 'preroll')).toBe('Matches video (olv) in the channels; sold in US, from 10 USD CPM');
    expect(why('connected tv', 'sports_tv')).toContain('Matches connected tv (ctv)');
  });

  it('shows the price that was asked for', () => {
    const both = product('both', 'Both', ['display'], {
      pricing_options: [price({ fixed_price: 10 }), price({ pricing_model: 'cpc', fixed_price: 0.5 })],
    });
    expect(rankProducts(buildProductIndex([both]), 'clicks').matches[0]?.relevance).toContain('from 0.5 USD CPC');
  });

  it('says so when a brief asks for nothing in particular, and returns everything in catalog order', () => {
    for (const brief of ['', '   ', 'Show all available advertising products', '☃', 'Q2 flight, 50']) {
      const rows = rankProducts(index, brief).matches;
      expect(rows.map((row) => row.item)).toEqual(catalog);
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

  it('gets products, or the nearest where there are none, each once, the same every time', () => {
    fc.assert(
      fc.property(brief, (text) => {
        const ranking = rankProducts(index, text);
        const rows = ranking.matches;
        expect(rows.length + ranking.nearest.length).toBeGreaterThan(0);
        expect(new Set(rows.map((row) => row.item.product_id)).size).toBe(rows.length);
        expect(rankProducts(buildProductIndex(catalog), text)).toEqual(ranking);
        for (const row of rows) expect(row.relevance.length).toBeLessThan(700);
      }),
    );
  });

  it('reads only the beginning of an endless one', () => {
    expect(ask(`${'x '.repeat(2100)} ctv`)).not.toEqual(['sports_tv', 'familien_tv']);
    expect(ask(`${'x'.repeat(4000)} ctv`)).not.toEqual(['sports_tv', 'familien_tv']);
    expect(ask(`${'word '.repeat(201)} ctv`)).not.toEqual(['sports_tv', 'familien_tv']);
    expect(ask(`ctv ${'word '.repeat(5_000_000 / 5)}`)).toEqual(['sports_tv', 'familien_tv']);
  });
});
