import { canonicalHash } from '../../../../platform/kernel/canonical.js';
import { effectiveAt } from '../../../adagents/digest.js';
import type { EffectiveAdagents } from '../../../adagents/discovery.js';
import type { AdagentsFile } from '../../../adagents/types.js';
import type { AuthorizationRecord, PlacementRecord, PropertyRecord, Standing } from '../../../model/records.js';
import { countShares, type InventoryShare } from '../../service/agent/inventory/totals.js';
import {
  type AuthorizationDraft,
  type CollectionDraft,
  emptyProjection,
  type Projection,
  type PropertyDraft,
  projectAdagents,
} from '../apply/projection.js';
import type { PublisherShare } from '../records.js';
import { type PackedRows, packRows, unpackRows } from './packed-rows.js';

/** The part of a publisher's file that the crawler uses; plain data, for it is read in another thread. */
export type CrawledFile = {
  readonly publisherDomain: string;
  /** Milliseconds. */
  readonly lastUpdated?: number;
  /** Whether the file says that it no longer speaks for the publisher. */
  readonly isRevoked: boolean;
  readonly standing: Standing;
  readonly placements: readonly PlacementRecord[];
  /** The catalog of formats as written, as far as it is kept, and how many there are. */
  readonly formats: readonly Readonly<Record<string, unknown>>[];
  readonly formatCount: number;
  /** Domains that the file speaks for beside its publisher's. */
  readonly named: readonly string[];
  /** Digests of the parts of the file, by their names. A new `$schema` or `last_updated` is in none of them. */
  readonly parts: Readonly<Record<string, string>>;
  /** The parts are those that were settled: there are no rows, for nobody needs them. */
  readonly isSettled: boolean;
  readonly properties: PackedRows<PropertyDraft>;
  readonly collections: PackedRows<CollectionDraft>;
  readonly authorizations: PackedRows<PackedAuthorization>;
  readonly shares: PackedRows<PublisherShare>;
};

/** A row whose inline property is named by its place among the properties. */
type PackedAuthorization = Omit<AuthorizationDraft, 'property'> & { readonly at?: number };

/** As much of it as its publisher's records are made of. */
export type CrawledRows = Omit<CrawledFile, 'shares'>;

/** Formats that are kept of a file, and most characters of them. */
const MAX_FORMATS = 200;
const MAX_FORMATS_CHARACTERS = 256 * 1024;
/** Domains of a file that are crawled because it names them. */
const MAX_NAMED = 10_000;
/** Values of each dimension that count of one publisher: more than a profile shows. */
const MAX_VALUES = 500;

/** The context that a file is read in. */
type CrawledOptions = {
  readonly nowMs: number;
  /** When the publisher was last seen revoked, in milliseconds: that is remembered for a week (`settleAdagents`). */
  readonly revokedAt?: number;
  /** The parts that the records were made of. */
  readonly settled?: CrawledFile['parts'];
};

/** Reads what the crawler wants of a file; without one, of a publisher that has none. */
export function readCrawledFile(
  publisherDomain: string,
  readNow: EffectiveAdagents | undefined,
  { nowMs, revokedAt, settled }: CrawledOptions,
): CrawledFile {
  const held = { readAt: nowMs, ...(revokedAt === undefined ? {} : { revokedAt }) };
  const effective = readNow && effectiveAt({ ...held, effective: readNow }, nowMs);
  const target = effective === undefined ? emptyProjection(publisherDomain) : projectAdagents(effective);
  const { file } = effective ?? {};
  const parts = partsOf(target, effective);
  const isSettled = settled !== undefined && Object.entries(parts).every(([name, digest]) => settled[name] === digest);
  return {
    publisherDomain,
    ...(file?.lastUpdated === undefined ? {} : { lastUpdated: file.lastUpdated }),
    isRevoked: file?.revoked.has(publisherDomain) === true,
    standing: target.standing,
    placements: target.placements,
    formats: storedFormats(file?.formats ?? []),
    formatCount: file?.formats.length ?? 0,
    named: file === undefined || isSettled ? [] : namedDomains(file),
    parts,
    isSettled,
    ...packedRows(isSettled ? emptyProjection(publisherDomain) : target),
  };
}

/** Returns the domains that a file's properties and selectors name. */
function namedDomains({ agents, domain, properties }: AdagentsFile): readonly string[] {
  const named = new Set(properties.map(({ publisher_domain }) => publisher_domain));
  for (const { scope } of agents) {
    if (scope.authorization_type === 'inline_properties') {
      for (const { publisher_domain } of scope.properties) named.add(publisher_domain);
    }
    if (scope.authorization_type !== 'publisher_properties') continue;
    for (const { domains } of scope.selectors) {
      for (const one of domains) named.add(one);
    }
  }
  named.delete(domain);
  return [...named].slice(0, MAX_NAMED);
}

