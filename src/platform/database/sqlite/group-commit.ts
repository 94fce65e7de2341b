import { endOfRound, yieldToEventLoop } from '../../kernel/event-loop.js';
import type { EngineStats, Writing } from '../engine.js';
import { FileUnwritable } from '../unavailable.js';
import type { Checkpoints } from './checkpoints.js';
import type { CommitCount } from './commit-count.js';
import type { SqliteWriting } from './connection.js';

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };
type Job = { run(tx: Writing): Promise<unknown>; settle(outcome: Outcome): void };

/** A job failed after it had written, among others that did not. */
class GroupFailure extends Error {}

/** So many transactions share one commit at most, so that none waits long for its neighbors. */
const MAX_GROUP_JOBS = 256;

/**
 * Commits transactions that arrive together as one, so that one fsync serves them all. When one of them has to be undone, all run
 * again, with a savepoint each.
 */
export class GroupCommit {
  readonly #writing: SqliteWriting;
  readonly #count: CommitCount;
  readonly #checkpoints: Checkpoints;
  readonly #jobs: Job[] = [];
  #draining: Promise<void> | undefined;
  #isClosed = false;
  #commits = 0;
  #transactions = 0;

  constructor(writing: SqliteWriting, count: CommitCount, checkpoints: Checkpoints) {
    this.#writing = writing;
    this.#count = count;
    this.#checkpoints = checkpoints;
  }

  /** Returns the outcome of `action` once it is on disk. */
  transact<T>(action: (tx: Writing) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('the store is closed'));
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({
        run: action,
        settle: (outcome) => (outcome.ok ? resolve(outcome.value as T) : reject(explainFailure(outcome.error))),
      });
      this.#draining ??= this.#drain();
    });
  }

  /** Returns how many commits and transactions there were. */
  stats(): EngineStats {
    return { commits: this.#commits, transactions: this.#transactions, retries: 0 };
  }

  /** Takes no further transactions and waits for those that it has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // Everything that arrives in this round of the event loop joins the same commit.
    await endOfRound();
    try {
      while (this.#jobs.length > 0) {
        const room = this.#checkpoints.makeRoom();
        if (room !== undefined) await room;
        await this.#commitGroup(this.#jobs.splice(0, MAX_GROUP_JOBS));
        // Those who write one transaction after the other would hold the event loop for all of them.
        if (this.#jobs.length > 0) await yieldToEventLoop();
      }
    } finally {
      this.#draining = undefined;
    }
  }

  async #commitGroup(group: readonly Job[]): Promise<void> {
    let outcomes: readonly Outcome[];
    try {
      outcomes = await this.#runTogetherOrApart(group);
    } catch (error) {
      for (const job of group) job.settle({ ok: false, error });
      return;
    }
    try {
      this.#writing.announceCommit();
    } finally {
      // Refusals wait for the commit too: one may be about a neighbor's row, which is not there before. What is on disk is
      // answered also when a listener fails.
      group.forEach((job, index) => {
        job.settle(outcomes[index] ?? { ok: false, error: new Error('a transaction was not run') });
      });
    }
  }

  async #runTogetherOrApart(group: readonly Job[]): Promise<readonly Outcome[]> {
    try {
      return await this.#runGroup(group, (job) => this.#runTogether(job));
    } catch (error) {
      if (!(error instanceof GroupFailure)) throw error;
      return this.#runGroup(group, (job) => this.#runApart(job));
    }
  }

  async #runGroup(group: readonly Job[], runJob: (job: Job) => Promise<Outcome>): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    const before = this.#writing.writes;
    let hasWritten = false;
    try {
      this.#writing.begin();
      for (const job of group) outcomes.push(await runJob(job));
      hasWritten = this.#writing.writes > before;
      if (hasWritten) await this.#count.count(this.#writing);
      this.#writing.commit();
    } catch (error) {
      this.#writing.rollback();
      throw error;
    }
    if (hasWritten) this.#count.committed();
    this.#checkpoints.noteCommit(this.#writing.changedRows);
    this.#commits += 1;
    this.#transactions += group.length;
    return outcomes;
  }

  async #runTogether(job: Job): Promise<Outcome> {
    const before = this.#writing.writes;
    const outcome = await this.#run(job);
    if (!outcome.ok && this.#writing.writes > before) throw new GroupFailure();
    return outcome;
  }

  async #runApart(job: Job): Promise<Outcome> {
    const undo = this.#writing.savepoint('job');
    const outcome = await this.#run(job);
    if (!outcome.ok) this.#undo(undo, outcome.error);
    this.#writing.release('job');
    return outcome;
  }

  /** Undoes one job of a group; a database that has undone all of them by itself, as a full one does, fails the group of what the job failed of. */
  #undo(undo: () => void, error: unknown): void {
    try {
      undo();
    } catch {
      throw error;
    }
  }

  async #run(job: Job): Promise<Outcome> {
    try {
      return { ok: true, value: await job.run(this.#writing) };
    } catch (error) {
      return { ok: false, error };
    }
  }
}

/** What SQLite says of a file that cannot be written, with its extended codes. */
const UNWRITABLE = /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/;

/** Returns an error of a transaction as the engine's callers know it. */
function explainFailure(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && UNWRITABLE.test(String(error.code)))) return error;
  return new FileUnwritable('the database cannot be written', { cause: error });
}
