import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { check, inspectAll } from '../../src/commands/check/check.js';
import { resolveSettings } from '../../src/seller/config/settings.js';
import { temporaryFolder } from '../kit/surroundings.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const SHIPPED = join(PROJECT, 'tenants');
const FILES = ['sales', 'creative', 'creative-builder', 'signals', 'governance', 'brand', 'publishers'];
const NOW = Date.UTC(2026, 5, 1);

/** A shipped file with the name of one member misspelled. */
type Misspelling = { readonly file: string; readonly name: string; readonly wrong: string };

const MISSPELLINGS: readonly Misspelling[] = await (async () => {
  const files = await Promise.all(
    FILES.map(async (file) => {
      const members = JSON.parse(await readFile(join(SHIPPED, `${file}.json`), 'utf8'));
      return Object.keys(members).map((name) => ({ file, name, wrong: misspell(name) }));
    }),
  );
  return files.flat();
})();

/** Swaps the two letters in the middle that differ. */
function misspell(name: string): string {
  const from = Math.floor(name.length / 2);
  const at = [...name].findIndex((letter, index) => index >= from && letter !== name[index - 1]);
  return `${name.slice(0, at - 1)}${name[at]}${name[at - 1]}${name.slice(at + 1)}`;
}

/** A folder with one shipped file, or with the two that judge one another. */
async function openFolder(file: string): Promise<string> {
  const folder = temporaryFolder();
  const files = file === 'publishers' || file === 'sales' ? ['sales', 'publishers'] : [file];
  for (const name of files) await cp(join(SHIPPED, `${name}.json`), join(folder, 'tenants', `${name}.json`));
  return folder;
}

/** Rewrites a file of a folder, and returns what is found in the folder then. */
async function rewrite(folder: string, file: string, edit: (text: string) => string) {
  const path = join(folder, 'tenants', `${file}.json`);
  const before = await readFile(path, 'utf8');
  const text = edit(before);
  expect(text).not.toBe(before);
  await writeFile(path, text);
  const settings = await resolveSettings({ flags: {}, env: {}, cwd: folder, packageRoot: PROJECT });
  return { path, text, settings };
}

describe('check', () => {
  test.each(MISSPELLINGS)(
    'says one thing of the member $wrong in the file $file, at its line and column',
    async (misspelling) => {
      const { file, name, wrong } = misspelling;
      const folder = await openFolder(file);
      const { path, settings, text } = await rewrite(folder, file, (one) =>
        one.replace(`\n  "${name}":`, `\n  "${wrong}":`),
      );
      const { problems, warnings } = await inspectAll(settings, {}, NOW);
      const line = text.split('\n').findIndex((one) => one.startsWith(`  "${wrong}"`)) + 1;
      const fix = `Rename it to "${name}", or remove it.`;
      expect([...problems, ...warnings]).toEqual([
        { file: path, line, column: 3, pointer: `/${wrong}`, message: `unknown key "${wrong}"`, fix },
      ]);
    },
  );

  test('reads on below a misspelled name, at the positions of the text', async () => {
    const { settings } = await rewrite(await openFolder('sales'), 'sales', (text) =>
      text.replace('\n  "products":', '\n  "prodcuts":').replace('"delivery_type":', '"deliver_type":'),
    );
    const { ok, text } = await check(settings, {}, NOW);
    expect(ok).toBe(false);
    expect(text.split('\n')).toEqual([
      expect.stringMatching(/sales\.json:\d+:3 \/prodcuts: unknown key "prodcuts"$/),
      '    fix: Rename it to "products", or remove it.',
      expect.stringMatching(/sales\.json:\d+:7 \/products\/0\/deliver_type: unknown key "deliver_type"$/),
      '    fix: Rename it to "delivery_type", or remove it.',
      '2 problems in 1 file.',
    ]);
  });

  test('says the first thing that is no JSON, and nothing of what only follows from it', async () => {
    const broken = '{\n  "name": "Publisher,\n  "kinds": ["sales"\n}\n';
    const { settings } = await rewrite(await openFolder('sales'), 'sales', () => broken);
    const { problems } = await inspectAll(settings, {}, NOW);
    expect(problems).toMatchObject([{ line: 2, column: 11, message: 'not valid JSON: a string is not closed' }]);
  });
});
