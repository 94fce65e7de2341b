import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { FileProblem } from '../file-problem.js';

/** Codes of a disk without room, of the system and of SQLite. */
const FULL_DISK: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/** Files that are written below a folder, or beside it. */
type Writing<T> = { readonly folder: string; readonly list: () => readonly string[]; readonly write: () => Promise<T> };

/**
 * Writes files, all of them or none: where one cannot be written, those that were are removed, so that the same can be done again. Throws
 * FileProblem for a full disk.
 */
export async function writeAllOrNone<T>({ folder, list, write }: Writing<T>): Promise<T> {
  const before = new Set(list());
  try {
    return await write();
  } catch (error) {
    removeFiles(list().filter((file) => !before.has(file)));
    if (!FULL_DISK.has((error as NodeJS.ErrnoException).code)) throw error;
    throw new FileProblem(folder, 'its disk is full; what was written of the backup was removed again', {
      fix: 'Make room, or name a folder on another disk.',
    });
  }
}

/** Removes files, and the folders that are empty then; on a disk that lets nothing be removed they stay. */
function removeFiles(files: readonly string[]): void {
  try {
    for (const file of files) rmSync(file, { force: true });
    for (const folder of new Set(files.map((file) => path.dirname(file))))
      if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  } catch {
    // The failure that led here says more than this one.
  }
}
