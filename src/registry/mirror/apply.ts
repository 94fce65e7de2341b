import { parseDateTime } from '../../platform/kernel/clock.js';
import { isUrl } from '../../platform/net/url.js';
import { carelessSpelling } from '../model/agent-url.js';
import { domainName, hostPattern, isWithin, registrableDomain } from '../model/domains.js';
import type {
  AliasChange,
  AuthorizationRecord,
  BrandRecord,
  PropertyRecord,
  PublisherRecord,
  RecordChange,
} from '../model/records.js';
import {
  CODES,
  COUNTERS,
  codeOf,
  count,
  EXCLUSIVE,
  FOR_SIGNALS,
  freeRow,
  HAS_LIMITS,
  INLINE,
  OWN_HOST,
  type Tables,
  takeRow,
} from './index/tables.js';

/** Evidence that authorizes: the publisher's own word, or the registry's in its place (facts 2.4). */
const AUTHORISING: ReadonlySet<AuthorizationRecord['evidence']> = new Set([
  'adagents_json',
  'adagents_authoritative',
  'override',
] as const);

/** Follows a change of a record. Agents and collections are not in the tables: nothing that has to be quick asks for them. */
export function applyChange(tables: Tables, change: RecordChange | AliasChange): void {
  if (change.noun === 'publisher') applyPublisher(tables, change.id, change.record);
  else if (change.noun === 'property') applyProperty(tables, change.id, change.record);
  else if (change.noun === 'authorization') applyAuthorization(tables, change.id, change.record);
  else if (change.noun === 'brand') applyBrand(tables, change.id, change.record);
  else if (change.noun === 'alias') applyAlias(tables, change);
}

function touch(tables: Tables, domain: number): void {
  tables.domainVersion.set(domain, tables.domainVersion.at(domain) + 1);
}

function applyPublisher(tables: Tables, id: string, record: PublisherRecord | undefined): void {
  const domain = tables.domains.add(id);
  const before = tables.domainStanding.at(domain);
  const standing = codeOf(CODES.standing, record?.standing);
  count(tables, COUNTERS.publishers, Number(standing !== 0) - Number(before !== 0));
  tables.domainStanding.set(domain, standing);
  const { placements = [] } = record ?? {};
  tables.domainPlacements.set(domain, placements.length === 0 ? 0 : tables.words.add(JSON.stringify(placements)));
  touch(tables, domain);
}

function applyBrand(tables: Tables, id: string, record: BrandRecord | undefined): void {
  const domain = tables.domains.add(id);
  const { brand_json } = record ?? {};
  tables.domainBrand.set(domain, brand_json === undefined ? 0 : tables.words.add(JSON.stringify(brand_json)));
}

function applyProperty(tables: Tables, id: string, record: PropertyRecord | undefined): void {
  const rid = tables.rids.add(id);
  const before = tables.ridProperty.at(rid);
  if (before !== 0) dropProperty(tables, rid, before);
  if (record === undefined || record.status === 'stale') return;
  const row = takeRow(tables, COUNTERS.freeProperty, tables.nextOfDomain, tables.propertyRid);
  const domain = tables.domains.add(record.publisher_domain);
  const slug = record.property_id === null ? 0 : tables.words.add(record.property_id);
  tables.propertyRid.set(row, rid);
  tables.propertyDomain.set(row, domain);
  tables.propertySlug.set(row, slug);
  tables.propertyTags.set(row, record.tags.length === 0 ? 0 : tables.words.add(JSON.stringify(record.tags)));
  tables.propertyFlags.set(row, record.inline === true ? INLINE : 0);
  tables.propertyType.set(row, codeOf(CODES.property, record.property_type));
  tables.propertyIdentifier.set(row, 0);
  link(tables.nextOfDomain, tables.prevOfDomain, tables.domainProperty.at(domain), row);
  tables.domainProperty.set(domain, row);
  const first = slug === 0 ? 0 : tables.slugs.find(domain, slug);
  link(tables.nextOfSlug, tables.prevOfSlug, first, row);
  if (slug !== 0) tables.slugs.put(row, first);
  tables.ridProperty.set(rid, row);
  for (const { type, value } of record.identifiers) addIdentifier(tables, row, type, value, record.publisher_domain);
  count(tables, COUNTERS.properties, 1);
  touch(tables, domain);
}

