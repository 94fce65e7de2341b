import type PQueue from 'p-queue';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../platform/kernel/clock.js';
import type { Log } from '../../../platform/kernel/log.js';
import { registrableDomain, typedDomain } from '../../model/domains.js';
import { type VisitContext, visitAgent } from '../service/agent/visit.js';
import { pruneFeed } from '../service/feed/feed.js';
import { RegistryProblem } from '../service/problem.js';
import { createFileReader } from './files/file-reader.js';
import { createSharedDocuments } from './files/shared-documents.js';
import { crawlPublisher } from './publisher.js';
import type { CrawlRequest, RequestState } from './records.js';
import { createSlices } from './slice-queue.js';

/** What the crawler needs of the registry. */
export type CrawlerContext = VisitContext & {
  readonly log: Log;
  /** Reads a domain's brand.json and keeps what it says; absent where nobody wants it. */
  readonly readBrand?: (domain: string) => Promise<void>;
};

/** How the crawler is doing, for the statistics. */
export type CrawlerStats = {
  readonly publishers: number;
  readonly due: number;
  readonly running: number;
  readonly waiting: number;
  /** Since the process began. */
  readonly crawled: number;
  readonly failed: number;
  readonly events: number;
  readonly visited: number;
};

/** Reads publishers' files and visits agents, again and again. */
export type Crawler = {
  /** Takes a request in; the crawl begins at once where there is room. Throws crawl_queue_at_capacity. */
  readonly request: (domain: string, requestedBy: string) => Promise<CrawlRequest>;
  /** Crawls a publisher now, or joins the crawl that is under way. */
  readonly crawl: (domain: string) => Promise<void>;
  /** Visits an agent now, or joins the visit that is under way. */
  readonly visit: (agentUrl: string) => Promise<void>;
  /** One round: everything that is asked for or due, to its end; what is old is forgotten. Answers how many events were told. */
  readonly tick: () => Promise<number>;
  readonly stats: () => Promise<CrawlerStats>;
  /** Waits for what is under way; nothing more begins. */
  readonly close: () => Promise<void>;
};

/** How much happens at once, and how much of what is due one round takes. */
export type CrawlerLimits = { readonly concurrency: number; readonly perRound: number; readonly mostOpen: number };
const LIMITS: CrawlerLimits = { concurrency: 8, perRound: 200, mostOpen: 10_000 };

const MOST_ATTEMPTS = 3;
/** Requests are remembered for so long after they are done. */
const REMEMBERED_MS = 7 * DAY_MS;
const SWEEP_MS = HOUR_MS;
/** How long a brand.json counts as read, and how many are remembered. */
const BRAND_LASTS_MS = DAY_MS;
const MOST_BRANDS = 100_000;

/** What a request becomes by what its crawl came to. */
const ENDS: Readonly<Record<string, RequestState>> = {
  found: 'completed',
  not_found: 'invalid',
  not_a_domain: 'invalid',
};

