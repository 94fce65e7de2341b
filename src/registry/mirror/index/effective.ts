import type { EffectiveAdagents } from '../../adagents/discovery.js';
import type {
  AdagentsFile,
  AuthorizedAgent,
  Placement,
  Property,
  PropertyIdentifier,
  Scope,
  Selection,
} from '../../adagents/types.js';
import { MOST_RIVALS } from '../../authorization/exclusive.js';
import type { Declarable } from '../../authorization/operator.js';
import { hostPattern } from '../../model/domains.js';
import type { AuthorizationRecord, PlacementRecord, RecordSelector } from '../../model/records.js';
import { coversProperty, hasExclusive, listOf } from './judge.js';
import { CODES, FOR_SIGNALS, INLINE, type Tables } from './tables.js';

/** Files that were written down from the tables: few are asked about at a time. */
const MOST_FILES = 64;
type Kept = { readonly version: number; readonly effective: EffectiveAdagents };
const files = new WeakMap<Tables, Map<number, Kept>>();

/**
 * The file of a publisher as the tables tell it: every row is an entry, which names it as its place. Names of properties are not in the
 * tables; their ids or identifiers stand for them. Undefined for a publisher without a file.
 */
export function effectiveFrom(tables: Tables, publisher: number): EffectiveAdagents | undefined {
  const known = files.get(tables) ?? new Map<number, Kept>();
  files.set(tables, known);
  const version = tables.domainVersion.at(publisher);
  const before = known.get(publisher);
  if (before?.version === version) return before.effective;
  const effective = effectiveOf(tables, publisher, () => {
    const properties = propertiesOf(tables, publisher);
    return { properties, agents: entriesOf(tables, publisher, properties) };
  });
  if (effective === undefined) return undefined;
  if (known.size >= MOST_FILES) known.clear();
  known.set(publisher, { version, effective });
  return effective;
}

/** What one question is about. */
export type Excerpt = {
  readonly agent: number;
  /** The careless spelling of the agent. */
  readonly alike: number;
  /** Rows of the publisher's properties that may be meant. */
  readonly meant: readonly number[];
  /** Those of them that matter for the agent, and are told about. */
  readonly properties: readonly number[];
  /** Milliseconds. */
  readonly at: number;
};

/** Most entries of the agent that an excerpt looks at, and most of those that do not cover what is asked for. */
const MOST_ENTRIES = 2000;
const MOST_BESIDE = 20;

/**
 * As much of the file as one question needs, for the whole rule and for explanations: the properties that may be meant and those that
 * share their ids, the entries of the agent, and whoever may stand against it. Undefined for a publisher without a file.
 */
export function excerptFrom(tables: Tables, publisher: number, excerpt: Excerpt): EffectiveAdagents | undefined {
  const { agent, alike } = excerpt;
  const rivals = rivalsOf(tables, publisher, excerpt);
  const effective = effectiveOf(tables, publisher, () => {
    const meant = [...excerpt.properties, ...(rivals ?? []).map(({ property }) => property)];
    const properties = withTwins(tables, publisher, meant).map((row) => ({ row, property: propertyFrom(tables, row) }));
    const own = new Map(properties.map(({ row, property }) => [tables.propertyRid.at(row), property]));
    const rows = rowsOf(tables, publisher, agent, excerpt.properties);
    const named = rows.length === 0 ? stranger(tables, publisher, alike) : rows;
    const agents = [...named, ...(rivals ?? []).map(({ row }) => row)].map((row) =>
      entryOf(tables, publisher, row, own.get(tables.rowRid.at(row))),
    );
    return { properties, agents };
  });
  return effective === undefined || rivals !== undefined ? effective : { ...effective, isUnclear: true };
}

type Content = { readonly properties: readonly Listed[]; readonly agents: readonly AuthorizedAgent[] };

