import { isoTime, parseDateTime } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { AUTHORIZATION_TYPES, DELEGATION_TYPES } from '../adagents/types.js';
import { publisherDomain, typedDomain } from './domains.js';
import { agentUrlOf, type Bag, domainOf, MAX_CHARACTERS, MAX_ITEMS, textOf } from './event-payloads.js';
import { type AuthorizationRecord, EVIDENCES, type RecordSelector } from './records.js';

/**
 * Returns the row that an authorization's payload or a row of a snapshot tells; undefined for one that cannot be read. A limit that
 * cannot be read makes the whole row unreadable: left out alone it would widen what the agent may sell.
 */
export function authorizationOf(bag: Bag, now: string): AuthorizationRecord | undefined {
  const agent = agentUrlOf(bag);
  const domain = domainOf(bag, 'publisher_domain');
  const rid = textOf(bag, 'property_rid') ?? null;
  const type = choiceOf(
    bag,
    'authorization_type',
    AUTHORIZATION_TYPES,
    rid === null ? 'publisher_properties' : 'property_ids',
  );
  const evidence = choiceOf(bag, 'evidence', EVIDENCES, 'adagents_json');
  if (agent === undefined || domain === undefined || type === undefined || evidence === undefined) return undefined;
  const limits = limitsOf(bag);
  const selectors = rid === null ? selectorsOf(bag, type, domain) : undefined;
  if (limits === undefined || selectors === 'unreadable') return undefined;
  const id = textOf(bag, 'id') ?? [agent, domain, rid ?? '', type].join(' ');
  return {
    id,
    agent_url: textOf(bag, 'agent_url') ?? agent,
    agent_url_canonical: agent,
    publisher_domain: domain,
    authorization_type: type,
    authorized_for: textOf(bag, 'authorized_for') ?? null,
    property_rid: rid,
    property_id_slug: textOf(bag, 'property_id_slug') ?? null,
    ...(selectors === undefined ? {} : { selectors }),
    ...limits,
    ...(Array.isArray(bag.signing_keys) ? { signing_keys: bag.signing_keys.filter(isObject) } : {}),
    evidence,
    disputed: bag.disputed === true,
    created_by: textOf(bag, 'created_by') ?? null,
    expires_at: textOf(bag, 'expires_at') ?? null,
    created_at: textOf(bag, 'created_at') ?? now,
    updated_at: textOf(bag, 'updated_at') ?? now,
  };
}

type Limits = Pick<
  AuthorizationRecord,
  | 'placement_ids'
  | 'placement_tags'
  | 'collections'
  | 'countries'
  | 'delegation_type'
  | 'exclusive'
  | 'effective_from'
  | 'effective_until'
>;

function limitsOf(bag: Bag): Limits | undefined {
  const limits: Record<string, unknown> = {};
  for (const [key, read] of LIMITS) {
    const value = bag[key];
    if (value === undefined || value === null) continue;
    const limit = read(value);
    if (limit === undefined) return undefined;
    limits[key] = limit;
  }
  const { expires_at } = bag;
  if (expires_at !== undefined && expires_at !== null && instantOf(expires_at) === undefined) return undefined;
  return limits;
}

/** What narrows a row, and how each member is read; undefined for what cannot be. */
const LIMITS: readonly (readonly [key: keyof Limits, read: (value: unknown) => unknown])[] = [
  ['placement_ids', textsOf],
  ['placement_tags', textsOf],
  ['collections', collectionLimit],
  ['countries', (value) => textsOf(value)?.map((country) => country.toUpperCase())],
  ['delegation_type', (value) => DELEGATION_TYPES.find((one) => one === value)],
  ['exclusive', (value) => (typeof value === 'boolean' ? value : undefined)],
  ['effective_from', instantOf],
  ['effective_until', instantOf],
];

function instantOf(value: unknown): string | undefined {
  const ms = typeof value === 'string' ? parseDateTime(value) : undefined;
  return ms === undefined ? undefined : isoTime(ms);
}

function collectionLimit(value: unknown): AuthorizationRecord['collections'] {
  if (!Array.isArray(value)) return undefined;
  const collections = value.map((one) => {
    const domain = isObject(one) ? domainOf(one, 'publisher_domain') : undefined;
    const ids = isObject(one) ? textsOf(one.collection_ids) : undefined;
    return domain === undefined || ids === undefined ? undefined : { publisher_domain: domain, collection_ids: ids };
  });
  return collections.every((one) => one !== undefined) ? collections : undefined;
}

/** Returns what a publisher-wide row picks. A kind that has to name something and does not picks nothing that anybody could know. */
function selectorsOf(
  bag: Bag,
  type: AuthorizationRecord['authorization_type'],
  domain: string,
): readonly RecordSelector[] | 'unreadable' | undefined {
  if (bag.selectors !== undefined) return listOf(bag.selectors, (one) => selectorOf(one));
  switch (type) {
    case 'property_ids':
      return listOf([{ ...bag, selection_type: 'by_id' }], selectorOf);
    case 'property_tags':
      return listOf([{ ...bag, selection_type: 'by_tag' }], selectorOf);
    case 'inline_properties':
      return 'unreadable';
    case 'publisher_properties': {
      if (bag.publisher_properties === undefined) return undefined;
      const addressed = Array.isArray(bag.publisher_properties)
        ? bag.publisher_properties.filter((one) => isObject(one) && isAddressedTo(one, domain))
        : bag.publisher_properties;
      return listOf(addressed, selectorOf);
    }
    case 'signal_ids':
    case 'signal_tags':
      return undefined;
  }
}

function isAddressedTo(selector: Bag, domain: string): boolean {
  const many = textsOf(selector.publisher_domains)?.flatMap((one) => typedDomain(one) ?? []) ?? [];
  return domainOf(selector, 'publisher_domain') === domain || many.some((one) => publisherDomain(one) === domain);
}

function selectorOf(bag: Bag): RecordSelector | undefined {
  switch (bag.selection_type) {
    case 'all':
      return { selection_type: 'all' };
    case 'by_id': {
      const property_ids = textsOf(bag.property_ids);
      return property_ids && { selection_type: 'by_id', property_ids };
    }
    case 'by_tag': {
      const property_tags = textsOf(bag.property_tags);
      return property_tags && { selection_type: 'by_tag', property_tags };
    }
    default:
      return undefined;
  }
}

function listOf<T>(value: unknown, read: (bag: Bag) => T | undefined): readonly T[] | 'unreadable' {
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return 'unreadable';
  const items: T[] = [];
  for (const one of value) {
    const item = isObject(one) ? read(one) : undefined;
    if (item === undefined) return 'unreadable';
    items.push(item);
  }
  return items;
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return undefined;
  return value.every((one) => typeof one === 'string' && one.length <= MAX_CHARACTERS) ? value : undefined;
}

function choiceOf<T extends string>(bag: Bag, key: string, among: readonly T[], absent: T): T | undefined {
  const value = bag[key];
  return value === undefined || value === null ? absent : among.find((one) => one === value);
}
