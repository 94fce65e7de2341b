import { afterEach, describe, expect, it } from 'vitest';
import {
  changeOrder,
  sampleCreative,
  sampleOrder,
  samplePackage,
} from '../../../../src/seller/adserver/contract/orders.js';
import { OrderRefusedError, RetryLaterError } from '../../../../src/seller/adserver/errors.js';
import { describeDrift, findDrift } from '../../../../src/seller/domain/booking/drift.js';
import { KEVEL_PRODUCT, openKevel } from '../../../kit/kevel/adapter.js';
import type { FakeKevel } from '../../../kit/kevel/fake.js';

const fakes: FakeKevel[] = [];

async function openStrict(more: Readonly<Record<string, unknown>> = {}) {
  const opened = await openKevel(more);
  fakes.push(opened.fake);
  return opened;
}

afterEach(() => {
  for (const { violations } of fakes.splice(0)) expect(violations, 'answers that Kevel would not give').toEqual([]);
});

function flightOf(fake: FakeKevel, packageId: string): Readonly<Record<string, unknown>> {
  const found = [...fake.flights.values()].find(({ Name }) => String(Name).endsWith(` ${packageId}]`));
  return found ?? expect.fail(`no flight of ${packageId}`);
}

const writes = (fake: FakeKevel) => fake.calls.filter((call) => /^(POST|PUT)/.test(call) && !call.includes('search'));

