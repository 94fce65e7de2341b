import { sql } from '../../../../platform/database/kysely.js';
import type { Migration } from '../../../../platform/database/migrations.js';
import { ofEarlierRows } from '../steps.js';

/** The migrations of orders in ad servers. */
export const orders = {
  // How far buys are on their way into ad servers, and the ids that they have there.
  bookings: (schema) => [
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
  // The ids that people entered of packages in ad servers, and since when orders wait for people.
  lines: (schema) => [
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
  // What ad servers have of booked orders.
  inspections: (schema, engine) => [
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
} satisfies Readonly<Record<string, Migration>>;
