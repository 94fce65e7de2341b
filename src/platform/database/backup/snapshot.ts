import { closeSync, openSync, readSync, statSync } from 'node:fs';
import Libsql from 'libsql';

/** The content of a database file, in figures: its id, the migrations that it has had, and the rows of each table. */
export type DatabaseFigures = {
  /** Empty of a database that has none. */
  readonly id: string;
  readonly migrations: number;
  readonly rows: Readonly<Record<string, number>>;
};

const MAGIC = 'SQLite format 3\0';

/** Whether a file is an SQLite database. */
export function isDatabase(file: string): boolean {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < MAGIC.length) return false;
  const bytes = Buffer.alloc(MAGIC.length);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(handle);
  }
  return bytes.toString('latin1') === MAGIC;
}

/**
 * Writes a copy of a database as of one moment to a file that is not there yet, also while another process writes to it: all that was
 * committed when the copy began is in it, and nobody waits for it. The copy has no free pages and no log.
 */
export function copyDatabase(file: string, copy: string): void {
  const database = new Libsql(file, { timeout: 5000 });
  try {
    database.prepare('PRAGMA auto_vacuum=2').all();
    database.prepare('VACUUM INTO ?').run([copy]);
  } finally {
    database.close();
  }
}

/** Returns what is wrong with a database file that nobody writes to, every page of it read; undefined when it is sound. */
export function findDamage(file: string): string | undefined {
  try {
    const database = new Libsql(file, { readonly: true });
    try {
      const [first] = database.prepare('PRAGMA integrity_check(1)').all([]) as { integrity_check: string }[];
      return first?.integrity_check === 'ok' ? undefined : (first?.integrity_check ?? 'it cannot be checked');
    } finally {
      database.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns the figures of a database file that nobody writes to. */
export function readFigures(file: string): DatabaseFigures {
  const database = new Libsql(file, { readonly: true });
  const one = (sql: string): Record<string, unknown> =>
    (database.prepare(sql).get([]) ?? {}) as Record<string, unknown>;
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .all([]) as { name: string }[];
    const names = new Set(tables.map(({ name }) => name));
    return {
      id: names.has('identity') ? String(one('SELECT id FROM identity').id ?? '') : '',
      migrations: names.has('migration') ? Number(one('SELECT count(*) AS count FROM migration').count) : 0,
      rows: Object.fromEntries(
        [...names].map((name) => [name, Number(one(`SELECT count(*) AS count FROM "${name}"`).count)]),
      ),
    };
  } finally {
    database.close();
  }
}