describe('booking on Kevel', () => {
  it('makes advertiser, campaign, flights and ads, and lets them run at last', async () => {
    const { book, fake, foreign, terms } = await openStrict();
    await book(sampleOrder(terms, 'mb_1'));
    expect(fake.refusals).toEqual([]);
    expect([...fake.advertisers.values()]).toEqual([
      expect.objectContaining({ Title: 'brand.example', ExternalId: 'brand.example', IsActive: true }),
    ]);
    const [campaign] = fake.campaigns.values();
    expect(campaign).toMatchObject({ Name: 'brand.example, PO 7 [mb_1]', IsActive: true, IsArchived: false });
    expect(flightOf(fake, 'pkg_1')).toMatchObject({
      ...{ Name: 'Run of site [mb_1 pkg_1]', CampaignId: campaign?.Id, PriorityId: 5001, IsActive: true },
      ...{ StartDateISO: '2026-03-02T00:00:00', EndDateISO: '2026-03-12T00:00:00', NoEndDate: false },
      ...{ GoalType: 1, Impressions: 100_000, CapType: 1, LifetimeCapAmount: 100_000, RateType: 2, Price: 5 },
      SiteZoneTargeting: [expect.objectContaining({ SiteId: 31, IsExcluded: false })],
      GeoTargeting: [],
    });
    expect([...fake.ads.values()]).toEqual(
      ['pkg_1', 'pkg_2'].map((package_id) =>
        expect.objectContaining({
          IsActive: true,
          ExternalMetadata: JSON.stringify({ package_id, creative_id: `banner_${package_id}`, version: 1 }),
          Creative: expect.objectContaining({
            ...{ AdTypeId: 5, Title: `Banner banner_${package_id} [banner_${package_id}]` },
            ...{ Url: 'https://brand.example/spring', ImageLink: `https://cdn.example/banner_${package_id}-1.png` },
          }),
        }),
      ),
    );
    expect(foreign()).toMatchObject({
      order: `${campaign?.Id}`,
      packages: { pkg_1: `${flightOf(fake, 'pkg_1').Id}`, pkg_2: `${flightOf(fake, 'pkg_2').Id}` },
    });
  });

  it('sends nothing where all is as it should be, and finds all again by our ids alone', async () => {
    const { adapter, book, fake, foreign, forget, signal, terms } = await openStrict();
    const order = sampleOrder(terms, 'mb_1');
    await book(order);
    const before = writes(fake).length;
    await book(order);
    expect(writes(fake)).toHaveLength(before);
    const { order: campaign, packages } = foreign();
    expect(await adapter.find?.(order, { signal })).toMatchObject({ order: campaign, packages });
    forget();
    await book(order);
    expect(writes(fake)).toHaveLength(before);
    expect(await adapter.find?.(sampleOrder(terms, 'mb_2'), { signal })).toBeUndefined();
  });

  it('changes what differs, and sends back what it does not know', async () => {
    const { book, fake, terms } = await openStrict();
    const order = sampleOrder(terms, 'mb_1');
    await book(order);
    const flight = [...fake.flights.values()][0] ?? expect.fail('no flight');
    flight.IsCompanion = true;
    const before = writes(fake).length;
    await book(changeOrder(order, {}, { goal: { unit: 'impressions', count: 250_000 } }));
    expect(flightOf(fake, 'pkg_1')).toMatchObject({
      ...{ Impressions: 250_000, LifetimeCapAmount: 250_000, IsActive: true, IsCompanion: true },
      SiteZoneTargeting: [expect.objectContaining({ SiteId: 31 })],
    });
    expect(writes(fake).slice(before)).toEqual([`PUT /flight/${flight.Id}`]);
    expect(fake.refusals).toEqual([]);
  });

  it('pauses, resumes and cancels packages and orders', async () => {
    const { book, fake, terms } = await openStrict();
    const order = sampleOrder(terms, 'mb_1');
    await book(order);
    const campaign = () => [...fake.campaigns.values()][0];
    await book(changeOrder(order, {}, { state: 'paused' }));
    expect([flightOf(fake, 'pkg_1').IsActive, flightOf(fake, 'pkg_2').IsActive]).toEqual([false, true]);
    await book(changeOrder(order, {}));
    expect(flightOf(fake, 'pkg_1').IsActive).toBe(true);
    await book(changeOrder(order, {}, { state: 'canceled' }));
    expect(flightOf(fake, 'pkg_1')).toMatchObject({ IsActive: false, IsArchived: true });
    expect(campaign()).toMatchObject({ IsActive: true });
    const packages = order.packages.map((line) => ({ ...line, state: 'canceled' as const }));
    await book(changeOrder(order, { state: 'canceled', packages }, { state: 'canceled' }));
    expect(campaign()).toMatchObject({ IsActive: false, IsArchived: true });
    expect(flightOf(fake, 'pkg_2')).toMatchObject({ IsActive: false, IsArchived: true });
    expect(fake.flights.size).toBe(2);
    expect(fake.refusals).toEqual([]);
  });

  it('brings places and hours to what is targeted, however often the flight is put', async () => {
    const { book, fake, terms } = await openStrict();
    const targeting = {
      geo_countries: ['US'],
      geo_regions: ['US-CA', 'US-NY'],
      geo_countries_exclude: ['CA'],
      daypart_targets: [{ days: ['monday', 'friday'], start_hour: 6, end_hour: 24 }],
      frequency_cap: { max_impressions: 3, per: 'devices', window: { interval: 7, unit: 'days' } },
    };
    const order = sampleOrder(terms, 'mb_1', { packages: [samplePackage(terms, 'pkg_1', { targeting })] });
    await book(order);
    const places = () =>
      (flightOf(fake, 'pkg_1').GeoTargeting as readonly Readonly<Record<string, unknown>>[]).map(
        ({ CountryCode, Region, IsExclude }) => [CountryCode, Region, IsExclude],
      );
    expect(places()).toEqual([
      ['US', 'CA', false],
      ['US', 'NY', false],
      ['CA', undefined, true],
    ]);
    expect([...fake.dayParts.values()]).toMatchObject([
      { StartTime: '06:00:00', EndTime: '23:59:59', WeekDays: ['MO', 'FR'] },
    ]);
    expect(flightOf(fake, 'pkg_1')).toMatchObject({
      IsFreqCap: true,
      FreqCap: 3,
      FreqCapDuration: 168,
      FreqCapType: 1,
    });
    const changed = { ...targeting, geo_regions: ['US-NY'], daypart_targets: undefined, frequency_cap: undefined };
    await book(changeOrder(order, {}, { targeting: changed, budget: 600 }));
    expect(places()).toEqual([
      ['US', 'NY', false],
      ['CA', undefined, true],
    ]);
    expect(fake.dayParts.size).toBe(0);
    expect(flightOf(fake, 'pkg_1')).toMatchObject({ IsFreqCap: null, FreqCap: null });
    expect(fake.refusals).toEqual([]);
  });

  it('replaces creatives by new ads, and shares by weight', async () => {
    const { book, fake, foreign, terms } = await openStrict();
    const first = { ...sampleCreative('a', 'pkg_1'), weight: 2 };
    const second = { ...sampleCreative('b', 'pkg_1'), weight: 1 };
    const line = samplePackage(terms, 'pkg_1', { creatives: [first, second] });
    const order = sampleOrder(terms, 'mb_1', { packages: [line] });
    await book(order);
    const shares = () =>
      [...fake.ads.values()].map(({ ExternalMetadata, IsActive, Percentage }) => {
        const { creative_id, version } = JSON.parse(String(ExternalMetadata));
        return [`${creative_id} v${version}`, IsActive, Percentage ?? undefined];
      });
    expect(shares()).toEqual([
      ['a v1', true, 67],
      ['b v1', true, 33],
    ]);
    await book(changeOrder(order, {}, { creatives: [sampleCreative('a', 'pkg_1', 2)] }));
    expect(shares()).toEqual([
      ['a v1', false, 67],
      ['b v1', false, 33],
      ['a v2', true, undefined],
    ]);
    const newest = [...fake.creatives.values()].at(-1);
    expect(foreign().creatives?.a).toBe(`${newest?.Id}`);
    await book(changeOrder(order, {}, { creatives: [] }));
    expect(flightOf(fake, 'pkg_1').IsActive, 'nothing may run').toBe(false);
    expect(fake.refusals).toEqual([]);
  });

  it('makes again what was deleted by hand', async () => {
    const { adapter, book, fake, foreign, signal, terms } = await openStrict();
    const order = sampleOrder(terms, 'mb_1');
    await book(order);
    const flight = [...fake.flights.values()][0] ?? expect.fail('no flight');
    flight.IsDeleted = true;
    const inspected = await adapter.inspect?.([{ order, foreign: foreign() }], { signal });
    expect(inspected?.[0]?.packages).toMatchObject([
      { package_id: 'pkg_1', state: 'missing' },
      { package_id: 'pkg_2', state: 'running', goal: 100_000, price: 5, creative_ids: ['banner_pkg_2'] },
    ]);
    await book(order);
    expect([...fake.flights.values()].map(({ IsActive, IsDeleted }) => [IsActive, IsDeleted])).toEqual([
      [true, true],
      [true, false],
      [true, false],
    ]);
  });

  it('sees where, when and how often a flight runs that people have changed', async () => {
    const { adapter, book, fake, foreign, signal, terms } = await openStrict();
    const targeting = {
      geo_countries: ['US'],
      daypart_targets: [{ days: ['monday'], start_hour: 8, end_hour: 12 }],
      frequency_cap: { max_impressions: 3, per: 'devices', window: { interval: 1, unit: 'days' } },
    };
    const order = changeOrder(sampleOrder(terms, 'mb_drift'), {}, { targeting });
    await book(order);
    const drift = async () => {
      const [found] = (await adapter.inspect?.([{ order, foreign: foreign() }], { signal })) ?? [];
      return describeDrift(findDrift(order, found?.packages ?? [], terms.nowMs));
    };
    expect(await drift()).toBe('');
    const flight = [...fake.flights.values()][0] ?? expect.fail('no flight');
    const { FreqCap, GeoTargeting } = flight;
    for (const members of [{ FreqCap: 9 }, { GeoTargeting: [] }]) {
      Object.assign(flight, { FreqCap, GeoTargeting }, members);
      expect(await drift()).toBe('pkg_1: targeting another, booked as ordered');
    }
  });

  it('takes advertisers that the tenant file names', async () => {
    const first = await openStrict();
    await first.book(sampleOrder(first.terms, 'mb_0'));
    const { book, fake, terms } = await openStrict({ advertisers: { 'brand.example': 1000 } });
    fake.advertisers.set(1000, { Id: 1000, Title: 'Brand', IsActive: true, IsDeleted: false });
    await book(sampleOrder(terms, 'mb_1'));
    expect([...fake.campaigns.values()].map(({ AdvertiserId }) => AdvertiserId)).toEqual([1000]);
    expect(fake.advertisers.size).toBe(1);
  });

  it('refuses what Kevel refuses with the field of ours, and leaves what the tenant file says to the operator', async () => {
    const { book, fake, terms } = await openStrict();
    const backwards = samplePackage(terms, 'pkg_1', { end_time: '2026-03-01T00:00:00Z' });
    const refused = await book(sampleOrder(terms, 'mb_1', { packages: [backwards] })).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OrderRefusedError);
    expect(refused).toMatchObject({
      message: 'Kevel answered 400: EndDateISO is before StartDateISO (end_time)',
      foreign: { order: `${[...fake.campaigns.keys()][0]}` },
    });
    const strange = samplePackage(terms, 'pkg_1', { adapter: { ...KEVEL_PRODUCT, priority_id: 9 } });
    const later = await book(sampleOrder(terms, 'mb_2', { packages: [strange] })).catch((error: unknown) => error);
    expect(later).toBeInstanceOf(RetryLaterError);
    expect(later).toMatchObject({ message: expect.stringContaining('"adapter" object') });
    const empty = samplePackage(terms, 'pkg_1', { adapter: {} });
    await expect(book(sampleOrder(terms, 'mb_3', { packages: [empty] }))).rejects.toThrow(RetryLaterError);
  });
});
