import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { holdFolderOrFail } from '../data-folder.js';
import { FileProblem } from '../file-problem.js';
import { requireNotNewer } from '../migrations.js';
import { FILE_OWNER_ONLY, FOLDER_OWNER_ONLY } from '../private-files.js';
import { type BackupSource, KEY_FOLDER, listFiles } from './backup.js';
import { type BackupFile, type BackupManifest, syncToDisk } from './manifest.js';
import { verifyBackup } from './verify.js';
import { writeAllOrNone } from './whole-or-nothing.js';

/** Where a backup is restored, and how many migrations this version knows of each database. */
type RestoreTarget = BackupSource & { readonly migrations: Readonly<Record<string, number>> };

/** The lock of a data folder, which a restore holds. */
const LOCK = /^lock(?:-|$)/;

/**
 * Puts a backup into a data folder that is empty; where the backup has no keys, they may be there already. The databases come last: a
 * restore that was cut short leaves keys without a database, which a server refuses. Throws ConfigError for a backup with faults or
 * of a newer version, and for a folder that holds something.
 */
export async function restoreBackup(folder: string, target: RestoreTarget): Promise<BackupManifest> {
  const { faults, manifest } = await verifyBackup(folder);
  if (faults.length > 0) {
    throw new FileProblem(folder, `this backup is not whole: ${faults.slice(0, 3).join('; ')}`, {
      fix: 'Restore another one.',
    });
  }
  for (const { database, path: name } of manifest.files) {
    const label = path.join(folder, name);
    if (database !== null) requireNotNewer({ done: database.migrations, label }, target.migrations[name] ?? Infinity);
  }
  const hold = holdFolderOrFail(target.dataDir);
  try {
    requireRoom(target, manifest);
    const files = [...manifest.files].sort((a, b) => Number(a.database !== null) - Number(b.database !== null));
    await writeAllOrNone({
      folder: target.dataDir,
      list: () => listTargets(target),
      write: async () => {
        for (const file of files) restoreFile(folder, target, file);
      },
    });
  } finally {
    hold.release();
  }
  giveToOwner(target.dataDir);
  return manifest;
}

/** Gives what root has restored to the user whom the folder belongs to: the server that runs as that user could not start. */
function giveToOwner(folder: string): void {
  // Others may give nothing away, and restore as the user that they are.
  if (userInfo().uid !== 0) return;
  const { gid, uid } = statSync(folder);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (statSync(file).uid !== uid) chownSync(file, uid, gid);
  }
}

function requireRoom({ dataDir, elsewhere }: BackupSource, { has_keys }: BackupManifest): void {
  const isOurs = (name: string): boolean => LOCK.test(name) || (!has_keys && name.startsWith(`${KEY_FOLDER}/`));
  const [first] = [
    ...listFiles(dataDir).filter((name) => !isOurs(name)),
    ...Object.values(elsewhere).filter((file) => existsSync(file)),
  ];
  if (first === undefined) return;
  throw new FileProblem(dataDir, `the data folder is not empty: it holds ${first}`, {
    fix: 'Move what is there away, or name another folder with --data; nothing is written over.',
  });
}

/** Returns the files of a data folder, but for its lock, and of its databases that lie elsewhere. */
function listTargets({ dataDir, elsewhere }: BackupSource): readonly string[] {
  const own = listFiles(dataDir).filter((name) => !LOCK.test(name));
  const others = Object.values(elsewhere).flatMap((file) => [file, `${file}.new`]);
  return [...own.map((name) => path.join(dataDir, name)), ...others.filter((file) => existsSync(file))];
}

function restoreFile(folder: string, { dataDir, elsewhere }: BackupSource, { path: name }: BackupFile): void {
  const file = elsewhere[name] ?? path.join(dataDir, name);
  mkdirSync(path.dirname(file), { recursive: true, mode: FOLDER_OWNER_ONLY });
  copyFileSync(path.join(folder, name), `${file}.new`);
  chmodSync(`${file}.new`, FILE_OWNER_ONLY);
  syncToDisk(`${file}.new`);
  renameSync(`${file}.new`, file);
  syncToDisk(path.dirname(file));
}
