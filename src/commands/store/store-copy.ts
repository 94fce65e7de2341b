import path from 'node:path';
import { copyStore, type StoreCopyOptions } from '../../platform/database/copy/store-copy.js';
import { holdDataFolder } from '../../platform/database/data-folder.js';
import { isDatabaseUrl } from '../../platform/database/database-url.js';
import { ConfigError } from '../../platform/kernel/errors.js';
import { systemIds } from '../../platform/kernel/ids.js';
import { MASTER_KEY_VARIABLE, MasterKeys } from '../../platform/sealing/master-keys.js';
import { COPIED_REGISTRY } from '../../registry/store/copied-registry.js';
import { REGISTRY_FILE } from '../../registry/store/registry-store.js';
import type { Settings } from '../../seller/config/settings.js';
import { copiedSeller } from '../../seller/copy/copied-seller.js';
import { MASTER_KEY_FILE, SELLER_FILE } from '../../seller/store/store.js';
import type { CommandContext } from '../command.js';

/** The stores of a copy as they were typed: `sqlite`, `sqlite:PATH`, or the URL of a PostgreSQL database. */
type CopiedStores = {
  readonly from: string;
  readonly to: string;
  /** Whether it is the store of a registry. */
  readonly registry?: boolean;
};

const BAR_WIDTH = 30;

/** Copies a whole store into an empty one of the other engine; returns what was copied, as text. */
export async function runStoreCopy(
  { env, log: openLog, progress }: Pick<CommandContext, 'env' | 'log' | 'progress'>,
  { dataDir }: Settings,
  stores: CopiedStores,
): Promise<string> {
  const name = stores.registry === true ? REGISTRY_FILE : SELLER_FILE;
  const transfer = readStores(stores, path.join(dataDir, name));
  const log = await openLog('warn');
  const hold = holdDataFolder(dataDir, log);
  try {
    const guard = { dataDir, name, ownsKeys: name === SELLER_FILE, newId: systemIds.uuid, log };
    const onProgress: StoreCopyOptions['onProgress'] = (done, all, table) => progress(progressBar(done, all, table));
    const { tables } =
      name === REGISTRY_FILE
        ? await copyStore({ ...transfer, kind: COPIED_REGISTRY, guard, onProgress })
        : await copyStore({ ...transfer, kind: copiedSeller(guard, openKeys(dataDir, env)), guard, onProgress });
    progress('');
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return [
      ...tables
        .filter((table) => table.rows > 0)
        .map((table) => `  ${table.table}: ${table.rows} rows, ${table.digest.slice(0, 16)}`),
      `${rows} rows in ${tables.length} tables were copied, and are the same in both stores.`,
      transfer.direction === 'to-postgres'
        ? `Serve with --store, and move ${transfer.file} away: what is changed from now on is not in it.`
        : 'Serve without --store: what is changed in the database from now on is not in the file.',
    ].join('\n');
  } finally {
    hold.release();
  }
}

function openKeys(dataDir: string, env: CommandContext['env']): MasterKeys {
  return MasterKeys.open({ file: path.join(dataDir, MASTER_KEY_FILE), given: env[MASTER_KEY_VARIABLE] });
}

function readStores({ from, to }: CopiedStores, usual: string): Pick<StoreCopyOptions, 'direction' | 'file' | 'url'> {
  const isSqlite = (store: string): boolean => /^sqlite(:|$)/.test(store);
  const fileOf = (store: string): string => path.resolve(store.slice('sqlite:'.length) || usual);
  if (isSqlite(from) && isDatabaseUrl(to)) return { direction: 'to-postgres', file: fileOf(from), url: to };
  if (isDatabaseUrl(from) && isSqlite(to)) return { direction: 'to-sqlite', file: fileOf(to), url: from };
  throw new ConfigError([
    {
      file: 'store copy',
      line: 0,
      pointer: '',
      message: 'a copy goes from SQLite to PostgreSQL, or back',
      fix: 'Write --from sqlite --to postgres://user:password@host/database, or the other way round. Between two PostgreSQL databases use pg_dump.',
    },
  ]);
}

function progressBar(done: number, all: number, table: string): string {
  const share = all === 0 ? 1 : done / all;
  const filled = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)}% ${table}`;
}
