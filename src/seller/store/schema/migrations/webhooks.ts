import { sql } from '../../../../platform/database/kysely.js';
import { type Migration, table } from '../../../../platform/database/migrations.js';

/** The migrations of webhooks, and who hears of what. */
export const webhooks = {
  events: (schema, engine) => [
    table(schema, engine, 'webhook_event')
      .addColumn('idempotency_key', 'text', (c) => c.notNull().unique())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('tenant', 'text', (c) => c.notNull())
      .addColumn('media_buy_id', 'text')
      .addColumn('task_id', 'text')
      .addColumn('notification_type', 'text')
      .addColumn('notification_id', 'text')
      .addColumn('sequence_number', 'integer')
      .addColumn('channel', 'text', (c) => c.notNull())
      .addColumn('endpoint', 'text', (c) => c.notNull())
      .addColumn('size_bytes', 'integer', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('reason', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('next_attempt_at', 'bigint')
      .addColumn('claimed_at', 'bigint')
      .addColumn('first_attempt_at', 'bigint')
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('refusals', 'integer', (c) => c.notNull())
      .addColumn('merge_key', 'text')
      .addColumn('finished_at', 'bigint'),
    schema
      .createIndex('webhook_event_by_due')
      .on('webhook_event')
      .columns(['endpoint', 'next_attempt_at', 'seq'])
      .where(sql.ref('next_attempt_at'), 'is not', null),
    schema
      .createIndex('webhook_event_by_buy')
      .on('webhook_event')
      .columns(['media_buy_id', 'seq'])
      .where(sql.ref('media_buy_id'), 'is not', null),
    schema
      .createIndex('webhook_event_to_merge')
      .on('webhook_event')
      .column('merge_key')
      .where(sql.ref('merge_key'), 'is not', null),
    schema
      .createIndex('webhook_event_finished')
      .on('webhook_event')
      .columns(['state', 'finished_at'])
      .where(sql.ref('finished_at'), 'is not', null),
    schema
      .createTable('webhook_body')
      .addColumn('event_seq', 'integer', (c) => c.primaryKey())
      .addColumn('body', 'text', (c) => c.notNull()),
    table(schema, engine, 'webhook_attempt')
      .addColumn('event_seq', 'integer', (c) => c.notNull())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('media_buy_id', 'text')
      .addColumn('attempt', 'integer', (c) => c.notNull())
      .addColumn('fired_at', 'bigint', (c) => c.notNull())
      .addColumn('completed_at', 'bigint', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('http_status_code', 'integer')
      .addColumn('response_time_ms', 'integer')
      .addColumn('error_message', 'text'),
    schema
      .createIndex('webhook_attempt_by_buy')
      .on('webhook_attempt')
      .columns(['media_buy_id', 'fired_at', 'seq'])
      .where(sql.ref('media_buy_id'), 'is not', null),
    schema.createIndex('webhook_attempt_by_end').on('webhook_attempt').column('completed_at'),
    schema
      .createTable('webhook_sequence')
      .addColumn('stream', 'text', (c) => c.primaryKey())
      .addColumn('last', 'integer', (c) => c.notNull()),
    schema
      .createTable('webhook_pause')
      .addColumn('channel', 'text', (c) => c.primaryKey())
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('paused_at', 'bigint', (c) => c.notNull()),
  ],
  // Who hears of the events of an account.
  subscribers: (schema, engine) => [
    table(schema, engine, 'account_subscriber')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('account_subscriber_by_account')
      .unique()
      .on('account_subscriber')
      .columns(['owner', 'account_id']),
  ],
  // Events that tell where a buy stands are dropped once the buy has gone on; earlier ones are sent as they are.
  revisions: (schema) => [schema.alterTable('webhook_event').addColumn('revision', 'integer')],
  // What the subscribers of wholesale feeds were told last.
  wholesaleFeeds: (schema, engine) => [
    table(schema, engine, 'wholesale_feed')
      .addColumn('tenant', 'text', (c) => c.notNull())
      .addColumn('feed', 'text', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('wholesale_feed_of_tenant').unique().on('wholesale_feed').columns(['tenant', 'feed']),
  ],
} satisfies Readonly<Record<string, Migration>>;
