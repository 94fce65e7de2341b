import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/platform/database/engine.js';
import { openPostgres } from '../../src/platform/database/postgres/postgres.js';
import { openSqlite } from '../../src/platform/database/sqlite/sqlite.js';
import { createLog } from '../../src/platform/kernel/log.js';
import { migrationsOf } from '../kit/migrations.mjs';
import { freshDatabase } from '../kit/postgres.js';
import { startNode } from '../kit/process.js';
import { temporaryFolder } from '../kit/surroundings.js';

const SCRIPT = fileURLToPath(new URL('../kit/migrating-process.mjs', import.meta.url));
/** Far more than are written before the process is killed, and few. */
const [MANY, FEW] = [1_000_000_000, 3];
/** A log of this size shows that the migration is in the middle of its rows. */
const BEGUN_BYTES = 8 * 1024 * 1024;
const log = createLog('silent');

/** What the tests need of an engine: a new database, whether the second migration is under way, and how the next start opens it. */
type Case = {
  readonly name: string;
  readonly make: () => Promise<string>;
  readonly hasBegun: (store: string) => Promise<boolean>;
  readonly open: (store: string, migrations: ReturnType<typeof migrationsOf>) => Promise<Engine<unknown>>;
};

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows;
}

const CASES: readonly Case[] = [
  {
    name: 'SQLite',
    make: async () => path.join(temporaryFolder(), 'some.db'),
    hasBegun: async (file) => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > BEGUN_BYTES,
    open: async (file, migrations) => openSqlite(file, { migrations }),
  },
  {
    name: 'PostgreSQL',
    make: freshDatabase,
    hasBegun: async (url) => {
      const running = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'INSERT INTO filled%'`;
      return (await query(url, running)).length > 0;
    },
    open: (url, migrations) => openPostgres(url, { migrations, log }),
  },
];

const readAll = async (engine: Engine<unknown>, sql: string): Promise<readonly object[]> =>
  engine.reading.all<object, object>({ sql, parameters: [] }, {});

describe.each(CASES)('a process that is killed while it migrates a database of $name', ({ make, hasBegun, open }) => {
  it('has changed nothing of what it was at, and the next start goes on from there', async () => {
    const store = await make();
    expect((await startNode([SCRIPT, store, 'first']).finished).stdout).toBe('open\n');
    const { child, finished } = startNode([SCRIPT, store, `${MANY}`]);
    await expect.poll(() => hasBegun(store), { interval: 5 }).toBe(true);
    child.kill('SIGKILL');
    expect((await finished).stdout).toBe('');

    // The version before still finds what it knows.
    const before = await open(store, migrationsOf(FEW).slice(0, 1));
    expect(await readAll(before, 'SELECT * FROM note')).toEqual([{ id: 1, text: 'written by the version before' }]);
    await before.close();

    const next = await open(store, migrationsOf(FEW));
    expect(await readAll(next, 'SELECT * FROM note')).toEqual([
      { id: 1, text: 'written by the version before', tag: 'filled' },
    ]);
    expect(await readAll(next, 'SELECT n FROM filled ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await readAll(next, 'SELECT number FROM migration ORDER BY number')).toEqual([
      { number: 1 },
      { number: 2 },
      { number: 3 },
    ]);
    await next.close();
    await expect(open(store, migrationsOf(FEW).slice(0, 2))).rejects.toThrow('written by a newer version');
  });
});
