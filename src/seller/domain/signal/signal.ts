import { canonicalUrl } from '../../../creative/formats/format-id.js';
import { TaskError } from '../../../protocol/errors.js';
import { type FeedPrint, printEntity } from '../feed/feed.js';

/** The origins of signals: resold from a provider's catalog, made to order, or the agent's own data. */
export const SIGNAL_TYPES = ['marketplace', 'custom', 'owned'] as const;

/** The form of the ids of signals. */
export const SIGNAL_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** The kinds of values that a signal has. */
export const VALUE_TYPES = ['binary', 'categorical', 'numeric'] as const;

/** The methodologies by which a segment was made, as 3.1 discloses them. */
export const METHODOLOGIES = ['observed', 'declared', 'derived', 'inferred', 'modeled'] as const;

/** The cadences at which a segment is refreshed, and the windows that it looks back over. */
export const CADENCES = [
  'intra_day',
  'daily',
  'weekly',
  'monthly',
  'bi_monthly',
  'quarterly',
  'bi_annually',
  'annually',
] as const;

/** The data that a segment is made of. */
export const DATA_SOURCES = [
  'app_behavior',
  'app_usage',
  'web_usage',
  'geo_location',
  'email',
  'tv_ott_or_stb_device',
  'panel',
  'online_ecommerce',
  'credit_data',
  'loyalty_card',
  'transaction',
  'online_survey',
  'offline_survey',
  'public_record_census',
  'public_record_voter_file',
  'public_record_other',
  'offline_transaction',
] as const;

/** The billing periods of a flat fee. */
export const FEE_PERIODS = ['monthly', 'quarterly', 'annual', 'campaign'] as const;

/** A price for the use of a signal. `currency` is ISO 4217. */
export type SignalPrice = { readonly pricing_option_id: string } & (
  | { readonly model: 'cpm'; readonly cpm: number; readonly currency: string }
  | {
      readonly model: 'percent_of_media';
      /** 0 to 100. */
      readonly percent: number;
      /** The most that the percentage comes to, per 1000 impressions. */
      readonly max_cpm?: number;
      readonly currency: string;
    }
  | {
      readonly model: 'flat_fee';
      readonly amount: number;
      readonly period: (typeof FEE_PERIODS)[number];
      readonly currency: string;
    }
  | { readonly model: 'per_unit'; readonly unit: string; readonly unit_price: number; readonly currency: string }
  | {
      readonly model: 'custom';
      readonly description: string;
      readonly metadata: Readonly<Record<string, unknown>>;
      readonly currency?: string;
    }
);

/** The limits on the use of a signal, which do not go on the wire. A limit that is left out allows everything. */
export type SignalAccess = {
  /** Ids of the principals that may see and use it. */
  readonly principals?: readonly string[];
  /** Platforms that it can go to. */
  readonly platforms?: readonly string[];
  /** URLs of the agents that it can go to. */
  readonly agents?: readonly string[];
  /** Minutes that making the segment takes, before it goes anywhere. */
  readonly activation_minutes: number;
};

/** The members that a listing has only where the buyer asks for them (3.1, `fields`). */
export const DEFINITION_FIELDS = [
  'methodology',
  'data_sources',
  'segmentation_criteria',
  'refresh_cadence',
  'lookback_window',
] as const;

/** The members of a listing that can be asked for alone. */
export const SIGNAL_FIELDS = [
  ...DEFINITION_FIELDS,
  'signal_agent_segment_id',
  'signal_id',
  'signal_ref',
  'name',
  'description',
  'signal_type',
  'data_provider',
  'coverage_percentage',
  'coverage_forecast',
  'deployments',
  'pricing_options',
  'value_type',
  'categories',
  'range',
  'brief_relevance',
  'methodology_url',
  'last_updated',
  'taxonomy',
  'criteria_url',
  'onboarder',
  'modeling',
  'audience_expansion',
  'device_expansion',
  'countries',
  'consent_basis',
  'restricted_attributes',
  'policy_categories',
  'art9_basis',
  'data_subject_rights',
  'dts_compliant_version',
] as const;

/** A segment of data that buyers target by. Everything but `access` goes on the wire. */
export type Signal = {
  readonly signal_agent_segment_id: string;
  /** Its id in the provider's catalog, or among this agent's own. */
  readonly signal_id: string;
  readonly name: string;
  readonly description: string;
  readonly signal_type: (typeof SIGNAL_TYPES)[number];
  readonly data_provider: string;
  /** Whose adagents.json defines it; absent where only this agent does. */
  readonly data_provider_domain?: string;
  readonly value_type: (typeof VALUE_TYPES)[number];
  readonly categories?: readonly string[];
  readonly range?: { readonly min: number; readonly max: number };
  /** 0 to 100. */
  readonly coverage_percentage: number;
  readonly pricing_options: readonly SignalPrice[];
  readonly tags: readonly string[];
  /** ISO 3166-1 alpha-2; empty for everywhere. */
  readonly countries: readonly string[];
  readonly methodology_url?: string;
  readonly methodology?: (typeof METHODOLOGIES)[number];
  readonly data_sources?: readonly (typeof DATA_SOURCES)[number][];
  readonly segmentation_criteria?: string;
  readonly refresh_cadence?: (typeof CADENCES)[number];
  readonly lookback_window?: (typeof CADENCES)[number];
  readonly access: SignalAccess;
};

