import path from 'node:path';
import Libsql from 'libsql';
import { FileProblem } from './file-problem.js';
import { makePrivateDatabase } from './private-files.js';

/** Reserves a data folder for one process. The lock is the kernel's: it goes with the process, however that ends. */
export type Hold = { readonly release: () => void };

/** Reserves the folder, or returns undefined when another process has it. Throws ConfigError for a lock that is not one. */
export function holdFolder(folder: string): Hold | undefined {
  const file = path.join(folder, 'lock');
  const database = openLock(file);
  try {
    database.exec('PRAGMA locking_mode=EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw badLock(file, error);
  }
  return {
    release: () => {
      database.exec('COMMIT');
      database.close();
    },
  };
}

function openLock(file: string): Libsql.Database {
  try {
    makePrivateDatabase(file);
    return new Libsql(file, { timeout: 0 });
  } catch (error) {
    throw badLock(file, error);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

function badLock(file: string, error: unknown): FileProblem {
  const why = error instanceof Error ? error.message : String(error);
  return new FileProblem(file, `this is not the lock of a data folder: ${why}`, {
    fix: 'Make sure that no seller-agent runs on this folder and that it may be written to, then remove the file "lock"; it holds nothing.',
  });
}
