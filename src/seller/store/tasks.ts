import type { Reading, Writing } from '../../platform/database/engine.js';
import { sql } from '../../platform/database/kysely.js';
import { type Builder, createPrepare, once } from '../../platform/database/statement.js';
import type { Page } from '../../platform/kernel/cursor.js';
import { TASK_PROTOCOLS } from '../../protocol/tasks.js';
import { dueMs, registrationOf, type Task } from '../domain/task/task.js';
import type { SellerTables } from './schema/schema.js';

/** A task with its place in the list. */
export type TaskRow = { readonly seq: number; readonly task: Task };

/** What a list of tasks is narrowed by; absent means any. Instants in ms since the epoch. */
export type TaskFilter = {
  readonly accountId?: string | undefined;
  readonly taskIds?: readonly string[] | undefined;
  readonly protocols?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly taskTypes?: readonly string[] | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
  readonly updatedAfter?: number | undefined;
  readonly updatedBefore?: number | undefined;
  /** A text that the request's context or the buy's id contains. */
  readonly contains?: string | undefined;
  readonly hasWebhook?: boolean | undefined;
};

/** What a list of tasks may be sorted by; equal ones stay in the order they came. */
export const TASK_SORTS = ['created_at', 'updated_at', 'status', 'task_type', 'protocol'] as const;
/** The order of a list of tasks. */
export type TaskSort = { readonly field: (typeof TASK_SORTS)[number]; readonly direction: 'asc' | 'desc' };

/** How many tasks of one protocol are in one state. */
export type TaskCount = { readonly protocol: string; readonly status: string; readonly total: number };

/** Asynchronous tasks (facts A.11). */
export type TaskReads = {
  /** The owner's task; somebody else's is not there. */
  readonly find: (owner: string, taskId: string) => Promise<Task | undefined>;
  /** Whoever's it is: for the seller's own people. */
  readonly findAnywhere: (taskId: string) => Promise<Task | undefined>;
  /** One row more than the page asks for where there is one. */
  readonly list: (owner: string, page: Page, filter: TaskFilter, sort: TaskSort) => Promise<TaskRow[]>;
  readonly count: (owner: string, filter: TaskFilter) => Promise<readonly TaskCount[]>;
  /** Tasks that nobody decided about by `nowMs`, the one that is due first at the head; of all owners unless one is named. */
  readonly due: (nowMs: number, limit: number, owner?: string) => Promise<Task[]>;
  /** Tasks that a person has to decide about, the oldest first. */
  readonly waiting: (limit: number) => Promise<Task[]>;
  /** How many of them there are, of each kind. */
  readonly countWaiting: () => Promise<readonly { readonly task_type: string; readonly total: number }[]>;
};
export type TaskWrites = TaskReads & {
  readonly insert: (task: Task) => Promise<void>;
  readonly replace: (task: Task) => Promise<void>;
};

const STORED = ['task_id', 'status', 'updated_at', 'due_at', 'words', 'doc'] as const;

