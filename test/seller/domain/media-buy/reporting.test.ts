import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../../src/platform/kernel/clock.js';
import {
  isAdjusted,
  type Period,
  periodAt,
  periodsIn,
  type ReportingFrequency,
} from '../../../../src/seller/domain/media-buy/reporting.js';

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
    expect(iso(periodAt(frequency, Date.parse(at)))).toEqual([from, to]);
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
    expect(periodsIn(between(from, to), frequency, 100).map(iso)).toEqual(
      edges.slice(1).map((end, at) => [edges[at], end]),
    );
  });

  it('are none where it is empty, and one too many where they are too many', () => {
    const at = '2030-01-01T00:00:00Z';
    expect(periodsIn(between(at, at), 'daily', 10)).toEqual([]);
    expect(periodsIn(between(at, '2029-01-01T00:00:00Z'), 'daily', 10)).toEqual([]);
    expect(periodsIn(between(at, '2030-01-11T00:00:00Z'), 'daily', 10)).toHaveLength(10);
    expect(periodsIn(between(at, '9999-01-01T00:00:00Z'), 'hourly', 10)).toHaveLength(11);
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
