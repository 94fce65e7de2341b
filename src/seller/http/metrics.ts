import { type MetricRow, valueOrNone } from '../../platform/health/metrics.js';
import { storeMetrics } from '../../platform/health/store-metrics.js';
import { SECOND_MS } from '../../platform/kernel/clock.js';
import type { App } from '../context.js';

/** Returns everything that is measured of a seller. No label names a buyer, a buy or a host of theirs. */
export function sellerMetrics(app: App): readonly MetricRow[] {
  const { clock, outbox, registry, sellers, store } = app;
  return [
    ...storeMetrics(store),
    ...processMetrics(app),
    ...callMetrics(app),
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
        return [[oldestPendingAt === undefined ? 0 : secondsSince(clock, oldestPendingAt)]];
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
      name: 'seller_agent_task_oldest_waiting_seconds',
      help: 'Age of the oldest task that a person has to decide about.',
      label: 'task_type',
      read: async () =>
        (await store.read.tasks.countWaiting()).map(
          ({ oldest, task_type }) => [secondsSince(clock, oldest), task_type] as const,
        ),
    },
    ...orderMetrics(app),
    {
      name: 'seller_agent_webhook_attempts_total',
      help: 'Attempts to deliver a webhook since the start, by result.',
      type: 'counter',
      label: 'result',
      read: async () => outbox.attempts.samples,
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

/** Returns what is measured of orders on their way into ad servers, and there. */
function orderMetrics({ clock, store }: App): readonly MetricRow[] {
  return [
    {
      name: 'seller_agent_bookings_waiting',
      help: 'Media buys whose last revision is not booked, by who books them.',
      label: 'fulfillment',
      read: async () =>
        (await store.read.mediaBuys.bookingBacklog()).map(({ fulfillment, total }) => [total, fulfillment] as const),
    },
    {
      name: 'seller_agent_booking_oldest_waiting_seconds',
      help: 'Age of the oldest booking that waits, by who books it.',
      label: 'fulfillment',
      read: async () =>
        (await store.read.mediaBuys.bookingBacklog()).map(
          ({ fulfillment, oldest }) => [secondsSince(clock, oldest), fulfillment] as const,
        ),
    },
    {
      name: 'seller_agent_orders_reminded',
      help: 'Orders that wait for a person longer than order_reminders of their tenant say.',
      read: async () => [[await store.read.orderWaits.countReminded()]],
    },
    {
      name: 'seller_agent_orders_drifted',
      help: 'Orders that their ad servers have otherwise than they were booked.',
      read: async () => [[await store.read.orderInspections.countDrifted()]],
    },
    {
      name: 'seller_agent_deliveries_failing',
      help: 'Orders whose delivery cannot be read from their ad servers.',
      read: async () => [[await store.read.deliveryPulls.countFailing()]],
    },
  ];
}

function secondsSince({ now }: App['clock'], ms: number): number {
  return Math.max(0, now() - ms) / SECOND_MS;
}

/** Returns what is measured of the process and of what it serves. */
function processMetrics({ reloads, version }: App): readonly MetricRow[] {
  return [
    {
      name: 'seller_agent_build_info',
      help: 'Always 1; its label says which version runs.',
      label: 'version',
      read: async () => [[1, version]],
    },
    {
      name: 'seller_agent_reload_successful',
      help: 'Whether the tenant files as they are now are served: 0 while the last edit is rejected.',
      read: async () => [[reloads().rejectedEdit === undefined ? 1 : 0]],
    },
    {
      name: 'seller_agent_reload_success_timestamp_seconds',
      help: 'When tenant files were read last that are served, in seconds since the epoch.',
      read: async () => [[reloads().succeededAtMs / SECOND_MS]],
    },
  ];
}

const TASK_LABELS = ['tenant', 'task'];

/** Returns what is measured of calls since the start of the process. */
function callMetrics({ calls }: App): readonly MetricRow[] {
  return [
    {
      name: 'seller_agent_calls_total',
      help: 'Task calls since the start; code is ok, or that of the refusal.',
      type: 'counter',
      labels: [...TASK_LABELS, 'code'],
      read: async () => calls.calls.samples,
    },
    {
      name: 'seller_agent_call_seconds',
      help: 'How long task calls took, from their arguments to their answer.',
      type: 'histogram',
      labels: TASK_LABELS,
      read: async () => calls.latency.distributions,
    },
    {
      name: 'seller_agent_replays_total',
      help: 'Answers since the start that were given again under their idempotency_key.',
      type: 'counter',
      labels: TASK_LABELS,
      read: async () => calls.replays.samples,
    },
    {
      name: 'seller_agent_requests_refused_total',
      help: 'Requests since the start that were turned away before any task: 401, 403 and 429.',
      type: 'counter',
      labels: ['status', 'code'],
      read: async () => calls.refusals.samples,
    },
  ];
}