function effectiveOf(tables: Tables, publisher: number, read: () => Content): EffectiveAdagents | undefined {
  const standing = CODES.standing[tables.domainStanding.at(publisher) - 1];
  if (standing === undefined || standing === 'none') return undefined;
  const domain = tables.domains.text(publisher);
  const { agents, properties } = read();
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
    agents,
    revoked: standing === 'revoked' ? new Map([[domain, undefined]]) : new Map(),
    formats: [],
    signals: [],
  };
  return { publisherDomain: domain, method: 'direct', url: `the snapshot`, file };
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
function propertyFrom(tables: Tables, row: number): Property {
  const slug = tables.propertySlug.at(row);
  const tags = tables.propertyTags.at(row);
  const identifiers = identifiersFrom(tables, row);
  const rid = tables.rids.text(tables.propertyRid.at(row));
  return {
    ...(slug === 0 ? {} : { property_id: tables.words.text(slug) }),
    property_type: typeOf(tables, row),
    name: slug === 0 ? (identifiers[0]?.value ?? rid) : tables.words.text(slug),
    identifiers,
    tags: tags === 0 ? [] : listOf<string>(tables, tags),
    publisher_domain: tables.domains.text(tables.propertyDomain.at(row)),
    hosts: hostsOf(identifiers),
    pointer: rid,
  };
}

/** As much of a property as an operator can declare, beside a host that is asked for where there is one. */
export function declarableFrom(tables: Tables, row: number, host: string | undefined): Declarable {
  const identifiers = identifiersFrom(tables, row);
  return { property_type: typeOf(tables, row), identifiers, hosts: host === undefined ? hostsOf(identifiers) : [] };
}

function typeOf(tables: Tables, row: number): Property['property_type'] {
  return CODES.property[tables.propertyType.at(row) - 1] ?? 'website';
}

function hostsOf(identifiers: readonly PropertyIdentifier[]): Property['hosts'] {
  return identifiers.flatMap(({ type, value }) =>
    type === 'domain' || type === 'subdomain' ? (hostPattern(value) ?? []) : [],
  );
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
  const byRid = new Map(properties.map(({ row, property }) => [tables.propertyRid.at(row), property]));
  const found: AuthorizedAgent[] = [];
  // Rows have no chain by publisher, and looking each pair of agent and property up would be far more than all rows.
  for (let row = 1; row < tables.rowDomain.length; row += 1) {
    if (tables.rowDomain.cells[row] !== publisher || tables.rowAgent.cells[row] === 0) continue;
    const rid = tables.rowRid.at(row);
    const property = byRid.get(rid);
    if (rid === 0 || property !== undefined) found.push(entryOf(tables, publisher, row, property));
  }
  return found;
}

/** Properties with those that share an id with one of them: two of an id are enough to know that it stands for none. */
function withTwins(tables: Tables, publisher: number, properties: readonly number[]): readonly number[] {
  const found = new Set(properties);
  for (const property of properties) {
    const slug = tables.propertySlug.at(property);
    if (slug === 0) continue;
    let [row, others] = [tables.slugs.find(publisher, slug), 0];
    for (; row !== 0 && others < 2; row = tables.nextOfSlug.at(row)) {
      if ((tables.propertyFlags.at(row) & INLINE) === 0) others += Number(row !== property);
      found.add(row);
    }
  }
  return [...found].filter((row) => tables.propertyDomain.at(row) === publisher);
}

