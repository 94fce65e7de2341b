import type { Reading, Writing } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { Page } from '../../../platform/kernel/cursor.js';
import { type A2aPush, type A2aTask, MAX_STORED_MS } from '../../domain/task/a2a.js';
import type { SellerTables } from '../schema/schema.js';
import type { SealedColumns } from '../sealing/sealed.js';

/** Most finished answers that are kept of an owner, the latest. */
const MAX_FINISHED_TASKS = 200;
/** What is read of an answer for a list: what stands before it. */
const MAX_HEAD_CHARACTERS = 8192;
/** Where the list of finished answers begins. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** The stored document of a task, and until when (ms); null with a task that goes on. */
type OwnedA2aTask = A2aTask & { readonly expires_at: number | null };
/** An answer that is kept, by its place in the list and the beginning of its text. */
type FinishedRow = { readonly seq: number; readonly task_id: string; readonly head: string };
type PushKey = { task_id: string; config_id: string };
type PushRow = { readonly config_id: string; readonly doc: string };

/** Returns the statements on what A2A keeps, compiled for an engine. */
export function a2aStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ task_id: string }, OwnedA2aTask>((q, slot) =>
      q
        .selectFrom('a2a_task')
        .select(['task_id', 'owner', 'context_id', 'expires_at', 'doc'])
        .where('task_id', '=', slot('task_id')),
    ),
    finished: prepare<{ owner: string; now: number; before: number; limit: number }, FinishedRow>((q, slot) =>
      q
        .selectFrom('a2a_task')
        .select(['seq', 'task_id', sql<string>`substr(doc, 1, ${sql.lit(MAX_HEAD_CHARACTERS)})`.as('head')])
        .where('owner', '=', slot('owner'))
        .where('expires_at', 'is not', null)
        .where('expires_at', '>', slot('now'))
        .where('seq', '<', slot('before'))
        .orderBy('seq', 'desc')
        .limit(slot('limit')),
    ),
    insert: prepare<A2aTask & { expires_at: number | null }>((q, slot) =>
      q
        .insertInto('a2a_task')
        .values(slot.each('task_id', 'owner', 'context_id', 'expires_at', 'doc'))
        .onConflict((c) => c.column('task_id').doNothing()),
    ),
    oldest: prepare<{ owner: string; count: number }, { seq: number }>((q, slot) =>
      q
        .selectFrom('a2a_task')
        .select('seq')
        .where('owner', '=', slot('owner'))
        .where('expires_at', 'is not', null)
        .orderBy('seq', 'desc')
        .offset(slot('count'))
        .limit(1),
    ),
    evict: prepare<{ owner: string; seq: number }>((q, slot) =>
      q
        .deleteFrom('a2a_task')
        .where('owner', '=', slot('owner'))
        .where('expires_at', 'is not', null)
        .where('seq', '<=', slot('seq')),
    ),
    pushes: prepare<{ task_id: string }, PushRow>((q, slot) =>
      q.selectFrom('a2a_push').select(['config_id', 'doc']).where('task_id', '=', slot('task_id')).orderBy('seq'),
    ),
    savePush: prepare<PushKey & { doc: string }>((q, slot) =>
      q
        .insertInto('a2a_push')
        .values(slot.each('task_id', 'config_id', 'doc'))
        .onConflict((c) => c.columns(['task_id', 'config_id']).doUpdateSet(slot.each('doc'))),
    ),
    removePush: prepare<PushKey>((q, slot) =>
      q.deleteFrom('a2a_push').where('task_id', '=', slot('task_id')).where('config_id', '=', slot('config_id')),
    ),
  };
}

/** The compiled statements on what A2A keeps. */
type A2aStatements = ReturnType<typeof a2aStatements>;

/** Reads what A2A keeps of tasks. */
export class A2aReader {
  readonly #tx: Reading;
  readonly #statements: A2aStatements;
  readonly #sealed: Pick<SealedColumns, 'pushes'>;

  constructor(tx: Reading, statements: A2aStatements, sealed: Pick<SealedColumns, 'pushes'>) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Returns what is kept of a task, of whatever owner. */
  find(task_id: string): Promise<OwnedA2aTask | undefined> {
    return this.#tx.one(this.#statements.byId, { task_id });
  }

  /** Returns the finished answers of an owner that are kept at `now` (ms), the latest first; one row more than the page where there is one. */
  finished(owner: string, now: number, { after = NEWEST, limit }: Page): Promise<readonly FinishedRow[]> {
    return this.#tx.all(this.#statements.finished, { owner, now, before: after, limit: limit + 1 });
  }

  /** Returns the native registrations of a task, oldest first. */
  async pushes(task_id: string): Promise<readonly A2aPush[]> {
    const rows = await this.#tx.all(this.#statements.pushes, { task_id });
    return rows.map(({ doc }) => this.#sealed.pushes.read(doc));
  }
}

/** Reads and writes what A2A keeps of tasks, in one transaction. */
export class A2aWriter extends A2aReader {
  readonly #tx: Writing;
  readonly #statements: A2aStatements;
  readonly #sealed: Pick<SealedColumns, 'pushes'>;

  constructor(tx: Writing, statements: A2aStatements, sealed: Pick<SealedColumns, 'pushes'>) {
    super(tx, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Keeps the context of a task that goes on; it stays with the task. */
  open(task: Omit<A2aTask, 'doc'>): void {
    this.#tx.write(this.#statements.insert, { ...task, doc: null, expires_at: null });
  }

  /** Keeps the answer of a call that is over for `ttlMs`, 24 hours at most, in the place of the oldest of its owner where there are many. */
  async finish(task: A2aTask, nowMs: number, ttlMs = MAX_STORED_MS): Promise<void> {
    const { owner } = task;
    const last = await this.#tx.one(this.#statements.oldest, { owner, count: MAX_FINISHED_TASKS - 1 });
    if (last !== undefined) this.#tx.write(this.#statements.evict, { owner, seq: last.seq });
    this.#tx.write(this.#statements.insert, { ...task, expires_at: nowMs + Math.min(ttlMs, MAX_STORED_MS) });
  }

  /** Stores a native registration, in the place of that of the same id. */
  savePush(task_id: string, push: A2aPush): void {
    const { config_id } = push;
    this.#tx.write(this.#statements.savePush, { task_id, config_id, doc: this.#sealed.pushes.write(push) });
  }

  /** Removes a native registration, if it is there. */
  removePush(task_id: string, config_id: string): void {
    this.#tx.write(this.#statements.removePush, { task_id, config_id });
  }
}
