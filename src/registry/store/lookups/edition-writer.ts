import { createHash } from 'node:crypto';
import type { Writing } from '../../../platform/database/engine.js';
import { carelessSpelling } from '../../model/agent-url.js';
import { hostPattern, isWithin } from '../../model/domains.js';
import { isAuthorizing } from '../../model/grants.js';
import type {
  AliasChange,
  AuthorizationRecord,
  PropertyRecord,
  PublisherRecord,
  RecordChange,
} from '../../model/records.js';
import type { LookupCounts } from './reads/reads.js';
import type { lookupWriteStatements } from './statements.js';
import { grantTerms } from './terms.js';

const MAX_REMEMBERED_NAMES = 5000;
const MAX_REMEMBERED_NAME_CHARACTERS = 500;
const MAX_MERGES = 16;

/** Hands out the numbers of rows, each once while the file is open. */
type RowNumbers = { readonly next: () => number };

type Statements = ReturnType<typeof lookupWriteStatements>;
type StoredIdentifier = { readonly type: string; readonly value: string };

/** Writes the changes of records into one edition of what authorizations are looked up in. */
export class EditionWriter {
  readonly edition: number;
  readonly #statements: Statements;
  readonly #numbers: RowNumbers;
  readonly #names = new Map<string, number>();
  #counts = noCounts();
  /** Active properties that came and went, by type. */
  #types = new Map<string, number>();
  #touched = new Set<number>();
  /** Numbers of names that the transaction has found, by name. */
  #found = new Map<string, number>();

  constructor(edition: number, statements: Statements, numbers: RowNumbers) {
    this.edition = edition;
    this.#statements = statements;
    this.#numbers = numbers;
  }

  /** Begins a transaction. */
  begin(): void {
    this.#counts = noCounts();
    this.#types = new Map();
    this.#touched = new Set();
    this.#found = new Map();
  }

