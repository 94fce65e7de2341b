import type PQueue from 'p-queue';
import { afterAttempt, allowedTraffic, type Breaker, CLOSED } from './breaker.js';

/** How many attempts are under way at once. */
export type Limits = { readonly perEndpoint: number; readonly total: number };

/** Four to one endpoint, 64 in all. */
export const LIMITS: Limits = { perEndpoint: 4, total: 64 };

/** How many events a lane takes ahead, so that one commit serves many: the better its endpoint answers, the more. */
const claimDepth = (breadth: number): number => 2 * breadth * (breadth + 1);
/** How many events are taken ahead in all, for each that may be under way. */
const TOTAL_DEPTH = 10;

/** The sign of an endpoint's health that an attempt gives. */
export type Health = { readonly isEndpointFailing: boolean; readonly isThrottled: boolean };

/** How many events to claim for an endpoint. */
export type Demand = { readonly endpoint: string; readonly count: number };

/**
 * Decides which endpoint is served next: a lane per endpoint, each with its own concurrency and breaker, served in rotation. Events
 * wait in the store; a lane holds a few for each of its slots, and a dead endpoint has one slot, however many events wait for it.
 */
export type Lanes = {
  /** Notes that an event for the endpoint is due at `dueMs`, or earlier ones are. */
  readonly expect: (endpoint: string, dueMs: number) => void;
  /** Sets when the earliest event of the endpoint is due, as the store has it; undefined: nothing waits. */
  readonly correct: (endpoint: string, dueMs: number | undefined) => void;
  /** Returns how many events to claim for which endpoints; the one served longest ago comes first. */
  readonly wanted: (nowMs: number) => readonly Demand[];
  /** Runs an attempt when its lane and the whole have room; returns whether the lane wants more then. `attempt` never rejects. */
  readonly run: (endpoint: string, attempt: () => Promise<Health | undefined>) => Promise<boolean>;
  /** Whether the endpoint may be called now; this may have changed since the event was claimed. */
  readonly mayCall: (endpoint: string, nowMs: number) => boolean;
  /** Forgets endpoints that nothing waits for, and their health; returns how many are left. Now and then is enough. */
  readonly forget: () => number;
};

type Lane = {
  /** Infinite when nothing waits. */
  dueMs: number;
  claimed: number;
  breaker: Breaker;
  /** How many attempts at once; grows with good answers, falls to one with bad ones. */
  breadth: number;
  queue: PQueue | undefined;
};

type SharedQueue = { readonly Queue: typeof PQueue; readonly queue: PQueue };

/** Makes lanes under `limits`; `now` is the clock, ms since the epoch. The queue is loaded when something is first sent. */
export function createLanes(limits: Limits, now: () => number): Lanes {
  return new EndpointLanes(limits, now);
}

class EndpointLanes implements Lanes {
  readonly #limits: Limits;
  readonly #now: () => number;
  /** By endpoint; the one served longest ago comes first. */
  readonly #lanes = new Map<string, Lane>();
  #shared: Promise<SharedQueue> | undefined;
  #claimed = 0;

  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  expect(endpoint: string, dueMs: number): void {
    const lane = this.#laneOf(endpoint);
    lane.dueMs = Math.min(lane.dueMs, dueMs);
  }

  correct(endpoint: string, dueMs: number | undefined): void {
    this.#laneOf(endpoint).dueMs = dueMs ?? Number.POSITIVE_INFINITY;
  }

  wanted(nowMs: number): readonly Demand[] {
    let room = TOTAL_DEPTH * this.#limits.total - this.#claimed;
    const demands: Demand[] = [];
    for (const [endpoint, lane] of [...this.#lanes]) {
      if (room <= 0) break;
      if (lane.dueMs > nowMs) continue;
      const count = Math.min(depthOf(lane, nowMs) - lane.claimed, room);
      if (count <= 0) continue;
      demands.push({ endpoint, count });
      room -= count;
      // A map lists its entries in the order in which they were set: the one served goes to the end.
      this.#lanes.delete(endpoint);
      this.#lanes.set(endpoint, lane);
    }
    return demands;
  }

  async run(endpoint: string, attempt: () => Promise<Health | undefined>): Promise<boolean> {
    const lane = this.#laneOf(endpoint);
    lane.claimed += 1;
    this.#claimed += 1;
    this.#shared ??= openSharedQueue(this.#limits.total);
    const { Queue, queue } = await this.#shared;
    lane.queue ??= new Queue({ concurrency: lane.breadth });
    await lane.queue.add(() =>
      queue.add(async () => {
        const health = await attempt();
        lane.claimed -= 1;
        this.#claimed -= 1;
        if (health !== undefined) this.#adapt(lane, health);
      }),
    );
    return lane.claimed <= lane.breadth;
  }

  mayCall(endpoint: string, nowMs: number): boolean {
    return allowedTraffic(this.#laneOf(endpoint).breaker, nowMs) !== 'none';
  }

  forget(): number {
    for (const [endpoint, lane] of this.#lanes) {
      if (lane.claimed === 0 && lane.dueMs === Number.POSITIVE_INFINITY) this.#lanes.delete(endpoint);
    }
    return this.#lanes.size;
  }

  #laneOf(endpoint: string): Lane {
    const existing = this.#lanes.get(endpoint);
    if (existing !== undefined) return existing;
    const lane = { dueMs: Number.POSITIVE_INFINITY, claimed: 0, breaker: CLOSED, breadth: 1, queue: undefined };
    this.#lanes.set(endpoint, lane);
    return lane;
  }

  #adapt(lane: Lane, health: Health): void {
    lane.breaker = afterAttempt(lane.breaker, health.isEndpointFailing, this.#now());
    const breadth = nextBreadth(lane.breadth, health);
    lane.breadth = Math.max(1, Math.min(breadth, this.#limits.perEndpoint));
    if (lane.queue !== undefined && lane.queue.concurrency !== lane.breadth) lane.queue.concurrency = lane.breadth;
  }
}

async function openSharedQueue(concurrency: number): Promise<SharedQueue> {
  const { default: Queue } = await import('p-queue');
  return { Queue, queue: new Queue({ concurrency }) };
}

/** Returns how many events a lane may hold now. */
function depthOf(lane: Lane, nowMs: number): number {
  const allowed = allowedTraffic(lane.breaker, nowMs);
  if (allowed === 'all') return claimDepth(lane.breadth);
  return allowed === 'probe' ? 1 : 0;
}

function nextBreadth(breadth: number, { isEndpointFailing, isThrottled }: Health): number {
  if (isThrottled) return Math.floor(breadth / 2);
  return isEndpointFailing ? 1 : breadth + 1;
}
