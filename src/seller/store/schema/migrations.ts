import { sql } from '../../../platform/database/kysely.js';
import { type Migration, table } from '../../../platform/database/migrations.js';

/** The migrations, oldest first. A store remembers how many it has had; a released one is never edited. */
export const SELLER_MIGRATIONS: readonly Migration[] = [
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
  (schema, engine) => [
    schema
      .createIndex('creative_waiting')
      .on('creative')
      .columns(['updated_date', 'seq'])
      .where(sql.ref('status'), '=', sql.lit('pending_review')),
    table(schema, engine, 'creative_use')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('creative_id', 'text', (c) => c.notNull())
      .addColumn('media_buy_id', 'text', (c) => c.notNull()),
    schema
      .createIndex('creative_use_by_buy')
      .unique()
      .on('creative_use')
      .columns(['media_buy_id', 'creative_id', 'account_id']),
    schema.createIndex('creative_use_by_creative').on('creative_use').columns(['owner', 'creative_id', 'seq']),
  ],
  (schema, engine) => [
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
  (schema, engine) => [
    table(schema, engine, 'task')
      .addColumn('task_id', 'text', (c) => c.notNull().unique())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('task_type', 'text', (c) => c.notNull())
      .addColumn('protocol', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('has_webhook', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('words', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('task_by_owner').on('task').columns(['owner', 'seq']),
    schema.createIndex('task_by_due').on('task').column('due_at').where(sql.ref('due_at'), 'is not', null),
  ],
  (schema, engine) => [
    table(schema, engine, 'deployment')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('signal_agent_segment_id', 'text', (c) => c.notNull())
      .addColumn('place', 'text', (c) => c.notNull())
      .addColumn('seat', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('deployment_by_place')
      .unique()
      .on('deployment')
      .columns(['owner', 'account_id', 'signal_agent_segment_id', 'place', 'seat']),
    table(schema, engine, 'usage')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('usage_by_account').on('usage').columns(['owner', 'account_id', 'seq']),
  ],
  (schema) => [
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
  (schema, engine) => [
    table(schema, engine, 'sandbox_item')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('item_key', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('sandbox_item_by_key').unique().on('sandbox_item').columns(['owner', 'kind', 'item_key']),
  ],
  (schema, engine) => [
    table(schema, engine, 'governance_agent')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('governance_agent_by_account').unique().on('governance_agent').columns(['owner', 'account_id']),
    table(schema, engine, 'governance_approval')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('reference', 'text', (c) => c.notNull())
      .addColumn('decided_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('governance_approval_by_reference')
      .on('governance_approval')
      .columns(['owner', 'account_id', 'reference', 'seq']),
    table(schema, engine, 'audience')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('audience_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('audience_by_id').unique().on('audience').columns(['owner', 'account_id', 'audience_id']),
    table(schema, engine, 'audience_member')
      .addColumn('audience_seq', 'integer', (c) => c.notNull())
      .addColumn('external_id', 'text', (c) => c.notNull())
      .addColumn('matched', 'integer', (c) => c.notNull())
      .addColumn('identifiers', 'text', (c) => c.notNull()),
    schema.createIndex('audience_member_by_id').unique().on('audience_member').columns(['audience_seq', 'external_id']),
    table(schema, engine, 'event_source')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('event_source_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('event_source_by_id')
      .unique()
      .on('event_source')
      .columns(['owner', 'event_source_id', 'account_id']),
    table(schema, engine, 'logged_event')
      .addColumn('source_seq', 'integer', (c) => c.notNull())
      .addColumn('event_type', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('is_test', 'integer', (c) => c.notNull())
      .addColumn('matched', 'integer', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('logged_event_by_id')
      .unique()
      .on('logged_event')
      .columns(['source_seq', 'event_type', 'event_id', 'is_test']),
    table(schema, engine, 'catalog')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('catalog_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('catalog_by_id').unique().on('catalog').columns(['owner', 'account_id', 'catalog_id']),
  ],
  (schema, engine) => [
    table(schema, engine, 'proposal')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('proposal_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('proposal_by_id').unique().on('proposal').columns(['owner', 'proposal_id']),
  ],
  (schema) => [
    schema
      .createTable('preview')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('size', 'integer', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull()),
    schema.createIndex('preview_by_expiry').on('preview').column('expires_at').where(sql.ref('size'), '>', sql.lit(0)),
    schema.createIndex('preview_expired').on('preview').column('expires_at').where(sql.ref('size'), '=', sql.lit(0)),
    schema
      .createTable('preview_usage')
      .addColumn('owner', 'text', (c) => c.primaryKey())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull()),
    schema
      .createTable('media_file')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('size', 'integer', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull()),
    schema.createIndex('media_file_by_expiry').on('media_file').column('expires_at'),
    schema
      .createTable('media_bytes')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('bytes', 'blob', (c) => c.notNull()),
  ],
  (schema) => [
    schema.alterTable('proposal').addColumn('expires_at', 'bigint'),
    schema
      .createIndex('proposal_by_expiry')
      .on('proposal')
      .column('expires_at')
      .where(sql.ref('expires_at'), 'is not', null),
  ],
];
