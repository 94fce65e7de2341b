import { sql } from '../../../../platform/database/kysely.js';
import type { Migration } from '../../../../platform/database/migrations.js';

/** The migrations of OAuth. */
export const oauth = {
  // OAuth: what the authorization server remembers, what clients were let do, and what they spent of it.
  grants: (schema) => [
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
} satisfies Readonly<Record<string, Migration>>;
