import { statfs } from 'node:fs/promises';

/** Returns how many bytes are free on the disk of a folder; undefined where the folder is not there yet. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  const stats = await statfs(folder).catch(() => undefined);
  return stats === undefined ? undefined : stats.bavail * stats.bsize;
}
