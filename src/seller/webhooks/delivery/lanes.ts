import type PQueue from 'p-queue';
import { afterAttempt, allowedTraffic, type Breaker, CLOSED } from './breaker.js';

/** How many attempts are under way at once. */
export type Limits = { readonly perEndpoint: number; readonly total: number };

/** Four to one endpoint, 64 in all (facts 5.3). */
export const LIMITS: Limits = { perEndpoint: 4, total: 64 };

/** How many events a lane takes ahead, so that one commit serves many: the better its endpoint answers, the more. */
const ahead = (breadth: number): number => 2 * breadth * (breadth + 1);
/** How many are taken ahead in all, for each that may be under way. */
const DEPTH = 10;

/** What an attempt showed of its endpoint. */
export type Health = { readonly isEndpointFailing: boolean; readonly isThrottled: boolean };

/**
 * Who is served next: a lane per endpoint, each with its own concurrency and breaker, taken in turn. What waits lies in the store;
 * a lane holds a few for each of its slots, and a dead endpoint has one slot, however much waits for it.
 */
export type Lanes = {
  /** Something for the endpoint is due at `dueMs`, or earlier things are. */
  readonly expect: (endpoint: string, dueMs: number) => void;
  /** When the earliest event of the endpoint is due, as the store has it; undefined: nothing waits. */
  readonly correct: (endpoint: string, dueMs: number | undefined) => void;
  /** How many events to claim for which endpoints; the one served longest ago comes first. */
  readonly wanted: (nowMs: number) => readonly { readonly endpoint: string; readonly count: number }[];
  /** Runs the work of a claimed event when its lane and the whole have room; answers whether the lane wants more then. `work` never rejects. */
  readonly run: (endpoint: string, work: () => Promise<Health | undefined>) => Promise<boolean>;
  /** Whether the endpoint may be called now; the answer may have changed since the event was claimed. */
  readonly mayCall: (endpoint: string, nowMs: number) => boolean;
  /** Forgets endpoints that nothing waits for, and how they did; answers how many are left. Now and then is enough. */
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

/** Lanes under `limits`; `now` is the clock, ms since the epoch. The queue is loaded when something is first sent. */
export function createLanes(limits: Limits, now: () => number): Lanes {
  const lanes = new Map<string, Lane>();
  let all: Promise<{ readonly Queue: typeof PQueue; readonly queue: PQueue }> | undefined;
  let claimed = 0;

  async function openQueue() {
    const { default: Queue } = await import('p-queue');
    return { Queue, queue: new Queue({ concurrency: limits.total }) };
  }

  function laneOf(endpoint: string): Lane {
    const known = lanes.get(endpoint);
    if (known !== undefined) return known;
    const lane = { dueMs: Number.POSITIVE_INFINITY, claimed: 0, breaker: CLOSED, breadth: 1, queue: undefined };
    lanes.set(endpoint, lane);
    return lane;
  }

  function learn(lane: Lane, { isEndpointFailing: ailing, isThrottled: slower }: Health): void {
    lane.breaker = afterAttempt(lane.breaker, ailing, now());
    const breadth = slower ? Math.floor(lane.breadth / 2) : ailing ? 1 : lane.breadth + 1;
    lane.breadth = Math.max(1, Math.min(breadth, limits.perEndpoint));
    if (lane.queue !== undefined && lane.queue.concurrency !== lane.breadth) lane.queue.concurrency = lane.breadth;
  }

  return {
    expect: (endpoint, dueMs) => {
      const lane = laneOf(endpoint);
      lane.dueMs = Math.min(lane.dueMs, dueMs);
    },
    correct: (endpoint, dueMs) => {
      laneOf(endpoint).dueMs = dueMs ?? Number.POSITIVE_INFINITY;
    },
    wanted: (nowMs) => {
      let room = DEPTH * limits.total - claimed;
      const wanted: { endpoint: string; count: number }[] = [];
      for (const [endpoint, lane] of [...lanes]) {
        if (room <= 0) break;
        if (lane.dueMs > nowMs) continue;
        const may = allowedTraffic(lane.breaker, nowMs);
        const depth = may === 'all' ? ahead(lane.breadth) : may === 'probe' ? 1 : 0;
        const count = Math.min(depth - lane.claimed, room);
        if (count <= 0) continue;
        wanted.push({ endpoint, count });
        room -= count;
        // A map lists its entries in the order in which they came: the one served goes to the end.
        lanes.delete(endpoint);
        lanes.set(endpoint, lane);
      }
      return wanted;
    },
    run: async (endpoint, work) => {
      const lane = laneOf(endpoint);
      lane.claimed += 1;
      claimed += 1;
      all ??= openQueue();
      const { Queue, queue } = await all;
      lane.queue ??= new Queue({ concurrency: lane.breadth });
      await lane.queue.add(() =>
        queue.add(async () => {
          const health = await work();
          lane.claimed -= 1;
          claimed -= 1;
          if (health !== undefined) learn(lane, health);
        }),
      );
      return lane.claimed <= lane.breadth;
    },
    mayCall: (endpoint, nowMs) => allowedTraffic(laneOf(endpoint).breaker, nowMs) !== 'none',
    forget: () => {
      for (const [endpoint, lane] of lanes) {
        if (lane.claimed === 0 && lane.dueMs === Number.POSITIVE_INFINITY) lanes.delete(endpoint);
      }
      return lanes.size;
    },
  };
}
