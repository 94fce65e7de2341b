import { type Migration, table } from '../../../../platform/database/migrations.js';
import { countOwned } from '../usage-triggers.js';

/** The migrations of governance: agents, plans, standards and lists, and audiences and events that came with them. */
export const governance = {
  agentsAndAudiences: (schema, engine) => [
    table(schema, engine, 'governance_agent')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('governance_agent_by_account').unique().on('governance_agent').columns(['owner', 'account_id']),
    table(schema, engine, 'governance_approval')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('reference', 'text', (c) => c.notNull())
      .addColumn('decided_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('governance_approval_by_reference')
      .on('governance_approval')
      .columns(['owner', 'account_id', 'reference', 'seq']),
    table(schema, engine, 'audience')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('audience_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('audience_by_id').unique().on('audience').columns(['owner', 'account_id', 'audience_id']),
    table(schema, engine, 'audience_member')
      .addColumn('audience_seq', 'integer', (c) => c.notNull())
      .addColumn('external_id', 'text', (c) => c.notNull())
      .addColumn('matched', 'integer', (c) => c.notNull())
      .addColumn('identifiers', 'text', (c) => c.notNull()),
    schema.createIndex('audience_member_by_id').unique().on('audience_member').columns(['audience_seq', 'external_id']),
    table(schema, engine, 'event_source')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('event_source_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('event_source_by_id')
      .unique()
      .on('event_source')
      .columns(['owner', 'event_source_id', 'account_id']),
    table(schema, engine, 'logged_event')
      .addColumn('source_seq', 'integer', (c) => c.notNull())
      .addColumn('event_type', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('is_test', 'integer', (c) => c.notNull())
      .addColumn('matched', 'integer', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('logged_event_by_id')
      .unique()
      .on('logged_event')
      .columns(['source_seq', 'event_type', 'event_id', 'is_test']),
    table(schema, engine, 'catalog')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('catalog_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('catalog_by_id').unique().on('catalog').columns(['owner', 'account_id', 'catalog_id']),
  ],
  // Campaign plans of a governance agent: their budgets' uses, and everything that was asked and reported about them.
  plans: (schema, engine) => [
    table(schema, engine, 'governance_plan')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('plan_id', 'text', (c) => c.notNull())
      .addColumn('ends_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('governance_plan_by_id').unique().on('governance_plan').columns(['owner', 'plan_id']),
    schema.createIndex('governance_plan_by_end').on('governance_plan').column('ends_at'),
    table(schema, engine, 'governed_action')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('plan_seq', 'integer', (c) => c.notNull())
      .addColumn('action_id', 'text', (c) => c.notNull())
      .addColumn('purchase_type', 'text', (c) => c.notNull())
      .addColumn('seller', 'text', (c) => c.notNull())
      .addColumn('channel', 'text', (c) => c.notNull())
      .addColumn('committed', 'real', (c) => c.notNull())
      .addColumn('held', 'real', (c) => c.notNull())
      .addColumn('held_until', 'bigint')
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('governed_action_of_plan').unique().on('governed_action').columns(['plan_seq', 'action_id']),
    schema.createIndex('governed_action_by_id').on('governed_action').columns(['owner', 'action_id']),
    table(schema, engine, 'governance_entry')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('plan_seq', 'integer', (c) => c.notNull())
      .addColumn('action_id', 'text', (c) => c.notNull())
      .addColumn('entry_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('verdict', 'text', (c) => c.notNull())
      .addColumn('findings', 'integer', (c) => c.notNull())
      .addColumn('is_escalated', 'integer', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('governance_entry_of_plan').on('governance_entry').columns(['plan_seq', 'seq']),
    schema.createIndex('governance_entry_by_id').on('governance_entry').columns(['plan_seq', 'entry_id']),
    ...countOwned(engine, 'governance_plan', { noun: 'governance_plans' }),
    ...countOwned(engine, 'governance_entry', { noun: 'governance_entries' }),
  ],
  // Content standards of a governance agent.
  contentStandards: (schema, engine) => [
    table(schema, engine, 'content_standard')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('standards_id', 'text', (c) => c.notNull())
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('content_standard_by_id').unique().on('content_standard').columns(['owner', 'standards_id']),
    ...countOwned(engine, 'content_standard', { noun: 'content_standards' }),
  ],
  // Property lists and collection lists of a governance agent, with what they came to when they were resolved last.
  inventoryLists: (schema, engine) => [
    table(schema, engine, 'inventory_list')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('list_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('token_digest', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('inventory_list_by_id').unique().on('inventory_list').columns(['owner', 'list_id']),
    schema.createIndex('inventory_list_by_token').unique().on('inventory_list').column('token_digest'),
    schema
      .createTable('inventory_list_content')
      .addColumn('list_seq', 'integer', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('rules', 'text', (c) => c.notNull())
      .addColumn('entries', 'text', (c) => c.notNull()),
    ...countOwned(engine, 'inventory_list_content', {
      noun: 'inventory_lists',
      bytes: (row) => `octet_length(${row}.rules) + octet_length(${row}.entries)`,
    }),
  ],
} satisfies Readonly<Record<string, Migration>>;
