import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dailyBreakdown,
  deliveryStatus,
  effectivePrice,
  pacingIndex,
  simulateDelivery,
} from '../../../../src/seller/domain/delivery/delivery.js';
import { type ActiveInterval, type DeliveryLine, deliveryLine } from '../../../../src/seller/domain/delivery/line.js';
import type { Metrics } from '../../../../src/seller/domain/delivery/metrics.js';
import type { Package } from '../../../../src/seller/domain/media-buy/media-buy.js';
import {
  PRICING_MODELS,
  type PricingModel,
  type PricingOption,
} from '../../../../src/seller/domain/product/product.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2027, 2, 1);
const END = START + 30 * DAY;

function option(pricing_model: PricingModel, extra: Partial<PricingOption> = {}): PricingOption {
  return { pricing_option_id: 'o', pricing_model, currency: 'USD', ...extra };
}

function line(extra: Partial<DeliveryLine> = {}): DeliveryLine {
  return {
    package_id: 'pkg_1',
    start_ms: START,
    end_ms: END,
    budget: 10_000,
    pacing: 'even',
    delivery_type: 'guaranteed',
    pricing_option: option('cpm', { fixed_price: 28 }),
    channels: ['ctv'],
    inventory: { countries: ['US'], keywords: [], daily_impressions: 200_000 },
    ...extra,
  };
}

const all = (of: DeliveryLine) => simulateDelivery(of, START - DAY, END + 100 * DAY);
const until = (of: DeliveryLine, at: number) => simulateDelivery(of, START, at);

describe('billing', () => {
  it('spends a guaranteed budget to the cent when the supply suffices', () => {
    for (const pacing of ['even', 'asap', 'front_loaded'] as const) {
      for (const fixed_price of [28, 7.77, 0.03]) {
        expect(
          all(
            line({
              pacing,
              pricing_option: option('cpm', { fixed_price }),
              inventory: { ...line().inventory, daily_impressions: 1e10 },
            }),
          ).spend,
        ).toBe(10_000);
      }
    }
    expect(all(line()).impressions).toBe(Math.ceil(10_000_000 / 28));
  });

  it('still spends it when it needs every single impression', () => {
    const tight = line({ budget: 840, inventory: { ...line().inventory, daily_impressions: 1000 } });
    for (const pacing of ['even', 'asap', 'front_loaded'] as const) expect(all({ ...tight, pacing }).spend).toBe(840);
  });

  it('falls short by what the supply lacks', () => {
    const short = all(line({ inventory: { ...line().inventory, daily_impressions: 1000 } }));
    expect(short.impressions).toBe(30_000);
    expect(short.spend).toBe(840);
  });

  const counted: readonly (readonly [PricingModel, number, (metrics: Metrics) => number])[] = [
    ['cpm', 12, (metrics) => metrics.impressions / 1000],
    ['vcpm', 14, (metrics) => (metrics.viewability?.viewable_impressions ?? Number.NaN) / 1000],
    ['cpc', 0.85, (metrics) => metrics.clicks],
    ['cpcv', 0.04, (metrics) => metrics.completed_views ?? Number.NaN],
    ['cpv', 0.02, (metrics) => metrics.views ?? Number.NaN],
    ['cpp', 90, (metrics) => metrics.grps ?? Number.NaN],
    ['cpa', 20, (metrics) => metrics.conversions ?? Number.NaN],
  ];
  it.each(counted)('%s charges for what it names', (model, fixed_price, units) => {
    const of = line({
      channels: ['olv'],
      pricing_option: option(model, { fixed_price }),
      inventory: {
        countries: [],
        keywords: [],
        daily_impressions: 1e9,
        click_rate: 0.01,
        completion_rate: 0.8,
        viewable_rate: 0.6,
      },
    });
    for (const days of [1, 7.3, 20]) {
      const metrics = until(of, START + days * DAY);
      expect(units(metrics)).toBeGreaterThan(0);
      expect(Math.abs(metrics.spend - units(metrics) * fixed_price)).toBeLessThan(model === 'cpp' ? 1 : 0.01);
    }
    expect(all(of).spend).toBe(10_000);
    expect(Math.abs(units(all(of)) * fixed_price - 10_000)).toBeLessThan(model === 'cpa' ? 20 : 1);
  });

  it('a flat rate accrues evenly over the flight, and no more than its price', () => {
    const of = line({ budget: 12_000, pricing_option: option('flat_rate', { fixed_price: 9000 }) });
    expect(until(of, START + 15 * DAY).spend).toBe(4500);
    expect(until(of, START + 15 * DAY).impressions).toBeGreaterThan(1_000_000);
    expect(all(of).spend).toBe(9000);
  });

  it('time is charged as it passes, and delivery stops with the budget', () => {
    const of = line({
      budget: 1000,
      pricing_option: option('time', { fixed_price: 100, parameters: { time_unit: 'day' } }),
    });
    expect(until(of, START + 2.5 * DAY).spend).toBe(250);
    expect(all(of).spend).toBe(1000);
    expect(all(of)).toEqual(until(of, START + 10 * DAY));
  });

  it('an auction pays the bid, or with max_bid something between floor and bid', () => {
    const auction = option('cpm', { floor_price: 4 });
    expect(effectivePrice(line({ pricing_option: auction, bid_price: 9 }))).toBe(9);
    const clearing = effectivePrice(line({ pricing_option: { ...auction, max_bid: true }, bid_price: 9 }));
    expect(clearing).toBeGreaterThan(4);
    expect(clearing).toBeLessThan(9);
    expect(all(line({ pricing_option: auction, bid_price: 3.99 })).impressions).toBe(0);
    expect(all(line({ pricing_option: auction, bid_price: 4 })).impressions).toBeGreaterThan(0);
  });

  it('a higher bid wins more', () => {
    const of = (bid_price: number) =>
      all(
        line({
          budget: 1e9,
          bid_price,
          pricing_option: option('cpm', { floor_price: 2, price_guidance: { p25: 3, p50: 4, p75: 6, p90: 9 } }),
        }),
      ).impressions;
    const won = [2, 2.5, 3, 3.5, 4, 5, 6, 8, 9, 20].map(of);
    expect(won).toEqual(won.toSorted((a, b) => a - b));
    expect(new Set(won).size).toBe(won.length);
  });

  it('free things deliver and cost nothing', () => {
    const free = all(line({ pricing_option: option('cpm', { fixed_price: 0 }) }));
    expect(free.impressions).toBeGreaterThan(0);
    expect(free.spend).toBe(0);
  });
});

