import pg from 'pg';
import { FileProblem } from '../file-problem.js';
import { type Migration, pendingMigrations } from '../migrations.js';
import type { Builder } from '../statement.js';
import { CONNECT_TIMEOUT_MS, LOCK_TIMEOUT_MS, SILENCE_MS } from './pool.js';

/**
 * Lets one process at a time change the tables of a schema, until its transaction ends. Who waits for that waits as long as it takes; a
 * table that a running process uses is waited for no longer than a row is.
 */
const LOCK_SCHEMA = `SET LOCAL lock_timeout = 0;
  SELECT pg_advisory_xact_lock(hashtext('seller-agent'), hashtext(current_schema()));
  SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`;
/**
 * Lets the database see while a long statement runs that its process is gone: else the lock stays until the statement ends. What cannot be
 * set there, by its version or system, is left.
 */
const NOTICE_LOSS = `SELECT set_config(name, '1000', false) FROM pg_settings WHERE name = 'client_connection_check_interval'`;
const TABLE_OF_MIGRATIONS = 'CREATE TABLE IF NOT EXISTS migration (number bigint PRIMARY KEY)';
const PROBE_TABLE = 'CREATE TABLE IF NOT EXISTS probe (id bigint PRIMARY KEY, writes bigint NOT NULL)';
/** What the queries write as SQLite has it: where a text holds another, and the text at a path such as `$.a.b` in JSON. */
const FUNCTIONS = [
  `CREATE OR REPLACE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN strpos($1, $2)`,
  `CREATE OR REPLACE FUNCTION json_path_text(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN $1::json #>> string_to_array(substr($2, 3), '.')`,
  `DO $body$ BEGIN
    CREATE OPERATOR ->> (FUNCTION = json_path_text, LEFTARG = text, RIGHTARG = text);
    EXCEPTION WHEN duplicate_function THEN NULL;
  END $body$`,
];

/** A database whose tables are brought to this version. */
type MigratedDatabase<Database> = {
  readonly url: string;
  readonly label: string;
  readonly queries: Builder<Database>;
  readonly migrations: readonly Migration[];
  /** A table that only databases of this kind have. */
  readonly marker?: string | undefined;
};

/**
 * Brings the database's tables to this version in one transaction; of processes that start at the same time the others wait. Throws
 * FileProblem for a database of a newer version, and for one that holds something else.
 */
export async function migrate<Database>({
  url,
  label,
  queries,
  migrations,
  marker,
}: MigratedDatabase<Database>): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'seller-agent migrations',
    keepAlive: true,
    idle_in_transaction_session_timeout: SILENCE_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(NOTICE_LOSS).catch(() => undefined);
    await client.query('BEGIN');
    await client.query(LOCK_SCHEMA);
    await client.query(TABLE_OF_MIGRATIONS);
    const { rowCount: done } = await client.query('SELECT 1 FROM migration');
    if (done === 0) for (const sql of [...FUNCTIONS, PROBE_TABLE]) await client.query(sql);
    else if (marker !== undefined && !(await hasTable(client, marker))) throw holdsSomethingElse(label);
    const target = { engine: 'postgres', schema: queries.schema } as const;
    for (const statements of pendingMigrations(target, migrations, { done: done ?? 0, label }))
      for (const sql of statements) await client.query(sql);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS is_there', [name]);
  return rows[0]?.is_there === true;
}

function holdsSomethingElse(label: string): FileProblem {
  return new FileProblem(label, 'this database holds something else: a seller and a registry have one each', {
    fix: 'Use a database of its own, or a schema of its own: "?options=-c%20search_path%3Dregistry" behind the URL.',
  });
}
