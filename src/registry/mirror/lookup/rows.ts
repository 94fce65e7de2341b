import type { AuthorizedAgent, Placement, Property, Scope, Selection } from '../../adagents/types.js';
import { selectionOf } from '../../authorization/product.js';
import { type HostPattern, hostPattern } from '../../model/domains.js';
import type { PlacementRecord } from '../../model/records.js';
import type { GrantRow, PropertyRow } from '../../store/lookups/reads/rows.js';
import type { GrantTerms } from '../../store/lookups/terms.js';

/** A row's terms, read of their JSON for all rows that share them. */
export type ReadTerms = {
  /** What a row that names no property picks; undefined for signals. */
  readonly selections: readonly Selection[] | undefined;
  /** What an entry says beside whom and what it names. */
  readonly limits: Omit<AuthorizedAgent, 'url' | 'canonicalUrl' | 'scope' | 'pointer'>;
};

/** Reads terms of their JSON. */
export function readTerms(doc: string): ReadTerms {
  const terms = JSON.parse(doc) as GrantTerms;
  const { authorization_type: type, collections, countries, delegation_type, placement_ids, placement_tags } = terms;
  const isForSignals = type === 'signal_ids' || type === 'signal_tags';
  const selectors = terms.selectors ?? [{ selection_type: 'all' }];
  return {
    selections: isForSignals ? undefined : selectors.map(selectionOf),
    limits: {
      authorized_for: '',
      collections: collections?.map((one) => ({ ...one, collection_ids: new Set(one.collection_ids) })),
      placement_ids: placement_ids && new Set(placement_ids),
      placement_tags: placement_tags && new Set(placement_tags),
      countries: countries && new Set(countries),
      delegation_type,
      exclusive: terms.exclusive === true,
      effectiveFrom: terms.from,
      effectiveUntil: terms.until,
      signing_keys: [],
    },
  };
}

/** Whom and what a row names. */
type GrantNames = {
  readonly url: string;
  readonly domain: string;
  /** The property that it names, where it is one of those that matter. */
  readonly property: Property | undefined;
};

/** Returns a row as the entry of a file, which names the row as its place. */
export function entryFromRow(
  { rid, row_id }: GrantRow,
  { selections, limits }: ReadTerms,
  names: GrantNames,
): AuthorizedAgent {
  const { url, domain, property } = names;
  return { url, canonicalUrl: url, scope: scopeOf(), pointer: row_id, ...limits };

  function scopeOf(): Scope {
    if (rid !== '')
      return { authorization_type: 'inline_properties', properties: property === undefined ? [] : [property] };
    if (selections === undefined) return { authorization_type: 'signal_ids', signal_ids: new Set() };
    const domains = new Set([domain]);
    return {
      authorization_type: 'publisher_properties',
      selectors: selections.map((selection) => ({ domains, selection })),
    };
  }
}

/** Returns rows as the properties of a file. Names of properties are not looked up; ids or identifiers stand for them. */
export function propertiesFromRows(rows: readonly PropertyRow[], publisherDomain: string): readonly Property[] {
  // Thousands of properties may share a host.
  const patterns = new Map<string, HostPattern | undefined>();
  const patternOf = (value: string): HostPattern | undefined => {
    if (!patterns.has(value)) patterns.set(value, hostPattern(value));
    return patterns.get(value);
  };
  const hostsOf = (identifiers: Property['identifiers']): readonly HostPattern[] => {
    const hosts: HostPattern[] = [];
    for (const { type, value } of identifiers) {
      const pattern = type === 'domain' || type === 'subdomain' ? patternOf(value) : undefined;
      if (pattern !== undefined) hosts.push(pattern);
    }
    return hosts;
  };
  return rows.map((row) => {
    const identifiers = JSON.parse(row.identifiers) as Property['identifiers'];
    return {
      property_id: row.property_id ?? undefined,
      property_type: row.type as Property['property_type'],
      name: row.property_id ?? identifiers[0]?.value ?? row.rid,
      identifiers,
      tags: row.tags === '[]' ? [] : (JSON.parse(row.tags) as readonly string[]),
      publisher_domain: publisherDomain,
      hosts: hostsOf(identifiers),
      pointer: row.rid,
    };
  });
}

/** Returns the placements of a publisher, of their JSON. */
export function placementsFromJson(text: string | null): readonly Placement[] {
  if (text === null) return [];
  return (JSON.parse(text) as readonly PlacementRecord[]).map((one) => ({ ...one, pointer: one.placement_id }));
}
