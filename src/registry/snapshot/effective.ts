import type { EffectiveAdagents } from '../adagents-discovery.js';
import type {
  AdagentsFile,
  AuthorizedAgent,
  Placement,
  Property,
  PropertyIdentifier,
  Scope,
  Selection,
} from '../adagents-types.js';
import { hostPattern } from '../domains.js';
import type { AuthorizationRecord, PlacementRecord, RecordSelector } from '../records.js';
import { hasExclusive, listOf } from './judge.js';
import { CODES, FOR_SIGNALS, INLINE, type Tables } from './tables.js';

/** Files that were written down from the tables: few are asked about at a time. */
const MOST_FILES = 64;
type Kept = { readonly version: number; readonly effective: EffectiveAdagents };
const files = new WeakMap<Tables, Map<number, Kept>>();

/**
 * The file of a publisher as the tables tell it, for the whole rule and for explanations: every row is an entry, which names it as its
 * place. Names of properties are not in the tables; their ids or identifiers stand for them.
 */
export function effectiveFrom(tables: Tables, publisher: number): EffectiveAdagents | undefined {
  const standing = CODES.standing[tables.domainStanding.at(publisher) - 1];
  if (standing === undefined || standing === 'none') return undefined;
  const known = files.get(tables) ?? new Map<number, Kept>();
  files.set(tables, known);
  const version = tables.domainVersion.at(publisher);
  const before = known.get(publisher);
  if (before?.version === version) return before.effective;
  const domain = tables.domains.text(publisher);
  const properties = propertiesOf(tables, publisher);
  const file: AdagentsFile = {
    domain,
    isSuperseded: standing === 'superseded',
    isCommunity: standing === 'catalogue',
    properties: properties
      .filter(({ row }) => (tables.propertyFlags.at(row) & INLINE) === 0)
      .map(({ property }) => property),
    // Whoever wrote the records has put down the site of a publisher that lists nothing.
    unreadProperties: 1,
    collections: [],
    placements: placementsOf(tables, publisher),
    agents: entriesOf(tables, publisher, properties),
    revoked: standing === 'revoked' ? new Map([[domain, undefined]]) : new Map(),
    formats: [],
    signals: [],
  };
  const effective: EffectiveAdagents = { publisherDomain: domain, method: 'direct', url: `the snapshot`, file };
  if (known.size >= MOST_FILES) known.clear();
  known.set(publisher, { version, effective });
  return effective;
}

type Listed = { readonly row: number; readonly property: Property };

function propertiesOf(tables: Tables, publisher: number): readonly Listed[] {
  const found: Listed[] = [];
  for (let row = tables.domainProperty.at(publisher); row !== 0; row = tables.nextOfDomain.at(row)) {
    found.push({ row, property: propertyFrom(tables, row) });
  }
  return found;
}

/** A property of the tables. */
export function propertyFrom(tables: Tables, row: number): Property {
  const slug = tables.propertySlug.at(row);
  const tags = tables.propertyTags.at(row);
  const identifiers = identifiersFrom(tables, row);
  const rid = tables.rids.text(tables.propertyRid.at(row));
  return {
    ...(slug === 0 ? {} : { property_id: tables.words.text(slug) }),
    property_type: CODES.property[tables.propertyType.at(row) - 1] ?? 'website',
    name: slug === 0 ? (identifiers[0]?.value ?? rid) : tables.words.text(slug),
    identifiers,
    tags: tags === 0 ? [] : listOf<string>(tables, tags),
    publisher_domain: tables.domains.text(tables.propertyDomain.at(row)),
    hosts: identifiers.flatMap(({ type, value }) =>
      type === 'domain' || type === 'subdomain' ? (hostPattern(value) ?? []) : [],
    ),
    pointer: rid,
  };
}

/** The identifiers of a property, in the order in which they were listed. */
export function identifiersFrom(tables: Tables, row: number): readonly PropertyIdentifier[] {
  const found: PropertyIdentifier[] = [];
  for (let one = tables.propertyIdentifier.at(row); one !== 0; one = tables.nextOfProperty.at(one)) {
    const type = CODES.identifier[tables.identifierType.at(one) - 1];
    if (type !== undefined) found.push({ type, value: tables.values.text(tables.identifierValue.at(one)) });
  }
  return found.reverse();
}

