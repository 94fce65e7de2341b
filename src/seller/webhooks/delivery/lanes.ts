import { monotonicMs, SECOND_MS } from '../../../platform/kernel/clock.js';
import { callAfter } from '../../../platform/kernel/loop.js';
import type { ClaimKind } from '../../store/webhooks/outbox/rows.js';
import { afterAttempt, type Breaker, CLOSED, endsOutage, type Health, isOpen, PROBE_EVERY_MS } from './breaker.js';
import { splitEndpoint } from './endpoint.js';
import { type Slot, Slots, type Tier } from './slots.js';

/** How many attempts are under way at once. */
export type Limits = {
  readonly perEndpoint: number;
  /** Of endpoints that answer; those that hang or fail have bounds that follow from it. */
  readonly total: number;
};

/** Four to one endpoint, 64 in all. */
export const LIMITS: Limits = { perEndpoint: 4, total: 64 };

/**
 * Returns how many events a proven lane takes ahead, so that one commit serves many: the better its endpoint answers,
 * the more.
 */
const claimDepth = (breadth: number): number => 2 * breadth * (breadth + 1);
/** How many events are taken ahead in all, for each that may be under way, by the tier of their lanes. */
const TOTAL_DEPTH: Readonly<Record<Tier, number>> = { proven: 10, unknown: 16, failing: 4 };
/** Most lanes to claim for in one transaction. */
const MAX_DEMANDS = 256;
/** How far apart the failing endpoints of one principal at one origin are probed. */
const PROBE_SPACING_MS = 2 * SECOND_MS;

/** How many events to claim for an endpoint. */
export type Demand = { readonly endpoint: string; readonly kind: ClaimKind; readonly count: number };

type Attempt = () => Promise<Health | undefined>;

/**
 * Decides which endpoint is served next: a lane per endpoint, each with its own concurrency and breaker, principals in rotation. Events
 * wait in the store; a lane holds a few for each of its slots, and a failing endpoint has one.
 */
export type Lanes = {
  /** Notes that an event for the endpoint is due at `dueMs`, or earlier ones are. */
  readonly expect: (endpoint: string, dueMs: number) => void;
  /** Returns how often something was expected so far: what is read of the store after that knows of all of it. */
  readonly mark: () => number;
  /** Sets when the earliest event of the endpoint is due, as the store had it at a mark; undefined: nothing waits. */
  readonly correct: (endpoint: string, dueMs: number | undefined, mark: number) => void;
  /** Notes that events wait for the endpoint which have failed before; nothing where this process knows how it does. */
  readonly suspect: (endpoint: string) => void;
  /** Notes that so many events of the endpoint were not tried in their time: they are now, whatever the breaker says. */
  readonly hurry: (endpoint: string, count: number) => void;
  /** Returns how many events to claim for which endpoints; the principal served longest ago comes first. */
  readonly wanted: (nowMs: number) => readonly Demand[];
  /** Runs an attempt when its lane and the whole have room; returns whether the lane wants more then. `attempt` never rejects. */
  readonly run: (endpoint: string, attempt: Attempt) => Promise<boolean>;
  /** Whether the endpoint is sent what is due; this may have changed since the event was claimed. */
  readonly mayCall: (endpoint: string) => boolean;
  /** Returns the endpoints whose outage has ended since it was asked last. */
  readonly takeRecovered: () => readonly string[];
  /** Forgets endpoints that nothing waits for, and their health; returns how many are left. Now and then is enough. */
  readonly forget: () => number;
};

type Waiting = { readonly attempt: Attempt; readonly done: (wantsMore: boolean) => void; readonly tier: Tier };

type Lane = {
  readonly endpoint: string;
  readonly origin: string;
  readonly account: Account;
  /** Infinite when nothing waits. */
  dueMs: number;
  /** The number of the last expectation. */
  expected: number;
  claimed: number;
  running: number;
  /** Never tried in their time. */
  overdue: number;
  breaker: Breaker;
  isProven: boolean;
  /** Its time for a probe was given to it. */
  hasProbe: boolean;
  probes: number;
  /** How many attempts at once; grows with good answers, falls to one with bad ones. */
  breadth: number;
  readonly waiting: Waiting[];
};

