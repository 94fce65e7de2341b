import type PQueue from 'p-queue';
import type { Lease } from '../../../platform/database/leases.js';
import { SharedJob } from '../../../platform/database/shared-job.js';
import { HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Log } from '../../../platform/kernel/log.js';
import { sumOf } from '../../../platform/kernel/numbers.js';
import type { JumpWatch } from '../../../platform/kernel/steady-clock.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import { outboundUntil } from '../../../platform/net/outbound.js';
import { registrableDomain, typedDomain } from '../../model/domains.js';
import { CRAWL_CONCURRENCY } from '../../settings.js';
import { clearActs } from '../service/acts.js';
import { type VisitContext, visitAgent } from '../service/agent/visit.js';
import { clearBadges } from '../service/badges/revoked.js';
import { isBlocked } from '../service/blocks/find.js';
import { pruneFeed } from '../service/feed/feed.js';
import { RegistryProblem } from '../service/problem.js';
import { FileReader } from './files/file-reader.js';
import { SharedDocuments } from './files/shared-documents.js';
import { type LocalFile, type LocalReading, withLocalFile } from './local-files.js';
import { crawlPublisher } from './publisher.js';
import { type BrandReading, RecentBrands } from './recent-brands.js';
import type { CrawlRequest, RequestState } from './records.js';
import { SLICES_AT_ONCE, SliceQueue } from './slice-queue.js';
import { withdrawPublisher } from './withdraw.js';

/** The parts of the registry that the crawler uses. */
type CrawlerContext = VisitContext & {
  readonly log: Log;
  /** What is known of jumps of the clock; absent in tests that turn it. */
  readonly watch?: JumpWatch;
  /** Reads a domain's brand.json and stores what it says; absent in tests that need none. */
  readonly readBrand?: (domain: string, outbound: Pick<Outbound, 'fetch'>) => Promise<BrandReading>;
};

/** Figures of the crawler, for the statistics of the registry. */
type CrawlerStats = {
  readonly publishers: number;
  readonly due: number;
  /** Publishers whose last reading came to nothing. */
  readonly failing: number;
  /** Agents that are visited. */
  readonly agents: number;
  /** At this process. */
  readonly running: number;
  readonly waiting: number;
};

/** How many crawls run at once, how many of those due one round takes, and how many requests may wait. */
type CrawlerLimits = { readonly concurrency: number; readonly perRound: number; readonly maxOpen: number };
const LIMITS: CrawlerLimits = { concurrency: CRAWL_CONCURRENCY.usual, perRound: 200, maxOpen: 10_000 };

/** How long others wait for a process that crawls and stops. */
const LEASE_MS = 30 * SECOND_MS;
/** How many rounds follow each other while more is due than one takes, and for how long: a process that stops waits for them. */
const MAX_ROUNDS = 50;
const MAX_ROUNDS_MS = 10 * SECOND_MS;
const MAX_ATTEMPTS = 3;
const SWEEP_MS = HOUR_MS;
/** Operators of one publisher's agents that are read again when somebody asks for its crawl. */
const MAX_OPERATORS = 20;

/** What a brand.json comes to where none is read. */
const NO_BRAND: BrandReading = { reason: 'not_found', isTransient: false };

/** What is said of a file whose reading failed for a reason that the log has. */
const UNREAD = 'The file could not be read here; the log says why.';

/** The state of a request after a crawl with each outcome. */
const ENDS: Readonly<Record<string, RequestState>> = {
  found: 'completed',
  not_found: 'invalid',
  not_a_domain: 'invalid',
};

/** Reads publishers' files and visits agents, again and again. */
export class Crawler {
  readonly #context: CrawlerContext;
  readonly #limits: CrawlerLimits;
  readonly #documents: SharedDocuments;
  /** A reader of its own: a caller that waits for a file does not wait for crawls. */
  readonly #files: FileReader;
  readonly #slices = new SliceQueue();
  /** Crawling is one process's at a time. */
  readonly #job: SharedJob;
  /** Crawls and visits under way, by what is read. */
  readonly #running = new Map<string, Promise<number>>();
  readonly #brands: RecentBrands;
  #queue: Promise<PQueue> | undefined;
  /** Ends what is fetched; what was cut off says nothing of anybody. */
  readonly #ending = new AbortController();
  #isClosed = false;
  #sweptAt: number;

