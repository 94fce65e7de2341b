import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../../src/platform/kernel/clock.js';
import { TaskError } from '../../../../src/protocol/errors.js';
import { houseDelivery } from '../../../../src/seller/adserver/simulator/simulator.js';
import { type ActionName, validActions } from '../../../../src/seller/domain/media-buy/actions.js';
import { type Change, changeMediaBuy } from '../../../../src/seller/domain/media-buy/change/change.js';
import {
  type HistoryEntry,
  isTerminal,
  type MediaBuy,
  type MediaBuyStatus,
  nextDueMs,
  PACINGS,
  type Package,
} from '../../../../src/seller/domain/media-buy/media-buy.js';
import { openMediaBuy } from '../../../../src/seller/domain/media-buy/order.js';
import type { Rotations } from '../../../../src/seller/domain/media-buy/rotation.js';
import { asRevision, settleBuy } from '../../../../src/seller/domain/media-buy/settlement.js';
import type { CreativeRequirement } from '../../../../src/seller/domain/product/product.js';
import { ACCOUNT, contextAt, NOW, orderOf, packageOf, rotating } from '../order-context.js';
import { EDGES, expectedActions } from './transition-table.js';

const HOUR = 3_600_000;
const RUNS = 400;

/** Something that happens to a buy. Times are hours after `NOW`; packages are named by index, modulo how many there are. */
type Step =
  | { readonly kind: 'clock'; readonly hours: number }
  | { readonly kind: 'creative'; readonly at: number; readonly gone: boolean }
  | { readonly kind: 'update'; readonly request: Request };

type Terms = {
  readonly at: number;
  readonly budget?: number | undefined;
  readonly bid_price?: number | undefined;
  readonly pacing?: (typeof PACINGS)[number] | undefined;
  readonly impressions?: number | undefined;
  readonly paused?: boolean | undefined;
  readonly canceled?: true | undefined;
  readonly endHours?: number | undefined;
};

type Request = {
  readonly stale: boolean;
  readonly paused?: boolean | undefined;
  readonly canceled?: true | undefined;
  readonly startHours?: number | undefined;
  readonly endHours?: number | undefined;
  readonly packages?: readonly Terms[] | undefined;
  readonly added?: number | undefined;
};

const budget = fc.oneof(
  fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
  fc.constantFrom(0, 1e11),
);
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined, freq: 2 });
const hours = fc.integer({ min: -24, max: 900 });

const terms: fc.Arbitrary<Terms> = fc.record({
  at: fc.nat(5),
  budget: maybe(budget),
  bid_price: maybe(fc.integer({ min: 1, max: 9 })),
  pacing: maybe(fc.constantFrom(...PACINGS)),
  impressions: maybe(fc.integer({ min: 0, max: 200_000 })),
  paused: maybe(fc.boolean()),
  canceled: fc.option(fc.constant(true as const), { nil: undefined, freq: 1 }),
  endHours: maybe(hours),
});

const request: fc.Arbitrary<Request> = fc.record({
  stale: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
  paused: maybe(fc.boolean()),
  canceled: fc.integer({ min: 0, max: 19 }).map((roll) => (roll === 0 ? (true as const) : undefined)),
  startHours: maybe(hours),
  endHours: maybe(hours),
  packages: maybe(fc.array(terms, { minLength: 1, maxLength: 3 })),
  added: maybe(fc.integer({ min: 100, max: 5000 })),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('clock' as const), hours: fc.integer({ min: 0, max: 300 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('creative' as const),
      at: fc.nat(5),
      gone: fc.integer({ min: 0, max: 4 }).map((roll) => roll === 0),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('update' as const), request }) },
);

/** How the buy is ordered; without `startHours` it starts at once. */
type Ordered = {
  readonly creativeRequirement: CreativeRequirement;
  readonly startHours: number | undefined;
  readonly flightHours: number;
  readonly paused: boolean;
  readonly budgets: readonly number[];
};

const order: fc.Arbitrary<Ordered> = fc.record({
  creativeRequirement: fc.constantFrom('required' as const, 'none' as const),
  startHours: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
  flightHours: fc.integer({ min: 1, max: 700 }),
  paused: fc.boolean(),
  budgets: fc.uniqueArray(fc.integer({ min: 100, max: 5000 }), { minLength: 1, maxLength: 3 }),
});

