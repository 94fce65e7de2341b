import type pg from 'pg';
import { SECOND_MS } from '../../kernel/clock.js';
import type { DatabaseFigures, Reading, TableFigures } from '../engine.js';
import { sql } from '../kysely.js';
import { createBuilder, createPrepare, type Statement } from '../statement.js';

/** The part of a pool that is counted. */
type CountedPool = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

/** Returns what is measured of a database server and of this process's connections to it; `waiting` counts what waits for one. */
export function openFigures(pools: readonly CountedPool[], waiting: () => number, reading: Reading): DatabaseFigures {
  const sum = (read: (pool: CountedPool) => number): number => pools.reduce((total, pool) => total + read(pool), 0);
  return {
    connections: () => ({
      inUse: sum(({ totalCount, idleCount }) => totalCount - idleCount),
      idle: sum(({ idleCount }) => idleCount),
      waiting: sum(({ waitingCount }) => waitingCount) + waiting(),
    }),
    oldestXminAge: async () => (await reading.one(OLDEST_XMIN, {}))?.age ?? 0,
    tables: async (names) => (await reading.all(TABLES, { names: [...names] })).map(toTableFigures),
  };
}

/** The oldest state of the data that somebody may still read, in transactions since: vacuum takes away nothing that is younger. */
const OLDEST_XMIN: Statement<object, { age: number | null }> = {
  sql: `SELECT max(age(xmin))::bigint AS age FROM (
    SELECT backend_xmin AS xmin FROM pg_stat_activity WHERE pid <> pg_backend_pid()
    UNION ALL SELECT xmin FROM pg_replication_slots
    UNION ALL SELECT transaction FROM pg_prepared_xacts) AS held`,
  parameters: [],
};

type TableRow = { name: string; live: number; dead: number; vacuumed_ms_ago: number | null };

const TABLES = createPrepare(createBuilder<unknown>('postgres'))<{ names: readonly string[] }, TableRow>(
  (db, slot) => ({
    compile: () =>
      sql<TableRow>`SELECT relname AS name, n_live_tup AS live, n_dead_tup AS dead,
        (extract(epoch from clock_timestamp() - greatest(last_vacuum, last_autovacuum)) * 1000)::bigint AS vacuumed_ms_ago
      FROM pg_stat_user_tables WHERE schemaname = current_schema() AND relname = ANY (${slot('names')}::text[])`.compile(
        db,
      ),
  }),
);

function toTableFigures({ dead, live, name, vacuumed_ms_ago }: TableRow): TableFigures {
  const vacuumedSecondsAgo = vacuumed_ms_ago === null ? undefined : vacuumed_ms_ago / SECOND_MS;
  return { name, liveRows: live, deadRows: dead, vacuumedSecondsAgo };
}
