import AsyncLibsql from 'libsql/promise';

/** Reads one SQLite file in a thread of the library, so that looking at very many rows does not hold the event loop. */
export class Scans {
  readonly #file: string;
  #opened: Promise<AsyncLibsql> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns all rows of a statement that only reads. */
  async all(sql: string, values: readonly unknown[]): Promise<unknown[]> {
    const database = await this.#open();
    const statement = await database.prepare(sql);
    return statement.all(values);
  }

  /** Closes the connection, if there was any. */
  async close(): Promise<void> {
    const database = await this.#opened;
    database?.close();
  }

  #open(): Promise<AsyncLibsql> {
    this.#opened ??= openForReading(this.#file);
    return this.#opened;
  }
}

async function openForReading(file: string): Promise<AsyncLibsql> {
  const database = new AsyncLibsql(file, { timeout: 5000 });
  const readOnly = await database.prepare('PRAGMA query_only=ON');
  await readOnly.all([]);
  return database;
}
