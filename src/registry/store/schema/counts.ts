import { type Migration, plainSql } from '../../../platform/database/migrations.js';

/** The counts that are written with the rows, so that nobody who asks for one has rows read. */
export type CountTables = {
  /** Active properties of an edition by their type. */
  lookup_property_type: { edition: number; type: string; properties: number };
  /** Rows of a table, by its name. */
  row_count: { name: string; rows: number };
};

/** The tables of counts, filled with what a registry has already. */
export const COUNT_MIGRATIONS: readonly Migration[] = [
  (schema) => [
    schema
      .createTable('lookup_property_type')
      .addColumn('edition', 'integer', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('properties', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('lookup_property_type_key', ['edition', 'type']),
    schema.createIndex('lookup_property_type_by_count').on('lookup_property_type').columns(['edition', 'properties']),
    plainSql(
      'INSERT INTO lookup_property_type SELECT edition, type, count(*) FROM lookup_property GROUP BY edition, type',
    ),
    schema
      .createTable('row_count')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('rows', 'bigint', (c) => c.notNull()),
    // A registry without claims has no row: a store is empty until something is in it.
    plainSql("INSERT INTO row_count SELECT 'claim', count(*) FROM claim HAVING count(*) > 0"),
  ],
];

/** The counts of what the crawler and members have, filled with what a registry has already. */
export const LATER_COUNT_MIGRATIONS: readonly Migration[] = [
  () =>
    [
      ['crawl', 'crawl'],
      ['crawl:failing', 'crawl WHERE failures > 0'],
      ['visit', 'visit'],
      ['member_agent', 'member_agent'],
      ['entry:brand', "entry WHERE scope = 'brand'"],
      ['entry:property', "entry WHERE scope = 'property'"],
    ].map(([name, rows]) =>
      plainSql(`INSERT INTO row_count SELECT '${name}', count(*) FROM ${rows} HAVING count(*) > 0`),
    ),
];
