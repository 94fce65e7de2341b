import type { Migration } from '../../../platform/database/migrations.js';

/** Reports of lists of domains that callers had checked. */
export type PropertyCheckTables = {
  /** `bytes` are those of the document, which is the report as JSON. */
  property_check: { id: string; until_ms: number; bytes: number; doc: string };
};

/** The table of the reports. Its index holds all that bounds them. */
export const PROPERTY_CHECK_MIGRATIONS: readonly Migration[] = [
  (schema) => [
    schema
      .createTable('property_check')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('until_ms', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'integer', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('property_check_by_end').on('property_check').columns(['until_ms', 'id', 'bytes']),
  ],
];
