import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../../src/platform/kernel/clock.js';
import {
  afterAttempt,
  type Breaker,
  CLOSED,
  endsOutage,
  type Health,
  isOpen,
} from '../../../../src/seller/webhooks/delivery/breaker.js';
import { createLanes } from '../../../../src/seller/webhooks/delivery/lanes.js';

const GOOD: Health = { isEndpointFailing: false, isThrottled: false };
const BAD: Health = { isEndpointFailing: true, isThrottled: false };
const TOO_FAST: Health = { isEndpointFailing: true, isThrottled: true };

describe('a breaker', () => {
  const breakerAfter = (healths: readonly Health[], now = 0): Breaker =>
    healths.reduce((breaker, health) => afterAttempt(breaker, health, now), CLOSED);

  it('opens with the fifth failure in a row, and closes with one good answer', () => {
    const fails = [BAD, BAD, BAD, BAD];
    expect(isOpen(breakerAfter(fails))).toBe(false);
    expect(isOpen(breakerAfter([...fails, BAD]))).toBe(true);
    expect(isOpen(breakerAfter([...fails, GOOD, BAD]))).toBe(false);
    expect(breakerAfter([...fails, BAD, GOOD])).toBe(CLOSED);
  });

  it('lets an endpoint be probed every 30 seconds for as long as it fails, and not before the pause that it asks for', () => {
    let breaker = CLOSED;
    for (let probe = 0; probe < 100; probe += 1) {
      breaker = afterAttempt(breaker, BAD, breaker.probeAtMs);
      expect(breaker.probeAtMs).toBe((probe + 1) * 30 * SECOND_MS);
    }
    const asked = { ...BAD, retryAfterMs: 10 * MINUTE_MS };
    expect(afterAttempt(CLOSED, asked, 0).probeAtMs).toBe(10 * MINUTE_MS);
    expect(breakerAfter([asked, BAD]).probeAtMs).toBe(10 * MINUTE_MS);
  });

  it('tells an outage from a failure among good answers', () => {
    expect(endsOutage(CLOSED, MINUTE_MS)).toBe(false);
    expect(endsOutage(breakerAfter([BAD]), SECOND_MS)).toBe(false);
    expect(endsOutage(breakerAfter([BAD, BAD]), 5 * SECOND_MS)).toBe(true);
  });
});

