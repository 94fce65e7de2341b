import { type Migration, table } from '../../../../platform/database/migrations.js';

/** The migrations of signals: deployments and usage. */
export const signals = {
  deployments: (schema, engine) => [
    table(schema, engine, 'deployment')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('signal_agent_segment_id', 'text', (c) => c.notNull())
      .addColumn('place', 'text', (c) => c.notNull())
      .addColumn('seat', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema
      .createIndex('deployment_by_place')
      .unique()
      .on('deployment')
      .columns(['owner', 'account_id', 'signal_agent_segment_id', 'place', 'seat']),
    table(schema, engine, 'usage')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('usage_by_account').on('usage').columns(['owner', 'account_id', 'seq']),
  ],
} satisfies Readonly<Record<string, Migration>>;