function addIdentifier(tables: Tables, property: number, type: string, text: string, publisher: string): void {
  const isHost = type === 'domain' || type === 'subdomain';
  const pattern = isHost ? hostPattern(text) : undefined;
  if (isHost && pattern === undefined) return;
  const isStar = pattern?.covers === 'subdomains';
  const value = tables.values.add(pattern === undefined ? text : `${isStar ? '*.' : ''}${pattern.host}`);
  const row = takeRow(tables, COUNTERS.freeIdentifier, tables.nextOfProperty, tables.identifierValue);
  const isOwn = pattern !== undefined && isWithin(pattern.host, publisher);
  tables.identifierValue.set(row, value);
  tables.identifierType.set(row, codeOf(CODES.identifier, type));
  tables.identifierFlags.set(row, isOwn ? OWN_HOST : 0);
  tables.identifierProperty.set(row, property);
  link(tables.nextOfValue, tables.prevOfValue, tables.valueIdentifier.at(value), row);
  tables.valueIdentifier.set(value, row);
  tables.nextOfProperty.set(row, tables.propertyIdentifier.at(property));
  tables.propertyIdentifier.set(property, row);
  if (isStar) count(tables, COUNTERS.stars, 1);
}

function dropProperty(tables: Tables, rid: number, row: number): void {
  const domain = tables.propertyDomain.at(row);
  const slug = tables.propertySlug.at(row);
  for (let one = tables.propertyIdentifier.at(row); one !== 0; ) {
    const next = tables.nextOfProperty.at(one);
    const value = tables.identifierValue.at(one);
    tables.valueIdentifier.set(
      value,
      unlinked(tables.nextOfValue, tables.prevOfValue, tables.valueIdentifier.at(value), one),
    );
    if (tables.values.text(value).startsWith('*.')) count(tables, COUNTERS.stars, -1);
    freeRow(tables, COUNTERS.freeIdentifier, tables.nextOfProperty, one);
    one = next;
  }
  if (slug !== 0) unlinkKeyed(tables.slugs, tables.nextOfSlug, tables.prevOfSlug, tables.slugs.find(domain, slug), row);
  const first = tables.domainProperty.at(domain);
  tables.domainProperty.set(domain, unlinked(tables.nextOfDomain, tables.prevOfDomain, first, row));
  tables.ridProperty.set(rid, 0);
  // A free row is of no publisher, so that no search takes it for one.
  tables.propertyDomain.set(row, 0);
  freeRow(tables, COUNTERS.freeProperty, tables.nextOfDomain, row);
  count(tables, COUNTERS.properties, -1);
  touch(tables, domain);
}

type Chain = Tables['nextOfKey'];

/** Puts a row before the first of a chain. */
function link(next: Chain, prev: Chain, first: number, row: number): void {
  next.set(row, first);
  prev.set(row, 0);
  if (first !== 0) prev.set(first, row);
}

/** Takes a row out of a chain; answers the first row of it then. */
function unlinked(next: Chain, prev: Chain, first: number, row: number): number {
  const [before, after] = [prev.at(row), next.at(row)];
  if (before !== 0) next.set(before, after);
  if (after !== 0) prev.set(after, before);
  return first === row ? after : first;
}

function unlinkKeyed(keys: Tables['grants'], next: Chain, prev: Chain, first: number, row: number): void {
  const left = unlinked(next, prev, first, row);
  if (left === first) return;
  if (left === 0) keys.drop(first);
  else keys.put(left, first);
}

