import type { Migration } from '../../../platform/database/migrations.js';
import { NOUNS } from '../../model/records.js';

/** The tables of the records and of the feed. */
export const RECORD_MIGRATIONS: readonly Migration[] = [
  (schema) => [
    ...NOUNS.map((noun) =>
      schema
        .createTable(noun)
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('publisher_domain', 'text')
        .addColumn('agent_url', 'text')
        .addColumn('event_id', 'text', (c) => c.notNull())
        .addColumn('gone', 'integer', (c) => c.notNull())
        .addColumn('doc', 'text', (c) => c.notNull()),
    ),
    ...(['property', 'collection', 'authorization'] as const).map((noun) =>
      schema.createIndex(`${noun}_by_publisher`).on(noun).columns(['publisher_domain', 'id']),
    ),
    schema.createIndex('authorization_by_agent').on('authorization').columns(['agent_url', 'id']),
    schema
      .createTable('alias')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('canonical', 'text', (c) => c.notNull()),
    schema
      .createTable('event')
      .addColumn('event_id', 'text', (c) => c.primaryKey())
      .addColumn('event_type', 'text', (c) => c.notNull())
      .addColumn('entity_id', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createTable('feed_cursor')
      .addColumn('registry', 'text', (c) => c.primaryKey())
      .addColumn('cursor', 'text', (c) => c.notNull())
      .addColumn('synced_at', 'bigint', (c) => c.notNull())
      .addColumn('basis', 'text', (c) => c.notNull()),
  ],
];
