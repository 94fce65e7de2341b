import { type Compilable, sql } from '../../../../platform/database/kysely.js';
import { leaseTable, type Migration, plainSql, processTable, table } from '../../../../platform/database/migrations.js';
import type { EngineName } from '../../../../platform/database/statement.js';
import { createTrigger } from '../../../../platform/database/trigger.js';
import type { CountedTable } from '../../shared/versions.js';

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

/** The migrations of what processes share: secrets, claims and leases. */
export const shared = {
  // Paused channels were named by their text, which held secrets. A receiver that is gone says so again.
  sealing: () => [
    plainSql('DELETE FROM webhook_pause'),
    plainSql(`CREATE TABLE sealing (key_id TEXT PRIMARY KEY, proof TEXT NOT NULL, is_complete INTEGER NOT NULL)`),
  ],
  // What the processes on one database share beside the nouns.
  secrets: (schema, engine) => [
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
  claims: (schema) => [
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
  unfinishedCopy: (schema) => [schema.createTable('unfinished_copy').addColumn('id', 'integer', (c) => c.primaryKey())],
  // Until when a process that shares the database is taken to seal with a key.
  sealingUse: () => [plainSql('ALTER TABLE sealing ADD COLUMN used_until BIGINT NOT NULL DEFAULT 0')],
  processes: (schema) => [processTable(schema)],
  // Leases of calls that nobody gave back are cleared.
  leaseEnds: (schema) => [schema.createIndex('lease_by_end').on('lease').column('until_ms')],
} satisfies Readonly<Record<string, Migration>>;
