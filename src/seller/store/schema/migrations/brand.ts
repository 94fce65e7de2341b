import { sql } from '../../../../platform/database/kysely.js';
import { type Migration, table } from '../../../../platform/database/migrations.js';
import { countOwned } from '../usage-triggers.js';

/** The migrations of rights of brands. */
export const brand = {
  // Rights that a brand agent granted.
  grants: (schema, engine) => [
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
  creatives: (schema) => [
    schema.alterTable('creative').addColumn('rights', 'text'),
    schema.createIndex('creative_by_rights').on('creative').column('seq').where(sql.ref('rights'), 'is not', null),
    schema.alterTable('rights_grant').addColumn('follow_at', 'bigint'),
    schema
      .createIndex('rights_grant_to_follow')
      .on('rights_grant')
      .column('follow_at')
      .where(sql.ref('follow_at'), 'is not', null),
  ],
} satisfies Readonly<Record<string, Migration>>;
