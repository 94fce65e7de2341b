import type { DatabaseFigures, EngineStats, TableFigures } from '../database/engine.js';
import { type MetricRow, valueOrNone } from './metrics.js';

/** A store as far as it is measured. */
type MeasuredStore = {
  readonly stats: () => EngineStats;
  /** Of a database server; a file has none. */
  readonly figures: DatabaseFigures | undefined;
  /** Returns the figures of the tables whose rows change and go soonest; none of a file. */
  readonly hotTables: () => Promise<readonly TableFigures[]>;
};

/** Returns what is measured of a store; of a file nothing of connections, vacuum and what is read. */
export function storeMetrics(store: MeasuredStore): readonly MetricRow[] {
  return [
    // First, so that what the others ask the database is not counted.
    {
      name: 'seller_agent_database_connections',
      help: 'Connections of the process to its database server; waiting counts what waits for one.',
      label: 'state',
      read: async () => {
        const { idle, inUse, waiting } = store.figures?.connections() ?? {};
        return inUse === undefined
          ? []
          : [
              [inUse, 'in_use'],
              [idle ?? 0, 'idle'],
              [waiting ?? 0, 'waiting'],
            ];
      },
    },
    {
      name: 'seller_agent_store_transactions_total',
      type: 'counter',
      help: 'Transactions that the store has carried out since the start.',
      read: async () => [[store.stats().transactions]],
    },
    {
      name: 'seller_agent_store_commits_total',
      type: 'counter',
      help: 'Commits of the store since the start; several transactions may share one.',
      read: async () => [[store.stats().commits]],
    },
    {
      name: 'seller_agent_store_retries_total',
      type: 'counter',
      help: 'Transactions since the start that were run again, since another one had changed what they rest on.',
      read: async () => [[store.stats().retries]],
    },
    {
      name: 'seller_agent_database_oldest_xmin_age',
      help: 'Transactions since the oldest state of the data that somebody may still read; vacuum clears nothing younger.',
      read: async () => valueOrNone(await store.figures?.oldestXminAge()),
    },
    {
      name: 'seller_agent_database_dead_rows',
      help: 'Rows of the hot tables that were deleted or replaced and wait for vacuum.',
      label: 'table',
      read: async () => (await store.hotTables()).map(({ deadRows, name }) => [deadRows, name] as const),
    },
    {
      name: 'seller_agent_database_vacuumed_seconds',
      help: 'Seconds since a hot table was vacuumed; absent before it ever was.',
      label: 'table',
      read: async () =>
        (await store.hotTables()).flatMap(({ name, vacuumedSecondsAgo: age }) =>
          age === undefined ? [] : [[age, name] as const],
        ),
    },
  ];
}
