import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../../../src/creative/formats/files/load-catalog.js';
import {
  createPreviewMemory,
  memoryOf,
  type PreviewMemory,
  type Remembered,
} from '../../../../src/creative/preview/store/memory.js';
import { written } from '../../../../src/platform/kernel/json/json.js';

const NOW = 1_000;

/** Asks, and tells whether the answer had to be made. */
async function asked(
  memory: PreviewMemory,
  question: string,
  { nowMs = NOW, untilMs = NOW + 10, chars = 100 } = {},
): Promise<boolean> {
  let made = false;
  const answer = async (): Promise<Remembered> => {
    made = true;
    return { answer: written({ question, filling: 'x'.repeat(chars) }), untilMs };
  };
  expect((await memory(question, nowMs, answer)).toJSON()).toMatchObject({ question });
  return made;
}

describe('the same question', () => {
  it('is answered once, with the same text, until its time is over', async () => {
    const memory = createPreviewMemory();
    const answer = written({ a: 'ä😀' });
    const make = async (): Promise<Remembered> => ({ answer, untilMs: NOW + 10 });
    expect(await memory('q', NOW, make)).toBe(answer);
    const again = await memory('q', NOW + 9, () => Promise.reject(new Error('made again')));
    expect(again.plain).toBe(answer.plain);
    expect(await asked(memory, 'other')).toBe(true);
    expect(await asked(memory, 'q', { nowMs: NOW + 10, untilMs: NOW + 20 })).toBe(true);
    expect(await asked(memory, 'q', { nowMs: NOW + 19 })).toBe(false);
  });

  it('is answered anew when the answer is true for no time, and after a failure', async () => {
    const memory = createPreviewMemory();
    expect(await asked(memory, 'q', { untilMs: NOW })).toBe(true);
    expect(await asked(memory, 'q', { untilMs: NOW })).toBe(true);
    await expect(memory('r', NOW, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await asked(memory, 'r')).toBe(true);
    expect(await asked(memory, 'r')).toBe(false);
  });

  it('is a new one about other formats', async () => {
    const [one, other] = [{}, {}] as [Catalog, Catalog];
    expect(await asked(memoryOf(one), 'q')).toBe(true);
    expect(await asked(memoryOf(one), 'q')).toBe(false);
    expect(await asked(memoryOf(other), 'q')).toBe(true);
  });
});

describe('the memory', () => {
  it('gives up what was asked for longest ago', async () => {
    const memory = createPreviewMemory(3 * 200);
    for (const question of ['a', 'b', 'c']) await asked(memory, question, { chars: 150 });
    expect(await asked(memory, 'a', { chars: 150 })).toBe(false);
    expect(await asked(memory, 'd', { chars: 150 })).toBe(true);
    expect(await asked(memory, 'a', { chars: 150 })).toBe(false);
    expect(await asked(memory, 'c', { chars: 150 })).toBe(false);
    expect(await asked(memory, 'b', { chars: 150 })).toBe(true);
  });

  it('does not hold what fills half of it, and keeps the rest', async () => {
    const memory = createPreviewMemory(3000);
    await asked(memory, 'small');
    expect(await asked(memory, 'large', { chars: 2000 })).toBe(true);
    expect(await asked(memory, 'large', { chars: 2000 })).toBe(true);
    expect(await asked(memory, 'small')).toBe(false);
  });
});
