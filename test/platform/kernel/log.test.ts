import { describe, expect, it } from 'vitest';
import { plainLine, readLogLevel } from '../../../src/platform/kernel/log.js';

describe('a line of the log', () => {
  it('is read at a terminal as time, level, event and details, with the trace of an error below', () => {
    const line = { level: 30, time: '2030-01-01T12:34:56.789Z', tenant: 'sales', ms: 1.5, msg: 'call' };
    expect(plainLine(JSON.stringify(line))).toBe('12:34:56 info  call tenant=sales ms=1.5\n');
    const failed = { level: 50, time: line.time, err: { message: 'no', stack: 'Error: no\n  at x' }, msg: 'it failed' };
    expect(plainLine(JSON.stringify(failed))).toBe('12:34:56 error it failed\nError: no\n  at x\n');
  });
});

describe('the level of the log', () => {
  it('is the usual one unless the environment says another', () => {
    expect([readLogLevel(undefined, 'info'), readLogLevel('debug', 'info')]).toEqual(['info', 'debug']);
  });

  it('that is no level is refused with the variable and the word that was meant', () => {
    expect(() => readLogLevel('wran', 'info')).toThrow(/SELLER_AGENT_LOG.*\n?.*Did you mean "warn"/);
  });
});
