import { type Compilable, sql } from '../../../platform/database/kysely.js';
import { plainSql } from '../../../platform/database/migrations.js';
import type { EngineName } from '../../../platform/database/statement.js';

/** Returns what ends a table of SQLite that is one index, and nothing for PostgreSQL. */
export function withoutRowid(engine: EngineName) {
  return engine === 'sqlite' ? sql`without rowid` : sql``;
}

/** Returns a step for rows of earlier versions; a PostgreSQL database has none, it was empty before its first migration. */
export function ofEarlierRows(engine: EngineName, text: string): readonly Compilable[] {
  return engine === 'sqlite' ? [plainSql(text)] : [];
}
