import type { Lease } from '../../../platform/database/leases.js';
import { SharedJob } from '../../../platform/database/shared-job.js';
import { Tally } from '../../../platform/health/tally.js';
import { type Clock, MINUTE_MS, monotonicMs, SECOND_MS } from '../../../platform/kernel/clock.js';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { freshBytes, type Ids } from '../../../platform/kernel/ids.js';
import type { Log } from '../../../platform/kernel/log.js';
import { runSlices } from '../../../platform/kernel/slices.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import type { Store, Writer } from '../../store/store.js';
import type { ClaimedEvent, ClaimKind, EventState } from '../../store/webhooks/outbox/rows.js';
import { createWebhookOperations, type WebhookOperations } from '../operate.js';
import { createOutbox, type Outbox, type OutboxPorts } from '../outbox.js';
import { DEAD_REASONS, type DeadReason } from './answers.js';
import { type AttemptResult, attemptDelivery, DELIVERY_POLICY, type DeliveryPolicy, postponeEvent } from './attempt.js';
import { createEndpointCache, type Endpoint, splitEndpoint } from './endpoint.js';
import { createLanes, type Demand, type Lanes, LIMITS, type Limits } from './lanes.js';
import { createProver, type FindSigner, type Prover } from './proof.js';
import { SCHEDULE } from './schedule.js';

/** The ports and settings of delivery. */
export type DeliveryPorts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid' | 'secret'>;
  readonly log: Log;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly sign: FindSigner;
  /** How a tenant's events are delivered; the default where it says nothing. */
  readonly policy?: (tenant: string) => DeliveryPolicy;
  readonly limits?: Limits;
  /** How long what a process has in hand is its own, where several share the store, in ms. */
  readonly leaseMs?: number;
};

/**
 * Delivers the events of the outbox to their receivers, at least once, from `start` on. All state that counts is in the store: a process
 * that is killed at any point sends the same bytes under the same key again.
 */
export type Delivery = Outbox &
  WebhookOperations & {
    /** Begins to send; what a stopped process had claimed as well, in a store that is this one's alone. */
    readonly start: () => Promise<void>;
    /** Sends events that have become due; gives up events that have expired. Cheap when there is nothing: call it every second. */
    readonly tick: () => Promise<void>;
    /** Resolves when no event that is due can be sent any more. */
    readonly idle: () => Promise<void>;
    /** Lets attempts under way end (each within its time), stores their results, and sends nothing more. */
    readonly close: () => Promise<void>;
    /** The attempts of this process, by result. */
    readonly attempts: Tally;
  };

/** How long a claim lasts in a store of one process, which loses none of its own. */
const CLAIM_MS = 5 * MINUTE_MS;
/** How long what a process of several has in hand is its own, unless set. */
const LEASE_MS = 30 * SECOND_MS;
/** How often events that have expired are given up, and the store is asked for what is due. */
const SWEEP_EVERY_MS = MINUTE_MS;
/** How often one of several processes at least asks for events that others have posted, or left behind. */
const SHARED_POLL_MS = 5 * SECOND_MS;
/** Where nobody has looked after the outbox for so long, events that wait were held up by us. */
const MAX_IDLE_MS = 5 * MINUTE_MS;

/** After this many attempts of an event only one of as many is stored. */
const FULLY_RECORDED_ATTEMPTS = 20;
/** Most events that are made due in one transaction when an outage is over. */
const HURRIED_ROWS = 500;

type EndedAttempt = AttemptResult & { readonly event: ClaimedEvent };

/** An event that was claimed; `isForced` where it is sent whatever the breaker says. */
type Taken = { readonly event: ClaimedEvent; readonly isForced: boolean };

/** An attempt that is under way, or whose result is not stored yet. */
type InFlight = { readonly claim: string; readonly done: Promise<void> };

