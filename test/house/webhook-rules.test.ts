import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT } from '../kit/surroundings.js';

/** A row of the table: what is promised, and the test that holds it. */
type Rule = { readonly rule: string; readonly file: string; readonly name: string };

const ROW = /^\| (.+) \| `(.+?\.test\.ts)`: (.+) \|$/;
const HEAD = /^\| (rule \| test|---.*---) \|$|^\|---\|---\|$/;

const [, table = ''] = readFileSync(path.join(PROJECT, 'docs', 'webhooks.md'), 'utf8').split(
  '## Every rule, and its test',
);
const lines = table.split('\n').filter((line) => line.startsWith('|') && !HEAD.test(line));
const rules: readonly Rule[] = lines.flatMap((line) => {
  const [, rule, file, name] = ROW.exec(line) ?? [];
  return rule === undefined || file === undefined || name === undefined ? [] : [{ rule, file, name }];
});

/** Whether a file of tests has one of this name, as it stands in the source. */
function hasTest({ file, name }: Rule): boolean {
  const place = path.join(PROJECT, 'test', file);
  if (!existsSync(place)) return false;
  const source = readFileSync(place, 'utf8');
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((literal) => source.includes(literal));
}

describe('the table of rules in docs/webhooks.md', () => {
  it('names a test in every row', () => {
    expect(lines.filter((line) => !ROW.test(line))).toEqual([]);
    expect(rules.length).toBeGreaterThan(50);
  });

  it('names tests that exist', () => {
    expect(rules.filter((rule) => !hasTest(rule))).toEqual([]);
  });

  it('says each rule once', () => {
    const texts = rules.map(({ rule }) => rule);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });
});
