import type { MediaBuy, Package, Segment } from './media-buy.js';
import type { RotationEntry, Rotations } from './rotation.js';

/**
 * Closes and opens the segments of every package so that they say what runs from `at` on.
 * A package runs while its buy is active, it is neither paused nor canceled, and (where it needs one) it has a creative.
 */
export function updateSegments(buy: MediaBuy, rotations: Rotations, at: string): MediaBuy {
  const packages = buy.packages.map((line) => {
    const runs =
      buy.status === 'active' &&
      !line.paused &&
      !line.canceled &&
      (!line.needs_creative || rotations.has(line.package_id));
    return updatePackageSegments(line, runs, rotations.get(line.package_id), at);
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
  const begins = Date.parse(open.from) <= Date.parse(at) || open.from === openSegment(line, rotation, at).from;
  if (runs && begins && hasSameTerms(open, line, rotation)) return line;
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
    ...(line.bid_price === undefined ? {} : { bid_price: line.bid_price }),
    ...(line.impressions === undefined ? {} : { impressions: line.impressions }),
    ...(rotation === undefined ? {} : { rotation }),
  };
}

function hasSameTerms(segment: Segment, line: Package, rotation: readonly RotationEntry[] = []): boolean {
  return (
    segment.end === line.end_time &&
    segment.budget === line.budget &&
    segment.bid_price === line.bid_price &&
    segment.pacing === line.pacing &&
    segment.impressions === line.impressions &&
    isSameRotation(segment.rotation ?? [], rotation)
  );
}

function isSameRotation(one: readonly RotationEntry[], other: readonly RotationEntry[]): boolean {
  return (
    one.length === other.length &&
    one.every((entry, at) => entry.creative_id === other[at]?.creative_id && entry.weight === other[at]?.weight)
  );
}
