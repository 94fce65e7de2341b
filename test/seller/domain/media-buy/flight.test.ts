import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../../src/platform/kernel/clock.js';
import {
  makeFlight,
  readFlight,
  readPackageFlight,
  readStart,
  type StartTime,
} from '../../../../src/seller/domain/media-buy/flight.js';
import { fromNow, NOW, type Refusal, refusalOf } from '../order-context.js';

const DAY = 86_400_000;

describe('readStart', () => {
  it.each<readonly [what: string, start: StartTime, at: number | Refusal]>([
    ['asap', 'asap', NOW],
    ['the object form of asap', { type: 'asap' }, NOW],
    ['asap beside a date', { type: 'asap', date: '2031-01-01' }, NOW],
    ['a date-time', '2030-06-02T00:00:00Z', Date.parse('2030-06-02T00:00:00Z')],
    ['a date-time with an offset', '2030-06-02T00:00:00+02:00', Date.parse('2030-06-01T22:00:00Z')],
    ['the object form of a day', { type: 'date', date: '2030-06-02' }, Date.parse('2030-06-02T00:00:00Z')],
    [
      'the object form of a date-time',
      { type: 'date', date: '2030-06-02T06:00:00Z' },
      Date.parse('2030-06-02T06:00:00Z'),
    ],
    ['a day', '2030-06-02', Date.parse('2030-06-02T00:00:00Z')],
    ['today', '2030-06-01', NOW],
    ['now', fromNow(0), NOW],
    ['a minute ago', fromNow(-60_000), NOW],
    ['longer ago', fromNow(-60_001), ['INVALID_REQUEST', 'start_time']],
    ['yesterday', '2030-05-31', ['INVALID_REQUEST', 'start_time']],
    ['a naive time', '2030-06-02T00:00:00', ['INVALID_REQUEST', 'start_time']],
    ['a day that is none', '2030-02-30', ['INVALID_REQUEST', 'start_time']],
    ['a date-time that is none', '2030-02-30T00:00:00Z', ['INVALID_REQUEST', 'start_time']],
    ['words', 'tomorrow', ['INVALID_REQUEST', 'start_time']],
    ['nothing', '', ['INVALID_REQUEST', 'start_time']],
    ['an object without a date', { type: 'date' }, ['INVALID_REQUEST', 'start_time.date']],
    ['an empty object', {}, ['INVALID_REQUEST', 'start_time.date']],
  ])('%s', (_what, start, expected) => {
    if (typeof expected === 'number') expect(readStart(start, 'start_time', NOW)).toBe(expected);
    else expect(refusalOf(() => readStart(start, 'start_time', NOW))).toEqual(expected);
  });
});

describe('readFlight', () => {
  it.each<readonly [what: string, start: StartTime, end: string, field: string | undefined]>([
    ['a month', 'asap', fromNow(30 * DAY), undefined],
    ['a millisecond', 'asap', fromNow(1), undefined],
    ['no time at all', 'asap', fromNow(0), 'end_time'],
    ['a reversed flight', fromNow(2 * DAY), fromNow(DAY), 'end_time'],
    ['an end in the past', 'asap', fromNow(-DAY), 'end_time'],
    ['a naive end', 'asap', '2030-07-01T00:00:00', 'end_time'],
    ['a day as end', 'asap', '2030-07-01', 'end_time'],
    ['five years', 'asap', fromNow(5 * 365 * DAY), undefined],
    ['longer than five years', 'asap', fromNow(5 * 366 * DAY + 1000), undefined],
    ['to the year 9999', 'asap', '9999-12-31T23:59:59Z', undefined],
    ['an end that lies in the past', 'asap', fromNow(-DAY), 'end_time'],
    ['a start that is misspelt', 'asapp', fromNow(DAY), 'start_time'],
  ])('%s', (_what, start, end, field) => {
    if (field !== undefined) expect(refusalOf(() => readFlight(start, end, NOW))).toEqual(['INVALID_REQUEST', field]);
    else expect(readFlight(start, end, NOW)).toEqual({ start_time: fromNow(0), end_time: end });
  });

  it('writes UTC, whatever offset it read', () => {
    expect(readFlight('2030-06-02T02:00:00+02:00', '2030-06-03T00:00:00.250-01:00', NOW)).toEqual({
      start_time: '2030-06-02T00:00:00Z',
      end_time: '2030-06-03T01:00:00.250Z',
    });
  });

  it('names the field it was told', () => {
    expect(refusalOf(() => makeFlight(5, 5, 'measurement_period.end'))).toEqual([
      'INVALID_REQUEST',
      'measurement_period.end',
    ]);
  });
});

describe('readPackageFlight', () => {
  const buy = { start_time: isoTime(NOW), end_time: isoTime(NOW + 10 * DAY) };

  it.each<readonly [what: string, dates: { start_time?: string; end_time?: string }, expected: object | string]>([
    ['nothing of its own', {}, buy],
    ['a later start', { start_time: fromNow(DAY) }, { ...buy, start_time: fromNow(DAY) }],
    ['an earlier end', { end_time: fromNow(DAY) }, { ...buy, end_time: fromNow(DAY) }],
    ['exactly the buy’s', buy, buy],
    ['a start too early', { start_time: fromNow(-1) }, 'p.start_time'],
    ['an end too late', { end_time: fromNow(10 * DAY + 1) }, 'p.end_time'],
    ['a start at the buy’s end', { start_time: fromNow(10 * DAY) }, 'p.start_time'],
    ['an end before the buy', { end_time: fromNow(-1) }, 'p.end_time'],
    ['an end before its start', { start_time: fromNow(2), end_time: fromNow(1) }, 'p.end_time'],
    ['asap, which is for buys', { start_time: 'asap' }, 'p.start_time'],
    ['a naive end', { end_time: '2030-06-02T00:00:00' }, 'p.end_time'],
  ])('%s', (_what, dates, expected) => {
    if (typeof expected !== 'string') expect(readPackageFlight(dates, buy, 'p')).toEqual(expected);
    else expect(refusalOf(() => readPackageFlight(dates, buy, 'p'))).toEqual(['INVALID_REQUEST', expected]);
  });
});
