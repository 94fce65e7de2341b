import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, parseDoc, type Statement } from '../../../platform/database/statement.js';
import { NOUNS, type Noun } from '../../model/records.js';
import { type RowChange, rowChangeRepository } from '../../store/row-changes.js';
import { type RegistryTables, SERVICE_RECORD_KINDS, type ServiceRecordKind } from '../../store/schema/schema.js';

/** The tables of the crawler that a mirror has too, and the columns of their keys. */
const CRAWL_KEYS = {
  crawl: 'domain',
  crawl_request: 'id',
  visit: 'agent_url',
  assessment: 'agent_url',
  tally: 'agent_url',
} as const;
/** The tables of the crawler whose rows mirrors hear of. */
export const CRAWL_KINDS = ['crawl', 'crawl_request', 'visit', 'assessment', 'tally', 'crawl_share'] as const;

/** The kinds of rows of a registry that a mirror has too; names that nobody may be mistaken for are in everybody's own settings. */
export const REPLICATED_KINDS = [
  ...NOUNS,
  'alias',
  ...SERVICE_RECORD_KINDS.filter((kind): kind is Exclude<ServiceRecordKind, 'denied'> => kind !== 'denied'),
  ...CRAWL_KINDS,
] as const;
/** A kind of the list. */
export type ReplicatedKind = (typeof REPLICATED_KINDS)[number];

/** A row as it is stored: `doc` is its record as JSON, empty of one that is gone; `event_id` what the row of a noun stands at. */
export type StoredRow = {
  readonly id: string;
  readonly doc: string;
  readonly event_id?: string;
  readonly gone?: number;
};

type Range = { readonly after: string; readonly limit: number };
type Page = Statement<Range, StoredRow>;
type Find = Statement<{ readonly id: string }, StoredRow>;

/** Returns the id of what an agent sells of a publisher; no domain has a space. */
export function shareKey(domain: string, agentUrl: string): string {
  return `${domain} ${agentUrl}`;
}

/** Returns the two parts of such an id. */
export function readShareKey(id: string): readonly [domain: string, agentUrl: string] {
  const at = id.indexOf(' ');
  return at < 0 ? [id, ''] : [id.slice(0, at), id.slice(at + 1)];
}

/** Returns the statements that read and write what replication needs of a registry's store, compiled for an engine. */
export function replicationStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  // Tables of one group have the same columns, so the statements are written once, for one of them.
  const nounPage = (noun: Noun): Page =>
    prepare((q, slot) =>
      q
        .selectFrom(noun as 'publisher')
        .select(['id', 'doc', 'event_id', 'gone'])
        .where('id', '>', slot('after'))
        .orderBy('id')
        .limit(slot('limit')),
    );
  const servicePage = (kind: ServiceRecordKind): Page =>
    prepare((q, slot) =>
      q
        .selectFrom(kind as 'entry')
        .select(['id', 'doc'])
        .where('id', '>', slot('after'))
        .orderBy('id')
        .limit(slot('limit')),
    );
  const crawlPage = (kind: keyof typeof CRAWL_KEYS): Page => {
    const key = CRAWL_KEYS[kind] as 'domain';
    return prepare((q, slot) =>
      q
        .selectFrom(kind as 'crawl')
        .select((e) => [e.ref(key).as('id'), 'doc'])
        .where(key, '>', slot('after'))
        .orderBy(key)
        .limit(slot('limit')),
    );
  };
  const nounRow = (noun: Noun): Find =>
    prepare((q, slot) =>
      q
        .selectFrom(noun as 'publisher')
        .select(['id', 'doc', 'event_id', 'gone'])
        .where('id', '=', slot('id')),
    );
  const serviceRow = (kind: ServiceRecordKind): Find =>
    prepare((q, slot) =>
      q
        .selectFrom(kind as 'entry')
        .select(['id', 'doc'])
        .where('id', '=', slot('id')),
    );
  const crawlRow = (kind: keyof typeof CRAWL_KEYS): Find => {
    const key = CRAWL_KEYS[kind] as 'domain';
    return prepare((q, slot) =>
      q
        .selectFrom(kind as 'crawl')
        .select((e) => [e.ref(key).as('id'), 'doc'])
        .where(key, '=', slot('id')),
    );
  };
  return {
    finds: eachTable(nounRow, serviceRow, crawlRow),
    pages: eachTable(nounPage, servicePage, crawlPage),
    aliases: prepare<Range, { id: string; canonical: string }>((q, slot) =>
      q.selectFrom('alias').selectAll().where('id', '>', slot('after')).orderBy('id').limit(slot('limit')),
    ),
    shares: prepare<{ domain: string; url: string; limit: number }, { domain: string; agent_url: string; doc: string }>(
      (q, slot) =>
        q
          .selectFrom('crawl_share')
          .selectAll()
          .where('domain', '>=', slot('domain'))
          .where((e) => e.or([e('domain', '>', slot('domain')), e('agent_url', '>', slot('url'))]))
          .orderBy('domain')
          .orderBy('agent_url')
          .limit(slot('limit')),
    ),
    alias: prepare<{ id: string }, { canonical: string }>((q, slot) =>
      q.selectFrom('alias').select('canonical').where('id', '=', slot('id')),
    ),
    share: prepare<{ domain: string; url: string }, { doc: string }>((q, slot) =>
      q
        .selectFrom('crawl_share')
        .select('doc')
        .where('domain', '=', slot('domain'))
        .where('agent_url', '=', slot('url')),
    ),
    state: prepare<{ name: string }, { doc: string }>((q, slot) =>
      q.selectFrom('registry_state').select('doc').where('name', '=', slot('name')),
    ),
    saveState: prepare<{ name: string; doc: string }>((q, slot) =>
      q
        .insertInto('registry_state')
        .values(slot.each('name', 'doc'))
        .onConflict((c) => c.column('name').doUpdateSet(slot.each('doc'))),
    ),
    dropState: prepare<{ name: string }>((q, slot) => q.deleteFrom('registry_state').where('name', '=', slot('name'))),
    changes: rowChangeRepository(db),
  };
}

