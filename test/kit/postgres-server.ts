import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from '../../scripts/cluster/postgres.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a database that tests may make schemas in. */
    postgresUrl: string;
  }
}

let server: PostgresServer | undefined;

/** Starts a PostgreSQL server for the run, unless TEST_POSTGRES_URL names one. */
export async function setup({ provide }: TestProject): Promise<void> {
  const given = process.env.TEST_POSTGRES_URL;
  if (given !== undefined) return provide('postgresUrl', given);
  server = await startPostgres({ flags: ['max_connections=800', 'fsync=off', 'shared_buffers=64MB'] });
  provide('postgresUrl', server.url);
}

/** Ends the server that this started. */
export async function teardown(): Promise<void> {
  await server?.stop();
}
