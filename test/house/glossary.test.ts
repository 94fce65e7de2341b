import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT } from '../kit/surroundings.js';
import { readSources } from './source.js';

const SOURCES = readSources();
const PATHS = readdirSync(path.join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' }).map((one) =>
  one.replaceAll(path.sep, '/'),
);

/** The rows of docs/glossary.md: what they are called, and where they say that it is. */
const ROWS = readFileSync(path.join(PROJECT, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| word |'))
  .map((line) => {
    const [, terms = '', , where = ''] = line.split('|').map((cell) => cell.trim());
    const [head = '', ...others] = terms.replaceAll(/\([^)]*\)/g, '').split(/[,:]/);
    return { head: head.trim(), others, paths: [...where.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name) };
  });

describe('the glossary', () => {
  it('has rows', () => {
    expect(ROWS.length).toBeGreaterThan(80);
  });

  it('names files and folders that are there', () => {
    const lost = ROWS.filter(({ paths }) => paths.length === 0 || paths.some((one) => !existsSync(inSource(one))));
    expect(lost).toEqual([]);
  });

  it('begins each row with a word that ls finds in the names of files and folders', () => {
    const unfound = ROWS.filter(
      ({ head, paths }) => ![...wordsOf(head), wordsOf(head).join('')].some((word) => below(paths).some(hasWord(word))),
    );
    expect(unfound.map(({ head }) => head)).toEqual([]);
  });

  it('has the further words of a row in the code that the row names', () => {
    const unfound = ROWS.flatMap(({ others, paths }) => {
      const files = new Set(below(paths));
      const code = wordsOf(SOURCES.flatMap(({ file, code }) => (files.has(file) ? code : [])).join('\n'));
      const found = new Set(code);
      return others.filter(
        (term) => !wordsOf(term).some((word) => found.has(word) || below(paths).some(hasWord(word))),
      );
    });
    expect(unfound).toEqual([]);
  });
});

function inSource(name: string): string {
  return path.join(PROJECT, 'src', name);
}

/** The given paths and all that lies below them. */
function below(paths: readonly string[]): readonly string[] {
  return paths.flatMap((one) => [one, ...PATHS.filter((other) => other.startsWith(`${one}/`))]);
}

function hasWord(word: string): (file: string) => boolean {
  return (file) => file.split('/').some((segment) => wordsOf(segment).includes(word));
}

/** The words of a name or text, in the singular: `MediaBuy`, `media-buys` and `media buy` have the same. */
function wordsOf(text: string): readonly string[] {
  const words =
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.filter((word) => word !== 'ts').map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''));
}
