import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssignedCreative } from '../../../../src/seller/domain/creative/creative.js';
import {
  buildRotations,
  divideByWeight,
  type RotationEntry,
} from '../../../../src/seller/domain/media-buy/rotation.js';
import { fromNow } from '../order-context.js';

const turnsOf = (weights: readonly (number | undefined)[]): readonly RotationEntry[] =>
  weights.map((weight, at) => ({ creative_id: `c${at}`, ...(weight === undefined ? {} : { weight }) }));

describe('dealing out', () => {
  it.each<readonly [total: number, weights: readonly (number | undefined)[], parts: readonly number[]]>([
    [1000, [70, 30], [700, 300]],
    [1000, [undefined, undefined], [500, 500]],
    [1000, [60, 20, undefined], [500, 166, 334]],
    [7, [1, 1, 1], [2, 2, 3]],
    [0, [50, 50], [0, 0]],
    [5, [100], [5]],
    [1_000_000, [100, 0.001], [999_990, 10]],
    [10, [], []],
  ])('%d by weights %j gives %j', (total, weights, parts) => {
    expect(divideByWeight(total, turnsOf(weights))).toEqual(parts);
  });

  const weights = fc.array(fc.option(fc.double({ min: 1e-9, max: 100, noNaN: true }), { nil: undefined }), {
    minLength: 1,
    maxLength: 8,
  });

  it('adds up exactly, and what was dealt stays dealt', () => {
    fc.assert(
      fc.property(weights, fc.nat(2_000_000_000), fc.nat(1000), (given, total, more) => {
        const turns = turnsOf(given);
        const before = divideByWeight(total, turns);
        const after = divideByWeight(total + more, turns);
        expect(before.reduce((sum, part) => sum + part, 0)).toBe(total);
        expect(after.reduce((sum, part) => sum + part, 0)).toBe(total + more);
        expect(after.every((part, at) => part >= (before[at] ?? 0))).toBe(true);
      }),
    );
  });

  it('keeps close to the weights', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 }), (given) => {
        const sum = given.reduce((total, weight) => total + weight, 0);
        const parts = divideByWeight(100_000, turnsOf(given));
        for (const [at, weight] of given.entries())
          expect(Math.abs((parts[at] ?? 0) - (100_000 * weight) / sum)).toBeLessThanOrEqual(given.length);
      }),
    );
  });
});

describe('what takes turns', () => {
  const assigned = (creative_id: string, changes: Partial<AssignedCreative> = {}): AssignedCreative => ({
    creative_id,
    package_id: 'pkg_1',
    media_buy_id: 'mb_1',
    assigned_date: fromNow(0),
    status: 'approved',
    ...changes,
  });

  it('is approved and has a weight that is not 0, in the order of assignment', () => {
    const rotations = buildRotations([
      assigned('b', { weight: 20 }),
      assigned('a'),
      assigned('paused', { weight: 0 }),
      assigned('waiting', { status: 'pending_review' }),
      assigned('refused', { status: 'rejected' }),
      assigned('elsewhere', { package_id: 'pkg_2' }),
      assigned('nowhere', { package_id: 'pkg_3', weight: 0 }),
    ]);
    expect([...rotations]).toEqual([
      ['pkg_1', [{ creative_id: 'b', weight: 20 }, { creative_id: 'a' }]],
      ['pkg_2', [{ creative_id: 'elsewhere' }]],
    ]);
  });
});