function applyAuthorization(tables: Tables, id: string, record: AuthorizationRecord | undefined): void {
  const named = tables.rowIds.add(id);
  const before = tables.rowOfId.at(named);
  if (before !== 0) dropRow(tables, named, before);
  if (record === undefined || !AUTHORISING.has(record.evidence)) return;
  const agent = addAgent(tables, record.agent_url_canonical);
  const domain = tables.domains.add(record.publisher_domain);
  const rid = record.property_rid === null ? 0 : canonicalRid(tables, tables.rids.add(record.property_rid));
  const term = addTerm(tables, record);
  const row = takeRow(tables, COUNTERS.freeRow, tables.nextOfKey, tables.rowId);
  tables.rowId.set(row, named);
  tables.rowAgent.set(row, agent);
  tables.rowDomain.set(row, domain);
  tables.rowRid.set(row, rid);
  tables.rowTerm.set(row, term);
  tables.nextOfKey.set(row, 0);
  tables.rowOfId.set(named, row);
  linkRow(tables, row);
  const pair = addPair(tables, agent, domain);
  tables.pairRows.set(pair, tables.pairRows.at(pair) + 1);
  countRow(tables, row, 1);
}

function linkRow(tables: Tables, row: number): void {
  const [agent, domain, rid] = [tables.rowAgent.at(row), tables.rowDomain.at(row), tables.rowRid.at(row)];
  if (rid === 0) {
    const pair = addPair(tables, agent, domain);
    link(tables.nextOfKey, tables.prevOfKey, tables.pairWide.at(pair), row);
    tables.pairWide.set(pair, row);
  } else {
    const first = tables.grants.find(agent, rid);
    link(tables.nextOfKey, tables.prevOfKey, first, row);
    tables.grants.put(row, first);
  }
}

function unlinkRow(tables: Tables, row: number): void {
  const [agent, domain, rid] = [tables.rowAgent.at(row), tables.rowDomain.at(row), tables.rowRid.at(row)];
  if (rid === 0) {
    const pair = tables.pairs.find(agent, domain);
    tables.pairWide.set(pair, unlinked(tables.nextOfKey, tables.prevOfKey, tables.pairWide.at(pair), row));
  } else unlinkKeyed(tables.grants, tables.nextOfKey, tables.prevOfKey, tables.grants.find(agent, rid), row);
}

function dropRow(tables: Tables, named: number, row: number): void {
  const pair = tables.pairs.find(tables.rowAgent.at(row), tables.rowDomain.at(row));
  tables.pairRows.set(pair, tables.pairRows.at(pair) - 1);
  countRow(tables, row, -1);
  unlinkRow(tables, row);
  tables.rowOfId.set(named, 0);
  tables.rowAgent.set(row, 0);
  freeRow(tables, COUNTERS.freeRow, tables.nextOfKey, row);
}

function countRow(tables: Tables, row: number, by: number): void {
  const domain = tables.rowDomain.at(row);
  const isExclusive = (tables.termFlags.at(tables.rowTerm.at(row)) & EXCLUSIVE) !== 0;
  tables.domainRows.set(domain, tables.domainRows.at(domain) + by);
  if (isExclusive) tables.domainExclusive.set(domain, tables.domainExclusive.at(domain) + by);
  count(tables, COUNTERS.rows, by);
  touch(tables, domain);
}

function addAgent(tables: Tables, url: string): number {
  const size = tables.agents.size;
  const agent = tables.agents.add(url);
  if (agent <= size) return agent;
  // Its operator is who has the domain that it is served at (facts 2.4).
  const host = isUrl(url) ? domainName(new URL(url).hostname) : undefined;
  const operator = host === undefined ? url : (registrableDomain(host) ?? host);
  tables.agentOperator.set(agent, tables.domains.add(operator));
  tables.agentCareless.set(agent, tables.careless.add(carelessSpelling(url)));
  return agent;
}

