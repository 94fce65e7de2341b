import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/platform/kernel/clock.js';
import { nextAttemptMs, planAttempts, SCHEDULE } from '../../../../src/seller/webhooks/delivery/schedule.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const at = (key: string, nowMs: number, more: object = {}) =>
  nextAttemptMs(SCHEDULE, { key, firstMs: NOW, nowMs, expiresMs: NOW + 24 * HOUR_MS, ...more });

describe('the plan of an event', () => {
  it('is twelve attempts at growing distances, 21 h 43 min without jitter', () => {
    const exact = planAttempts({ ...SCHEDULE, jitter: 0 }, 'k');
    expect(exact.map((ms) => ms / SECOND_MS)).toEqual([
      2, 10, 40, 160, 760, 2560, 6160, 13_360, 27_760, 49_360, 78_160,
    ]);
  });

  it('outlasts every outage of 20 hours and ends within 24, whatever the jitter; each delay is within 20 %', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 4 }), (key) => {
        const offsets = planAttempts(SCHEDULE, key);
        const exact = planAttempts({ ...SCHEDULE, jitter: 0 }, key);
        expect(offsets.at(-1)).toBeGreaterThan(20 * HOUR_MS);
        expect(offsets.at(-1)).toBeLessThan(24 * HOUR_MS);
        offsets.forEach((offset, step) => {
          const delay = SCHEDULE.delaysMs[step] ?? 0;
          expect(Math.abs(offset - (exact[step] ?? 0))).toBeLessThanOrEqual(0.2 * delay + 1);
          expect(offset).toBeGreaterThan(offsets[step - 1] ?? 0);
        });
      }),
    );
  });

  it('is one event’s own: keys are spread over the whole width', () => {
    const firsts = Array.from({ length: 500 }, (_, n) => planAttempts(SCHEDULE, `key-${n}`)[10] ?? 0);
    const width = Math.max(...firsts) - Math.min(...firsts);
    expect(width).toBeGreaterThan(0.35 * 8 * HOUR_MS);
    expect(planAttempts(SCHEDULE, 'key-1')).toEqual(planAttempts(SCHEDULE, 'key-1'));
  });
});

describe('the next attempt', () => {
  it('is the first planned one that is still to come, so that a delay is not caught up', () => {
    const offsets = planAttempts(SCHEDULE, 'k');
    expect(at('k', NOW)).toBe(NOW + (offsets[0] ?? 0));
    expect(at('k', NOW + (offsets[0] ?? 0))).toBe(NOW + (offsets[1] ?? 0));
    expect(at('k', NOW + 5 * HOUR_MS)).toBe(NOW + (offsets.find((offset) => offset > 5 * HOUR_MS) ?? 0));
  });

  it('is one last at the end of the day when the plan is used up, and there is none after it', () => {
    const last = planAttempts(SCHEDULE, 'k').at(-1) ?? 0;
    const end = NOW + 24 * HOUR_MS;
    expect(at('k', NOW + last - 1)).toBe(NOW + last);
    expect(at('k', NOW + last)).toBe(end - 2 * MINUTE_MS);
    expect(at('k', end - 2 * MINUTE_MS)).toBeUndefined();
    expect(at('k', NOW, { expiresMs: NOW + SECOND_MS })).toBeUndefined();
  });

  it('of an event that began late is one last before its end, and then none', () => {
    const late = { firstMs: NOW + 5 * HOUR_MS };
    const end = NOW + 24 * HOUR_MS;
    expect(at('k', NOW + 20 * HOUR_MS, late)).toBe(end - 2 * MINUTE_MS);
    expect(at('k', end - 2 * MINUTE_MS, late)).toBeUndefined();
  });

  it('waits as long as the receiver asks, an hour at most, and never past the end', () => {
    expect(at('k', NOW, { retryAfterMs: 10 * MINUTE_MS })).toBe(NOW + 10 * MINUTE_MS);
    expect(at('k', NOW, { retryAfterMs: 10 * HOUR_MS })).toBe(NOW + HOUR_MS);
    expect(at('k', NOW, { retryAfterMs: HOUR_MS, expiresMs: NOW + 30 * MINUTE_MS })).toBe(NOW + 28 * MINUTE_MS);
  });
});
