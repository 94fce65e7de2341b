import { expect, it } from 'vitest';
import { writeCsv } from '../../../src/platform/web/csv.js';

it.each([
  ['=1+1', "'=1+1"],
  ['+1 555', "'+1 555"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['  =1+1', "'  =1+1"],
  ['\t=1+1', '"\'\t=1+1"'],
  ['＝1+1', "'＝1+1"],
  ['a;=1+1', '"a;=1+1"'],
  ['-12.5', '-12.5'],
  ['say "hi", please', '"say ""hi"", please"'],
  ['\u001b[31mred', ' [31mred'],
])('writes the cell %j as %j', (value, written) => {
  expect(writeCsv([[value]])).toBe(`${written}\r\n`);
});

it('cuts what is too long for a cell of a spreadsheet, and says so', () => {
  expect(writeCsv([['x'.repeat(40_000)]])).toBe(`${'x'.repeat(32_000)} (cut: 40000 characters)\r\n`);
});
