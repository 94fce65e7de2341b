import { type Migration, plainSql } from '../../../../platform/database/migrations.js';
import type { EngineName } from '../../../../platform/database/statement.js';

/** Takes the last period of each stream over into the table of periods. */
const LAST_REPORTS: Readonly<Record<EngineName, string>> = {
  sqlite: `INSERT INTO report_period SELECT media_buy_id, last ->> '$.fromMs', last ->> '$.toMs',
    last ->> '$.impressions', last ->> '$.spend', 0 FROM report_stream WHERE last IS NOT NULL`,
  postgres: `INSERT INTO report_period SELECT media_buy_id, (last::jsonb ->> 'fromMs')::bigint, (last::jsonb ->> 'toMs')::bigint,
    round((last::jsonb ->> 'impressions')::numeric)::bigint, (last::jsonb ->> 'spend')::double precision, 0
    FROM report_stream WHERE last IS NOT NULL`,
};

/** The migrations of streams of reports and content. */
export const reports = {
  streams: (schema) => [
    schema
      .createTable('report_stream')
      .addColumn('media_buy_id', 'text', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('frequency', 'text', (c) => c.notNull())
      .addColumn('delay_ms', 'bigint', (c) => c.notNull())
      .addColumn('next_from', 'bigint', (c) => c.notNull())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('is_late', 'integer', (c) => c.notNull())
      .addColumn('last', 'text'),
    schema.createIndex('report_stream_by_due').on('report_stream').column('due_at'),
  ],
  // Every period that was reported may be corrected, and each promise of a late one that is broken is told.
  periods: (schema, engine) => [
    schema
      .createTable('report_period')
      .addColumn('media_buy_id', 'text', (c) => c.notNull())
      .addColumn('from_ms', 'bigint', (c) => c.notNull())
      .addColumn('to_ms', 'bigint', (c) => c.notNull())
      .addColumn('impressions', 'bigint', (c) => c.notNull())
      .addColumn('spend', 'double precision', (c) => c.notNull())
      .addColumn('checked_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('report_period_of', ['media_buy_id', 'from_ms']),
    schema.createIndex('report_period_by_check').on('report_period').columns(['media_buy_id', 'checked_at', 'from_ms']),
    schema.alterTable('report_stream').addColumn('delays', 'integer', (c) => c.notNull().defaultTo(0)),
    schema.alterTable('report_stream').addColumn('promised_at', 'bigint'),
    plainSql(LAST_REPORTS[engine]),
  ],
  // The content beside the ads of buys, pushed in batches.
  content: (schema) => [
    schema
      .createTable('content_stream')
      .addColumn('media_buy_id', 'text', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('frequency', 'text', (c) => c.notNull())
      .addColumn('next_from', 'bigint', (c) => c.notNull())
      .addColumn('due_at', 'bigint', (c) => c.notNull()),
    schema.createIndex('content_stream_by_due').on('content_stream').column('due_at'),
    schema.createIndex('content_stream_by_owner').on('content_stream').columns(['owner', 'due_at']),
  ],
} satisfies Readonly<Record<string, Migration>>;
