import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

const NAMES = ['ffmpeg', 'ffmpeg.exe'] as const;

/** Returns the path of ffmpeg: the given one, else the first on the search path (`PATH`); undefined where there is none. */
export async function findFfmpeg(given: string | undefined, searchPath = ''): Promise<string | undefined> {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates =
    given === undefined ? folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))) : [given];
  for (const file of candidates) if (await isExecutable(file)) return file;
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
