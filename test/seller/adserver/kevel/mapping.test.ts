import { describe, expect, it } from 'vitest';
import {
  type SampleTerms,
  sampleCreative,
  sampleOrder,
  samplePackage,
} from '../../../../src/seller/adserver/contract/orders.js';
import { kevelModule } from '../../../../src/seller/adserver/kevel/kevel.js';
import { mapAds } from '../../../../src/seller/adserver/kevel/mapping/creative.js';
import { mapFlight } from '../../../../src/seller/adserver/kevel/mapping/flight.js';
import { campaignName, flightName } from '../../../../src/seller/adserver/kevel/mapping/names.js';
import type { ResolvedCreative } from '../../../../src/seller/domain/booking/creatives.js';
import type { LivePackage } from '../../../../src/seller/domain/booking/live-order.js';
import { KEVEL_PRODUCT, kevelSettings, openKevel } from '../../../kit/kevel/adapter.js';

const TERMS: SampleTerms = { nowMs: Date.parse('2026-03-01T12:00:00Z'), currency: 'USD', adapter: KEVEL_PRODUCT };

function mapped(more: Partial<LivePackage>) {
  const line = samplePackage(TERMS, 'pkg_1', more);
  return mapFlight(sampleOrder(TERMS, 'mb_1', { packages: [line] }), line);
}

const cpc = { model: 'cpc', amount: 0.5, kind: 'fixed' } as const;
const bid = { model: 'cpm', amount: 7.25, kind: 'bid' } as const;
const flat = { model: 'flat_rate', amount: 900, kind: 'fixed' } as const;

