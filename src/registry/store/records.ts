import type { Reading, Writing } from '../../platform/database/engine.js';
import { sql } from '../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { Noun, RecordChange, Records, StoreChange } from '../model/records.js';
import type { RecordRow, RegistryTables } from './schema/schema.js';

/** A row's own place in a file, in the order in which rows were first written. */
const ROWID = sql<number>`rowid`;

/** Rows in the order they were first written: `at` is where the next scan goes on. */
export type Scan<R> = { readonly records: readonly R[]; readonly at: number };

/** The reads of one noun. Ids: domain, rid, canonical URL of the agent, row id of the authorization. */
export type RecordReads<N extends Noun> = {
  readonly find: (id: string) => Promise<Records[N] | undefined>;
  /** In the order of their ids, after `after`. */
  readonly page: (after: string, limit: number) => Promise<readonly Records[N][]>;
  /** A page of records as JSON, not read. */
  readonly texts: (after: string, limit: number) => Promise<readonly { readonly id: string; readonly doc: string }[]>;
  /** Of one publisher, in the order of their ids; of properties, collections and authorizations. */
  readonly ofPublisher: (domain: string, after: string, limit: number) => Promise<readonly Records[N][]>;
  /** A page of one publisher's records as JSON, not read. */
  readonly textsOfPublisher: (
    domain: string,
    after: string,
    limit: number,
  ) => Promise<readonly { readonly id: string; readonly doc: string }[]>;
  /** Authorizations of an agent by its canonical URL, in the order of their ids. */
  readonly ofAgent: (canonicalUrl: string, after: string, limit: number) => Promise<readonly Records[N][]>;
  /** The next rows in the order of their ids, those that are gone among them, and what each stands at. */
  readonly positions: (
    after: string,
    limit: number,
  ) => Promise<readonly { readonly id: string; readonly event_id: string }[]>;
  readonly count: () => Promise<number>;
};

/**
 * Writes of one noun. A write with an event leaves a record that stands at a later one as it is and answers false: repeated and belated
 * events change nothing.
 */
export type RecordWrites<N extends Noun> = RecordReads<N> & {
  readonly put: (record: Records[N], eventId?: string) => Promise<boolean>;
  /** Writes a record in any case, and what it stands at. */
  readonly reset: (record: Records[N], position: string) => Promise<void>;
  /** Writes a row as another store has it, with what it stands at; without a record it is gone there. */
  readonly restore: (id: string, record: Records[N] | undefined, position: string) => Promise<void>;
  /** What was removed with an event stays known with it, so that an older event cannot bring it back. */
  readonly remove: (id: string, eventId?: string) => Promise<boolean>;
};

/** Rids that were merged into others. */
export type LinkReads = {
  /** The rid that an alias stands for; undefined for one that is no alias. */
  readonly canonicalOf: (id: string) => Promise<string | undefined>;
  readonly aliases: (after: string, limit: number) => Promise<readonly { id: string; canonical: string }[]>;
};
export type LinkWrites = LinkReads & { readonly merge: (id: string, canonical: string) => Promise<void> };

type Columns = Pick<RecordRow, 'id' | 'publisher_domain' | 'agent_url'>;

/** Where each noun stands in its table. */
const COLUMNS: { readonly [N in Noun]: (record: Records[N]) => Columns } = {
  publisher: ({ domain }) => ({ id: domain, publisher_domain: null, agent_url: null }),
  property: ({ property_rid, publisher_domain }) => ({ id: property_rid, publisher_domain, agent_url: null }),
  collection: ({ collection_rid, publisher_domain }) => ({ id: collection_rid, publisher_domain, agent_url: null }),
  agent: ({ agent_url }) => ({ id: agent_url, publisher_domain: null, agent_url: null }),
  authorization: ({ id, publisher_domain, agent_url_canonical }) => ({
    id,
    publisher_domain,
    agent_url: agent_url_canonical,
  }),
  brand: ({ domain }) => ({ id: domain, publisher_domain: null, agent_url: null }),
};