/** The lanes of one principal at one origin. */
type Account = {
  readonly name: string;
  readonly lanes: Set<Lane>;
  /** Those that may have something to claim; the one served longest ago comes first. */
  readonly ready: Set<Lane>;
  /** Failures in a row, whatever the lane. */
  failures: number;
  nextProbeMs: number;
  wokenAtMs: number;
};

/** Makes lanes under `limits`; `now` is the clock, ms since the epoch. */
export function createLanes(limits: Limits, now: () => number): Lanes {
  return new EndpointLanes(limits, now);
}

class EndpointLanes implements Lanes {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #lanes = new Map<string, Lane>();
  readonly #accounts = new Map<string, Account>();
  /** Accounts with lanes that are ready; the one served longest ago comes first. */
  readonly #ready = new Set<Account>();
  /** Lanes that have nothing to claim before `#wakeAtMs`. */
  readonly #sleeping = new Set<Lane>();
  #wakeAtMs = Number.POSITIVE_INFINITY;
  readonly #slots: Slots;
  /** Lanes with attempts that have no slot yet; the one served longest ago comes first. */
  readonly #pending = new Set<Lane>();
  readonly #claimed: Record<Tier, number> = { proven: 0, unknown: 0, failing: 0 };
  #expected = 0;
  #recovered = new Set<string>();
  #isPumpPlanned = false;

  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#slots = new Slots(limits.total);
  }

  expect(endpoint: string, dueMs: number): void {
    const lane = this.#laneOf(endpoint);
    lane.dueMs = Math.min(lane.dueMs, dueMs);
    this.#expected += 1;
    lane.expected = this.#expected;
    this.#place(lane);
  }

  mark(): number {
    return this.#expected;
  }

  correct(endpoint: string, dueMs: number | undefined, mark: number): void {
    const lane = this.#laneOf(endpoint);
    const storedMs = dueMs ?? Number.POSITIVE_INFINITY;
    // Another transaction may have added an event since that was read.
    lane.dueMs = lane.expected > mark ? Math.min(lane.dueMs, storedMs) : storedMs;
    this.#place(lane);
  }

  suspect(endpoint: string): void {
    const lane = this.#laneOf(endpoint);
    if (lane.isProven || lane.breaker.failures > 0) return;
    const probeAtMs = this.#now() + PROBE_EVERY_MS / 2;
    lane.breaker = { failures: 1, sinceMs: Number.NEGATIVE_INFINITY, probeAtMs };
    this.#place(lane);
  }

  hurry(endpoint: string, count: number): void {
    const lane = this.#laneOf(endpoint);
    lane.overdue = count;
    this.#place(lane);
  }

  wanted(nowMs: number): readonly Demand[] {
    this.#wakeSleeping(nowMs);
    const room: Record<Tier, number> = { proven: 0, unknown: 0, failing: 0 };
    for (const tier of ['proven', 'unknown', 'failing'] as const) {
      room[tier] = TOTAL_DEPTH[tier] * this.#limits.total - this.#claimed[tier];
    }
    const demands: Demand[] = [];
    let turns = [...this.#ready].map((account) => account.ready.values());
    while (turns.length > 0 && demands.length < MAX_DEMANDS) {
      turns = turns.filter((lanes) => {
        const { value: lane } = lanes.next();
        if (lane === undefined) return false;
        const demand = this.#demandOf(lane, nowMs, room);
        if (demand !== undefined) demands.push(demand);
        return true;
      });
    }
    for (const { endpoint } of demands) this.#putLast(this.#laneOf(endpoint));
    return demands;
  }

  async run(endpoint: string, attempt: Attempt): Promise<boolean> {
    const lane = this.#laneOf(endpoint);
    const tier = tierOf(lane);
    lane.claimed += 1;
    this.#claimed[tier] += 1;
    return new Promise((done) => {
      lane.waiting.push({ attempt, done, tier });
      this.#pending.add(lane);
      this.#pump();
    });
  }

  mayCall(endpoint: string): boolean {
    return !isOpen(this.#laneOf(endpoint).breaker);
  }

  takeRecovered(): readonly string[] {
    const recovered = [...this.#recovered];
    this.#recovered = new Set();
    return recovered;
  }

  forget(): number {
    for (const [endpoint, lane] of this.#lanes) {
      if (lane.claimed > 0 || lane.dueMs !== Number.POSITIVE_INFINITY) continue;
      this.#lanes.delete(endpoint);
      this.#sleeping.delete(lane);
      lane.account.ready.delete(lane);
      lane.account.lanes.delete(lane);
      if (lane.account.ready.size === 0) this.#ready.delete(lane.account);
      if (lane.account.lanes.size === 0) this.#accounts.delete(lane.account.name);
    }
    return this.#lanes.size;
  }

  #laneOf(endpoint: string): Lane {
    const existing = this.#lanes.get(endpoint);
    if (existing !== undefined) return existing;
    const { origin, account: name } = splitEndpoint(endpoint);
    const account = this.#accounts.get(name) ?? newAccount(name);
    this.#accounts.set(name, account);
    const lane = newLane(endpoint, origin, account);
    account.lanes.add(lane);
    this.#lanes.set(endpoint, lane);
    return lane;
  }

  /** Notes when the lane may have something to claim. */
  #place(lane: Lane): void {
    const { account } = lane;
    const atMs = claimsAtMs(lane);
    if (atMs <= this.#now()) {
      this.#sleeping.delete(lane);
      account.ready.add(lane);
      this.#ready.add(account);
      return;
    }
    account.ready.delete(lane);
    if (account.ready.size === 0) this.#ready.delete(account);
    if (atMs === Number.POSITIVE_INFINITY) this.#sleeping.delete(lane);
    else {
      this.#sleeping.add(lane);
      this.#wakeAtMs = Math.min(this.#wakeAtMs, atMs);
    }
  }

  #wakeSleeping(nowMs: number): void {
    if (nowMs < this.#wakeAtMs) return;
    this.#wakeAtMs = Number.POSITIVE_INFINITY;
    for (const lane of [...this.#sleeping]) this.#place(lane);
  }

  #demandOf(lane: Lane, nowMs: number, room: Record<Tier, number>): Demand | undefined {
    const tier = tierOf(lane);
    const demand = room[tier] > 0 ? this.#chooseDemand(lane, nowMs) : undefined;
    const count = Math.min(demand?.count ?? 0, room[tier]);
    if (demand === undefined || count <= 0) return undefined;
    room[tier] -= count;
    if (demand.kind === 'overdue') lane.overdue -= count;
    return { endpoint: lane.endpoint, kind: demand.kind, count };
  }

  /** Puts a lane that was served behind the others: a set lists its members in the order in which they were added. */
  #putLast(lane: Lane): void {
    const { account } = lane;
    if (!account.ready.delete(lane)) return;
    account.ready.add(lane);
    this.#ready.delete(account);
    this.#ready.add(account);
  }

  #chooseDemand(lane: Lane, nowMs: number): Pick<Demand, 'kind' | 'count'> | undefined {
    const { breaker, claimed, overdue } = lane;
    if (overdue > 0) return { kind: 'overdue', count: Math.min(overdue, this.#limits.perEndpoint - claimed) };
    if (breaker.failures === 0) {
      const depth = lane.isProven ? claimDepth(lane.breadth) : 1;
      return lane.dueMs <= nowMs ? { kind: 'due', count: depth - claimed } : undefined;
    }
    if (claimed > 0) return undefined;
    if (!isOpen(breaker) && lane.dueMs <= nowMs) return { kind: 'due', count: 1 };
    if (breaker.probeAtMs > nowMs || !this.#takeProbe(lane, nowMs)) return undefined;
    // Not always the one that is due first: it may be what the endpoint fails on.
    lane.probes += 1;
    return { kind: lane.probes % 2 === 1 ? 'probe' : 'late_probe', count: 1 };
  }

  /** Whether the lane may be probed now; else its time is put off behind the other failing ones of its principal. */
  #takeProbe(lane: Lane, nowMs: number): boolean {
    const { account } = lane;
    const atMs = lane.hasProbe ? nowMs : Math.max(nowMs, account.nextProbeMs);
    if (!lane.hasProbe) account.nextProbeMs = atMs + PROBE_SPACING_MS;
    lane.hasProbe = atMs > nowMs;
    lane.breaker = { ...lane.breaker, probeAtMs: lane.hasProbe ? atMs : nowMs + PROBE_EVERY_MS };
    this.#place(lane);
    return !lane.hasProbe;
  }

  /** Begins what has room. */
  #pump(): void {
    const nowMs = monotonicMs();
    this.#slots.sortOut(nowMs);
    for (const lane of this.#pending) {
      const next = lane.waiting[0];
      if (next === undefined || lane.running >= lane.breadth) {
        this.#pending.delete(lane);
        continue;
      }
      const { origin, account } = lane;
      const slot = this.#slots.begin({ origin, account: account.name, tier: tierOf(lane) }, nowMs);
      if (slot === undefined) continue;
      lane.waiting.shift();
      // At the end of the set, where this loop meets it again.
      this.#pending.delete(lane);
      this.#pending.add(lane);
      void this.#begin(lane, next, slot);
    }
    if (this.#pending.size > 0) this.#pumpIn(this.#slots.sortOut(nowMs));
  }

  /** Attempts without an answer end nothing, and still make room. */
  #pumpIn(ms: number | undefined): void {
    if (ms === undefined || this.#isPumpPlanned) return;
    this.#isPumpPlanned = true;
    callAfter(ms, () => {
      this.#isPumpPlanned = false;
      this.#pump();
    });
  }

  async #begin(lane: Lane, { attempt, done, tier }: Waiting, slot: Slot): Promise<void> {
    lane.running += 1;
    const health = await attempt();
    this.#slots.end(slot);
    lane.running -= 1;
    lane.claimed -= 1;
    this.#claimed[tier] -= 1;
    if (health !== undefined) this.#adapt(lane, health);
    this.#place(lane);
    if (lane.waiting.length > 0) this.#pending.add(lane);
    if (this.#pending.size > 0) this.#pump();
    done(lane.claimed <= lane.breadth);
  }

  #adapt(lane: Lane, health: Health): void {
    const nowMs = this.#now();
    const { account, breaker } = lane;
    lane.breaker = afterAttempt(breaker, health, nowMs);
    lane.breadth = Math.max(1, Math.min(nextBreadth(lane.breadth, health), this.#limits.perEndpoint));
    account.failures = health.isEndpointFailing ? account.failures + 1 : 0;
    lane.isProven = !health.isEndpointFailing;
    if (!lane.isProven || !endsOutage(breaker, nowMs)) return;
    this.#recovered.add(lane.endpoint);
    this.#wakeFailing(account, nowMs);
  }

  /** Probes the failing endpoints of a principal now, as one of them is back and the others may be. */
  #wakeFailing(account: Account, nowMs: number): void {
    if (nowMs - account.wokenAtMs < PROBE_EVERY_MS) return;
    account.wokenAtMs = nowMs;
    account.nextProbeMs = nowMs;
    for (const lane of account.lanes) {
      if (lane.breaker.failures === 0) continue;
      lane.breaker = { ...lane.breaker, probeAtMs: nowMs };
      lane.hasProbe = true;
      this.#place(lane);
    }
  }
}

function newAccount(name: string): Account {
  return { name, lanes: new Set(), ready: new Set(), failures: 0, nextProbeMs: 0, wokenAtMs: Number.NEGATIVE_INFINITY };
}

function newLane(endpoint: string, origin: string, account: Account): Lane {
  return {
    endpoint,
    origin,
    account,
    dueMs: Number.POSITIVE_INFINITY,
    expected: 0,
    claimed: 0,
    running: 0,
    overdue: 0,
    breaker: CLOSED,
    isProven: false,
    hasProbe: false,
    probes: 0,
    breadth: 1,
    waiting: [],
  };
}

function tierOf({ account, breaker, isProven }: Lane): Tier {
  if (isProven) return 'proven';
  // A principal whose endpoints fail may have a new one for every event.
  return breaker.failures > 0 || account.failures > 0 ? 'failing' : 'unknown';
}

/** Returns from when on there may be something to claim for a lane; infinite where nothing waits. */
function claimsAtMs({ breaker, dueMs, overdue }: Lane): number {
  if (overdue > 0) return Number.NEGATIVE_INFINITY;
  if (breaker.failures === 0 || dueMs === Number.POSITIVE_INFINITY) return dueMs;
  return isOpen(breaker) ? breaker.probeAtMs : Math.min(dueMs, breaker.probeAtMs);
}

function nextBreadth(breadth: number, { isEndpointFailing, isThrottled }: Health): number {
  if (isThrottled) return Math.floor(breadth / 2);
  return isEndpointFailing ? 1 : breadth + 1;
}
