import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../../src/platform/kernel/clock.js';
import {
  afterAttempt,
  allowedTraffic,
  type Breaker,
  CLOSED,
} from '../../../../src/seller/webhooks/delivery/breaker.js';
import { createLanes, type Health } from '../../../../src/seller/webhooks/delivery/lanes.js';

const GOOD: Health = { isEndpointFailing: false, isThrottled: false };
const BAD: Health = { isEndpointFailing: true, isThrottled: false };
const TOO_FAST: Health = { isEndpointFailing: true, isThrottled: true };

describe('a breaker', () => {
  const breakerAfter = (ailing: readonly boolean[], now = 0): Breaker =>
    ailing.reduce((breaker, bad) => afterAttempt(breaker, bad, now), CLOSED);

  it('opens with the fifth failure in a row', () => {
    const fails = [true, true, true, true];
    expect(allowedTraffic(breakerAfter(fails), 0)).toBe('all');
    expect(allowedTraffic(breakerAfter([...fails, true]), 0)).toBe('none');
    expect(allowedTraffic(breakerAfter([...fails, false, true]), 0)).toBe('all');
  });

  it('rests 30 seconds, then twice as long after every failed probe, up to ten minutes; one good answer closes it', () => {
    let breaker = breakerAfter([true, true, true, true]);
    let now = 0;
    const rests: number[] = [];
    for (let probe = 0; probe < 8; probe += 1) {
      breaker = afterAttempt(breaker, true, now);
      expect(allowedTraffic(breaker, breaker.openUntilMs - 1)).toBe('none');
      expect(allowedTraffic(breaker, breaker.openUntilMs)).toBe('probe');
      rests.push((breaker.openUntilMs - now) / SECOND_MS);
      now = breaker.openUntilMs;
    }
    expect(rests).toEqual([30, 60, 120, 240, 480, 600, 600, 600]);
    expect(afterAttempt(breaker, false, now)).toBe(CLOSED);
  });

  it('does not rest longer for what was under way when it opened', () => {
    const opened = breakerAfter([true, true, true, true, true]);
    expect(afterAttempt(opened, true, opened.openUntilMs - 1).openUntilMs).toBe(opened.openUntilMs);
  });
});

describe('lanes', () => {
  /** Lanes over a clock; `answer` runs one event of an endpoint to its end. */
  function lanesAt(limits = { perEndpoint: 4, total: 8 }) {
    const clock = { now: 0 };
    const lanes = createLanes(limits, () => clock.now);
    const answer = (endpoint: string, health: Health | undefined) => lanes.run(endpoint, async () => health);
    const share = (endpoint: string) => lanes.wanted(clock.now).find((one) => one.endpoint === endpoint)?.count ?? 0;
    return { clock, lanes, answer, share };
  }

  it('take four ahead, and more with every good answer up to the limit', async () => {
    const { lanes, answer, share } = lanesAt();
    lanes.expect('a', 0);
    const shares = [share('a')];
    for (let n = 0; n < 5; n += 1) {
      await answer('a', GOOD);
      shares.push(share('a'));
    }
    expect(shares).toEqual([4, 12, 24, 40, 40, 40]);
  });

  it('are halved by an answer that asks for less, and narrowed to one by a bad one', async () => {
    const { lanes, answer, share } = lanesAt();
    lanes.expect('a', 0);
    for (let n = 0; n < 4; n += 1) await answer('a', GOOD);
    await answer('a', TOO_FAST);
    expect(share('a')).toBe(12);
    await answer('a', TOO_FAST);
    expect(share('a')).toBe(4);
    await answer('a', GOOD);
    await answer('a', GOOD);
    expect(share('a')).toBe(24);
    await answer('a', BAD);
    expect(share('a')).toBe(4);
    await answer('a', undefined);
    expect(share('a')).toBe(4);
  });

  it('want nothing that is not due, and all together no more than there is room for', () => {
    const { lanes, clock } = lanesAt({ perEndpoint: 4, total: 1 });
    lanes.expect('later', 10);
    for (const endpoint of ['a', 'b', 'c', 'd']) lanes.expect(endpoint, 0);
    expect(lanes.wanted(clock.now)).toEqual([
      { endpoint: 'a', count: 4 },
      { endpoint: 'b', count: 4 },
      { endpoint: 'c', count: 2 },
    ]);
    // Those just served come last.
    expect(lanes.wanted(clock.now).map(({ endpoint }) => endpoint)).toEqual(['d', 'a', 'b']);
    for (const endpoint of ['a', 'b', 'c']) lanes.correct(endpoint, undefined);
    lanes.correct('d', 5);
    clock.now = 10;
    expect(lanes.wanted(clock.now).map(({ endpoint }) => endpoint)).toEqual(['later', 'd']);
  });

  it('remember how an endpoint did between its events, and forget it once nothing waits for it', async () => {
    const { lanes, clock, answer, share } = lanesAt();
    for (let n = 0; n < 5; n += 1) {
      lanes.expect('a', 0);
      lanes.correct('a', undefined);
      await answer('a', BAD);
    }
    lanes.expect('a', 0);
    expect([share('a'), lanes.mayCall('a', clock.now)]).toEqual([0, false]);
    expect(lanes.forget()).toBe(1);
    lanes.correct('a', undefined);
    expect(lanes.forget()).toBe(0);
    expect(lanes.mayCall('a', clock.now)).toBe(true);
  });

  it('probe a resting endpoint with one event', async () => {
    const { lanes, clock, answer, share } = lanesAt();
    lanes.expect('a', 0);
    for (let n = 0; n < 5; n += 1) await answer('a', BAD);
    expect([share('a'), lanes.mayCall('a', clock.now)]).toEqual([0, false]);
    clock.now = MINUTE_MS;
    expect([share('a'), lanes.mayCall('a', clock.now)]).toEqual([1, true]);
    await answer('a', GOOD);
    expect(share('a')).toBe(12);
  });
});