function placementsOf(tables: Tables, publisher: number): readonly Placement[] {
  const word = tables.domainPlacements.at(publisher);
  return word === 0 ? [] : listOf<PlacementRecord>(tables, word).map((one) => ({ ...one, pointer: one.placement_id }));
}

function entriesOf(tables: Tables, publisher: number, properties: readonly Listed[]): readonly AuthorizedAgent[] {
  const found: AuthorizedAgent[] = [];
  for (let pair = tables.domainPair.at(publisher); pair !== 0; pair = tables.nextAtDomain.at(pair)) {
    const agent = tables.pairAgent.at(pair);
    if (tables.pairRows.at(pair) === 0) continue;
    for (let row = tables.pairWide.at(pair); row !== 0; row = tables.nextOfKey.at(row)) {
      found.push(entryFrom(tables, row, wideScope(tables, publisher, row)));
    }
    for (const { row: at, property } of properties) {
      const rid = tables.propertyRid.at(at);
      for (let row = tables.grants.find(agent, rid); row !== 0; row = tables.nextOfKey.at(row)) {
        if (tables.rowDomain.at(row) !== publisher) continue;
        found.push(entryFrom(tables, row, { authorization_type: 'inline_properties', properties: [property] }));
      }
    }
  }
  return found;
}

function wideScope(tables: Tables, publisher: number, row: number): Scope {
  const term = tables.rowTerm.at(row);
  if ((tables.termFlags.at(term) & FOR_SIGNALS) !== 0) {
    return { authorization_type: 'signal_ids', signal_ids: new Set() };
  }
  const word = tables.termSelectors.at(term);
  const picks: readonly RecordSelector[] =
    word === 0 ? [{ selection_type: 'all' }] : listOf<RecordSelector>(tables, word);
  const domains = new Set([tables.domains.text(publisher)]);
  return {
    authorization_type: 'publisher_properties',
    selectors: picks.map((pick) => ({ domains, selection: selectionOf(pick) })),
  };
}

function selectionOf(pick: RecordSelector): Selection {
  switch (pick.selection_type) {
    case 'all':
      return pick;
    case 'by_id':
      return { ...pick, property_ids: new Set(pick.property_ids) };
    case 'by_tag':
      return { ...pick, property_tags: new Set(pick.property_tags) };
  }
}

function entryFrom(tables: Tables, row: number, scope: Scope): AuthorizedAgent {
  const term = tables.rowTerm.at(row);
  const url = tables.agents.text(tables.rowAgent.at(row));
  const [from, until] = [tables.termFrom.at(term), tables.termUntil.at(term)];
  const countries = tables.termCountries.at(term);
  const delegation = CODES.delegation[tables.termDelegation.at(term) - 1];
  const word = tables.termLimits.at(term);
  const limits = word === 0 ? {} : (JSON.parse(tables.words.text(word)) as Limits);
  return {
    url,
    canonicalUrl: url,
    authorized_for: '',
    scope,
    ...(limits.collections === undefined
      ? {}
      : {
          collections: limits.collections.map((one) => ({ ...one, collection_ids: new Set(one.collection_ids) })),
        }),
    ...(limits.placement_ids === undefined ? {} : { placement_ids: new Set(limits.placement_ids) }),
    ...(limits.placement_tags === undefined ? {} : { placement_tags: new Set(limits.placement_tags) }),
    ...(countries === 0 ? {} : { countries: new Set(listOf<string>(tables, countries)) }),
    ...(delegation === undefined ? {} : { delegation_type: delegation }),
    exclusive: hasExclusive(tables, term),
    ...(from === Number.NEGATIVE_INFINITY ? {} : { effectiveFrom: from }),
    ...(until === Number.POSITIVE_INFINITY ? {} : { effectiveUntil: until }),
    signing_keys: [],
    pointer: tables.rowIds.text(tables.rowId.at(row)),
  };
}

type Limits = Pick<AuthorizationRecord, 'placement_ids' | 'placement_tags' | 'collections'>;