function packedRows(target: Projection): Pick<CrawledFile, 'properties' | 'collections' | 'authorizations' | 'shares'> {
  const positions = new Map(target.properties.map((property, at) => [property, at]));
  return {
    properties: packRows(target.properties),
    collections: packRows(target.collections),
    authorizations: packRows(
      target.authorizations.map(({ property, ...row }) => {
        const at = property && positions.get(property);
        return at === undefined ? row : { ...row, at };
      }),
    ),
    shares: packRows(projectedShares(target, positions)),
  };
}

/** Unpacks a file's rows. */
export function unpackCrawledRows(crawled: CrawledRows): Projection {
  const { placements, publisherDomain, standing } = crawled;
  const properties = unpackRows(crawled.properties);
  const authorizations = unpackRows(crawled.authorizations);
  return {
    publisherDomain,
    standing,
    placements,
    properties,
    collections: unpackRows(crawled.collections),
    authorizations: authorizations.map(({ at, ...row }) => {
      const property = at === undefined ? undefined : properties[at];
      return property === undefined ? row : { ...row, property };
    }),
  };
}

/** Returns the shares of a file's agents. Its rows and properties stand for the records that they are going to be. */
function projectedShares(target: Projection, positions: ReadonlyMap<PropertyDraft, number>): readonly PublisherShare[] {
  const at = '';
  const properties = target.properties.map(
    (draft, position): PropertyRecord => ({
      ...draft,
      property_rid: `${position}`,
      publisher_domain: target.publisherDomain,
      classification: 'property',
      source: 'authoritative',
      status: 'active',
    }),
  );
  const rowsOf = new Map<string, AuthorizationRecord[]>();
  for (const { property, ...row } of target.authorizations) {
    const position = property && positions.get(property);
    const rows = rowsOf.get(row.agent_url_canonical) ?? [];
    rowsOf.set(row.agent_url_canonical, rows);
    const property_rid = position === undefined ? null : `${position}`;
    rows.push({ ...row, id: '', property_rid, property_id_slug: null, created_at: at, updated_at: at });
  }
  // Some agents at a time: the shares of all of them together could be larger than the file by far.
  const all = [...rowsOf.values()];
  return Array.from({ length: Math.ceil(all.length / AGENTS_AT_A_TIME) }, (_, batch) => {
    const rows = all.slice(batch * AGENTS_AT_A_TIME, (batch + 1) * AGENTS_AT_A_TIME).flat();
    return Object.entries(countShares(rows, properties)).map(
      ([url, share]): PublisherShare => [url, limitShare(share)],
    );
  }).flat();
}

const AGENTS_AT_A_TIME = 200;

function limitShare({ channels, markets, properties, property_types, tags }: InventoryShare): InventoryShare {
  return {
    properties,
    property_types: mostFrequent(property_types),
    channels: mostFrequent(channels),
    markets: mostFrequent(markets),
    tags: mostFrequent(tags),
  };
}

function mostFrequent(counts: InventoryShare['tags']): InventoryShare['tags'] {
  const values = Object.entries(counts);
  if (values.length <= MAX_VALUES) return counts;
  const frequent = values.sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).slice(0, MAX_VALUES);
  return Object.fromEntries(frequent);
}

function storedFormats(formats: CrawledFile['formats']): CrawledFile['formats'] {
  let length = 0;
  const end = formats.findIndex((format, index) => {
    length += JSON.stringify(format).length;
    return index >= MAX_FORMATS || length > MAX_FORMATS_CHARACTERS;
  });
  return end < 0 ? formats : formats.slice(0, end);
}

function partsOf(target: Projection, effective: EffectiveAdagents | undefined): CrawledFile['parts'] {
  const { file, managerDomain, method, url } = effective ?? {};
  const parts: Readonly<Record<string, unknown>> = {
    standing: target.standing,
    location: { url, method, managerDomain },
    properties: target.properties,
    collections: target.collections,
    authorized_agents: target.authorizations,
    placements: target.placements,
    formats: file?.formats ?? [],
    signals: file?.signals ?? [],
    contact: file?.contact ?? {},
    catalog_etag: file?.catalog_etag ?? '',
    superseded_by: file?.superseded_by ?? '',
  };
  return Object.fromEntries(
    // Absent members are none of a canonical form's business.
    Object.entries(parts).map(([name, part]) => [name, canonicalHash(JSON.parse(JSON.stringify(part)))]),
  );
}
