import { leaseTable, type Migration, processTable, table } from '../../../platform/database/migrations.js';

/** The tables by which processes that share a database hear of each other's changes and share out what is to be done. */
export const SHARED_MIGRATIONS: readonly Migration[] = [
  (schema, engine) => [
    table(schema, engine, 'store_change')
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('noun', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text'),
    leaseTable(schema),
  ],
  (schema) => [processTable(schema)],
  // A copy of a store is none until it is whole.
  (schema) => [schema.createTable('unfinished_copy').addColumn('id', 'integer', (c) => c.primaryKey())],
];