/** Opens the crawler. The queue is loaded with the first crawl. */
export function createCrawler(context: CrawlerContext, limits: CrawlerLimits = LIMITS): Crawler {
  const { clock, ids, log, outbound, store } = context;
  const documents = createSharedDocuments(outbound, clock);
  // A desk of its own: who waits for an answer does not wait for crawls.
  const files = createFileReader(outbound, log);
  const slices = createSlices();
  const running = new Map<string, Promise<number>>();
  const brandsRead = new Map<string, number>();
  const counts = { crawled: 0, failed: 0, events: 0, visited: 0 };
  let queue: Promise<PQueue> | undefined;
  let isClosed = false;
  let sweptAt = clock.now();

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    queue ??= import('p-queue').then(({ default: Queue }) => new Queue({ concurrency: limits.concurrency }));
    return await (await queue).add(work);
  }

  /** Runs work once at a time for each key; who comes meanwhile joins. */
  function join(key: string, work: () => Promise<number>): Promise<number> {
    const known = running.get(key);
    if (known !== undefined) return known;
    const begun = inTurn(() => (isClosed ? Promise.resolve(0) : work()))
      .catch((error: unknown) => {
        log.error({ err: error, crawl: key }, 'a crawl failed unexpectedly; it is tried again in its turn');
        return 0;
      })
      .finally(() => running.delete(key));
    running.set(key, begun);
    return begun;
  }

  function crawl(domain: string): Promise<number> {
    return join(`publisher ${domain}`, async () => {
      const open = await store.read.crawl.listOpenRequestsFor(domain);
      await mark(open, (one) => ({ ...one, status: 'running', ...begunAt(one, clock.now()) }));
      const { discovery, events, verdict } = await crawlPublisher(
        { ...context, files, slices, outbound: documents.fetchFor(domain) },
        domain,
      );
      const isFound = discovery.reason === 'found';
      if (isFound) await readBrandOf(domain);
      counts.crawled += 1;
      counts.events += events;
      if (!isFound) counts.failed += 1;
      await mark(open, (one) => ended({ ...one, ...begunAt(one, clock.now()) }, discovery, verdict, clock.now()));
      const line = { domain, reason: discovery.reason, verdict, events };
      if (events > 0) log.info(line, 'a publisher changed');
      else log.debug(line, 'a publisher was crawled');
      return events;
    });
  }

  function visit(agentUrl: string): Promise<number> {
    return join(`agent ${agentUrl}`, async () => {
      const { fault } = await visitAgent(context, agentUrl);
      // The other side of every authorization: what the agent's operator says of itself (facts 3.4).
      const host = typedDomain(new URL(agentUrl).hostname);
      const operator = host === undefined ? undefined : registrableDomain(host);
      if (operator !== undefined) await readBrandOf(operator);
      counts.visited += 1;
      log.debug({ agent: agentUrl, fault }, 'an agent was visited');
      return 0;
    });
  }

  /** Reads a brand.json once in a day. */
  async function readBrandOf(domain: string): Promise<void> {
    const nowMs = clock.now();
    if (context.readBrand === undefined || nowMs - (brandsRead.get(domain) ?? 0) < BRAND_LASTS_MS) return;
    if (brandsRead.size >= MOST_BRANDS) brandsRead.clear();
    brandsRead.set(domain, nowMs);
    await context.readBrand(domain);
  }

  async function mark(open: readonly CrawlRequest[], to: (one: CrawlRequest) => CrawlRequest): Promise<void> {
    if (open.length === 0) return;
    await store.transact(async (tx) => {
      for (const one of open) await tx.crawl.saveRequest(to(one));
    });
  }

  /** Domains that are asked for or due, each once, those that somebody waits for first. */
  async function dueDomains(nowMs: number): Promise<readonly string[]> {
    const asked = (await store.read.crawl.listOpenRequests(limits.perRound)).filter(
      ({ next_attempt_at: next }) => next === null || Date.parse(next) <= nowMs,
    );
    const due = await store.read.crawl.listDue(nowMs, limits.perRound);
    return [...new Set([...asked.map(({ domain }) => domain), ...due])].slice(0, limits.perRound);
  }

  return {
    request: async (domain, requestedBy) => {
      if ((await store.read.crawl.countOpenRequests()) >= limits.mostOpen) {
        throw new RegistryProblem('crawl_queue_at_capacity', 'Too many crawls are waiting.', {
          retryAfter: 60,
          suggestion: 'Ask again in a minute; publishers that are known are read again every hour anyway.',
        });
      }
      const request: CrawlRequest = {
        crawl_request_id: ids.uuid(),
        domain,
        status: 'queued',
        attempts: 0,
        max_attempts: MOST_ATTEMPTS,
        requested_at: isoTime(clock.now()),
        started_at: null,
        last_attempted_at: null,
        completed_at: null,
        next_attempt_at: null,
        last_error_code: null,
        requested_by: requestedBy,
      };
      await store.transact((tx) => tx.crawl.saveRequest(request));
      void crawl(domain);
      return request;
    },
    crawl: async (domain) => {
      await crawl(domain);
    },
    visit: async (agentUrl) => {
      await visit(agentUrl);
    },
    tick: async () => {
      if (isClosed) return 0;
      const nowMs = clock.now();
      const domains = await dueDomains(nowMs);
      const told = await Promise.all(domains.map(crawl));
      // Visits come after: the files just read may have named agents that nobody asked before.
      const visits = await store.read.crawl.listVisitsDue(nowMs, limits.perRound);
      await Promise.all(visits.map(({ agent_url }) => visit(agent_url)));
      const forgotten = await pruneFeed(store, clock);
      if (nowMs - sweptAt >= SWEEP_MS) {
        sweptAt = nowMs;
        await store.transact((tx) => tx.crawl.dropRequests(nowMs - REMEMBERED_MS));
      }
      const events = told.reduce((sum, count) => sum + count, 0);
      if (domains.length + visits.length > 0) {
        const round = { publishers: domains.length, agents: visits.length, events, forgotten };
        log.info({ ...round, due: await store.read.crawl.countDue(clock.now()) }, 'a round of the crawler');
      }
      return events;
    },
    stats: async () => {
      const pending = queue === undefined ? undefined : await queue;
      return {
        publishers: await store.read.crawl.countPublishers(),
        due: await store.read.crawl.countDue(clock.now()),
        running: pending?.pending ?? 0,
        waiting: pending?.size ?? 0,
        ...counts,
      };
    },
    close: async () => {
      isClosed = true;
      await Promise.all(running.values());
      await files.close();
    },
  };
}

function begunAt(one: CrawlRequest, nowMs: number): Pick<CrawlRequest, 'started_at' | 'last_attempted_at'> {
  return { started_at: one.started_at ?? isoTime(nowMs), last_attempted_at: isoTime(nowMs) };
}

/** A request after an attempt: done, or tried again later while that may help. */
function ended(
  one: CrawlRequest,
  { isTransient, reason }: { readonly isTransient: boolean; readonly reason: string },
  verdict: string,
  nowMs: number,
): CrawlRequest {
  const attempts = one.attempts + 1;
  const error = reason === 'found' ? null : reason;
  if (isTransient && attempts < one.max_attempts) {
    const next = isoTime(nowMs + attempts * MINUTE_MS);
    return { ...one, attempts, status: 'retrying', next_attempt_at: next, last_error_code: error };
  }
  // A new location, or a file from before the last one, is taken up when it has proved itself.
  const isDeferred = verdict === 'waiting' || verdict === 'rolled_back';
  return {
    ...one,
    attempts,
    status: isTransient ? 'failed' : (ENDS[reason] ?? 'invalid'),
    completed_at: isoTime(nowMs),
    next_attempt_at: null,
    last_error_code: isDeferred ? verdict : error,
  };
}
