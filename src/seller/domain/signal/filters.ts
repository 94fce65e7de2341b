import {
  explainFilters,
  type FilterDiagnostics,
  type FilterRow,
  type FilterTable,
  filterItems,
} from '../search/filter.js';
import { type Destination, type Destinations, findIntake } from './deployment.js';
import type { Signal, SignalPrice } from './signal.js';

/** The filters of get_signals, with the countries and destinations beside them. Lists mean "any of these". */
export type SignalFilters = {
  readonly catalog_types?: readonly string[] | undefined;
  /** Names or domains. */
  readonly data_providers?: readonly string[] | undefined;
  /** About signals with a price of this kind; the others stay. In whatever currency the price is in. */
  readonly max_cpm?: number | undefined;
  /** About signals with a price of this kind; the others stay. 0 to 100. */
  readonly max_percent?: number | undefined;
  readonly min_coverage_percentage?: number | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly destinations?: readonly Destination[] | undefined;
};

type Filters = SignalFilters & { readonly reach: Destinations };

type Row<Value> = FilterRow<Signal, SignalPrice, Filters, Value>;

const ROWS: { readonly [K in keyof SignalFilters]-?: Row<NonNullable<SignalFilters[K]>> } = {
  catalog_types: {
    item: ({ signal_type }, types) => types.includes(signal_type),
    relax: 'take marketplace, custom and owned signals',
  },
  data_providers: {
    item: (signal, wanted) => {
      const own = [signal.data_provider, signal.data_provider_domain].map((name) => name?.toLowerCase());
      return wanted.some((name) => own.includes(name.toLowerCase()));
    },
    relax: 'name other data providers',
  },
  max_cpm: {
    item: ({ pricing_options }, max) =>
      allowsSome(
        pricing_options.flatMap((price) => (price.model === 'cpm' ? price.cpm : [])),
        max,
      ),
    relax: 'raise the largest CPM',
  },
  max_percent: {
    item: ({ pricing_options }, max) =>
      allowsSome(
        pricing_options.flatMap((price) => (price.model === 'percent_of_media' ? price.percent : [])),
        max,
      ),
    relax: 'raise the largest percentage of media',
  },
  min_coverage_percentage: {
    item: ({ coverage_percentage }, least) => coverage_percentage >= least,
    relax: 'ask for less coverage',
  },
  countries: {
    item: ({ countries }, wanted) => countries.length === 0 || countries.some((own) => wanted.includes(own)),
    relax: 'name other countries',
  },
  destinations: {
    item: (signal, wanted, { reach }) =>
      wanted.some((destination) => findIntake(reach, signal, destination) !== undefined),
    guilty: (wanted) =>
      wanted.map((destination) => (destination.type === 'platform' ? destination.platform : destination.agent_url)),
    relax: 'name other destinations',
  },
};

const TABLE = ROWS as FilterTable<Signal, SignalPrice, Filters>;

/** Whether a limit allows some price of a kind, or there is none of that kind. */
function allowsSome(prices: readonly number[], max: number): boolean {
  return prices.length === 0 || prices.some((price) => price <= max);
}

/** Returns the signals that pass every filter, in their order, and which filter refused the others. `reach`: where this agent's signals can go. */
export function filterSignals(
  signals: readonly Signal[],
  filters: SignalFilters,
  reach: Destinations,
): { readonly passed: readonly Signal[]; readonly diagnostics: FilterDiagnostics } {
  return filterItems(TABLE, signals, { ...filters, reach });
}

/** Explains why no signal is left, in words for a person or a model. */
export function explainNoSignals(diagnostics: FilterDiagnostics): string {
  return explainFilters(TABLE, 'signal', diagnostics);
}
