import { sql } from '../../../platform/database/kysely.js';
import type { Migration } from '../../../platform/database/migrations.js';

/**
 * The tables for authorizations: the records once more, narrow and indexed. All of it belongs to an edition, so that a
 * new one can be written beside the one that answers.
 */
export type LookupTables = {
  /** The editions, with what each counts. */
  lookup_edition: {
    edition: number;
    is_live: number;
    publishers: number;
    properties: number;
    identifiers: number;
    authorizations: number;
    agents: number;
  };
  /** `standing` is null of a publisher that only other rows name; `placements` is JSON, null for none. */
  lookup_publisher: { id: number; edition: number; domain: string; standing: string | null; placements: string | null };
  /** `careless` is the spelling by which a URL is taken for another. */
  lookup_agent: { id: number; edition: number; url: string; careless: string };
  /** Properties that are active; `tags` and `identifiers` are JSON. */
  lookup_property: {
    id: number;
    edition: number;
    rid: string;
    publisher: number;
    property_id: string | null;
    inline: number;
    type: string;
    tags: string;
    identifiers: string;
  };
  /** `own_host` says of a host whether the publisher has it. */
  lookup_identifier: { edition: number; value: string; type: string; property: number; own_host: number };
  /** What rows have in common beside whom and what they name, as JSON; the digest tells two apart. */
  lookup_term: { id: number; edition: number; digest: string; doc: string };
  /** Rows that authorize. `rid` is empty where a row names no property, and the one that it was merged into where there is one. */
  lookup_grant: {
    edition: number;
    row_id: string;
    publisher: number;
    agent: number;
    rid: string;
    term: number;
    exclusive: number;
  };
};

/** The tables that authorizations are looked up in. */
export const LOOKUP_MIGRATIONS: readonly Migration[] = [
  (schema, engine) => {
    const end = engine === 'sqlite' ? sql`without rowid` : sql``;
    return [
      schema
        .createTable('lookup_edition')
        .addColumn('edition', 'integer', (c) => c.primaryKey())
        .addColumn('is_live', 'integer', (c) => c.notNull())
        .addColumn('publishers', 'integer', (c) => c.notNull())
        .addColumn('properties', 'integer', (c) => c.notNull())
        .addColumn('identifiers', 'integer', (c) => c.notNull())
        .addColumn('authorizations', 'integer', (c) => c.notNull())
        .addColumn('agents', 'integer', (c) => c.notNull()),
      schema
        .createTable('lookup_publisher')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('edition', 'integer', (c) => c.notNull())
        .addColumn('domain', 'text', (c) => c.notNull())
        .addColumn('standing', 'text')
        .addColumn('placements', 'text')
        .addUniqueConstraint('lookup_publisher_by_domain', ['edition', 'domain']),
      schema
        .createTable('lookup_agent')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('edition', 'integer', (c) => c.notNull())
        .addColumn('url', 'text', (c) => c.notNull())
        .addColumn('careless', 'text', (c) => c.notNull())
        .addUniqueConstraint('lookup_agent_by_url', ['edition', 'url']),
      schema.createIndex('lookup_agent_by_spelling').on('lookup_agent').columns(['edition', 'careless']),
      schema
        .createTable('lookup_property')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('edition', 'integer', (c) => c.notNull())
        .addColumn('rid', 'text', (c) => c.notNull())
        .addColumn('publisher', 'integer', (c) => c.notNull())
        .addColumn('property_id', 'text')
        .addColumn('inline', 'integer', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('tags', 'text', (c) => c.notNull())
        .addColumn('identifiers', 'text', (c) => c.notNull())
        .addUniqueConstraint('lookup_property_by_rid', ['edition', 'rid']),
      schema.createIndex('lookup_property_by_id').on('lookup_property').columns(['publisher', 'property_id']),
      schema
        .createTable('lookup_identifier')
        .addColumn('edition', 'integer', (c) => c.notNull())
        .addColumn('value', 'text', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('property', 'integer', (c) => c.notNull())
        .addColumn('own_host', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('lookup_identifier_key', ['edition', 'value', 'own_host', 'type', 'property'])
        .modifyEnd(end),
      schema
        .createTable('lookup_term')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('edition', 'integer', (c) => c.notNull())
        .addColumn('digest', 'text', (c) => c.notNull())
        .addColumn('doc', 'text', (c) => c.notNull())
        .addUniqueConstraint('lookup_term_by_digest', ['edition', 'digest']),
      schema
        .createTable('lookup_grant')
        .addColumn('edition', 'integer', (c) => c.notNull())
        .addColumn('row_id', 'text', (c) => c.notNull())
        .addColumn('publisher', 'integer', (c) => c.notNull())
        .addColumn('agent', 'integer', (c) => c.notNull())
        .addColumn('rid', 'text', (c) => c.notNull())
        .addColumn('term', 'integer', (c) => c.notNull())
        .addColumn('exclusive', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('lookup_grant_key', ['edition', 'row_id'])
        .modifyEnd(end),
      // With the key, which SQLite adds to each index of such a table, this one holds all that a question needs of a row.
      schema.createIndex('lookup_grant_by_pair').on('lookup_grant').columns(['publisher', 'agent', 'rid', 'term']),
      schema.createIndex('lookup_grant_by_agent').on('lookup_grant').columns(['agent', 'publisher']),
      schema
        .createIndex('lookup_grant_exclusive')
        .on('lookup_grant')
        .columns(['publisher', 'rid'])
        .where(sql<boolean>`exclusive = 1`),
    ];
  },
];