type OneTable = Exclude<ReplicatedKind, 'alias' | 'crawl_share'>;

/** Returns something of each table whose rows have an id of one column. */
function eachTable<T>(
  ofNoun: (noun: Noun) => T,
  ofService: (kind: ServiceRecordKind) => T,
  ofCrawl: (kind: keyof typeof CRAWL_KEYS) => T,
): Readonly<Record<OneTable, T>> {
  const crawls = Object.keys(CRAWL_KEYS) as (keyof typeof CRAWL_KEYS)[];
  return Object.fromEntries([
    ...NOUNS.map((noun) => [noun, ofNoun(noun)]),
    ...SERVICE_RECORD_KINDS.map((kind) => [kind, ofService(kind)]),
    ...crawls.map((kind) => [kind, ofCrawl(kind)]),
  ]) as Record<OneTable, T>;
}

type ReplicationStatements = ReturnType<typeof replicationStatements>;

/** Reads rows as they are stored, what changed of them, and what this registry is. */
export class ReplicationReader {
  readonly #tx: Reading;
  readonly #statements: () => ReplicationStatements;

  constructor(tx: Reading, statements: () => ReplicationStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns the rows of a kind in the order of their ids, after `after`; those of nouns that are gone among them. */
  async page(kind: ReplicatedKind, after: string, limit: number): Promise<readonly StoredRow[]> {
    const { aliases, pages, shares } = this.#statements();
    if (kind === 'alias') {
      const rows = await this.#tx.all(aliases, { after, limit });
      return rows.map(({ id, canonical }) => ({ id, doc: JSON.stringify({ canonical }) }));
    }
    if (kind === 'crawl_share') {
      const [domain, url] = readShareKey(after);
      const rows = await this.#tx.all(shares, { domain, url, limit });
      return rows.map(({ agent_url, doc, domain: of }) => ({ id: shareKey(of, agent_url), doc }));
    }
    return await this.#tx.all(pages[kind], { after, limit });
  }

  /** Returns a row as it is stored. */
  async find(kind: ReplicatedKind, id: string): Promise<StoredRow | undefined> {
    const { alias, finds, share } = this.#statements();
    if (kind === 'alias') {
      const row = await this.#tx.one(alias, { id });
      return row && { id, doc: JSON.stringify(row) };
    }
    if (kind === 'crawl_share') {
      const [domain, url] = readShareKey(id);
      const row = await this.#tx.one(share, { domain, url });
      return row && { id, doc: row.doc };
    }
    return await this.#tx.one(finds[kind], { id });
  }

  /** Returns what changed after a number, oldest first; a row that changed again is where it changed last. */
  listChanges(seq: number, limit: number): Promise<readonly RowChange[]> {
    return this.#statements().changes.after(this.#tx, seq, limit);
  }

  /** Returns the number of the last change. */
  findHead(): Promise<number> {
    return this.#statements().changes.head(this.#tx);
  }

  /** Returns what this registry is, by the name of the part. */
  async findState<T>(name: string): Promise<T | undefined> {
    return parseDoc<T>(await this.#tx.one(this.#statements().state, { name }));
  }
}

/** Reads and writes what replication needs, in one transaction. */
export class ReplicationWriter extends ReplicationReader {
  readonly #tx: Writing;
  readonly #statements: () => ReplicationStatements;

  constructor(tx: Writing, statements: () => ReplicationStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  async saveState(name: string, state: object): Promise<void> {
    await this.#tx.run(this.#statements().saveState, { name, doc: JSON.stringify(state) });
  }

  async dropState(name: string): Promise<void> {
    await this.#tx.run(this.#statements().dropState, { name });
  }
}
