import { yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import type { Registry } from '../registry.js';

const CHUNK = 500;

/** Returns how much the registry holds, and the figures of its crawler. */
export async function registryStats(registry: Registry): Promise<object> {
  const { crawler, index, profiles, store } = registry;
  const { read } = store;
  const { authorizations, identifiers, properties, publishers } = index.stats();
  const [agents, members, entries, claims, crawl] = await Promise.all([
    (await profiles.index()).size(),
    read.counts.find('member_agent'),
    read.counts.find('entry:property'),
    read.crawl.countClaims(),
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
    authorizations_by_source: { adagents_json: authorizations, agent_claim: claims },
    properties_by_type: index.propertiesByType(),
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