/** The buy, the moment, which packages hold a creative, and what had been delivered at every moment looked at so far. */
type World = {
  readonly buy: MediaBuy;
  readonly ms: number;
  readonly creatives: Rotations;
  readonly seen: readonly { readonly ms: number; readonly totals: ReadonlyMap<string, Total> }[];
};
type Total = { readonly impressions: number; readonly spend: number };

/** What a step did: the world after it, and the states that the buy went through. */
type Outcome = { readonly world: World; readonly path: readonly MediaBuyStatus[] };

const STATUS_OF: Readonly<Record<string, MediaBuyStatus>> = {
  creatives_ready: 'pending_start',
  activated: 'active',
  paused: 'paused',
  completed: 'completed',
  canceled: 'canceled',
};

describe('a media buy, whatever happens to it', () => {
  it('only moves along the table, counts its changes, and delivers what it should', () => {
    fc.assert(
      fc.property(order, fc.array(step, { minLength: 1, maxLength: 25 }), (ordered, steps) => {
        let world = opened(ordered);
        check(world);
        for (const next of steps) {
          const before = world;
          const outcome = happen(before, next);
          world = outcome.world;
          checkPath(before.buy.status, outcome.path);
          checkRevision(before, outcome, next);
          check(world);
          checkDelivery(before, world);
          world = remember(world);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('takes every action that it lists, and no other, in every state that it reaches', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(order, fc.array(step, { minLength: 1, maxLength: 12 }), (ordered, steps) => {
        const last = steps.reduce((world, next) => happen(world, next).world, opened(ordered));
        reached.add(last.buy.status);
        checkActionsTaken(last.buy, last.ms);
      }),
      { numRuns: 150, seed: 11 },
    );
    expect(reached.size).toBeGreaterThanOrEqual(6);
  });

  it('comes to the same by one jump of the clock as by many', () => {
    fc.assert(
      fc.property(
        order,
        fc.boolean(),
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 2, maxLength: 8 }),
        (ordered, filled, jumps) => {
          const first = opened(ordered);
          const ready = {
            ...first,
            creatives: rotating(filled ? first.buy.packages.map((line) => line.package_id) : []),
          };
          const whole = jumps.reduce((sum, one) => sum + one, 0);
          // The creatives are looked at before the clock turns, as sync_creatives does.
          const start = catchUp(ready, ready.ms).world;
          const once = catchUp(start, start.ms + whole * HOUR).world.buy;
          const often = jumps.reduce((at, one) => catchUp(at, at.ms + one * HOUR).world, start).buy;
          expect({ ...often, updated_at: '' }).toEqual({ ...once, updated_at: '' });
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('reaches every state, so that the properties above say something', () => {
    const reached = new Set<MediaBuyStatus>();
    const worlds = fc.sample(fc.tuple(order, fc.array(step, { minLength: 1, maxLength: 25 })), {
      numRuns: 300,
      seed: 7,
    });
    for (const [ordered, steps] of worlds) {
      let world = opened(ordered);
      for (const next of steps) {
        reached.add(world.buy.status);
        world = happen(world, next).world;
      }
    }
    // Nothing here declines a buy; the table knows the state for sellers that do.
    expect([...reached].sort()).toEqual([
      'active',
      'canceled',
      'completed',
      'paused',
      'pending_creatives',
      'pending_start',
    ]);
  });
});

function opened({ creativeRequirement, startHours, flightHours, paused, budgets }: Ordered): World {
  const context = contextAt(NOW, { creativeRequirement });
  const start = startHours ?? 0;
  const bought = openMediaBuy(
    orderOf({
      start_time: startHours === undefined ? 'asap' : isoTime(NOW + startHours * HOUR),
      end_time: isoTime(NOW + (start + flightHours) * HOUR),
      paused,
      packages: budgets.map((amount, index) =>
        packageOf({
          budget: amount,
          ...(index === 1 ? { pricing_option_id: 'auction', bid_price: 3 } : {}),
          ...(index === 2 ? { end_time: isoTime(NOW + (start + flightHours / 2) * HOUR) } : {}),
        }),
      ),
    }),
    ACCOUNT,
    context,
  );
  const { buy } = asRevision(settleBuy(bought, new Map(), context.now), 1);
  return remember({ buy, ms: NOW, creatives: new Map(), seen: [] });
}

function happen(world: World, next: Step): Outcome {
  if (next.kind === 'clock') return catchUp(world, world.ms + next.hours * HOUR);
  if (next.kind === 'update') return update(world, next.request);
  const line = world.buy.packages[next.at % world.buy.packages.length];
  if (line === undefined || line.canceled || isTerminal(world.buy.status)) return { world, path: [] };
  const others = [...world.creatives.keys()].filter((id) => id !== line.package_id);
  return follow({ ...world, creatives: rotating(next.gone ? others : [...others, line.package_id]) });
}

/** What the clock brings, as the lifecycle does it: only when a move is due. */
function catchUp(world: World, ms: number): Outcome {
  const due = nextDueMs(world.buy);
  const later = { ...world, ms };
  return due !== undefined && due <= ms ? follow(later) : follow(later, due === undefined);
}

/** A confirmation moves nothing. */
function statusAfter({ action }: HistoryEntry): readonly MediaBuyStatus[] {
  return action === 'confirmed' ? [] : [STATUS_OF[action] ?? 'rejected'];
}

function follow(world: World, still = false): Outcome {
  const { buy, moves } = settleBuy(world.buy, world.creatives, { ms: world.ms, iso: isoTime(world.ms) });
  if (still) expect(buy).toBe(world.buy);
  return { world: { ...world, buy }, path: moves.flatMap(statusAfter) };
}

/** A change by the buyer, as update_media_buy does it; one that is refused changes nothing. */
function update(world: World, wished: Request): Outcome {
  const { buy, ms } = world;
  const context = contextAt(ms, { creativeRequirement: 'required' });
  try {
    const changed = changeMediaBuy(buy, changeOf(buy, wished), context);
    const settled = asRevision(settleBuy(changed.buy, world.creatives, context.now), buy.revision + 1);
    const touched = changed.actions.length > 0 || settled.moves.length > 0;
    expect(wished.stale, 'a stale revision passed').toBe(false);
    expect(isTerminal(buy.status), 'a buy that has ended was changed').toBe(false);
    const direct: MediaBuyStatus[] = changed.buy.status === buy.status ? [] : [changed.buy.status];
    const path = [...direct, ...settled.moves.flatMap(statusAfter)];
    return { world: touched ? { ...world, buy: settled.buy } : world, path };
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    return { world, path: [] };
  }
}

function changeOf(buy: MediaBuy, wished: Request): Change {
  const iso = (at: number | undefined) => (at === undefined ? undefined : isoTime(NOW + at * HOUR));
  return {
    revision: wished.stale ? buy.revision + 1 : buy.revision,
    paused: wished.paused,
    canceled: wished.canceled,
    start_time: iso(wished.startHours),
    end_time: iso(wished.endHours),
    packages: wished.packages?.map(({ at, endHours, ...rest }) => ({
      package_id: buy.packages[at % buy.packages.length]?.package_id ?? '',
      end_time: iso(endHours),
      ...rest,
    })),
    new_packages: wished.added === undefined ? [] : [packageOf({ budget: wished.added })],
    callbacks: {},
  };
}

function checkPath(from: MediaBuyStatus, path: readonly MediaBuyStatus[]): void {
  path.reduce((at, to) => {
    expect(EDGES[at], `${at} -> ${to}`).toContain(to);
    return to;
  }, from);
}

function checkRevision(before: World, { world, path }: Outcome, next: Step): void {
  const moved = next.kind === 'update' ? Number(visible(world.buy) !== visible(before.buy)) : path.length;
  expect(world.buy.revision - before.buy.revision).toBe(moved);
  expect(path.at(-1) ?? before.buy.status).toBe(world.buy.status);
  if (isTerminal(before.buy.status)) expect(world.buy).toBe(before.buy);
}

/** All of a buy that a buyer can see, but for the counters that say that it changed. */
function visible({ revision: _revision, updated_at: _updated, packages, ...buy }: MediaBuy): string {
  return JSON.stringify([buy, packages.map(({ segments: _segments, ...line }) => line)]);
}

function check({ buy, ms, creatives }: World): void {
  expect(validActions(buy, { account: ACCOUNT })).toEqual(expectedActions(buy));
  expect(settleBuy(buy, creatives, { ms, iso: isoTime(ms) }).moves).toEqual([]);
  expect(Date.parse(buy.start_time)).toBeLessThan(Date.parse(buy.end_time));
  for (const line of buy.packages) checkSegments(buy, line, ms, creatives);
}

/** A change that asks for one action alone, and is otherwise right. */
function probes(buy: MediaBuy): Readonly<Record<ActionName, Omit<Change, 'callbacks'>>> {
  const line = buy.packages.find((candidate) => !candidate.canceled) ?? buy.packages[0];
  const { package_id = '', budget: present = 0, pacing } = line ?? {};
  return {
    pause: { paused: true },
    resume: { paused: false },
    cancel: { canceled: true },
    update_budget: { packages: [{ package_id, budget: present + 1 }] },
    update_dates: { end_time: isoTime(Date.parse(buy.end_time) + HOUR) },
    update_packages: { packages: [{ package_id, pacing: pacing === 'even' ? 'asap' : 'even' }] },
    add_packages: { new_packages: [packageOf({ budget: 4321 })] },
    sync_creatives: { packages: [{ package_id, creatives: [] }] },
  };
}

/** Every action that is listed is taken, and every other one is refused for the state. */
function checkActionsTaken(buy: MediaBuy, ms: number): void {
  const taken = Object.entries(probes(buy)).filter(([, change]) => {
    try {
      changeMediaBuy(buy, { ...change, callbacks: {} }, contextAt(ms, { creativeRequirement: 'none' }));
      return true;
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      expect(['INVALID_STATE', 'NOT_CANCELLABLE'], JSON.stringify(change)).toContain(error.code);
      return false;
    }
  });
  expect(taken.map(([action]) => action)).toEqual(validActions(buy, { account: ACCOUNT }));
}

function checkSegments(buy: MediaBuy, line: Package, ms: number, creatives: Rotations): void {
  const open = line.segments.filter((segment) => segment.to === undefined);
  const runs =
    buy.status === 'active' &&
    !line.paused &&
    !line.canceled &&
    (!line.needs_creative || creatives.has(line.package_id));
  expect(open).toHaveLength(runs ? 1 : 0);
  if (runs)
    expect(line.segments.at(-1)).toMatchObject({ budget: line.budget, pacing: line.pacing, end: line.end_time });
  if (runs) expect(line.segments.at(-1)?.rotation).toEqual(creatives.get(line.package_id));
  let free = Date.parse(buy.start_time);
  for (const segment of line.segments) {
    const [from, to] = [Date.parse(segment.from), segment.to === undefined ? undefined : Date.parse(segment.to)];
    expect(from, 'segments overlap or begin before the flight').toBeGreaterThanOrEqual(free);
    if (to !== undefined) {
      expect(to).toBeGreaterThan(from);
      expect(to, 'a segment ended in the future').toBeLessThanOrEqual(ms);
    }
    free = to ?? from;
  }
}

function checkDelivery(before: World, { buy, ms, seen }: World): void {
  const now = totalsAt(buy, ms);
  for (const then of seen) {
    for (const [id, total] of then.totals) {
      const again = totalsAt(buy, then.ms).get(id);
      expect(again, 'what was delivered has changed afterwards').toEqual(total);
      const { impressions, spend } = now.get(id) ?? { impressions: 0, spend: 0 };
      expect(impressions).toBeGreaterThanOrEqual(total.impressions);
      expect(spend).toBeGreaterThanOrEqual(total.spend);
    }
  }
  for (const line of buy.packages) {
    const { spend } = now.get(line.package_id) ?? { spend: 0 };
    // A budget may be cut below what has been spent; then no more is spent.
    const spent = totalsAt(before.buy, before.ms).get(line.package_id)?.spend ?? 0;
    expect(spend, 'more was spent than the budget').toBeLessThanOrEqual(Math.max(line.budget, spent));
  }
}

function remember(world: World): World {
  return { ...world, seen: [...world.seen, { ms: world.ms, totals: totalsAt(world.buy, world.ms) }] };
}

function totalsAt(buy: MediaBuy, ms: number): ReadonlyMap<string, Total> {
  return new Map(
    houseDelivery(buy, { fromMs: 0, toMs: ms }, false).map(({ package_id, metrics }) => [
      package_id,
      { impressions: metrics.impressions, spend: metrics.spend },
    ]),
  );
}
