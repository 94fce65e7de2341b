import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../../kernel/errors.js';
import { writeWholeFile } from '../../kernel/files/whole-file.js';
import { isObject } from '../../kernel/json/json.js';
import { readStrictJson } from '../../kernel/json/strict-json.js';
import { isAlgorithm } from '../algorithms.js';
import { PURPOSES } from './jwk.js';
import type { KeyRow } from './key-life.js';

/** The content of the file of the keys: `<data>/keys/signing.json`. */
export type KeyFileContent = { readonly keys: readonly KeyRow[] };

const OWNER_ONLY = 0o600;
const FOLDER_OWNER_ONLY = 0o700;

/** Reads the keys of a file, none where there is no file. Throws ConfigError for a file that holds no keys. */
export async function readKeyFile(file: string): Promise<readonly KeyRow[]> {
  const text = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw keyFileError(
      file,
      `it cannot be read: ${error.message}`,
      'Make it readable for the user that runs the server.',
    );
  });
  if (text === undefined) return [];
  const read = readStrictJson(text);
  if (read.ok && isKeyFile(read.value)) return read.value.keys;
  throw keyFileError(
    file,
    'it holds no keys that we wrote',
    'Put the last good copy back; a new one would have other keys.',
  );
}

/**
 * Writes the keys to a file that only its owner may read, and resolves once they are on disk, whole: keys that were published and
 * then forgotten would leave signatures that nobody can verify.
 */
export async function writeKeyFile(file: string, content: KeyFileContent): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: FOLDER_OWNER_ONLY });
  await writeWholeFile(file, `${JSON.stringify(content, null, 2)}\n`, OWNER_ONLY);
}

/** Takes the right to read a file from all but its owner. Returns whether others had it; false when there is no file. */
export async function restrictToOwner(file: string): Promise<boolean> {
  const status = await stat(file).catch(() => undefined);
  if (status === undefined || (status.mode & 0o077) === 0) return false;
  await chmod(file, OWNER_ONLY);
  return true;
}

/** Returns the error of a key file that no server can start with. */
export function keyFileError(file: string, message: string, fix: string): ConfigError {
  return new ConfigError([{ file, line: 0, pointer: '', message, fix }]);
}

const STATES: ReadonlySet<unknown> = new Set(['next', 'active', 'retiring', 'retired']);
const TEXTS = ['kid', 'x', 'created_at'] as const;
const INSTANTS = ['created_at', 'activate_at', 'activated_at', 'last_used_at', 'publish_until'] as const;

function isKeyFile(value: unknown): value is KeyFileContent {
  return isObject(value) && Array.isArray(value.keys) && value.keys.every(isKeyRow);
}

function isKeyRow(value: unknown): value is KeyRow {
  if (!isObject(value)) return false;
  const { alg, purpose, state } = value;
  return (
    TEXTS.every((name) => typeof value[name] === 'string' && value[name] !== '') &&
    INSTANTS.every((name) => value[name] === undefined || !Number.isNaN(Date.parse(String(value[name])))) &&
    typeof alg === 'string' &&
    isAlgorithm(alg) &&
    STATES.has(state) &&
    (PURPOSES as readonly unknown[]).includes(purpose)
  );
}
