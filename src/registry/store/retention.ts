import type { Periods, RetentionTable, TableRetention } from '../../platform/database/retention.js';
import { DAY_MS } from '../../platform/kernel/clock.js';
import type { RegistryTables } from './schema/schema.js';

/** The periods of a registry's retention, in milliseconds; they are part of its public contract. */
export const REGISTRY_PERIODS_MS = {
  feed: 90 * DAY_MS,
  crawl_requests: 7 * DAY_MS,
  changes: DAY_MS,
} as const satisfies Periods;

const RECORDS = 'registry/store/records.ts';
const CRAWL = 'registry/server/store/crawl/crawl.ts';
const SERVICE = 'registry/server/store/service.ts';
const BADGES = 'registry/server/service/badges/revoked.ts';
const ACTS = 'registry/server/service/acts.ts';
const HOLDS = 'registry/server/service/blocks/holds.ts';
const REPLICATION = 'registry/server/store/replication.ts';
const LOOKUPS = 'registry/store/lookups/edition-writer.ts';

const BY_FILES = 'what the files of its publishers say, each bounded when it is read';
const BY_SAVES = 'limits of saves';
const AS_LOOKUP = { owner: LOOKUPS, stays: 'with the record that it is made of', bound: 'by the records' } as const;
const AS_RECORD = {
  owner: RECORDS,
  stays: 'until its file says otherwise; its last event stays for good',
  bound: BY_FILES,
} as const;

