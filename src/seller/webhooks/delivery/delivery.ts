import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import type { Log } from '../../../platform/kernel/log.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import type { Store, Writer } from '../../store/store.js';
import type { ClaimedEvent } from '../../store/webhooks/outbox-rows.js';
import { createWebhookOperations, type WebhookOperations } from '../operate.js';
import { createOutbox, type Outbox, type OutboxPorts } from '../outbox.js';
import { DEAD_REASONS, type DeadReason } from './answers.js';
import { type AttemptResult, attemptDelivery, DELIVERY_POLICY, type DeliveryPolicy, postponed } from './attempt.js';
import { createEndpointCache, type Endpoint } from './endpoint.js';
import { createLanes, type Lanes, LIMITS, type Limits } from './lanes.js';
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
};

/**
 * Delivers the events of the outbox to their receivers, at least once. Nothing is sent before `start`. All state that counts is in
 * the store: a process that is killed at any point sends the same bytes under the same key again.
 */
export type Delivery = Outbox &
  WebhookOperations & {
    /** Releases the claims of a stopped process, and begins to send. */
    readonly start: () => Promise<void>;
    /** Sends events that have become due; gives up events that have expired. Cheap when there is nothing: call it every second. */
    readonly tick: () => Promise<void>;
    /** Resolves when no event that is due can be sent any more. */
    readonly idle: () => Promise<void>;
    /** Lets attempts under way end (each within its time), stores their results, and sends nothing more. */
    readonly close: () => Promise<void>;
  };

/** How long a claim lasts: longer than an event waits in its lane and its attempt can take together. */
const CLAIM_MS = 5 * MINUTE_MS;
/** How long sent events and their attempts can be read. */
const RETENTION_MS = 30 * DAY_MS;
const SWEEP_EVERY_MS = MINUTE_MS;
const PRUNE_EVERY_MS = HOUR_MS;

type EndedAttempt = AttemptResult & { readonly event: ClaimedEvent };

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
  };
}

