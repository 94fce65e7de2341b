import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { sha256Hex } from '../../platform/kernel/canonical.js';
import { ConfigError } from '../../platform/kernel/errors.js';
import { isThere } from '../../platform/kernel/files/whole-file.js';
import { publishersJsonSchema } from '../../seller/config/schema/publishers.js';
import { SETTINGS_FILE } from '../../seller/config/schema/settings.js';
import { tenantJsonSchema } from '../../seller/config/schema/tenant.js';
import { PUBLISHERS_FILE, PUBLISHERS_SCHEMA_FILE, SCHEMA_FILE } from '../../seller/config/tenant-files.js';
import { FIRST_CALLS } from '../first-calls.js';
import type { InitChoices, StarterKind } from './choices.js';
import { starterPublishers, starterSettings, starterTenant } from './starter.js';

/** Where the files go, the folder that they are shown from, and where unguessable text comes from. */
type InitOptions = InitChoices & { readonly directory: string; readonly cwd: string; readonly randomKey: () => string };

/** The files that were written, and what a person should read: the keys appear there and nowhere else. */
type InitResult = { readonly files: readonly string[]; readonly text: string };

/**
 * Writes a working configuration with fresh keys; a .gitignore that exists is left alone.
 * Throws ConfigError, and writes nothing, if one of the other files exists.
 */
export async function init({ directory, cwd, randomKey, kinds, ...choices }: InitOptions): Promise<InitResult> {
  const keys = { live: `live-${randomKey()}`, sandbox: `sandbox-${randomKey()}` };
  const starter = { ...choices, keys: { live: sha256Hex(keys.live), sandbox: sha256Hex(keys.sandbox) } };
  const contents = new Map([
    [join(directory, SETTINGS_FILE), asText(starterSettings())],
    ...kinds.map((kind) => [join(directory, 'tenants', `${kind}.json`), asText(starterTenant(kind, starter))] as const),
    [join(directory, 'tenants', PUBLISHERS_FILE), asText(starterPublishers(choices))],
    [join(directory, 'tenants', SCHEMA_FILE), asText(tenantJsonSchema())],
    [join(directory, 'tenants', PUBLISHERS_SCHEMA_FILE), asText(publishersJsonSchema())],
  ]);
  await refuseToOverwrite([...contents.keys()]);
  const ignore = join(directory, '.gitignore');
  if (!(await isThere(ignore))) contents.set(ignore, 'data/\n');
  for (const [file, content] of contents) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: 'wx' });
  }
  const files = [...contents.keys()];
  const shown = files.map((file) => relative(cwd, file));
  return { files, text: describeFolder(shown, keys, { folder: relative(cwd, directory), kinds }) };
}

async function refuseToOverwrite(files: readonly string[]): Promise<void> {
  const exist = await Promise.all(files.map(isThere));
  const problems = files
    .filter((_, index) => exist[index])
    .map((file) => ({
      file,
      line: 0,
      pointer: '',
      message: 'the file exists, and init overwrites nothing',
      fix: 'Move it away, or choose another folder: init <folder>.',
    }));
  if (problems.length > 0) throw new ConfigError(problems);
}

function asText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

type Written = { readonly folder: string; readonly kinds: readonly StarterKind[] };

function describeFolder(
  files: readonly string[],
  keys: { readonly live: string; readonly sandbox: string },
  { folder, kinds }: Written,
): string {
  const [first = 'sales'] = kinds;
  return [
    'Written:',
    ...files.map((file) => `    ${file}`),
    '',
    'Keys, shown this once (the tenant file holds their hashes):',
    `    first-buyer  ${keys.live}`,
    `    sandbox      ${keys.sandbox}`,
    '',
    'Next:',
    ...(folder === '' ? [] : [`    cd ${folder}`]),
    '    npx seller-agent check',
    '    npx seller-agent serve',
    '',
    'and in another terminal, with the sandbox key:',
    `    npx -p @adcp/sdk adcp http://127.0.0.1:3000/${first}/mcp ${FIRST_CALLS[first]} --auth ${keys.sandbox} --allow-http`,
  ].join('\n');
}