/** Makes the delivery over a store, with its outbox and the operations on it. */
export function createDelivery(ports: DeliveryPorts): Delivery {
  const { clock, ids, log, policy = () => DELIVERY_POLICY } = ports;
  const queue = new DeliveryQueue({ ...ports, policy });
  const outboxPorts: OutboxPorts = {
    clock,
    ids,
    log,
    horizonMs: (tenant) => policy(tenant).schedule.horizonMs,
    announce: (endpoint, dueMs) => queue.announce(endpoint, dueMs),
  };
  const outbox = createOutbox(outboxPorts);
  return {
    ...outbox,
    ...createWebhookOperations(outbox, outboxPorts),
    start: () => queue.start(),
    tick: () => queue.tick(),
    idle: () => queue.idle(),
    close: () => queue.close(),
    attempts: queue.attempts,
  };
}

/** Claims due events, attempts each in its lane, and stores the results: many events to a transaction. */
class DeliveryQueue {
  /** Attempts by result. */
  readonly attempts = new Tally();
  readonly #ports: DeliveryPorts;
  readonly #policy: (tenant: string) => DeliveryPolicy;
  readonly #lanes: Lanes;
  readonly #prove: Prover;
  readonly #findEndpoint: (owner: string, url: string) => Endpoint | undefined;
  readonly #leaseMs: number;
  readonly #givingUp: SharedJob;
  /** By the number of the event. */
  readonly #inFlight = new Map<number, InFlight>();
  /** Tenants whose missing key was logged. */
  readonly #unproven = new Set<string>();
  /** Attempts whose results are not stored yet. */
  #ended: EndedAttempt[] = [];
  #state: 'idle' | 'open' | 'closing' = 'idle';
  #running: Promise<void> | undefined;
  /** Makes events due whose endpoints are back. */
  #hurrying: Promise<void> = Promise.resolve();
  #isRoundWanted = false;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #pollAt = Number.NEGATIVE_INFINITY;
  /** The taking of the outbox's lease that was looked at for a time in which nobody had it. */
  #seenFence: number | undefined;

  constructor(ports: DeliveryPorts & { readonly policy: (tenant: string) => DeliveryPolicy }) {
    const { log, store, leaseMs = LEASE_MS } = ports;
    this.#ports = ports;
    this.#leaseMs = leaseMs;
    this.#givingUp = new SharedJob({ leases: store.leases, name: 'webhooks', leaseMs, log });
    this.#policy = ports.policy;
    this.#lanes = createLanes(ports.limits ?? LIMITS, () => ports.clock.now());
    this.#prove = createProver(ports.sign, ports.ids);
    this.#findEndpoint = createEndpointCache();
  }

  async start(): Promise<void> {
    const { store } = this.#ports;
    // Of several processes each has its claims until they end.
    if (!store.isShared) await store.transact((tx) => tx.outbox.releaseClaims());
    this.#state = 'open';
    await this.tick();
  }

