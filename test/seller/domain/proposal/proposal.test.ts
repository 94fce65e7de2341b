import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Allocation } from '../../../../src/seller/domain/proposal/proposal.js';
import { leastTotal, splitBudget, wholeShares } from '../../../../src/seller/domain/proposal/shares.js';

const weights = fc.array(fc.double({ min: 0.01, max: 1000, noNaN: true }), { minLength: 1, maxLength: 100 });

describe('shares', () => {
  test('are whole percents of at least 1 that add up to 100', () => {
    fc.assert(
      fc.property(weights, (given) => {
        const shares = wholeShares(given);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(100);
        expect(shares.every((share) => Number.isInteger(share) && share >= 1)).toBe(true);
      }),
    );
  });

  test.each([
    [
      [60, 30, 10],
      [60, 30, 10],
    ],
    [
      [1, 1, 1],
      [34, 33, 33],
    ],
    [
      [99.9, 0.01],
      [99, 1],
    ],
    [[5], [100]],
  ])('of %j are %j', (given, shares) => {
    expect(wholeShares(given)).toEqual(shares);
  });
});

describe('a divided budget', () => {
  test.each([
    ['cent', 'USD', 100],
    ['yen', 'JPY', 1],
  ] as const)('adds up to the %s, each part within one of its share', (_unit, currency, perOne) => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 1e9 }), (given, units) => {
        const allocations = wholeShares(given).map(
          (allocation_percentage, index): Allocation => ({
            product_id: `p${index}`,
            pricing_option_id: 'default',
            allocation_percentage,
          }),
        );
        const parts = splitBudget({ amount: units / perOne, currency }, allocations).map(({ allocation, budget }) => ({
          share: allocation.allocation_percentage / 100,
          booked: budget * perOne,
        }));
        expect(Math.round(parts.reduce((sum, { booked }) => sum + booked, 0))).toBe(units);
        for (const { booked, share } of parts) {
          expect(Math.abs(booked - Math.round(booked))).toBeLessThan(0.001);
          expect(Math.abs(booked - units * share)).toBeLessThanOrEqual(1.001);
        }
      }),
    );
  });

  test('is at least what its dearest share asks for', () => {
    const option = (min: number) =>
      ({
        pricing_option_id: 'a',
        pricing_model: 'cpm',
        currency: 'USD',
        fixed_price: 1,
        min_spend_per_package: min,
      }) as const;
    expect(
      leastTotal([
        { share: 40, option: option(1000) },
        { share: 60, option: option(1200) },
      ]),
    ).toBe(2500);
    // A share that came to less than a cent could not be booked.
    expect(leastTotal([{ share: 100, option: option(0) }])).toBe(1);
    expect(leastTotal([{ share: 0.5, option: option(0) }])).toBe(2);
  });
});
