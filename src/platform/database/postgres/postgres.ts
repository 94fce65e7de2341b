import PQueue from 'p-queue';
import type pg from 'pg';
import { monotonicMs } from '../../kernel/clock.js';
import { freshBytes } from '../../kernel/ids.js';
import type { Log } from '../../kernel/log.js';
import { pause } from '../../kernel/loop.js';
import type { DatabaseFigures, Engine, EngineStats, Reading, TransactionOptions, Writing } from '../engine.js';
import { FileProblem } from '../file-problem.js';
import type { Migration } from '../migrations.js';
import { type Builder, createBuilder, type EngineName, type Statement } from '../statement.js';
import { PostgresReading, StatementNames } from './connection.js';
import { canTryAgain, findRemedy, isAway, isFull, isUnavailable } from './errors.js';
import { openFigures } from './figures.js';
import { migrate } from './migrate.js';
import { NamedQueues } from './named-queues.js';
import { openPool, withConnection } from './pool.js';
import { explainFailure, PostgresTransaction } from './transaction.js';

/** How a database is opened. */
type PostgresOptions = {
  readonly migrations: readonly Migration[];
  /** A table that only databases of this kind have: a seller's is not taken for a registry's. */
  readonly marker?: string;
  readonly log: Log;
};

/** Connections of one process for what is read beside transactions. */
const MAX_READERS = 8;
/** Transactions of one process that run side by side. */
const MAX_WRITERS = 8;
/** The longest pause before a transaction is tried again. */
const MAX_PAUSE_MS = 200;

const PROBE: Statement<object, unknown> = {
  sql: 'INSERT INTO probe VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET writes = probe.writes + 1',
  parameters: [],
};

/**
 * Opens a PostgreSQL database, which several processes may have open, as an engine, migrating it as needed. A transaction is SERIALIZABLE
 * and runs again when the database asks for it. Throws FileProblem for one of a newer version, and one that cannot be reached.
 */
export async function openPostgres<Database>(url: string, options: PostgresOptions): Promise<Engine<Database>> {
  const engine = new PostgresEngine<Database>(url, options);
  try {
    await migrate({ url, label: labelOf(url), queries: engine.queries, ...options });
    return engine;
  } catch (error) {
    await engine.close();
    throw explainFailedStart(url, error);
  }
}

class PostgresEngine<Database> implements Engine<Database> {
  readonly name: EngineName = 'postgres';
  readonly queries: Builder<Database> = createBuilder(this.name);
  readonly reading: Reading;
  readonly figures: DatabaseFigures;
  /** Apart from those that only read: a transaction that waits for a reading would else wait for itself. */
  readonly #writers: pg.Pool;
  readonly #readers: pg.Pool;
  readonly #names = new StatementNames();
  readonly #log: Log;
  /** Whoever waits for a lock that this process has waits here, without a connection. */
  readonly #locked = new NamedQueues();
  /** Whoever waits for a connection waits here: in the pool it would count as one that cannot be had. */
  readonly #queue = new PQueue({ concurrency: MAX_WRITERS });
  readonly #running = new Set<Promise<unknown>>();
  #commits = 0;
  #retries = 0;
  #isClosed = false;

  constructor(url: string, options: PostgresOptions) {
    this.#log = options.log;
    this.#writers = openPool(url, options.log, MAX_WRITERS);
    this.#readers = openPool(url, options.log, MAX_READERS);
    this.reading = new PostgresReading(this.#readers, this.#names);
    this.figures = openFigures([this.#writers, this.#readers], () => this.#queue.size, this.reading);
  }

  async transact<T>(action: (tx: Writing) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (this.#isClosed) throw new Error('the store is closed');
    const running = this.#locked.run(options.locks?.at(-1), () =>
      this.#queue.add(() => this.#transact(action, options)),
    );
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #transact<T>(action: (tx: Writing) => Promise<T>, options: TransactionOptions): Promise<T> {
    const from = monotonicMs();
    for (let times = 1; ; times++) {
      const outcome = await this.#try(action, options);
      if (outcome.ok) {
        this.#announce(outcome.announce);
        return outcome.value;
      }
      const tried = { times, ms: monotonicMs() - from };
      // Calls in hand are finished before the engine closes; those that wait for a database that is away are not.
      const isOver = this.#isClosed && isAway(outcome.cause);
      if (isOver || !canTryAgain(outcome.cause, tried)) throw explainFailure(outcome.error);
      this.#retries += 1;
      await pause(((freshBytes(1)[0] ?? 0) / 256) * Math.min(MAX_PAUSE_MS, 2 ** times));
    }
  }

  async ping(): Promise<void> {
    await this.transact((tx) => tx.run(PROBE, {}));
  }

  /** Does nothing: the database's own vacuum gives space back. */
  async giveBack(): Promise<number> {
    return 0;
  }

  /** Does nothing: the database's own vacuum compacts. */
  async compact(): Promise<void> {}

  stats(): EngineStats {
    return { commits: this.#commits, transactions: this.#commits, retries: this.#retries };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    // A pool waits for the connections that are in use.
    await Promise.all([this.#writers.end(), this.#readers.end()]);
  }

  async #try<T>(action: (tx: Writing) => Promise<T>, options: TransactionOptions): Promise<Outcome<T>> {
    try {
      return await withConnection(this.#writers, async (client) => {
        const tx = new PostgresTransaction(client, this.#names, options);
        const value = await this.#run(tx, action);
        return { value, isBroken: isAway(tx.failure) };
      });
    } catch (error) {
      return { ok: false, error, cause: undefined };
    }
  }

  async #run<T>(tx: PostgresTransaction, action: (tx: Writing) => Promise<T>): Promise<Outcome<T>> {
    try {
      tx.lock();
      const value = await action(tx);
      await tx.commit();
      this.#commits += 1;
      return { ok: true, value, announce: () => tx.announceCommit() };
    } catch (error) {
      const isLost = tx.isCommitting && isAway(tx.failure);
      await tx.rollBack();
      // Whoever caught a failure of the database has carried on with a transaction that is none any more.
      return { ok: false, error: isLost ? tx.failure : error, cause: isLost ? undefined : tx.failure };
    }
  }

  /** Tells the listeners of a commit; one that fails takes nothing back, as the effects are on disk. */
  #announce(announce: () => void): void {
    try {
      announce();
    } catch (error) {
      this.#log.error({ err: error }, 'a listener to a commit failed');
    }
  }
}

type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly announce: () => void }
  | {
      readonly ok: false;
      readonly error: unknown;
      /** What the database said, by which the transaction may be tried again; undefined where it may not. */
      readonly cause: unknown;
    };

/** Returns the address of a database without its credentials. */
function labelOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** Returns why a database cannot be opened, with what to do where that is clear. */
function explainFailedStart(url: string, error: unknown): unknown {
  const why = error instanceof Error ? error.message : String(error);
  const remedy = findRemedy(error);
  if (remedy !== undefined)
    return new FileProblem(labelOf(url), `the database refuses this process: ${why}`, { fix: remedy });
  if (!isUnavailable(error)) return error;
  return new FileProblem(labelOf(url), `the database cannot be reached: ${why}`, {
    fix: isFull(error) ? FREE_CONNECTIONS : CHECK_ADDRESS,
  });
}

const CHECK_ADDRESS = 'Start it, and see that the address, the user, the password and TLS in the URL are right.';
const FREE_CONNECTIONS =
  'Raise max_connections, or the limit of the user or database: each process has up to 16 connections, and one more as it starts.';