  async tick(): Promise<void> {
    if (this.#state !== 'open') return;
    const nowMs = this.#ports.clock.now();
    await this.#sweep(nowMs);
    await this.#poll(nowMs);
    this.#wake();
  }

  async idle(): Promise<void> {
    // Results that could not be stored wait for the next tick.
    while (this.#running !== undefined || this.#inFlight.size > this.#ended.length) {
      await this.#running;
      await this.#hurrying;
      await Promise.all([...this.#inFlight.values()].map(({ done }) => done));
    }
  }

  async close(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    await this.idle();
    this.#state = 'idle';
    await this.#givingUp.release();
  }

  /** Notes that an event for the endpoint is stored and due at `dueMs`. */
  announce(endpoint: string, dueMs: number): void {
    this.#lanes.expect(endpoint, dueMs);
    if (dueMs <= this.#ports.clock.now()) this.#wake();
  }

  #wake(): void {
    if (this.#state === 'idle') return;
    this.#isRoundWanted = true;
    this.#running ??= this.#runRounds();
  }

  async #runRounds(): Promise<void> {
    try {
      while (this.#isRoundWanted) {
        this.#isRoundWanted = false;
        await this.#runRound();
      }
    } catch (error) {
      this.#ports.log.error({ err: error }, 'webhooks could not be taken or settled; it is tried again');
    } finally {
      this.#running = undefined;
    }
  }

  /** Stores the results of ended attempts and claims as many events as there is room for, in one transaction. */
  async #runRound(): Promise<void> {
    const nowMs = this.#ports.clock.now();
    const wanted = this.#state === 'open' ? this.#lanes.wanted(nowMs) : [];
    const settling = this.#ended;
    if (settling.length === 0 && wanted.length === 0) return;
    this.#ended = [];
    const claimedAtMs = monotonicMs();
    let claimed: readonly Taken[];
    try {
      claimed = await this.#ports.store.transact(
        async (tx) => {
          for (const attempt of settling) await this.#storeResult(tx, attempt);
          const events = await this.#claim(tx, wanted, nowMs);
          await this.#correctLanes(tx, [...settling.flatMap(endpointsOf), ...wanted.map(({ endpoint }) => endpoint)]);
          return events;
        },
        { isolation: 'rows' },
      );
    } catch (error) {
      this.#ended = [...settling, ...this.#ended];
      throw error;
    }
    for (const { event } of settling) this.#inFlight.delete(event.seq);
    for (const taken of claimed) this.#enqueue(taken, claimedAtMs);
    const recovered = this.#lanes.takeRecovered();
    if (recovered.length > 0) this.#hurrying = this.#hurrying.then(() => this.#hurryAll(recovered));
  }

  async #claim(tx: Writer, wanted: readonly Demand[], nowMs: number): Promise<readonly Taken[]> {
    const { ids, store } = this.#ports;
    // An attempt begins within the lease, and ends within its own time after that.
    const leaseMs = store.isShared ? this.#leaseMs + DELIVERY_POLICY.timeoutMs : CLAIM_MS;
    const claim = ids.uuid();
    const taken: Taken[] = [];
    for (const { endpoints, kind, count: limit } of groupDemands(wanted)) {
      const claiming = { endpoints, kind, claim, nowMs, leaseMs, limit };
      const due = await tx.outbox.claim(claiming);
      const foundEndpoints = new Set(due.map(({ endpoint }) => endpoint));
      const empty = kind === 'late_probe' ? endpoints.filter((endpoint) => !foundEndpoints.has(endpoint)) : [];
      const early = empty.length === 0 ? [] : await tx.outbox.claim({ ...claiming, kind: 'probe', endpoints: empty });
      for (const event of [...due, ...early]) taken.push({ event, isForced: kind !== 'due' });
    }
    return taken;
  }

  /** Makes events due that wait for a later attempt, where their endpoints are back. */
  async #hurryAll(endpoints: readonly string[]): Promise<void> {
    const { store, clock, log } = this.#ports;
    try {
      for (const endpoint of endpoints) {
        const nowMs = clock.now();
        let after = 0;
        do {
          const last = await store.transact((tx) => tx.outbox.hurry({ endpoint, nowMs, after, limit: HURRIED_ROWS }));
          if (last === undefined) break;
          after = last;
          this.#lanes.expect(endpoint, nowMs);
          this.#wake();
        } while (this.#state === 'open');
      }
    } catch (error) {
      log.error({ err: error }, 'webhooks wait for their later attempts though their endpoint is back');
    }
  }

