import { sumOf } from '../../../platform/kernel/numbers.js';
import { type AssignedCreative, isUsable } from '../creative/creative.js';

/** A creative that takes turns in a package. `weight` is above 0 and at most 100; without one it runs as often as the average of the others. */
export type RotationEntry = Weighted & { readonly creative_id: string };

/** A part of a whole; without a weight it is the average of the others. */
export type Weighted = { readonly weight?: number | undefined };

/** The creatives that take turns in each package, in the order in which they were assigned; a package without any is not there. */
export type Rotations = ReadonlyMap<string, readonly RotationEntry[]>;

/** Weights become whole numbers of this fineness, so that shares are exact. */
const FINENESS = 1_000_000;

/** Returns the creatives that run in each package, of all that are assigned: approved ones whose weight is not 0, which is how a buyer pauses one. */
export function buildRotations(assigned: readonly AssignedCreative[]): Rotations {
  const rotations = new Map<string, readonly RotationEntry[]>();
  for (const { creative_id, package_id, weight, status } of assigned) {
    if (!isUsable(status) || weight === 0) continue;
    const entry = { creative_id, weight };
    rotations.set(package_id, [...(rotations.get(package_id) ?? []), entry]);
  }
  return rotations;
}

/**
 * Divides a whole number among parts by weight. The parts add up to it exactly, and none shrinks while it grows: what was
 * given once stays given.
 */
export function divideByWeight(total: number, parts: readonly Weighted[]): readonly number[] {
  const weights = wholeWeights(parts);
  let left = BigInt(total);
  let leftWeight = weights.reduce((sum, weight) => sum + weight, 0n);
  return weights.map((weight) => {
    const part = leftWeight === 0n ? 0n : (left * weight) / leftWeight;
    left -= part;
    leftWeight -= weight;
    return Number(part);
  });
}

function wholeWeights(parts: readonly Weighted[]): readonly bigint[] {
  const given = parts.flatMap(({ weight }) => (weight === undefined ? [] : [weight]));
  const usual = given.length === 0 ? 1 : sumOf(given) / given.length;
  return parts.map(({ weight = usual }) => BigInt(Math.max(1, Math.round(weight * FINENESS))));
}
