import type { Migration } from '../../../platform/database/migrations.js';
import { SERVICE_RECORD_KINDS } from './schema.js';

/** The tables of the service beside the records. */
export const SERVICE_MIGRATIONS: readonly Migration[] = [
  (schema) =>
    SERVICE_RECORD_KINDS.flatMap((noun) => [
      schema
        .createTable(noun)
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('scope', 'text', (c) => c.notNull())
        .addColumn('mark', 'text', (c) => c.notNull())
        .addColumn('doc', 'text', (c) => c.notNull()),
      schema.createIndex(`${noun}_by_scope`).on(noun).columns(['scope', 'id']),
      schema.createIndex(`${noun}_by_mark`).on(noun).columns(['mark', 'id']),
    ]),
];
