import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from '../../scripts/cluster/postgres.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a database that tests may make schemas in. */
    postgresUrl: string;
  }
}

/** Of databases by the hundred that are gone within seconds nothing has to be vacuumed, or to outlive a loss of power. */
const FLAGS = ['max_connections=800', 'fsync=off', 'shared_buffers=64MB', 'autovacuum=off', 'max_wal_size=8GB'];

let server: PostgresServer | undefined;

/** Starts a PostgreSQL server for the run, unless TEST_POSTGRES_URL names one. */
export async function setup({ provide }: TestProject): Promise<void> {
  const given = process.env.TEST_POSTGRES_URL;
  if (given !== undefined) return provide('postgresUrl', given);
  server = await startPostgres({ flags: FLAGS });
  provide('postgresUrl', server.url);
}

/** Ends the server that this started. */
export async function teardown(): Promise<void> {
  await server?.stop();
}
