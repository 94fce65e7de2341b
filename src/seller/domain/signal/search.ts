import { MEDIA_CHANNELS } from '../../../protocol/media-channel.js';
import { offeredIn } from '../search/ranking/explain.js';
import { rank } from '../search/ranking/rank.js';
import type { Description, Ranking } from '../search/ranking/search.js';
import { indexItems, type SearchFields, type SearchIndex } from '../search/term-index.js';
import type { Signal, SignalPrice } from './signal.js';

const CHANNEL_TAGS: ReadonlySet<string> = new Set(MEDIA_CHANNELS);

const FIELDS: SearchFields<Signal> = {
  id: ({ signal_agent_segment_id }) => signal_agent_segment_id,
  texts: {
    name: { boost: 3, of: ({ name }) => [name] },
    tags: { boost: 2.5, of: ({ tags }) => tags.map((tag) => tag.replaceAll('_', ' ')) },
    categories: { boost: 1.5, of: ({ categories = [] }) => categories.map((value) => value.replaceAll('_', ' ')) },
    description: { boost: 1, of: ({ description }) => [description] },
    provider: { boost: 1.5, of: ({ data_provider }) => [data_provider] },
  },
  facets: {
    channel: { field: 'tags', boost: 2.5, values: ({ tags }) => tags.filter((tag) => CHANNEL_TAGS.has(tag)) },
    country: {
      field: 'countries',
      boost: 0.8,
      values: ({ countries }) => countries.map((code) => code.toLowerCase()),
    },
    model: {
      field: 'prices',
      boost: 1,
      values: ({ pricing_options }) => pricing_options.map(({ model }) => searchedModel(model)),
    },
    currency: {
      field: 'prices',
      boost: 0.8,
      values: ({ pricing_options }) => pricing_options.flatMap(({ currency }) => currency?.toLowerCase() ?? []),
    },
  },
};

/** Returns the model that a price is searched by: a flat fee as media's flat rate, since a brief says either. */
function searchedModel(model: SignalPrice['model']): string {
  return model === 'flat_fee' ? 'flat_rate' : model;
}

const DESCRIPTION: Description<Signal> = {
  general: 'this is part of the whole catalog',
  elsewhere: 'not available in',
  isBound: false,
  countries: ({ countries }) => countries,
  terms: ({ signal_type, data_provider, coverage_percentage, countries, pricing_options }, models) => {
    const price = pricing_options.find(({ model }) => models.includes(searchedModel(model))) ?? pricing_options[0];
    return [
      `${signal_type} data of ${data_provider}`,
      `covers ${coverage_percentage} %`,
      offeredIn('available in', countries),
      price === undefined ? '' : describePrice(price),
    ];
  },
};

/** The index that rankSignals searches. */
export type SignalIndex = SearchIndex<Signal>;

/** Reads a catalog of signals into an index; build it once per catalog. */
export function buildSignalIndex(signals: readonly Signal[]): SignalIndex {
  return indexItems(signals, FIELDS);
}

/** Returns the signals that match a spec, as `rank` orders them. `among`: what filters left of the catalog (by default all of it). */
export function rankSignals(index: SignalIndex, spec: string, among: readonly Signal[] = index.items): Ranking<Signal> {
  return rank({ index, description: DESCRIPTION, among }, spec);
}

function describePrice(price: SignalPrice): string {
  switch (price.model) {
    case 'cpm':
      return `from ${price.cpm} ${price.currency} CPM`;
    case 'percent_of_media':
      return `${price.percent} % of media`;
    case 'flat_fee':
      return `${price.amount} ${price.currency} ${price.period === 'campaign' ? 'a campaign' : price.period}`;
    case 'per_unit':
      return `${price.unit_price} ${price.currency} a ${price.unit.replaceAll('_', ' ')}`;
    case 'custom':
      return price.description.replace(/\.$/, '');
  }
}