describe('metrics fit the channel', () => {
  it('video and audio have completions, screens have plays, display has neither', () => {
    const ctv = all(line({ inventory: { ...line().inventory, completion_rate: 0.9 } }));
    expect(ctv.completion_rate).toBeCloseTo(0.9, 4);
    expect(ctv.quartile_data?.q4_views).toBe(ctv.completed_views);
    expect(ctv.quartile_data?.q1_views).toBeGreaterThan(ctv.quartile_data?.q2_views as number);
    expect(ctv.plays).toBeUndefined();
    const dooh = all(line({ channels: ['dooh'] }));
    expect(dooh.plays).toBe(dooh.impressions);
    expect(dooh).not.toHaveProperty('completed_views');
    expect(dooh.clicks).toBe(0);
    const display = all(
      line({ channels: ['display'], inventory: { ...line().inventory, click_rate: 0.002, viewable_rate: 0.65 } }),
    );
    expect(display.ctr).toBeCloseTo(0.002, 4);
    expect(display.viewability?.viewable_rate).toBeCloseTo(0.65, 4);
    expect(display).not.toHaveProperty('completion_rate');
    expect(all(line())).not.toHaveProperty('viewability');
  });
});

describe('pacing', () => {
  const half = START + 15 * DAY;

  it('even is about half way at half time, front-loaded ahead of it, asap done', () => {
    expect(until(line(), half).spend / 10_000).toBeCloseTo(0.5, 1);
    expect(until(line({ pacing: 'front_loaded' }), half).spend).toBeGreaterThan(6000);
    expect(until(line({ pacing: 'asap' }), half).spend).toBe(10_000);
  });

  it('days differ a little, by package, and are the same for ever', () => {
    const days = dailyBreakdown(line(), START, END).map((day) => day.impressions);
    const mean = 357_143 / 30;
    expect(new Set(days).size).toBeGreaterThan(20);
    for (const day of days) expect(Math.abs(day / mean - 1)).toBeLessThanOrEqual(0.31);
    expect(dailyBreakdown(line(), START, END).map((day) => day.impressions)).toEqual(days);
    expect(dailyBreakdown(line({ package_id: 'pkg_2' }), START, END).map((day) => day.impressions)).not.toEqual(days);
  });

  it.each<readonly [what: string, channels: DeliveryLine['channels'], weekend: 'more' | 'less']>([
    ['television is watched at the weekend', ['ctv'], 'more'],
    ['pages are read in the week', ['display'], 'less'],
    ['stations and radios are passed in the week', ['dooh'], 'less'],
  ])('days follow the week of their channel: %s', (_what, channels, weekend) => {
    const days = dailyBreakdown(line({ channels, end_ms: START + 28 * DAY }), START, END);
    const mean = (of: readonly { readonly impressions: number }[]) =>
      of.reduce((sum, { impressions }) => sum + impressions, 0) / of.length;
    const isWeekend = ({ date }: { readonly date: string }) => [0, 6].includes(new Date(date).getUTCDay());
    const ratio = mean(days.filter(isWeekend)) / mean(days.filter((day) => !isWeekend(day)));
    if (weekend === 'more') expect(ratio).toBeGreaterThan(1.1);
    else expect(ratio).toBeLessThan(0.9);
  });

  it('a line that needs every impression has no day to spare for the week', () => {
    const tight = line({ inventory: { countries: ['US'], keywords: [], daily_impressions: 11_905 } });
    for (const day of dailyBreakdown(tight, START, END)) expect(day.impressions).toBeLessThanOrEqual(11_905);
    expect(all(tight).spend).toBe(10_000);
  });

  it('is on track on every evening where nothing holds it back, in the hours of its dayparts too', () => {
    const weekends = { share: 1, hours: [[120, 168]] as const };
    for (const of of [line(), line({ channels: ['display'] }), line({ reach: weekends })]) {
      for (let at = START + 6 * DAY; at < END; at += DAY) expect(pacingIndex(of, at)).toBeCloseTo(1, 1);
    }
  });

  it('catches up after a pause', () => {
    const paused = line({
      active: [
        [START, START + 5 * DAY],
        [half, END],
      ],
    });
    expect(simulateDelivery(paused, START + 5 * DAY, half).impressions).toBe(0);
    expect(all(paused).spend).toBe(10_000);
  });

  it('pacingIndex tells on track, behind and ahead', () => {
    expect(pacingIndex(line(), half)).toBeCloseTo(1, 1);
    expect(pacingIndex(line({ pacing: 'front_loaded' }), half)).toBeCloseTo(1, 1);
    expect(pacingIndex(line({ pacing: 'asap' }), half)).toBe(2);
    expect(pacingIndex(line({ active: [[START, START + 5 * DAY]] }), half)).toBeLessThan(0.5);
    expect(pacingIndex(line({ pricing_option: option('flat_rate', { fixed_price: 5000 }) }), half)).toBe(1);
    expect(pacingIndex(line(), END + DAY)).toBe(1);
    expect(pacingIndex(line(), START)).toBeUndefined();
    expect(pacingIndex(line({ budget: 0 }), half)).toBeUndefined();
  });
});