  constructor(context: CrawlerContext, limits: Partial<CrawlerLimits> = {}) {
    const { clock, log, outbound, store } = context;
    const ending = outboundUntil(outbound, this.#ending.signal);
    this.#context = { ...context, outbound: ending };
    this.#limits = { ...LIMITS, ...limits };
    this.#job = new SharedJob({ leases: store.leases, name: 'crawls', leaseMs: LEASE_MS, log });
    this.#documents = new SharedDocuments(ending, clock);
    this.#files = new FileReader(ending, log);
    this.#brands = new RecentBrands(clock);
    this.#sweptAt = clock.now();
  }

  /** Takes a request in, of a publisher or of a brand.json alone; the crawl begins at once where there is room. Throws crawl_queue_at_capacity. */
  async request(domain: string, requestedBy: string, reads?: 'brand'): Promise<CrawlRequest> {
    const { clock, ids, log, store } = this.#context;
    if ((await store.read.crawl.countOpenRequests()) >= this.#limits.maxOpen) {
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
      max_attempts: MAX_ATTEMPTS,
      requested_at: isoTime(clock.now()),
      started_at: null,
      last_attempted_at: null,
      completed_at: null,
      next_attempt_at: null,
      last_error_code: null,
      requested_by: requestedBy,
      reads,
    };
    await store.transact((tx) => tx.crawl.saveRequest(request));
    // Where another process crawls, it finds the request with its next round.
    void this.#job
      .run(({ lease }) => this.#crawl(domain, lease))
      .catch((error: unknown) => log.error({ err: error }, 'a crawl that was asked for waits for the next round'));
    return request;
  }

  /** Crawls a publisher now, or joins the crawl that is under way, where this process is the one that crawls. */
  async crawl(domain: string): Promise<void> {
    await this.#job.run(({ lease }) => this.#crawl(domain, lease));
  }

  /**
   * Reads the operator's copies of publishers' files as if they had been served just now, each publisher's once, after `begin`. Throws
   * crawl_queue_unavailable where another process crawls.
   */
  async readLocal(files: readonly LocalFile[], begin?: () => Promise<void>): Promise<readonly LocalReading[]> {
    const one = new Map(files.map((file) => [file.domain, file]));
    let readings: readonly LocalReading[] | undefined;
    await this.#job.run(async ({ lease }) => {
      await begin?.();
      readings = await Promise.all([...one.values()].map((file) => this.#readLocal(file, lease)));
    });
    if (readings !== undefined) return readings;
    throw new RegistryProblem('crawl_queue_unavailable', 'Another process on this database crawls.', {
      retryAfter: LEASE_MS / SECOND_MS,
      suggestion: 'Run the command on the data folder of that process, or again once it has ended.',
    });
  }

  /** Visits an agent now, or joins the visit that is under way, where this process is the one that crawls. */
  async visit(agentUrl: string): Promise<void> {
    await this.#job.run(({ lease }) => this.#visit(agentUrl, lease));
  }

  /**
   * Runs rounds where this process is the one that crawls, to the end of what is asked for or due, or for ten seconds and the round in
   * hand; what is old is deleted. Returns how many events were appended.
   */
  async tick(): Promise<number> {
    let events = 0;
    await this.#job.run(async ({ lease }) => {
      const untilMs = this.#context.clock.now() + MAX_ROUNDS_MS;
      let isFull = true;
      for (let rounds = 0; isFull && rounds < MAX_ROUNDS && this.#context.clock.now() < untilMs; rounds += 1) {
        const round = await this.#round(lease);
        events += round.events;
        isFull = round.isFull;
      }
    });
    return events;
  }

