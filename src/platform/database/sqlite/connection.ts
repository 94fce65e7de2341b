import Libsql from 'libsql';

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
    return remembered(this.#prepared, sql, () => this.#database.prepare(sql));
  }

  /** Returns the compiled statement, whose rows are lists of their values. */
  prepareValues(sql: string): Prepared {
    return remembered(this.#preparedValues, sql, () => this.#database.prepare(sql).raw(true));
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

function remembered(statements: Map<string, Prepared>, sql: string, compile: () => Prepared): Prepared {
  const cached = statements.get(sql);
  if (cached !== undefined) return cached;
  const prepared = compile();
  if (statements.size >= MAX_PREPARED_STATEMENTS) statements.clear();
  statements.set(sql, prepared);
  return prepared;
}
