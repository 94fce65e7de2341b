import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import { nameSkeleton, skeleton } from '../../model/look-alikes.js';
import type { RegistryTables, ServiceNoun, ServiceRow } from '../../store/schema/schema.js';
import { entryKey, type ServiceRecords } from '../service/nouns.js';

type Keys = Omit<ServiceRow, 'doc'>;

/** How revisions sort as their numbers do. */
const NUMBER_WIDTH = 9;

/** Where each noun stands in its table. */
const KEYS: { readonly [N in ServiceNoun]: (record: ServiceRecords[N]) => Keys } = {
  organization: ({ org_id, slug }) => ({ id: org_id, scope: '', mark: slug }),
  api_key: ({ key_id, org_id, hash }) => ({ id: key_id, scope: org_id, mark: hash }),
  member: ({ subject, org_id }) => ({ id: subject, scope: org_id, mark: '' }),
  member_agent: ({ agent_url, org_id }) => ({ id: agent_url, scope: org_id, mark: '' }),
  entry: ({ kind, domain }) => ({ id: entryKey(kind, domain), scope: kind, mark: skeleton(domain) }),
  revision: ({ kind, domain, revision_number }) => ({
    id: revisionKey(kind, domain, revision_number),
    scope: entryKey(kind, domain),
    mark: '',
  }),
  ownership: ({ org_id, domain }) => ({ id: `${org_id}:${domain}`, scope: domain, mark: '' }),
  review: ({ review_id, kind, domain, state }) => ({ id: review_id, scope: state, mark: entryKey(kind, domain) }),
  denied: ({ domain }) => ({ id: domain, scope: '', mark: nameSkeleton(domain) }),
  brand_copy: ({ domain }) => ({ id: domain, scope: '', mark: skeleton(domain) }),
};

/** The id of a revision. */
export function revisionKey(kind: string, domain: string, number: number): string {
  return `${kind}:${domain}:${String(number).padStart(NUMBER_WIDTH, '0')}`;
}

/** What is kept of one noun of the service. */
export type ServiceReads<N extends ServiceNoun> = {
  readonly find: (id: string) => Promise<ServiceRecords[N] | undefined>;
  /** By the mark: slug, hash of a key, skeleton of a domain, entry of a review. */
  readonly marked: (mark: string) => Promise<readonly ServiceRecords[N][]>;
  /** Of one scope, in the order of their ids, after `after`. */
  readonly ofScope: (scope: string, after: string, limit: number) => Promise<readonly ServiceRecords[N][]>;
  /** The same, from the last id down, `offset` of them passed over. */
  readonly latest: (scope: string, limit: number, offset: number) => Promise<readonly ServiceRecords[N][]>;
  /** All, in the order of their ids, after `after`. */
  readonly page: (after: string, limit: number) => Promise<readonly ServiceRecords[N][]>;
  readonly countOf: (scope: string) => Promise<number>;
  readonly count: () => Promise<number>;
};

/** Writes of one noun of the service. */
export type ServiceWrites<N extends ServiceNoun> = ServiceReads<N> & {
  readonly put: (record: ServiceRecords[N]) => Promise<void>;
  readonly remove: (id: string) => Promise<boolean>;
};

/** The repository of one noun of the service. */
export function serviceRepository<N extends ServiceNoun>(db: Builder<RegistryTables>, noun: N) {
  // A mirror opens these tables too and asks nothing of them.
  let compiled: ReturnType<typeof statementsOf> | undefined;
  const sql = (): ReturnType<typeof statementsOf> => {
    compiled ??= statementsOf(db, noun);
    return compiled;
  };
  const decode = ({ doc }: { doc: string }): ServiceRecords[N] => JSON.parse(doc) as ServiceRecords[N];
  const reads = (tx: Reading): ServiceReads<N> => ({
    find: async (id) => {
      const row = await tx.one(sql().find, { id });
      return row === undefined ? undefined : decode(row);
    },
    marked: async (mark) => (await tx.all(sql().marked, { mark })).map(decode),
    ofScope: async (scope, after, limit) => (await tx.all(sql().ofScope, { scope, after, limit })).map(decode),
    latest: async (scope, limit, offset) => (await tx.all(sql().latest, { scope, limit, offset })).map(decode),
    page: async (after, limit) => (await tx.all(sql().page, { after, limit })).map(decode),
    countOf: async (scope) => (await tx.one(sql().countOf, { scope }))?.count ?? 0,
    count: async () => (await tx.one(sql().count, {}))?.count ?? 0,
  });
  const writes = (tx: Writing): ServiceWrites<N> => ({
    ...reads(tx),
    put: async (record) => {
      await tx.run(sql().put, { ...KEYS[noun](record), doc: JSON.stringify(record) });
    },
    remove: async (id) => (await tx.run(sql().drop, { id })) > 0,
  });
  return { reads, writes };
}

function statementsOf(db: Builder<RegistryTables>, noun: ServiceNoun) {
  // Every noun's table has the same columns, so the statements are written once, for one of them.
  const name = noun as 'organization';
  const prepare = createPrepare(db);
  return {
    find: prepare<{ id: string }, { doc: string }>((q, slot) =>
      q.selectFrom(name).select('doc').where('id', '=', slot('id')),
    ),
    marked: prepare<{ mark: string }, { doc: string }>((q, slot) =>
      q.selectFrom(name).select('doc').where('mark', '=', slot('mark')).orderBy('id').limit(100),
    ),
    ofScope: prepare<{ scope: string; after: string; limit: number }, { doc: string }>((q, slot) =>
      q
        .selectFrom(name)
        .select('doc')
        .where('scope', '=', slot('scope'))
        .where('id', '>', slot('after'))
        .orderBy('id')
        .limit(slot('limit')),
    ),
    latest: prepare<{ scope: string; limit: number; offset: number }, { doc: string }>((q, slot) =>
      q
        .selectFrom(name)
        .select('doc')
        .where('scope', '=', slot('scope'))
        .orderBy('id', 'desc')
        .limit(slot('limit'))
        .offset(slot('offset')),
    ),
    page: prepare<{ after: string; limit: number }, { doc: string }>((q, slot) =>
      q.selectFrom(name).select('doc').where('id', '>', slot('after')).orderBy('id').limit(slot('limit')),
    ),
    countOf: prepare<{ scope: string }, { count: number }>((q, slot) =>
      q
        .selectFrom(name)
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('scope', '=', slot('scope')),
    ),
    count: prepare<object, { count: number }>((q) =>
      q.selectFrom(name).select((e) => e.fn.countAll<number>().as('count')),
    ),
    put: prepare<ServiceRow>((q, slot) =>
      q
        .insertInto(name)
        .values({ id: slot('id'), scope: slot('scope'), mark: slot('mark'), doc: slot('doc') })
        .onConflict((c) => c.column('id').doUpdateSet({ scope: slot('scope'), mark: slot('mark'), doc: slot('doc') })),
    ),
    drop: prepare<{ id: string }>((q, slot) => q.deleteFrom(name).where('id', '=', slot('id'))),
  };
}
