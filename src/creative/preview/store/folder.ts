import { open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** The files of a folder whose name fits; what a crash left half written (`*.tmp`) is removed. */
export async function namesIn(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const names = await readdir(folder);
  await Promise.all(names.filter((name) => name.endsWith('.tmp')).map((name) => rm(path.join(folder, name))));
  return names.filter((name) => pattern.test(name));
}

/** Makes new names and renames in a folder last. Some systems know no such thing; there it is nothing. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
