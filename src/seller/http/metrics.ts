import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { DatabaseUnavailable } from '../../platform/database/unavailable.js';
import { SECOND_MS } from '../../platform/kernel/clock.js';
import type { App } from '../context.js';

/** The metrics of the process as a scraper reads them. */
export type Metrics = () => Promise<{ readonly contentType: string; readonly text: string }>;

/** One gauge: read when it is asked for, with the few labels that it ever has. */
type Row = {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly read: (app: App) => Promise<readonly (readonly [value: number, label?: string])[]>;
};

/** Everything that is measured. No label names a buyer, a buy or a host of theirs. */
const ROWS: readonly Row[] = [
  // First, so that what the others ask the database is not counted.
  {
    name: 'seller_agent_database_connections',
    help: 'Connections of the process to its database server; waiting counts what waits for one.',
    label: 'state',
    read: async (app) => {
      const { idle, inUse, waiting } = app.store.figures?.connections() ?? {};
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
    name: 'seller_agent_tenants',
    help: 'Tenants that are served.',
    read: async (app) => [[app.sellers().size]],
  },
  {
    name: 'seller_agent_store_transactions',
    help: 'Transactions that the store has carried out since the start.',
    read: async (app) => [[app.store.stats().transactions]],
  },
  {
    name: 'seller_agent_store_commits',
    help: 'Commits of the store since the start; several transactions may share one.',
    read: async (app) => [[app.store.stats().commits]],
  },
  {
    name: 'seller_agent_webhooks',
    help: 'Webhooks by state: pending ones are still sent, dead ones were given up on.',
    label: 'state',
    read: async (app) => {
      const { dead, pending } = await app.store.read.webhookLog.backlog();
      return [
        [pending, 'pending'],
        [dead, 'dead'],
      ];
    },
  },
  {
    name: 'seller_agent_webhook_oldest_pending_seconds',
    help: 'Age of the oldest webhook that is still sent; 0 without one.',
    read: async (app) => {
      const { oldestPendingAt } = await app.store.read.webhookLog.backlog();
      return [[oldestPendingAt === undefined ? 0 : Math.max(0, app.clock.now() - oldestPendingAt) / SECOND_MS]];
    },
  },
  {
    name: 'seller_agent_tasks_waiting',
    help: 'Tasks that a person has to decide about.',
    label: 'task_type',
    read: async (app) =>
      (await app.store.read.tasks.countWaiting()).map(({ task_type, total }) => [total, task_type] as const),
  },
  {
    name: 'seller_agent_database_oldest_xmin_age',
    help: 'Transactions since the oldest state of the data that somebody may still read; vacuum clears nothing younger.',
    read: async (app) => (app.store.figures === undefined ? [] : [[await app.store.figures.oldestXminAge()]]),
  },
  {
    name: 'seller_agent_database_dead_rows',
    help: 'Rows of the hot tables that were deleted or replaced and wait for vacuum.',
    label: 'table',
    read: async (app) => (await app.store.hotTables()).map(({ deadRows, name }) => [deadRows, name] as const),
  },
  {
    name: 'seller_agent_database_vacuumed_seconds',
    help: 'Seconds since a hot table was vacuumed; absent before it ever was.',
    label: 'table',
    read: async (app) =>
      (await app.store.hotTables()).flatMap(({ name, vacuumedSecondsAgo: age }) =>
        age === undefined ? [] : [[age, name] as const],
      ),
  },
  {
    name: 'seller_agent_registry_lag_seconds',
    help: 'How far the copy of the registry is behind; absent without one, or before it was in step once.',
    read: async (app) => {
      const lag = app.registry.report()?.lag_seconds ?? undefined;
      return lag === undefined ? [] : [[lag]];
    },
  },
  {
    name: 'seller_agent_unauthorized_products',
    help: 'Products whose publisher does not authorize the agent that sells them; absent before they were judged.',
    read: async (app) => {
      const count = app.registry.report()?.unauthorized_products ?? undefined;
      return count === undefined ? [] : [[count]];
    },
  },
];

/** What cannot be read while the database is away is absent; the rest is told. */
async function readOrNone(read: Row['read'], app: App): ReturnType<Row['read']> {
  try {
    return await read(app);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return [];
    throw error;
  }
}

/** The metrics of an app beside those of the process, in the text format of Prometheus. */
export function createMetrics(app: App): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { help, label, name, read } of ROWS) {
    new Gauge({
      name,
      help,
      registers: [registry],
      labelNames: label === undefined ? [] : [label],
      async collect() {
        const values = await readOrNone(read, app);
        this.reset();
        // A gauge without labels shows 0 after a reset.
        if (label === undefined) this.remove();
        for (const [value, named] of values) {
          if (label === undefined || named === undefined) this.set(value);
          else this.set({ [label]: named }, value);
        }
      },
    });
  }
  return async () => ({ contentType: registry.contentType, text: await registry.metrics() });
}