/** Rows of an agent: those for the properties, and the wide ones, of which not all that are for something else. */
function rowsOf(tables: Tables, publisher: number, agent: number, properties: readonly number[]): readonly number[] {
  const pair = tables.pairs.find(agent, publisher);
  const found = properties.flatMap((property) => grantsOf(tables, publisher, agent, property));
  let [seen, beside] = [0, 0];
  for (let row = tables.pairWide.at(pair); row !== 0 && seen < MOST_ENTRIES; row = tables.nextOfKey.at(row)) {
    const isNear = properties.some((property) => coversProperty(tables, publisher, row, property));
    if (isNear || beside < MOST_BESIDE) found.push(row);
    seen += 1;
    beside += isNear ? 0 : 1;
  }
  // An agent with rows for other properties is still one that the file names, and whether more than once counts.
  for (let at = tables.domainProperty.at(publisher); at !== 0 && isShort(); at = tables.nextOfDomain.at(at)) {
    if (!properties.includes(at)) found.push(...grantsOf(tables, publisher, agent, at));
  }
  return found;

  function isShort(): boolean {
    return found.length < Math.min(2, tables.pairRows.at(pair));
  }
}

function grantsOf(tables: Tables, publisher: number, agent: number, property: number): readonly number[] {
  const found: number[] = [];
  const rid = tables.propertyRid.at(property);
  for (let row = tables.grants.find(agent, rid); row !== 0; row = tables.nextOfKey.at(row)) {
    if (tables.rowDomain.at(row) === publisher) found.push(row);
  }
  return found;
}

/** A row that grants a property exclusively to somebody else. */
type Rival = { readonly row: number; readonly property: number };

/** Most looks for rivals, some ten milliseconds. */
const MOST_LOOKS = 200_000;

/** Rivals for the properties that may be meant, as many as the rule looks at; undefined when there is too much to look through. */
function rivalsOf(tables: Tables, publisher: number, { agent, at, meant }: Excerpt): readonly Rival[] | undefined {
  const found: Rival[] = [];
  if (tables.domainExclusive.at(publisher) === 0) return found;
  let looks = 0;
  const isRival = (row: number): boolean => {
    const term = tables.rowTerm.at(row);
    return hasExclusive(tables, term) && tables.termFrom.at(term) <= at && at < tables.termUntil.at(term);
  };
  for (let pair = tables.domainPair.at(publisher); pair !== 0; pair = tables.nextAtDomain.at(pair)) {
    const other = tables.pairAgent.at(pair);
    if (other === agent || tables.pairRows.at(pair) === 0) continue;
    for (const property of meant) {
      for (const row of grantsOf(tables, publisher, other, property)) if (isRival(row)) found.push({ row, property });
    }
    looks += meant.length;
    for (let row = tables.pairWide.at(pair); row !== 0; row = tables.nextOfKey.at(row)) {
      if (!isRival(row)) continue;
      const position = meant.findIndex((property) => coversProperty(tables, publisher, row, property));
      const property = meant[position];
      if (property !== undefined) found.push({ row, property });
      looks += position === -1 ? meant.length : position;
      if (looks > MOST_LOOKS) return undefined;
    }
    if (looks > MOST_LOOKS) return undefined;
    if (found.length > MOST_RIVALS) break;
  }
  return found;
}

/** A row of whoever has this careless spelling, else of anybody: a file that names somebody is not one that names nobody. */
function stranger(tables: Tables, publisher: number, alike: number): readonly number[] {
  let anybody: readonly number[] = [];
  for (let pair = tables.domainPair.at(publisher); pair !== 0; pair = tables.nextAtDomain.at(pair)) {
    if (tables.pairRows.at(pair) === 0) continue;
    const other = tables.pairAgent.at(pair);
    const isAlike = alike !== 0 && tables.agentCareless.at(other) === alike;
    if (!isAlike && anybody.length > 0) continue;
    const rows = rowsOf(tables, publisher, other, []).slice(0, 1);
    if (isAlike) return rows;
    anybody = rows;
  }
  return anybody;
}

function entryOf(tables: Tables, publisher: number, row: number, property: Property | undefined): AuthorizedAgent {
  if (tables.rowRid.at(row) === 0) return entryFrom(tables, row, wideScope(tables, publisher, row));
  const properties = property === undefined ? [] : [property];
  return entryFrom(tables, row, { authorization_type: 'inline_properties', properties });
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