/** Takes note of a change in its transaction: for those who follow the store, and for what authorizations are looked up in. */
export type NoteChange = (tx: Writing, change: StoreChange) => Promise<void>;

/** Returns the repository of one noun. */
export function recordRepository<N extends Noun>(db: Builder<RegistryTables>, noun: N) {
  const statements = recordStatements(db, noun);
  const decode = ({ doc }: { doc: string }): Records[N] => JSON.parse(doc) as Records[N];

  const reads = (tx: Reading): RecordReads<N> => ({
    find: async (id) => {
      const row = await tx.one(statements.find, { id });
      return row === undefined ? undefined : decode(row);
    },
    page: async (after, limit) => (await tx.all(statements.page, { after, limit })).map(decode),
    texts: (after, limit) => tx.all(statements.page, { after, limit }),
    ofPublisher: async (domain, after, limit) =>
      (await tx.all(statements.ofPublisher, { domain, after, limit })).map(decode),
    textsOfPublisher: (domain, after, limit) => tx.all(statements.ofPublisher, { domain, after, limit }),
    ofAgent: async (url, after, limit) => (await tx.all(statements.ofAgent, { url, after, limit })).map(decode),
    positions: (after, limit) => tx.all(statements.positions, { after, limit }),
    count: async () => (await tx.one(statements.count, {}))?.count ?? 0,
  });

  const scan = async (tx: Reading, { at, limit }: { at: number; limit: number }): Promise<Scan<Records[N]>> => {
    const rows = await tx.all(statements.scan, { at, limit });
    return { records: rows.map(decode), at: rows.at(-1)?.rowid ?? at };
  };

  const writes = (tx: Writing, note: NoteChange): RecordWrites<N> => {
    // Noun and record belong together, which the compiler cannot see through the parameter.
    const changed = (id: string, record: Records[N] | undefined): Promise<void> =>
      note(tx, { noun, id, record } as RecordChange);
    const write = async (record: Records[N], event: string, force: number): Promise<boolean> => {
      const columns = COLUMNS[noun](record);
      const row = { ...columns, event, force, gone: 0, doc: JSON.stringify(record) };
      if ((await tx.run(statements.put, row)) === 0) return false;
      await changed(columns.id, record);
      return true;
    };
    return {
      ...reads(tx),
      put: (record, event = '') => write(record, event, event === '' ? 1 : 0),
      reset: async (record, position) => {
        await write(record, position, 1);
      },
      restore: async (id, record, position) => {
        if (record !== undefined) return void (await write(record, position, 1));
        await tx.run(statements.put, { ...goneRow(id, position), force: 1 });
        await changed(id, undefined);
      },
      remove: async (id, event = '') => {
        const gone = goneRow(id, event);
        const done = event === '' ? await tx.run(statements.drop, { id }) : await tx.run(statements.put, gone);
        if (done === 0) return false;
        await changed(id, undefined);
        return true;
      },
    };
  };
  return { reads, writes, scan };
}

/** Returns the repository of aliases. */
export function linkRepository(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  const canonical = prepare<{ id: string }, { canonical: string }>((q, slot) =>
    q.selectFrom('alias').select('canonical').where('id', '=', slot('id')),
  );
  const page = prepare<{ after: string; limit: number }, { id: string; canonical: string }>((q, slot) =>
    q.selectFrom('alias').selectAll().where('id', '>', slot('after')).orderBy('id').limit(slot('limit')),
  );
  const merge = prepare<{ id: string; canonical: string }>((q, slot) =>
    q
      .insertInto('alias')
      .values({ id: slot('id'), canonical: slot('canonical') })
      .onConflict((c) => c.column('id').doUpdateSet({ canonical: slot('canonical') })),
  );
  const reads = (tx: Reading): LinkReads => ({
    canonicalOf: async (id) => (await tx.one(canonical, { id }))?.canonical,
    aliases: (after, limit) => tx.all(page, { after, limit }),
  });
  const writes = (tx: Writing, note: NoteChange): LinkWrites => ({
    ...reads(tx),
    merge: async (id, to) => {
      await tx.run(merge, { id, canonical: to });
      await note(tx, { noun: 'alias', id, canonical: to });
    },
  });
  return { reads, writes };
}

