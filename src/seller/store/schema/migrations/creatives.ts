import { sql } from '../../../../platform/database/kysely.js';
import { type Migration, plainSql, table } from '../../../../platform/database/migrations.js';
import { countOwned } from '../usage-triggers.js';

/** The migrations of creatives, their previews and builds. */
export const creatives = {
  uses: (schema, engine) => [
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
  previews: (schema) => [
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
  // Files of creatives that nobody served are looked at again; those of earlier creatives at once.
  rechecks: (schema) => [
    schema.alterTable('creative').addColumn('recheck_at', 'bigint'),
    schema
      .createIndex('creative_by_recheck')
      .on('creative')
      .column('recheck_at')
      .where(sql.ref('recheck_at'), 'is not', null),
    plainSql("UPDATE creative SET recheck_at = 0 WHERE status = 'processing'"),
  ],
  // Creatives that were built, from which others are refined.
  builds: (schema, engine) => [
    table(schema, engine, 'build_variant')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('build_variant_id', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('build_variant_by_id').unique().on('build_variant').columns(['owner', 'build_variant_id']),
    schema.createIndex('build_variant_by_end').on('build_variant').column('expires_at'),
    ...countOwned(engine, 'build_variant', { noun: 'build_variants' }),
  ],
  // Creatives that were built are found by what was drawn for them, to be laid out anew of their parts.
  drawings: (schema) => [
    schema.alterTable('build_variant').addColumn('drawn', 'text'),
    schema
      .createIndex('build_variant_by_drawn')
      .on('build_variant')
      .columns(['owner', 'drawn'])
      .where(sql.ref('drawn'), 'is not', null),
  ],
} satisfies Readonly<Record<string, Migration>>;
