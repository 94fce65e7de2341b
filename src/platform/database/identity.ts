import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../kernel/json/json.js';
import type { Log } from '../kernel/log.js';
import { FileProblem } from './file-problem.js';
import { writeSecret } from './secret-file.js';

/** The file that says which databases belong to a data folder, by their names and ids. It lies with the keys, which are useless without. */
const IDENTITY_FILE = path.join('keys', 'databases.json');

/** How a database is guarded against being lost, or taken for another one. */
export type DatabaseGuard = {
  readonly dataDir: string;
  /** The name of the database in the data folder, such as `registry.db`. */
  readonly name: string;
  /** Whether the signing keys of the data folder belong to this database: keys alone then show that it is lost. */
  readonly ownsKeys: boolean;
  readonly newId: () => string;
  readonly log: Log;
};

/** Whether there is nothing in the file of a database, or no file. */
export function isEmpty(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** Throws ConfigError when a database that the data folder had is not there any more. */
export function requireDatabase({ dataDir, name, ownsKeys }: DatabaseGuard, file: string): void {
  if (!isEmpty(file)) return;
  const ids = readIdentities(dataDir);
  const keys = path.join(dataDir, 'keys');
  const hasKeys = ownsKeys && ids === undefined && existsSync(keys) && readdirSync(keys).length > 0;
  if (ids?.[name] === undefined && !hasKeys) return;
  throw new FileProblem(file, `the database is gone, and the keys of this data folder (${keys}) are still there`, {
    fix: 'Put the database back, or restore a backup into an empty folder ("seller-agent restore <dir>"). To begin anew without what was stored, move the keys folder away.',
  });
}

/** Throws ConfigError when a database is another one than the data folder had; `id` is empty of one that has none. */
export function requireSame({ dataDir, name }: DatabaseGuard, file: string, id: string): void {
  const expected = readIdentities(dataDir)?.[name];
  if (expected === undefined || expected === id) return;
  const difference = id === '' ? 'is older than this data folder' : `has the id ${id}`;
  throw new FileProblem(
    file,
    `this is another database: it ${difference}, and the keys of this data folder belong to ${expected}`,
    {
      fix: `Put the right database back, or restore a backup into an empty folder. To use this one all the same, move ${path.join(dataDir, IDENTITY_FILE)} away.`,
    },
  );
}

/** Returns the id that a database of the data folder has, as far as it is known. */
export function recordedIdentity({ dataDir, name }: Pick<DatabaseGuard, 'dataDir' | 'name'>): string | undefined {
  return readIdentities(dataDir)?.[name];
}

/** Takes down the id of a database that the data folder did not have yet. */
export function recordIdentity({ dataDir, name }: DatabaseGuard, id: string): void {
  const ids = readIdentities(dataDir) ?? {};
  if (ids[name] === id) return;
  writeSecret(path.join(dataDir, IDENTITY_FILE), JSON.stringify({ ...ids, [name]: id }, null, 2));
}

/** Returns the ids of the databases of a data folder by their names; undefined where it has none yet. Throws ConfigError for a broken file. */
function readIdentities(dataDir: string): Readonly<Record<string, string>> | undefined {
  const file = path.join(dataDir, IDENTITY_FILE);
  if (!existsSync(file)) return undefined;
  try {
    const ids: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isObject(ids) && Object.values(ids).every((id) => typeof id === 'string')) return ids as Record<string, string>;
  } catch {
    // It is said below.
  }
  throw new FileProblem(file, 'it does not name the databases of this data folder', {
    fix: 'Put the last good copy back. Moved away, it is written anew for the databases that are there.',
  });
}
