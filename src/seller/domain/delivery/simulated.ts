/** The numbers that add up: counts, and money in the buy's currency. */
export type Amounts = {
  readonly impressions?: number;
  readonly clicks?: number;
  readonly conversions?: number;
  readonly spend?: number;
};

/** The numbers that do not add up: the latest of a whole buy. */
export type LatestMetrics = {
  readonly reach?: number;
  readonly frequency?: number;
  readonly reach_window?: Readonly<Record<string, unknown>>;
  readonly viewability?: Readonly<Record<string, unknown>>;
};

/** The delivery and spend that a test controller ordered of a sandbox's ad server, beside what it simulates. */
export type SimulatedDelivery = {
  /** Ordered delivery of the whole buy, by the hour of the order. It uses up no budget. */
  readonly reported: readonly (Amounts & { readonly atMs: number })[];
  /** Ordered spend that used up the budget of a package, and when. */
  readonly spent: readonly { readonly atMs: number; readonly package_id: string; readonly amount: number }[];
  readonly latest?: LatestMetrics;
};

/** A buy for which nothing was ordered. */
export const NOTHING_SIMULATED: SimulatedDelivery = { reported: [], spent: [] };

const HOUR_MS = 3_600_000;
const COUNTS = ['impressions', 'clicks', 'conversions'] as const;

/** A stretch of time, ms since the epoch, half open. */
type Stretch = { readonly fromMs: number; readonly toMs: number };

/** Adds delivery that is reported from `nowMs` on. What came within an hour is one entry. */
export function withReported(
  before: SimulatedDelivery,
  amounts: Amounts,
  latest: LatestMetrics,
  nowMs: number,
): SimulatedDelivery {
  const last = before.reported.at(-1);
  // A moment earlier, so that whoever asks at once finds it in the time that has passed.
  const entry = { ...amounts, atMs: nowMs - 1 };
  const isSameHour = last !== undefined && Math.floor(last.atMs / HOUR_MS) === Math.floor(entry.atMs / HOUR_MS);
  const reported = isSameHour
    ? [...before.reported.slice(0, -1), { ...addUp([last, amounts]), atMs: last.atMs }]
    : [...before.reported, entry];
  const merged = { ...before.latest, ...latest };
  return { ...before, reported, latest: Object.keys(merged).length === 0 ? undefined : merged };
}

/** Adds what used up a package's budget by `nowMs`. */
export function withSpent(
  before: SimulatedDelivery,
  package_id: string,
  amount: number,
  nowMs: number,
): SimulatedDelivery {
  return amount <= 0 ? before : { ...before, spent: [...before.spent, { atMs: nowMs - 1, package_id, amount }] };
}

/** Returns all that was ever reported. */
export function reportedInAll({ reported }: SimulatedDelivery): Amounts {
  return addUp(reported);
}

/** Divides what was reported in a stretch of time among the packages by budget, in whole counts and cents that add up to it. */
export function reportedShares(
  { reported }: SimulatedDelivery,
  packages: readonly { readonly package_id: string; readonly budget: number }[],
  within: Stretch,
): ReadonlyMap<string, Amounts> {
  const all = addUp(reported.filter(({ atMs }) => isWithin(atMs, within)));
  const whole = packages.reduce((sum, line) => sum + line.budget, 0);
  let before = 0;
  return new Map(
    packages.map((line, index) => {
      const from = before;
      before += line.budget;
      const part = (amount: number) => {
        const upTo = (budget: number) => Math.round(whole > 0 ? (amount * budget) / whole : 0);
        return index === packages.length - 1 ? amount - upTo(from) : upTo(before) - upTo(from);
      };
      const counts = COUNTS.flatMap((name) => (all[name] === undefined ? [] : [[name, part(all[name])]]));
      const spend = all.spend === undefined ? {} : { spend: part(Math.round(all.spend * 100)) / 100 };
      return [line.package_id, { ...Object.fromEntries(counts), ...spend }] as const;
    }),
  );
}

/** Returns the ordered spend of a package in a stretch of time. */
export function spentWithin({ spent }: SimulatedDelivery, packageId: string, within: Stretch): number {
  const own = spent.filter(({ package_id, atMs }) => package_id === packageId && isWithin(atMs, within));
  return Math.round(own.reduce((sum, { amount }) => sum + amount, 0) * 100) / 100;
}

/** Returns the latest numbers of a whole buy, as its totals show them. */
export function latestMetrics({ latest }: SimulatedDelivery): Readonly<Record<string, unknown>> {
  if (latest === undefined) return {};
  return { ...latest, ...(latest.reach === undefined ? {} : { reach_unit: 'individuals' }) };
}

function isWithin(atMs: number, { fromMs, toMs }: Stretch): boolean {
  return fromMs <= atMs && atMs < toMs;
}

function addUp(parts: readonly Amounts[]): Amounts {
  const sums: Record<string, number> = {};
  for (const part of parts) {
    for (const name of [...COUNTS, 'spend'] as const) {
      const amount = part[name];
      if (amount !== undefined) sums[name] = Math.round(((sums[name] ?? 0) + amount) * 100) / 100;
    }
  }
  return sums;
}
