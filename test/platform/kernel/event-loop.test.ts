import { stat } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startPace, startStopwatch, yieldToEventLoop } from '../../../src/platform/kernel/event-loop.js';

/** Works for some milliseconds without giving way. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Begins with something that arrived, as requests do. */
function arrive(): Promise<void> {
  return new Promise((resolve) => stat('.', () => resolve()));
}

describe.each([
  { name: 'a yield', yields: yieldToEventLoop },
  { name: 'a rest', yields: () => startPace().rest() },
])('$name', ({ yields }) => {
  it('comes after what else waits, where the work began with an arrival', async () => {
    await arrive();
    const seen: string[] = [];
    setTimeout(() => seen.push('timer'), 0);
    spin(5);
    await yields();
    seen.push('work');
    expect(seen).toEqual(['timer', 'work']);
  });
});

describe('pace', () => {
  it('is due after a while, and no longer after a rest', async () => {
    const pace = startPace();
    expect(pace.isDue()).toBe(false);
    spin(10);
    expect(pace.isDue()).toBe(true);
    await pace.rest();
    expect(pace.isDue()).toBe(false);
  });

  it('is one turn for all that begins in the same round of the event loop', async () => {
    await yieldToEventLoop();
    startPace();
    spin(10);
    expect(startPace().isDue()).toBe(true);
    await yieldToEventLoop();
    await yieldToEventLoop();
    expect(startPace().isDue()).toBe(false);
  });

  it('is apart from how long a piece of work itself took', async () => {
    await yieldToEventLoop();
    startPace();
    spin(10);
    const isLong = startStopwatch();
    expect([startPace().isDue(), isLong()]).toEqual([true, false]);
    spin(10);
    expect(isLong()).toBe(true);
  });

  it('lets one piece of work go on in a round, in the order in which they rest, whatever else waits', async () => {
    let round = 0;
    let isOver = false;
    const clock = (): void => {
      round += 1;
      if (!isOver) setImmediate(clock);
    };
    setImmediate(clock);
    const seen: (readonly [string, number])[] = [];
    const piece = async (name: string): Promise<void> => {
      const pace = startPace();
      for (let rest = 0; rest < 3; rest += 1) {
        await pace.rest();
        seen.push([name, round]);
      }
    };
    await Promise.all(['a', 'b', 'c'].map(piece));
    isOver = true;
    expect(seen.map(([name]) => name).join('')).toBe('abcabcabc');
    const rounds = seen.map(([, at]) => at);
    expect(new Set(rounds).size).toBe(rounds.length);
  });
});
