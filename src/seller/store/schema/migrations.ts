import { type Compilable, sql } from '../../../platform/database/kysely.js';
import { leaseTable, type Migration, plainSql, processTable, table } from '../../../platform/database/migrations.js';
import type { EngineName } from '../../../platform/database/statement.js';
import { createTrigger } from '../../../platform/database/trigger.js';
import type { CountedTable } from '../shared/versions.js';
import { countListed } from './list-triggers.js';
import { countOwned } from './usage-triggers.js';

/** The tables whose rows and bytes are counted for each owner, and the noun that they are counted as. */
const COUNTED = [
  ['account', 'accounts'],
  ['media_buy', 'media_buys'],
  ['creative', 'creatives'],
  ['task', 'tasks'],
  ['deployment', 'deployments'],
  ['usage', 'usage_records'],
  ['audience', 'audiences'],
  ['event_source', 'event_sources'],
  ['catalog', 'catalogs'],
  ['proposal', 'proposals'],
] as const;

function joinGroup(row: string): string {
  return `INSERT INTO audience_group VALUES (${row}.audience_seq, ${row}.identifiers, 1)
    ON CONFLICT (audience_seq, identifiers) DO UPDATE SET count = audience_group.count + 1;`;
}

function leaveGroup(row: string): string {
  const which = `audience_seq = ${row}.audience_seq AND identifiers = ${row}.identifiers`;
  return `UPDATE audience_group SET count = count - 1 WHERE ${which};
    DELETE FROM audience_group WHERE ${which} AND count = 0;`;
}

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
  // Sweeps and lists that read what they need and no more.
  (schema) => [
    schema.dropIndex('idempotency_by_expiry'),
    schema
      .createIndex('idempotency_to_expire')
      .on('idempotency')
      .column('expires_at')
      .where(sql.ref('response'), 'is not', null),
    schema
      .createIndex('webhook_event_to_expire')
      .on('webhook_event')
      .column('expires_at')
      .where(sql.ref('next_attempt_at'), 'is not', null),
    schema.dropIndex('media_buy_by_due'),
    schema
      .createIndex('media_buy_due')
      .on('media_buy')
      .columns(['owner', 'due_at'])
      .where(sql.ref('due_at'), 'is not', null),
    schema.dropIndex('media_buy_by_account'),
    schema.createIndex('media_buy_by_account_status').on('media_buy').columns(['owner', 'account_id', 'status', 'seq']),
  ],
  // Every sweep of the retention finds its rows by an index.
  (schema, engine) => [
    schema.alterTable('media_buy').addColumn('ended_at', 'bigint'),
    ...ofEarlierRows(
      engine,
      `UPDATE media_buy SET ended_at = unixepoch(doc ->> '$.updated_at') * 1000
      WHERE status IN ('completed', 'rejected', 'canceled')`,
    ),
    schema
      .createIndex('media_buy_by_end')
      .on('media_buy')
      .column('ended_at')
      .where(sql.ref('ended_at'), 'is not', null),
    schema.createIndex('feedback_by_buy').on('feedback').column('media_buy_id'),
    schema
      .createIndex('idempotency_to_forget')
      .on('idempotency')
      .column('expires_at')
      .where(sql.ref('response'), 'is', null),
    plainSql(`CREATE INDEX task_by_end ON task (updated_at)
      WHERE status IN ('completed', 'rejected', 'failed', 'canceled')`),
    schema.createIndex('usage_by_age').on('usage').column('received_at'),
    schema.createIndex('governance_approval_by_age').on('governance_approval').column('decided_at'),
    schema.createIndex('logged_event_by_age').on('logged_event').column('received_at'),
    plainSql(`CREATE INDEX proposal_bought ON proposal ((doc ->> '$.media_buy_id')) WHERE expires_at IS NULL`),
  ],
  (schema, engine) => [
    schema
      .createTable('spend_booking')
      .addColumn('media_buy_id', 'text', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('day', 'integer')
      .addColumn('day_cents', 'integer', (c) => c.notNull())
      .addColumn('start_day', 'integer')
      .addColumn('end_day', 'integer')
      .addColumn('pending', 'integer', (c) => c.notNull()),
    schema
      .createIndex('spend_booking_pending')
      .on('spend_booking')
      .columns(['owner', 'media_buy_id'])
      .where(sql.ref('pending'), '=', sql.lit(1)),
    schema
      .createTable('account_day')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('cents', 'integer', (c) => c.notNull())
      .addColumn('starts', 'integer', (c) => c.notNull())
      .addColumn('ends', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('account_day_by_day', ['owner', 'account_id', 'currency', 'day']),
    schema
      .createTable('spend_round')
      .addColumn('owner', 'text', (c) => c.primaryKey())
      .addColumn('at', 'bigint', (c) => c.notNull()),
    // Buys that ran before spend was booked: the first round books them.
    ...ofEarlierRows(
      engine,
      `INSERT INTO spend_booking (media_buy_id, owner, account_id, currency, day_cents, pending)
      SELECT media_buy_id, owner, account_id, doc ->> '$.currency', 0, 1 FROM media_buy
      WHERE status IN ('paused', 'completed', 'canceled')`,
    ),
  ],
  // Lists in the usual orders are read and counted from an index, whatever else there is.
  (schema) => [
    schema
      .createIndex('creative_by_created')
      .on('creative')
      .columns(['owner', 'created_date', 'seq', 'account_id', 'status']),
    schema
      .createIndex('creative_by_updated')
      .on('creative')
      .columns(['owner', 'updated_date', 'seq', 'account_id', 'status']),
    schema.dropIndex('task_by_owner'),
    schema
      .createIndex('task_by_created')
      .on('task')
      .columns(['owner', 'created_at', 'seq', 'account_id', 'protocol', 'status']),
  ],
  // Paused channels were named by their text, which held secrets. A receiver that is gone says so again.
  () => [
    plainSql('DELETE FROM webhook_pause'),
    plainSql(`CREATE TABLE sealing (key_id TEXT PRIMARY KEY, proof TEXT NOT NULL, is_complete INTEGER NOT NULL)`),
  ],
  // What each owner has stored, counted where it changes, so that no statement can forget to.
  (schema, engine) => [
    schema
      .createTable('owner_usage')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('noun', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('owner_usage_key', ['owner', 'noun'])
      .modifyEnd(withoutRowid(engine)),
    ...COUNTED.flatMap(([table, noun]) => countOwned(engine, table, { noun })),
  ],
  (schema) => [
    schema
      .createTable('inventory_day')
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('product_id', 'text', (c) => c.notNull())
      .addColumn('day_ms', 'bigint', (c) => c.notNull())
      .addColumn('amount', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('inventory_day_of_product', ['scope', 'product_id', 'day_ms']),
    schema.createIndex('inventory_day_by_day').on('inventory_day').column('day_ms'),
    schema
      .createTable('inventory_hold')
      .addColumn('package_id', 'text', (c) => c.primaryKey())
      .addColumn('media_buy_id', 'text', (c) => c.notNull())
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('product_id', 'text', (c) => c.notNull())
      .addColumn('runs', 'text', (c) => c.notNull()),
    schema.createIndex('inventory_hold_by_buy').on('inventory_hold').column('media_buy_id'),
  ],
  // Files of previews count for who had them stored; so do events, feedback and the members of audiences.
  (schema, engine) => [
    plainSql(`ALTER TABLE media_file ADD COLUMN owner TEXT NOT NULL DEFAULT ''`),
    plainSql(`ALTER TABLE feedback ADD COLUMN owner TEXT NOT NULL DEFAULT ''`),
    plainSql(`UPDATE feedback SET owner = coalesce(
      (SELECT owner FROM media_buy WHERE media_buy.media_buy_id = feedback.media_buy_id), '')`),
    plainSql(`ALTER TABLE logged_event ADD COLUMN owner TEXT NOT NULL DEFAULT ''`),
    plainSql(`UPDATE logged_event SET owner = coalesce(
      (SELECT owner FROM event_source WHERE event_source.seq = logged_event.source_seq), '')`),
    // A removed audience stays until its members are gone, which are cleared some at a time.
    plainSql('ALTER TABLE audience ADD COLUMN clear_from BIGINT'),
    schema.dropIndex('audience_by_id'),
    plainSql(`CREATE UNIQUE INDEX audience_by_id ON audience (owner, account_id, audience_id)
      WHERE clear_from IS NULL`),
    plainSql('CREATE INDEX audience_to_clear ON audience (clear_from) WHERE clear_from IS NOT NULL'),
    // The members of an audience by their identifiers, counted where they change.
    schema
      .createTable('audience_group')
      .addColumn('audience_seq', 'integer', (c) => c.notNull())
      .addColumn('identifiers', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('audience_group_key', ['audience_seq', 'identifiers'])
      .modifyEnd(withoutRowid(engine)),
    plainSql(`INSERT INTO audience_group
      SELECT audience_seq, identifiers, count(*) FROM audience_member GROUP BY audience_seq, identifiers`),
    ...countOwned(engine, 'feedback', { noun: 'feedback' }),
    ...countOwned(engine, 'logged_event', { noun: 'logged_events' }),
    ...countOwned(engine, 'audience_member', {
      noun: 'audience_members',
      owner: (row) => `(SELECT owner FROM audience WHERE seq = ${row}.audience_seq)`,
      bytes: (row) => `octet_length(${row}.external_id) + octet_length(${row}.identifiers)`,
    }),
    ...createTrigger(engine, {
      name: 'audience_member_grouped',
      table: 'audience_member',
      event: 'INSERT',
      action: joinGroup('new'),
    }),
    ...createTrigger(engine, {
      name: 'audience_member_ungrouped',
      table: 'audience_member',
      event: 'DELETE',
      action: leaveGroup('old'),
    }),
    ...createTrigger(engine, {
      name: 'audience_member_regrouped',
      table: 'audience_member',
      event: 'UPDATE OF identifiers',
      condition: 'new.identifiers <> old.identifiers',
      action: `${leaveGroup('old')} ${joinGroup('new')}`,
    }),
  ],
  // Proposals and orders that wait hold too, and buys from before hold what they were promised.
  (schema) => [
    schema.dropIndex('inventory_hold_by_buy'),
    schema.alterTable('inventory_hold').renameColumn('media_buy_id', 'holder_id'),
    schema.alterTable('inventory_hold').addColumn('expires_at', 'bigint'),
    schema.alterTable('inventory_hold').addColumn('category', 'text'),
    schema.alterTable('inventory_hold').addColumn('advertiser', 'text'),
    schema.createIndex('inventory_hold_by_holder').on('inventory_hold').column('holder_id'),
    schema
      .createIndex('inventory_hold_by_expiry')
      .on('inventory_hold')
      .columns(['scope', 'expires_at'])
      .where(sql.ref('expires_at'), 'is not', null),
    schema
      .createIndex('inventory_hold_by_category')
      .on('inventory_hold')
      .columns(['scope', 'product_id', 'category'])
      .where(sql.ref('category'), 'is not', null),
    schema.createTable('inventory_backlog').addColumn('media_buy_id', 'text', (c) => c.primaryKey()),
    plainSql(`INSERT INTO inventory_backlog SELECT media_buy_id FROM media_buy
      WHERE status NOT IN ('completed', 'rejected', 'canceled')`),
  ],
  // A proposal is that of the account for which it was shown.
  (schema) => [
    schema.alterTable('proposal').addColumn('account_key', 'text', (c) => c.notNull().defaultTo('')),
    schema.dropIndex('proposal_by_id'),
    schema.createIndex('proposal_by_id').unique().on('proposal').columns(['owner', 'proposal_id', 'account_key']),
  ],
  (schema) => [
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
  // Running packages compete; buys from before ask for their part.
  (schema, engine) => [
    schema
      .createTable('inventory_demand')
      .addColumn('package_id', 'text', (c) => c.primaryKey())
      .addColumn('media_buy_id', 'text', (c) => c.notNull())
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('product_id', 'text', (c) => c.notNull())
      .addColumn('stretches', 'text', (c) => c.notNull()),
    schema.createIndex('inventory_demand_by_buy').on('inventory_demand').column('media_buy_id'),
    schema
      .createTable('inventory_demand_change')
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('product_id', 'text', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('price_level', 'bigint', (c) => c.notNull())
      .addColumn('per_day', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('inventory_demand_change_at', ['scope', 'product_id', 'at_ms', 'price_level']),
    ...ofEarlierRows(
      engine,
      `INSERT OR IGNORE INTO inventory_backlog SELECT media_buy_id FROM media_buy
      WHERE status NOT IN ('completed', 'rejected', 'canceled')`,
    ),
  ],
  // Totals of lists are kept, and lists are read in the order that is asked for.
  (schema, engine) => [
    schema
      .createTable('list_count')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('list', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('list_count_key', ['owner', 'list', 'account_id', 'kind', 'status'])
      .modifyEnd(withoutRowid(engine)),
    ...countListed(engine, { table: 'creative' }),
    ...countListed(engine, { table: 'task', kind: 'protocol' }),
    schema.dropIndex('creative_by_id'),
    schema.createIndex('creative_by_id').unique().on('creative').columns(['owner', 'creative_id', 'account_id']),
    schema.createIndex('creative_by_name').on('creative').columns(['owner', 'name', 'seq', 'account_id', 'status']),
    schema
      .createIndex('task_by_updated')
      .on('task')
      .columns(['owner', 'updated_at', 'seq', 'account_id', 'protocol', 'status']),
    schema.createIndex('creative_use_by_owner').on('creative_use').columns(['owner', 'seq', 'account_id']),
  ],
  // What the processes on one database share beside the nouns.
  (schema, engine) => [
    table(schema, engine, 'shared_secret')
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('sealed', 'text', (c) => c.notNull()),
    schema
      .createTable('nonce')
      .addColumn('digest', 'text', (c) => c.primaryKey())
      .addColumn('expires_at', 'bigint', (c) => c.notNull()),
    schema.createIndex('nonce_by_expiry').on('nonce').column('expires_at'),
    schema
      .createTable('state_version')
      .addColumn('noun', 'text', (c) => c.notNull())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('state_version_of', ['noun', 'owner']),
    ...countChanges(engine, 'proposal'),
    ...countChanges(engine, 'sandbox_item'),
  ],
  // Several processes claim events and jobs.
  (schema) => [
    leaseTable(schema),
    schema.alterTable('webhook_event').addColumn('claim', 'text'),
    schema.alterTable('webhook_event').addColumn('claimed_until', 'bigint'),
    schema
      .createIndex('webhook_event_waiting_of_buy')
      .on('webhook_event')
      .columns(['media_buy_id', 'seq'])
      .where(sql.ref('media_buy_id'), 'is not', null)
      .where(sql.ref('next_attempt_at'), 'is not', null),
  ],
  // A copy of a store is none until it is whole.
  (schema) => [schema.createTable('unfinished_copy').addColumn('id', 'integer', (c) => c.primaryKey())],
  // Until when a process that shares the database is taken to seal with a key.
  () => [plainSql('ALTER TABLE sealing ADD COLUMN used_until BIGINT NOT NULL DEFAULT 0')],
  // Files of creatives that nobody served are looked at again; those of earlier creatives at once.
  (schema) => [
    schema.alterTable('creative').addColumn('recheck_at', 'bigint'),
    schema
      .createIndex('creative_by_recheck')
      .on('creative')
      .column('recheck_at')
      .where(sql.ref('recheck_at'), 'is not', null),
    plainSql("UPDATE creative SET recheck_at = 0 WHERE status = 'processing'"),
  ],
  (schema) => [processTable(schema)],
  // Leases of calls that nobody gave back are cleared.
  (schema) => [schema.createIndex('lease_by_end').on('lease').column('until_ms')],
  // What A2A adds to tasks: the context that a client gave, its own registrations, and answers that can be asked for again.
  (schema, engine) => [
    table(schema, engine, 'a2a_task')
      .addColumn('task_id', 'text', (c) => c.notNull().unique())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('context_id', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('doc', 'text'),
    schema
      .createIndex('a2a_task_finished')
      .on('a2a_task')
      .columns(['owner', 'seq'])
      .where(sql.ref('expires_at'), 'is not', null),
    schema
      .createIndex('a2a_task_by_expiry')
      .on('a2a_task')
      .column('expires_at')
      .where(sql.ref('expires_at'), 'is not', null),
    table(schema, engine, 'a2a_push')
      .addColumn('task_id', 'text', (c) => c.notNull())
      .addColumn('config_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('a2a_push_by_task').unique().on('a2a_push').columns(['task_id', 'config_id']),
  ],
  // Every period that was reported may be corrected, and each promise of a late one that is broken is told.
  (schema, engine) => [
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
  // Who hears of the events of an account.
  (schema, engine) => [
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
  // Campaign plans of a governance agent: their budgets' uses, and everything that was asked and reported about them.
  (schema, engine) => [
    table(schema, engine, 'governance_plan')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('plan_id', 'text', (c) => c.notNull())
      .addColumn('ends_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('governance_plan_by_id').unique().on('governance_plan').columns(['owner', 'plan_id']),
    schema.createIndex('governance_plan_by_end').on('governance_plan').column('ends_at'),
    table(schema, engine, 'governed_action')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('plan_seq', 'integer', (c) => c.notNull())
      .addColumn('action_id', 'text', (c) => c.notNull())
      .addColumn('purchase_type', 'text', (c) => c.notNull())
      .addColumn('seller', 'text', (c) => c.notNull())
      .addColumn('channel', 'text', (c) => c.notNull())
      .addColumn('committed', 'real', (c) => c.notNull())
      .addColumn('held', 'real', (c) => c.notNull())
      .addColumn('held_until', 'bigint')
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('governed_action_of_plan').unique().on('governed_action').columns(['plan_seq', 'action_id']),
    schema.createIndex('governed_action_by_id').on('governed_action').columns(['owner', 'action_id']),
    table(schema, engine, 'governance_entry')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('plan_seq', 'integer', (c) => c.notNull())
      .addColumn('action_id', 'text', (c) => c.notNull())
      .addColumn('entry_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('verdict', 'text', (c) => c.notNull())
      .addColumn('findings', 'integer', (c) => c.notNull())
      .addColumn('is_escalated', 'integer', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('governance_entry_of_plan').on('governance_entry').columns(['plan_seq', 'seq']),
    schema.createIndex('governance_entry_by_id').on('governance_entry').columns(['plan_seq', 'entry_id']),
    ...countOwned(engine, 'governance_plan', { noun: 'governance_plans' }),
    ...countOwned(engine, 'governance_entry', { noun: 'governance_entries' }),
  ],
  // Events that tell where a buy stands are dropped once the buy has gone on; earlier ones are sent as they are.
  (schema) => [schema.alterTable('webhook_event').addColumn('revision', 'integer')],
  // Content standards of a governance agent.
  (schema, engine) => [
    table(schema, engine, 'content_standard')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('standards_id', 'text', (c) => c.notNull())
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('content_standard_by_id').unique().on('content_standard').columns(['owner', 'standards_id']),
    ...countOwned(engine, 'content_standard', { noun: 'content_standards' }),
  ],
  // Property lists and collection lists of a governance agent, with what they came to when they were resolved last.
  (schema, engine) => [
    table(schema, engine, 'inventory_list')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('list_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('token_digest', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('inventory_list_by_id').unique().on('inventory_list').columns(['owner', 'list_id']),
    schema.createIndex('inventory_list_by_token').unique().on('inventory_list').column('token_digest'),
    schema
      .createTable('inventory_list_content')
      .addColumn('list_seq', 'integer', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('rules', 'text', (c) => c.notNull())
      .addColumn('entries', 'text', (c) => c.notNull()),
    ...countOwned(engine, 'inventory_list_content', {
      noun: 'inventory_lists',
      bytes: (row) => `octet_length(${row}.rules) + octet_length(${row}.entries)`,
    }),
  ],
  // Creatives that were built, from which others are refined.
  (schema, engine) => [
    table(schema, engine, 'build_variant')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('build_variant_id', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('build_variant_by_id').unique().on('build_variant').columns(['owner', 'build_variant_id']),
    schema.createIndex('build_variant_by_end').on('build_variant').column('expires_at'),
    ...countOwned(engine, 'build_variant', { noun: 'build_variants' }),
  ],
  // What the subscribers of wholesale feeds were told last.
  (schema, engine) => [
    table(schema, engine, 'wholesale_feed')
      .addColumn('tenant', 'text', (c) => c.notNull())
      .addColumn('feed', 'text', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('wholesale_feed_of_tenant').unique().on('wholesale_feed').columns(['tenant', 'feed']),
  ],
  // The lists that packages target are read again, and what they leave of a product follows.
  (schema, engine) => [
    table(schema, engine, 'followed_list')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('media_buy_id', 'text', (c) => c.notNull())
      .addColumn('package_id', 'text', (c) => c.notNull())
      .addColumn('dimension', 'text', (c) => c.notNull())
      .addColumn('next_read_at', 'bigint')
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('followed_list_of_package')
      .unique()
      .on('followed_list')
      .columns(['media_buy_id', 'package_id', 'dimension']),
    schema.createIndex('followed_list_due').on('followed_list').columns(['owner', 'next_read_at']),
  ],
  // The content beside the ads of buys, pushed in batches.
  (schema) => [
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
  // Rights that a brand agent granted.
  (schema, engine) => [
    table(schema, engine, 'rights_grant')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('grant_id', 'text', (c) => c.notNull().unique())
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('rights_id', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('is_exclusive', 'integer', (c) => c.notNull())
      .addColumn('ends_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('rights_grant_of_offer').on('rights_grant').columns(['scope', 'rights_id', 'ends_at']),
    schema.createIndex('rights_grant_by_end').on('rights_grant').column('ends_at'),
    ...countOwned(engine, 'rights_grant', { noun: 'rights_grants' }),
  ],
  // Creatives that rely on rights, and rights that were revoked since those were looked at.
  (schema) => [
    schema.alterTable('creative').addColumn('rights', 'text'),
    schema.createIndex('creative_by_rights').on('creative').column('seq').where(sql.ref('rights'), 'is not', null),
    schema.alterTable('rights_grant').addColumn('follow_at', 'bigint'),
    schema
      .createIndex('rights_grant_to_follow')
      .on('rights_grant')
      .column('follow_at')
      .where(sql.ref('follow_at'), 'is not', null),
  ],
  // What vendors found of delivery that people enter.
  (schema) => [schema.alterTable('entered_delivery').addColumn('vendor_metrics', 'text')],
  // How far buys are on their way into ad servers, and the ids that they have there.
  (schema) => [
    schema
      .createTable('order_booking')
      .addColumn('media_buy_id', 'text', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('revision', 'integer', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('first_at', 'bigint', (c) => c.notNull())
      .addColumn('next_at', 'bigint')
      .addColumn('is_unsure', 'integer', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
  ],
  // Creatives that were built are found by what was drawn for them, to be laid out anew of their parts.
  (schema) => [
    schema.alterTable('build_variant').addColumn('drawn', 'text'),
    schema
      .createIndex('build_variant_by_drawn')
      .on('build_variant')
      .columns(['owner', 'drawn'])
      .where(sql.ref('drawn'), 'is not', null),
  ],
  // The console: its people, who is signed in, and what everybody did.
  (schema, engine) => [
    table(schema, engine, 'console_user')
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('verifier', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull()),
    schema
      .createTable('console_session')
      .addColumn('digest', 'text', (c) => c.primaryKey())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('origin', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('seen_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull()),
    schema.createIndex('console_session_of_actor').on('console_session').columns(['actor', 'created_at']),
    schema.createIndex('console_session_by_end').on('console_session').column('expires_at'),
    table(schema, engine, 'audit_entry')
      .addColumn('act_id', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('phase', 'text', (c) => c.notNull())
      .addColumn('detail', 'text', (c) => c.notNull()),
    schema.createIndex('audit_entry_of_act').on('audit_entry').column('act_id'),
    schema.createIndex('audit_entry_about').on('audit_entry').columns(['subject', 'seq']),
    schema.createIndex('audit_entry_by_time').on('audit_entry').column('at'),
    ...createTrigger(engine, {
      name: 'audit_entry_unchanged',
      table: 'audit_entry',
      event: 'UPDATE',
      action: REFUSE_CHANGE[engine],
    }),
    schema.createIndex('webhook_attempt_of_event').on('webhook_attempt').columns(['event_seq', 'attempt']),
    schema
      .createIndex('report_stream_late')
      .on('report_stream')
      .column('due_at')
      .where(sql.ref('delays'), '>', sql.lit(0)),
  ],
  // How far the delivery of buys was read from ad servers, and the reports that are being made there.
  (schema) => [
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
  // What people were alerted of.
  (schema) => [
    schema
      .createTable('alert')
      .addColumn('tenant', 'text', (c) => c.notNull())
      .addColumn('way', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('told_at', 'bigint')
      .addColumn('next_at', 'bigint')
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('alert_key', ['tenant', 'way', 'kind', 'subject']),
    schema.createIndex('alert_by_end').on('alert').column('expires_at'),
    schema.createIndex('order_booking_by_state').on('order_booking').columns(['state', 'first_at']),
  ],
  // The ids that people entered of packages in ad servers, and since when orders wait for people.
  (schema) => [
    schema
      .createTable('order_line')
      .addColumn('package_id', 'text', (c) => c.primaryKey())
      .addColumn('media_buy_id', 'text', (c) => c.notNull())
      .addColumn('line_id', 'text', (c) => c.notNull()),
    schema.createIndex('order_line_by_line').on('order_line').column('line_id'),
    schema.createIndex('order_line_of_buy').on('order_line').column('media_buy_id'),
    schema
      .createTable('order_wait')
      .addColumn('media_buy_id', 'text', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('since', 'bigint', (c) => c.notNull())
      .addColumn('next_at', 'bigint', (c) => c.notNull())
      .addColumn('reminded_at', 'bigint'),
    schema.createIndex('order_wait_due').on('order_wait').column('next_at'),
  ],
  // OAuth: what the authorization server remembers, what clients were let do, and what they spent of it.
  (schema) => [
    schema
      .createTable('oauth_item')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('model', 'text', (c) => c.notNull())
      .addColumn('grant_id', 'text')
      .addColumn('uid', 'text')
      .addColumn('doc', 'text', (c) => c.notNull())
      .addColumn('consumed_at', 'bigint')
      .addColumn('expires_at', 'bigint', (c) => c.notNull()),
    schema.createIndex('oauth_item_by_end').on('oauth_item').column('expires_at'),
    schema.createIndex('oauth_item_of_model').on('oauth_item').columns(['model', 'expires_at']),
    schema
      .createIndex('oauth_item_of_grant')
      .on('oauth_item')
      .column('grant_id')
      .where(sql.ref('grant_id'), 'is not', null),
    schema.createIndex('oauth_item_of_uid').on('oauth_item').column('uid').where(sql.ref('uid'), 'is not', null),
    schema
      .createTable('oauth_grant')
      .addColumn('grant_id', 'text', (c) => c.primaryKey())
      .addColumn('tenant', 'text', (c) => c.notNull())
      .addColumn('principal', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('oauth_grant_by_end').on('oauth_grant').column('expires_at'),
    schema.createIndex('oauth_grant_of_principal').on('oauth_grant').columns(['tenant', 'principal', 'expires_at']),
    schema
      .createTable('oauth_spend')
      .addColumn('grant_id', 'text', (c) => c.notNull())
      .addColumn('day', 'bigint', (c) => c.notNull())
      .addColumn('cents', 'bigint', (c) => c.notNull())
      .addColumn('ends_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('oauth_spend_key', ['grant_id', 'day']),
    schema.createIndex('oauth_spend_by_end').on('oauth_spend').column('ends_at'),
  ],
  // The links of the portal.
  (schema) => [
    schema
      .createTable('portal_link')
      .addColumn('link_id', 'text', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('created_by', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('revoked_at', 'bigint'),
    schema.createIndex('portal_link_by_time').on('portal_link').column('created_at'),
    schema.createIndex('portal_link_by_end').on('portal_link').column('expires_at'),
  ],
  // When keys were used last.
  (schema) => [
    schema
      .createTable('key_use')
      .addColumn('tenant', 'text', (c) => c.notNull())
      .addColumn('key_id', 'text', (c) => c.notNull())
      .addColumn('used_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('key_use_key', ['tenant', 'key_id']),
    schema.createIndex('key_use_by_end').on('key_use').column('expires_at'),
  ],
  // What ad servers have of booked orders.
  (schema, engine) => [
    schema
      .createTable('order_inspection')
      .addColumn('media_buy_id', 'text', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('next_at', 'bigint')
      .addColumn('drift_since', 'bigint')
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('order_inspection_due')
      .on('order_inspection')
      .column('next_at')
      .where(sql.ref('next_at'), 'is not', null),
    schema
      .createIndex('order_inspection_drifted')
      .on('order_inspection')
      .column('drift_since')
      .where(sql.ref('drift_since'), 'is not', null),
    ...ofEarlierRows(
      engine,
      `INSERT INTO order_inspection SELECT media_buy_id, owner, 0, NULL, '[]' FROM order_booking WHERE state = 'booked'`,
    ),
  ],
  // Since when the delivery of buys cannot be read from their ad servers.
  (schema) => [
    schema.alterTable('delivery_pull').addColumn('failing_since', 'bigint'),
    schema.alterTable('delivery_pull').addColumn('trouble', 'text'),
    schema
      .createIndex('delivery_pull_failing')
      .on('delivery_pull')
      .column('failing_since')
      .where(sql.ref('failing_since'), 'is not', null),
  ],
  // Running buys of every owner are read in the order in which they end.
  (schema) => [
    schema
      .createIndex('media_buy_running')
      .on('media_buy')
      .columns(['due_at', 'seq'])
      .where(sql.ref('status'), '=', sql.lit('active'))
      .where(sql.ref('due_at'), 'is not', null),
  ],
  // What people did is deleted by its retention alone, which says how far it has come.
  (schema, engine) => [
    schema
      .createTable('audit_floor')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('at', 'bigint', (c) => c.notNull()),
    ...createTrigger(engine, {
      name: 'audit_entry_undeleted',
      table: 'audit_entry',
      event: 'DELETE',
      action: REFUSE_DELETION[engine],
    }),
  ],
];

/** Fails a statement that deletes what people did before its retention has come so far. */
const REFUSE_DELETION: Readonly<Record<EngineName, string>> = {
  sqlite: `SELECT RAISE(ABORT, 'an entry of the audit log is deleted by its retention alone')
    WHERE old.at > coalesce((SELECT max(at) FROM audit_floor), 0);`,
  postgres: `IF old.at > coalesce((SELECT max(at) FROM audit_floor), 0) THEN
    RAISE EXCEPTION 'an entry of the audit log is deleted by its retention alone'; END IF;`,
};

/** Fails a statement that changes what people did. */
const REFUSE_CHANGE: Readonly<Record<EngineName, string>> = {
  sqlite: `SELECT RAISE(ABORT, 'an entry of the audit log is never changed');`,
  postgres: `RAISE EXCEPTION 'an entry of the audit log is never changed';`,
};

/** Takes the last period of each stream over into the table of periods. */
const LAST_REPORTS: Readonly<Record<EngineName, string>> = {
  sqlite: `INSERT INTO report_period SELECT media_buy_id, last ->> '$.fromMs', last ->> '$.toMs',
    last ->> '$.impressions', last ->> '$.spend', 0 FROM report_stream WHERE last IS NOT NULL`,
  postgres: `INSERT INTO report_period SELECT media_buy_id, (last::jsonb ->> 'fromMs')::bigint, (last::jsonb ->> 'toMs')::bigint,
    round((last::jsonb ->> 'impressions')::numeric)::bigint, (last::jsonb ->> 'spend')::double precision, 0
    FROM report_stream WHERE last IS NOT NULL`,
};

function withoutRowid(engine: EngineName) {
  return engine === 'sqlite' ? sql`without rowid` : sql``;
}

/** A PostgreSQL database has been empty before its first migration: it has no rows of earlier versions. */
function ofEarlierRows(engine: EngineName, text: string): readonly Compilable[] {
  return engine === 'sqlite' ? [plainSql(text)] : [];
}

/** Returns what counts the changes of an owner's rows where other processes read the count. */
function countChanges(engine: EngineName, counted: CountedTable): readonly Compilable[] {
  if (engine === 'sqlite') return [];
  return createTrigger(engine, {
    name: `${counted}_version`,
    table: counted,
    event: 'INSERT OR UPDATE OR DELETE',
    action: `INSERT INTO state_version VALUES ('${counted}', coalesce(new.owner, old.owner), 1)
      ON CONFLICT (noun, owner) DO UPDATE SET version = state_version.version + 1;`,
  });
}
