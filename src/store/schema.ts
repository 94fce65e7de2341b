import { type Compilable, type Kysely, sql } from './kysely.js';

/** The engines that the one query code base is compiled for. */
export type EngineName = 'sqlite';

/** Columns as the driver returns them. `doc` is the noun as JSON; the other columns are there to find, order and guard it. */
export type Database = {
  account: {
    seq: number;
    owner: string;
    account_id: string;
    natural_key: string;
    /** JSON of the tenant file's entry, where the account came from there. */
    configured: string | null;
    doc: string;
  };
  media_buy: {
    seq: number;
    owner: string;
    account_id: string;
    media_buy_id: string;
    status: string;
    revision: number;
    /** Revision that the ad server knows; below `revision` the booking is pending. */
    booked_revision: number;
    /** When the clock moves it next, ms since the epoch. */
    due_at: number | null;
    created_at: number;
    doc: string;
  };
  /** What packages were sold at, each version of an offer once, under the digest of its text. */
  terms: {
    seq: number;
    digest: string;
    doc: string;
  };
  media_buy_event: {
    seq: number;
    media_buy_id: string;
    revision: number;
    doc: string;
  };
  creative: {
    seq: number;
    owner: string;
    account_id: string;
    creative_id: string;
    name: string;
    status: string;
    format: string;
    /** `|a|b|`, so that one tag is found with LIKE. */
    tags: string;
    created_date: string;
    updated_date: string;
    doc: string;
  };
  assignment: {
    seq: number;
    owner: string;
    account_id: string;
    creative_id: string;
    media_buy_id: string;
    package_id: string;
    weight: number | null;
    assigned_date: string;
  };
  feedback: {
    seq: number;
    media_buy_id: string;
    received_at: number;
    doc: string;
  };
  idempotency: {
    seq: number;
    /** Of the owner and the key. */
    digest: string;
    /** Of what the request asked for. */
    hash: string;
    /** The stored answer; null once only the tombstone is left. */
    response: string | null;
    created_at: number;
    expires_at: number;
  };
};

type Schema = Kysely<Database>['schema'];

/** The migrations, oldest first. A store remembers how many it has had; a released one is never edited. */
export const MIGRATIONS: readonly ((schema: Schema, engine: EngineName) => readonly Compilable[])[] = [
  (schema, engine) => [
    table(schema, engine, 'account')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('natural_key', 'text', (c) => c.notNull())
      .addColumn('configured', 'text')
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('account_by_id').unique().on('account').columns(['owner', 'account_id']),
    schema.createIndex('account_by_key').unique().on('account').columns(['owner', 'natural_key']),
    table(schema, engine, 'media_buy')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('media_buy_id', 'text', (c) => c.notNull().unique())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('revision', 'integer', (c) => c.notNull())
      .addColumn('booked_revision', 'integer', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('media_buy_by_account').on('media_buy').columns(['owner', 'account_id', 'seq']),
    schema.createIndex('media_buy_by_status').on('media_buy').columns(['owner', 'status', 'seq']),
    schema.createIndex('media_buy_by_due').on('media_buy').column('due_at').where(sql.ref('due_at'), 'is not', null),
    schema
      .createIndex('media_buy_unbooked')
      .on('media_buy')
      .column('seq')
      .where(sql.ref('booked_revision'), '<', sql.ref('revision')),
    table(schema, engine, 'terms')
      .addColumn('digest', 'text', (c) => c.notNull().unique())
      .addColumn('doc', 'text', (c) => c.notNull()),
    table(schema, engine, 'media_buy_event')
      .addColumn('media_buy_id', 'text', (c) => c.notNull())
      .addColumn('revision', 'integer', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('media_buy_event_by_buy').on('media_buy_event').columns(['media_buy_id', 'seq']),
    table(schema, engine, 'creative')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('creative_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('format', 'text', (c) => c.notNull())
      .addColumn('tags', 'text', (c) => c.notNull())
      .addColumn('created_date', 'text', (c) => c.notNull())
      .addColumn('updated_date', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('creative_by_id').unique().on('creative').columns(['owner', 'account_id', 'creative_id']),
    table(schema, engine, 'assignment')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('creative_id', 'text', (c) => c.notNull())
      .addColumn('media_buy_id', 'text', (c) => c.notNull())
      .addColumn('package_id', 'text', (c) => c.notNull())
      .addColumn('weight', 'real')
      .addColumn('assigned_date', 'text', (c) => c.notNull()),
    schema
      .createIndex('assignment_by_package')
      .unique()
      .on('assignment')
      .columns(['media_buy_id', 'package_id', 'creative_id']),
    schema.createIndex('assignment_by_creative').on('assignment').columns(['owner', 'account_id', 'creative_id']),
    table(schema, engine, 'feedback')
      .addColumn('media_buy_id', 'text', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    table(schema, engine, 'idempotency')
      .addColumn('digest', 'text', (c) => c.notNull().unique())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('response', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull()),
    schema.createIndex('idempotency_by_expiry').on('idempotency').column('expires_at'),
  ],
];

/** A table whose `seq` numbers its rows in the order they came; what lists page by. */
function table(schema: Schema, _engine: EngineName, name: keyof Database) {
  return schema.createTable(name).addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement());
}
