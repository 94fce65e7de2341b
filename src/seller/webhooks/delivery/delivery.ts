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
import { createEndpointCache } from './endpoint.js';
import { createLanes, LIMITS, type Limits } from './lanes.js';
import { createProver, type FindSigner } from './proof.js';
import { SCHEDULE } from './schedule.js';

/** What delivery works with. */
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
 * Brings what the outbox holds to its receivers, at least once (spec 3, Events). Nothing is sent before `start`. All state that
 * matters is in the store: a process that is killed at any point sends the same bytes under the same key again.
 */
export type Delivery = Outbox &
  WebhookOperations & {
    /** Frees what a stopped process had in hand, and begins to send. */
    readonly start: () => Promise<void>;
    /** Sends what has become due; gives up what has expired. Cheap when there is nothing: call it every second. */
    readonly tick: () => Promise<void>;
    /** Resolves when nothing that is due can be sent any more. */
    readonly idle: () => Promise<void>;
    /** Lets attempts under way end (each within its time), keeps what they came to, and sends nothing more. */
    readonly close: () => Promise<void>;
  };

/** How long a claimed event is ours. Longer than its turn in the lane and its attempt can take together. */
const CLAIM_MS = 5 * MINUTE_MS;
/** How long what was sent, and how it went, can be read (facts 1.8). */
const RETENTION_MS = 30 * DAY_MS;

type Ended = AttemptResult & { readonly event: ClaimedEvent };

