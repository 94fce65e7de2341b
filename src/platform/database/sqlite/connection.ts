import Libsql from 'libsql';
import type { DirectReading, Reading, Writing } from '../engine.js';
import { bindParameters, type Statement } from '../statement.js';
import type { Scans } from './scans.js';

type Prepared = {
  run(values: readonly unknown[]): { changes: number };
  get(values: readonly unknown[]): unknown;
  all(values: readonly unknown[]): unknown[];
};

/** Queries shaped by a request come in endless variety; only so many stay compiled. */
const MAX_PREPARED_STATEMENTS = 500;

/** A connection to one SQLite file that compiles each SQL text once. */
export class Connection {
  readonly #database: Libsql.Database;
  readonly #prepared = new Map<string, Prepared>();
  readonly #preparedValues = new Map<string, Prepared>();

  constructor(file: string, pragmas: readonly string[]) {
    this.#database = new Libsql(file, { timeout: 5000 });
    for (const pragma of pragmas) this.#database.prepare(pragma).all();
  }

  /** Returns the compiled statement. Its values are given as one list, so that they are bound without being copied. */
  prepare(sql: string): Prepared {
    return cacheStatement(this.#prepared, sql, () => this.#database.prepare(sql));
  }

  /** Returns the compiled statement, whose rows are lists of their values. */
  prepareValues(sql: string): Prepared {
    return cacheStatement(this.#preparedValues, sql, () => this.#database.prepare(sql).raw(true));
  }

  /** Runs SQL that returns nothing. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Closes the file. */
  close(): void {
    this.#database.close();
  }
}

function cacheStatement(statements: Map<string, Prepared>, sql: string, compile: () => Prepared): Prepared {
  const cached = statements.get(sql);
  if (cached !== undefined) return cached;
  const prepared = compile();
  if (statements.size >= MAX_PREPARED_STATEMENTS) statements.clear();
  statements.set(sql, prepared);
  return prepared;
}

/** Runs reading statements on a connection, and answers at once. */
export class SqliteDirectReading implements DirectReading {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  one<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Row | undefined {
    return this.#connection.prepare(statement.sql).get(bindParameters(statement, params)) as Row | undefined;
  }

  all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Row[] {
    return this.#connection.prepare(statement.sql).all(bindParameters(statement, params)) as Row[];
  }

  values<Params extends object>(statement: Statement<Params, unknown>, params: Params): readonly unknown[] | undefined {
    const row = this.#connection.prepareValues(statement.sql).get(bindParameters(statement, params));
    return row as readonly unknown[] | undefined;
  }
}

/** Runs reading statements on a connection, as part of a transaction where one is open. */
abstract class ConnectionReading {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async one<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return this.#connection.prepare(statement.sql).get(bindParameters(statement, params)) as Row | undefined;
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    return this.#connection.prepare(statement.sql).all(bindParameters(statement, params)) as Row[];
  }
}

/** Runs reading statements on a connection, and long ones beside the event loop. */
export class SqliteReading extends ConnectionReading implements Reading {
  readonly #scans: Scans;

  constructor(connection: Connection, scans: Scans) {
    super(connection);
    this.#scans = scans;
  }

  async scan<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    return (await this.#scans.all(statement.sql, bindParameters(statement, params))) as Row[];
  }
}

/** Runs the statements of the transaction that is open on a connection, and remembers who waits for its commit. */
export class SqliteWriting extends ConnectionReading implements Writing {
  /** There is one transaction at a time. */
  readonly ahead: Reading = this;
  readonly #connection: Connection;
  #writes = 0;
  #changedRows = 0;
  #listeners: (() => void)[] = [];

  constructor(connection: Connection) {
    super(connection);
    this.#connection = connection;
  }

  /** Returns how many writing statements ran so far. */
  get writes(): number {
    return this.#writes;
  }

  /** Returns how many rows were changed so far. */
  get changedRows(): number {
    return this.#changedRows;
  }

  /** Reads within the transaction, which sees its own writes. */
  scan<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    return this.all(statement, params);
  }

  async run<Params extends object>(statement: Statement<Params, unknown>, params: Params): Promise<number> {
    return this.#run(statement, params);
  }

  write<Params extends object>(statement: Statement<Params, unknown>, params: Params): void {
    this.#run(statement, params);
  }

  /** Cuts at most so many free pages off the end of the file; returns how many. */
  giveBack(pages: number): number {
    // A pragma takes no parameters. It returns a row for each page, which counts as a changed row of its own.
    const given = this.#connection.prepare(`PRAGMA incremental_vacuum(${pages})`).all([]).length;
    this.#writes += 1;
    this.#changedRows += given;
    return given;
  }

  #run<Params extends object>(statement: Statement<Params, unknown>, params: Params): number {
    this.#writes += 1;
    const { changes } = this.#connection.prepare(statement.sql).run(bindParameters(statement, params));
    this.#changedRows += changes;
    return changes;
  }

  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async rehearse<T>(action: () => Promise<T>, isCommitted: (outcome: T) => boolean = () => false): Promise<T> {
    const writes = this.#writes;
    let hasCommit = false;
    const undo = this.savepoint('rehearsal');
    try {
      const outcome = await action();
      hasCommit = isCommitted(outcome);
      return outcome;
    } finally {
      if (!hasCommit) {
        undo();
        this.#writes = writes;
      }
      this.release('rehearsal');
    }
  }

  /** Marks the state of the transaction; returns how to come back to it. */
  savepoint(name: string): () => void {
    const listeners = this.#listeners.length;
    this.#connection.exec(`SAVEPOINT ${name}`);
    return () => {
      this.#connection.exec(`ROLLBACK TO ${name}`);
      this.#listeners.length = listeners;
    };
  }

  /** Ends a savepoint. */
  release(name: string): void {
    this.#connection.exec(`RELEASE ${name}`);
  }

  /** Begins a transaction that nobody waits for yet. */
  begin(): void {
    this.#listeners = [];
    this.#connection.exec('BEGIN IMMEDIATE');
  }

  /** Puts the transaction on disk. */
  commit(): void {
    this.#connection.exec('COMMIT');
  }

  /** Undoes the transaction, unless the statement that failed has ended it already. */
  rollback(): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // There is no transaction any more.
    }
  }

  /** Calls everybody who waits for the commit. */
  announceCommit(): void {
    for (const listener of this.#listeners) listener();
  }
}
