import { type MetricRow, valueOrNone } from '../../../platform/health/metrics.js';
import { SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Replication } from '../replication/replication.js';
import { eventMs } from '../service/feed/feed.js';
import type { Registry } from '../service/registry.js';

/** Returns everything that is measured of a registry but for its store. No label names a publisher, an agent or a member. */
export function registryMetrics(registry: Registry): readonly MetricRow[] {
  return [...recordMetrics(registry), ...feedMetrics(registry), ...crawlMetrics(registry)];
}

function secondsSince({ clock }: Registry, ms: number): number {
  return Math.max(0, clock.now() - ms) / SECOND_MS;
}

function recordMetrics({ index, store }: Registry): readonly MetricRow[] {
  return [
    {
      name: 'seller_agent_registry_records',
      help: 'Records that authorizations are looked up in, by kind.',
      label: 'kind',
      read: async () => {
        const { agents, authorizations, properties, publishers } = index.stats();
        return [
          [publishers, 'publisher'],
          [properties, 'property'],
          [authorizations, 'authorization'],
          [agents, 'agent'],
        ];
      },
    },
    {
      name: 'seller_agent_registry_changes_behind',
      help: 'Changes of other processes that this one has not read yet; absent where a file is the store.',
      read: async () => valueOrNone(await store.changesBehind()),
    },
  ];
}

function feedMetrics(registry: Registry): readonly MetricRow[] {
  const { store, streams } = registry;
  return [
    {
      name: 'seller_agent_registry_feed_latest_seconds',
      help: 'Age of the latest event of the feed; absent while it has none.',
      read: async () => {
        const head = await store.read.events.head();
        return head === undefined ? [] : [[secondsSince(registry, eventMs(head))]];
      },
    },
    {
      name: 'seller_agent_registry_feed_oldest_seconds',
      help: 'Age of the oldest event that the feed still has; absent while it has none.',
      read: async () => {
        const floor = await store.read.events.floor();
        return floor === undefined ? [] : [[secondsSince(registry, eventMs(floor))]];
      },
    },
    {
      name: 'seller_agent_registry_feed_streams',
      help: 'Streams of the feed that are open at this process.',
      read: async () => [[streams.size]],
    },
  ];
}

function crawlMetrics(registry: Registry): readonly MetricRow[] {
  const { clock, probes, store } = registry;
  return [
    {
      name: 'seller_agent_registry_publishers_crawled',
      help: 'Publishers whose files are read by the clock.',
      read: async () => [[await store.read.crawl.countPublishers()]],
    },
    {
      name: 'seller_agent_registry_crawls_due',
      help: 'Publishers whose files are due to be read.',
      read: async () => [[await store.read.crawl.countDue(clock.now())]],
    },
    {
      name: 'seller_agent_registry_crawl_oldest_due_seconds',
      help: 'How long ago the publisher was due that has waited longest; 0 where none is due.',
      read: async () => {
        const dueAt = await store.read.crawl.findEarliestDue();
        return [[dueAt === undefined ? 0 : secondsSince(registry, dueAt)]];
      },
    },
    {
      name: 'seller_agent_registry_crawls_failing',
      help: 'Publishers whose last reading came to nothing.',
      read: async () => [[await store.read.crawl.countFailing()]],
    },
    {
      name: 'seller_agent_registry_crawl_requests_open',
      help: 'Crawls that were asked for and are not done.',
      read: async () => [[await store.read.crawl.countOpenRequests()]],
    },
    {
      name: 'seller_agent_registry_probes',
      help: 'Probes of agents that run or wait at this process.',
      read: async () => [[probes.pending]],
    },
  ];
}

/** Returns what is measured of the reading of a mirrored registry. */
export function mirrorMetrics(replication: Pick<Replication, 'lag'>): readonly MetricRow[] {
  return [
    {
      name: 'seller_agent_registry_lag_seconds',
      help: 'How far the mirror is behind; absent before it was in step once.',
      read: async () => {
        const lagMs = replication.lag()?.lag_ms ?? null;
        return valueOrNone(lagMs === null ? null : lagMs / SECOND_MS);
      },
    },
  ];
}