/** The repository of tasks over an engine. */
export function taskRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const byId = prepare<{ id: string }, { doc: string }>((q, slot) =>
    q.selectFrom('task').select('doc').where('task_id', '=', slot('id')),
  );
  const dueBy = prepare<{ now: number; limit: number }, { doc: string }>((q, slot) =>
    q.selectFrom('task').select('doc').where('due_at', '<=', slot('now')).orderBy('due_at').limit(slot('limit')),
  );
  type OwnDue = { owner: string; now: number; limit: number };
  const ownDueBy = prepare<OwnDue, { doc: string }>((q, slot) =>
    q
      .selectFrom('task')
      .select('doc')
      .where('owner', '=', slot('owner'))
      .where('due_at', '<=', slot('now'))
      .orderBy('due_at')
      .limit(slot('limit')),
  );
  const undecided = prepare<{ limit: number }, { doc: string }>((q, slot) =>
    q.selectFrom('task').select('doc').where('due_at', 'is not', null).orderBy('seq').limit(slot('limit')),
  );
  const undecidedByType = prepare<object, { task_type: string; total: number }>((q) =>
    q
      .selectFrom('task')
      .select((eb) => ['task_type', eb.fn.countAll<number>().as('total')])
      .where('due_at', 'is not', null)
      .groupBy('task_type'),
  );
  type Stored = {
    task_id: string;
    status: string;
    updated_at: number;
    due_at: number | null;
    words: string;
    doc: string;
  };
  type Added = Stored & {
    owner: string;
    account_id: string;
    task_type: string;
    protocol: string;
    has_webhook: number;
    created_at: number;
  };
  const add = prepare<Added>((q, slot) =>
    q.insertInto('task').values({
      ...Object.fromEntries(STORED.map((column) => [column, slot(column)])),
      owner: slot('owner'),
      account_id: slot('account_id'),
      task_type: slot('task_type'),
      protocol: slot('protocol'),
      has_webhook: slot('has_webhook'),
      created_at: slot('created_at'),
    } as never),
  );
  const update = prepare<Stored>((q, slot) =>
    q
      .updateTable('task')
      .set({
        status: slot('status'),
        updated_at: slot('updated_at'),
        due_at: slot('due_at'),
        words: slot('words'),
        doc: slot('doc'),
      })
      .where('task_id', '=', slot('task_id')),
  );

  function matching(owner: string, filter: TaskFilter) {
    const { accountId, taskIds, protocols, statuses, taskTypes, contains, hasWebhook } = filter;
    let query = db.selectFrom('task').where('owner', '=', owner);
    if (accountId !== undefined) query = query.where('account_id', '=', accountId);
    if (taskIds !== undefined) query = query.where('task_id', 'in', [...taskIds]);
    if (protocols !== undefined) query = query.where('protocol', 'in', [...protocols]);
    if (statuses !== undefined) query = query.where('status', 'in', [...statuses]);
    if (taskTypes !== undefined) query = query.where('task_type', 'in', [...taskTypes]);
    if (filter.createdAfter !== undefined) query = query.where('created_at', '>', filter.createdAfter);
    if (filter.createdBefore !== undefined) query = query.where('created_at', '<', filter.createdBefore);
    if (filter.updatedAfter !== undefined) query = query.where('updated_at', '>', filter.updatedAfter);
    if (filter.updatedBefore !== undefined) query = query.where('updated_at', '<', filter.updatedBefore);
    if (contains !== undefined)
      query = query.where(sql<boolean>`instr(${sql.ref('words')}, ${contains.toLowerCase()}) > 0`);
    if (hasWebhook !== undefined) query = query.where('has_webhook', '=', hasWebhook ? 1 : 0);
    return query;
  }

  const reads = (tx: Reading): TaskReads => {
    const findAnywhere = async (id: string): Promise<Task | undefined> => {
      const row = await tx.one(byId, { id });
      return row === undefined ? undefined : decode(row);
    };
    return {
      find: async (owner, id) => {
        const task = await findAnywhere(id);
        return task?.owner === owner ? task : undefined;
      },
      findAnywhere,
      list: async (owner, page, filter, { field, direction }) => {
        let query = matching(owner, filter).select(['seq', 'doc']).orderBy(field, direction).orderBy('seq', direction);
        if (page.after !== undefined) {
          const from = sql`(select ${sql.ref(field)}, seq from task where seq = ${page.after})`;
          const beyond = sql.raw(direction === 'desc' ? '<' : '>');
          query = query.where(sql<boolean>`(${sql.ref(field)}, seq) ${beyond} ${from}`);
        }
        const rows = await tx.all(once(query.limit(page.limit + 1)), {});
        return rows.map((row) => ({ seq: row.seq, task: decode(row) }));
      },
      count: async (owner, filter) => {
        const query = matching(owner, filter)
          .select((eb) => ['protocol', 'status', eb.fn.countAll<number>().as('total')])
          .groupBy(['protocol', 'status']);
        return tx.all(once(query), {});
      },
      due: async (now, limit, owner) => {
        const rows = await (owner === undefined
          ? tx.all(dueBy, { now, limit })
          : tx.all(ownDueBy, { owner, now, limit }));
        return rows.map(decode);
      },
      waiting: async (limit) => (await tx.all(undecided, { limit })).map(decode),
      countWaiting: () => tx.all(undecidedByType, {}),
    };
  };
  const writes = (tx: Writing): TaskWrites => ({
    ...reads(tx),
    insert: async (task) => {
      await tx.run(add, {
        ...stored(task),
        owner: task.owner,
        account_id: task.account_id,
        task_type: task.task_type,
        protocol: TASK_PROTOCOLS[task.task_type],
        has_webhook: registrationOf(task) === undefined ? 0 : 1,
        created_at: Date.parse(task.created_at),
      });
    },
    replace: async (task) => {
      await tx.run(update, stored(task));
    },
  });
  return { reads, writes };
}

function stored(task: Task) {
  const { context, media_buy_id, po_number } = task.request;
  const ids = [media_buy_id ?? task.steps.at(-1)?.result?.media_buy_id, po_number, context];
  return {
    task_id: task.task_id,
    status: task.status,
    updated_at: Date.parse(task.updated_at),
    due_at: dueMs(task) ?? null,
    words: JSON.stringify(ids).toLowerCase(),
    doc: JSON.stringify(task),
  };
}

function decode({ doc }: { readonly doc: string }): Task {
  return JSON.parse(doc) as Task;
}
