import { sql } from '../../../../platform/database/kysely.js';
import { type Migration, plainSql, table } from '../../../../platform/database/migrations.js';
import { ofEarlierRows } from '../steps.js';

/** The migrations of accounts, buys, proposals and their spend. */
export const buying = {
  nouns: (schema, engine) => [
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
  proposals: (schema, engine) => [
    table(schema, engine, 'proposal')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('proposal_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('proposal_by_id').unique().on('proposal').columns(['owner', 'proposal_id']),
  ],
  proposalExpiry: (schema) => [
    schema.alterTable('proposal').addColumn('expires_at', 'bigint'),
    schema
      .createIndex('proposal_by_expiry')
      .on('proposal')
      .column('expires_at')
      .where(sql.ref('expires_at'), 'is not', null),
  ],
  // Sweeps and lists that read what they need and no more.
  narrowSweeps: (schema) => [
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
  indexedSweeps: (schema, engine) => [
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
  spend: (schema, engine) => [
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
  // A proposal is that of the account for which it was shown.
  proposalAccounts: (schema) => [
    schema.alterTable('proposal').addColumn('account_key', 'text', (c) => c.notNull().defaultTo('')),
    schema.dropIndex('proposal_by_id'),
    schema.createIndex('proposal_by_id').unique().on('proposal').columns(['owner', 'proposal_id', 'account_key']),
  ],
  // Running buys of every owner are read in the order in which they end.
  running: (schema) => [
    schema
      .createIndex('media_buy_running')
      .on('media_buy')
      .columns(['due_at', 'seq'])
      .where(sql.ref('status'), '=', sql.lit('active'))
      .where(sql.ref('due_at'), 'is not', null),
  ],
  // The brand and operator of a closed account are free for another one.
  closedAccounts: () => [
    plainSql(`UPDATE account SET natural_key = 'closed|' || account_id || '|' || natural_key
      WHERE doc LIKE '%"status":"closed"%'`),
  ],
} satisfies Readonly<Record<string, Migration>>;
