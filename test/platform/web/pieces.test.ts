import { describe, expect, it } from 'vitest';
import { pause } from '../../../src/platform/kernel/loop.js';
import { withFiller } from '../../../src/platform/web/pieces.js';

async function collect(pieces: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

describe('pieces with a filler', () => {
  it('are the pieces alone while they come in time, and the filler while none comes', async () => {
    async function* source(): AsyncGenerator<string> {
      yield 'a';
      yield 'b';
      await pause(120);
      yield 'c';
    }
    const all = await collect(withFiller(source(), '.', 30));
    expect(all.filter((piece) => piece !== '.')).toEqual(['a', 'b', 'c']);
    expect(all.slice(0, 2)).toEqual(['a', 'b']);
    expect(all.filter((piece) => piece === '.').length).toBeGreaterThan(1);
    expect(await collect(withFiller(source(), '.', 60_000))).toEqual(['a', 'b', 'c']);
  });

  it('end their source with their reader, and fail as it fails', async () => {
    let isEnded = false;
    async function* source(): AsyncGenerator<string> {
      try {
        yield 'a';
        yield 'b';
      } finally {
        isEnded = true;
      }
    }
    for await (const piece of withFiller(source(), '.', 1000)) if (piece === 'a') break;
    expect(isEnded).toBe(true);
    async function* failing(): AsyncGenerator<string> {
      yield 'a';
      throw new Error('lost');
    }
    await expect(collect(withFiller(failing(), '.', 1000))).rejects.toThrow('lost');
  });
});