describe('deliveryStatus', () => {
  const half = START + 15 * DAY;
  const cases: readonly (readonly [string, DeliveryLine, number, string])[] = [
    ['before the start', line(), START - 1, 'not_delivering'],
    ['in flight', line(), half, 'delivering'],
    ['paused', line({ active: [[START, START + DAY]] }), half, 'not_delivering'],
    ['spent early', line({ pacing: 'asap' }), half, 'budget_exhausted'],
    ['goal reached early', line({ pacing: 'asap', impressions: 1000 }), half, 'goal_met'],
    ['over and spent', line(), END, 'completed'],
    ['over, goal reached', line({ impressions: 1000 }), END, 'completed'],
    [
      'over, flat rate',
      line({ budget: 20_000, pricing_option: option('flat_rate', { fixed_price: 9000 }) }),
      END,
      'completed',
    ],
    ['over, not spent', line({ active: [[START, half]] }), END, 'flight_ended'],
    ['outbid', line({ pricing_option: option('cpm', { floor_price: 5 }), bid_price: 4 }), half, 'not_delivering'],
  ];
  it.each(cases)('%s', (_name, of, at, status) => {
    expect(deliveryStatus(of, at)).toBe(status);
  });
});

describe('terms that change on the way', () => {
  const half = START + 15 * DAY;
  const first = { end_ms: END, budget: 10_000, pacing: 'even' } as const;

  it('leave what was delivered as it was', () => {
    const raised = line({
      budget: 30_000,
      active: [
        [START, half, first],
        [half, Number.POSITIVE_INFINITY, { ...first, budget: 30_000 }],
      ],
    });
    expect(simulateDelivery(raised, START, half)).toEqual(simulateDelivery(line(), START, half));
    expect(all(raised).spend).toBe(30_000);
  });

  it('cannot take back what was spent', () => {
    const cut = line({
      budget: 100,
      active: [
        [START, half, first],
        [half, END, { ...first, budget: 100 }],
      ],
    });
    expect(simulateDelivery(cut, half, END).spend).toBe(0);
    expect(all(cut).spend).toBe(until(line(), half).spend);
  });

  it('charge each stretch at its own bid', () => {
    const auction = option('cpm', { floor_price: 5 });
    const bids = line({
      pricing_option: auction,
      active: [
        [START, half, { ...first, bid_price: 10 }],
        [half, END, { ...first, bid_price: 20 }],
      ],
    });
    const [before, after] = [until(bids, half), simulateDelivery(bids, half, END)];
    expect(before.spend).toBeCloseTo((before.impressions * 10) / 1000, 1);
    expect(after.spend).toBeCloseTo((after.impressions * 20) / 1000, 1);
  });

  it('come from the segments of a package', () => {
    const iso = (ms: number) => new Date(ms).toISOString();
    const { delivery_type, channels, inventory, pricing_option } = line();
    const booked: Package = {
      package_id: 'pkg_1',
      product_id: 'p',
      pricing_option_id: 'o',
      budget: 10_000,
      pacing: 'even',
      start_time: iso(START),
      end_time: iso(END),
      paused: false,
      canceled: false,
      echoed: {},
      needs_creative: false,
      sold: { delivery_type, channels, format_ids: [], inventory, option: pricing_option },
      segments: [
        { from: iso(START), to: iso(START + DAY), end: iso(END), budget: 10_000, pacing: 'even' },
        { from: iso(START + 2 * DAY), end: iso(END), budget: 10_000, pacing: 'even' },
      ],
    };
    const of = deliveryLine(booked);
    expect(all(of)).toEqual(
      all(
        line({
          active: [
            [START, START + DAY],
            [START + 2 * DAY, END],
          ],
        }),
      ),
    );
    expect(all(deliveryLine({ ...booked, segments: [] })).impressions).toBe(0);
  });
});

