import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** The mode of a file of the data folder: its owner reads and writes it, nobody else does anything. */
export const FILE_OWNER_ONLY = 0o600;
/** The mode of the data folder and the folders in it. */
export const FOLDER_OWNER_ONLY = 0o700;

const OTHERS = 0o077;
/** Files beside a database that belong to it. */
const DATABASE_ENDINGS = ['', '-wal', '-shm', '-journal', '-commits'] as const;
/** The files of a data folder that are ours. */
const OUR_FILES = /^(?:lock|[\w.-]+\.db)(?:-wal|-shm|-journal|-commits)?$|^operator\.json$|^nonces-\d+$/;
const KEY_FOLDER = 'keys';

/**
 * Makes a folder that only its owner may enter, whatever the umask, and closes it and our files in it to others where they stood open.
 * Returns what stood open.
 */
export function makePrivateFolder(folder: string): readonly string[] {
  makeFolder(folder);
  const keys = path.join(folder, KEY_FOLDER);
  const files = readdirSync(folder).filter((name) => OUR_FILES.test(name));
  const keyFiles = modeOf(keys) === undefined ? [] : [keys, ...readdirSync(keys).map((name) => path.join(keys, name))];
  return [folder, ...files.map((name) => path.join(folder, name)), ...keyFiles].filter(closeToOthers);
}

/** Makes the file of a database before the engine does, so that the files beside it have its mode too. Returns what stood open. */
export function makePrivateDatabase(file: string): readonly string[] {
  makeFolder(path.dirname(file));
  if (modeOf(file) === undefined) {
    closeSync(openSync(file, 'a', FILE_OWNER_ONLY));
    chmodSync(file, FILE_OWNER_ONLY);
  }
  return DATABASE_ENDINGS.map((ending) => `${file}${ending}`).filter(closeToOthers);
}

/** Makes a folder where there is none; the umask may take rights from its owner, too. */
function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: FOLDER_OWNER_ONLY }) !== undefined) {
    chmodSync(folder, FOLDER_OWNER_ONLY);
  }
}

/** Takes all rights from everybody but the owner, and returns whether others had any. */
function closeToOthers(file: string): boolean {
  const mode = modeOf(file);
  if (mode === undefined || (mode & OTHERS) === 0) return false;
  chmodSync(file, mode & ~OTHERS);
  return true;
}

function modeOf(file: string): number | undefined {
  const status = statSync(file, { throwIfNoEntry: false });
  return status === undefined ? undefined : status.mode & 0o777;
}
