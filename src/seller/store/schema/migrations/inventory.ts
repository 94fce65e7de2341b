import { sql } from '../../../../platform/database/kysely.js';
import { type Migration, plainSql, table } from '../../../../platform/database/migrations.js';
import { ofEarlierRows } from '../steps.js';

/** The migrations of inventory: what is held, asked for and left. */
export const inventory = {
  holds: (schema) => [
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
  // Proposals and orders that wait hold too, and buys from before hold what they were promised.
  waitingHolds: (schema) => [
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
  // Running packages compete; buys from before ask for their part.
  demand: (schema, engine) => [
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
  // The lists that packages target are read again, and what they leave of a product follows.
  followedLists: (schema, engine) => [
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
} satisfies Readonly<Record<string, Migration>>;
