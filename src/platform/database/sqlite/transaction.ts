import type { DirectReading, Reading, Writing } from '../engine.js';
import { bindParameters, type Statement } from '../statement.js';
import type { Connection } from './connection.js';

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

/** Runs reading statements on a connection. */
export class SqliteReading implements Reading {
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

/** Runs the statements of the transaction that is open on a connection, and remembers who waits for its commit. */
export class SqliteWriting extends SqliteReading implements Writing {
  readonly #connection: Connection;
  #writes = 0;
  #listeners: (() => void)[] = [];

  constructor(connection: Connection) {
    super(connection);
    this.#connection = connection;
  }

  /** Returns how many writing statements ran so far. */
  get writes(): number {
    return this.#writes;
  }

  async run<Params extends object>(statement: Statement<Params, unknown>, params: Params): Promise<number> {
    this.#writes += 1;
    return this.#connection.prepare(statement.sql).run(bindParameters(statement, params)).changes;
  }

  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async rehearse<T>(action: () => Promise<T>, isKept: (outcome: T) => boolean = () => false): Promise<T> {
    const writes = this.#writes;
    let keeps = false;
    const undo = this.savepoint('rehearsal');
    try {
      const outcome = await action();
      keeps = isKept(outcome);
      return outcome;
    } finally {
      if (!keeps) {
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
