import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSignalIndex, rankSignals } from '../../../../src/seller/domain/signal/search.js';
import type { Signal } from '../../../../src/seller/domain/signal/signal.js';
import { PROJECT } from '../../../kit/surroundings.js';
import { cpm, signalCalled } from './context.js';

const catalog: readonly Signal[] = [
  signalCalled('ev', { name: 'Electric car buyers', tags: ['automotive', 'in-market'], countries: ['US', 'CA'] }),
  signalCalled('suv', { name: 'SUV buyers', tags: ['automotive'], countries: ['US'] }),
  signalCalled('tv', { name: 'Sports viewers', tags: ['ctv', 'viewership'], countries: ['DE'] }),
  signalCalled('pets', { name: 'Grocery categories', value_type: 'categorical', categories: ['pet_food', 'snacks'] }),
  signalCalled('rain', {
    name: 'Rain ahead',
    data_provider: 'Cloudbase',
    pricing_options: [
      cpm(0.5),
      { pricing_option_id: 'fee', model: 'flat_fee', amount: 900, period: 'monthly', currency: 'EUR' },
    ],
  }),
];
const index = buildSignalIndex(catalog);
const ask = (spec: string) => rankSignals(index, spec).matches.map(({ item }) => item.signal_agent_segment_id);
const why = (spec: string, id: string) =>
  rankSignals(index, spec).matches.find(({ item }) => item.signal_agent_segment_id === id)?.relevance ?? '';

describe('finding', () => {
  it.each([
    ['electric cars', ['ev', 'suv']],
    ['people who watch CTV', ['tv']],
    ['pet food', ['pets']],
    ['Cloudbase', ['rain']],
    ['something about rain', ['rain']],
  ] as const)('%s', (spec, expected) => {
    expect(ask(spec)).toEqual(expected);
  });

  it('puts what is available in the named country first, and never says that of what is available everywhere', () => {
    expect(ask('automotive in Canada')).toEqual(['ev', 'suv']);
    expect(why('automotive in Canada', 'suv')).toContain('not available in Canada');
    expect(why('rain in Canada', 'rain')).not.toContain('available in');
  });

  it('shows the whole catalog to whoever asks for nothing in particular, and nothing that is not asked for', () => {
    expect(ask('audience')).toEqual(catalog.map((signal) => signal.signal_agent_segment_id));
    expect(why('audience', 'ev')).toMatch(/^No term of the brief matched; this is part of the whole catalog/);
    expect(ask('zither')).toEqual([]);
  });
});

describe('saying why', () => {
  it('names the words, the fields, whose data it is, how much it covers and what it costs', () => {
    expect(why('electric cars', 'ev')).toBe(
      'Matches electric and cars in the name and tags; marketplace data of Some Data, covers 10 %, available in US and CA, from 2 USD CPM',
    );
  });

  it('names the price that the spec asks for', () => {
    expect(why('rain at a flat fee', 'rain')).toContain('900 EUR monthly');
    expect(why('rain', 'rain')).toContain('from 0.5 USD CPM');
  });
});

it('any text is searched without a fault, only among what filters left, and twice the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.subarray([...catalog]), (text, among) => {
      const ranking = rankSignals(index, text, among);
      expect(among).toEqual(expect.arrayContaining(ranking.matches.map(({ item }) => item)));
      expect(ranking.matches.length + ranking.nearest.length > 0).toBe(among.length > 0);
      expect(rankSignals(buildSignalIndex(catalog), text, among)).toEqual(ranking);
    }),
  );
});

describe('the shipped signals', () => {
  const { signals } = JSON.parse(readFileSync(path.join(PROJECT, 'tenants/signals.json'), 'utf8')) as {
    signals: Signal[];
  };
  const all = signals.map(
    (signal): Signal => ({
      ...signal,
      data_provider: signal.data_provider ?? 'Northlight Signals',
      countries: signal.countries ?? [],
    }),
  );
  const first = (spec: string) => rankSignals(buildSignalIndex(all), spec).matches[0]?.item.signal_agent_segment_id;

  it.each([
    ['In-market EV buyers with high purchase propensity, near auto dealerships', 'meridian_ev_intenders'],
    ['Adults interested in electric vehicles', 'meridian_ev_intenders'],
    ['outdoor enthusiasts, age 25-54, US', 'trailhead_outdoor_enthusiasts'],
    ['High-value customers likely to purchase electronics, with loyalty program data', 'prism_high_ltv'],
    ['sports viewers on CTV in Canada', 'screenglass_sports_viewers'],
    ['cord cutters who stream television', 'screenglass_cord_cutters'],
    ['IT executives at large companies', 'cornerdesk_it_decision_makers'],
    ['families planning a vacation', 'farelark_family_vacation'],
    ['heat index for cold drinks and ice cream', 'isobar_heat_index'],
    ['people moving to a new home', 'ledgerline_home_movers'],
    ['contextual page topic', 'northlight_page_context'],
  ])('%s: %s', (spec, id) => {
    expect(first(spec)).toBe(id);
  });
});
