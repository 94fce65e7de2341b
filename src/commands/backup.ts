import path from 'node:path';
import { type BackupSource, createBackup } from '../platform/database/backup/backup.js';
import type { BackupManifest } from '../platform/database/backup/manifest.js';
import { restoreBackup } from '../platform/database/backup/restore.js';
import { verifyBackup } from '../platform/database/backup/verify.js';
import { isDatabaseUrl } from '../platform/database/database-url.js';
import { FileProblem } from '../platform/database/file-problem.js';
import { secondText } from '../platform/kernel/clock.js';
import { sumOf } from '../platform/kernel/numbers.js';
import { REGISTRY_FILE, REGISTRY_MIGRATIONS } from '../registry/store/registry-store.js';
import type { Settings } from '../seller/config/settings.js';
import { SELLER_MIGRATIONS } from '../seller/store/schema/migrations.js';
import { SELLER_FILE } from '../seller/store/store.js';
import type { CommandContext } from './command.js';

/** A folder of a backup, and the data folder that it is of. */
type BackupFolders = { readonly settings: Settings; readonly folder: string };

/** Writes a backup of the data folder, also while a server runs on it; returns what was written, as text. */
export async function writeBackup(
  { now, version }: Pick<CommandContext, 'now' | 'version'>,
  { folder, settings }: BackupFolders,
  withoutKeys: boolean,
): Promise<string> {
  const options = { clock: { now }, version, withoutKeys };
  const manifest = await createBackup(sourceOf(settings), path.resolve(folder), options);
  const keys = withoutKeys
    ? 'The keys are not in it: store them elsewhere.'
    : 'It holds the keys: store it as safely as them.';
  return [describeBackup(folder, manifest), keys].join('\n');
}

/** Checks every byte of a backup; returns what it holds, or its faults, as text. */
export async function checkBackup(folder: string): Promise<{ readonly ok: boolean; readonly text: string }> {
  const { faults, manifest } = await verifyBackup(path.resolve(folder));
  if (faults.length === 0) return { ok: true, text: `${describeBackup(folder, manifest)}\nIt is whole.` };
  return { ok: false, text: [...faults, 'This backup cannot be restored. Take another one.'].join('\n') };
}

const MIGRATIONS = { [SELLER_FILE]: SELLER_MIGRATIONS.length, [REGISTRY_FILE]: REGISTRY_MIGRATIONS.length };

/** Puts a backup into the data folder, which is empty; returns what was restored, as text. */
export async function readBackup({ folder, settings }: BackupFolders): Promise<string> {
  const manifest = await restoreBackup(path.resolve(folder), { ...sourceOf(settings), migrations: MIGRATIONS });
  return `${describeBackup(folder, manifest)}\nIt is restored in ${settings.dataDir}. What was acknowledged after the backup began may be missing.`;
}

/** Returns what a backup is made of. Throws ConfigError for a database that lies elsewhere. */
function sourceOf({ dataDir, store }: Settings): BackupSource {
  if (store !== undefined && isDatabaseUrl(store))
    throw new FileProblem('the store', 'a backup of a PostgreSQL database is made by its own tools', {
      fix: 'Use pg_dump, or the archive of your provider; store the master key apart from it (SELLER_AGENT_MASTER_KEY, or keys/master.json of the data folder).',
    });
  return { dataDir, elsewhere: store === undefined ? {} : { [SELLER_FILE]: store } };
}

function describeBackup(folder: string, { began_at, files, version }: BackupManifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const databases = files.flatMap(({ database, path: name }) => {
    if (database === null) return [];
    const rows = sumOf(Object.values(database.rows));
    return [`  ${name}: ${rows} rows in ${Object.keys(database.rows).length} tables`];
  });
  return [
    `${folder}: ${files.length} files, ${bytes} bytes, as of ${secondText(began_at)}, by version ${version}`,
    ...databases,
  ].join('\n');
}
