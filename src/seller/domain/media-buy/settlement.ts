import { isoTime } from '../../../platform/kernel/clock.js';
import { illegalMove } from '../illegal-move.js';
import {
  confirmationDueMs,
  type HistoryEntry,
  hasReadyCreatives,
  type MediaBuy,
  type MediaBuyStatus,
  MOVES,
  nextStatus,
  type Package,
  type Segment,
} from './media-buy.js';
import type { RotationEntry, Rotations } from './rotation.js';

/** The word in the history for the move to each state. */
const HISTORY_ACTIONS: Record<MediaBuyStatus, string> = {
  pending_creatives: 'created',
  pending_start: 'creatives_ready',
  active: 'activated',
  paused: 'paused',
  completed: 'completed',
  rejected: 'rejected',
  canceled: 'canceled',
};

const NO_CREATIVES = 'The flight ended before every package had a creative.';
const NEVER_BOOKED = 'The flight ended before the order could be booked.';

/** A buy after its moves, with one history entry per move. */
type Settled = { readonly buy: MediaBuy; readonly moves: readonly HistoryEntry[] };

/**
 * Moves a buy by its facts (flight, creatives, hold) until it rests: several moves when the clock jumped over a whole flight,
 * each one revision. `rotations` are the creatives that can run in the packages of the buy.
 */
export function settleBuy(buy: MediaBuy, rotations: Rotations, now: { ms: number; iso: string }): Settled {
  const dueMs = confirmationDueMs(buy);
  const confirmed = dueMs === undefined || dueMs > now.ms ? undefined : confirmBuy(buy, isoTime(dueMs), now.iso);
  const moves: HistoryEntry[] = confirmed === undefined ? [] : [confirmed.entry];
  let current = updateSegments(confirmed?.buy ?? buy, rotations, now.iso);
  for (;;) {
    const next = nextStatus(current, hasReadyCreatives(current, rotations), now.ms);
    if (next === undefined) return { buy: current, moves };
    const at = momentOfMove(current, next, now.iso);
    current = updateSegments(applyMove(current, next, at, now.iso), rotations, at);
    moves.push({ revision: current.revision, timestamp: at, actor: 'system', action: HISTORY_ACTIONS[next] });
  }
}

/**
 * Returns a buy that is confirmed from now on, and where its facts move it then. That it is confirmed is no new revision: nothing changes
 * that a buyer could overwrite.
 */
export function confirmBooking(buy: MediaBuy, rotations: Rotations, now: { ms: number; iso: string }): Settled {
  const confirmed = confirmBuy(buy, now.iso, now.iso);
  const settled = settleBuy(confirmed.buy, rotations, now);
  return { ...settled, moves: [confirmed.entry, ...settled.moves] };
}

function confirmBuy(
  buy: MediaBuy,
  at: string,
  nowIso: string,
): { readonly buy: MediaBuy; readonly entry: HistoryEntry } {
  return {
    buy: { ...buy, confirmed_at: at, updated_at: nowIso },
    entry: { revision: buy.revision, timestamp: at, actor: 'seller', action: 'confirmed' },
  };
}

/**
 * Returns the buy after a move that the seller decided upon, as one revision; unchanged where it is there already. Throws INVALID_STATE for
 * one that is not in the table.
 */
export function moveBySeller(
  buy: MediaBuy,
  { to, reason }: { readonly to: MediaBuyStatus; readonly reason?: string | undefined },
  rotations: Rotations,
  now: { ms: number; iso: string },
): Settled {
  if (buy.status === to) return { buy, moves: [] };
  if (!MOVES[buy.status].includes(to)) throw illegalMove('media buy', buy.status, to, MOVES[buy.status]);
  const facts = SELLER_CHANGES[to]?.(buy, now, reason) ?? {};
  const after = updateSegments(
    { ...runningFrom(buy, to, now.iso), ...facts, status: to, revision: buy.revision + 1, updated_at: now.iso },
    rotations,
    now.iso,
  );
  const entry: HistoryEntry = {
    revision: after.revision,
    timestamp: now.iso,
    actor: 'seller',
    action: HISTORY_ACTIONS[to],
    summary: reason?.slice(0, MAX_SUMMARY_CHARS),
  };
  return { buy: after, moves: [entry] };
}

/** Of an entry of a buy's history. */
export const MAX_SUMMARY_CHARS = 500;

/** The members that a state chosen by the seller sets, so that the clock and the buyer's holds leave the buy there. */
const SELLER_CHANGES: Partial<
  Record<
    MediaBuyStatus,
    (buy: MediaBuy, now: { ms: number; iso: string }, reason: string | undefined) => Partial<MediaBuy>
  >