  async #storeResult(tx: Writer, { event, settled, record, moved, paused }: EndedAttempt): Promise<void> {
    const claim = this.#inFlight.get(event.seq)?.claim ?? event.claim;
    if (!(await tx.outbox.settle({ ...settled, claim }))) {
      tx.onCommit(() => this.#ports.log.warn(logDetails(event), 'a webhook was sent too late: another process has it'));
      return;
    }
    if (record !== undefined && isRecorded(record.attempt, settled.state)) await tx.outbox.record(record);
    if (moved !== undefined) await tx.outbox.readdress(moved.mediaBuyId, moved.channel, moved.endpoint);
    if (paused !== undefined) await tx.outbox.pause(paused.channel, paused.url, this.#ports.clock.now());
  }

  /** Corrects lanes by the store once that is committed; events that are added in the same commit are announced after this. */
  async #correctLanes(tx: Writer, endpoints: readonly string[]): Promise<void> {
    const mark = this.#lanes.mark();
    const due = await tx.outbox.nextDue([...new Set(endpoints)]);
    tx.onCommit(() => {
      for (const { endpoint, next_attempt_at } of due)
        this.#lanes.correct(endpoint, next_attempt_at ?? undefined, mark);
    });
  }

  #enqueue({ event, isForced }: Taken, claimedAtMs: number): void {
    const inFlight = this.#inFlight.get(event.seq);
    if (inFlight !== undefined) {
      // Its claim ended while its attempt was still under way, as when the machine slept: the result counts under the new one.
      this.#inFlight.set(event.seq, { ...inFlight, claim: event.claim });
      return;
    }
    const attempt = async () => {
      const canCall = isForced || this.#lanes.mayCall(event.endpoint);
      const result = await this.#attempt(event, canCall && !this.#isStale(claimedAtMs));
      this.#ended.push({ ...result, event });
      return result.verdict;
    };
    const done = this.#lanes.run(event.endpoint, attempt).then((wantsMore) => {
      // Else the lane has enough events: this result is stored with more of its kind, at the latest by the next tick.
      if (wantsMore) this.#wake();
    });
    this.#inFlight.set(event.seq, { claim: event.claim, done });
  }

  /** Whether a claim has waited in its lane for so long that its attempt could outlast it. */
  #isStale(claimedAtMs: number): boolean {
    return this.#ports.store.isShared && monotonicMs() - claimedAtMs > this.#leaseMs / 2;
  }

  async #attempt(event: ClaimedEvent, mayCall: boolean): Promise<AttemptResult> {
    const { store, clock, outbound, log } = this.#ports;
    const nowMs = clock.now();
    if (this.#state !== 'open' || !mayCall) {
      return { settled: postponeEvent(event, { atMs: nowMs }) };
    }
    try {
      const result = await attemptDelivery(event, {
        store,
        clock,
        outbound,
        prove: this.#prove,
        findEndpoint: this.#findEndpoint,
        policy: this.#policy(event.tenant),
      });
      if (result.verdict !== undefined) this.attempts.add(result.verdict.activity);
      this.#logResult(event, result);
      return result;
    } catch (error) {
      log.error({ err: error, ...logDetails(event) }, 'a webhook could not be sent; it is tried again');
      const reason = 'it could not be sent';
      return { settled: postponeEvent(event, { atMs: nowMs + MINUTE_MS, reason, ownDelay: SCHEDULE }) };
    }
  }

  #logResult(event: ClaimedEvent, { settled, verdict, isUnproven }: AttemptResult): void {
    const { log } = this.#ports;
    const { tenant } = event;
    if (!isUnproven) this.#unproven.delete(tenant);
    else if (!this.#unproven.has(tenant)) {
      this.#unproven.add(tenant);
      log.error({ tenant }, 'there is no key to sign webhooks with; they wait');
    }
    if (verdict?.signatureError !== undefined) {
      log.error({ ...logDetails(event), code: verdict.signatureError }, 'a receiver rejects our signature');
    }
    if (settled.state === 'dead') {
      const why = DEAD_REASONS[settled.reason as DeadReason];
      log.warn({ ...logDetails(event), why }, 'a webhook was given up; it is kept');
    }
  }

  /** Gives up events that have expired; one process at a time does. */
  async #sweep(nowMs: number): Promise<void> {
    // A clock that was set back has swept in the future.
    if (Math.abs(nowMs - this.#sweptAt) < SWEEP_EVERY_MS) return;
    this.#sweptAt = nowMs;
    this.#lanes.forget();
    await this.#givingUp.run(async ({ lease, isLost }) => {
      await this.#extend(lease, nowMs);
      await this.#giveUpExpired(nowMs, isLost);
    });
  }

  /** Gives events that were never tried their whole time again after one in which no process could try them. */
  async #extend({ fence, idleMs }: Lease, nowMs: number): Promise<void> {
    if (fence === this.#seenFence) return;
    if (idleMs === undefined || idleMs > MAX_IDLE_MS)
      await this.#ports.store.transact((tx) => tx.outbox.extend(nowMs, SCHEDULE.horizonMs));
    this.#seenFence = fence;
  }

  async #giveUpExpired(nowMs: number, isLost: () => boolean): Promise<void> {
    const { store, log } = this.#ports;
    for (const { endpoint, count } of await store.read.outbox.overdue(nowMs)) this.#lanes.hurry(endpoint, count);
    let expired = 0;
    const isStopped = () => this.#state !== 'open' || isLost();
    await runSlices(async (limit) => {
      const given = await store.transact((tx) => tx.outbox.expire(nowMs, 'expired' satisfies DeadReason, limit));
      expired += given;
      return given >= limit;
    }, isStopped);
    if (expired > 0) log.warn({ expired }, 'webhooks were given up; they are kept');
  }

  /** Asks the store now and then for what other processes have posted, or have left behind. */
  async #poll(nowMs: number): Promise<void> {
    if (nowMs < this.#pollAt && this.#pollAt - nowMs <= SWEEP_EVERY_MS) return;
    // Not all processes at the same moment.
    const jitter = 0.5 + (freshBytes(1)[0] ?? 0) / 512;
    this.#pollAt = nowMs + (this.#ports.store.isShared ? jitter * SHARED_POLL_MS : SWEEP_EVERY_MS);
    await this.#expectAll(nowMs);
  }

  /** Reads for each endpoint when its next event is due, and whether it waits because it has failed. */
  async #expectAll(nowMs: number): Promise<void> {
    const { read } = this.#ports.store;
    const pace = startPace();
    for (let page = await read.outbox.dueAfter(''); page.length > 0; ) {
      for (const { endpoint, next_attempt_at, attempts } of page) {
        this.#lanes.expect(endpoint, next_attempt_at);
        if (attempts > 0 && next_attempt_at > nowMs) this.#lanes.suspect(endpoint);
      }
      if (pace.isDue()) await pace.rest();
      page = await read.outbox.dueAfter(page.at(-1)?.endpoint ?? '');
    }
  }
}

function logDetails({ tenant, idempotency_key, endpoint }: ClaimedEvent): object {
  return { tenant, idempotency_key, endpoint: splitEndpoint(endpoint).origin };
}

function endpointsOf({ event, moved }: EndedAttempt): readonly string[] {
  return moved === undefined ? [event.endpoint] : [event.endpoint, moved.endpoint];
}

/** Whether an attempt is stored: an endpoint that is probed for a day has thousands that say the same. */
function isRecorded(attempt: number, state: EventState): boolean {
  return attempt <= FULLY_RECORDED_ATTEMPTS || attempt % FULLY_RECORDED_ATTEMPTS === 0 || state !== 'pending';
}

/** Endpoints of which the same is claimed. */
type DemandGroup = { readonly endpoints: string[]; readonly kind: ClaimKind; readonly count: number };

function groupDemands(demands: readonly Demand[]): readonly DemandGroup[] {
  const groups = new Map<string, DemandGroup>();
  for (const { endpoint, kind, count } of demands) {
    const group = groups.get(`${kind} ${count}`) ?? { endpoints: [], kind, count };
    group.endpoints.push(endpoint);
    groups.set(`${kind} ${count}`, group);
  }
  return [...groups.values()];
}
