import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCommandsOf } from '../kit/documents.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The documents whose commands have a file of tests of their own. */
const ELSEWHERE = ['operations.md'];

const documents = readdirSync(path.join(root, 'docs'))
  .filter((name) => name.endsWith('.md') && !ELSEWHERE.includes(name))
  .map((name) => `docs/${name}`);
for (const name of ['README.md', 'CONTRIBUTING.md', ...documents]) runCommandsOf(name);

it('README is for five minutes', () => {
  expect(readFileSync(path.join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(160);
});

it('every link between the documents leads to a file', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...markdownBelow('docs')];
  const dead = pages.flatMap((page) =>
    [...readFileSync(path.join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(path.join(root, path.dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(dead).toEqual([]);
});

function markdownBelow(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}
