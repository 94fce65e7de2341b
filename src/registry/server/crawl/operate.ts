import { isoTime } from '../../../platform/kernel/clock.js';
import { DISCOVERY_REASONS, type DiscoveryReason } from '../../documents/discovery-reasons.js';
import { canonicalAgentUrl } from '../../model/agent-url.js';
import { publisherDomain } from '../../model/domains.js';
import type { FailingCrawl, FailingVisit } from '../../model/failing.js';
import { explainFault } from '../service/agent/session.js';
import { isBlocked } from '../service/blocks/find.js';
import { RegistryProblem } from '../service/problem.js';
import type { Registry } from '../service/registry.js';
import type { LocalFile, LocalReading } from './local-files.js';
import type { CrawlState } from './records.js';

/** The outcome of an import. */
type ImportOutcome = {
  /** Publishers whose records are what the file says. */
  readonly publishers: number;
  /** Events that were appended. */
  readonly events: number;
  /** The others, with why. */
  readonly refused: readonly Pick<LocalReading, 'domain' | 'reason' | 'message'>[];
};

const MAX_LISTED = 1000;

/** Returns the publishers whose last reading came to nothing, with why and what to do, in the order of their domains, after `after`. */
export async function listFailingCrawls({ store }: Registry, after: string): Promise<readonly FailingCrawl[]> {
  return (await store.read.crawl.listFailing(after, MAX_LISTED)).map(shownCrawl);
}

/** Returns the agents of members that could not be visited, with why and what to do, in the order of their URLs, after `after`. */
export async function listFailingVisits({ store }: Registry, after: string): Promise<readonly FailingVisit[]> {
  const rows = await store.read.crawl.listFailingVisits(after, MAX_LISTED);
  return rows.map(({ agent: { agent_url, name, org_id }, visit: { dueAt, failures, fault, readAt, visitedAt } }) => ({
    agent_url,
    name,
    org_id,
    reason: fault ?? 'unreachable',
    ...explainFault(fault),
    failures,
    attempted_at: isoTime(visitedAt),
    next_attempt_at: isoTime(dueAt),
    read_at: readAt === undefined ? null : isoTime(readAt),
  }));
}

/** Has an agent be visited with the next round. Throws not_found for one that was never to be visited. */
export async function visitSoon({ clock, store }: Registry, url: string): Promise<{ readonly due: string }> {
  const agentUrl = canonicalAgentUrl(url) ?? url;
  return store.transact(async (tx) => {
    const visit = await tx.crawl.findVisit(agentUrl);
    if (visit === undefined) {
      throw new RegistryProblem('not_found', 'This registry visits no agent of this URL.', {
        field: '/url',
        suggestion: 'Enroll it first, with registry agent add.',
      });
    }
    await tx.crawl.saveVisit({ ...visit, dueAt: clock.now() });
    return { due: agentUrl };
  });
}

/** How many of the publishers that somebody wants read are due, new among them, and blocked. */
type DueCrawls = { readonly due: number; readonly new: number; readonly blocked: number };

/** Has publishers be read with the next round, those among them that are not known yet, but none that is blocked. */
export async function crawlSoon({ clock, store }: Registry, domains: readonly string[]): Promise<DueCrawls> {
  const dueAt = clock.now();
  return store.transact(async (tx) => {
    let [added, blocked] = [0, 0];
    const names = new Set(domains.map(publisherDomain));
    for (const domain of names) {
      if (await isBlocked(tx, 'domain', domain)) {
        blocked += 1;
        continue;
      }
      const state = await tx.crawl.findState(domain);
      added += state === undefined ? 1 : 0;
      await tx.crawl.saveState({ ...(state ?? unreadState(domain)), dueAt });
    }
    return { due: names.size - blocked, new: added, blocked };
  });
}

/** Reads the operator's copies of publishers' files: they count until the publishers are read, an hour later. */
export async function importFiles({ crawler, store }: Registry, files: readonly LocalFile[]): Promise<ImportOutcome> {
  const readings = await crawler.readLocal(
    files.map(({ domain, text }) => ({ domain: publisherDomain(domain), text })),
    // Each file has transactions of its own: the act is recorded before the first.
    () => store.transact(async () => undefined),
  );
  const refused = readings.filter(({ verdict }) => verdict !== 'adopted' && verdict !== 'unchanged');
  return {
    publishers: readings.length - refused.length,
    events: readings.reduce((sum, { events }) => sum + events, 0),
    refused: refused.map(({ domain, message, reason, verdict }) => {
      const [why, sentence] = reason === 'found' ? [verdict, NOT_TAKEN_UP[verdict] ?? message] : [reason, message];
      return { domain, reason: why, message: sentence };
    }),
  };
}

/** Why a file that was found does not count. */
const NOT_TAKEN_UP: Readonly<Record<string, string>> = {
  rolled_back: 'It says that it is older than the file that counts.',
  waiting: 'It stands at another location than the file that counts; it counts once it was there for a day.',
};

/** Returns the state of a publisher that was not read yet. */
export function unreadState(domain: string): CrawlState {
  return {
    domain,
    attemptedAt: 0,
    dueAt: 0,
    readAt: 0,
    failures: 0,
    reason: 'not_found',
    message: `${domain}: it was not read yet.`,
    parts: {},
    findings: { errors: 0, warnings: 0 },
  };
}

function shownCrawl({ attemptedAt, domain, dueAt, failures, kept, message, readAt, reason }: CrawlState): FailingCrawl {
  return {
    domain,
    reason,
    message,
    // The reasons of a state are those of the table.
    fix: DISCOVERY_REASONS[reason as DiscoveryReason].fix,
    failures,
    attempted_at: isoTime(attemptedAt),
    next_attempt_at: isoTime(dueAt),
    read_at: readAt === 0 ? null : isoTime(readAt),
    copy_counts: kept !== undefined,
  };
}
