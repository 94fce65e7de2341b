import { sql } from '../../../../platform/database/kysely.js';
import { type Migration, table } from '../../../../platform/database/migrations.js';

/** The migrations of tasks, those of A2A and the items of a sandbox. */
export const tasks = {
  tasks: (schema, engine) => [
    table(schema, engine, 'task')
      .addColumn('task_id', 'text', (c) => c.notNull().unique())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('task_type', 'text', (c) => c.notNull())
      .addColumn('protocol', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('has_webhook', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('words', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('task_by_owner').on('task').columns(['owner', 'seq']),
    schema.createIndex('task_by_due').on('task').column('due_at').where(sql.ref('due_at'), 'is not', null),
  ],
  // What waits for a person is few of all that there is, and is read from an index (benchmark row console).
  waiting: (schema) => [
    schema
      .createIndex('task_waiting')
      .on('task')
      .column('seq')
      .where(sql.ref('due_at'), 'is not', null)
      .where(sql.ref('status'), '<>', sql.lit('working')),
  ],
  sandboxItems: (schema, engine) => [
    table(schema, engine, 'sandbox_item')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('item_key', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('sandbox_item_by_key').unique().on('sandbox_item').columns(['owner', 'kind', 'item_key']),
  ],
  // What A2A adds to tasks: the context that a client gave, its own registrations, and answers that can be asked for again.
  a2a: (schema, engine) => [
    table(schema, engine, 'a2a_task')
      .addColumn('task_id', 'text', (c) => c.notNull().unique())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('context_id', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('doc', 'text'),
    schema
      .createIndex('a2a_task_finished')
      .on('a2a_task')
      .columns(['owner', 'seq'])
      .where(sql.ref('expires_at'), 'is not', null),
    schema
      .createIndex('a2a_task_by_expiry')
      .on('a2a_task')
      .column('expires_at')
      .where(sql.ref('expires_at'), 'is not', null),
    table(schema, engine, 'a2a_push')
      .addColumn('task_id', 'text', (c) => c.notNull())
      .addColumn('config_id', 'text', (c) => c.notNull())
      .addColumn('doc', 'text', (c) => c.notNull()),
    schema.createIndex('a2a_push_by_task').unique().on('a2a_push').columns(['task_id', 'config_id']),
  ],
} satisfies Readonly<Record<string, Migration>>;
