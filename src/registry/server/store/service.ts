import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow, parseDoc } from '../../../platform/database/statement.js';
import { nameSkeleton, skeleton } from '../../model/look-alikes.js';
import type { NoteRow } from '../../store/row-changes.js';
import type { RegistryTables, ServiceRecordKind, ServiceRow } from '../../store/schema/schema.js';
import { entryKey, type ServiceRecords } from '../service/records.js';
import type { CountedRows, RowCountWriter } from './row-counts.js';

type Keys = Omit<ServiceRow, 'doc'>;

/** Digits of a revision's number in its id, so that ids sort as the numbers do. */
const NUMBER_WIDTH = 9;

/** The columns that a record of each kind is found by. */
const KEYS: { readonly [K in ServiceRecordKind]: (record: ServiceRecords[K]) => Keys } = {
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
  blocked: ({ kind, name }) => ({ id: `${kind}:${name}`, scope: kind, mark: '' }),
  badge_key: ({ kid }) => ({ id: kid, scope: '', mark: '' }),
  revoked_badge: ({ badge_id, agent_url }) => ({ id: badge_id, scope: agent_url, mark: '' }),
  operator_act: ({ act_id, action }) => ({ id: act_id, scope: '', mark: action }),
  legal_hold: ({ kind, name }) => ({ id: `${kind}:${name}`, scope: kind, mark: name }),
  brand_copy: ({ domain }) => ({ id: domain, scope: '', mark: skeleton(domain) }),
};

/** What counts records of the kinds that are counted. */
const COUNTS: { readonly [K in ServiceRecordKind]?: (record: ServiceRecords[K]) => CountedRows } = {
  member_agent: () => 'member_agent',
  entry: ({ kind }) => `entry:${kind}`,
};

/** Returns the id of a revision. */
export function revisionKey(kind: string, domain: string, number: number): string {
  return `${kind}:${domain}:${String(number).padStart(NUMBER_WIDTH, '0')}`;
}

/** Returns the statements on the table of one kind of service records, compiled for an engine. */
export function serviceStatements(db: Builder<RegistryTables>, kind: ServiceRecordKind) {
  // The tables of all kinds have the same columns, so the statements are written once, for one of them.
  const name = kind as 'organization';
  const prepare = createPrepare(db);
  return {
    find: prepare<{ id: string }, DocRow>((q, slot) => q.selectFrom(name).select('doc').where('id', '=', slot('id'))),
    byMark: prepare<{ mark: string }, DocRow>((q, slot) =>
      q.selectFrom(name).select('doc').where('mark', '=', slot('mark')).orderBy('id').limit(100),
    ),
    byScope: prepare<{ scope: string; after: string; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom(name)
        .select('doc')
        .where('scope', '=', slot('scope'))
        .where('id', '>', slot('after'))
        .orderBy('id')
        .limit(slot('limit')),
    ),
    latestOfScope: prepare<{ scope: string; limit: number; offset: number }, DocRow>((q, slot) =>
      q
        .selectFrom(name)
        .select('doc')
        .where('scope', '=', slot('scope'))
        .orderBy('id', 'desc')
        .limit(slot('limit'))
        .offset(slot('offset')),
    ),
    page: prepare<{ after: string; limit: number }, DocRow>((q, slot) =>
      q.selectFrom(name).select('doc').where('id', '>', slot('after')).orderBy('id').limit(slot('limit')),
    ),
    countOfScope: prepare<{ scope: string }, { count: number }>((q, slot) =>
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

/** The compiled statements on the table of one kind of service records. */
type ServiceStatements = ReturnType<typeof serviceStatements>;

/** Reads one kind of service records. */
export class ServiceReader<K extends ServiceRecordKind> {
  readonly #tx: Reading;
  readonly #statements: () => ServiceStatements;

  constructor(tx: Reading, statements: () => ServiceStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  async find(id: string): Promise<ServiceRecords[K] | undefined> {
    return parseDoc<ServiceRecords[K]>(await this.#tx.one(this.#statements().find, { id }));
  }

  /** Returns the records with a mark: slug, hash of a key, skeleton of a domain, entry of a review. */
  async listByMark(mark: string): Promise<readonly ServiceRecords[K][]> {
    return this.#parseAll(await this.#tx.all(this.#statements().byMark, { mark }));
  }

  /** Returns the records of one scope, in the order of their ids, after `after`. */
  async listByScope(scope: string, after: string, limit: number): Promise<readonly ServiceRecords[K][]> {
    return this.#parseAll(await this.#tx.all(this.#statements().byScope, { scope, after, limit }));
  }

  /** Returns the records of one scope from the last id down, `offset` of them passed over. */
  async listLatest(scope: string, limit: number, offset: number): Promise<readonly ServiceRecords[K][]> {
    return this.#parseAll(await this.#tx.all(this.#statements().latestOfScope, { scope, limit, offset }));
  }

  /** Returns all records, in the order of their ids, after `after`. */
  async page(after: string, limit: number): Promise<readonly ServiceRecords[K][]> {
    return this.#parseAll(await this.#tx.all(this.#statements().page, { after, limit }));
  }

  async countByScope(scope: string): Promise<number> {
    return (await this.#tx.one(this.#statements().countOfScope, { scope }))?.count ?? 0;
  }

  async count(): Promise<number> {
    return (await this.#tx.one(this.#statements().count, {}))?.count ?? 0;
  }

  #parseAll(rows: readonly DocRow[]): readonly ServiceRecords[K][] {
    return rows.map((row) => parseDoc<ServiceRecords[K]>(row));
  }
}

/** The parts of a writer of one kind of service records. */
type ServiceWriterParts<K> = {
  readonly statements: () => ServiceStatements;
  readonly kind: K;
  readonly note: NoteRow;
  readonly counts: RowCountWriter;
};

/** Reads and writes one kind of service records, in one transaction. */
export class ServiceWriter<K extends ServiceRecordKind> extends ServiceReader<K> {
  readonly #tx: Writing;
  readonly #counts: RowCountWriter;
  readonly #statements: () => ServiceStatements;
  readonly #keysOf: (record: ServiceRecords[K]) => Keys;
  readonly #countOf: ((record: ServiceRecords[K]) => CountedRows) | undefined;
  readonly #note: (id: string) => Promise<void>;

  constructor(tx: Writing, { counts, kind, note, statements }: ServiceWriterParts<K>) {
    super(tx, statements);
    this.#tx = tx;
    this.#counts = counts;
    this.#countOf = COUNTS[kind];
    this.#statements = statements;
    this.#keysOf = KEYS[kind];
    this.#note = (id) => note(tx, kind, id);
  }

  /** Inserts a record, or replaces the one with its id. */
  async put(record: ServiceRecords[K]): Promise<void> {
    const keys = this.#keysOf(record);
    const count = this.#countOf?.(record);
    if (count !== undefined && (await this.find(keys.id)) === undefined) await this.#counts.add(count, 1);
    await this.#tx.run(this.#statements().put, { ...keys, doc: JSON.stringify(record) });
    await this.#note(keys.id);
  }

  /** Returns whether there was a record with this id. */
  async remove(id: string): Promise<boolean> {
    const record = this.#countOf === undefined ? undefined : await this.find(id);
    const dropped = await this.#tx.run(this.#statements().drop, { id });
    if (record !== undefined && this.#countOf !== undefined) await this.#counts.add(this.#countOf(record), -dropped);
    if (dropped > 0) await this.#note(id);
    return dropped > 0;
  }
}
