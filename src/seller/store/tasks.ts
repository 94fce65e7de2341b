import type { Reading, Writing } from '../../platform/database/engine.js';
import { sql } from '../../platform/database/kysely.js';
import { type Builder, createPrepare, type DocRow, once } from '../../platform/database/statement.js';
import type { Page } from '../../platform/kernel/cursor.js';
import { TASK_PROTOCOLS, type TaskType } from '../../protocol/tasks.js';
import { isWithin, narrowToScope, ownerOf, type Scope } from '../domain/account/scope.js';
import { dueMs, registrationOf, type Task } from '../domain/task/task.js';
import { listCountStatements, readListCounts } from './list-counts.js';
import type { SellerTables } from './schema/schema.js';
import type { SealedColumns } from './sealing/sealed.js';
import type { TaskChanges, TaskMark } from './shared/task-changes.js';

type Sealed = Pick<SealedColumns, 'tasks'>;

/** A task with its position in the list. */
type TaskRow = { readonly seq: number; readonly task: Task };

/** Narrows a list of tasks; absent means any. Instants in ms since the epoch. */
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

/** The columns that a list of tasks may be sorted by; equal ones stay in the order they came. */
export const TASK_SORTS = ['created_at', 'updated_at', 'status', 'task_type', 'protocol'] as const;
/** The order of a list of tasks. */
export type TaskSort = { readonly field: (typeof TASK_SORTS)[number]; readonly direction: 'asc' | 'desc' };

/** How many tasks of one protocol are in one state. */
export type TaskCount = { readonly protocol: string; readonly status: string; readonly total: number };

/** How many tasks of one type wait for a person. */
type WaitingCount = { readonly task_type: string; readonly total: number; readonly oldest: number };

type StoredTask = {
  task_id: string;
  status: string;
  updated_at: number;
  due_at: number | null;
  words: string;
  doc: string;
};
type AddedTask = StoredTask & {
  owner: string;
  account_id: string;
  task_type: string;
  protocol: string;
  has_webhook: number;
  created_at: number;
};

/** The status of a task that goes on by itself: no person is waited for. */
const GOES_ON = sql.lit('working');

/** Orders that an index is in. */
const INDEXED_SORTS: ReadonlySet<TaskSort['field']> = new Set(['created_at', 'updated_at']);

/** Whether a filter is about nothing but what totals are kept by, which the indexes of the list hold as well. */
function isCounted({ accountId: _account, protocols: _protocols, statuses: _statuses, ...more }: TaskFilter): boolean {
  return Object.values(more).every((value) => value === undefined);
}

/** Returns the statements on tasks, compiled for an engine. */
export function taskStatements(db: Builder<SellerTables>) {
  return {
    ...listStatements(db),
    ...listCountStatements(db),
    ...waitingStatements(db),
    ...changeStatements(db),
  };
}

function listStatements(db: Builder<SellerTables>) {
  return {
    list: (owner: string, page: Page, filter: TaskFilter, { field, direction }: TaskSort) => {
      let query = selectTasks(db, owner, filter).select(['seq', 'doc']);
      if (page.after !== undefined) {
        const from = sql`(select ${sql.ref(field)}, seq from task where seq = ${page.after})`;
        const beyond = sql.raw(direction === 'desc' ? '<' : '>');
        query = query.where(sql<boolean>`(${sql.ref(field)}, seq) ${beyond} ${from}`);
      }
      return once(
        query
          .orderBy(field, direction)
          .orderBy('seq', direction)
          .limit(page.limit + 1),
      );
    },
    count: (owner: string, filter: TaskFilter) =>
      once(
        selectTasks(db, owner, filter)
          .select((eb) => ['protocol', 'status', eb.fn.countAll<number>().as('total')])
          .groupBy(['protocol', 'status']),
      ),
    marks: (taskIds: readonly string[]) =>
      once(
        db
          .selectFrom('task')
          .select(['task_id', 'status', 'updated_at'])
          .where('task_id', 'in', [...taskIds]),
      ),
  };
}

