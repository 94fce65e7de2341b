import { describe, expect, it } from 'vitest';
import { dailyBreakdown, simulateDelivery } from '../../../../src/seller/domain/delivery/delivery.js';
import type { DeliveryLine } from '../../../../src/seller/domain/delivery/line.js';
import { judgeTargeting } from '../../../../src/seller/domain/targeting/check.js';

const DAY_MS = 86_400_000;
const MONDAY_MS = Date.parse('2026-03-02T00:00:00Z');
const DAYS = 28;
const SUPPLY = { countries: ['US', 'CA'], daily_impressions: 100_000, channels: ['display'] as const };

/** A buy of 1,000,000 impressions in four weeks, of a product that has 2,800,000. */
function line(overlay: Record<string, unknown>): DeliveryLine {
  return {
    package_id: 'pkg_1',
    start_ms: MONDAY_MS,
    end_ms: MONDAY_MS + DAYS * DAY_MS,
    budget: 5000,
    pacing: 'even',
    delivery_type: 'guaranteed',
    pricing_option: { pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'USD', fixed_price: 5 },
    channels: SUPPLY.channels,
    inventory: { ...SUPPLY, keywords: [] },
    reach: judgeTargeting(overlay, SUPPLY, { flightDays: DAYS, field: 'p' }),
  };
}

const delivered = (overlay: Record<string, unknown>) =>
  simulateDelivery(line(overlay), MONDAY_MS, MONDAY_MS + DAYS * DAY_MS).impressions;

describe('targeted delivery', () => {
  it('is what the budget buys where the targeting leaves enough', () => {
    expect(delivered({})).toBe(1_000_000);
    expect(delivered({ geo_countries: ['US'] })).toBe(1_000_000);
    expect(delivered({ device_type: ['mobile'] })).toBe(1_000_000);
  });

  it.each<readonly [what: string, overlay: Record<string, unknown>, impressions: number]>([
    ['one province', { geo_regions: ['CA-ON'] }, (2_800_000 * 0.5) / 13],
    ['tablets', { device_type: ['tablet'] }, 2_800_000 * 0.06],
    ['French speakers', { language: ['fr'] }, 2_800_000 * 0.5 * 0.23],
    [
      'Sundays from 2 to 3',
      { daypart_targets: [{ days: ['sunday'], start_hour: 2, end_hour: 3 }] },
      (4 * 100_000) / 24,
    ],
    [
      'one ad a person in four weeks',
      { frequency_cap: { max_impressions: 1, per: 'individuals', window: { interval: 28, unit: 'days' } } },
      60_000,
    ],
  ])('is what the targeting leaves of the supply: %s', (_what, overlay, impressions) => {
    const got = delivered(overlay);
    expect(got).toBeGreaterThan(impressions * 0.84);
    expect(got).toBeLessThanOrEqual(impressions);
  });

  it('happens in the hours that were bought, and in no others', () => {
    const mornings = line({ daypart_targets: [{ days: ['saturday', 'sunday'], start_hour: 6, end_hour: 12 }] });
    const days = dailyBreakdown(mornings, MONDAY_MS, MONDAY_MS + DAYS * DAY_MS);
    for (const [at, { impressions }] of days.entries()) {
      if (at % 7 < 5) expect(impressions).toBe(0);
      else expect(impressions).toBeGreaterThan(0);
    }
    const saturday = MONDAY_MS + 5 * DAY_MS;
    expect(simulateDelivery(mornings, saturday, saturday + 6 * 3_600_000).impressions).toBe(0);
    expect(simulateDelivery(mornings, saturday + 12 * 3_600_000, saturday + DAY_MS).impressions).toBe(0);
  });

  it('adds up over any windows', () => {
    const targeted = line({
      geo_countries: ['US'],
      daypart_targets: [{ days: ['monday', 'friday'], start_hour: 5, end_hour: 9 }],
    });
    const end = MONDAY_MS + DAYS * DAY_MS;
    const middle = MONDAY_MS + 11.37 * DAY_MS;
    const [first, second] = [simulateDelivery(targeted, MONDAY_MS, middle), simulateDelivery(targeted, middle, end)];
    expect(first.impressions + second.impressions).toBe(simulateDelivery(targeted, MONDAY_MS, end).impressions);
  });
});
