import { SECOND_MS } from '../../../platform/kernel/clock.js';
import { adagentsUrl } from '../../adagents/discovery.js';
import { publisherDomain } from '../../model/domains.js';
import type { Member, RegistryCaller } from '../auth/caller.js';
import { refuseBlocked } from '../service/blocks/find.js';
import { RegistryProblem } from '../service/problem.js';
import type { Registry } from '../service/registry.js';
import type { CrawlRequest } from './records.js';

/** A request in the members of the wire. */
type ShownRequest = Omit<CrawlRequest, 'requested_by'>;

const LOOKUP_MS = 3 * SECOND_MS;
const FIX = 'Send a domain on the public internet whose adagents.json is to be read again.';

/**
 * Takes a request for a crawl: the name has to lead to the public internet; one request for each domain in
 * five minutes, thirty for each user in an hour. Throws invalid_domain, rate_limited and crawl_queue_at_capacity.
 */
export async function requestCrawl(registry: Registry, member: Member, domain: string): Promise<ShownRequest> {
  const name = publisherDomain(domain);
  await refuseBlocked(registry.store.read, 'domain', name);
  const url = adagentsUrl(name);
  const { crawler, isDevelopment, limits, outbound } = registry;
  if (!(await outbound.resolves(url, { timeoutMs: LOOKUP_MS }))) {
    throw wrongDomain(name, 'The domain does not resolve.');
  }
  if (await outbound.leadsInside(url, { local: isDevelopment, timeoutMs: LOOKUP_MS })) {
    throw wrongDomain(name, 'The domain leads to a private or reserved address.');
  }
  await limits.take('crawl_domain', name, 'Rate limit exceeded for this domain');
  await limits.take('crawl_user', member.id, 'Hourly crawl request limit exceeded');
  return shown(await crawler.request(name, member.id));
}

/** Returns a request; for the caller that made it, and for admins. Throws not_found. */
export async function crawlRequest({ store }: Registry, caller: RegistryCaller, id: string): Promise<ShownRequest> {
  const request = await store.read.crawl.findRequest(id);
  const isTheirs = caller.kind !== 'anonymous' && (caller.role === 'admin' || caller.id === request?.requested_by);
  if (request !== undefined && isTheirs) return shown(request);
  throw new RegistryProblem('not_found', 'There is no such crawl request.', {
    field: 'id',
    suggestion: 'Use the crawl_request_id of the answer to POST /api/registry/crawl-request, with the same credential.',
  });
}

function shown({ requested_by: _by, ...request }: CrawlRequest): ShownRequest {
  return request;
}

function wrongDomain(domain: string, message: string): RegistryProblem {
  return new RegistryProblem('invalid_domain', message, { field: '/domain', suggestion: FIX, details: { domain } });
}