function selectTasks(db: Builder<SellerTables>, owner: string, filter: TaskFilter) {
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

function waitingStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ task_id: string }, DocRow>((q, slot) =>
      q.selectFrom('task').select('doc').where('task_id', '=', slot('task_id')),
    ),
    due: prepare<{ now: number; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('task')
        .select('doc')
        .where('due_at', '<=', slot('now'))
        .where('status', '<>', GOES_ON)
        .orderBy('due_at')
        .limit(slot('limit')),
    ),
    leftBehind: prepare<{ now: number; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('task')
        .select('doc')
        .where('due_at', '<=', slot('now'))
        .where('status', '=', GOES_ON)
        .orderBy('due_at')
        .limit(slot('limit')),
    ),
    leftBehindOf: prepare<{ owner: string; task_type: string; now: number; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('task')
        .select('doc')
        .where('owner', '=', slot('owner'))
        .where('due_at', '<=', slot('now'))
        .where('status', '=', GOES_ON)
        .where('task_type', '=', slot('task_type'))
        .orderBy('due_at')
        .limit(slot('limit')),
    ),
    dueOfOwner: prepare<{ owner: string; now: number; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('task')
        .select('doc')
        .where('owner', '=', slot('owner'))
        .where('due_at', '<=', slot('now'))
        .where('status', '<>', GOES_ON)
        .orderBy('due_at')
        .limit(slot('limit')),
    ),
    waiting: prepare<{ limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('task')
        .select('doc')
        .where('due_at', 'is not', null)
        .where('status', '<>', GOES_ON)
        .orderBy('seq')
        .limit(slot('limit')),
    ),
    countWaiting: prepare<object, WaitingCount>((q) =>
      q
        .selectFrom('task')
        .select((eb) => [
          'task_type',
          eb.fn.countAll<number>().as('total'),
          eb.fn.min<number>('created_at').as('oldest'),
        ])
        .where('due_at', 'is not', null)
        .where('status', '<>', GOES_ON)
        .groupBy('task_type'),
    ),
  };
}

function changeStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    insert: prepare<AddedTask>((q, slot) =>
      q.insertInto('task').values({
        ...slot.each('task_id', 'status', 'updated_at', 'due_at', 'words', 'doc'),
        ...slot.each('owner', 'account_id', 'task_type', 'protocol', 'has_webhook', 'created_at'),
      }),
    ),
    replace: prepare<StoredTask>((q, slot) =>
      q
        .updateTable('task')
        .set(slot.each('status', 'updated_at', 'due_at', 'words', 'doc'))
        .where('task_id', '=', slot('task_id')),
    ),
  };
}

/** The compiled statements on tasks. */
type TaskStatements = ReturnType<typeof taskStatements>;

/** The most tasks that are looked at by one statement. */
const MARKS_AT_ONCE = 200;

/** Reads the records of tasks that were answered `submitted`. */
export class TaskReader {
  readonly #tx: Reading;
  readonly #statements: TaskStatements;
  readonly #sealed: Sealed;

  constructor(tx: Reading, statements: TaskStatements, sealed: Sealed) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Returns a task within a scope; somebody else's is not there, nor that of another account. */
  async find(scope: Scope, taskId: string): Promise<Task | undefined> {
    const task = await this.findAnywhere(taskId);
    return task?.owner === ownerOf(scope) && isWithin(scope, task.account_id) ? task : undefined;
  }

