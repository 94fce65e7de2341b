import path from 'node:path';
import { holdFolder } from '../platform/database/hold.js';
import { ConfigError } from '../platform/kernel/errors.js';
import { openReceiverStore, type ReceiverLimits, type ReceiverStore } from './store/events.js';

/** The file in a receiver's folder that holds what it remembers. */
export const RECEIVER_FILE = 'receiver.db';

/**
 * Opens a receiver's durable store in a folder, which is this process's until the store is closed. Throws ConfigError when another
 * process has it.
 */
export async function openReceiverFolder(folder: string, limits?: ReceiverLimits): Promise<ReceiverStore> {
  const hold = holdFolder(folder);
  if (hold === undefined) {
    throw new ConfigError([
      {
        file: folder,
        line: 0,
        pointer: '',
        message: 'another receiver is running on this folder',
        fix: 'Stop it, or give this one a folder of its own.',
      },
    ]);
  }
  try {
    const store = await openReceiverStore(path.join(folder, RECEIVER_FILE), limits);
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      closing ??= store.close().finally(hold.release);
      return closing;
    };
    return { ...store, close };
  } catch (error) {
    hold.release();
    throw error;
  }
}
