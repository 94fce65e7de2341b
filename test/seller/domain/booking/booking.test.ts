import { describe, expect, it } from 'vitest';
import {
  type BookingOutcome,
  beginBooking,
  bookedByHand,
  endBooking,
  isForPeople,
  type OrderBooking,
} from '../../../../src/seller/domain/booking/booking.js';
import { joinForeignIds, readForeignIds } from '../../../../src/seller/domain/booking/foreign-ids.js';

const ORDER = { media_buy_id: 'mb_1', owner: 'o', revision: 1 };
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function attempt(before: OrderBooking | undefined, outcome: BookingOutcome, nowMs: number, revision = 1): OrderBooking {
  return endBooking(beginBooking(before, { ...ORDER, revision }, nowMs), outcome, nowMs);
}

describe('the booking of an order', () => {
  it.each([
    [{ kind: 'booked' }, 'booked', false, false],
    [{ kind: 'refused', reason: 'no' }, 'refused', false, false],
    [{ kind: 'later', reason: 'busy' }, 'waiting', true, false],
    [{ kind: 'unknown', reason: 'gone' }, 'unknown', true, true],
    [{ kind: 'later', reason: 'busy', isUnsure: true }, 'waiting', true, true],
    [{ kind: 'refused', reason: 'no', isUnsure: true }, 'refused', false, true],
  ] as const)('after %j is %s', (outcome, state, isTriedAgain, isUnsure) => {
    const ended = attempt(undefined, outcome, 0);
    expect(ended).toMatchObject({ state, attempts: 1, is_unsure: isUnsure });
    expect(ended.next_at !== null).toBe(isTriedAgain);
  });

  it('is unsure and due at once from before the call on, so that a process that ends in it is followed by one that looks', () => {
    expect(beginBooking(undefined, ORDER, 7)).toMatchObject({ state: 'booking', next_at: 7, is_unsure: true });
  });

  it('is tried later and later, never more than a minute and a fifth apart at first', () => {
    let booking: OrderBooking | undefined;
    let nowMs = 0;
    const waits: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      booking = attempt(booking, { kind: 'unknown', reason: 'gone' }, nowMs);
      waits.push((booking.next_at ?? 0) - nowMs);
      nowMs = booking.next_at ?? 0;
    }
    waits.forEach((wait, n) => {
      const planned = Math.min(2 * SECOND * 2 ** n, MINUTE);
      expect(wait).toBeGreaterThanOrEqual(planned * 0.8);
      expect(wait).toBeLessThanOrEqual(planned * 1.2);
    });
    expect(booking?.attempts).toBe(12);
    const late = attempt(booking, { kind: 'unknown', reason: 'gone' }, 7 * HOUR);
    expect((late.next_at ?? 0) - 7 * HOUR, 'once it has been tried for hours').toBeGreaterThan(7 * MINUTE);
  });

  it('is tried no later for processes that ended within its call', () => {
    let booking = beginBooking(undefined, ORDER, 0);
    for (let n = 0; n < 9; n += 1) booking = beginBooking(booking, ORDER, n);
    const failed = endBooking(booking, { kind: 'later', reason: 'busy' }, 9);
    expect(failed.attempts).toBe(1);
    expect(failed.next_at).toBeLessThan(3 * SECOND);
  });

  it('that has no ad server to go to is for a person at once, and goes on where there is one again', () => {
    const stranded = attempt(undefined, { kind: 'stranded', reason: 'The tenant has none.' }, 0);
    expect([stranded.state, isForPeople({}, stranded), stranded.is_unsure]).toEqual(['stranded', true, false]);
    expect(stranded.next_at).toBeGreaterThan(0);
    expect(attempt(stranded, { kind: 'booked' }, HOUR)).toMatchObject({ state: 'booked', reason: undefined });
  });

  it('waits as long as the ad server asks for, an hour at most', () => {
    const asked = (retryAfterMs: number) =>
      attempt(undefined, { kind: 'later', reason: 'busy', retryAfterMs }, 0).next_at;
    expect([asked(90 * SECOND), asked(5 * HOUR)]).toEqual([90 * SECOND, HOUR]);
  });

  it('becomes a matter for a person after a day, is tried on, and starts anew once it was booked', () => {
    const first = attempt(undefined, { kind: 'later', reason: 'busy' }, 0);
    const last = attempt(first, { kind: 'later', reason: 'busy' }, 24 * HOUR);
    expect([first, last].map((one) => isForPeople({}, one))).toEqual([false, true]);
    expect(last.next_at).toBeGreaterThan(24 * HOUR);
    const booked = attempt(last, { kind: 'booked' }, 25 * HOUR);
    expect(isForPeople({}, booked)).toBe(false);
    expect(attempt(booked, { kind: 'later', reason: 'busy' }, 60 * HOUR, 2)).toMatchObject({
      attempts: 1,
      state: 'waiting',
    });
  });

  it('keeps the ids that it learnt, of half an order too', () => {
    const half = attempt(
      undefined,
      { kind: 'unknown', reason: 'gone', foreign: { order: '7', packages: { a: '1' } } },
      0,
    );
    const whole = attempt(half, { kind: 'booked', foreign: { order: '7', packages: { b: '2' } } }, MINUTE);
    expect(whole.foreign).toEqual({ order: '7', packages: { a: '1', b: '2' } });
    expect(bookedByHand(half, { revision: 3, booked_by_hand: { at: '', order_id: '9' } })).toMatchObject({
      state: 'booked',
      revision: 3,
      is_unsure: false,
      foreign: { order: '9', packages: { a: '1' } },
    });
  });
});

describe('the ids that an adapter answers', () => {
  it.each([undefined, null])('may be %s', (nothing) => {
    expect(readForeignIds(nothing)).toBeUndefined();
    expect(joinForeignIds({ order: '1' }, readForeignIds(nothing))).toEqual({ order: '1' });
  });

  it.each([['7'], [{ order: 7 }], [{ order: '' }], [{ packages: ['1'] }], [{ creatives: { a: 'x'.repeat(201) } }]])(
    'are not taken as %j',
    (value) => {
      expect(() => readForeignIds(value)).toThrow('The adapter of the ad server answered ids');
    },
  );
});
