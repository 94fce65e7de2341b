import { describe, expect, it } from 'vitest';
import { type Html, htmlText } from '../../../src/platform/web/html.js';
import { moreLink, readBefore, takePage } from '../../../src/seller/console/page/paging.js';
import { Fields } from '../../../src/seller/console/visit.js';

const textOf = (part: Html | false): string => (part === false ? '' : htmlText(part));
const fieldsOf = (text: string): Fields => new Fields(new URLSearchParams(text));

describe('A page of rows', () => {
  it('ends a list that has no more rows than it takes', () => {
    for (const rows of [[], [1], [1, 2]])
      expect(takePage(rows, 2, (last) => last)).toEqual({ shown: rows, next: undefined });
  });

  it('leaves out the row that was read to see whether there are more, and says where they begin', () => {
    expect(takePage([1, 2, 3], 2, (last) => last)).toEqual({ shown: [1, 2], next: 2 });
    expect(takePage([1, 2, 3], 2, (_, following) => following)).toEqual({ shown: [1, 2], next: 3 });
  });

  it('is followed by a link that keeps what the list is narrowed to', () => {
    const query = fieldsOf('buyer=%3Cone%3E&before=9');
    expect(textOf(moreLink({ path: '/list', query, next: 7 }))).toContain('href="/list?buyer=%3Cone%3E&amp;before=7"');
    expect(moreLink({ path: '/list', query, next: undefined })).toBe(false);
  });

  it('begins at the newest row where the address says no number', () => {
    expect(['before=12', 'before=', 'before=-1', 'before=1e3', ''].map((text) => readBefore(fieldsOf(text)))).toEqual([
      12,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
