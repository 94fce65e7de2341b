import type { RetentionTable, TableRetention } from '../../../platform/database/retention.js';
import type { PeriodName } from '../../domain/retention/periods.js';
import type { SellerTables } from './schema.js';

const WITH_BUY = 'with its media buy';
const BY_BUYS = 'by the media buys';
const UNTIL_REMOVED = 'until its buyer removes it';

/** The rows of a media buy, beside its own. */
const BUY_PARTS = [
  { table: 'media_buy_event', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'assignment', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'creative_use', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'feedback', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'report_stream', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'report_period', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'order_booking', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'order_line', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'order_wait', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'delivery_pull', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'order_inspection', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'content_stream', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'webhook_sequence', column: 'stream', of: 'media_buy_id' },
  { table: 'spend_booking', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'inventory_hold', column: 'holder_id', of: 'media_buy_id' },
  { table: 'followed_list', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'entered_delivery', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'inventory_demand', column: 'media_buy_id', of: 'media_buy_id' },
  { table: 'proposal', column: "expires_at IS NULL AND doc ->> '$.media_buy_id'", of: 'media_buy_id' },
] as const;

const AUDIENCE_PARTS = [{ table: 'audience_member', column: 'audience_seq', of: 'seq' }] as const;
const TASK_PARTS = [
  { table: 'a2a_task', column: 'task_id', of: 'task_id' },
  { table: 'a2a_push', column: 'task_id', of: 'task_id' },
] as const;
const WITH_PLAN = 'with its plan';
const PLAN_PARTS = [
  { table: 'governed_action', column: 'plan_seq', of: 'seq' },
  { table: 'governance_entry', column: 'plan_seq', of: 'seq' },
] as const;
const WEBHOOK_PARTS = [{ table: 'webhook_body', column: 'event_seq', of: 'seq' }] as const;

