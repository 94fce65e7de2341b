import type { Migration } from '../../../platform/database/migrations.js';
import { SERVICE_RECORD_KINDS, type ServiceRecordKind } from './schema.js';

/** The nouns that came later. */
const LATER_KINDS: ReadonlySet<ServiceRecordKind> = new Set<ServiceRecordKind>([
  'blocked',
  'badge_key',
  'revoked_badge',
  'operator_act',
  'legal_hold',
]);

/** The tables of the service beside the records. */
export const SERVICE_MIGRATIONS: readonly Migration[] = [
  (schema) => SERVICE_RECORD_KINDS.filter((kind) => !LATER_KINDS.has(kind)).flatMap((kind) => tableOf(schema, kind)),
];

/** The table of what the operator keeps out. */
export const BLOCK_MIGRATIONS: readonly Migration[] = [(schema) => tableOf(schema, 'blocked')];

/** The tables of badges: keys that verify them, and those that were taken back. */
export const BADGE_MIGRATIONS: readonly Migration[] = [
  (schema) => [...tableOf(schema, 'badge_key'), ...tableOf(schema, 'revoked_badge')],
];

/** The table of what the operator, admins and moderators did. */
export const ACT_MIGRATIONS: readonly Migration[] = [(schema) => tableOf(schema, 'operator_act')];

/** The table of what may not be removed. */
export const HOLD_MIGRATIONS: readonly Migration[] = [(schema) => tableOf(schema, 'legal_hold')];

function tableOf(schema: Parameters<Migration>[0], noun: ServiceRecordKind): ReturnType<Migration> {
  return [
    schema
      .createTable(noun)
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('mark', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex(`${noun}_by_scope`).on(noun).columns(['scope', 'id']),
    schema.createIndex(`${noun}_by_mark`).on(noun).columns(['mark', 'id']),
  ];
}