describe('dailyBreakdown', () => {
  it('has one row per UTC day of window and flight, which add up to the whole', () => {
    const of = line({
      start_ms: START + 7 * HOUR,
      end_ms: START + 4 * DAY + HOUR,
      active: [
        [START, START + DAY],
        [START + 2 * DAY, END],
      ],
    });
    const days = dailyBreakdown(of, START - 10 * DAY, END);
    expect(days.map((day) => day.date)).toEqual(['2027-03-01', '2027-03-02', '2027-03-03', '2027-03-04', '2027-03-05']);
    expect(days[1]).toMatchObject({ impressions: 0, spend: 0 });
    expect(days.reduce((sum, day) => sum + day.impressions, 0)).toBe(all(of).impressions);
    expect(days.reduce((sum, day) => sum + Math.round(day.spend * 100), 0)).toBe(Math.round(all(of).spend * 100));
    expect(dailyBreakdown(of, END, END + DAY)).toEqual([]);
  });
});

describe('any line', () => {
  const ms = fc.integer({ min: -2 * 24 * 60, max: 45 * 24 * 60 }).map((minutes) => START + minutes * 60_000);
  const lines = fc
    .record({
      package_id: fc.string({ minLength: 1, maxLength: 12 }),
      flightMinutes: fc.integer({ min: 1, max: 40 * 24 * 60 }),
      startMinutes: fc.integer({ min: 0, max: 24 * 60 }),
      budget: fc.oneof(
        fc.integer({ min: 0, max: 5_000_000 }).map((cents) => cents / 100),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
      ),
      model: fc.constantFrom(...PRICING_MODELS),
      price: fc.integer({ min: 1, max: 9000 }).map((cents) => cents / 100),
      auction: fc.boolean(),
      bid: fc.integer({ min: 1, max: 9000 }).map((cents) => cents / 100),
      max_bid: fc.boolean(),
      pacing: fc.constantFrom('even' as const, 'asap' as const, 'front_loaded' as const),
      impressions: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
      guaranteed: fc.boolean(),
      channels: fc.constantFrom<DeliveryLine['channels']>(
        ['display'],
        ['ctv'],
        ['dooh'],
        ['streaming_audio', 'podcast'],
        ['olv', 'display'],
      ),
      daily: fc.integer({ min: 0, max: 2_000_000 }),
      rate: fc.double({ min: 0, max: 1, noNaN: true }),
      cuts: fc.option(fc.array(ms, { maxLength: 6 }), { nil: undefined }),
    })
    .map((given): DeliveryLine => {
      const start_ms = START + given.startMinutes * 60_000;
      const cuts = given.cuts?.toSorted((a, b) => a - b);
      const active = cuts?.flatMap((from, at): ActiveInterval[] =>
        at % 2 === 0 ? [[from, cuts[at + 1] ?? Number.POSITIVE_INFINITY]] : [],
      );
      return {
        package_id: given.package_id,
        start_ms,
        end_ms: start_ms + given.flightMinutes * 60_000,
        budget: given.budget,
        bid_price: given.bid,
        pacing: given.pacing,
        impressions: given.impressions,
        delivery_type: given.guaranteed ? 'guaranteed' : 'non_guaranteed',
        channels: given.channels,
        pricing_option: option(
          given.model,
          given.auction ? { floor_price: given.price, max_bid: given.max_bid } : { fixed_price: given.price },
        ),
        inventory: {
          countries: [],
          keywords: [],
          daily_impressions: given.daily,
          click_rate: given.rate,
          viewable_rate: given.rate,
        },
        ...(active === undefined ? {} : { active }),
      };
    });
  const numbers = ({
    impressions,
    spend,
    clicks,
    views = 0,
    completed_views = 0,
    viewability,
    grps = 0,
    conversions = 0,
  }: Metrics) =>
    [
      impressions,
      Math.round(spend * 100),
      clicks,
      views,
      completed_views,
      viewability?.viewable_impressions ?? 0,
      Math.round(grps * 100),
      conversions,
    ] as const;
  const runs = { numRuns: 1000 };

  it('only grows, and windows add up exactly', () => {
    fc.assert(
      fc.property(lines, ms, ms, ms, (of, ...times) => {
        const [a, b, c] = times.toSorted((x, y) => x - y) as [number, number, number];
        const [first, second, both] = [
          simulateDelivery(of, a, b),
          simulateDelivery(of, b, c),
          simulateDelivery(of, a, c),
        ].map(numbers);
        for (const [at, value] of (both ?? []).entries()) {
          expect(first?.[at]).toBeGreaterThanOrEqual(0);
          expect(second?.[at]).toBeGreaterThanOrEqual(0);
          expect((first?.[at] as number) + (second?.[at] as number)).toBe(value);
        }
      }),
      runs,
    );
  });

  it('never grows backwards from one millisecond to the next', () => {
    fc.assert(
      fc.property(lines, ms, fc.integer({ min: 1, max: 3 }), (of, at, step) => {
        for (const value of numbers(simulateDelivery(of, at, at + step))) expect(value).toBeGreaterThanOrEqual(0);
        const midnight = Math.floor(at / DAY) * DAY;
        for (const value of numbers(simulateDelivery(of, midnight - 1, midnight + step)))
          expect(value).toBeGreaterThanOrEqual(0);
      }),
      runs,
    );
  });

  it('never exceeds budget, goal or supply', () => {
    fc.assert(
      fc.property(lines, ms, ms, (of, x, y) => {
        const [from, to] = x < y ? [x, y] : [y, x];
        const total = all(of);
        expect(total.spend).toBeLessThanOrEqual(of.budget);
        expect(total.impressions).toBeLessThanOrEqual(of.impressions ?? Number.POSITIVE_INFINITY);
        const window = simulateDelivery(of, from, to);
        expect(window.impressions).toBeLessThanOrEqual((of.inventory.daily_impressions * (to - from)) / DAY + 1);
        for (const rate of [window.ctr, window.completion_rate ?? 0, window.viewability?.viewable_rate ?? 0]) {
          expect(rate).toBeGreaterThanOrEqual(0);
          expect(rate).toBeLessThanOrEqual(1);
        }
      }),
      runs,
    );
  });

  it('delivers nothing outside the flight and nothing while paused', () => {
    const still = (metrics: Metrics) => expect(numbers(metrics).every((value) => value === 0)).toBe(true);
    fc.assert(
      fc.property(lines, (of) => {
        still(simulateDelivery(of, START - 5 * DAY, of.start_ms));
        still(simulateDelivery(of, of.end_ms, of.end_ms + 90 * DAY));
        if (of.active === undefined) return;
        let free = of.start_ms;
        for (const [from, to] of of.active) {
          still(simulateDelivery(of, free, Math.max(free, from)));
          free = Math.max(free, to);
        }
      }),
      runs,
    );
  });

  it('is not changed afterwards by a pause', () => {
    fc.assert(
      fc.property(lines, ms, (of, pause) => {
        const active = of.active ?? [[of.start_ms, of.end_ms] as const];
        const stopped = {
          ...of,
          active: active.map(([from, to]): ActiveInterval => [from, Math.min(to, Math.max(from, pause))]),
        };
        expect(simulateDelivery(stopped, START - DAY, pause)).toEqual(simulateDelivery(of, START - DAY, pause));
        expect(simulateDelivery(stopped, pause, END + 60 * DAY).impressions).toBe(0);
      }),
      runs,
    );
  });

  it('spends a reserved budget exactly, when twice the supply it needs is there', () => {
    const rate = fc.double({ min: 0.01, max: 1, noNaN: true });
    const perUnit = { cpm: 1000, vcpm: 1000, cpc: 1, cpcv: 1 } as const;
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: 1, max: 5_000_000 }),
        rate,
        fc.constantFrom('cpm', 'vcpm', 'cpc', 'cpcv'),
        (given, cents, each, model) => {
          const budget = cents / 100;
          const days = (given.end_ms - given.start_ms) / DAY;
          const price = given.pricing_option.fixed_price ?? 1;
          const { active: _active, impressions: _goal, ...rest } = given;
          const needed = ((budget / price) * perUnit[model] + 1) / (model === 'cpm' ? 1 : each) + 1;
          const of: DeliveryLine = {
            ...rest,
            budget,
            delivery_type: 'guaranteed',
            pricing_option: option(model, { fixed_price: price }),
            inventory: {
              ...given.inventory,
              click_rate: each,
              viewable_rate: each,
              completion_rate: each,
              daily_impressions: (2 * needed) / days,
            },
          };
          expect(all(of).spend).toBe(budget);
          expect(deliveryStatus(of, of.end_ms)).toBe('completed');
        },
      ),
      runs,
    );
  });
});
