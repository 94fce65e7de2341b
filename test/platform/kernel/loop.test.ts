import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable } from '../../../src/platform/database/unavailable.js';
import type { Log } from '../../../src/platform/kernel/log.js';
import { startDeadline, startLoop } from '../../../src/platform/kernel/loop.js';

const nothing = (): void => undefined;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('startLoop', () => {
  it('runs again and again, never twice at once, and stop waits for the round in hand', async () => {
    const rounds: (() => void)[] = [];
    let running = 0;
    const loop = startLoop('t', 10, logInto([]), async () => {
      running += 1;
      await new Promise<void>((finish) => rounds.push(finish));
      running -= 1;
    });
    await vi.advanceTimersByTimeAsync(55);
    expect([rounds.length, running]).toEqual([1, 1]);
    rounds[0]?.();
    await vi.advanceTimersByTimeAsync(10);
    expect([rounds.length, running]).toEqual([2, 1]);
    let stopped = false;
    const stopping = loop.stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(stopped).toBe(false);
    rounds[1]?.();
    await stopping;
    await vi.advanceTimersByTimeAsync(100);
    expect([rounds.length, running, stopped]).toEqual([2, 0, true]);
  });

  it('logs a failed round and tries the next', async () => {
    const errors: string[] = [];
    let count = 0;
    const loop = startLoop('t', 10, logInto(errors), async () => {
      count += 1;
      if (count === 1) throw new Error('once');
    });
    await vi.advanceTimersByTimeAsync(35);
    await loop.stop();
    expect(count).toBe(3);
    expect(errors).toHaveLength(1);
  });

  it('that goes on failing of the same is a line a minute with how many rounds that were, and of something else another line', async () => {
    const lines: unknown[] = [];
    const log = {
      ...logInto([]),
      error: (record: { failed: number; err: Error }) => void lines.push([record.err.message, record.failed]),
    };
    let what = 'the table is gone';
    const loop = startLoop('t', 1000, log as unknown as Log, () => Promise.reject(new Error(what)));
    await vi.advanceTimersByTimeAsync(61_500);
    what = 'the index is gone';
    await vi.advanceTimersByTimeAsync(1000);
    await loop.stop();
    expect(lines).toEqual([
      ['the table is gone', 1],
      ['the table is gone', 60],
      ['the index is gone', 1],
    ]);
  });

  it('warns of a round that failed for what passes by itself, such as a database that is away', async () => {
    const lines: string[] = [];
    const log = {
      ...logInto(lines),
      warn: (_context: unknown, message?: string) => void lines.push(`warn: ${message}`),
    };
    const loop = startLoop('t', 10, log as Log, () => Promise.reject(new DatabaseUnavailable('away')));
    await vi.advanceTimersByTimeAsync(15);
    await loop.stop();
    expect(lines).toEqual(['warn: a round failed; the next one is tried']);
  });
});

describe('startDeadline', () => {
  it('aborts and rejects when its time is over, and not before', async () => {
    const deadline = startDeadline(100);
    const heard: string[] = [];
    deadline.signal.on('abort', () => heard.push('abort'));
    const passed = deadline.passed.catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(99);
    expect([deadline.isOver(), heard]).toEqual([false, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect([deadline.isOver(), heard, await passed]).toEqual([true, ['abort'], 'not done within 100 ms']);
  });

  it('leaves nothing behind once the work is done', async () => {
    const deadline = startDeadline(100);
    deadline.end();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(200);
    expect(deadline.isOver()).toBe(false);
  });
});

function logInto(errors: string[]): Log {
  const error = (_context: unknown, message?: string) => void errors.push(message ?? '');
  return { debug: nothing, info: nothing, warn: nothing, error } as Log;
}
