import type { Migration } from '../../../platform/database/migrations.js';

/** The changes that mirrors read beside the feed, and the registry's own role: the primary, or the mirror of one. */
export type ReplicationTables = {
  /** The last change of each row that no event tells, by a number that grows with every commit; rows that are gone stay in it. */
  row_change: { id: string; kind: string; seq: number };
  /** What the registry of this store is: its epoch as a primary, or where it stands as a mirror. */
  registry_state: { name: string; doc: string };
};

/** The tables of replication. What was written before them is read by every mirror when it begins. */
export const REPLICATION_MIGRATIONS: readonly Migration[] = [
  (schema) => [
    schema
      .createTable('row_change')
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('row_change_key', ['id', 'kind']),
    schema.createIndex('row_change_by_seq').on('row_change').column('seq'),
    schema
      .createTable('registry_state')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('doc', 'text', (c) => c.notNull()),
  ],
];
