import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPieces, Piecemeal } from '../../../../src/platform/kernel/json/pieces.js';

async function piecesOf(value: Piecemeal): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const piece of jsonPieces(value)) pieces.push(piece);
  return pieces;
}

async function* inPages<T>(list: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

const members = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 60 })));

describe('a JSON object in pieces', () => {
  it('is the same text as all at once, however its members come', async () => {
    await fc.assert(
      fc.asyncProperty(members, fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 7 }), async (plain, list, size) => {
        const pieces = await piecesOf(
          new Piecemeal({
            plain: new Piecemeal(plain),
            list: inPages(list, size),
            late: async () => inPages(list, size),
            later: () => new Piecemeal(plain),
            nothing: undefined,
            never: () => undefined,
            last: async () => plain,
          }),
        );
        expect(pieces.join('')).toBe(JSON.stringify({ plain, list, late: list, later: plain, last: plain }));
      }),
    );
  });

  it('is an object with nothing before the first member, and without any', async () => {
    expect((await piecesOf(new Piecemeal({}))).join('')).toBe('{}');
    expect((await piecesOf(new Piecemeal({ a: undefined, b: () => undefined, c: 1 }))).join('')).toBe('{"c":1}');
  });

  it('asks a function once everything before it is written', async () => {
    let count = 0;
    async function* counted(): AsyncGenerator<readonly number[]> {
      for await (const page of inPages([1, 2, 3], 1)) {
        count += page.length;
        yield page;
      }
    }
    const pieces = await piecesOf(new Piecemeal({ list: counted(), count: () => count }));
    expect(JSON.parse(pieces.join(''))).toEqual({ list: [1, 2, 3], count: 3 });
  });

  it('holds no more than some items of a long list, be it read in pages or not', async () => {
    const item = 'x'.repeat(1000);
    const list = Array.from({ length: 2000 }, () => item);
    for (const value of [new Piecemeal({ list }), new Piecemeal({ list: inPages(list, 100) })]) {
      const pieces = await piecesOf(value);
      expect(pieces.join('')).toBe(JSON.stringify({ list }));
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
    }
  });

  it('reads no page that nobody waits for, and ends the list when its reader is gone', async () => {
    const seen: string[] = [];
    async function* endless(): AsyncGenerator<readonly string[]> {
      try {
        for (;;) {
          seen.push('page');
          yield ['x'.repeat(100_000)];
        }
      } finally {
        seen.push('end');
      }
    }
    for await (const _piece of jsonPieces(new Piecemeal({ list: endless() }))) break;
    expect(seen).toEqual(['page', 'end']);
  });

  it('throws what its parts throw', async () => {
    async function* broken(): AsyncGenerator<readonly number[]> {
      yield [1];
      throw new Error('gone');
    }
    await expect(piecesOf(new Piecemeal({ list: broken() }))).rejects.toThrow('gone');
    await expect(piecesOf(new Piecemeal({ late: () => Promise.reject(new Error('late')) }))).rejects.toThrow('late');
  });
});
