import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MEMBERS_LEFT_OUT, projectMembers } from '../../src/protocol/members.js';
import { PROJECT } from '../kit/surroundings.js';

test('the documents show every member that a release does not have', () => {
  const text = readFileSync(path.join(PROJECT, 'docs/protocol/versions.md'), 'utf8');
  const rows = Object.entries(MEMBERS_LEFT_OUT).map(
    ([shape, left]) => `| ${shape} | ${left['3.0'].map((name) => `\`${name}\``).join(', ')} |`,
  );
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});

test('a value without such members is answered as it is', () => {
  const product = { product_id: 'a' };
  expect(projectMembers('product', product, '3.0')).toBe(product);
  expect(projectMembers('product', { ...product, format_options: [] }, '3.0')).toEqual(product);
  expect(projectMembers('product', { ...product, format_options: [] }, '3.1')).toHaveProperty('format_options');
});
