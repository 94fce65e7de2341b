import { ConfigError } from '../kernel/errors.js';
import { type Hold, holdFolder } from './hold.js';

/** Reserves a data folder for this process. Throws ConfigError when another one has it. */
export function holdDataFolder(folder: string): Hold {
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
