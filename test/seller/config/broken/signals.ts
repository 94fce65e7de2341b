import type { Bendable } from '../fixture.js';
import type { Variant } from '../variant.js';

const FIRST = '/signals/0';

const signal = (change: object) => (tenant: Bendable) => Object.assign(tenant.signals[0], change);
const second = (change: object) => (tenant: Bendable) => Object.assign(tenant.signals[1], change);
const price = (change: object) => (tenant: Bendable) => Object.assign(tenant.signals[0].pricing_options[0], change);
const access = (change: object) => (tenant: Bendable) => Object.assign(tenant.signals[0].access, change);
const without = (key: string) => (tenant: Bendable) => delete tenant.signals[0][key];

/** Faults of signals, their prices and their destinations. */
export const BROKEN_SIGNALS: readonly Variant[] = [
  {
    what: 'unknown key in a signal',
    bend: signal({ signal_typ: 'owned' }),
    pointer: `${FIRST}/signal_typ`,
    line: '"signal_typ"',
    says: /"signal_type"/,
  },
  {
    what: 'an id with a blank',
    bend: signal({ signal_agent_segment_id: 'two words' }),
    pointer: `${FIRST}/signal_agent_segment_id`,
    line: '"two words"',
    says: /starting with a letter or digit/,
  },
  {
    what: 'no type',
    bend: without('signal_type'),
    pointer: `${FIRST}/signal_type`,
    line: '"signal_agent_segment_id": "resold"',
    shift: -1,
    says: /marketplace/,
  },
  {
    what: 'an unknown type',
    bend: signal({ signal_type: 'marketplaces' }),
    pointer: `${FIRST}/signal_type`,
    line: '"marketplaces"',
    says: /Did you mean "marketplace"\?/,
  },
  {
    what: 'coverage above a hundred',
    bend: signal({ coverage_percentage: 112.5 }),
    pointer: `${FIRST}/coverage_percentage`,
    line: '112.5',
    says: /at most 100/,
  },
  {
    what: 'a code that no country has',
    bend: signal({ countries: ['UK'] }),
    pointer: `${FIRST}/countries/0`,
    line: '"UK"',
    says: /no country of this code.*"GB"/s,
  },
  {
    what: 'a country in words',
    bend: signal({ countries: ['Germany'] }),
    pointer: `${FIRST}/countries/0`,
    line: '"Germany"',
    says: /ISO 3166/,
  },
  {
    what: 'an unknown pricing model',
    bend: price({ model: 'cpc' }),
    pointer: `${FIRST}/pricing_options/0/model`,
    line: '"model": "cpc"',
    says: /percent_of_media/,
  },
  {
    what: 'a CPM that is missing',
    bend: (t) => delete t.signals[0].pricing_options[0].cpm,
    pointer: `${FIRST}/pricing_options/0/cpm`,
    line: '"pricing_option_id": "per_mille"',
    shift: -1,
    says: /1000 impressions/,
  },
  {
    what: 'a price of another model',
    bend: price({ percent: 10.5 }),
    pointer: `${FIRST}/pricing_options/0/percent`,
    line: '"percent": 10.5',
    says: /unknown key/,
  },
  {
    what: 'a custom price without metadata',
    bend: second({
      pricing_options: [{ pricing_option_id: 'talk', model: 'custom', description: 'Ask us', metadata: {} }],
    }),
    pointer: '/signals/1/pricing_options/0/metadata',
    line: '"metadata": {}',
    says: /base_cpm/,
  },
  {
    what: 'a currency that does not exist',
    bend: price({ currency: 'USX' }),
    pointer: `${FIRST}/pricing_options/0/currency`,
    line: '"USX"',
    says: /ISO 4217/,
  },
  {
    what: 'two prices of one id',
    bend: (t) => Object.assign(t.signals[0].pricing_options[1], { pricing_option_id: 'per_mille', percent: 11 }),
    pointer: `${FIRST}/pricing_options/1/pricing_option_id`,
    line: '"percent": 11',
    shift: -2,
    says: /used twice/,
  },
  {
    what: 'two signals of one id',
    bend: second({ signal_agent_segment_id: 'resold' }),
    pointer: '/signals/1/signal_agent_segment_id',
    line: '"name": "Tiers"',
    shift: -1,
    says: /used twice/,
  },
  {
    what: 'two signals under one id of one provider',
    bend: second({ data_provider_domain: 'provider.example', methodology: 'observed', signal_id: 'published' }),
    pointer: '/signals/1/signal_id',
    line: '"methodology"',
    shift: 1,
    says: /catalog of its provider/,
  },
  {
    what: 'a marketplace signal of nobody',
    bend: without('data_provider'),
    pointer: `${FIRST}/data_provider`,
    line: '"signal_agent_segment_id": "resold"',
    shift: -1,
    says: /whose data it resells/,
  },
  {
    what: 'a marketplace signal of no catalog',
    bend: without('data_provider_domain'),
    pointer: `${FIRST}/data_provider_domain`,
    line: '"signal_agent_segment_id": "resold"',
    shift: -1,
    says: /Add "data_provider_domain"/,
  },
  {
    what: 'a signal made to order that stands in a catalog',
    bend: signal({ signal_type: 'custom' }),
    pointer: `${FIRST}/data_provider_domain`,
    line: '"data_provider_domain"',
    says: /stands in no catalog/,
  },
  {
    what: 'categories of a binary signal',
    bend: second({ value_type: 'binary' }),
    pointer: '/signals/1/categories',
    line: '"categories"',
    says: /"value_type": "categorical"/,
  },
  {
    what: 'a categorical signal without categories',
    bend: (t) => delete t.signals[1].categories,
    pointer: '/signals/1/categories',
    line: '"signal_agent_segment_id": "tiers"',
    shift: -1,
    says: /Add "categories"/,
  },
  {
    what: 'a numeric signal without a range',
    bend: signal({ value_type: 'numeric' }),
    pointer: `${FIRST}/range`,
    line: '"signal_agent_segment_id": "resold"',
    shift: -1,
    says: /Add "range"/,
  },
  {
    what: 'a range upside down',
    bend: signal({ value_type: 'numeric', range: { min: 30, max: 3 } }),
    pointer: `${FIRST}/range/max`,
    line: '"max": 3',
    says: /max is below min/,
  },
  {
    what: 'a principal that is not there',
    bend: access({ principals: ['alicia'] }),
    pointer: `${FIRST}/access/principals/0`,
    line: '"alicia"',
    says: /Did you mean "alice"\?/,
  },
  {
    what: 'minutes below zero',
    bend: access({ activation_minutes: -1 }),
    pointer: `${FIRST}/access/activation_minutes`,
    line: '"activation_minutes": -1',
    says: /at least 0/,
  },
  {
    what: 'a platform twice',
    bend: (t) => {
      t.destinations.platforms[1].platform = 'some-dsp';
      t.destinations.platforms[1].key = 'second';
    },
    pointer: '/destinations/platforms/1/platform',
    line: '"key": "second"',
    shift: -1,
    says: /used twice/,
  },
  {
    what: 'an unknown form of keys',
    bend: (t) => Object.assign(t.destinations.platforms[0], { key_type: 'segment' }),
    pointer: '/destinations/platforms/0/key_type',
    line: '"key_type"',
    says: /segment_id/,
  },
  {
    what: 'an agent by name',
    bend: (t) => Object.assign(t.destinations.agents, { agent_urls: ['the sales agent'] }),
    pointer: '/destinations/agents/agent_urls/0',
    line: '"the sales agent"',
    says: /Address of an agent/,
  },
  {
    what: 'a signals agent without signals',
    bend: (t) => Object.assign(t, { signals: [] }),
    pointer: '/signals',
    line: '"signals": []',
    says: /nothing to offer/,
  },
  {
    what: 'destinations of a creative agent',
    bend: (t) => {
      t.kinds = ['creative'];
      delete t.signals;
    },
    pointer: '/destinations',
    line: '"destinations"',
    says: /only a signals agent/,
  },
];
