import fs from 'node:fs';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { createLog, LOST_LINES, openLog, plainLine, readLogLevel } from '../../../src/platform/kernel/log.js';

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
    const written = takeWrites(() => {
      const log = createLog('info');
      const flat = { task: 'get_products', ms: 1.5, replayed: false, tenant: undefined };
      log.info(flat, 'call');
      log.info(
        { ...flat, headers: { authorization: 'Bearer s3cret', accept: '*/*' }, principal: { key: 's3cret' } },
        'in',
      );
      const client = { connection: { secretKey: 's3cret' } };
      log.warn({ err: Object.assign(new Error('away'), { token: 's3cret', code: '57P01', client }) }, 'failed');
      log.debug('not at this level');
    });
    const records = written.map((line) => JSON.parse(line) as object);
    expect(records).toMatchObject([
      { level: 30, task: 'get_products', ms: 1.5, replayed: false, msg: 'call' },
      { headers: { authorization: '[redacted]', accept: '*/*' }, principal: { key: '[redacted]' }, msg: 'in' },
      { level: 40, err: { type: 'Error', message: 'away', code: '57P01', token: '[redacted]' }, msg: 'failed' },
    ]);
    expect(written.join('')).not.toContain('s3cret');
  });
});

/** Runs with what is written to standard error taken up, and returns it write by write. */
function takeWrites(run: () => void): readonly string[] {
  const written: string[] = [];
  const write = vi.spyOn(fs, 'writeSync').mockImplementation((_fd, text) => {
    written.push(String(text));
    return Buffer.byteLength(String(text));
  });
  try {
    run();
  } finally {
    write.mockRestore();
  }
  return written;
}

describe('a line of a flat record', () => {
  it('is what pino writes of it, whatever its members are', () => {
    const values = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(undefined));
    const isUsual = (name: string) => name !== '__proto__' && name !== 'toJSON';
    const names = fc.string({ unit: 'binary' }).filter(isUsual);
    const records = fc.dictionary(names, values, { maxKeys: 6, noNullPrototype: true });
    const withoutTime = (line: string) => line.replace(/"time":"[^"]*"/, '');
    fc.assert(
      fc.property(records, fc.string({ unit: 'binary' }), (record, message) => {
        const theirs: string[] = [];
        const peer = pino({ base: null, timestamp: () => ',"time":""' }, { write: (line) => theirs.push(line) });
        peer.info(record, message);
        const ours = takeWrites(() => createLog('info').info(record, message));
        expect(ours.map(withoutTime)).toEqual(theirs.map(withoutTime));
      }),
      { numRuns: 50 },
    );
  });
});

describe('a log that gathers', () => {
  it('writes lines below a warning together, before the warning that comes after them, and the rest when it is flushed', () => {
    const written = takeWrites(() => {
      const { flush, log } = openLog('info', { isGathering: true });
      log.info({ n: 1 }, 'call');
      log.info('plain');
      log.warn({ n: 3 }, 'careful');
      for (let n = 4; n < 200; n += 1) log.info({ n }, 'call');
      flush();
      flush();
    });
    const order = written
      .join('')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n?: number }).n ?? 2);
    expect(order).toEqual(Array.from({ length: 199 }, (_, index) => index + 1));
    expect(written.map((text) => text.trim().split('\n').length)[0]).toBe(3);
    expect(written.length).toBe(3);
  });
});

describe('a log whose file takes nothing', () => {
  it('holds up nobody, writes what it held in its order once the file takes it, and says how many lines are lost', () => {
    const written: string[] = [];
    let room = 0;
    let lost = 0;
    const write = vi.spyOn(fs, 'writeSync').mockImplementation((_fd, bytes) => {
      if (room === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      const taken = Buffer.from(String(bytes)).subarray(0, room);
      room -= taken.length;
      written.push(taken.toString());
      return taken.length;
    });
    try {
      const { flush, log } = openLog('info', { isGathering: true });
      for (let n = 0; n < 12_000; n += 1)
        log[n % 100 === 0 ? 'error' : 'info']({ n }, 'a line of a hundred bytes or so');
      expect(written).toEqual([]);
      room = 1000;
      log.error({ n: 12_000 }, 'one more');
      flush();
      room = Number.POSITIVE_INFINITY;
      flush();
      lost = log[LOST_LINES]?.() ?? 0;
    } finally {
      write.mockRestore();
    }
    const lines = written.join('').trim().split('\n');
    expect(lost).toBe(12_001 + 1 - lines.length);
    const records = lines.map((line) => JSON.parse(line) as { n?: number; lost?: number });
    const [last] = records.splice(-1);
    expect(records.map(({ n }) => n)).toEqual(records.map((_, index) => index));
    expect(records.length).toBeGreaterThan(9_000);
    expect(last).toMatchObject({
      level: 40,
      lost: 12_001 - records.length,
      msg: expect.stringContaining('disk of the log'),
    });
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