  /** Returns a task of whatever owner: for the seller's own people. */
  async findAnywhere(task_id: string): Promise<Task | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { task_id });
    return row && this.#sealed.tasks.read(row.doc);
  }

  /** Returns one row more than the page asks for where there is one. */
  async list(scope: Scope, page: Page, filter: TaskFilter, sort: TaskSort): Promise<TaskRow[]> {
    const wanted = this.#statements.list(ownerOf(scope), page, narrowToScope(scope, filter), sort);
    const isNarrow = filter.taskIds !== undefined || (isCounted(filter) && INDEXED_SORTS.has(sort.field));
    const rows = await (isNarrow ? this.#tx.all(wanted, {}) : this.#tx.scan(wanted, {}));
    return rows.map((row) => ({ seq: row.seq, task: this.#sealed.tasks.read(row.doc) }));
  }

  /** Returns how many tasks there are of each protocol and state. */
  async count(scope: Scope, filter: TaskFilter): Promise<readonly TaskCount[]> {
    const wanted = narrowToScope(scope, filter);
    const owner = ownerOf(scope);
    if (!isCounted(filter)) {
      const rows = this.#statements.count(owner, wanted);
      return filter.taskIds === undefined ? this.#tx.scan(rows, {}) : this.#tx.all(rows, {});
    }
    const { protocols, statuses } = wanted;
    const counts = await readListCounts(this.#tx, this.#statements, { owner, list: 'task' }, wanted);
    return counts
      .filter(({ kind, status }) => protocols?.includes(kind) !== false && statuses?.includes(status) !== false)
      .map(({ kind, status, total }) => ({ protocol: kind, status, total }));
  }

  /** Returns the tasks that nobody decided about by `now` (ms), the longest due first; of all owners unless one is named. */
  async due(now: number, limit: number, owner?: string): Promise<Task[]> {
    const rows =
      owner === undefined
        ? await this.#tx.all(this.#statements.due, { now, limit })
        : await this.#tx.all(this.#statements.dueOfOwner, { owner, now, limit });
    return rows.map((row) => this.#sealed.tasks.read(row.doc));
  }

  /** Returns the tasks that go on by themselves and have not been heard of by `now` (ms). */
  async leftBehind(now: number, limit: number): Promise<Task[]> {
    const rows = await this.#tx.all(this.#statements.leftBehind, { now, limit });
    return rows.map((row) => this.#sealed.tasks.read(row.doc));
  }

  /** Returns the tasks of an owner and a type that go on by themselves and are due by `now` (ms). */
  async leftBehindOf(owner: string, task_type: TaskType, now: number, limit: number): Promise<Task[]> {
    const rows = await this.#tx.all(this.#statements.leftBehindOf, { owner, task_type, now, limit });
    return rows.map((row) => this.#sealed.tasks.read(row.doc));
  }

  /** Returns the tasks that a person has to decide about, the oldest first. */
  async waiting(limit: number): Promise<Task[]> {
    const rows = await this.#tx.all(this.#statements.waiting, { limit });
    return rows.map((row) => this.#sealed.tasks.read(row.doc));
  }

  /** Returns the marks of tasks: what is another one after a change. */
  async marks(taskIds: readonly string[]): Promise<readonly TaskMark[]> {
    const marks: TaskMark[] = [];
    for (let from = 0; from < taskIds.length; from += MARKS_AT_ONCE)
      marks.push(...(await this.#tx.all(this.#statements.marks(taskIds.slice(from, from + MARKS_AT_ONCE)), {})));
    return marks;
  }

  /** Returns how many tasks of each type a person has to decide about. */
  countWaiting(): Promise<readonly WaitingCount[]> {
    return this.#tx.all(this.#statements.countWaiting, {});
  }
}

/** Reads and writes task records in one transaction. */
export class TaskWriter extends TaskReader {
  readonly #tx: Writing;
  readonly #statements: TaskStatements;
  readonly #sealed: Sealed;
  readonly #changes: TaskChanges;

  constructor(tx: Writing, statements: TaskStatements, sealed: Sealed, changes: TaskChanges) {
    super(tx, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
    this.#changes = changes;
  }

  async insert(task: Task): Promise<void> {
    const { owner, account_id, task_type } = task;
    this.#tx.write(this.#statements.insert, {
      ...storedTask(task, this.#sealed),
      owner,
      account_id,
      task_type,
      protocol: TASK_PROTOCOLS[task_type],
      has_webhook: registrationOf(task) === undefined ? 0 : 1,
      created_at: Date.parse(task.created_at),
    });
  }

  async replace(task: Task): Promise<void> {
    this.#tx.write(this.#statements.replace, storedTask(task, this.#sealed));
    this.#tx.onCommit(() => this.#changes.announce(task.task_id));
  }
}

function storedTask(task: Task, { tasks }: Sealed): StoredTask {
  const { context, media_buy_id, po_number } = task.request;
  const ids = [media_buy_id ?? task.steps.at(-1)?.result?.media_buy_id, po_number, context];
  return {
    task_id: task.task_id,
    status: task.status,
    updated_at: Date.parse(task.updated_at),
    due_at: dueMs(task) ?? null,
    words: JSON.stringify(ids).toLowerCase(),
    doc: tasks.write(task),
  };
}
