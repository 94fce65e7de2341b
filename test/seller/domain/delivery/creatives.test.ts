import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../../src/platform/kernel/clock.js';
import { deliveryByCreative } from '../../../../src/seller/domain/delivery/creatives.js';
import { simulateDelivery } from '../../../../src/seller/domain/delivery/delivery.js';
import { deliveryLine } from '../../../../src/seller/domain/delivery/line.js';
import { changeMediaBuy } from '../../../../src/seller/domain/media-buy/change/change.js';
import type { MediaBuy } from '../../../../src/seller/domain/media-buy/media-buy.js';
import type { RotationEntry, Rotations } from '../../../../src/seller/domain/media-buy/rotation.js';
import { settleBuy } from '../../../../src/seller/domain/media-buy/settlement.js';
import { boughtAt, contextAt, fromNow, NOW, packageOf } from '../order-context.js';

const HOUR = 3_600_000;
const required = contextAt(NOW, { creativeRequirement: 'required' });
const END = NOW + 30 * 24 * HOUR;

/** One and the same order for all: how days swing hangs on the package. */
const BOUGHT = boughtAt(NOW, { packages: [packageOf({ budget: 50_000 })] }, required);

/** A buy of one package, put through rotations that each hold from their hour on; an empty one takes all creatives out. */
function rotated(steps: readonly { readonly hour: number; readonly turns: readonly RotationEntry[] }[]): MediaBuy {
  const [line] = BOUGHT.packages;
  return steps.reduce((buy, { hour, turns }) => {
    const rotations: Rotations = new Map(turns.length === 0 ? [] : [[line?.package_id ?? '', turns]]);
    const ms = NOW + hour * HOUR;
    return settleBuy(buy, rotations, { ms, iso: isoTime(ms) }).buy;
  }, BOUGHT);
}

const whole = (buy: MediaBuy, from = NOW, to = END) =>
  buy.packages.map((line) => simulateDelivery(deliveryLine(line), from, to));
const parts = (buy: MediaBuy, from = NOW, to = END) => deliveryByCreative(buy.packages, from, to);
const cents = (money: number): number => Math.round(money * 100);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The rotations of a flight: who takes turns, from which hour on. */
const flights = fc
  .array(
    fc.record({
      hour: fc.nat(29 * 24),
      turns: fc
        .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 })
        .chain((ids) =>
          fc.tuple(
            ...ids.map((creative_id) =>
              fc
                .option(fc.integer({ min: 1, max: 100 }), { nil: undefined })
                .map((weight): RotationEntry => ({ creative_id, ...(weight === undefined ? {} : { weight }) })),
            ),
          ),
        ),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((steps) => steps.toSorted((one, other) => one.hour - other.hour));

const window = fc.tuple(fc.nat(30 * 24), fc.nat(30 * 24)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

describe('delivery of the creatives of a package', () => {
  it('adds up to the package’s, in every window', () => {
    fc.assert(
      fc.property(flights, window, (steps, [fromHour, toHour]) => {
        const buy = rotated(steps);
        const [from, to] = [NOW + fromHour * HOUR, NOW + toHour * HOUR];
        const [delivered] = whole(buy, from, to);
        const creatives = parts(buy, from, to).map(({ metrics }) => metrics);
        expect(sum(creatives.map(({ impressions }) => impressions))).toBe(delivered?.impressions);
        expect(sum(creatives.map(({ clicks }) => clicks))).toBe(delivered?.clicks);
        expect(sum(creatives.map(({ spend }) => cents(spend)))).toBe(cents(delivered?.spend ?? 0));
        for (const { impressions, clicks, spend, ctr } of creatives) {
          expect(Math.min(impressions, clicks, spend)).toBeGreaterThanOrEqual(0);
          expect(ctr).toBeGreaterThanOrEqual(0);
          expect(ctr).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('adds up over adjacent windows, creative by creative', () => {
    fc.assert(
      fc.property(flights, window, (steps, [fromHour, toHour]) => {
        const buy = rotated(steps);
        const [from, middle, to] = [NOW, NOW + fromHour * HOUR, NOW + toHour * HOUR];
        const of = (one: readonly { creative_id: string; metrics: { impressions: number } }[], id: string) =>
          one.find(({ creative_id }) => creative_id === id)?.metrics.impressions ?? 0;
        const [first, second, both] = [parts(buy, from, middle), parts(buy, middle, to), parts(buy, from, to)];
        for (const { creative_id } of both)
          expect(of(first, creative_id) + of(second, creative_id)).toBe(of(both, creative_id));
      }),
      { numRuns: 60 },
    );
  });

  it('what was delivered does not change when others take over', () => {
    const before = rotated([
      {
        hour: 0,
        turns: [
          { creative_id: 'a', weight: 75 },
          { creative_id: 'b', weight: 25 },
        ],
      },
    ]);
    const after = rotated([
      {
        hour: 0,
        turns: [
          { creative_id: 'a', weight: 75 },
          { creative_id: 'b', weight: 25 },
        ],
      },
      { hour: 48, turns: [{ creative_id: 'c' }] },
    ]);
    const until = NOW + 48 * HOUR;
    const [a, b, c] = parts(after, NOW, until);
    expect([a, b]).toEqual(parts(before, NOW, until));
    expect(c).toMatchObject({ creative_id: 'c', metrics: { impressions: 0, spend: 0 } });
    const ratio = (a?.metrics.impressions ?? 0) / (b?.metrics.impressions ?? 1);
    expect(ratio).toBeGreaterThan(2.99);
    expect(ratio).toBeLessThan(3.01);
    const [later] = parts(after, until, END);
    expect(later?.metrics.impressions).toBe(0);
  });

  it('is nobody’s while a package runs without any', () => {
    const buy = boughtAt(NOW);
    expect(whole(buy)[0]?.impressions).toBeGreaterThan(0);
    expect(parts(buy)).toEqual([]);
  });

  it('goes over all packages that a creative is in, whatever they count', () => {
    const bought = boughtAt(
      NOW,
      {
        packages: [packageOf({ budget: 500 }), packageOf({ budget: 900, pricing_option_id: 'auction', bid_price: 3 })],
      },
      required,
    );
    const rotations: Rotations = new Map(bought.packages.map((line) => [line.package_id, [{ creative_id: 'a' }]]));
    const { buy } = settleBuy(bought, rotations, { ms: NOW, iso: fromNow(0) });
    const [one, other] = whole(buy);
    const [both] = parts(buy);
    expect(both?.metrics.impressions).toBe((one?.impressions ?? 0) + (other?.impressions ?? 0));
    expect(cents(both?.metrics.spend ?? 0)).toBe(cents(one?.spend ?? 0) + cents(other?.spend ?? 0));
  });

  it('stays after the buy has ended', () => {
    const running = rotated([{ hour: 0, turns: [{ creative_id: 'a' }] }]);
    const context = contextAt(NOW + 24 * HOUR);
    const canceled = changeMediaBuy(running, { canceled: true, callbacks: {} }, context).buy;
    const { buy } = settleBuy(canceled, new Map(), context.now);
    expect(buy.status).toBe('canceled');
    expect(parts(buy)[0]?.metrics).toEqual(whole(buy)[0]);
  });
});
