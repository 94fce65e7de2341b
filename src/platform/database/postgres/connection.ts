import { createHash } from 'node:crypto';
import type { QueryConfig, QueryResult } from 'pg';
import { monotonicMs } from '../../kernel/clock.js';
import type { Reading } from '../engine.js';
import { bindParameters, type Statement } from '../statement.js';
import { DatabaseUnavailable, LockTimeout } from '../unavailable.js';
import { canTryAgain, isLockTimeout, isUnavailable } from './errors.js';

/** A connection or a pool, which runs a statement. */
type Runner = { query(query: QueryConfig): Promise<QueryResult> };

/** Queries shaped by a request come in endless variety; only so many stay compiled on a connection. */
const MAX_NAMED_STATEMENTS = 500;

/** The names under which connections keep statements compiled, by their SQL. */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** Returns what a statement is run by. One too many has no name, and is compiled at each run. */
  bind<Params extends object>(statement: Statement<Params, unknown>, params: Params): QueryConfig {
    const { sql: text } = statement;
    return { name: this.#find(text), text, values: bindParameters(statement, params) };
  }

  #find(sql: string): string | undefined {
    const cached = this.#names.get(sql);
    if (cached !== undefined) return cached;
    if (this.#names.size >= MAX_NAMED_STATEMENTS) return undefined;
    const name = createHash('sha256').update(sql).digest('hex').slice(0, 32);
    this.#names.set(sql, name);
    return name;
  }
}

/** Runs reading statements beside transactions, each on a connection of the pool. Throws DatabaseUnavailable and LockTimeout. */
export class PostgresReading implements Reading {
  readonly #pool: Runner;
  readonly #names: StatementNames;

  constructor(pool: Runner, names: StatementNames) {
    this.#pool = pool;
    this.#names = names;
  }

  async one<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return (await this.all(statement, params))[0];
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    const query = this.#names.bind(statement, params);
    const from = monotonicMs();
    for (let times = 1; ; times++) {
      try {
        return (await this.#pool.query(query)).rows as Row[];
      } catch (error) {
        if (isLockTimeout(error)) throw new LockTimeout(undefined, error);
        if (!isUnavailable(error)) throw error;
        if (!canTryAgain(error, { times, ms: monotonicMs() - from }))
          throw new DatabaseUnavailable('the database cannot be read', { cause: error });
      }
    }
  }

  /** Reads in place: the database works beside this process. */
  scan<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    return this.all(statement, params);
  }
}
