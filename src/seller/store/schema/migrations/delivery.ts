import { sql } from '../../../../platform/database/kysely.js';
import { type Migration, plainSql } from '../../../../platform/database/migrations.js';

/** The migrations of delivery that people enter or ad servers report. */
export const delivery = {
  entered: (schema) => [
    schema
      .createTable('entered_delivery')
      .addColumn('media_buy_id', 'text', (c) => c.notNull())
      .addColumn('package_id', 'text', (c) => c.notNull())
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('creative_id', 'text', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('impressions', 'bigint', (c) => c.notNull())
      .addColumn('spend_cents', 'bigint', (c) => c.notNull())
      .addColumn('clicks', 'bigint')
      .addColumn('views', 'bigint')
      .addColumn('completed_views', 'bigint')
      .addColumn('conversions', 'bigint')
      .addPrimaryKeyConstraint('entered_delivery_key', ['package_id', 'day', 'creative_id']),
    plainSql(`CREATE INDEX media_buy_by_order ON media_buy ((doc ->> '$.booked_by_hand.order_id'))
      WHERE doc ->> '$.booked_by_hand.order_id' IS NOT NULL`),
    schema.createIndex('entered_delivery_by_buy').on('entered_delivery').columns(['media_buy_id', 'at_ms']),
  ],
  // What vendors found of delivery that people enter.
  vendorMetrics: (schema) => [schema.alterTable('entered_delivery').addColumn('vendor_metrics', 'text')],
  // How far the delivery of buys was read from ad servers, and the reports that are being made there.
  pulls: (schema) => [
    schema
      .createTable('delivery_pull')
      .addColumn('media_buy_id', 'text', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('through_ms', 'bigint', (c) => c.notNull())
      .addColumn('next_at', 'bigint'),
    schema
      .createIndex('delivery_pull_due')
      .on('delivery_pull')
      .column('next_at')
      .where(sql.ref('next_at'), 'is not', null),
    schema
      .createTable('report_job')
      .addColumn('job_id', 'text', (c) => c.primaryKey())
      .addColumn('tenant', 'text', (c) => c.notNull())
      .addColumn('next_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('report_job_ended').on('report_job').column('expires_at'),
  ],
  // Since when the delivery of buys cannot be read from their ad servers.
  failingPulls: (schema) => [
    schema.alterTable('delivery_pull').addColumn('failing_since', 'bigint'),
    schema.alterTable('delivery_pull').addColumn('trouble', 'text'),
    schema
      .createIndex('delivery_pull_failing')
      .on('delivery_pull')
      .column('failing_since')
      .where(sql.ref('failing_since'), 'is not', null),
  ],
} satisfies Readonly<Record<string, Migration>>;
