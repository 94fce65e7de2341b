import { describe, expect, it } from 'vitest';
import type { DeliveryLine } from '../../../../src/seller/domain/delivery/line.js';
import { explainPacing } from '../../../../src/seller/domain/delivery/pacing-reason.js';
import type { PricingOption } from '../../../../src/seller/domain/product/product.js';
import { judgeTargeting } from '../../../../src/seller/domain/targeting/check.js';

const DAY = 86_400_000;
const START = Date.UTC(2027, 2, 1);
const END = START + 28 * DAY;
const SUPPLY = { countries: ['US', 'CA'], daily_impressions: 100_000, channels: ['display'] as const };
const CPM: PricingOption = { pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'USD', fixed_price: 5 };
const AUCTION: PricingOption = { pricing_option_id: 'bid', pricing_model: 'cpm', currency: 'USD', floor_price: 2 };

/** A buy of 1,000,000 impressions in four weeks, of a product that has 2,800,000. */
function line(overlay: Record<string, unknown>, extra: Partial<DeliveryLine> = {}): DeliveryLine {
  return {
    package_id: 'pkg_1',
    start_ms: START,
    end_ms: END,
    budget: 5000,
    pacing: 'even',
    delivery_type: 'guaranteed',
    pricing_option: CPM,
    channels: SUPPLY.channels,
    inventory: { ...SUPPLY, keywords: [] },
    reach: judgeTargeting(overlay, SUPPLY, { flightDays: 28, field: 'p' }),
    ...extra,
  };
}

describe('delivery that is not on its plan says why', () => {
  it.each<readonly [code: string | undefined, of: DeliveryLine]>([
    [undefined, line({})],
    ['targeting', line({ geo_regions: ['CA-ON'] })],
    ['dayparts', line({ daypart_targets: [{ days: ['sunday'], start_hour: 2, end_hour: 3 }] })],
    [
      'frequency_cap',
      line({ frequency_cap: { max_impressions: 1, per: 'individuals', window: { interval: 28, unit: 'days' } } }),
    ],
    ['supply', line({}, { budget: 50_000 })],
    ['bid', line({}, { pricing_option: AUCTION, bid_price: 2, budget: 4000, delivery_type: 'non_guaranteed' })],
    ['bid_below_floor', line({}, { pricing_option: AUCTION, bid_price: 1 })],
    ['not_running', line({}, { active: [[START, START + 7 * DAY]] })],
    ['competition', line({}, { limits: [{ from_ms: START, to_ms: END, per_day: 10_000 }] })],
    ['pacing', line({}, { pacing: 'asap' })],
    [
      'terms_changed',
      line(
        {},
        {
          active: [
            [START, START + 7 * DAY, { end_ms: END, budget: 500, pacing: 'even' }],
            [START + 7 * DAY, END, { end_ms: END, budget: 5000, pacing: 'even' }],
          ],
        },
      ),
    ],
  ])('%s', (code, of) => {
    const reason = explainPacing(of, START + 14 * DAY);
    expect(reason?.code).toBe(code);
    if (code !== undefined) expect(reason?.message).toMatch(/^[A-Z].{30,}\.$/);
  });

  it('says nothing before the start', () => {
    expect(explainPacing(line({}, { budget: 50_000 }), START)).toBeUndefined();
  });
});