function goneRow(id: string, event: string): Written {
  return { id, publisher_domain: null, agent_url: null, event, force: 0, gone: 1, doc: '' };
}

type Written = Columns & { event: string; force: number; gone: number; doc: string };
type Range = { after: string; limit: number };

function recordStatements(db: Builder<RegistryTables>, noun: Noun) {
  const prepare = createPrepare(db);
  // Every noun's table has the same columns, so the statements are written once, for one of them.
  const name = noun as 'publisher';
  return {
    find: prepare<{ id: string }, { doc: string }>((q, slot) =>
      q.selectFrom(name).select('doc').where('id', '=', slot('id')).where('gone', '=', 0),
    ),
    page: prepare<Range, { id: string; doc: string }>((q, slot) =>
      q
        .selectFrom(name)
        .select(['id', 'doc'])
        .where('id', '>', slot('after'))
        .where('gone', '=', 0)
        .orderBy('id')
        .limit(slot('limit')),
    ),
    ofPublisher: prepare<Range & { domain: string }, { id: string; doc: string }>((q, slot) =>
      q
        .selectFrom(name)
        .select(['id', 'doc'])
        .where('publisher_domain', '=', slot('domain'))
        .where('id', '>', slot('after'))
        .where('gone', '=', 0)
        .orderBy('id')
        .limit(slot('limit')),
    ),
    ofAgent: prepare<Range & { url: string }, { doc: string }>((q, slot) =>
      q
        .selectFrom(name)
        .select('doc')
        .where('agent_url', '=', slot('url'))
        .where('id', '>', slot('after'))
        .where('gone', '=', 0)
        .orderBy('id')
        .limit(slot('limit')),
    ),
    scan: prepare<{ at: number; limit: number }, { rowid: number; doc: string }>((q, slot) =>
      q
        .selectFrom(name)
        .select([ROWID.as('rowid'), 'doc'])
        .where(ROWID, '>', slot('at'))
        .where('gone', '=', 0)
        .orderBy(ROWID)
        .limit(slot('limit')),
    ),
    positions: prepare<Range, { id: string; event_id: string }>((q, slot) =>
      q.selectFrom(name).select(['id', 'event_id']).where('id', '>', slot('after')).orderBy('id').limit(slot('limit')),
    ),
    count: prepare<object, { count: number }>((q) =>
      q
        .selectFrom(name)
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('gone', '=', 0),
    ),
    put: prepare<Written>((q, slot) =>
      q
        .insertInto(name)
        .values({
          id: slot('id'),
          publisher_domain: slot('publisher_domain'),
          agent_url: slot('agent_url'),
          event_id: slot('event'),
          gone: slot('gone'),
          doc: slot('doc'),
        })
        .onConflict((c) =>
          c
            .column('id')
            .doUpdateSet((e) => ({
              publisher_domain: e.ref('excluded.publisher_domain'),
              agent_url: e.ref('excluded.agent_url'),
              event_id: e.ref('excluded.event_id'),
              gone: e.ref('excluded.gone'),
              doc: e.ref('excluded.doc'),
            }))
            .where((e) =>
              e.or([e(e.val(slot('force')), '=', 1), e('excluded.event_id', '>', e.ref(`${name}.event_id`))]),
            ),
        ),
    ),
    drop: prepare<{ id: string }>((q, slot) => q.deleteFrom(name).where('id', '=', slot('id'))),
  };
}
