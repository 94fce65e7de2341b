import { mkdirSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';

/** Reserves a data folder for one process. The lock is the kernel's: it goes with the process, however that ends. */
export type Hold = { readonly release: () => void };

/** Reserves the folder, or returns undefined when another process has it. */
export function holdFolder(folder: string): Hold | undefined {
  mkdirSync(folder, { recursive: true });
  const database = new Libsql(path.join(folder, 'lock'), { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode=EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch {
    database.close();
    return undefined;
  }
  return {
    release: () => {
      database.exec('COMMIT');
      database.close();
    },
  };
}
