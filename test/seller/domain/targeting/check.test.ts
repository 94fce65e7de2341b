import { describe, expect, it } from 'vitest';
import { judgeTargeting, shownTargeting } from '../../../../src/seller/domain/targeting/check.js';
import type { Supply } from '../../../../src/seller/domain/targeting/parts.js';
import { type Refusal, refusalOf } from '../order-context.js';

const SUPPLY: Supply = { countries: ['US', 'CA'], daily_impressions: 1_000_000, channels: ['display'] };
const CAP = { max_impressions: 3, per: 'individuals', window: { interval: 1, unit: 'days' } };
const LIST = { agent_url: 'https://lists.example/mcp', list_id: 'allowed_v1' };
const at = (name: string) => `p.targeting_overlay.${name}`;

describe('judgeTargeting', () => {
  it.each<readonly [what: string, overlay: Record<string, unknown>, refusal: Refusal | undefined]>([
    ['nothing', {}, undefined],
    ['a country it runs in', { geo_countries: ['US'] }, undefined],
    ['one of two', { geo_countries: ['DE', 'CA'] }, undefined],
    ['no country', { geo_countries: [] }, undefined],
    ['a country it does not run in', { geo_countries: ['DE'] }, ['VALIDATION_ERROR', at('geo_countries')]],
    ['a country in small letters', { geo_countries: ['us'] }, ['VALIDATION_ERROR', `${at('geo_countries')}[0]`]],
    ['three letters', { geo_countries: ['US', 'USA'] }, ['VALIDATION_ERROR', `${at('geo_countries')}[1]`]],
    ['a number', { geo_countries: [840] }, ['VALIDATION_ERROR', `${at('geo_countries')}[0]`]],
    ['regions', { geo_regions: ['US-NY', 'DE-BW'] }, undefined],
    ['a region that is a country', { geo_regions: ['US'] }, ['VALIDATION_ERROR', `${at('geo_regions')}[0]`]],
    ['excluded countries', { geo_countries_exclude: ['US'] }, undefined],
    ['excluded regions', { geo_regions_exclude: ['US-CAL'] }, undefined],
    ['a language', { language: ['en'] }, undefined],
    ['a locale', { language: ['en-US'] }, ['VALIDATION_ERROR', `${at('language')}[0]`]],
    ['devices', { device_type: ['mobile'], device_platform: ['ios'], device_type_exclude: ['ctv'] }, undefined],
    ['a cap and a daypart', { frequency_cap: CAP, daypart_targets: [] }, undefined],
    ['an audience', { audience_include: ['vips'], audience_exclude: ['staff'] }, undefined],
    [
      'an audience without a name',
      { audience_include: ['vips', ''] },
      ['VALIDATION_ERROR', `${at('audience_include')}[1]`],
    ],
    ['an audience that is no list', { audience_exclude: 'staff' }, ['VALIDATION_ERROR', at('audience_exclude')]],
    ['a list of an agent', { property_list: LIST }, undefined],
    [
      'a list of collections, where none are known',
      { collection_list: LIST },
      ['UNSUPPORTED_FEATURE', at('collection_list')],
    ],
    [
      'a list at no agent',
      { property_list: { list_id: 'l' } },
      ['VALIDATION_ERROR', `${at('property_list')}.agent_url`],
    ],
    [
      'a list without an id',
      { property_list: { ...LIST, list_id: '' } },
      ['VALIDATION_ERROR', `${at('property_list')}.list_id`],
    ],
    ['a list inline', { property_list: ['a.example'] }, ['VALIDATION_ERROR', `${at('property_list')}.agent_url`]],
    ['a member nobody knows', { moon_phase: 'full' }, ['UNSUPPORTED_FEATURE', at('moon_phase')]],
    ['a member of the buyer', { ext: { trace: 1 } }, undefined],
    [
      'every country left out',
      { geo_countries_exclude: ['US', 'CA'] },
      ['VALIDATION_ERROR', at('geo_countries_exclude')],
    ],
    ['a region elsewhere', { geo_regions: ['JP-13'] }, ['VALIDATION_ERROR', at('geo_regions')]],
    ['a device that sees nothing of it', { device_type: ['ctv'] }, ['VALIDATION_ERROR', at('device_type')]],
    [
      'a platform of another device',
      { device_type: ['mobile'], device_platform: ['tizen'] },
      ['VALIDATION_ERROR', at('device_type')],
    ],
    ['a language nobody there speaks', { language: ['fi'] }, ['VALIDATION_ERROR', at('language')]],
    ...(
      [
        ['window', { window: { interval: 0, unit: 'days' } }],
        ['window', { window: { interval: 5, unit: 'campaign' } }],
        ['max_impressions', { max_impressions: 1.5 }],
        ['suppress', { suppress: { interval: -1, unit: 'hours' } }],
        ['suppress_minutes', { suppress_minutes: '60' }],
        ['suppress_minutes', { suppress: { interval: 3, unit: 'hours' }, suppress_minutes: 3 }],
      ] as const
    ).map(
      ([part, wrong]) =>
        [
          `a cap whose ${part} is ${JSON.stringify(wrong)}`,
          { frequency_cap: { ...CAP, ...wrong } },
          ['VALIDATION_ERROR', `${at('frequency_cap')}.${part}`],
        ] as const,
    ),
    ...(['max_impressions', 'per', 'window'] as const).flatMap((missing) =>
      [{}, { suppress: { interval: 12, unit: 'hours' } }].map(
        (pause) =>
          [
            `a cap without ${missing}, with ${JSON.stringify(pause)}`,
            { frequency_cap: { ...CAP, ...pause, [missing]: undefined } },
            ['VALIDATION_ERROR', `${at('frequency_cap')}.${missing}`],
          ] as const,
      ),
    ),
    ['a cap of nothing', { frequency_cap: {} }, ['VALIDATION_ERROR', at('frequency_cap')]],
    [
      'a day that is none',
      { daypart_targets: [{ days: ['someday'], start_hour: 1, end_hour: 2 }] },
      ['VALIDATION_ERROR', `${at('daypart_targets')}[0]`],
    ],
    [
      'an hour that ends before it starts',
      { daypart_targets: [{ days: ['monday'], start_hour: 9, end_hour: 9 }] },
      ['VALIDATION_ERROR', `${at('daypart_targets')}[0]`],
    ],
    ...[
      'geo_metros',
      'geo_metros_exclude',
      'geo_postal_areas',
      'geo_postal_areas_exclude',
      'geo_proximity',
      'age_restriction',
      'store_catchments',
      'keyword_targets',
      'negative_keywords',
      'signal_targeting',
      'signal_targeting_groups',
      'axe_include_segment',
      'axe_exclude_segment',
    ].map((name) => [`${name}, not offered`, { [name]: [] }, ['UNSUPPORTED_FEATURE', at(name)]] as const),
  ])('%s', (_what, overlay, refusal) => {
    const check = () => judgeTargeting(overlay, SUPPLY, { flightDays: 30, field: 'p' });
    if (refusal === undefined) expect(check).not.toThrow();
    else expect(refusalOf(check)).toEqual(refusal);
  });

  // What is no list must be refused or read as one; to let it pass would be to ignore it.
  it.each([
    ['a text', 'DE'],
    ['an object', { include: ['DE'] }],
  ])('never ignores a country it does not run in, even as %s', (_form, geo_countries) => {
    expect(refusalOf(() => judgeTargeting({ geo_countries }, SUPPLY, { flightDays: 30, field: 'p' }))[0]).toBe(
      'VALIDATION_ERROR',
    );
  });

  it.each([
    [{ geo_countries: ['USA'] }, 'Send a list of countries in two capitals, such as ["US", "CA"].'],
    [{ geo_regions: 'CA' }, 'Send a list of subdivisions behind their country, such as ["US-CA", "DE-BE"].'],
    [{ device_type: ['phone'] }, 'Send a list of some of "desktop", "mobile", "tablet", "ctv", "dooh", "unknown".'],
    [{ daypart: [] }, expect.stringMatching(/^Did you mean daypart_targets\?/)],
    [{ audiences: [] }, expect.stringMatching(/^Did you mean audience_include\?/)],
    [{ gender: 'female' }, expect.stringMatching(/^Leave gender out\. Offered: geo_countries,/)],
  ])('says of %j what to send', (overlay, suggestion) => {
    const check = () => judgeTargeting(overlay, SUPPLY, { flightDays: 30, field: 'p' });
    expect(check).toThrow(expect.objectContaining({ extras: expect.objectContaining({ suggestion }) }));
  });
});

