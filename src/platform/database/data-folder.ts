import { ConfigError } from '../kernel/errors.js';
import type { Log } from '../kernel/log.js';
import { type Hold, holdFolder } from './hold.js';
import { makePrivateFolder } from './private-files.js';

/** Reserves a data folder for this process and closes it to everybody but its owner. Throws ConfigError when another process has it. */
export function holdDataFolder(folder: string, log: Log): Hold {
  const opened = makePrivateFolder(folder);
  if (opened.length > 0) log.warn({ files: opened }, OPENED);
  return holdFolderOrFail(folder);
}

/** Reserves a folder for this process. Throws ConfigError when another one has it. */
export function holdFolderOrFail(folder: string): Hold {
  const held = holdFolder(folder);
  if (held !== undefined) return held;
  throw new ConfigError([
    {
      file: folder,
      line: 0,
      pointer: '',
      message: 'another seller-agent is running on this data folder',
      fix: 'Stop it, or give this one a folder of its own with --data. Commands such as `call` reach the running one by themselves.',
    },
  ]);
}

/** Says of files that stood open what became of them. */
export const OPENED = 'others could read these; now only their owner can';
