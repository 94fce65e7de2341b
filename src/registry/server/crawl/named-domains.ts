import { type Clock, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { registrableDomain, typedDomain } from '../../model/domains.js';
import type { ServerStore } from '../store/server-store.js';
import type { CrawlState } from './records.js';

/** Domains that a file named are read so many at a time, so that a network's own servers are not asked by all of them at once. */
const AT_A_TIME = 50;
const PACE_MS = 5 * MINUTE_MS;
/** Rows of one transaction. */
const SLICE = 200;

/** A file that was read, and where. */
type ReadFile = { readonly url: string; readonly named: readonly string[] };

/**
 * Has the domains that a network's file names be crawled, some at a time; those that are crawled anyway stay as they are. Where the
 * file stands on somebody else's domain, that domain is crawled, and fans out itself.
 */
export async function crawlNamed(
  { clock, store }: { readonly clock: Clock; readonly store: ServerStore },
  domain: string,
  { named, url }: ReadFile,
): Promise<void> {
  const home = typedDomain(new URL(url).hostname);
  const owner = home === undefined ? undefined : registrableDomain(home);
  const isOwn = owner === undefined || owner === registrableDomain(domain);
  const domains = isOwn ? named.filter((one) => one !== domain) : [owner];
  const nowMs = clock.now();
  for (let from = 0; from < domains.length; from += SLICE) {
    await store.transact(async (tx) => {
      for (const [at, one] of domains.slice(from, from + SLICE).entries()) {
        const dueAt = nowMs + Math.floor((from + at) / AT_A_TIME) * PACE_MS;
        await tx.crawl.addState(namedState(one, domain, dueAt));
      }
    });
  }
}

function namedState(domain: string, by: string, dueAt: number): CrawlState {
  return {
    domain,
    namedBy: by,
    attemptedAt: 0,
    dueAt,
    readAt: 0,
    failures: 0,
    reason: 'not_found',
    message: `${domain}: the file of ${by} names it; it was not read yet.`,
    parts: {},
    findings: { errors: 0, warnings: 0 },
  };
}
