import path from 'node:path';
import { exportStore, importStore, STORE_LINES } from '../../platform/database/copy/store-lines.js';
import { holdDataFolder } from '../../platform/database/data-folder.js';
import { isDatabaseUrl } from '../../platform/database/database-url.js';
import { systemIds } from '../../platform/kernel/ids.js';
import type { Log } from '../../platform/kernel/log.js';
import { COPIED_REGISTRY } from '../../registry/store/copied-registry.js';
import { REGISTRY_FILE } from '../../registry/store/registry-store.js';
import type { Settings } from '../../seller/config/settings.js';

/** A registry that is served, and the file that all of it is written into or read from. */
type WholeOptions = {
  readonly settings: Settings;
  readonly file: string;
  readonly log: Log;
  readonly progress: (text: string) => void;
};

/** Whether a file that begins so is a whole registry. */
export function isWholeRegistry(beginning: string): boolean {
  return beginning.startsWith(STORE_LINES);
}

/** Writes a whole registry as lines of JSON, also while it is served; returns what was written, as text. */
export async function exportWhole(options: WholeOptions): Promise<string> {
  const tables = await exportStore(storeLines(options));
  options.progress('');
  return `${options.file}: ${countRows(tables)} rows. It holds digests of keys: store it safely.`;
}

/** Makes the empty data folder, or database, of a registry the one that a file has; returns what was read, as text. */
export async function importWhole(options: WholeOptions): Promise<string> {
  const hold = holdDataFolder(options.settings.dataDir, options.log);
  try {
    const tables = await importStore(storeLines(options));
    return `${countRows(tables)} rows were taken in, and are the same as in ${options.file}.`;
  } finally {
    options.progress('');
    hold.release();
  }
}

function storeLines({ file, log, progress, settings: { dataDir, store } }: WholeOptions) {
  return {
    kind: COPIED_REGISTRY,
    file: path.join(dataDir, REGISTRY_FILE),
    url: store !== undefined && isDatabaseUrl(store) ? store : undefined,
    lines: path.resolve(file),
    guard: { dataDir, name: REGISTRY_FILE, ownsKeys: false, newId: systemIds.uuid, log },
    onProgress: (done: number, all: number, table: string) => progress(`${done} of ${all} rows: ${table}`),
  };
}

function countRows(tables: readonly { readonly rows: number }[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}
