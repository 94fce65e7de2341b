import { type Clock, MINUTE_MS } from '../../../../platform/kernel/clock.js';
import { yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import type { ServerStore } from '../../store/server-store.js';
import type { Registry } from '../registry.js';

const CHUNK = 500;
/** Milliseconds that a count is good for: counting reads rows, and anybody may ask. */
const COUNTS_LAST_MS = MINUTE_MS;
/** Properties that are counted; of a larger registry a sample in the order of their rids. */
const MAX_COUNTED = 20_000;

type Counts = Readonly<Record<string, number>>;

/** Properties by their type: adding up what all agents sell would count a property once for each of them. */
export class PropertyCounts {
  readonly #store: ServerStore;
  readonly #clock: Clock;
  #counted: { readonly at: number; readonly counts: Counts } | undefined;

  constructor(store: ServerStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async byType(): Promise<Counts> {
    if (this.#counted !== undefined && this.#clock.now() - this.#counted.at < COUNTS_LAST_MS)
      return this.#counted.counts;
    const counts = await this.#count();
    this.#counted = { at: this.#clock.now(), counts };
    return counts;
  }

  async #count(): Promise<Counts> {
    const counts = new Map<string, number>();
    for (let after = '', read = 0; read < MAX_COUNTED; ) {
      const page = await this.#store.read.property.page(after, CHUNK);
      for (const { property_type, status } of page) {
        if (status === 'active') counts.set(property_type, (counts.get(property_type) ?? 0) + 1);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < CHUNK) break;
      after = last.property_rid;
      read += page.length;
      await yieldToEventLoop();
    }
    return Object.fromEntries(counts);
  }
}

/** Returns how much the registry holds, and the figures of its crawler. */
export async function registryStats(registry: Registry): Promise<object> {
  const { crawler, index, profiles, propertyCounts, store } = registry;
  const { read } = store;
  const { authorizations, identifiers, properties } = index.stats();
  const [agents, publishers, members, entries, crawl] = await Promise.all([
    (await profiles.index()).size(),
    read.publisher.count(),
    read.member_agent.count(),
    read.entry.countByScope('property'),
    crawler.stats(),
  ]);
  return {
    registered_agents: members,
    registered_publishers: entries,
    discovered_agents: agents,
    discovered_publishers: publishers,
    // The index holds active ones; the rows hold stale ones too.
    discovered_properties: properties,
    identifiers,
    authorizations,
    authorizations_by_source: { adagents_json: authorizations, agent_claim: 0 },
    properties_by_type: await propertyCounts.byType(),
    crawler: crawl,
  };
}

/** Reads every publisher whose file was read, by domain, some hundreds at a time. */
export async function* readPublishers({ store }: Registry): AsyncGenerator<readonly object[]> {
  for (let after = ''; ; ) {
    const page = await store.read.publisher.page(after, CHUNK);
    if (page.length > 0) {
      // The whole record: this is what a mirror starts from.
      yield page.map((record) => ({
        agent_count: 0,
        ...record,
        has_valid_adagents: record.adagents_valid === true,
      }));
    }
    const last = page.at(-1);
    if (last === undefined || page.length < CHUNK) return;
    after = last.domain;
    await yieldToEventLoop();
  }
}