describe('a package as a flight', () => {
  it.each<[string, Partial<LivePackage>, object]>([
    [
      'impressions at a fixed CPM',
      {},
      { RateType: 2, Price: 5, GoalType: 1, Impressions: 100_000, CapType: 1, LifetimeCapAmount: 100_000 },
    ],
    [
      'clicks, whose count is called Impressions too',
      { price: cpc, goal: { unit: 'clicks', count: 1000 } },
      { RateType: 3, Price: 0.5, GoalType: 3, Impressions: 1000, CapType: 2, LifetimeCapAmount: 1000 },
    ],
    [
      'an auction, whose goal is what the budget pays',
      { price: bid, goal: undefined, budget: 750.9 },
      { RateType: 2, Price: 7.25, GoalType: 8, Impressions: 750, CapType: 4, LifetimeCapAmount: 750 },
    ],
    [
      'a flat rate, which is all that there is',
      { price: flat, goal: undefined, budget: 900 },
      { RateType: 1, Price: 900, GoalType: 2, Impressions: 100, CapType: null, LifetimeCapAmount: null },
    ],
    [
      'a start with another offset, in UTC',
      { start_time: '2026-03-29T02:30:00+02:00' },
      { StartDateISO: '2026-03-29T00:30:00' },
    ],
    ['a start within a second', { start_time: '2026-03-29T00:30:00.999Z' }, { StartDateISO: '2026-03-29T00:30:00' }],
    ['an end', {}, { EndDateISO: '2026-03-12T00:00:00', NoEndDate: false }],
  ])('%s', (_what, more, members) => expect(mapped(more).members).toMatchObject(members));

  it.each([
    [{ max_impressions: 3, per: 'cookies', window: { interval: 7, unit: 'days' } }, [3, 168, 1]],
    [{ max_impressions: 3, per: 'devices', window: { interval: 30, unit: 'days' } }, [3, 30, 2]],
    [{ max_impressions: 1, per: 'individuals', window: { interval: 90, unit: 'minutes' } }, [1, 90, 3]],
    [{ max_impressions: 1, per: 'individuals', window: { interval: 120, unit: 'seconds' } }, [1, 2, 3]],
    [{ max_impressions: 9, per: 'devices', window: { interval: 1, unit: 'campaign' } }, [9, 240 / 24, 2]],
    [{ suppress: { interval: 12, unit: 'hours' } }, [1, 720, 3]],
    [{ suppress_minutes: 4380 }, [1, 4380, 3]],
  ])('the frequency cap %j', (frequency_cap, [FreqCap, duration, type]) => {
    const { members } = mapped({ targeting: { frequency_cap } });
    const minutes = { 1: 60, 2: 1440, 3: 1 }[Number(members.FreqCapType)] ?? 0;
    const wanted = { 1: 60, 2: 1440, 3: 1 }[Number(type)] ?? 0;
    expect(members).toMatchObject({ IsFreqCap: true, FreqCap });
    expect(Number(members.FreqCapDuration) * minutes).toBe(Number(duration) * wanted);
  });

  it('has names within their limits that end in our ids', () => {
    const line = samplePackage(TERMS, 'pkg_1', { name: '🎈'.repeat(400) });
    const order = sampleOrder(TERMS, 'mb_1', { name: 'x'.repeat(400), packages: [line] });
    expect(campaignName(order)).toHaveLength(200);
    expect(campaignName(order)).toMatch(/x \[mb_1\]$/);
    expect([...flightName(order, line)]).toHaveLength(300);
    expect(flightName(order, line)).toMatch(/ \[mb_1 pkg_1\]$/);
  });

  it.each<[string, Partial<LivePackage>, string]>([
    ['a model without a rate', { price: { ...cpc, model: 'cpcv' } }, 'pricing_option_id'],
    ['a goal of views', { goal: { unit: 'completed_views', count: 5 } }, 'impressions'],
    ['a goal of nothing', { goal: { unit: 'impressions', count: 0 } }, 'budget'],
    ['a goal beyond 32 bits', { goal: { unit: 'impressions', count: 3e9 } }, 'budget'],
    ['an auction for less than one', { price: bid, goal: undefined, budget: 0.5 }, 'budget'],
    ['an auction beyond what Kevel takes', { price: bid, goal: undefined, budget: 6e8 }, 'budget'],
    [
      'regions of other countries',
      { targeting: { geo_countries: ['DE'], geo_regions: ['US-CA'] } },
      'targeting_overlay.geo_regions',
    ],
    [
      'a cap of households',
      {
        targeting: { frequency_cap: { max_impressions: 1, per: 'households', window: { interval: 1, unit: 'days' } } },
      },
      'targeting_overlay.frequency_cap.per',
    ],
    [
      'a cap of half a year and more',
      { targeting: { frequency_cap: { max_impressions: 1, per: 'devices', window: { interval: 200, unit: 'days' } } } },
      'targeting_overlay.frequency_cap',
    ],
    [
      'two caps',
      {
        targeting: {
          frequency_cap: {
            ...{ max_impressions: 1, per: 'devices', window: { interval: 1, unit: 'days' } },
            suppress: { interval: 1, unit: 'hours' },
          },
        },
      },
      'targeting_overlay.frequency_cap',
    ],
    ['a creative of another size', { creatives: [ofFormat('display_970x250_image')] }, 'creatives.a'],
    ['a creative of no known kind', { creatives: [{ ...sampleCreative('a', 'pkg_1'), assets: {} }] }, 'creatives.a'],
    [
      'a picture that leads nowhere',
      { creatives: [{ ...sampleCreative('a', 'pkg_1'), click_urls: [] }] },
      'creatives.a',
    ],
    [
      'trackers where clicks are paid',
      { price: cpc, goal: { unit: 'clicks', count: 10 }, creatives: [tracked()] },
      'creatives.a',
    ],
  ])('refuses %s with the field, before anything is sent', async (_what, more, field) => {
    const { adapter, fake, signal, terms } = await openKevel();
    const order = sampleOrder(terms, 'mb_1', { packages: [samplePackage(terms, 'pkg_1', more)] });
    const verdict = await adapter.check?.(order, { booked: undefined, foreign: undefined, signal });
    expect(verdict).toMatchObject({ verdict: 'refused', package_id: 'pkg_1', field, suggestion: expect.any(String) });
    expect(fake.calls).toEqual([]);
  });
});

