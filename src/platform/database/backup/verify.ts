import { statSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { listFiles } from './backup.js';
import { type BackupFile, type BackupManifest, digestFile, MANIFEST_FILE, readManifest } from './manifest.js';
import { findDamage, readFigures } from './snapshot.js';

/** The manifest of a backup, and its faults; without faults it can be restored. */
type VerifiedBackup = { readonly manifest: BackupManifest; readonly faults: readonly string[] };

/**
 * Reads every byte of a backup: that each file is there as it was written, that no other is, that the databases are sound and hold as
 * many rows as they did. Throws ConfigError for a folder that is no finished backup.
 */
export async function verifyBackup(folder: string): Promise<VerifiedBackup> {
  const manifest = readManifest(folder);
  const named = new Set([MANIFEST_FILE, ...manifest.files.map((file) => file.path)]);
  const unlisted = listFiles(folder).filter((name) => !named.has(name));
  const faults = unlisted.map((name) => `${name}: the backup did not write this file`);
  for (const file of manifest.files) faults.push(...(await findFaults(folder, file)));
  return { manifest, faults };
}

async function findFaults(
  folder: string,
  { bytes, database, path: name, sha256 }: BackupFile,
): Promise<readonly string[]> {
  const file = path.join(folder, name);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return [`${name}: the file is missing`];
  if (size !== bytes) return [`${name}: the file has ${size} bytes, and had ${bytes}`];
  if ((await digestFile(file)) !== sha256) return [`${name}: the file was changed`];
  if (database === null) return [];
  const damage = findDamage(file);
  if (damage !== undefined) return [`${name}: the database is damaged: ${damage}`];
  return isDeepStrictEqual(readFigures(file), database)
    ? []
    : [`${name}: the database holds something else than it did`];
}