  /** Returns how many events a round appended, and whether more publishers were due than it takes. */
  async #round(lease: Lease): Promise<{ readonly events: number; readonly isFull: boolean }> {
    if (this.#ending.signal.aborted) return { events: 0, isFull: false };
    const { clock, log, store } = this.#context;
    const nowMs = clock.now();
    const domains = await this.#dueDomains(nowMs);
    const counts = await Promise.all(domains.map((domain) => this.#crawl(domain, lease)));
    // Visits come after: the files just read may have named agents that nobody asked before.
    const visits = await store.read.crawl.listVisitsDue(nowMs, this.#limits.perRound);
    await Promise.all(visits.map(({ agent_url }) => this.#visit(agent_url, lease)));
    await Promise.all(this.#brands.listRetries(this.#limits.perRound).map((domain) => this.#retryBrand(domain, lease)));
    const forgotten = await this.#forget(nowMs);
    const events = sumOf(counts);
    if (domains.length + visits.length > 0) {
      const round = { publishers: domains.length, agents: visits.length, events, forgotten };
      log.info({ ...round, due: await store.read.crawl.countDue(clock.now()) }, 'a round of the crawler');
    }
    return { events, isFull: domains.length === this.#limits.perRound };
  }

  async stats(): Promise<CrawlerStats> {
    const { clock, store } = this.#context;
    const queue = await this.#queue;
    return {
      publishers: await store.read.crawl.countPublishers(),
      due: await store.read.crawl.countDue(clock.now()),
      failing: await store.read.crawl.countFailing(),
      agents: await store.read.crawl.countVisits(),
      running: queue?.pending ?? 0,
      waiting: queue?.size ?? 0,
    };
  }

  /** Cuts off the publishers and agents that are read just now, which stay due; no more of them are begun. */
  stop(): void {
    this.#ending.abort();
  }

  /** Stops, and waits for what is under way; nothing more begins. */
  async close(): Promise<void> {
    this.stop();
    this.#isClosed = true;
    await Promise.all(this.#running.values());
    await this.#files.close();
    // A lease that cannot be given back ends by itself.
    await this.#job.release().catch(() => undefined);
  }

  #crawl(domain: string, lease: Lease): Promise<number> {
    return this.#join(`publisher ${domain}`, async () => {
      const own = this.#contextUnder(lease);
      const open = await own.store.read.crawl.listOpenRequestsFor(domain);
      if (await isBlocked(own.store.read, 'domain', domain)) return this.#withdraw(own, domain, open);
      const context = this.#untilEnd(own);
      const { clock, log, store } = context;
      await updateRequests(store, open, (one) => ({ ...one, status: 'running', ...begunAt(one, clock.now()) }));
      if (await this.#isBrandAlone(domain, open)) return this.#crawlBrand(domain, open, context);
      const { discovery, events, verdict } = await crawlPublisher(
        { ...context, files: this.#files, slices: this.#slices, outbound: this.#documents.fetchFor(domain) },
        domain,
      );
      const isThere = discovery.reason === 'found';
      // A process that dies before this reads it an hour later with the file, and at once where the crawl was asked for: that stays open.
      if (open.length > 0) await this.#readBrandsAnew(domain);
      else if (isThere) await this.#readBrand(domain);
      await updateRequests(store, open, (one) => {
        return endRequest({ ...one, ...begunAt(one, clock.now()) }, discovery, verdict, clock.now());
      });
      const line = { domain, reason: discovery.reason, verdict, events };
      if (events > 0) log.info(line, 'a publisher changed');
      else log.debug(line, 'a publisher was crawled');
      return events;
    });
  }

  /** Whether what is asked for of a domain is its brand.json alone, and its publisher's file is not due. */
  async #isBrandAlone(domain: string, open: readonly CrawlRequest[]): Promise<boolean> {
    if (open.length === 0 || open.some(({ reads }) => reads !== 'brand')) return false;
    const { clock, store } = this.#context;
    const state = await store.read.crawl.findState(domain);
    return state === undefined || state.dueAt > clock.now();
  }

  async #crawlBrand(domain: string, open: readonly CrawlRequest[], { clock, store }: CrawlerContext): Promise<number> {
    this.#brands.hurry(domain);
    const reading = (await this.#readBrand(domain)) ?? NO_BRAND;
    await updateRequests(store, open, (one) => {
      return endRequest({ ...one, ...begunAt(one, clock.now()) }, reading, 'adopted', clock.now());
    });
    return 0;
  }

  /** Takes a publisher out that is blocked, and ends what was asked of it. */
  async #withdraw(context: CrawlerContext, domain: string, open: readonly CrawlRequest[]): Promise<number> {
    const { clock, log, store } = context;
    const events = await withdrawPublisher({ ...context, files: this.#files, slices: this.#slices }, domain);
    const completed_at = isoTime(clock.now());
    await updateRequests(store, open, (one) => ({
      ...one,
      status: 'invalid',
      completed_at,
      last_error_code: 'blocked',
    }));
    log.info({ domain, events }, 'a blocked publisher is not read');
    return events;
  }

  async #readLocal(file: LocalFile, lease: Lease): Promise<LocalReading> {
    const { domain } = file;
    let reading: LocalReading = { domain, verdict: 'kept', reason: 'invalid', message: UNREAD, events: 0 };
    await this.#join(`publisher ${domain}`, async () => {
      const outbound = withLocalFile(this.#documents.fetchFor(domain), file);
      const context = { ...this.#contextUnder(lease), files: this.#files, slices: SLICES_AT_ONCE, outbound };
      if (await isBlocked(context.store.read, 'domain', domain)) {
        reading = { ...reading, reason: 'blocked', message: 'The domain is blocked in this registry.' };
        return 0;
      }
      const { events, state, verdict } = await crawlPublisher(context, domain);
      reading = { domain, verdict, reason: state.reason, message: state.message, events };
      return events;
    });
    return reading;
  }

  #visit(agentUrl: string, lease: Lease): Promise<number> {
    return this.#join(`agent ${agentUrl}`, async () => {
      const context = this.#untilEnd(this.#contextUnder(lease));
      // The other side of every authorization: what the agent's operator says of itself. A process that dies before the visit does both again.
      const operator = operatorOf(agentUrl);
      if (operator !== undefined) await this.#readBrand(operator);
      const { fault } = await visitAgent(context, agentUrl);
      this.#context.log.debug({ agent: agentUrl, fault }, 'an agent was visited');
      return 0;
    });
  }

  /** Runs a job when the queue has room, one at a time for each key; a caller that comes meanwhile joins the one under way. */
  #join(key: string, job: () => Promise<number>): Promise<number> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const begun = this.#enqueue(() => (this.#isClosed ? Promise.resolve(0) : job()))
      .catch((error: unknown) => {
        if (error instanceof CrawlEnded) return 0;
        this.#context.log.error(
          { err: error, crawl: key },
          'a crawl failed unexpectedly; it is tried again when it is due',
        );
        return 0;
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }

  /** Queues a job; the queue is loaded with the first one. */
  async #enqueue<T>(job: () => Promise<T>): Promise<T> {
    const { concurrency } = this.#limits;
    this.#queue ??= import('p-queue').then(({ default: Queue }) => new Queue({ concurrency }));
    return await (await this.#queue).add(job);
  }

  /** Reads a domain's brand.json where it is due; undefined where it is not. */
  async #readBrand(domain: string): Promise<BrandReading | undefined> {
    const { outbound, readBrand } = this.#context;
    if (readBrand === undefined || !this.#brands.admit(domain)) return undefined;
    let reading: BrandReading = { reason: 'invalid', isTransient: true };
    try {
      reading = await readBrand(domain, outbound);
    } finally {
      this.#brands.note(domain, reading);
    }
    return reading;
  }

  /** Reads a brand.json that could not be read, unless its domain is blocked. */
  #retryBrand(domain: string, lease: Lease): Promise<number> {
    return this.#join(`brand ${domain}`, async () => {
      const { store } = this.#untilEnd(this.#contextUnder(lease));
      if (await isBlocked(store.read, 'domain', domain)) this.#brands.forget(domain);
      else await this.#readBrand(domain);
      return 0;
    });
  }

