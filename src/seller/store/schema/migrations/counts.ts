import { type Migration, plainSql } from '../../../../platform/database/migrations.js';
import { createTrigger } from '../../../../platform/database/trigger.js';
import { countListed } from '../list-triggers.js';
import { withoutRowid } from '../steps.js';
import { countOwned } from '../usage-triggers.js';

/** The tables whose rows and bytes are counted for each owner, and the noun that they are counted as. */
const COUNTED = [
  ['account', 'accounts'],
  ['media_buy', 'media_buys'],
  ['creative', 'creatives'],
  ['task', 'tasks'],
  ['deployment', 'deployments'],
  ['usage', 'usage_records'],
  ['audience', 'audiences'],
  ['event_source', 'event_sources'],
  ['catalog', 'catalogs'],
  ['proposal', 'proposals'],
] as const;

function joinGroup(row: string): string {
  return `INSERT INTO audience_group VALUES (${row}.audience_seq, ${row}.identifiers, 1)
    ON CONFLICT (audience_seq, identifiers) DO UPDATE SET count = audience_group.count + 1;`;
}

function leaveGroup(row: string): string {
  const which = `audience_seq = ${row}.audience_seq AND identifiers = ${row}.identifiers`;
  return `UPDATE audience_group SET count = count - 1 WHERE ${which};
    DELETE FROM audience_group WHERE ${which} AND count = 0;`;
}

/** The migrations of what is counted: each owner's usage, and totals of lists. */
export const counts = {
  // Lists in the usual orders are read and counted from an index, whatever else there is.
  listOrders: (schema) => [
    schema
      .createIndex('creative_by_created')
      .on('creative')
      .columns(['owner', 'created_date', 'seq', 'account_id', 'status']),
    schema
      .createIndex('creative_by_updated')
      .on('creative')
      .columns(['owner', 'updated_date', 'seq', 'account_id', 'status']),
    schema.dropIndex('task_by_owner'),
    schema
      .createIndex('task_by_created')
      .on('task')
      .columns(['owner', 'created_at', 'seq', 'account_id', 'protocol', 'status']),
  ],
  // What each owner has stored, counted where it changes, so that no statement can forget to.
  ownerUsage: (schema, engine) => [
    schema
      .createTable('owner_usage')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('noun', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('owner_usage_key', ['owner', 'noun'])
      .modifyEnd(withoutRowid(engine)),
    ...COUNTED.flatMap(([table, noun]) => countOwned(engine, table, { noun })),
  ],
  // Files of previews count for who had them stored; so do events, feedback and the members of audiences.
  filesAndMembers: (schema, engine) => [
    plainSql(`ALTER TABLE media_file ADD COLUMN owner TEXT NOT NULL DEFAULT ''`),
    plainSql(`ALTER TABLE feedback ADD COLUMN owner TEXT NOT NULL DEFAULT ''`),
    plainSql(`UPDATE feedback SET owner = coalesce(
      (SELECT owner FROM media_buy WHERE media_buy.media_buy_id = feedback.media_buy_id), '')`),
    plainSql(`ALTER TABLE logged_event ADD COLUMN owner TEXT NOT NULL DEFAULT ''`),
    plainSql(`UPDATE logged_event SET owner = coalesce(
      (SELECT owner FROM event_source WHERE event_source.seq = logged_event.source_seq), '')`),
    // A removed audience stays until its members are gone, which are cleared some at a time.
    plainSql('ALTER TABLE audience ADD COLUMN clear_from BIGINT'),
    schema.dropIndex('audience_by_id'),
    plainSql(`CREATE UNIQUE INDEX audience_by_id ON audience (owner, account_id, audience_id)
      WHERE clear_from IS NULL`),
    plainSql('CREATE INDEX audience_to_clear ON audience (clear_from) WHERE clear_from IS NOT NULL'),
    // The members of an audience by their identifiers, counted where they change.
    schema
      .createTable('audience_group')
      .addColumn('audience_seq', 'integer', (c) => c.notNull())
      .addColumn('identifiers', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('audience_group_key', ['audience_seq', 'identifiers'])
      .modifyEnd(withoutRowid(engine)),
    plainSql(`INSERT INTO audience_group
      SELECT audience_seq, identifiers, count(*) FROM audience_member GROUP BY audience_seq, identifiers`),
    ...countOwned(engine, 'feedback', { noun: 'feedback' }),
    ...countOwned(engine, 'logged_event', { noun: 'logged_events' }),
    ...countOwned(engine, 'audience_member', {
      noun: 'audience_members',
      owner: (row) => `(SELECT owner FROM audience WHERE seq = ${row}.audience_seq)`,
      bytes: (row) => `octet_length(${row}.external_id) + octet_length(${row}.identifiers)`,
    }),
    ...createTrigger(engine, {
      name: 'audience_member_grouped',
      table: 'audience_member',
      event: 'INSERT',
      action: joinGroup('new'),
    }),
    ...createTrigger(engine, {
      name: 'audience_member_ungrouped',
      table: 'audience_member',
      event: 'DELETE',
      action: leaveGroup('old'),
    }),
    ...createTrigger(engine, {
      name: 'audience_member_regrouped',
      table: 'audience_member',
      event: 'UPDATE OF identifiers',
      condition: 'new.identifiers <> old.identifiers',
      action: `${leaveGroup('old')} ${joinGroup('new')}`,
    }),
  ],
  // Totals of lists are kept, and lists are read in the order that is asked for.
  listTotals: (schema, engine) => [
    schema
      .createTable('list_count')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('list', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('list_count_key', ['owner', 'list', 'account_id', 'kind', 'status'])
      .modifyEnd(withoutRowid(engine)),
    ...countListed(engine, { table: 'creative' }),
    ...countListed(engine, { table: 'task', kind: 'protocol' }),
    schema.dropIndex('creative_by_id'),
    schema.createIndex('creative_by_id').unique().on('creative').columns(['owner', 'creative_id', 'account_id']),
    schema.createIndex('creative_by_name').on('creative').columns(['owner', 'name', 'seq', 'account_id', 'status']),
    schema
      .createIndex('task_by_updated')
      .on('task')
      .columns(['owner', 'updated_at', 'seq', 'account_id', 'protocol', 'status']),
    schema.createIndex('creative_use_by_owner').on('creative_use').columns(['owner', 'seq', 'account_id']),
  ],
} satisfies Readonly<Record<string, Migration>>;