/** How long the rows of each table of the seller's database stay; the sweep clears by it, and docs/operations.md shows it. */
export const SELLER_RETENTION = {
  migration: { owner: 'platform/database/migrations.ts', stays: 'for good', bound: 'one row a migration' },
  identity: { owner: 'platform/database/sqlite/sqlite.ts', stays: 'for good', bound: 'one row' },
  probe: { owner: 'platform/database/sqlite/sqlite.ts', stays: 'for good', bound: 'one row' },
  sealing: {
    owner: 'seller/store/sealing/resealing.ts',
    stays: 'until a later key has taken its place',
    bound: 'one row a master key',
  },
  lease: {
    owner: 'platform/database/leases.ts',
    stays: 'for good; of a call that is prepared, until it is answered',
    bound: 'one row a job and a call in hand',
    sweeps: [{ time: 'until_ms', where: "name LIKE 'call %'" }],
  },
  account: { owner: 'seller/store/accounts.ts', stays: 'for good', bound: 'quota accounts' },
  owner_usage: {
    owner: 'seller/store/schema/usage-triggers.ts',
    stays: 'for good',
    bound: 'one row a principal and noun',
  },
  list_count: {
    owner: 'seller/store/schema/list-triggers.ts',
    stays: 'with the last row that it counts',
    bound: 'one row an account and state, of creatives and of tasks by protocol',
  },
  media_buy: {
    owner: 'seller/store/media-buys/media-buys.ts',
    stays: 'finished_buys after it ended',
    bound: 'quota media_buys',
    sweeps: [{ period: 'finished_buys', time: 'ended_at', where: '"ended_at" IS NOT NULL', parts: BUY_PARTS }],
  },
  media_buy_event: { owner: 'seller/store/media-buys/media-buys.ts', stays: WITH_BUY, bound: 'one row a change' },
  terms: {
    owner: 'seller/store/sold-terms.ts',
    stays: 'for good',
    bound: 'one row a version of an offer that was sold',
  },
  creative: {
    owner: 'seller/store/creatives/creatives.ts',
    stays: 'until its buyer archives it and its room is needed',
    bound: 'quota creatives',
  },
  assignment: { owner: 'seller/store/creatives/creatives.ts', stays: WITH_BUY, bound: 'creatives of a package' },
  creative_use: { owner: 'seller/store/creatives/creatives.ts', stays: WITH_BUY, bound: BY_BUYS },
  feedback: { owner: 'seller/store/media-buys/media-buys.ts', stays: WITH_BUY, bound: 'quota feedback' },
  idempotency: {
    owner: 'seller/store/idempotency-keys.ts',
    stays: 'the answer for the replay window, the key idempotency_keys longer',
    bound: 'rate limits of the callers',
    sweeps: [
      { time: 'expires_at', where: '"response" IS NOT NULL', empties: 'response' },
      { period: 'idempotency_keys', time: 'expires_at', where: '"response" IS NULL' },
    ],
  },
  webhook_event: {
    owner: 'seller/store/webhooks/outbox/outbox.ts',
    stays: 'delivered_webhooks once delivered or dropped, dead_webhooks once given up',
    bound: 'a few events a change',
    sweeps: [
      {
        period: 'delivered_webhooks',
        time: 'finished_at',
        where: `"state" = 'delivered' AND "finished_at" IS NOT NULL`,
        parts: WEBHOOK_PARTS,
      },
      {
        period: 'delivered_webhooks',
        time: 'finished_at',
        where: `"state" = 'dropped' AND "finished_at" IS NOT NULL`,
        parts: WEBHOOK_PARTS,
      },
      {
        period: 'dead_webhooks',
        time: 'finished_at',
        where: `"state" = 'dead' AND "finished_at" IS NOT NULL`,
        parts: WEBHOOK_PARTS,
      },
    ],
  },
  webhook_body: { owner: 'seller/store/webhooks/outbox/outbox.ts', stays: 'with its event', bound: 'one row an event' },
  webhook_attempt: {
    owner: 'seller/store/webhooks/outbox/outbox.ts',
    stays: 'delivered_webhooks after it ended',
    bound: 'the schedule of attempts of an event',
    sweeps: [{ period: 'delivered_webhooks', time: 'completed_at' }],
  },
  webhook_sequence: { owner: 'seller/store/webhooks/outbox/outbox.ts', stays: WITH_BUY, bound: 'one row a buy' },
  webhook_pause: {
    owner: 'seller/store/webhooks/outbox/outbox.ts',
    stays: 'until the channel is registered anew',
    bound: 'one row a channel',
  },
  task: {
    owner: 'seller/store/tasks.ts',
    stays: 'finished_tasks after it was over',
    bound: 'quota tasks',
    sweeps: [
      {
        period: 'finished_tasks',
        time: 'updated_at',
        where: `"status" IN ('completed', 'rejected', 'failed', 'canceled')`,
        parts: TASK_PARTS,
      },
    ],
  },
  a2a_task: {
    owner: 'seller/store/a2a/a2a-tasks.ts',
    stays: 'with its task; of a call that was over when it was answered, 24 hours',
    bound: 'the latest 200 answers of a principal, each at most 256 KB',
    sweeps: [{ time: 'expires_at', where: '"expires_at" IS NOT NULL' }],
  },
  a2a_push: {
    owner: 'seller/store/a2a/a2a-tasks.ts',
    stays: 'with its task, or until its buyer removes it',
    bound: '10 a task',
  },
  deployment: { owner: 'seller/store/signals.ts', stays: 'for good', bound: 'quota deployments' },
  usage: {
    owner: 'seller/store/usage.ts',
    stays: 'reported_usage',
    bound: 'quota usage_records',
    sweeps: [{ period: 'reported_usage', time: 'received_at' }],
  },
  report_stream: { owner: 'seller/store/webhooks/reports.ts', stays: 'until the final report', bound: 'one row a buy' },
  order_booking: {
    owner: 'seller/store/adserver/order-bookings.ts',
    stays: WITH_BUY,
    bound: 'one row a buy, of 5000 ids each of packages, creatives and others',
  },
  order_line: {
    owner: 'seller/store/adserver/order-lines.ts',
    stays: WITH_BUY,
    bound: 'one row a package that a person booked',
  },
  order_wait: {
    owner: 'seller/store/adserver/order-waits.ts',
    stays: 'until a person has booked the order',
    bound: 'one row an order that waits for a person',
  },
  delivery_pull: { owner: 'seller/store/adserver/delivery-pulls.ts', stays: WITH_BUY, bound: 'one row a buy' },
  order_inspection: {
    owner: 'seller/store/adserver/order-inspections.ts',
    stays: WITH_BUY,
    bound: 'one row a buy, of six differences a package',
  },
  report_job: {
    owner: 'seller/store/adserver/report-jobs.ts',
    stays: 'until its rows are stored or it is given up, 12 hours at most',
    bound: 'one row for 200 buys of an ad server',
    sweeps: [{ time: 'expires_at' }],
  },
  content_stream: {
    owner: 'seller/store/webhooks/content-streams.ts',
    stays: 'until its buy has ended',
    bound: 'one row a buy',
  },
  report_period: {
    owner: 'seller/store/webhooks/reports.ts',
    stays: 'until the final report',
    bound: 'one row a reported period of a buy',
  },
  spend_booking: { owner: 'seller/store/spend/spend.ts', stays: WITH_BUY, bound: 'one row a buy' },
  account_day: {
    owner: 'seller/store/spend/spend.ts',
    stays: 'for good',
    bound: 'one row a day and currency of an account',
  },
  spend_round: { owner: 'seller/store/spend/spend.ts', stays: 'for good', bound: 'one row a principal' },
  entered_delivery: {
    owner: 'seller/store/spend/deliveries.ts',
    stays: WITH_BUY,
    bound: 'one row a day of a package, or of each of its creatives',
  },
  inventory_day: {
    owner: 'seller/store/inventory/holds.ts',
    stays: 'finished_buys after the day',
    bound: 'one row a day of a product that is promised, in a tenant and in each sandbox',
    sweeps: [{ period: 'finished_buys', time: 'day_ms' }],
  },
  inventory_hold: {
    owner: 'seller/store/inventory/holds.ts',
    stays: 'with its media buy; of a proposal until it ends, of a task until it is decided',
    bound: 'one row a package, and a line of a proposal that is committed or of an order that waits',
  },
  inventory_demand: { owner: 'seller/store/inventory/demand.ts', stays: WITH_BUY, bound: 'one row a package' },
  inventory_demand_change: {
    owner: 'seller/store/inventory/demand.ts',
    stays: 'finished_buys, then as one row a price; folded when the product is bought again',
    bound: 'two rows a stretch in which a package ran',
  },
  inventory_backlog: {
    owner: 'seller/store/inventory/holds.ts',
    stays: 'until the first start',
    bound: 'the buys of an older file',
  },
  sandbox_item: {
    owner: 'seller/store/sandboxes.ts',
    stays: 'until its sandbox replaces it',
    bound: '200 of a kind, 16 KiB each, a sandbox',
  },
  wholesale_feed: {
    owner: 'seller/store/webhooks/feeds.ts',
    stays: 'until the next edit replaces it',
    bound: 'two rows a tenant, 100 bytes a product or signal',
  },
  account_subscriber: {
    owner: 'seller/store/webhooks/subscribers.ts',
    stays: UNTIL_REMOVED,
    bound: 'one row an account, of 16 subscribers',
  },
  governance_agent: {
    owner: 'seller/store/governance/appointments.ts',
    stays: UNTIL_REMOVED,
    bound: 'one row an account',
  },
  governance_approval: {
    owner: 'seller/store/governance/appointments.ts',
    stays: 'governance_approvals',
    bound: BY_BUYS,
    sweeps: [{ period: 'governance_approvals', time: 'decided_at' }],
  },
  build_variant: {
    owner: 'seller/store/builds/build-variants.ts',
    stays: '7 days after it was built',
    bound: 'quota build_variants',
    sweeps: [{ time: 'expires_at' }],
  },
  rights_grant: {
    owner: 'seller/store/brand/grants.ts',
    stays: 'finished_buys after it ended; without an end for good',
    bound: 'quota rights_grants',
    sweeps: [{ period: 'finished_buys', time: 'ends_at' }],
  },
  governance_plan: {
    owner: 'seller/store/governance/plans.ts',
    stays: 'governance_approvals after its flight ended',
    bound: 'quota governance_plans',
    sweeps: [{ period: 'governance_approvals', time: 'ends_at', parts: PLAN_PARTS }],
  },
  governed_action: { owner: 'seller/store/governance/plans.ts', stays: WITH_PLAN, bound: 'quota governance_entries' },
  governance_entry: { owner: 'seller/store/governance/plans.ts', stays: WITH_PLAN, bound: 'quota governance_entries' },
  content_standard: {
    owner: 'seller/store/governance/content-standards.ts',
    stays: 'for good',
    bound: 'quota content_standards, 128 KiB each',
  },
  followed_list: {
    owner: 'seller/store/governance/followed-lists.ts',
    stays: WITH_BUY,
    bound: 'three rows a package',
  },
  inventory_list: {
    owner: 'seller/store/governance/inventory-lists.ts',
    stays: UNTIL_REMOVED,
    bound: 'quota inventory_lists',
  },
  inventory_list_content: {
    owner: 'seller/store/governance/inventory-lists.ts',
    stays: 'with its list',
    bound: 'one row a list, of 10,000 things that it names and 20,000 entries',
  },
  audience: {
    owner: 'seller/store/audiences.ts',
    stays: UNTIL_REMOVED,
    bound: 'quota audiences',
    sweeps: [{ time: 'clear_from', where: '"clear_from" IS NOT NULL', parts: AUDIENCE_PARTS }],
  },
  audience_group: {
    owner: 'seller/store/schema/migrations/counts.ts',
    stays: 'with its audience',
    bound: 'one row a set of identifiers',
  },
  audience_member: {
    owner: 'seller/store/audiences.ts',
    stays: 'with its audience',
    bound: 'quota audience_members',
  },
  event_source: { owner: 'seller/store/events.ts', stays: UNTIL_REMOVED, bound: 'quota event_sources' },
  logged_event: {
    owner: 'seller/store/events.ts',
    stays: 'logged_events',
    bound: 'quota logged_events',
    sweeps: [{ period: 'logged_events', time: 'received_at' }],
  },
  catalog: { owner: 'seller/store/catalogs.ts', stays: UNTIL_REMOVED, bound: 'quota catalogs, 10,000 items each' },
  proposal: {
    owner: 'seller/store/proposals.ts',
    stays: 'ended_proposals after its offer ended; one that was bought with its media buy',
    bound: 'quota proposals',
    sweeps: [{ period: 'ended_proposals', time: 'expires_at', where: '"expires_at" IS NOT NULL' }],
  },
  preview: {
    owner: 'seller/store/previews/preview-store.ts',
    stays: 'as long as it was promised; its id 7 days longer',
    bound: 'quotas previews and preview_mebibytes, with the media; 8 GiB of all owners',
  },
  preview_usage: { owner: 'seller/store/previews/preview-store.ts', stays: 'for good', bound: 'one row a principal' },
  media_file: {
    owner: 'seller/store/previews/preview-store.ts',
    stays: 'as long as it was promised',
    bound: 'quotas previews and preview_mebibytes, with the previews',
  },
  media_bytes: {
    owner: 'seller/store/previews/preview-store.ts',
    stays: 'with its media file',
    bound: 'one row a file',
  },
  shared_secret: {
    owner: 'seller/store/shared/secrets.ts',
    stays: 'for good; in PostgreSQL alone',
    bound: 'three rows',
  },
  nonce: {
    owner: 'seller/store/shared/nonces.ts',
    stays: 'until its signature has expired; in PostgreSQL alone',
    bound: 'rate limits of the signers; 1,000,000 of a key and process',
    sweeps: [{ time: 'expires_at' }],
  },
  console_user: {
    owner: 'seller/store/console/users.ts',
    stays: 'until `console user remove`',
    bound: '1000',
  },
  console_session: {
    owner: 'seller/store/console/sessions.ts',
    stays: 'until it ends: 12 hours unused, 7 days at most',
    bound: '20 a person',
    sweeps: [{ time: 'expires_at' }],
  },
  key_use: {
    owner: 'seller/store/console/key-uses.ts',
    stays: '400 days after the key was used last',
    bound: 'one row a key of the tenant files',
    sweeps: [{ time: 'expires_at' }],
  },
  portal_link: {
    owner: 'seller/store/console/portal-links.ts',
    stays: 'until it expires, 90 days at most',
    bound: '500 open at a time',
    sweeps: [{ time: 'expires_at' }],
  },
  alert: {
    owner: 'seller/store/console/alerts.ts',
    stays: '30 days after its condition held last',
    bound: 'one row a condition and channel, 1000 of a tenant at a time',
    sweeps: [{ time: 'expires_at' }],
  },
  oauth_item: {
    owner: 'seller/store/oauth/items.ts',
    stays: 'until it ends: codes a minute, tokens an hour, clients 7 days unused',
    bound:
      '10,000 of a kind, those that end first go first; an address registers 300 clients an hour and begins 300 sign-ins in 15 minutes',
    sweeps: [{ time: 'expires_at' }],
  },
  oauth_grant: {
    owner: 'seller/store/oauth/grants.ts',
    stays: 'until it ends or is revoked: 90 days at most',
    bound: '200 a principal, those that end first go first',
    sweeps: [{ time: 'expires_at' }],
  },
  oauth_spend: {
    owner: 'seller/store/oauth/grants.ts',
    stays: 'two days',
    bound: 'one row a grant and day',
    sweeps: [{ time: 'ends_at' }],
  },
  audit_entry: {
    owner: 'seller/store/console/audit.ts',
    stays: 'audit_entries',
    bound: 'two rows an act of a person, 4 KB each',
    sweeps: [{ period: 'audit_entries', time: 'at', floor: 'audit_floor' }],
  },
  audit_floor: {
    owner: 'platform/database/retention.ts',
    stays: 'for good',
    bound: 'one row',
  },
  unfinished_copy: {
    owner: 'platform/database/copy/store-copy.ts',
    stays: 'until the copy of another store is whole',
    bound: 'one row',
  },
  state_version: {
    owner: 'seller/store/shared/versions.ts',
    stays: 'for good; in PostgreSQL alone',
    bound: 'two rows a principal',
  },
  process: {
    owner: 'platform/database/postgres/processes.ts',
    stays: 'a minute after its last sign; in PostgreSQL alone',
    bound: 'one row a process',
  },
} as const satisfies RetentionTable<PeriodName> & Readonly<Record<keyof SellerTables, TableRetention<PeriodName>>>;