/** Delivery over a store. */
export function createDelivery(ports: DeliveryPorts): Delivery {
  const { store, clock, log, outbound, policy = () => DELIVERY_POLICY } = ports;
  const lanes = createLanes(ports.limits ?? LIMITS, clock.now);
  const prove = createProver(ports.sign, ports.ids);
  const placeOf = createEndpointCache();
  const inHand = new Map<number, Promise<void>>();
  const unproven = new Set<string>();
  let ended: Ended[] = [];
  let state: 'idle' | 'open' | 'closing' = 'idle';
  let turning: Promise<void> | undefined;
  let again = false;
  let swept = Number.NEGATIVE_INFINITY;
  let pruned = Number.NEGATIVE_INFINITY;

  function wake(): void {
    if (state === 'idle') return;
    again = true;
    turning ??= rounds();
  }

  async function rounds(): Promise<void> {
    try {
      while (again) {
        again = false;
        await turn();
      }
    } catch (error) {
      log.error({ err: error }, 'webhooks could not be taken or settled; it is tried again');
    } finally {
      turning = undefined;
    }
  }

  /** Keeps what has ended and takes what there is room for, in one transaction. */
  async function turn(): Promise<void> {
    const nowMs = clock.now();
    const wanted = state === 'open' ? lanes.wanted(nowMs) : [];
    const settling = ended;
    if (settling.length === 0 && wanted.length === 0) return;
    ended = [];
    let claimed: readonly ClaimedEvent[];
    try {
      claimed = await store.transact(async (tx) => {
        for (const one of settling) await keep(tx, one);
        const taken: ClaimedEvent[] = [];
        for (const { endpoint, count } of wanted) {
          taken.push(...(await tx.outbox.claim(endpoint, nowMs, nowMs - CLAIM_MS, count)));
        }
        await correctLanes(tx, [...settling.flatMap(endpointsOf), ...wanted.map(({ endpoint }) => endpoint)]);
        return taken;
      });
    } catch (error) {
      ended = [...settling, ...ended];
      throw error;
    }
    for (const { event } of settling) inHand.delete(event.seq);
    for (const event of claimed) begin(event);
  }

  async function keep(tx: Writer, { settled, record, moved, paused }: Ended): Promise<void> {
    await tx.outbox.settle(settled);
    if (record !== undefined) await tx.outbox.record(record);
    if (moved !== undefined) await tx.outbox.readdress(moved.mediaBuyId, moved.channel, moved.endpoint);
    if (paused !== undefined) await tx.outbox.pause(paused.channel, paused.url, clock.now());
  }

  /** Tells lanes what is left, once that is true; what is posted after this in the same commit is announced after this. */
  async function correctLanes(tx: Writer, endpoints: readonly string[]): Promise<void> {
    for (const endpoint of new Set(endpoints)) {
      const dueMs = await tx.outbox.nextDue(endpoint);
      tx.onCommit(() => lanes.correct(endpoint, dueMs));
    }
  }

  function begin(event: ClaimedEvent): void {
    // A claim that lapsed while its attempt was still under way, as when the machine slept.
    if (inHand.has(event.seq)) return;
    const work = async () => {
      const done = await attempt(event);
      ended.push({ ...done, event });
      return done.verdict;
    };
    const done = lanes.run(event.endpoint, work).then((wantsMore) => {
      // Else the lane has enough in hand: what ended is kept with more of its kind, at the latest by the next tick.
      if (wantsMore) wake();
    });
    inHand.set(event.seq, done);
  }

  async function attempt(event: ClaimedEvent): Promise<AttemptResult> {
    const nowMs = clock.now();
    if (state !== 'open' || !lanes.mayCall(event.endpoint, nowMs)) return { settled: postponed(event, nowMs) };
    try {
      const rules = policy(event.tenant);
      const done = await attemptDelivery(event, { store, clock, outbound, prove, placeOf, policy: rules });
      report(event, done);
      return done;
    } catch (error) {
      log.error({ err: error, ...named(event) }, 'a webhook could not be sent; it is tried again');
      return { settled: postponed(event, nowMs + MINUTE_MS, 'it could not be sent', SCHEDULE) };
    }
  }

  function report(event: ClaimedEvent, { settled, verdict, trouble }: AttemptResult): void {
    const { tenant } = event;
    if (trouble === undefined) unproven.delete(tenant);
    else if (!unproven.has(tenant)) {
      unproven.add(tenant);
      log.error({ tenant }, 'there is no key to sign webhooks with; they wait');
    }
    if (verdict?.signatureError !== undefined) {
      log.error({ ...named(event), code: verdict.signatureError }, 'a receiver rejects our signature');
    }
    if (settled.state === 'dead') {
      log.warn(
        { ...named(event), why: DEAD_REASONS[settled.reason as DeadReason] },
        'a webhook was given up; it is kept',
      );
    }
  }

  async function sweep(nowMs: number): Promise<void> {
    if (nowMs - swept < MINUTE_MS) return;
    swept = nowMs;
    lanes.forget();
    const expired = await store.transact((tx) => tx.outbox.expire(nowMs, 'expired' satisfies DeadReason));
    if (expired > 0) log.warn({ expired }, 'webhooks were given up; they are kept');
    for (const { endpoint, next_attempt_at } of await store.read.outbox.due()) lanes.expect(endpoint, next_attempt_at);
    if (nowMs - pruned < HOUR_MS) return;
    pruned = nowMs;
    await store.transact((tx) => tx.outbox.prune(nowMs - RETENTION_MS));
  }

  async function idle(): Promise<void> {
    // What has ended and could not be kept waits for the next tick.
    while (turning !== undefined || inHand.size > ended.length) {
      await turning;
      await Promise.all(inHand.values());
    }
  }

  const parts: OutboxPorts = {
    clock,
    ids: ports.ids,
    log,
    horizonMs: (tenant) => policy(tenant).schedule.horizonMs,
    announce: (endpoint, dueMs) => {
      lanes.expect(endpoint, dueMs);
      if (dueMs <= clock.now()) wake();
    },
  };
  const outbox = createOutbox(parts);

  return {
    ...outbox,
    ...createWebhookOperations(outbox, parts),
    start: async () => {
      await store.transact((tx) => tx.outbox.recover(clock.now(), SCHEDULE.horizonMs));
      state = 'open';
      await sweep(clock.now());
      wake();
    },
    tick: async () => {
      if (state !== 'open') return;
      await sweep(clock.now());
      wake();
    },
    idle,
    close: async () => {
      if (state !== 'open') return;
      state = 'closing';
      await idle();
      state = 'idle';
    },
  };
}

function named({ tenant, idempotency_key, endpoint }: ClaimedEvent): object {
  return { tenant, idempotency_key, endpoint };
}

function endpointsOf({ event, moved }: Ended): readonly string[] {
  return moved === undefined ? [event.endpoint] : [event.endpoint, moved.endpoint];
}
