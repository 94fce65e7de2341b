import { sql } from '../../../platform/database/kysely.js';
import { type Migration, plainSql } from '../../../platform/database/migrations.js';

/** The tables of the crawler: what it knows of each publisher, who asked for what, what agents said, and where the feed begins. */
export const CRAWL_MIGRATIONS: readonly Migration[] = [
  (schema) => [
    schema
      .createTable('crawl')
      .addColumn('domain', 'text', (c) => c.primaryKey())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('crawl_by_due').on('crawl').column('due_at'),
    schema
      .createTable('crawl_request')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('domain', 'text', (c) => c.notNull())
      .addColumn('open', 'integer', (c) => c.notNull())
      .addColumn('requested_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('crawl_request_by_state').on('crawl_request').columns(['open', 'domain']),
    schema.createIndex('crawl_request_by_age').on('crawl_request').column('requested_at'),
    schema
      .createTable('visit')
      .addColumn('agent_url', 'text', (c) => c.primaryKey())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('visit_by_due').on('visit').column('due_at'),
    schema
      .createTable('claim')
      .addColumn('publisher_domain', 'text', (c) => c.notNull())
      .addColumn('agent_url', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('claim_key', ['publisher_domain', 'agent_url']),
    schema.createIndex('claim_by_agent').on('claim').column('agent_url'),
    schema
      .createTable('tally')
      .addColumn('agent_url', 'text', (c) => c.primaryKey())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createTable('feed_floor')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('event_id', 'text', (c) => c.notNull()),
  ],
  // What each agent sells of a publisher has rows of its own: there may be thousands. Only files had them elsewhere.
  (schema, engine) => [
    schema
      .createTable('crawl_share')
      .addColumn('domain', 'text', (c) => c.notNull())
      .addColumn('agent_url', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('crawl_share_key', ['domain', 'agent_url']),
    ...(engine === 'sqlite'
      ? [
          plainSql("INSERT INTO crawl_share SELECT domain, key, value FROM crawl, json_each(doc, '$.shares')"),
          plainSql("UPDATE crawl SET doc = json_remove(doc, '$.shares')"),
        ]
      : []),
  ],
];

/** How often in a row an agent could not be visited. */
export const VISIT_MIGRATIONS: readonly Migration[] = [
  (schema, engine) => [
    schema.alterTable('visit').addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0)),
    schema.createIndex('visit_failing').on('visit').column('agent_url').where(sql<boolean>`failures > 0`),
    plainSql(
      engine === 'sqlite'
        ? "UPDATE visit SET failures = coalesce(doc ->> '$.failures', 0)"
        : "UPDATE visit SET failures = coalesce((doc::jsonb ->> 'failures')::integer, 0)",
    ),
  ],
];

/** The assessments of agents whose members consent to them. */
export const ASSESSMENT_MIGRATIONS: readonly Migration[] = [
  (schema) => [
    schema
      .createTable('assessment')
      .addColumn('agent_url', 'text', (c) => c.primaryKey())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('assessment_by_due').on('assessment').column('due_at'),
  ],
];

/**
 * Tables added to the crawler's: publishers by what their names look like and by how often their readings failed, empty until each is
 * read again. Beside them how often callers did what is limited.
 */
export const LATER_CRAWL_MIGRATIONS: readonly Migration[] = [
  (schema) => [
    schema.alterTable('crawl').addColumn('mark', 'text', (c) => c.notNull().defaultTo('')),
    schema.createIndex('crawl_by_mark').on('crawl').columns(['mark', 'domain']),
    schema.alterTable('crawl').addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0)),
    schema.createIndex('crawl_by_failure').on('crawl').column('domain').where(sql<boolean>`failures > 0`),
    schema
      .createTable('call_count')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('points', 'integer', (c) => c.notNull())
      .addColumn('until_ms', 'bigint', (c) => c.notNull()),
    schema.createIndex('call_count_by_end').on('call_count').column('until_ms'),
  ],
];
