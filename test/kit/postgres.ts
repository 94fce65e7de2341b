import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Returns the URL of a database of its own, made anew: a schema in the run's server. */
export async function freshDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const schema = `t_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query(`CREATE SCHEMA ${schema}`);
  await client.end();
  url.searchParams.set('options', `-c search_path=${schema}`);
  return url.href;
}

const databases = new Map<string, Promise<string>>();

/** Returns the URL of the database that stands for a file or folder, the same for the same one. */
export function databaseOf(file: string): Promise<string> {
  const url = databases.get(file) ?? freshDatabase();
  databases.set(file, url);
  return url;
}
