import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isObject } from '../../kernel/json/json.js';
import { FileProblem } from '../file-problem.js';
import type { DatabaseFigures } from './snapshot.js';

/** The file that makes a folder a backup. It is written last: without it a backup was not finished. */
export const MANIFEST_FILE = 'backup.json';
/** The form of the manifest that is written and read here. */
export const MANIFEST_FORMAT = 1;

/** A file of a backup: its path below the folder with `/`, its size, and the SHA-256 of its bytes as hex. */
export type BackupFile = {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The figures of a database; null of any other file. */
  readonly database: DatabaseFigures | null;
};

/** The manifest of a backup. Times are ISO 8601. */
export type BackupManifest = {
  readonly format: number;
  /** The version that wrote it. */
  readonly version: string;
  /** All that was acknowledged before this is in the backup. */
  readonly began_at: string;
  readonly finished_at: string;
  readonly has_keys: boolean;
  readonly files: readonly BackupFile[];
};

/** Reads the manifest of a backup. Throws ConfigError where there is none, or another version's. */
export function readManifest(folder: string): BackupManifest {
  const file = path.join(folder, MANIFEST_FILE);
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new FileProblem(folder, `this is no finished backup: ${MANIFEST_FILE} is missing or broken`, {
      fix: 'Name the folder that "backup" wrote, or take another backup.',
    });
  }
  if (isManifest(manifest)) return manifest;
  throw new FileProblem(file, 'this backup was written in a form that is not known here', {
    fix: 'Restore it with the version of seller-agent that wrote it, or a newer one.',
  });
}

function isManifest(value: unknown): value is BackupManifest {
  return isObject(value) && value.format === MANIFEST_FORMAT && Array.isArray(value.files) && value.files.every(isFile);
}

function isFile(value: unknown): value is BackupFile {
  if (!isObject(value) || typeof value.path !== 'string' || typeof value.sha256 !== 'string') return false;
  const isBelow =
    !path.isAbsolute(value.path) && !value.path.split(/[/\\]/).some((part) => part === '..' || part === '');
  return isBelow && typeof value.bytes === 'number' && (value.database === null || isObject(value.database));
}

/** Returns the SHA-256 of a file's bytes as hex. */
export async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Puts a file or the entries of a folder on disk. */
export function syncToDisk(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