  /** Reads the brand.json of a domain that somebody asks for, and those of the operators of its agents, however lately they were read. */
  async #readBrandsAnew(domain: string): Promise<void> {
    const sellers = await this.#context.store.read.crawl.listSellers(domain, '', MAX_OPERATORS);
    for (const one of new Set([domain, ...sellers.flatMap((url) => operatorOf(url) ?? [])])) {
      this.#brands.hurry(one);
      await this.#readBrand(one);
    }
  }

  /** Returns the parts of the registry with a store that takes nothing once another process crawls. */
  #contextUnder(lease: Lease): CrawlerContext {
    const { store } = this.#context;
    const transact: typeof store.transact = (action) =>
      store.transact(async (tx) => {
        await tx.requireLease(lease);
        return action(tx);
      });
    return { ...this.#context, store: { ...store, transact } };
  }

  /** Returns the parts of the registry with a store that takes nothing once the crawler ends. */
  #untilEnd(context: CrawlerContext): CrawlerContext {
    const { store } = context;
    const { signal } = this.#ending;
    if (signal.aborted) throw new CrawlEnded();
    const transact: typeof store.transact = (action) =>
      store.transact((tx) => {
        if (signal.aborted) throw new CrawlEnded();
        return action(tx);
      });
    return { ...context, store: { ...store, transact } };
  }

  /** Returns the domains that are asked for or due, each once, those that somebody waits for first. */
  async #dueDomains(nowMs: number): Promise<readonly string[]> {
    const { crawl } = this.#context.store.read;
    const { perRound } = this.#limits;
    const asked = (await crawl.listOpenRequests(perRound)).filter(
      ({ next_attempt_at: next }) => next === null || Date.parse(next) <= nowMs,
    );
    const due = await crawl.listDue(nowMs, perRound);
    return [...new Set([...asked.map(({ domain }) => domain), ...due])].slice(0, perRound);
  }

  /** Deletes what is old, in slices; returns how many events went. */
  async #forget(nowMs: number): Promise<number> {
    const { clock, store, watch } = this.#context;
    // What is deleted cannot be brought back.
    if (watch?.findJump() !== undefined) return 0;
    const isStopped = (): boolean => this.#ending.signal.aborted;
    const forgotten = await pruneFeed(store, clock, isStopped);
    if (nowMs - this.#sweptAt >= SWEEP_MS) {
      this.#sweptAt = nowMs;
      await store.sweep(nowMs, isStopped);
      await clearBadges(store, nowMs);
      await clearActs(store, nowMs);
    }
    return forgotten;
  }
}

/** A crawl that was cut off because the crawler ends. */
class CrawlEnded extends Error {
  override readonly name = 'CrawlEnded';
}

/** Returns the domain whose brand.json speaks for an agent. */
function operatorOf(agentUrl: string): string | undefined {
  const host = typedDomain(new URL(agentUrl).hostname);
  return host === undefined ? undefined : registrableDomain(host);
}

async function updateRequests(
  store: CrawlerContext['store'],
  open: readonly CrawlRequest[],
  to: (one: CrawlRequest) => CrawlRequest,
): Promise<void> {
  if (open.length === 0) return;
  await store.transact(async (tx) => {
    for (const one of open) await tx.crawl.saveRequest(to(one));
  });
}

function begunAt(one: CrawlRequest, nowMs: number): Pick<CrawlRequest, 'started_at' | 'last_attempted_at'> {
  return { started_at: one.started_at ?? isoTime(nowMs), last_attempted_at: isoTime(nowMs) };
}

/** Returns a request after an attempt: done, or tried again later while that may help. */
function endRequest(
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
