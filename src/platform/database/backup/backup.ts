import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Clock, isoTime } from '../../kernel/clock.js';
import { FileProblem } from '../file-problem.js';
import { FILE_OWNER_ONLY, FOLDER_OWNER_ONLY } from '../private-files.js';
import {
  type BackupFile,
  type BackupManifest,
  digestFile,
  MANIFEST_FILE,
  MANIFEST_FORMAT,
  syncToDisk,
} from './manifest.js';
import { copyDatabase, isDatabase, readFigures } from './snapshot.js';
import { writeAllOrNone } from './whole-or-nothing.js';

/** A data folder as it is backed up. */
export type BackupSource = {
  readonly dataDir: string;
  /** Databases that lie elsewhere, by the name that they have in the data folder otherwise. */
  readonly elsewhere: Readonly<Record<string, string>>;
};

/** How a backup is made. */
type BackupOptions = {
  readonly clock: Clock;
  readonly version: string;
  /** Leaves the keys folder out: whoever has the backup then cannot sign, and cannot read what is encrypted. */
  readonly withoutKeys: boolean;
};

/** The folder of the keys, below the data folder. */
export const KEY_FOLDER = 'keys';
/** Files that belong to a process, or to a machine. */
const NOT_BACKED_UP = /(?:^|\/)(?:lock|operator\.json|clock\.json|nonces-\d+)$|-(?:wal|shm|journal|commits)$|\.new$/;
/** So often the databases are copied again, because keys changed while they were. */
const MAX_COPIES = 3;

/**
 * Writes a backup of a data folder into a folder that is empty or not there, while a server may run on it. Throws ConfigError where it
 * cannot be written, or where there is nothing to back up.
 */
export async function createBackup(
  source: BackupSource,
  folder: string,
  options: BackupOptions,
): Promise<BackupManifest> {
  requireEmpty(source, folder);
  mkdirSync(folder, { recursive: true, mode: FOLDER_OWNER_ONLY });
  chmodSync(folder, FOLDER_OWNER_ONLY);
  return await writeAllOrNone({
    folder,
    list: () => listFiles(folder).map((name) => path.join(folder, name)),
    write: () => writeFiles(source, folder, options),
  });
}

async function writeFiles(source: BackupSource, folder: string, options: BackupOptions): Promise<BackupManifest> {
  const { clock, version, withoutKeys } = options;
  const began_at = isoTime(clock.now());
  await copyAll(source, folder, withoutKeys);
  const files: BackupFile[] = [];
  for (const name of listFiles(folder)) files.push(await describeFile(folder, name));
  if (!files.some(({ database }) => database !== null)) {
    throw new FileProblem(source.dataDir, 'there is no database in this data folder', {
      fix: 'Name the right folder with --data.',
    });
  }
  const manifest = {
    format: MANIFEST_FORMAT,
    version,
    began_at,
    finished_at: isoTime(clock.now()),
    has_keys: !withoutKeys,
    files,
  };
  const written = path.join(folder, `${MANIFEST_FILE}.new`);
  writeFileSync(written, `${JSON.stringify(manifest, null, 2)}\n`, { mode: FILE_OWNER_ONLY });
  syncToDisk(written);
  copyFileSync(written, path.join(folder, MANIFEST_FILE));
  rmSync(written);
  syncToDisk(path.join(folder, MANIFEST_FILE));
  syncToDisk(folder);
  return manifest;
}

/** Returns the paths of all files below a folder, with `/`, in their order; none where there is no folder. */
export function listFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

function requireEmpty({ dataDir }: BackupSource, folder: string): void {
  const isWithin = !path.relative(dataDir, folder).startsWith('..');
  if (isWithin)
    throw new FileProblem(folder, 'a backup cannot lie in the data folder', {
      fix: 'Name a folder elsewhere, best on another disk.',
    });
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new FileProblem(folder, 'this folder is not empty', { fix: 'Name a new folder for each backup.' });
}

/**
 * Copies keys and databases; keys that changed meanwhile are copied with another copy of the databases, which may hold
 * what only the newest keys open.
 */
async function copyAll(source: BackupSource, folder: string, withoutKeys: boolean): Promise<void> {
  const keys = path.join(source.dataDir, KEY_FOLDER);
  for (let copies = 1; ; copies += 1) {
    const before = await digestFolder(keys);
    for (const name of listFiles(folder)) rmSync(path.join(folder, name));
    for (const [name, file] of databasesOf(source)) copyInto(folder, name, (copy) => copyDatabase(file, copy));
    for (const name of listFiles(source.dataDir).filter((one) => isPlain(source, one, withoutKeys)))
      copyInto(folder, name, (copy) => copyFileSync(path.join(source.dataDir, name), copy));
    if (copies >= MAX_COPIES || (await digestFolder(keys)) === before) return;
  }
}

/** Returns the databases by the names that they have in a backup. */
function databasesOf({ dataDir, elsewhere }: BackupSource): readonly (readonly [name: string, file: string])[] {
  const own = listFiles(dataDir)
    .filter((name) => !(name in elsewhere) && !NOT_BACKED_UP.test(name) && isDatabase(path.join(dataDir, name)))
    .map((name) => [name, path.join(dataDir, name)] as const);
  return [...own, ...Object.entries(elsewhere).filter(([, file]) => existsSync(file))];
}

function isPlain({ dataDir, elsewhere }: BackupSource, name: string, withoutKeys: boolean): boolean {
  if (NOT_BACKED_UP.test(name) || name in elsewhere || isDatabase(path.join(dataDir, name))) return false;
  return !withoutKeys || !name.startsWith(`${KEY_FOLDER}/`);
}

function copyInto(folder: string, name: string, write: (copy: string) => void): void {
  const copy = path.join(folder, name);
  mkdirSync(path.dirname(copy), { recursive: true, mode: FOLDER_OWNER_ONLY });
  write(copy);
  chmodSync(copy, FILE_OWNER_ONLY);
  syncToDisk(copy);
}

async function digestFolder(folder: string): Promise<string> {
  const digests: string[] = [];
  for (const name of listFiles(folder)) digests.push(name, await digestFile(path.join(folder, name)));
  return digests.join('\n');
}

async function describeFile(folder: string, name: string): Promise<BackupFile> {
  const file = path.join(folder, name);
  const database = isDatabase(file) ? readFigures(file) : null;
  return { path: name, bytes: statSync(file).size, sha256: await digestFile(file), database };
}
