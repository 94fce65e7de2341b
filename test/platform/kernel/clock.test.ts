import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysText, isoTime, parseDateTime, parseDay, secondText } from '../../../src/platform/kernel/clock.js';

const FIRST = Date.UTC(1970, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const two = (number: number) => String(number).padStart(2, '0');

describe('isoTime and parseDateTime', () => {
  it('go back and forth', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST, max: LAST }), (ms) => {
        expect(parseDateTime(isoTime(ms))).toBe(ms);
        expect(parseDateTime(new Date(ms).toISOString())).toBe(ms);
      }),
    );
  });

  it('read every real moment at every offset', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: FIRST + 864e5, max: LAST - 864e5 }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (at, offset) => {
          const ms = Math.floor(at / 1000) * 1000;
          const local = new Date(ms + offset * 60_000).toISOString().slice(0, 19);
          const sign = offset < 0 ? '-' : '+';
          const text = `${local}${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
          expect(parseDateTime(text)).toBe(ms);
          expect(parseDateTime(local), 'a naive time').toBeUndefined();
        },
      ),
    );
  });

  it('refuse every day that the calendar does not have, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2100 }), fc.nat(13), fc.nat(32), (year, month, day) => {
        const lengths = [
          31,
          year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28,
          31,
          30,
          31,
          30,
          31,
          31,
          30,
          31,
          30,
          31,
        ];
        const real = month >= 1 && month <= 12 && day >= 1 && day <= (lengths[month - 1] ?? 0);
        const text = `${year}-${two(month)}-${two(day)}`;
        const ms = real ? Date.UTC(year, month - 1, day) : undefined;
        expect(parseDay(text)).toBe(ms);
        expect(parseDateTime(`${text}T00:00:00Z`)).toBe(ms);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['2030-06-01T00:00:00Z', Date.UTC(2030, 5, 1)],
    ['2030-06-01T00:00Z', Date.UTC(2030, 5, 1)],
    ['2030-06-01t00:00:00z', Date.UTC(2030, 5, 1)],
    ['2030-06-01T00:00:00.5Z', Date.UTC(2030, 5, 1) + 500],
    ['2030-06-01T00:00:00.123456789Z', Date.UTC(2030, 5, 1) + 123],
    ['2030-06-01T02:00:00+02:00', Date.UTC(2030, 5, 1)],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['2030-02-29T00:00:00Z', undefined],
    ['2030-06-01T00:00:00', undefined],
    ['2030-06-01T00:00:00+0200', undefined],
    ['2030-06-01T00:00:00 Z', undefined],
    ['2030-06-01 00:00:00Z', undefined],
    ['2030-06-01', undefined],
    ['2030-6-1T00:00:00Z', undefined],
    ['2030-06-01T25:00:00Z', undefined],
    ['2030-06-01T00:60:00Z', undefined],
    ['2030-06-01T00:00:61Z', undefined],
    ['2030-06-01T00:00:00+25:00', undefined],
    ['2030-06-01T00:00:00.Z', undefined],
    ['2030-06-01T00:00:00.1234567890Z', undefined],
    ['+002030-06-01T00:00:00Z', undefined],
    ['now', undefined],
    ['', undefined],
  ])('%s', (text, ms) => {
    expect(parseDateTime(text)).toBe(ms);
  });
});

describe('isoTime', () => {
  it.each([
    [Date.UTC(2030, 0, 1), '2030-01-01T00:00:00Z'],
    [Date.UTC(2030, 0, 1) + 1, '2030-01-01T00:00:00.001Z'],
    [Date.UTC(2030, 0, 1, 12, 30, 59, 990), '2030-01-01T12:30:59.990Z'],
  ])('%i is %s', (ms, text) => {
    expect(isoTime(ms)).toBe(text);
  });
});

it.each([
  ['2030-01-01T00:00:00Z', '2030-01-31T00:00:00Z', '1 to 31 Jan 2030'],
  ['2030-01-31T22:00:00Z', '2030-02-01T04:00:00Z', '31 Jan to 1 Feb 2030'],
  ['2029-12-20T00:00:00Z', '2030-01-03T00:00:00Z', '20 Dec 2029 to 3 Jan 2030'],
  ['2030-06-02T00:00:00Z', '2030-06-02T23:59:00Z', '2 Jun 2030'],
  ['2029-06-02T00:00:00Z', '2030-06-02T00:00:00Z', '2 Jun 2029 to 2 Jun 2030'],
])('writes the days from %s to %s once each', (first, last, text) => {
  expect(daysText(Date.parse(first), Date.parse(last))).toBe(text);
});

describe('a time for people', () => {
  it('is to the second', () => {
    expect(['2026-11-27T12:26:35.920Z', '2026-11-27T12:26:35Z'].map(secondText)).toEqual([
      '2026-11-27T12:26:35Z',
      '2026-11-27T12:26:35Z',
    ]);
  });
});
