import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openPostgres } from '../../src/platform/database/postgres/postgres.js';
import { createLog } from '../../src/platform/kernel/log.js';
import { REGISTRY_MIGRATIONS } from '../../src/registry/store/registry-store.js';
import { SELLER_MIGRATIONS } from '../../src/seller/store/schema/migrations.js';
import { afterUse } from './after-use.js';

/** The databases whose tables are copied for each test that asks for one, as making them anew takes longer than most tests. */
const KINDS = {
  seller: { migrations: SELLER_MIGRATIONS, marker: 'media_buy' },
  registry: { migrations: REGISTRY_MIGRATIONS, marker: 'store_change' },
} as const;

/** What a database is of: the tables of this version, or none. */
type Kind = keyof typeof KINDS;

/** Returns the URL of a database of its own without tables: a schema in the run's server. */
export async function freshDatabase(): Promise<string> {
  const schema = freshName();
  await asAdministrator((client) => client.query(`CREATE SCHEMA ${schema}`));
  const url = new URL(inject('postgresUrl'));
  url.searchParams.set('options', `-c search_path=${schema}`);
  return url.href;
}

const databases = new Map<string, Promise<string>>();

/** Returns the URL of the database that stands for a file or folder, the same for the same one: with the tables of its kind, if that is given. */
export function databaseOf(file: string, kind?: Kind): Promise<string> {
  const url = databases.get(file) ?? (kind === undefined ? freshDatabase() : copiedDatabase(kind));
  databases.set(file, url);
  return url;
}

/** Returns the URL of a copy of the database of a kind, which is gone after its use. */
async function copiedDatabase(kind: Kind): Promise<string> {
  const original = `original_${kind}`;
  const name = freshName();
  await asAdministrator(async (client) => {
    // Of all the workers of the run one makes it.
    await client.query(`SELECT pg_advisory_lock(hashtext('${original}'))`);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [original]);
    if (rowCount === 0) await makeOriginal(client, original, kind);
    await client.query(`SELECT pg_advisory_unlock(hashtext('${original}'))`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${original}`);
  });
  afterUse(() => asAdministrator((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)));
  return urlOf(name);
}

async function makeOriginal(client: pg.Client, original: string, kind: Kind): Promise<void> {
  const draft = freshName();
  await client.query(`CREATE DATABASE ${draft}`);
  const engine = await openPostgres(urlOf(draft), { ...KINDS[kind], log: createLog('silent') });
  await engine.close();
  await client.query(`ALTER DATABASE ${draft} RENAME TO ${original}`);
}

async function asAdministrator<T>(action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${database}`;
  return url.href;
}

function freshName(): string {
  return `t_${randomUUID().replaceAll('-', '')}`;
}
