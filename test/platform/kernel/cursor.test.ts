import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bindList,
  cutPage,
  type PageInfo,
  pageArray,
  readPage,
  writeCursor,
} from '../../../src/platform/kernel/cursor.js';
import { InputError } from '../../../src/platform/kernel/errors.js';

const list = fc.stringMatching(/^[a-z_]{1,20}$/);
const position = fc.nat({ max: 1e12 });

describe('cursors', () => {
  it('go back and forth', () => {
    fc.assert(
      fc.property(list, position, fc.integer({ min: 1, max: 100 }), (name, after, max_results) => {
        expect(readPage(name, { cursor: writeCursor(name, after), max_results })).toEqual({
          after,
          limit: max_results,
        });
      }),
    );
  });

  it('of one list are refused by another', () => {
    fc.assert(
      fc.property(list, list, position, (one, other, after) => {
        fc.pre(one !== other);
        expect(() => readPage(other, { cursor: writeCursor(one, after) })).toThrow(InputError);
      }),
    );
  });

  it('of one owner or filter are refused for another', () => {
    fc.assert(
      fc.property(list, fc.jsonValue(), fc.jsonValue(), position, (name, one, other, after) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        const cursor = writeCursor(bindList(name, one), after);
        expect(readPage(bindList(name, one), { cursor }).after).toBe(after);
        expect(() => readPage(bindList(name, other), { cursor })).toThrow(InputError);
      }),
    );
  });

  it('that were made up are refused, with the field', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string().map(encode)), (cursor) => {
        let after: number | undefined;
        try {
          ({ after } = readPage('things', { cursor }));
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_REQUEST', extras: { field: 'pagination.cursor' } });
          return;
        }
        expect(writeCursor('things', after ?? -1)).toBe(cursor);
      }),
    );
  });

  it.each([
    ['', 'nothing'],
    [encode('things'), 'no position'],
    [encode('things:'), 'an empty position'],
    [encode('things:-1'), 'before the first'],
    [encode('things:1.5'), 'between two'],
    [encode('things:1e3'), 'a power'],
    [encode('things:9999999999999999'), 'beyond all numbers'],
    [encode('things:5:6'), 'something behind it'],
    [encode('things:007'), 'leading zeros'],
    [encode('other:5'), 'another list'],
  ])('%j is refused: %s', (cursor) => {
    expect(() => readPage('things', { cursor })).toThrow(InputError);
  });

  it('are not needed for the first page, of fifty unless said', () => {
    expect(readPage('things', undefined)).toEqual({ limit: 50, after: undefined });
    expect(readPage('things', { max_results: 7 })).toEqual({ limit: 7, after: undefined });
  });
});

describe('walking a list', () => {
  /** Reads a list page by page as a buyer does. */
  function walk<R>(
    read: (cursor: string | undefined) => { rows: readonly R[]; info: PageInfo },
  ): readonly (readonly R[])[] {
    const pages: (readonly R[])[] = [];
    let cursor: string | undefined;
    do {
      const { rows, info } = read(cursor);
      pages.push(rows);
      expect(info.has_more).toBe(info.cursor !== undefined);
      ({ cursor } = info);
    } while (cursor !== undefined && pages.length < 1000);
    return pages;
  }

  const rows = fc.array(fc.string(), { maxLength: 60 });
  const size = fc.integer({ min: 1, max: 20 });

  it('in memory gives every row once, in order, in full pages', () => {
    fc.assert(
      fc.property(rows, size, (all, max_results) => {
        const pages = walk((cursor) => pageArray('things', all, readPage('things', { max_results, cursor } as never)));
        expect(pages.flat()).toEqual(all);
        expect(pages.slice(0, -1).every((page) => page.length === max_results)).toBe(true);
      }),
    );
  });

  it('of rows read with one to spare gives every row once', () => {
    fc.assert(
      fc.property(rows, size, (texts, max_results) => {
        const stored = texts.map((text, index) => ({ text, seq: index * 3 + 1 }));
        const pages = walk((cursor) => {
          const page = readPage('things', cursor === undefined ? { max_results } : { max_results, cursor });
          const found = stored.filter((row) => row.seq > (page.after ?? 0)).slice(0, page.limit + 1);
          return cutPage('things', found, page, (row) => row.seq);
        });
        expect(pages.flat()).toEqual(stored);
      }),
    );
  });

  it('says the total of a list in memory', () => {
    expect(pageArray('things', [1, 2, 3], { limit: 2, after: undefined }).info).toMatchObject({
      total_count: 3,
      has_more: true,
    });
    expect(pageArray('things', [1, 2, 3], { limit: 3, after: undefined }).info).toEqual({
      total_count: 3,
      has_more: false,
    });
  });
});

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
