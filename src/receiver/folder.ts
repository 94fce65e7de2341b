import path from 'node:path';
import { ConfigError } from '../platform/kernel/errors.js';
import type { ReceiverLimits, ReceiverStore } from './store/store.js';

/** The database file in a receiver's folder. */
const RECEIVER_FILE = 'receiver.db';

/**
 * Opens a receiver's durable store in a folder, which is this process's until the store is closed; the database is loaded with the
 * first one. Throws ConfigError when another process has the folder.
 */
export async function openReceiverFolder(folder: string, limits?: ReceiverLimits): Promise<ReceiverStore> {
  const { holdFolder } = await import('../platform/database/hold.js');
  const { openReceiverStore } = await import('./store/store.js');
  const hold = holdFolder(folder);
  if (hold === undefined) {
    const message = 'another receiver is running on this folder';
    const fix = 'Stop it, or give this one a folder of its own.';
    throw new ConfigError([{ file: folder, line: 0, pointer: '', message, fix }]);
  }
  try {
    const store = await openReceiverStore(path.join(folder, RECEIVER_FILE), limits);
    let closing: Promise<void> | undefined;
    return {
      add: (event) => store.add(event),
      due: (nowMs, limit) => store.due(nowMs, limit),
      find: (seq) => store.find(seq),
      list: (state, page) => store.list(state, page),
      settle: (result) => store.settle(result),
      revive: (seq, nowMs) => store.revive(seq, nowMs),
      prune: (before) => store.prune(before),
      close: () => {
        closing ??= store.close().finally(() => hold.release());
        return closing;
      },
    };
  } catch (error) {
    hold.release();
    throw error;
  }
}
