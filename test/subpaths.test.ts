import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './kit/surroundings.js';

const KIT = fileURLToPath(new URL('kit', import.meta.url));
const HEAVY =
  /\/node_modules\/(@libsql|@img|libsql|kysely|sharp)[/-]|\/dist\/(seller|creative|commands|registry\/server)\//;

/** The query builder is folded into the files of `dist`: known there by a class of its own. */
const hasQueryBuilder = (module: string): boolean => {
  const [, url = ''] = /^(file:\/\/\S+\/dist\/\S+)$/.exec(module) ?? [];
  return url !== '' && readFileSync(new URL(url), 'utf8').includes('SelectQueryNode');
};

/** Runs a program of `kit/subpaths` over the built package; returns its output and the modules that it loaded. */
async function run(program: string): Promise<{ readonly output: unknown; readonly modules: readonly string[] }> {
  const args = ['--import', path.join(KIT, 'list-modules.mjs'), path.join(KIT, 'subpaths', `${program}.mjs`)];
  const modulesFile = path.join(temporaryFolder(), 'modules');
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, MODULES_FILE: modulesFile },
  });
  return { output: JSON.parse(stdout), modules: readFileSync(modulesFile, 'utf8').trimEnd().split('\n') };
}

describe('a subpath of the package works without the database and without sharp', () => {
  it.each([
    ['signing', 'platform/signing/index.js', { ok: true, signer: 'https://seller.example/mcp' }],
    [
      'receiver',
      'receiver/index.js',
      { status: 200, idempotencyKey: '0123456789abcdef', sender: 'https://seller.example/mcp' },
    ],
    ['client', 'client/index.js', { client: 'function', failure: 'function', tasks: true }],
    ['registry-client', 'registry/client/index.js', { client: 'object', error: 'function' }],
  ])('%s', async (program, entry, expected) => {
    const { output, modules } = await run(program);
    expect(output).toEqual(expected);
    expect(modules.some((name) => name.endsWith(`/dist/${entry}`))).toBe(true);
    expect(modules.filter((name) => HEAVY.test(name) || hasQueryBuilder(name))).toEqual([]);
  });
});

it('the list of modules shows what the whole package loads', async () => {
  const { modules } = await run('whole');
  expect(modules.filter((name) => /\/node_modules\/libsql\//.test(name))).not.toEqual([]);
  expect(modules.filter(hasQueryBuilder)).not.toEqual([]);
});