/** A buyer's reference to a signal: 3.0's `signal_ids` by `source`, 3.1's `signal_refs` by `scope`. */
export type SignalReference =
  | { readonly source: 'catalog'; readonly data_provider_domain: string; readonly id: string }
  | { readonly source: 'agent'; readonly agent_url: string; readonly id: string }
  | { readonly scope: 'data_provider'; readonly data_provider_domain: string; readonly signal_id: string }
  | { readonly scope: 'signal_source'; readonly signal_source_url: string; readonly signal_id: string };

/** Returns the identity of a signal in both vocabularies; `agentUrl` is this agent's. */
export function signalIdentity(
  { signal_id, data_provider_domain }: Pick<Signal, 'signal_id' | 'data_provider_domain'>,
  agentUrl: string,
): { readonly signal_id: SignalReference; readonly signal_ref: SignalReference } {
  if (data_provider_domain === undefined) {
    return {
      signal_id: { source: 'agent', agent_url: agentUrl, id: signal_id },
      signal_ref: { scope: 'signal_source', signal_source_url: agentUrl, signal_id },
    };
  }
  return {
    signal_id: { source: 'catalog', data_provider_domain, id: signal_id },
    signal_ref: { scope: 'data_provider', data_provider_domain, signal_id },
  };
}

/** Returns the text that all references to one signal share. */
export function referenceKey(reference: SignalReference): string {
  if ('scope' in reference) {
    return reference.scope === 'data_provider'
      ? joinKey(reference.data_provider_domain, reference.signal_id)
      : joinKey(canonicalUrl(reference.signal_source_url), reference.signal_id);
  }
  return reference.source === 'catalog'
    ? joinKey(reference.data_provider_domain, reference.id)
    : joinKey(canonicalUrl(reference.agent_url), reference.id);
}

function joinKey(owner: string, id: string): string {
  return JSON.stringify([owner, id]);
}

/** Whether a principal may see and use a signal; to anybody else it does not exist. */
export function isOpenTo({ access }: Pick<Signal, 'access'>, principalId: string | undefined): boolean {
  return access.principals === undefined || (principalId !== undefined && access.principals.includes(principalId));
}

/** Returns the signal of an id, for a principal that may use it. */
export function findOpenSignal(
  signals: ReadonlyMap<string, Signal>,
  segmentId: string,
  principalId: string | undefined,
): Signal | undefined {
  const signal = signals.get(segmentId);
  return signal !== undefined && isOpenTo(signal, principalId) ? signal : undefined;
}

/** Returns a signal as it goes on the wire, under both of its identities. */
export function signalWire(signal: Signal, agentUrl: string): Readonly<Record<string, unknown>> {
  const { access: _access, signal_id: _id, data_provider_domain: _domain, ...shown } = signal;
  const { pricing_options, countries, tags, ...wire } = shown;
  const lists = Object.entries({ pricing_options, countries, tags }).filter(([, list]) => list.length > 0);
  return { ...wire, ...signalIdentity(signal, agentUrl), ...Object.fromEntries(lists) };
}

/** Returns the state of a signal in the wholesale feed. */
export function printSignal(signal: Signal, agentUrl: string): FeedPrint {
  return printEntity(signal.signal_agent_segment_id, signalWire(signal, agentUrl));
}

/** Returns the error of a signal that does not exist, or not for this caller: the same answer. */
export function signalNotFound(field: string): TaskError {
  return new TaskError('SIGNAL_NOT_FOUND', 'There is no such signal for this caller.', {
    field,
    suggestion: 'Call get_signals and use a signal_agent_segment_id from its answer.',
  });
}

/**
 * Returns the price at which a buyer uses a signal; undefined where it has none. Throws INVALID_REQUEST where the buyer has to choose
 * one, VALIDATION_ERROR for one that the signal does not have; `field` is where the choice stands.
 */
export function choosePrice(
  { pricing_options: options }: Pick<Signal, 'pricing_options'>,
  pricingOptionId: string | undefined,
  field: string,
): SignalPrice | undefined {
  const own = options.map((option) => option.pricing_option_id);
  const chosen = options.find((option) => option.pricing_option_id === pricingOptionId);
  if (chosen !== undefined || (own.length === 0 && pricingOptionId === undefined)) return chosen;
  if (pricingOptionId === undefined) {
    throw new TaskError('INVALID_REQUEST', `${field}: is required for a signal that has a price`, {
      field,
      suggestion: `Choose one of the signal's pricing options: ${own.join(', ')}.`,
      details: { allowed_values: own },
    });
  }
  throw new TaskError('VALIDATION_ERROR', 'The signal has no such pricing option.', {
    field,
    suggestion:
      own.length === 0
        ? `Leave ${field} out; this signal has no price of its own.`
        : `Use one of the signal's pricing options: ${own.join(', ')}.`,
    details: { allowed_values: own },
  });
}
