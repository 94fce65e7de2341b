import { startPace } from '../../../../platform/kernel/event-loop.js';
import type { Registry } from '../registry.js';

/** Returns the first publishers that authorize an agent, by its canonical URL, just now; in the order of their domains. */
export async function listOpenDomains(
  { clock, index }: Registry,
  agentUrl: string,
  limit: number,
): Promise<readonly string[]> {
  const nowMs = clock.now();
  const pace = startPace();
  const domains: string[] = [];
  for (const domain of index.domainsOf(agentUrl).toSorted()) {
    if (domains.length === limit) break;
    if (pace.isDue()) await pace.rest();
    if (await index.hasOpenGrant(domain, agentUrl, nowMs)) domains.push(domain);
  }
  return domains;
}
