import { HOST_NAME } from '../../../../platform/net/url.js';
import type { InventorySource, ListRules, PropertyId, ResolvedEntry } from './inventory-list.js';
import { candidatesOf, hasMetadataFilter, type PropertyCandidate, propertyKey } from './resolve.js';

/** A list's verdict on an identifier that impressions were delivered to. */
export type DeliveryStatus = 'compliant' | 'non_compliant' | 'not_covered' | 'unidentified';

/** Whether a seller was authorized by the file of a property's publisher. */
export type AuthorizationStatus = 'authorized' | 'unauthorized' | 'unknown';

/** A check of a record: what was looked at, and what came of it. */
type DeliveryFeature = {
  readonly feature_id: 'record:list_membership' | 'record:excluded';
  readonly status: 'passed' | 'failed' | 'unevaluated';
  readonly explanation: string;
};

/** The verdict of a list on an identifier, and its publisher, where that is known. */
type DeliveryVerdict = {
  readonly status: DeliveryStatus;
  readonly features: readonly DeliveryFeature[];
  readonly publisher: string | undefined;
};

/** A list, and the entries that it held when it was resolved last. */
type ResolvedList = { readonly rules: ListRules; readonly entries: readonly ResolvedEntry[] };

/** Types of identifiers that name the same thing everywhere, without a word of a publisher: web hosts. */
const HOSTS: ReadonlySet<string> = new Set(['domain', 'subdomain']);

/** Judges delivery by a property list: what it holds, and what is known of the identifiers that are not on it. */
export class DeliveryJudge {
  readonly #source: InventorySource;
  readonly #listed: ReadonlySet<string>;
  readonly #excluded: ReadonlySet<string>;
  readonly #named: ReadonlySet<string>;
  readonly #candidates: ReadonlyMap<string, PropertyCandidate>;
  /** Types of the identifiers that this agent can compare anything with. */
  readonly #types: ReadonlySet<string>;
  /** The publishers that the list selects from and whose files nobody here knows. */
  readonly #missing: readonly string[];
  readonly #needsMetadata: boolean;

  constructor({ entries, rules: { base = [], filters } }: ResolvedList, source: InventorySource) {
    const ids = entries.flatMap((entry) => ('value' in entry ? [entry] : []));
    const named = base.flatMap((one) => ('identifiers' in one ? (one.identifiers as readonly PropertyId[]) : []));
    const domains = base.flatMap((one) => ('publisher_domain' in one ? [one.publisher_domain] : []));
    const selected = domains.flatMap((domain) => source.of(domain) ?? []);
    const candidates = [...selected, ...source.all()].flatMap((inventory) =>
      inventory.properties.flatMap((property) => candidatesOf(property, inventory)),
    );
    this.#source = source;
    this.#listed = new Set(ids.map(propertyKey));
    this.#excluded = new Set((filters?.exclude_identifiers ?? []).map(propertyKey));
    this.#named = new Set(named.map(propertyKey));
    this.#candidates = new Map(candidates.map((one) => [propertyKey(one.id), one]));
    this.#types = new Set([...ids, ...named, ...candidates.map(({ id }) => id)].map(({ type }) => type));
    this.#missing = [...new Set(domains)].filter((domain) => source.of(domain) === undefined);
    this.#needsMetadata = hasMetadataFilter(filters);
  }

  /** Returns what the list says of an identifier. */
  judge(id: PropertyId): DeliveryVerdict {
    const key = propertyKey(id);
    const candidate = this.#candidates.get(key);
    const publisher = candidate?.publisher ?? this.#source.publishersOf(id)[0];
    if (isOn(this.#excluded, id)) return createVerdict('non_compliant', publisher, EXCLUDED);
    if (isOn(this.#listed, id)) return createVerdict('compliant', publisher, LISTED);
    if (publisher !== undefined && candidate !== undefined) return createVerdict('non_compliant', publisher, UNLISTED);
    if (HOSTS.has(id.type) ? !isHost(id.value) : publisher === undefined && !this.#types.has(id.type))
      return createVerdict('unidentified', publisher, UNKNOWN_TYPE);
    const isOfOthers = publisher !== undefined && !this.#missing.includes(publisher);
    if (this.#missing.length > 0 && !isOfOthers)
      return createVerdict('not_covered', publisher, nameMissing(this.#missing));
    if (this.#needsMetadata && this.#named.has(key)) return createVerdict('not_covered', publisher, NO_METADATA);
    return createVerdict('non_compliant', publisher, UNLISTED);
  }
}

const MEMBERSHIP = 'record:list_membership';
const LISTED: DeliveryFeature = { feature_id: MEMBERSHIP, status: 'passed', explanation: 'It is on the list.' };
const UNLISTED: DeliveryFeature = { feature_id: MEMBERSHIP, status: 'failed', explanation: 'It is not on the list.' };
const EXCLUDED: DeliveryFeature = {
  feature_id: 'record:excluded',
  status: 'failed',
  explanation: 'The list excludes this identifier.',
};
const UNKNOWN_TYPE: DeliveryFeature = {
  feature_id: MEMBERSHIP,
  status: 'unevaluated',
  explanation: 'This agent cannot tell which property this identifier is of.',
};
const NO_METADATA: DeliveryFeature = {
  feature_id: MEMBERSHIP,
  status: 'unevaluated',
  explanation: 'The list names it, and nothing is known here that its filters could be held against.',
};

/** Most publishers that an explanation names. */
const MAX_NAMED = 5;

function nameMissing(domains: readonly string[]): DeliveryFeature {
  const names = domains.slice(0, MAX_NAMED).join(', ');
  return {
    feature_id: MEMBERSHIP,
    status: 'unevaluated',
    explanation: `It is not among what is known of the list, and what these publishers declare is not known here: ${names}.`,
  };
}

function createVerdict(
  status: DeliveryStatus,
  publisher: string | undefined,
  feature: DeliveryFeature,
): DeliveryVerdict {
  return { status, features: [feature], publisher };
}

/** Whether an identifier is among some: a host also where a pattern such as `*.example.com` stands for what lies below its domain. */
function isOn(keys: ReadonlySet<string>, id: PropertyId): boolean {
  if (keys.has(propertyKey(id))) return true;
  if (!HOSTS.has(id.type) || !isHost(id.value)) return false;
  const labels = id.value.toLowerCase().split('.');
  return labels.some((_label, at) => at > 0 && keys.has(`host *.${labels.slice(at).join('.')}`));
}

/** The most characters of a host's name. */
const MAX_HOST = 253;

function isHost(value: string): boolean {
  return value.length <= MAX_HOST && value.includes('.') && HOST_NAME.test(value.toLowerCase());
}
