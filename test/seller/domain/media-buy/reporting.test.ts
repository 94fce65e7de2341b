import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../../src/platform/kernel/clock.js';
import {
  isAdjusted,
  type Period,
  periodAt,
  periodsIn,
  type ReportingFrequency,
} from '../../../../src/seller/domain/media-buy/reporting.js';
import { TimeZone } from '../../../../src/seller/domain/time-zone.js';

const UTC = new TimeZone('UTC');
const iso = ({ fromMs, toMs }: Period) => [isoTime(fromMs), isoTime(toMs)];
const between = (from: string, to: string): Period => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });

describe('a period of the UTC calendar', () => {
  it.each<[ReportingFrequency, at: string, from: string, to: string]>([
    ['hourly', '2030-01-01T10:59:59.999Z', '2030-01-01T10:00:00Z', '2030-01-01T11:00:00Z'],
    ['hourly', '2030-12-31T23:00:00Z', '2030-12-31T23:00:00Z', '2031-01-01T00:00:00Z'],
    ['daily', '2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'],
    ['daily', '2028-02-29T12:00:00+14:00', '2028-02-28T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['monthly', '2028-02-29T23:59:59Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
    ['monthly', '2030-12-31T00:00:00Z', '2030-12-01T00:00:00Z', '2031-01-01T00:00:00Z'],
  ])('%s at %s', (frequency, at, from, to) => {
    expect(iso(periodAt(frequency, Date.parse(at), UTC))).toEqual([from, to]);
  });
});

describe('a period of another time zone', () => {
  it.each<[zone: string, ReportingFrequency, at: string, from: string, to: string]>([
    ['Europe/Berlin', 'daily', '2030-01-15T12:00:00Z', '2030-01-14T23:00:00Z', '2030-01-15T23:00:00Z'],
    ['Europe/Berlin', 'monthly', '2030-03-31T22:30:00Z', '2030-03-31T22:00:00Z', '2030-04-30T22:00:00Z'],
    // A day of 23 hours, one of 25, and the month around one.
    ['Europe/Berlin', 'daily', '2030-03-31T12:00:00Z', '2030-03-30T23:00:00Z', '2030-03-31T22:00:00Z'],
    ['Europe/Berlin', 'daily', '2030-10-27T12:00:00Z', '2030-10-26T22:00:00Z', '2030-10-27T23:00:00Z'],
    ['Europe/Berlin', 'monthly', '2030-10-01T00:00:00Z', '2030-09-30T22:00:00Z', '2030-10-31T23:00:00Z'],
    // The hour that comes twice is two hours.
    ['Europe/Berlin', 'hourly', '2030-10-27T00:30:00Z', '2030-10-27T00:00:00Z', '2030-10-27T01:00:00Z'],
    ['Europe/Berlin', 'hourly', '2030-10-27T01:30:00Z', '2030-10-27T01:00:00Z', '2030-10-27T02:00:00Z'],
    ['America/New_York', 'daily', '2030-11-03T12:00:00Z', '2030-11-03T04:00:00Z', '2030-11-04T05:00:00Z'],
    ['Asia/Kolkata', 'hourly', '2030-01-01T10:00:00Z', '2030-01-01T09:30:00Z', '2030-01-01T10:30:00Z'],
    ['Pacific/Auckland', 'daily', '2030-01-01T12:00:00Z', '2030-01-01T11:00:00Z', '2030-01-02T11:00:00Z'],
    // The clock leaps over midnight, and is set back to 23 o'clock at midnight.
    ['Africa/Cairo', 'daily', '2030-04-26T12:00:00Z', '2030-04-25T22:00:00Z', '2030-04-26T21:00:00Z'],
    ['Africa/Cairo', 'daily', '2030-10-31T20:30:00Z', '2030-10-30T21:00:00Z', '2030-10-31T22:00:00Z'],
    // It is set back by half an hour: the hour before is an hour, the rest of the hour after it is half of one.
    ['Australia/Lord_Howe', 'hourly', '2030-04-06T14:45:00Z', '2030-04-06T14:00:00Z', '2030-04-06T15:00:00Z'],
    ['Australia/Lord_Howe', 'hourly', '2030-04-06T15:10:00Z', '2030-04-06T15:00:00Z', '2030-04-06T15:30:00Z'],
  ])('%s, %s at %s', (zone, frequency, at, from, to) => {
    expect(iso(periodAt(frequency, Date.parse(at), new TimeZone(zone)))).toEqual([from, to]);
  });

  it.each([
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Asia/Kathmandu',
    'Africa/Cairo',
    'Australia/Lord_Howe',
    'America/St_Johns',
  ])('of %s lies beside the next, whatever the clocks do in a year', (name) => {
    const zone = new TimeZone(name);
    const year = between('2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z');
    for (const frequency of ['daily', 'monthly', 'hourly'] as const) {
      const periods = periodsIn(year, frequency, 10_000, zone);
      const [least, most] = { daily: [360, 368], monthly: [12, 14], hourly: [8700, 8800] }[frequency];
      expect(periods.length).toBeGreaterThan(least ?? 0);
      expect(periods.length).toBeLessThan(most ?? 0);
      for (const { fromMs, toMs } of periods.slice(1, -1))
        expect(periodAt(frequency, toMs - 1, zone)).toEqual({ fromMs, toMs });
    }
  });
});

describe('the periods of a stretch', () => {
  it.each<[ReportingFrequency, from: string, to: string, cuts: readonly string[]]>([
    ['hourly', '2030-01-01T10:30:00Z', '2030-01-01T12:15:00Z', ['2030-01-01T11:00:00Z', '2030-01-01T12:00:00Z']],
    ['hourly', '2030-01-01T10:10:00Z', '2030-01-01T10:20:00Z', []],
    ['daily', '2030-01-31T00:00:00Z', '2030-02-02T00:00:00Z', ['2030-02-01T00:00:00Z']],
    ['monthly', '2030-01-31T18:00:00Z', '2030-03-01T00:00:01Z', ['2030-02-01T00:00:00Z', '2030-03-01T00:00:00Z']],
  ])('%s from %s to %s lie side by side', (frequency, from, to, cuts) => {
    const edges = [from, ...cuts, to];
    expect(periodsIn(between(from, to), frequency, 100, UTC).map(iso)).toEqual(
      edges.slice(1).map((end, at) => [edges[at], end]),
    );
  });

  it('are none where it is empty, and one too many where they are too many', () => {
    const at = '2030-01-01T00:00:00Z';
    expect(periodsIn(between(at, at), 'daily', 10, UTC)).toEqual([]);
    expect(periodsIn(between(at, '2029-01-01T00:00:00Z'), 'daily', 10, UTC)).toEqual([]);
    expect(periodsIn(between(at, '2030-01-11T00:00:00Z'), 'daily', 10, UTC)).toHaveLength(10);
    expect(periodsIn(between(at, '9999-01-01T00:00:00Z'), 'hourly', 10, UTC)).toHaveLength(11);
  });
});

describe('late numbers', () => {
  it.each([
    [1000, 10, 1020, 10.1, false],
    [1000, 10, 1021, 10, true],
    [1000, 10, 979, 10, true],
    [1000, 10, 1000, 10.11, true],
    [1000, 10, 1000, 9.89, true],
    [0, 0, 0, 0, false],
    [0, 0, 1, 0, true],
  ])('%d impressions for %d that became %d for %d are sent again: %s', (was, paid, is, pays, again) => {
    const [before, after] = [
      { impressions: was, spend: paid },
      { impressions: is, spend: pays },
    ];
    expect(isAdjusted(before, after)).toBe(again);
  });
});