> = {
  active: () => ({ held: false }),
  paused: () => ({ held: true }),
  completed: (buy, now) => (now.ms < Date.parse(buy.end_time) ? { completed_at: now.iso } : {}),
  rejected: (_buy, _now, reason) => ({ rejection_reason: reason ?? 'The seller declined the media buy.' }),
  canceled: (_buy, now, reason) => ({
    cancellation: { canceled_at: now.iso, canceled_by: 'seller', reason },
  }),
};

/** Counts everything that one call brought about, consequences included, as the one revision that the call makes. */
export function asRevision(settled: Settled, revision: number): Settled {
  return { buy: { ...settled.buy, revision }, moves: settled.moves.map((move) => ({ ...move, revision })) };
}

function applyMove(buy: MediaBuy, next: MediaBuyStatus, at: string, nowIso: string): MediaBuy {
  const reason = buy.status === 'pending_start' ? NEVER_BOOKED : NO_CREATIVES;
  const ended =
    next === 'canceled' ? { cancellation: { canceled_at: at, canceled_by: 'seller', reason } as const } : {};
  return { ...runningFrom(buy, next, at), ...ended, status: next, revision: buy.revision + 1, updated_at: nowIso };
}

/** Returns a buy that is confirmed once it runs. */
function runningFrom(buy: MediaBuy, next: MediaBuyStatus, at: string): MediaBuy {
  return next === 'active' || next === 'paused' ? { ...buy, confirmed_at: buy.confirmed_at ?? at } : buy;
}

/** Returns when a move happened: one that the clock caused when the clock passed, even if nobody looked until now. */
function momentOfMove(buy: MediaBuy, next: MediaBuyStatus, nowIso: string): string {
  if (next === 'completed' || next === 'canceled') return buy.end_time;
  return buy.status === 'pending_start' ? buy.start_time : nowIso;
}

/**
 * Closes and opens the segments of every package so that they say what runs from `at` on.
 * A package runs while its buy is active, it is neither paused nor canceled, and (where it needs one) it has a creative.
 */
function updateSegments(buy: MediaBuy, rotations: Rotations, at: string): MediaBuy {
  const packages = buy.packages.map((line) => {
    const isRunning =
      buy.status === 'active' &&
      !line.paused &&
      !line.canceled &&
      (!line.needs_creative || rotations.has(line.package_id));
    return updatePackageSegments(line, isRunning, rotations.get(line.package_id), at);
  });
  return packages.every((line, index) => line === buy.packages[index]) ? buy : { ...buy, packages };
}

function updatePackageSegments(
  line: Package,
  runs: boolean,
  rotation: readonly RotationEntry[] | undefined,
  at: string,
): Package {
  const last = line.segments.at(-1);
  const open = last?.to === undefined ? last : undefined;
  if (open === undefined)
    return runs ? { ...line, segments: [...line.segments, openSegment(line, rotation, at)] } : line;
  // A stretch that has not begun moves with the package's start.
  const hasBegun = Date.parse(open.from) <= Date.parse(at) || open.from === openSegment(line, rotation, at).from;
  if (runs && hasBegun && hasSameTerms(open, line, rotation)) return line;
  const before = line.segments.slice(0, -1);
  const closed = Date.parse(at) > Date.parse(open.from) ? [...before, { ...open, to: at }] : before;
  return { ...line, segments: runs ? [...closed, openSegment(line, rotation, at)] : closed };
}

function openSegment(line: Package, rotation: readonly RotationEntry[] | undefined, at: string): Segment {
  return {
    from: Date.parse(at) >= Date.parse(line.start_time) ? at : line.start_time,
    end: line.end_time,
    budget: line.budget,
    pacing: line.pacing,
    bid_price: line.bid_price,
    impressions: line.impressions,
    reach: line.reach,
    rotation,
  };
}

function hasSameTerms(segment: Segment, line: Package, rotation: readonly RotationEntry[] = []): boolean {
  return (
    segment.end === line.end_time &&
    segment.budget === line.budget &&
    segment.bid_price === line.bid_price &&
    segment.pacing === line.pacing &&
    segment.impressions === line.impressions &&
    isSameReach(segment.reach, line.reach) &&
    isSameRotation(segment.rotation ?? [], rotation)
  );
}

function isSameReach(one: Package['reach'], other: Package['reach']): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function isSameRotation(one: readonly RotationEntry[], other: readonly RotationEntry[]): boolean {
  return (
    one.length === other.length &&
    one.every((entry, at) => entry.creative_id === other[at]?.creative_id && entry.weight === other[at]?.weight)
  );
}