describe('lanes', () => {
  /** Lanes over a clock; `answer` runs one event of an endpoint to its end. */
  function lanesAt(limits = { perEndpoint: 4, total: 8 }) {
    const clock = { now: 0 };
    const lanes = createLanes(limits, () => clock.now);
    const answer = (endpoint: string, health: Health | undefined) => lanes.run(endpoint, async () => health);
    const demand = (endpoint: string) => lanes.wanted(clock.now).find((one) => one.endpoint === endpoint);
    const share = (endpoint: string) => demand(endpoint)?.count ?? 0;
    const fail = async (endpoint: string, times: number) => {
      for (let n = 0; n < times; n += 1) await answer(endpoint, BAD);
    };
    return { clock, lanes, answer, demand, share, fail };
  }
  const lane = (origin: string, principal = 'p', path = 'x') => `https://${origin}#${principal}.${path}`;

  it('take one event first, and more with every good answer up to the limit', async () => {
    const { lanes, answer, share } = lanesAt();
    lanes.expect('a', 0);
    const shares = [share('a')];
    for (let n = 0; n < 5; n += 1) {
      await answer('a', GOOD);
      shares.push(share('a'));
    }
    expect(shares).toEqual([1, 12, 24, 40, 40, 40]);
  });

  it('are narrowed to one event at a time by an answer that fails or asks for less', async () => {
    const { lanes, answer, share } = lanesAt();
    lanes.expect('a', 0);
    for (let n = 0; n < 4; n += 1) await answer('a', GOOD);
    await answer('a', TOO_FAST);
    expect(share('a')).toBe(1);
    await answer('a', GOOD);
    expect(share('a'), 'half of four and one more').toBe(24);
    await answer('a', BAD);
    expect(share('a')).toBe(1);
    await answer('a', undefined);
    expect(share('a')).toBe(1);
  });

  it('want nothing that is not due, and take principals in turn', () => {
    const { lanes, clock } = lanesAt();
    const endpoints = () => lanes.wanted(clock.now).map(({ endpoint }) => endpoint);
    lanes.expect(lane('later'), 10);
    const [a1, a2, b] = [lane('h', 'a', '1'), lane('h', 'a', '2'), lane('h', 'b')];
    for (const endpoint of [a1, a2, b]) lanes.expect(endpoint, 0);
    expect(endpoints()).toEqual([a1, b, a2]);
    for (const endpoint of [a1, a2, b]) lanes.correct(endpoint, undefined, lanes.mark());
    lanes.correct(b, 5, lanes.mark());
    expect(endpoints()).toEqual([]);
    clock.now = 10;
    expect(endpoints().toSorted()).toEqual([b, lane('later')].toSorted());
  });

  it('forget no event that came after the store was read', () => {
    const { lanes, clock } = lanesAt();
    lanes.expect('a', 0);
    const mark = lanes.mark();
    lanes.expect('a', 0);
    lanes.correct('a', undefined, mark);
    expect(lanes.wanted(clock.now)).toHaveLength(1);
    lanes.correct('a', undefined, lanes.mark());
    expect(lanes.wanted(clock.now)).toEqual([]);
  });

  it('leave proven endpoints their room, however many others wait', async () => {
    const { lanes, clock, answer } = lanesAt();
    const good = lane('h', 'good');
    lanes.expect(good, 0);
    await answer(good, GOOD);
    for (let n = 0; n < 500; n += 1) {
      lanes.expect(lane('h', `hung-${n}`), 0);
      void lanes.run(lane('h', `hung-${n}`), () => new Promise(() => undefined));
    }
    expect(lanes.wanted(clock.now)).toEqual([{ endpoint: good, kind: 'due', count: 12 }]);
    expect(await answer(good, GOOD)).toBe(true);
  });

  it('remember how an endpoint did between its events, and forget it once nothing waits for it', async () => {
    const { lanes, answer, share } = lanesAt();
    for (let n = 0; n < 5; n += 1) {
      lanes.expect('a', 0);
      lanes.correct('a', undefined, lanes.mark());
      await answer('a', BAD);
    }
    lanes.expect('a', 0);
    expect([share('a'), lanes.mayCall('a')]).toEqual([0, false]);
    expect(lanes.forget()).toBe(1);
    lanes.correct('a', undefined, lanes.mark());
    expect(lanes.forget()).toBe(0);
    expect(lanes.mayCall('a')).toBe(true);
  });

  it('probe a failing endpoint with one event, by turns the first and the last that waits, also before its time', async () => {
    const { lanes, clock, demand, fail } = lanesAt();
    lanes.expect('a', 0);
    await fail('a', 5);
    const kinds: unknown[] = [];
    lanes.correct('a', 10 * MINUTE_MS, lanes.mark());
    for (let probe = 0; probe < 4; probe += 1) {
      expect(demand('a')).toBeUndefined();
      clock.now += 30 * SECOND_MS;
      kinds.push(demand('a'));
      await fail('a', 1);
    }
    expect(kinds).toEqual(
      ['probe', 'late_probe', 'probe', 'late_probe'].map((kind) => ({ endpoint: 'a', kind, count: 1 })),
    );
  });

  it('say once that an endpoint is back, and then probe the others of its principal there', async () => {
    const { lanes, clock, answer, fail, demand } = lanesAt();
    const all = Array.from({ length: 40 }, (_, n) => lane('h', 'p', `${n}`));
    for (const endpoint of all) {
      lanes.expect(endpoint, HOUR);
      await fail(endpoint, 2);
    }
    clock.now = 30 * SECOND_MS;
    const probed = lanes.wanted(clock.now).map(({ endpoint }) => endpoint);
    expect(probed, 'they are not all probed at once').toHaveLength(1);
    await answer(probed[0] ?? '', GOOD);
    expect(lanes.takeRecovered()).toEqual(probed);
    expect(lanes.takeRecovered()).toEqual([]);
    expect(lanes.wanted(clock.now).length).toBe(32);
    expect(demand(lane('h', 'other'))).toBeUndefined();
  });

  it('send what was never tried in its time past an open breaker', async () => {
    const { lanes, demand, fail } = lanesAt();
    lanes.expect('a', 0);
    await fail('a', 5);
    lanes.hurry('a', 6);
    expect([demand('a'), demand('a'), demand('a')]).toEqual([
      { endpoint: 'a', kind: 'overdue', count: 4 },
      { endpoint: 'a', kind: 'overdue', count: 2 },
      undefined,
    ]);
  });
});

const HOUR = 60 * MINUTE_MS;
