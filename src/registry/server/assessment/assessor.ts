import { isDeepStrictEqual } from 'node:util';
import type PQueue from 'p-queue';
import type { Lease } from '../../../platform/database/leases.js';
import { SharedJob } from '../../../platform/database/shared-job.js';
import { type Clock, HOUR_MS, isoTime, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import type { Log } from '../../../platform/kernel/log.js';
import { settlesWithin } from '../../../platform/kernel/loop.js';
import { readPublicCertificate } from '../../../platform/net/certificate.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import type { ProtocolNames } from '../../../protocol/names.js';
import { type Assessment, assessAgent } from '../../assessment/assess.js';
import { USUAL_BADGE_RELEASE } from '../service/agent/standing.js';
import { changeBadge, takeBadge } from '../service/badges/give.js';
import { isBlocked } from '../service/blocks/find.js';
import { appendChange } from '../service/feed/feed.js';
import type { ServerStore, ServerWriter } from '../store/server-store.js';
import { ASSESSOR, endAssessments } from './consent.js';
import { type AssessmentRun, type AssessmentState, MAX_RUNS } from './records.js';
import { type AssessmentVerdict, judgeAssessment } from './verdict.js';

/** The parts of a registry that assess agents. */
type AssessorContext = {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly names: ProtocolNames;
  readonly outbound: Outbound;
  readonly store: ServerStore;
  /** Lets http and loopback through, in development mode only. */
  readonly isDevelopment: boolean;
};

/** Agents that are assessed at once, and that one round begins with. */
const CONCURRENCY = 2;
const MAX_PER_ROUND = 20;
/** What one assessment may ask of an agent. */
const BOUNDS = { maxRequests: 80, maxBytes: 16 * 1024 * 1024, timeoutMs: 30 * SECOND_MS };
const LEASE_MS = 30 * SECOND_MS;
/** How soon one that said nothing is made again, and how many in a row that could not reach the agent are held against it. */
const RETRY_MS = HOUR_MS;
const MISSES_THAT_FAIL = 3;
/** How long a process that stops waits for what it has asked. */
const CLOSE_MS = SECOND_MS;

/**
 * Assesses the agents whose members consented, each when it is due, by reading alone: what it finds are the events of their compliance, and
 * badges come and go with it. One process of several does it at a time.
 */
export class Assessor {
  readonly #context: AssessorContext;
  readonly #job: SharedJob;
  readonly #running = new Map<string, Promise<void>>();
  #queue: Promise<PQueue> | undefined;
  #isClosed = false;

  constructor(context: AssessorContext) {
    const { log, store } = context;
    this.#context = context;
    this.#job = new SharedJob({ leases: store.leases, name: 'assessments', leaseMs: LEASE_MS, log });
  }

  /** Begins what is due, where this process is the one that assesses. Resolves before it is done, with what ends when it is. */
  async begin(): Promise<{ readonly done: Promise<unknown> }> {
    const { clock, store } = this.#context;
    let begun: readonly Promise<void>[] = [];
    await this.#job.run(async ({ lease }) => {
      if (this.#isClosed || this.#running.size >= MAX_PER_ROUND) return;
      const due = await store.read.crawl.listAssessmentsDue(clock.now(), MAX_PER_ROUND);
      begun = due.map(({ agent_url }) => this.#join(agent_url, lease));
    });
    return { done: Promise.all(begun) };
  }

  /** Lets what was asked be answered for a moment; what is not done by then is due again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await settlesWithin(Promise.all(this.#running.values()), CLOSE_MS);
    await this.#job.release().catch(() => undefined);
  }

  #join(url: string, lease: Lease): Promise<void> {
    const running = this.#running.get(url);
    if (running !== undefined) return running;
    const begun = this.#enqueue(() => this.#assess(url, lease))
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#context.log.error({ err: error, agent: url }, 'an assessment failed unexpectedly');
      })
      .finally(() => this.#running.delete(url));
    this.#running.set(url, begun);
    return begun;
  }

  async #enqueue(job: () => Promise<void>): Promise<void> {
    this.#queue ??= import('p-queue').then(({ default: Queue }) => new Queue({ concurrency: CONCURRENCY }));
    await (await this.#queue).add(job);
  }

  async #assess(url: string, lease: Lease): Promise<void> {
    if (this.#isClosed || !(await this.#claim(url, lease))) return;
    const assessment = await this.#examine(url);
    if (this.#isClosed) return;
    const run = await this.#transact(lease, (tx) => this.#record(tx, url, assessment));
    if (run !== undefined) this.#context.log.info({ agent: url, status: run.status }, 'an agent was assessed');
  }

  /** Puts the assessment off before it begins, so that one that ends the process is not made again at once; false where none is wanted. */
  #claim(url: string, lease: Lease): Promise<boolean> {
    const { clock } = this.#context;
    return this.#transact(lease, async (tx) => {
      const state = await tx.crawl.findAssessment(url);
      if (state === undefined || isIdle(state, clock.now())) return false;
      if ((await tx.member_agent.find(url)) === undefined || (await isBlocked(tx, 'agent', url))) {
        await endAssessments(tx, clock, url);
        return false;
      }
      await tx.crawl.saveAssessment({ ...state, dueAt: clock.now() + RETRY_MS });
      return true;
    });
  }

  #examine(url: string): Promise<Assessment> {
    const { clock, ids, isDevelopment, names, outbound } = this.#context;
    return assessAgent({
      outbound,
      clock,
      names,
      url,
      local: isDevelopment,
      ...(!isDevelopment && { readCertificate: readPublicCertificate }),
      uuid: ids.uuid,
      bounds: BOUNDS,
    });
  }

  /** Stores what an assessment came to, with its events; nothing where the consent is gone by now. */
  async #record(tx: ServerWriter, url: string, assessment: Assessment): Promise<AssessmentRun | undefined> {
    const { clock, ids } = this.#context;
    const state = await tx.crawl.findAssessment(url);
    if (state === undefined) return undefined;
    const verdict = judgeAssessment(assessment);
    const misses = verdict.isConclusive ? 0 : state.misses + 1;
    const counts = verdict.isConclusive || misses >= MISSES_THAT_FAIL;
    const { headline, status, tracks } = verdict.compliance;
    const run: AssessmentRun = {
      id: ids.uuid(),
      at: assessment.startedAt,
      tookMs: assessment.tookMs,
      requests: assessment.requests,
      trigger: state.askedBy ?? 'schedule',
      status: counts ? status : 'unknown',
      headline,
      tracks,
      release: verdict.release,
    };
    const roles = counts ? await this.#tell(tx, state, verdict) : state.roles;
    await tx.crawl.saveAssessment({
      ...state,
      misses,
      roles,
      askedBy: undefined,
      dueAt: clock.now() + (counts ? state.intervalHours * HOUR_MS : RETRY_MS),
      runs: [run, ...state.runs].slice(0, MAX_RUNS),
    });
    return run;
  }

  /** Tells what changed to the feed, of agents that it tells of; returns the roles of the badges that assessments gave. */
  async #tell(tx: ServerWriter, state: AssessmentState, verdict: AssessmentVerdict): Promise<readonly string[]> {
    const { clock, ids } = this.#context;
    const { agent_url } = state;
    const agent = await tx.agent.find(agent_url);
    if (agent === undefined) return [];
    const { badges, compliance, release } = verdict;
    const { last_checked_at: _at, ...before } = agent.compliance ?? { status: 'unknown' };
    if (!isDeepStrictEqual(before, compliance))
      await appendChange(tx, clock, {
        event_type: 'agent.compliance_changed',
        entity_id: agent_url,
        payload: {
          agent_url,
          ...compliance,
          previous_status: before.status,
          current_status: compliance.status,
          last_checked_at: isoTime(clock.now()),
        },
        actor: ASSESSOR,
      });
    const watched = new Set((agent.badges ?? []).filter(isWatched).map(({ role }) => role));
    const earned = badges.filter(({ role }) => !watched.has(role));
    const roles = earned.map(({ role }) => role);
    const adcp_version = release ?? USUAL_BADGE_RELEASE;
    const given = {
      agent,
      agent_url,
      adcp_version,
      verification_modes: ['spec'],
      reason: '',
      actor: ASSESSOR,
    } as const;
    for (const { role, specialisms } of earned)
      await changeBadge(tx, { clock, newId: ids.uuid }, { ...given, role, verified_specialisms: specialisms });
    const isFailing = compliance.status === 'failing';
    const lost = (agent.badges ?? []).filter(
      (badge) => !roles.includes(badge.role) && !isWatched(badge) && (isFailing || state.roles.includes(badge.role)),
    );
    for (const { role } of lost)
      await takeBadge(tx, clock, { agent_url, role, reason: compliance.headline, actor: ASSESSOR });
    return roles;
  }

  #transact<T>(lease: Lease, action: (tx: ServerWriter) => Promise<T>): Promise<T> {
    return this.#context.store.transact(async (tx) => {
      await tx.requireLease(lease);
      return action(tx);
    });
  }
}

/** Whether no assessment is to be made just now. */
function isIdle({ askedBy, dueAt, pausedAt }: AssessmentState, nowMs: number): boolean {
  return dueAt > nowMs || (pausedAt !== undefined && askedBy === undefined);
}

/** Whether a badge rests on traffic that was watched too: an assessment says nothing about that. */
function isWatched({ verification_modes = [] }: { readonly verification_modes?: readonly string[] }): boolean {
  return verification_modes.includes('live');
}
