import pg from 'pg';
import { SECOND_MS } from '../../kernel/clock.js';
import type { Log } from '../../kernel/log.js';

/** A statement that waits for a rival's lock gives up after this. */
export const LOCK_TIMEOUT_MS = 5 * SECOND_MS;
/** A database that does not take a connection for so long is away. */
export const CONNECT_TIMEOUT_MS = 5 * SECOND_MS;
/** A database that answers nothing for so long is taken to be gone; longer than two locks are waited for, one after the other. */
const QUERY_TIMEOUT_MS = 15 * SECOND_MS;
/** The database ends a connection that has locks and says nothing for so long, of a stopped process say, so that others get them in time. */
export const SILENCE_MS = 4 * SECOND_MS;
/** Ends a connection whose answers nobody takes in for as long; does nothing on systems whose TCP cannot say so. */
const NOTICE_UNREAD = `SET tcp_user_timeout = ${SILENCE_MS}`;

/** Whole numbers and sums come as numbers: none here exceeds 2^53. */
const INT8 = 20;
const NUMERIC = 1700;
const types = new pg.TypeOverrides();
types.setTypeParser(INT8, Number);
types.setTypeParser(NUMERIC, Number);

/** Returns a pool of at most `max` connections, which are made when they are needed. */
export function openPool(url: string, log: Log, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: SILENCE_MS,
    types,
    application_name: 'seller-agent',
    keepAlive: true,
    onConnect: async (client) => {
      await client.query(NOTICE_UNREAD);
    },
  });
  // An idle connection that breaks is replaced when the next one is needed.
  pool.on('error', (error) =>
    log.warn({ reason: error.message }, 'a connection to the database was lost; the next is made when it is needed'),
  );
  return pool;
}

/** Uses a connection of a pool, which is closed after `use` says that it is broken, or is found so. */
export async function withConnection<T>(
  pool: pg.Pool,
  use: (client: pg.PoolClient) => Promise<{ readonly value: T; readonly isBroken: boolean }>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that breaks while it is in use says so here as well as to its statement; unheard, that ends the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    const { value, isBroken } = await use(client);
    if (isBroken) broken ??= new Error('the connection is broken');
    return value;
  } catch (error) {
    broken ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
