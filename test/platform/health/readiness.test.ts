import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkDisk, checkEventLoop, checkStore } from '../../../src/platform/health/checks.js';
import { LoopDelay } from '../../../src/platform/health/loop-delay.js';
import { type HealthCheck, Readiness } from '../../../src/platform/health/readiness.js';
import { collectingLog, type LogLine, turnableClock } from '../../kit/surroundings.js';

function readinessOf(...checks: readonly HealthCheck[]) {
  const clock = turnableClock();
  const log: LogLine[] = [];
  return { clock, log, readiness: new Readiness(checks, { clock, log: collectingLog(log) }) };
}

describe('readiness', () => {
  it('names the parts that are ill, and is ready while a part is only degraded', async () => {
    const { clock, readiness } = readinessOf(
      { name: 'well', run: () => ({ status: 'ok', figure: 1 }) },
      { name: 'tired', run: () => ({ status: 'degraded', message: 'look at it' }) },
    );
    expect(await readiness.report()).toEqual({
      isReady: true,
      ill: [],
      degraded: ['tired'],
      parts: { well: { status: 'ok', figure: 1 }, tired: { status: 'degraded', message: 'look at it' } },
    });
    clock.advance(1);
    const sick = readinessOf({
      name: 'broken',
      run: () => {
        throw new Error('with a secret');
      },
    });
    expect(await sick.readiness.report()).toMatchObject({
      isReady: false,
      ill: ['broken'],
      parts: { broken: { status: 'ill', message: 'broken failed' } },
    });
  });

  it('runs the checks once a second however many ask, and again when the clock was set back', async () => {
    let runs = 0;
    const { clock, readiness } = readinessOf({
      name: 'counted',
      run: () => {
        runs += 1;
        return { status: 'ok' };
      },
    });
    await Promise.all(Array.from({ length: 100 }, () => readiness.report()));
    clock.advance(999);
    await readiness.report();
    expect(runs).toBe(1);
    clock.advance(1);
    await readiness.report();
    expect(runs).toBe(2);
    clock.advance(-3_600_000);
    await readiness.report();
    expect(runs).toBe(3);
  });

  it('gives up on a part that does not answer', async () => {
    const { readiness } = readinessOf({ name: 'stuck', run: () => new Promise(() => undefined) });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const report = readiness.report();
    await vi.advanceTimersByTimeAsync(1999);
    expect(await Promise.race([report, 'not yet'])).toBe('not yet');
    await vi.advanceTimersByTimeAsync(1);
    expect((await report).parts.stuck).toEqual({
      status: 'ill',
      message: 'stuck did not answer in time',
    });
  });

  it('says in the log once that a part is ill, and once that it is well again', async () => {
    let status: 'ok' | 'ill' = 'ill';
    const { clock, log, readiness } = readinessOf({ name: 'moody', run: () => ({ status }) });
    for (const next of ['ill', 'ill', 'ok', 'ok'] as const) {
      status = next;
      await readiness.report();
      clock.advance(1000);
    }
    expect(log.map(({ level }) => level)).toEqual(['error', 'warn']);
  });
});

describe('checks', () => {
  it('find a store ill that refuses a write', async () => {
    const ping = () => Promise.reject(new Error('disk I/O error'));
    expect(await checkStore({ ping, stats: () => ({ commits: 3 }) })).toMatchObject({ status: 'ill', commits: 3 });
  });

  it('find a disk without space ill', async () => {
    expect(await checkDisk('/proc')).toMatchObject({ status: 'ill', free_bytes: 0 });
    expect(await checkDisk('/')).toMatchObject({ free_bytes: expect.any(Number) });
    expect(await checkDisk('/no-such-folder')).toMatchObject({
      status: 'ill',
      message: expect.stringContaining('gone'),
    });
  });

  it('find an event loop ill that was held for over a second, while it is held', async () => {
    let nowMs = 0;
    const delay = new LoopDelay(() => nowMs, collectingLog([]));
    expect(checkEventLoop(delay)).toEqual({ status: 'ok', delay_ms: 0 });
    nowMs = 2000;
    expect(checkEventLoop(delay)).toMatchObject({ status: 'ill', delay_ms: 1500 });
    await delay.close();
  });
});
