import { type MetricRow, valueOrNone } from '../../platform/health/metrics.js';
import { storeMetrics } from '../../platform/health/store-metrics.js';
import { SECOND_MS } from '../../platform/kernel/clock.js';
import type { App } from '../context.js';

/** Returns everything that is measured of a seller. No label names a buyer, a buy or a host of theirs. */
export function sellerMetrics({ clock, registry, sellers, store }: App): readonly MetricRow[] {
  return [
    ...storeMetrics(store),
    {
      name: 'seller_agent_tenants',
      help: 'Tenants that are served.',
      read: async () => [[sellers().size]],
    },
    {
      name: 'seller_agent_webhooks',
      help: 'Webhooks by state: pending ones are still sent, dead ones were given up on.',
      label: 'state',
      read: async () => {
        const { dead, pending } = await store.read.webhookLog.backlog();
        return [
          [pending, 'pending'],
          [dead, 'dead'],
        ];
      },
    },
    {
      name: 'seller_agent_webhook_oldest_pending_seconds',
      help: 'Age of the oldest webhook that is still sent; 0 without one.',
      read: async () => {
        const { oldestPendingAt } = await store.read.webhookLog.backlog();
        return [[oldestPendingAt === undefined ? 0 : Math.max(0, clock.now() - oldestPendingAt) / SECOND_MS]];
      },
    },
    {
      name: 'seller_agent_tasks_waiting',
      help: 'Tasks that a person has to decide about.',
      label: 'task_type',
      read: async () =>
        (await store.read.tasks.countWaiting()).map(({ task_type, total }) => [total, task_type] as const),
    },
    {
      name: 'seller_agent_registry_lag_seconds',
      help: 'How far the copy of the registry is behind; absent without one, or before it was in step once.',
      read: async () => valueOrNone(registry.report()?.lag_seconds),
    },
    {
      name: 'seller_agent_unauthorized_products',
      help: 'Products whose publisher does not authorize the agent that sells them; absent before they were judged.',
      read: async () => valueOrNone(registry.report()?.unauthorized_products),
    },
  ];
}
