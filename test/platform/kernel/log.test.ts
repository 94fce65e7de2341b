import fs from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { createLog, plainLine, readLogLevel } from '../../../src/platform/kernel/log.js';

describe('a line of the log', () => {
  it('is read at a terminal as time, level, event and details, with the trace of an error below', () => {
    const line = { level: 30, time: '2030-01-01T12:34:56.789Z', tenant: 'sales', ms: 1.5, msg: 'call' };
    expect(plainLine(JSON.stringify(line))).toBe('12:34:56 info  call tenant=sales ms=1.5\n');
    const failed = { level: 50, time: line.time, err: { message: 'no', stack: 'Error: no\n  at x' }, msg: 'it failed' };
    expect(plainLine(JSON.stringify(failed))).toBe('12:34:56 error it failed\nError: no\n  at x\n');
  });
});

describe('a record of the log', () => {
  it('has its secrets taken out below each member, and is written as it is where no member has members', () => {
    const written: string[] = [];
    const write = vi.spyOn(fs, 'writeSync').mockImplementation((_fd, text) => {
      written.push(String(text));
      return Buffer.byteLength(String(text));
    });
    try {
      const log = createLog('info');
      const flat = { task: 'get_products', ms: 1.5, replayed: false, tenant: undefined };
      log.info(flat, 'call');
      log.info(
        { ...flat, headers: { authorization: 'Bearer s3cret', accept: '*/*' }, principal: { key: 's3cret' } },
        'in',
      );
      log.warn({ err: Object.assign(new Error('away'), { token: 's3cret' }) }, 'failed');
      log.debug('not at this level');
    } finally {
      write.mockRestore();
    }
    const records = written.map((line) => JSON.parse(line) as object);
    expect(records).toMatchObject([
      { level: 30, task: 'get_products', ms: 1.5, replayed: false, msg: 'call' },
      { headers: { authorization: '[redacted]', accept: '*/*' }, principal: { key: '[redacted]' }, msg: 'in' },
      { level: 40, err: { message: 'away', token: '[redacted]' }, msg: 'failed' },
    ]);
    expect(written.join('')).not.toContain('s3cret');
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
