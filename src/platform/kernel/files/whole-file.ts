import { open, realpath, rename, stat } from 'node:fs/promises';
import path from 'node:path';

const PERMISSIONS = 0o777;
const EVERYBODY_BY_UMASK = 0o666;

/**
 * Writes a file so that readers find the whole of its old or of its new text, and resolves once it is on disk. Permissions stay as they
 * are where `mode` is not given; a link stays a link.
 */
export async function writeWholeFile(file: string, text: string, mode?: number): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const before = await stat(target).catch(() => undefined);
  const permissions = mode ?? (before === undefined ? undefined : before.mode & PERMISSIONS);
  const fresh = `${target}.new`;
  const handle = await open(fresh, 'w', permissions ?? EVERYBODY_BY_UMASK);
  try {
    if (permissions !== undefined) await handle.chmod(permissions);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, target);
  await syncFolder(path.dirname(target));
}

/** Writes a folder to disk, as a renamed file is only there for certain then. Some systems open no folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().finally(() => handle.close());
}

/** Whether there is a file or folder at a path. */
export async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
