import { describe, expect, it } from 'vitest';
import { checkTargeting, shownTargeting } from '../../../../src/seller/domain/media-buy/targeting.js';
import { type Refusal, refusalOf } from '../order-context.js';

const US_AND_CANADA = ['US', 'CA'];
const LIST = { agent_url: 'https://lists.example/mcp', list_id: 'allowed_v1' };
const at = (name: string) => `p.targeting_overlay.${name}`;

describe('checkTargeting', () => {
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
    ['a cap and a daypart', { frequency_cap: { max_impressions: 3 }, daypart_targets: [] }, undefined],
    ['an audience', { audience_include: ['vips'], audience_exclude: ['staff'] }, undefined],
    [
      'an audience without a name',
      { audience_include: ['vips', ''] },
      ['VALIDATION_ERROR', `${at('audience_include')}[1]`],
    ],
    ['an audience that is no list', { audience_exclude: 'staff' }, ['VALIDATION_ERROR', at('audience_exclude')]],
    ['lists of an agent', { property_list: LIST, collection_list: LIST, collection_list_exclude: LIST }, undefined],
    [
      'a list at no agent',
      { property_list: { list_id: 'l' } },
      ['VALIDATION_ERROR', `${at('property_list')}.agent_url`],
    ],
    [
      'a list without an id',
      { collection_list: { ...LIST, list_id: '' } },
      ['VALIDATION_ERROR', `${at('collection_list')}.list_id`],
    ],
    ['a list inline', { property_list: ['a.example'] }, ['VALIDATION_ERROR', `${at('property_list')}.agent_url`]],
    ['a member nobody knows', { moon_phase: 'full' }, undefined],
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
    const check = () => checkTargeting(overlay, US_AND_CANADA, 'p');
    if (refusal === undefined) expect(check).not.toThrow();
    else expect(refusalOf(check)).toEqual(refusal);
  });

  // What is no list must be refused or read as one; to let it pass would be to ignore it.
  it.each([
    ['a text', 'DE'],
    ['an object', { include: ['DE'] }],
  ])('never ignores a country it does not run in, even as %s', (_form, geo_countries) => {
    expect(refusalOf(() => checkTargeting({ geo_countries }, US_AND_CANADA, 'p'))[0]).toBe('VALIDATION_ERROR');
  });
});

describe('shownTargeting', () => {
  it('leaves out the tokens of lists, and is the same object where there are none', () => {
    const overlay = { geo_countries: ['US'], property_list: { ...LIST, auth_token: 'secret-of-the-list' } };
    expect(shownTargeting(overlay)).toEqual({ geo_countries: ['US'], property_list: LIST });
    const plain = { collection_list: LIST };
    expect(shownTargeting(plain)).toBe(plain);
  });
});