describe('what targeting leaves', () => {
  const left = (overlay: Record<string, unknown>) => judgeTargeting(overlay, SUPPLY, { flightDays: 30, field: 'p' });

  it.each<readonly [what: string, overlay: Record<string, unknown>, share: number]>([
    ['one of two countries', { geo_countries: ['US'] }, 0.5],
    ['all but one', { geo_countries_exclude: ['CA'] }, 0.5],
    ['a region', { geo_regions: ['US-NY'] }, 0.5 / 51],
    ['all but a province', { geo_regions_exclude: ['CA-ON'] }, 1 - 0.5 / 13],
    ['phones', { device_type: ['mobile'] }, 0.6],
    ['no phones', { device_type_exclude: ['mobile'] }, 0.4],
    [
      'iPhones in the US',
      { geo_countries: ['US'], device_type: ['mobile'], device_platform: ['ios'] },
      0.5 * 0.6 * 0.46,
    ],
    ['French', { language: ['fr'] }, 0.5 * 0.23],
    ['an audience', { audience_include: ['vips'] }, 0.15],
    ['all but an audience', { audience_exclude: ['staff'] }, 0.85],
  ])('%s', (_what, overlay, share) => {
    expect(left(overlay)?.share).toBeCloseTo(share, 10);
  });

  it('says nothing where nothing is targeted', () => {
    expect(left({ geo_countries: ['US', 'CA'] })).toBeUndefined();
    expect(left({})).toBeUndefined();
  });

  it('caps a day by how often anybody may see an ad', () => {
    expect(left({ frequency_cap: CAP })?.per_day).toBe(1_800_000);
    const monthly = { max_impressions: 1, per: 'individuals', window: { interval: 30, unit: 'days' } };
    expect(left({ frequency_cap: monthly })?.per_day).toBe(20_000);
    expect(left({ frequency_cap: { suppress: { interval: 48, unit: 'hours' } } })?.per_day).toBe(300_000);
    expect(left({ frequency_cap: monthly, geo_countries: ['US'] })?.per_day).toBe(10_000);
  });

  it('keeps the hours of the week, joined', () => {
    const hours = left({
      daypart_targets: [
        { days: ['monday', 'sunday'], start_hour: 6, end_hour: 10 },
        { days: ['monday'], start_hour: 10, end_hour: 12 },
      ],
    })?.hours;
    expect(hours).toEqual([
      [6, 12],
      [150, 154],
    ]);
  });

  it('follows the file where it says the parts of the supply, and offers only what it names', () => {
    const supply: Supply = { ...SUPPLY, targeting: { geo_countries: { US: 0.9, CA: 0.1 }, device_type: true } };
    expect(judgeTargeting({ geo_countries: ['CA'] }, supply, { flightDays: 30, field: 'p' })?.share).toBeCloseTo(
      0.1,
      10,
    );
    expect(refusalOf(() => judgeTargeting({ language: ['en'] }, supply, { flightDays: 30, field: 'p' }))).toEqual([
      'UNSUPPORTED_FEATURE',
      at('language'),
    ]);
  });
});

describe('shownTargeting', () => {
  it('leaves out the tokens of lists, and is the same object where there are none', () => {
    const overlay = { geo_countries: ['US'], property_list: { ...LIST, auth_token: 'secret-of-the-list' } };
    expect(shownTargeting(overlay)).toEqual({ geo_countries: ['US'], property_list: LIST });
    const plain = { collection_list: LIST };
    expect(shownTargeting(plain)).toBe(plain);
  });

  it('leaves out empty lists, which the protocol has no meaning for', () => {
    expect(shownTargeting({ geo_countries: [], language: ['en'], daypart_targets: [] })).toEqual({ language: ['en'] });
  });
});