  /** Writes what the transaction counted; returns the numbers of the publishers that it changed something of. */
  async end(tx: Writing): Promise<ReadonlySet<number>> {
    const counts = this.#counts;
    const isCounted = Object.values(counts).some((count) => count !== 0);
    if (isCounted) await tx.run(this.#statements.count, { edition: this.edition, is_live: 0, ...counts });
    for (const [type, properties] of this.#types) {
      if (properties === 0) continue;
      await tx.run(this.#statements.countType, { edition: this.edition, type, properties });
      if (properties < 0) await tx.run(this.#statements.dropType, { edition: this.edition, type });
    }
    return this.#touched;
  }

  /** Writes a change of a record. Nothing that has to be looked up quickly asks for agents, collections or brands. */
  async apply(tx: Writing, change: RecordChange | AliasChange): Promise<void> {
    if (change.noun === 'publisher') await this.#writePublisher(tx, change.id, change.record);
    else if (change.noun === 'property') await this.#writeProperty(tx, change.id, change.record);
    else if (change.noun === 'authorization') await this.#writeGrant(tx, change.id, change.record);
    else if (change.noun === 'alias') await this.#merge(tx, change);
  }

  async #writePublisher(tx: Writing, domain: string, record: PublisherRecord | undefined): Promise<void> {
    const id = await this.#publisherId(tx, domain);
    const before = (await tx.one(this.#statements.standing, { id }))?.standing ?? null;
    const standing = record?.standing ?? null;
    const placements = record?.placements ?? [];
    await tx.run(this.#statements.setPublisher, {
      id,
      standing,
      placements: placements.length === 0 ? null : JSON.stringify(placements),
    });
    this.#counts.publishers += Number(standing !== null) - Number(before !== null);
    this.#touched.add(id);
  }

  async #writeProperty(tx: Writing, rid: string, record: PropertyRecord | undefined): Promise<void> {
    const { edition } = this;
    if (record === undefined || record.status === 'stale') return await this.#dropProperty(tx, rid);
    const publisher = await this.#publisherId(tx, record.publisher_domain);
    const identifiers = readableIdentifiers(record);
    const row = {
      id: this.#numbers.next(),
      edition,
      rid,
      publisher,
      property_id: record.property_id,
      inline: record.inline === true ? 1 : 0,
      type: record.property_type,
      tags: JSON.stringify(record.tags),
      identifiers: JSON.stringify(identifiers),
    };
    this.#touched.add(publisher);
    if ((await tx.run(this.#statements.addProperty, row)) > 0) {
      this.#countProperty(row.type, 1);
      return await this.#addIdentifiers(tx, row.id, record, identifiers);
    }
    const before = await tx.one(this.#statements.property, { edition, rid });
    if (before === undefined) throw new Error(`the property ${rid} is neither there nor can it be added`);
    this.#touched.add(before.publisher);
    await tx.run(this.#statements.setProperty, { ...row, id: before.id });
    this.#countProperty(before.type, -1);
    this.#countProperty(row.type, 1);
    if (before.publisher === publisher && before.identifiers === row.identifiers) return;
    await this.#dropIdentifiers(tx, before.id, before.identifiers);
    await this.#addIdentifiers(tx, before.id, record, identifiers);
  }

  async #dropProperty(tx: Writing, rid: string): Promise<void> {
    const before = await tx.one(this.#statements.property, { edition: this.edition, rid });
    if (before === undefined) return;
    await this.#dropIdentifiers(tx, before.id, before.identifiers);
    await tx.run(this.#statements.dropProperty, { id: before.id });
    this.#countProperty(before.type, -1);
    this.#touched.add(before.publisher);
  }

  #countProperty(type: string, change: 1 | -1): void {
    this.#counts.properties += change;
    this.#types.set(type, (this.#types.get(type) ?? 0) + change);
  }

  async #addIdentifiers(
    tx: Writing,
    property: number,
    { publisher_domain }: PropertyRecord,
    identifiers: readonly StoredIdentifier[],
  ): Promise<void> {
    for (const { type, value } of identifiers) {
      const isHost = type === 'domain' || type === 'subdomain';
      const own_host = isHost && isWithin(value.replace(/^\*\./, ''), publisher_domain) ? 1 : 0;
      const row = { edition: this.edition, value, type, property, own_host };
      this.#counts.identifiers += await tx.run(this.#statements.addIdentifier, row);
    }
  }

  async #dropIdentifiers(tx: Writing, property: number, text: string): Promise<void> {
    for (const { type, value } of JSON.parse(text) as readonly StoredIdentifier[]) {
      const row = { edition: this.edition, value, type, property };
      this.#counts.identifiers -= await tx.run(this.#statements.dropIdentifier, row);
    }
  }

  async #writeGrant(tx: Writing, row_id: string, record: AuthorizationRecord | undefined): Promise<void> {
    const { edition } = this;
    if (record === undefined || !isAuthorizing(record)) return await this.#dropGrant(tx, row_id);
    const publisher = await this.#publisherId(tx, record.publisher_domain);
    const row = {
      edition,
      row_id,
      publisher,
      agent: await this.#agentId(tx, record.agent_url_canonical),
      rid: record.property_rid === null ? '' : await this.#canonicalRid(tx, record.property_rid),
      term: await this.#termId(tx, record),
      exclusive: record.exclusive === true ? 1 : 0,
    };
    this.#touched.add(publisher);
    if ((await tx.run(this.#statements.addGrant, row)) > 0) {
      this.#counts.authorizations += 1;
      return;
    }
    const before = await tx.one(this.#statements.publisherOfGrant, { edition, row_id });
    if (before !== undefined) this.#touched.add(before.publisher);
    await tx.run(this.#statements.setGrant, row);
  }

  async #dropGrant(tx: Writing, row_id: string): Promise<void> {
    const { edition } = this;
    const before = await tx.one(this.#statements.publisherOfGrant, { edition, row_id });
    if (before === undefined) return;
    await tx.run(this.#statements.dropGrant, { edition, row_id });
    this.#counts.authorizations -= 1;
    this.#touched.add(before.publisher);
  }

  /** Moves the rows that name an alias to its publisher. */
  async #merge(tx: Writing, { id, canonical }: AliasChange): Promise<void> {
    const property = await tx.one(this.#statements.property, { edition: this.edition, rid: id });
    if (property === undefined) return;
    const rid = await this.#canonicalRid(tx, canonical);
    await tx.run(this.#statements.mergeRid, { publisher: property.publisher, rid: id, canonical: rid });
    this.#touched.add(property.publisher);
  }

  /** Returns what a rid was merged into in the end; a circle has none. */
  async #canonicalRid(tx: Writing, rid: string): Promise<string> {
    let canonical = rid;
    for (let merges = 0; merges < MAX_MERGES; merges += 1) {
      const next = await tx.one(this.#statements.canonicalRid, { rid: canonical });
      if (next === undefined) break;
      canonical = next.canonical;
    }
    return canonical;
  }

  #publisherId(tx: Writing, domain: string): Promise<number> {
    const key = { edition: this.edition, domain };
    return this.#idOf(tx, `publisher ${domain}`, async () => {
      const stored = await tx.one(this.#statements.publisher, key);
      if (stored !== undefined) return stored.id;
      const id = this.#numbers.next();
      await tx.run(this.#statements.addPublisher, { id, ...key });
      return id;
    });
  }

  #agentId(tx: Writing, url: string): Promise<number> {
    const key = { edition: this.edition, url };
    return this.#idOf(tx, `agent ${url}`, async () => {
      const stored = await tx.one(this.#statements.agent, key);
      if (stored !== undefined) return stored.id;
      const id = this.#numbers.next();
      await tx.run(this.#statements.addAgent, { id, ...key, careless: carelessSpelling(url) });
      this.#counts.agents += 1;
      return id;
    });
  }

  #termId(tx: Writing, record: AuthorizationRecord): Promise<number> {
    const doc = JSON.stringify(grantTerms(record));
    return this.#idOf(tx, `term ${doc}`, async () => {
      const key = { edition: this.edition, digest: createHash('sha256').update(doc).digest('base64') };
      const stored = await tx.one(this.#statements.term, key);
      if (stored !== undefined) return stored.id;
      const id = this.#numbers.next();
      await tx.run(this.#statements.addTerm, { id, ...key, doc });
      return id;
    });
  }

  /** Returns the number of a name. It is remembered once it is on disk: a transaction that is undone leaves no number behind. */
  async #idOf(tx: Writing, name: string, find: () => Promise<number>): Promise<number> {
    const writtenId = this.#names.get(name) ?? this.#found.get(name);
    if (writtenId !== undefined) return writtenId;
    const id = await find();
    this.#found.set(name, id);
    if (name.length <= MAX_REMEMBERED_NAME_CHARACTERS) {
      tx.onCommit(() => {
        if (this.#names.size >= MAX_REMEMBERED_NAMES) this.#names.clear();
        this.#names.set(name, id);
      });
    }
    return id;
  }
}

function noCounts(): LookupCounts {
  return { publishers: 0, properties: 0, identifiers: 0, authorizations: 0, agents: 0 };
}

/** Identifiers in the form in which they are looked up: hosts as patterns, and none that is no host. */
function readableIdentifiers({ identifiers }: PropertyRecord): readonly StoredIdentifier[] {
  return identifiers.flatMap(({ type, value }): readonly StoredIdentifier[] => {
    if (type !== 'domain' && type !== 'subdomain') return [{ type, value }];
    const pattern = hostPattern(value);
    if (pattern === undefined) return [];
    return [{ type, value: `${pattern.covers === 'subdomains' ? '*.' : ''}${pattern.host}` }];
  });
}
