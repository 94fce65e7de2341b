import { statfs } from 'node:fs/promises';

/** Returns how many bytes are free on the disk of a folder; undefined where the folder is not there yet. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found === undefined ? undefined : found.bavail * found.bsize;
}