/** Claims due events, attempts each in its lane, and stores the results: many events to a transaction. */
class DeliveryQueue {
  readonly #ports: DeliveryPorts;
  readonly #policy: (tenant: string) => DeliveryPolicy;
  readonly #lanes: Lanes;
  readonly #prove: Prover;
  readonly #findEndpoint: (url: string) => Endpoint | undefined;
  /** Attempts under way or not stored yet, by the number of their event. */
  readonly #underWay = new Map<number, Promise<void>>();
  /** Tenants whose missing key was logged. */
  readonly #unproven = new Set<string>();
  /** Attempts whose results are not stored yet. */
  #ended: EndedAttempt[] = [];
  #state: 'idle' | 'open' | 'closing' = 'idle';
  #running: Promise<void> | undefined;
  #isRoundWanted = false;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: DeliveryPorts & { readonly policy: (tenant: string) => DeliveryPolicy }) {
    this.#ports = ports;
    this.#policy = ports.policy;
    this.#lanes = createLanes(ports.limits ?? LIMITS, () => ports.clock.now());
    this.#prove = createProver(ports.sign, ports.ids);
    this.#findEndpoint = createEndpointCache();
  }

  async start(): Promise<void> {
    const { store, clock } = this.#ports;
    await store.transact((tx) => tx.outbox.recover(clock.now(), SCHEDULE.horizonMs));
    this.#state = 'open';
    await this.tick();
  }

  async tick(): Promise<void> {
    if (this.#state !== 'open') return;
    await this.#sweep(this.#ports.clock.now());
    this.#wake();
  }

  async idle(): Promise<void> {
    // Results that could not be stored wait for the next tick.
    while (this.#running !== undefined || this.#underWay.size > this.#ended.length) {
      await this.#running;
      await Promise.all(this.#underWay.values());
    }
  }

  async close(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    await this.idle();
    this.#state = 'idle';
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
    let claimed: readonly ClaimedEvent[];
    try {
      claimed = await this.#ports.store.transact(async (tx) => {
        for (const attempt of settling) await this.#storeResult(tx, attempt);
        const events: ClaimedEvent[] = [];
        for (const { endpoint, count } of wanted) {
          events.push(...(await tx.outbox.claim(endpoint, nowMs, nowMs - CLAIM_MS, count)));
        }
        await this.#correctLanes(tx, [...settling.flatMap(endpointsOf), ...wanted.map(({ endpoint }) => endpoint)]);
        return events;
      });
    } catch (error) {
      this.#ended = [...settling, ...this.#ended];
      throw error;
    }
    for (const { event } of settling) this.#underWay.delete(event.seq);
    for (const event of claimed) this.#enqueue(event);
  }

  async #storeResult(tx: Writer, { settled, record, moved, paused }: EndedAttempt): Promise<void> {
    await tx.outbox.settle(settled);
    if (record !== undefined) await tx.outbox.record(record);
    if (moved !== undefined) await tx.outbox.readdress(moved.mediaBuyId, moved.channel, moved.endpoint);
    if (paused !== undefined) await tx.outbox.pause(paused.channel, paused.url, this.#ports.clock.now());
  }

  /** Corrects lanes by the store once that is committed; events that are added in the same commit are announced after this. */
  async #correctLanes(tx: Writer, endpoints: readonly string[]): Promise<void> {
    for (const endpoint of new Set(endpoints)) {
      const dueMs = await tx.outbox.nextDue(endpoint);
      tx.onCommit(() => this.#lanes.correct(endpoint, dueMs));
    }
  }

  #enqueue(event: ClaimedEvent): void {
    // A claim that lapsed while its attempt was still under way, as when the machine slept.
    if (this.#underWay.has(event.seq)) return;
    const attempt = async () => {
      const result = await this.#attempt(event);
      this.#ended.push({ ...result, event });
      return result.verdict;
    };
    const done = this.#lanes.run(event.endpoint, attempt).then((wantsMore) => {
      // Else the lane has enough events: this result is stored with more of its kind, at the latest by the next tick.
      if (wantsMore) this.#wake();
    });
    this.#underWay.set(event.seq, done);
  }

  async #attempt(event: ClaimedEvent): Promise<AttemptResult> {
    const { store, clock, outbound, log } = this.#ports;
    const nowMs = clock.now();
    if (this.#state !== 'open' || !this.#lanes.mayCall(event.endpoint, nowMs)) {
      return { settled: postponed(event, { atMs: nowMs }) };
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
      this.#logResult(event, result);
      return result;
    } catch (error) {
      log.error({ err: error, ...logDetails(event) }, 'a webhook could not be sent; it is tried again');
      const reason = 'it could not be sent';
      return { settled: postponed(event, { atMs: nowMs + MINUTE_MS, reason, ownDelay: SCHEDULE }) };
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

  async #sweep(nowMs: number): Promise<void> {
    if (nowMs - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = nowMs;
    const { store, log } = this.#ports;
    this.#lanes.forget();
    const expired = await store.transact((tx) => tx.outbox.expire(nowMs, 'expired' satisfies DeadReason));
    if (expired > 0) log.warn({ expired }, 'webhooks were given up; they are kept');
    for (const { endpoint, next_attempt_at } of await store.read.outbox.due()) {
      this.#lanes.expect(endpoint, next_attempt_at);
    }
    if (nowMs - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = nowMs;
    await store.transact((tx) => tx.outbox.prune(nowMs - RETENTION_MS));
  }
}

function logDetails({ tenant, idempotency_key, endpoint }: ClaimedEvent): object {
  return { tenant, idempotency_key, endpoint };
}

function endpointsOf({ event, moved }: EndedAttempt): readonly string[] {
  return moved === undefined ? [event.endpoint] : [event.endpoint, moved.endpoint];
}