/** How long the rows of each table of a registry's file stay; the sweep clears by it, and docs/operations.md shows it. */
export const REGISTRY_RETENTION = {
  migration: { owner: 'platform/database/migrations.ts', stays: 'for good', bound: 'one row a migration' },
  identity: { owner: 'platform/database/sqlite/sqlite.ts', stays: 'for good', bound: 'one row' },
  probe: { owner: 'platform/database/sqlite/sqlite.ts', stays: 'for good', bound: 'one row' },
  publisher: AS_RECORD,
  property: AS_RECORD,
  collection: AS_RECORD,
  authorization: AS_RECORD,
  agent: AS_RECORD,
  brand: AS_RECORD,
  alias: { owner: RECORDS, stays: 'for good', bound: 'one row a merged property' },
  event: {
    owner: 'registry/store/events.ts',
    stays:
      '90 days, as the feed says, or as long as it tells of what is under a legal hold; cleared with the floor of the feed by registry/server/service/feed/feed.ts',
    bound: 'one row a change',
  },
  feed_floor: { owner: CRAWL, stays: 'for good', bound: 'one row' },
  feed_cursor: { owner: RECORDS, stays: 'for good', bound: 'one row a mirrored registry' },
  store_change: {
    owner: 'registry/store/shared/change-log.ts',
    stays: 'a day, where several processes share the database, and the last one for good; cleared by its owner',
    bound: 'one row a change',
  },
  lease: { owner: 'platform/database/leases.ts', stays: 'for good', bound: 'one row a job' },
  process: {
    owner: 'platform/database/postgres/processes.ts',
    stays: 'a minute after its last sign; in PostgreSQL alone',
    bound: 'one row a process',
  },
  unfinished_copy: {
    owner: 'platform/database/copy/store-copy.ts',
    stays: 'until the copy of another store is whole',
    bound: 'one row',
  },
  crawl: {
    owner: CRAWL,
    stays: 'for good; of a domain that a file names and that has none, until its third reading',
    bound: 'one row a publisher; 10,000 domains that a file names',
  },
  call_count: {
    owner: 'registry/server/store/call-counts.ts',
    stays: 'until its window ends',
    bound: 'one row a limit and caller; those that ended are cleared by a thousand new ones too',
    sweeps: [{ time: 'until_ms' }],
  },
  property_check: {
    owner: 'registry/server/store/property-checks.ts',
    stays: '7 days',
    bound: '2,000 reports, 256 MiB',
    sweeps: [{ time: 'until_ms' }],
  },
  crawl_share: { owner: CRAWL, stays: 'until the file says otherwise', bound: BY_FILES },
  crawl_request: {
    owner: CRAWL,
    stays: 'crawl_requests (7 days) after it was done; of a domain under a legal hold, as long as that',
    bound: '10,000 open ones',
    // The sign keeps the engine from the index by state, which is not in the order of age.
    sweeps: [
      {
        period: 'crawl_requests',
        time: 'requested_at',
        where: `+"open" = 0 AND domain NOT IN (SELECT mark FROM legal_hold WHERE scope = 'domain')`,
        parts: [{ table: 'row_change', column: 'id', of: 'id' }],
      },
    ],
  },
  visit: { owner: CRAWL, stays: 'as long as the agent is named', bound: 'one row an agent' },
  assessment: {
    owner: CRAWL,
    stays: 'as long as the member of the agent consents',
    bound: 'one row an agent, with its last 30 assessments',
  },
  claim: { owner: CRAWL, stays: 'until the agent says otherwise', bound: 'what an agent may say in one answer' },
  tally: { owner: CRAWL, stays: 'as long as the agent is named', bound: 'one row an agent' },
  organization: { owner: SERVICE, stays: 'for good', bound: 'the operator’s' },
  api_key: { owner: SERVICE, stays: 'for good, revoked or not', bound: 'the operator’s' },
  member: { owner: SERVICE, stays: 'for good', bound: 'the operator’s' },
  member_agent: { owner: SERVICE, stays: 'until it is removed', bound: BY_SAVES },
  entry: { owner: SERVICE, stays: 'for good', bound: BY_SAVES },
  revision: { owner: SERVICE, stays: 'for good: the history of an entry is public', bound: BY_SAVES },
  ownership: { owner: SERVICE, stays: 'for good', bound: 'one row an organization and domain' },
  review: { owner: SERVICE, stays: 'for good: who decided what', bound: BY_SAVES },
  denied: { owner: SERVICE, stays: 'as the settings say', bound: '100,000 names' },
  blocked: { owner: SERVICE, stays: 'until the operator lets it in again', bound: 'the operator’s' },
  badge_key: {
    owner: BADGES,
    stays: 'until the last badge that it signed has expired, a week and a day; cleared by its owner',
    bound: 'one row a process and change of keys',
  },
  revoked_badge: {
    owner: BADGES,
    stays:
      'until no badge of its id can be valid any more, a week and a day, or as long as its agent is under a legal hold; cleared by its owner',
    bound: 'one row a badge that was taken back',
  },
  operator_act: {
    owner: ACTS,
    stays: 'two years, or as long as it names what is under a legal hold; cleared by its owner',
    bound: '100,000 rows; the oldest go first',
  },
  legal_hold: { owner: HOLDS, stays: 'until the operator ends it', bound: '1,000' },
  brand_copy: { owner: SERVICE, stays: 'until its file says otherwise', bound: 'one row a domain' },
  lookup_edition: AS_LOOKUP,
  lookup_publisher: AS_LOOKUP,
  lookup_agent: AS_LOOKUP,
  lookup_property: AS_LOOKUP,
  lookup_identifier: AS_LOOKUP,
  lookup_term: AS_LOOKUP,
  lookup_grant: AS_LOOKUP,
  lookup_property_type: AS_LOOKUP,
  row_count: {
    owner: 'registry/server/store/row-counts.ts',
    stays: 'for good',
    bound: 'one row a table, or part of one, that is counted',
  },
  row_change: {
    owner: 'registry/store/row-changes.ts',
    stays: 'as long as its row; of one that is gone, for good; of a crawl request, until that is cleared',
    bound: 'one row a row of the service and of the crawler',
  },
  registry_state: { owner: REPLICATION, stays: 'for good', bound: 'two rows' },
} as const satisfies RetentionTable<keyof typeof REGISTRY_PERIODS_MS> &
  Readonly<Record<keyof RegistryTables, TableRetention<keyof typeof REGISTRY_PERIODS_MS>>>;
