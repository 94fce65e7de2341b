import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';

const OWNER_ONLY = 0o600;

/** Returns the secret in a file of the data folder; a new one, on disk before it is returned, where there is none. Only the file's owner may read it. */
export function keepSecret(file: string, fresh: () => string): string {
  const stored = readSecret(file);
  if (stored !== undefined) return stored;
  const secret = fresh();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.new`;
  const handle = openSync(written, 'w', OWNER_ONLY);
  try {
    writeSync(handle, `${secret}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  chmodSync(written, OWNER_ONLY);
  renameSync(written, file);
  return secret;
}

function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    chmodSync(file, OWNER_ONLY);
    return secret === '' ? undefined : secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
