import { describe, expect, it } from 'vitest';
import { type PreviewAnswer, PreviewAnswerCache } from '../../../src/creative/preview/answer-cache.js';
import { writeOnce } from '../../../src/platform/kernel/json/json.js';

const NOW = 1_000;

/** Asks, and tells whether the answer had to be made. */
async function asked(
  cache: PreviewAnswerCache,
  question: string,
  { nowMs = NOW, untilMs = NOW + 10, chars = 100 } = {},
): Promise<boolean> {
  let made = false;
  const answer = async (): Promise<PreviewAnswer> => {
    made = true;
    return { answer: writeOnce({ question, filling: 'x'.repeat(chars) }), untilMs };
  };
  expect((await cache.getOrAnswer(question, nowMs, answer)).toJSON()).toMatchObject({ question });
  return made;
}

describe('the same preview question', () => {
  it('is answered once, with the same text, until its time is over', async () => {
    const cache = new PreviewAnswerCache();
    const answer = writeOnce({ a: 'ä😀' });
    const make = async (): Promise<PreviewAnswer> => ({ answer, untilMs: NOW + 10 });
    expect(await cache.getOrAnswer('q', NOW, make)).toBe(answer);
    const again = await cache.getOrAnswer('q', NOW + 9, () => Promise.reject(new Error('made again')));
    expect(again.plain).toBe(answer.plain);
    expect(await asked(cache, 'other')).toBe(true);
    expect(await asked(cache, 'q', { nowMs: NOW + 10, untilMs: NOW + 20 })).toBe(true);
    expect(await asked(cache, 'q', { nowMs: NOW + 19 })).toBe(false);
  });

  it('is answered anew when the answer is true for no time, and after a failure', async () => {
    const cache = new PreviewAnswerCache();
    expect(await asked(cache, 'q', { untilMs: NOW })).toBe(true);
    expect(await asked(cache, 'q', { untilMs: NOW })).toBe(true);
    await expect(cache.getOrAnswer('r', NOW, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await asked(cache, 'r')).toBe(true);
    expect(await asked(cache, 'r')).toBe(false);
  });
});

describe('the cache of preview answers', () => {
  it('drops what was asked for longest ago', async () => {
    const cache = new PreviewAnswerCache(3 * 220);
    for (const question of ['a', 'b', 'c']) await asked(cache, question, { chars: 150 });
    expect(await asked(cache, 'a', { chars: 150 })).toBe(false);
    expect(await asked(cache, 'd', { chars: 150 })).toBe(true);
    expect(await asked(cache, 'a', { chars: 150 })).toBe(false);
    expect(await asked(cache, 'c', { chars: 150 })).toBe(false);
    expect(await asked(cache, 'b', { chars: 150 })).toBe(true);
  });

  it('does not take what fills half of it, and keeps the rest', async () => {
    const cache = new PreviewAnswerCache(3000);
    await asked(cache, 'small');
    expect(await asked(cache, 'large', { chars: 2000 })).toBe(true);
    expect(await asked(cache, 'large', { chars: 2000 })).toBe(true);
    expect(await asked(cache, 'small')).toBe(false);
  });
});
