import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../src/platform/kernel/clock.js';
import { readRetryAfter } from '../../../src/platform/net/retry-after.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['120', 120 * SECOND_MS],
    [' 7 ', 7 * SECOND_MS],
    ['Tue, 01 Jan 2030 00:05:00 GMT', 5 * MINUTE_MS],
    ['Mon, 31 Dec 2029 23:00:00 GMT', 0],
    ['2030-01-01T00:05:00Z', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['99999999999', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s', (header, ms) => expect(readRetryAfter(header, NOW)).toBe(ms));
});
