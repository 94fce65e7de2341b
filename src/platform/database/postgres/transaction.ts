import type { QueryConfig, QueryResult } from 'pg';
import type { Isolation, Reading, TransactionOptions, Writing } from '../engine.js';
import type { Statement } from '../statement.js';
import { DatabaseUnavailable, LockTimeout } from '../unavailable.js';
import type { StatementNames } from './connection.js';
import { isLockTimeout, isUnavailable } from './errors.js';
import { SILENCE_MS } from './pool.js';

/** A connection whose statements are sent without waiting for the answers to those before. */
type PipelinedClient = {
  query(query: QueryConfig | string, callback: (error: Error | null, result: QueryResult) => void): void;
};

const BEGIN: Readonly<Record<Isolation, string>> = {
  serializable: 'BEGIN ISOLATION LEVEL SERIALIZABLE',
  rows: 'BEGIN ISOLATION LEVEL READ COMMITTED',
};

/** A lock by name in the schema that the connection works in: other schemas of the database are other stores. */
const LOCK_NAME = `hashtextextended(current_schema() || ' ' || $1, 0)`;
/**
 * Locks are of the connection, so that the transaction's snapshot is taken once they are had. Between them and the transaction the database
 * ends a connection that says nothing, as it does within a transaction: a process that stops there would else keep its locks.
 */
const LOCK = {
  name: 'lock',
  text: `SELECT set_config('idle_session_timeout', '${SILENCE_MS}', false), pg_advisory_lock(${LOCK_NAME})`,
};
const UNLOCK = {
  name: 'unlock',
  text: `SELECT pg_advisory_unlock_all(), set_config('idle_session_timeout', NULL, false)`,
};

/**
 * One transaction on a connection. What nobody waits for is sent along with what comes next: a transaction waits for the database only as
 * often as it reads.
 */
export class PostgresTransaction implements Writing {
  readonly ahead: Reading;
  readonly #client: PipelinedClient;
  readonly #names: StatementNames;
  readonly #locks: readonly string[];
  readonly #isolation: Isolation;
  readonly #listeners: (() => void)[] = [];
  #failure: Error | undefined;
  #hasBegun = false;
  #isCommitting = false;

  /** `locks` are held from before the transaction begins, so that it sees what their last holder has committed. */
  constructor(
    client: PipelinedClient,
    names: StatementNames,
    { locks = [], isolation = 'serializable' }: TransactionOptions,
  ) {
    this.#client = client;
    this.#names = names;
    this.#locks = locks;
    this.#isolation = isolation;
    const all = async <Params extends object, Row>(statement: Statement<Params, Row>, params: Params) =>
      (await this.#answer(names.bind(statement, params))).rows as Row[];
    this.ahead = { all, scan: all, one: async (statement, params) => (await all(statement, params))[0] };
  }

  /** Returns the first error of the database, whatever became of it above. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Whether the transaction may be committed though its answer was lost. */
  get isCommitting(): boolean {
    return this.#isCommitting;
  }

  /** Takes the locks; the transaction begins with its first statement. */
  lock(): void {
    for (const lock of this.#locks) this.#client.query({ ...LOCK, values: [lock] }, (error) => this.#note(error, lock));
  }

  async one<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return (await this.all(statement, params))[0];
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    return (await this.#send(this.#names.bind(statement, params))).rows as Row[];
  }

  /** Reads within the transaction, which sees its own writes. */
  scan<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    return this.all(statement, params);
  }

  async run<Params extends object>(statement: Statement<Params, unknown>, params: Params): Promise<number> {
    return (await this.#send(this.#names.bind(statement, params))).rowCount ?? 0;
  }

  write<Params extends object>(statement: Statement<Params, unknown>, params: Params): void {
    this.#post(this.#names.bind(statement, params));
  }

  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async rehearse<T>(action: () => Promise<T>, needsCommit: (outcome: T) => boolean = () => false): Promise<T> {
    const listeners = this.#listeners.length;
    let isCommitted = false;
    this.#post('SAVEPOINT rehearsal');
    try {
      const outcome = await action();
      isCommitted = needsCommit(outcome);
      return outcome;
    } finally {
      if (!isCommitted) {
        this.#listeners.length = listeners;
        this.#post('ROLLBACK TO rehearsal');
      }
      // What failed in it is known before anything is committed.
      await this.#send('RELEASE rehearsal');
    }
  }

  /** Commits, and gives the locks back. Throws what any statement failed of; then nothing was done. */
  async commit(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#hasBegun) return this.#unlock();
    this.#isCommitting = true;
    const answer = this.#answer('COMMIT');
    this.#unlock();
    const { command } = await answer;
    if (command !== 'COMMIT') throw new Error(`the transaction ended in ${command}`);
  }

  /** Undoes everything, and gives the locks back. */
  async rollBack(): Promise<void> {
    // Where nothing has begun, the database answers with a warning.
    await new Promise<void>((resolve) => {
      this.#client.query('ROLLBACK', (error) => {
        if (error !== null) this.#failure ??= error;
        resolve();
      });
      this.#unlock();
    });
  }

  /** Calls everybody who waits for the commit. */
  announceCommit(): void {
    for (const listener of this.#listeners) listener();
  }

  #unlock(): void {
    if (this.#locks.length > 0) this.#client.query(UNLOCK, () => undefined);
  }

  /** Sends a statement of the transaction and returns its answer. */
  #send(query: QueryConfig | string): Promise<QueryResult> {
    this.#begin();
    return this.#answer(query);
  }

  /** Sends a statement of the transaction that nobody waits for: what it fails of, the next one that is waited for fails of. */
  #post(query: QueryConfig | string): void {
    this.#begin();
    this.#client.query(query, (error) => this.#note(error));
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#client.query(BEGIN[this.#isolation], (error) => this.#note(error));
  }

  /** Answers come in the order in which statements were sent, so a failure before this one is known by then. */
  #answer(query: QueryConfig | string): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      this.#client.query(query, (error, result) => {
        this.#note(error);
        if (this.#failure === undefined) resolve(result);
        else reject(this.#failure);
      });
    });
  }

  #note(error: Error | null, lock?: string): void {
    if (error !== null) this.#failure ??= isLockTimeout(error) ? new LockTimeout(lock, error) : error;
  }
}

/** Returns an error of a transaction as the engine's callers know it. */
export function explainFailure(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new DatabaseUnavailable('the database cannot be written', { cause: error });
}