function ofFormat(id: string, more: Partial<ResolvedCreative> = {}): ResolvedCreative {
  const creative = sampleCreative('a', 'pkg_1');
  return { ...creative, format_id: { ...creative.format_id, id }, ...more };
}

function tracked(): ResolvedCreative {
  return { ...sampleCreative('a', 'pkg_1'), tracker_urls: ['https://count.example/?a=1&b=2'] };
}

describe('a creative as an ad', () => {
  const content = (creative: ResolvedCreative) =>
    mapAds(samplePackage(TERMS, 'pkg_1', { creatives: [creative] }))[0]?.content;

  it('shows a picture that leads to its click URL', () => {
    expect(content(sampleCreative('a', 'pkg_1'))).toEqual({
      ...{ Title: 'Banner a [a]', AdTypeId: 5, IsActive: true, IsHTMLJS: false, Alt: 'Banner a', Body: '' },
      ...{ Url: 'https://brand.example/spring', ImageLink: 'https://cdn.example/a-1.png' },
    });
  });

  it('shows a picture with trackers as HTML, with every character escaped', () => {
    expect(content(tracked())).toMatchObject({
      IsHTMLJS: true,
      ScriptBody: expect.stringContaining('<img src="https://count.example/?a=1&amp;b=2" width="1"'),
    });
  });

  it.each([
    ['display_300x250_html', { html: { asset_type: 'html', content: '<b>ad</b>' } }, '<b>ad</b>'],
    [
      'display_html',
      { html: { asset_type: 'html', url: 'https://a.example/"' } },
      '<iframe src="https://a.example/&quot;"></iframe>',
    ],
    ['display_js', { js: { asset_type: 'javascript', content: 'show()' } }, '<script>show()</script>'],
    [
      'display_js',
      { js: { asset_type: 'javascript', url: 'https://a.example/x.js' } },
      '<script src="https://a.example/x.js"></script>',
    ],
  ])('shows %s', (id, assets, ScriptBody) => {
    const creative = ofFormat(id, { assets });
    const sized = { ...creative, format_id: { ...creative.format_id, width: 728, height: 90 } };
    expect(content(sized)).toMatchObject({ AdTypeId: 4, IsHTMLJS: true, ScriptBody });
  });
});

describe('settings of Kevel', () => {
  it('are declared as what the ad server can do', () => {
    expect(kevelModule.declare(kevelSettings('https://api.kevel.co/'))).toMatchObject({
      ...{ currency: 'USD', time_zone: 'UTC', pacings: ['even'], pricing_models: ['cpm', 'cpc', 'flat_rate'] },
      metrics: ['clicks'],
    });
  });

  it.each([
    [{ network_id: 0 }, 'network_id'],
    [{ api_key: '' }, 'api_key'],
    [{ currency: 'usd' }, 'currency'],
    [{ base_url: 'ftp://x.example' }, 'base_url'],
    [{ advertisers: { 'a.example': 'x' } }, 'advertisers.a.example'],
    [{ netwrk: 1 }, 'netwrk'],
  ])('name each member that cannot be: %j', (more, field) => {
    const settings = { ...kevelSettings('https://api.kevel.co'), ...more };
    expect(() => kevelModule.declare(settings)).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ field, fix: expect.stringMatching(/./) })] }),
    );
  });

  it('judge what a product says', () => {
    const judge = (adapter: Readonly<Record<string, unknown>>) =>
      kevelModule.judgeProduct?.({ product_id: 'p', adapter }).map(({ field }) => field);
    expect(judge(KEVEL_PRODUCT)).toEqual([]);
    expect(judge({ ...KEVEL_PRODUCT, ad_types: {} })).toEqual(['ad_types']);
    expect(judge({ priority_id: 'x', ad_types: { wide: 1 } })).toEqual(['priority_id', 'ad_types.wide']);
    expect(judge({ ...KEVEL_PRODUCT, zones: [] })).toEqual(['zones']);
  });
});
