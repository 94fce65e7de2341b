import { SECOND_MS } from '../../kernel/clock.js';

/**
 * How often a transaction may be tried that failed with a code by which PostgreSQL asks for that: it could not be serialized, was part of a
 * deadlock, or met a row that a rival may just have written
 * (https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html). The last may as well be a row of its own.
 */
const MAX_TRIES: Readonly<Record<string, number>> = { '40001': 1000, '40P01': 1000, '23505': 3 };
/** A connection that lay in the pool may be dead; those after it are new. */
const MAX_CONNECTIONS_TRIED = 3;
/** A database that lets one wait for so long before it fails is away, whatever the connection. */
const MAX_CONNECTING_MS = 5 * SECOND_MS;
/** A transaction that others keep from being serialized is tried for so long. */
const MAX_TRYING_MS = 20 * SECOND_MS;

/** The tries so far: how often, and for how long since the first began (ms). */
type Tried = { readonly times: number; readonly ms: number };

/** Whether what failed with this error may be tried once more: not where that comes to nothing. */
export function canTryAgain(error: unknown, { times, ms }: Tried): boolean {
  if (isAway(error)) return times < MAX_CONNECTIONS_TRIED && ms < MAX_CONNECTING_MS;
  return times < (MAX_TRIES[codeOf(error)] ?? 1) && ms < MAX_TRYING_MS;
}

/** Whether an error says that the database cannot be used just now: nothing was done, but for a commit that was on its way when it went away. */
export function isUnavailable(error: unknown): boolean {
  return isAway(error) || REFUSED.test(codeOf(error));
}

/** What a database says that is there and does not carry a statement out: out of room, memory or time, or the statement was canceled by hand. */
const REFUSED = /^(53...|57014|58030)$/;

/** Whether an error says that the database cannot be reached, or goes away: the connection is of no use any more. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(08...|57P0[1-5]|25P0[34]|53300)$/.test(code) || NETWORK.has(code)) return true;
  // The primary became a standby, or is one still.
  if (code === '25006') return true;
  return error instanceof Error && BROKEN.test(error.message);
}

/** Whether an error says that the database has no connection left for this user. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === '53300';
}

/** What to do where a database refuses a process as it starts, by the code that it gives. */
const REMEDIES: Readonly<Record<string, string>> = {
  '3D000': 'Make it ("createdb <name>"), or name another one in the URL.',
  '3F000': 'Make the schema that search_path in the URL names ("CREATE SCHEMA <name>").',
  '28000': 'See that the user in the URL exists, and that pg_hba.conf lets it in from this machine.',
  '28P01': 'See that the user and the password in the URL are right; signs such as @ and / are percent-encoded there.',
  '42501': 'Make the user the owner of the database, or give it the schema ("GRANT ALL ON SCHEMA public TO <user>").',
};
const TLS_REMEDY =
  'Choose with "?sslmode=" in the URL what TLS has to be like: "disable" for a database on this machine.';

/** Returns what to do about a database that refuses a process as it starts; undefined for any other failure. */
export function findRemedy(error: unknown): string | undefined {
  const remedy = REMEDIES[codeOf(error)];
  if (remedy !== undefined || !(error instanceof Error)) return remedy;
  return /\bSSL\b|certificate/.test(error.message) ? TLS_REMEDY : undefined;
}

/** Whether an error says that a lock was waited for too long. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** What the driver says of a connection that broke, and of one that does not answer. */
const BROKEN =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered a connection error|Client was closed)/;

const NETWORK: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
]);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
