import { isoTime, SECOND_MS } from '../../../platform/kernel/clock.js';
import { yieldToEventLoop } from '../../../platform/kernel/event-loop.js';
import { adagentsUrl } from '../../adagents/discovery.js';
import { publisherDomain, typedDomain } from '../../model/domains.js';
import type { Member, RegistryCaller } from '../auth/caller.js';
import { refuseBlocked } from '../service/blocks/find.js';
import { RegistryProblem } from '../service/problem.js';
import { validatePublisherSummary } from '../service/publisher/validation.js';
import type { Registry } from '../service/registry.js';
import { crawlSoon } from './operate.js';
import type { CrawlRequest } from './records.js';

/** A request in the members of the wire. */
type ShownRequest = Omit<CrawlRequest, 'requested_by' | 'reads'>;

const LOOKUP_MS = 3 * SECOND_MS;
const FIX = 'Send a domain on the public internet whose adagents.json is to be read again.';

/** Publishers of a manager that are looked for at a time. */
const CHUNK = 500;

/**
 * Takes a request for a crawl: the name has to lead to the public internet; one request for each domain in
 * five minutes, thirty for each user in an hour. Throws invalid_domain, rate_limited and crawl_queue_at_capacity.
 */
export async function requestCrawl(registry: Registry, member: Member, domain: string): Promise<ShownRequest> {
  const name = await admitCrawl(registry, member, domain);
  return withoutNotes(await registry.crawler.request(name, member.id));
}

/** Takes a request for a crawl of a domain's brand.json alone. Throws like `requestCrawl`. */
export async function requestBrandCrawl(registry: Registry, member: Member, domain: string): Promise<ShownRequest> {
  const name = await admitCrawl(registry, member, domain);
  return withoutNotes(await registry.crawler.request(name, member.id, 'brand'));
}

/** Makes every publisher due whose file was found by way of a manager, and returns how many those are. Throws like `requestCrawl`. */
export async function requestManagerRevalidation(
  registry: Registry,
  member: Member,
  managerDomain: string,
): Promise<number> {
  const name = await admitCrawl(registry, member, managerDomain, '/manager_domain');
  let due = 0;
  for (let after = ''; ; ) {
    const page = await registry.store.read.publisher.page(after, CHUNK);
    const own = page.filter(({ manager_domain }) => manager_domain != null && publisherDomain(manager_domain) === name);
    if (own.length > 0)
      due += (
        await crawlSoon(
          registry,
          own.map(({ domain }) => domain),
        )
      ).due;
    const last = page.at(-1);
    if (last === undefined || page.length < CHUNK) return due;
    after = last.domain;
    await yieldToEventLoop();
  }
}

/** Reads a publisher's file now, records what it says, and returns what is wrong with it. Throws like `requestCrawl`. */
export async function revalidatePublisher(registry: Registry, member: Member, domain: string): Promise<object> {
  const typed = typedDomain(domain);
  if (typed === undefined) throw wrongDomain(domain, 'The domain is not valid.', 'domain');
  const name = await admitCrawl(registry, member, typed, 'domain');
  await registry.crawler.crawl(name);
  const summary = await validatePublisherSummary(registry, name);
  const served = (await registry.store.read.crawl.findState(name))?.served;
  return {
    domain: name,
    adagents_valid: summary.valid,
    checked_at: isoTime(registry.clock.now()),
    issues: summary.issues,
    properties_count: summary.property_count,
    authorized_agents_count: summary.agent_count,
    status_code: served?.status,
    response_bytes: served?.bytes,
    resolved_url: summary.url,
    discovery_method: summary.discovery_method,
    manager_domain: summary.manager_domain,
  };
}

/** Returns the one form of a domain, which `field` of the request names, that may be crawled for a member, and counts the request. */
async function admitCrawl(registry: Registry, member: Member, domain: string, field = '/domain'): Promise<string> {
  const name = publisherDomain(domain);
  await refuseBlocked(registry.store.read, 'domain', name);
  const url = adagentsUrl(name);
  const { isDevelopment, limits, outbound } = registry;
  if (!(await outbound.resolves(url, { timeoutMs: LOOKUP_MS }))) {
    throw wrongDomain(name, 'The domain does not resolve.', field);
  }
  if (await outbound.leadsInside(url, { local: isDevelopment, timeoutMs: LOOKUP_MS })) {
    throw wrongDomain(name, 'The domain leads to a private or reserved address.', field);
  }
  await limits.take('crawl_domain', name, 'Rate limit exceeded for this domain');
  await limits.take('crawl_user', member.id, 'Hourly crawl request limit exceeded');
  return name;
}

/** Returns a request; for the caller that made it, and for admins. Throws not_found. */
export async function crawlRequest({ store }: Registry, caller: RegistryCaller, id: string): Promise<ShownRequest> {
  const request = await store.read.crawl.findRequest(id);
  const isTheirs = caller.kind !== 'anonymous' && (caller.role === 'admin' || caller.id === request?.requested_by);
  if (request !== undefined && isTheirs) return withoutNotes(request);
  throw new RegistryProblem('not_found', 'There is no such crawl request.', {
    field: 'id',
    suggestion: 'Use the crawl_request_id of the answer to POST /api/registry/crawl-request, with the same credential.',
  });
}

function withoutNotes({ reads: _reads, requested_by: _by, ...request }: CrawlRequest): ShownRequest {
  return request;
}

function wrongDomain(domain: string, message: string, field: string): RegistryProblem {
  return new RegistryProblem('invalid_domain', message, { field, suggestion: FIX, details: { domain } });
}
