import { sql } from '../../../../platform/database/kysely.js';
import { type Migration, table } from '../../../../platform/database/migrations.js';
import type { EngineName } from '../../../../platform/database/statement.js';
import { createTrigger } from '../../../../platform/database/trigger.js';

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

/** The migrations of the console: people, sessions, the audit log, alerts and links. */
export const people = {
  // The console: its people, who is signed in, and what everybody did.
  consoleAccess: (schema, engine) => [
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
  // What people were alerted of.
  alerts: (schema) => [
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
  // The links of the portal.
  portalLinks: (schema) => [
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
  keyUses: (schema) => [
    schema
      .createTable('key_use')
      .addColumn('tenant', 'text', (c) => c.notNull())
      .addColumn('key_id', 'text', (c) => c.notNull())
      .addColumn('used_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('key_use_key', ['tenant', 'key_id']),
    schema.createIndex('key_use_by_end').on('key_use').column('expires_at'),
  ],
  // What people did is deleted by its retention alone, which says how far it has come.
  auditFloor: (schema, engine) => [
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
} satisfies Readonly<Record<string, Migration>>;
