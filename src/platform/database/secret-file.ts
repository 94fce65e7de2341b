import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { FILE_OWNER_ONLY, FOLDER_OWNER_ONLY } from './private-files.js';

/** Returns the secret in a file of the data folder; a new one, on disk before it is returned, where there is none. Only the file's owner may read it. */
export function openSecret(file: string, fresh: () => string): string {
  const stored = readSecret(file);
  if (stored !== undefined) return stored;
  const secret = fresh();
  writeSecret(file, secret);
  return secret;
}

/** Writes a file of the data folder that only its owner may read; it is on disk, whole, before this returns. */
export function writeSecret(file: string, secret: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: FOLDER_OWNER_ONLY });
  const written = `${file}.new`;
  const handle = openSync(written, 'w', FILE_OWNER_ONLY);
  try {
    writeSync(handle, `${secret}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  chmodSync(written, FILE_OWNER_ONLY);
  renameSync(written, file);
  syncFolder(path.dirname(file));
}

/** Writes a folder to disk, as a renamed file is only there for certain then. Some systems open no folders. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // The rename reaches the disk with the next sync of the file system.
  }
}

/** Returns the secret in a file of the data folder; undefined where there is none. */
export function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    chmodSync(file, FILE_OWNER_ONLY);
    return secret === '' ? undefined : secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