function addPair(tables: Tables, agent: number, domain: number): number {
  const known = tables.pairs.find(agent, domain);
  if (known !== 0) return known;
  const pair = Math.max(tables.pairAgent.length, 1);
  tables.pairAgent.set(pair, agent);
  tables.pairDomain.set(pair, domain);
  tables.pairRows.set(pair, 0);
  tables.pairWide.set(pair, 0);
  tables.nextOfAgent.set(pair, tables.agentPair.at(agent));
  tables.agentPair.set(agent, pair);
  tables.nextAtDomain.set(pair, tables.domainPair.at(domain));
  tables.domainPair.set(domain, pair);
  tables.pairs.put(pair, 0);
  return pair;
}

function addTerm(tables: Tables, record: AuthorizationRecord): number {
  const { authorization_type: type, delegation_type: delegation, countries, selectors } = record;
  const { placement_ids, placement_tags, collections } = record;
  const from = instantOf(record.effective_from) ?? Number.NEGATIVE_INFINITY;
  const ends = [record.effective_until, record.expires_at].map((text) => instantOf(text) ?? Number.POSITIVE_INFINITY);
  const until = Math.min(...ends);
  const isLimited = placement_ids !== undefined || placement_tags !== undefined || collections !== undefined;
  const limits = isLimited ? JSON.stringify({ placement_ids, placement_tags, collections }) : '';
  const picks = selectors === undefined ? '' : JSON.stringify(selectors);
  const lands = countries === undefined ? '' : JSON.stringify(countries);
  const isExclusive = record.exclusive === true;
  const key = JSON.stringify([type, delegation, `${from}`, `${until}`, lands, picks, limits, isExclusive]);
  const size = tables.termKeys.size;
  const term = tables.termKeys.add(key);
  if (term <= size) return term;
  const isForSignals = type === 'signal_ids' || type === 'signal_tags';
  tables.termFrom.set(term, from);
  tables.termUntil.set(term, until);
  tables.termType.set(term, codeOf(CODES.authorization, type));
  tables.termDelegation.set(term, codeOf(CODES.delegation, delegation));
  tables.termFlags.set(
    term,
    (isExclusive ? EXCLUSIVE : 0) | (isForSignals ? FOR_SIGNALS : 0) | (isLimited ? HAS_LIMITS : 0),
  );
  tables.termCountries.set(term, lands === '' ? 0 : tables.words.add(lands));
  tables.termSelectors.set(term, picks === '' ? 0 : tables.words.add(picks));
  tables.termLimits.set(term, limits === '' ? 0 : tables.words.add(limits));
  return term;
}

function instantOf(text: string | null | undefined): number | undefined {
  return text === undefined || text === null ? undefined : parseDateTime(text);
}

/** The rid that a rid means; merges are followed to their end, which a circle does not have. */
export function canonicalRid(tables: Tables, rid: number): number {
  let at = rid;
  for (let steps = 0; steps < MOST_MERGES && tables.ridAlias.at(at) !== 0; steps += 1) at = tables.ridAlias.at(at);
  return at;
}

const MOST_MERGES = 16;

function applyAlias(tables: Tables, { id, canonical }: AliasChange): void {
  const [alias, meant] = [tables.rids.add(id), tables.rids.add(canonical)];
  const property = tables.ridProperty.at(alias);
  tables.ridAlias.set(alias, meant);
  if (property === 0) return;
  // Rows that name the alias are at its publisher.
  for (let pair = tables.domainPair.at(tables.propertyDomain.at(property)); pair !== 0; ) {
    const agent = tables.pairAgent.at(pair);
    for (let row = tables.grants.find(agent, alias); row !== 0; row = tables.grants.find(agent, alias)) {
      unlinkRow(tables, row);
      tables.rowRid.set(row, canonicalRid(tables, meant));
      linkRow(tables, row);
    }
    pair = tables.nextAtDomain.at(pair);
  }
}
