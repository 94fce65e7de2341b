import { PassingError } from '../kernel/errors.js';

/** The database cannot be reached, or goes away. Nothing was done, but for a commit that was on its way. */
export class DatabaseUnavailable extends PassingError {
  override readonly name: string = 'DatabaseUnavailable';
}

/** The file of a database cannot be written: its disk is full, fails or may not be written. Nothing was done. */
export class FileUnwritable extends DatabaseUnavailable {
  override readonly name = 'FileUnwritable';
}

/** Another transaction had what this one waited for, for longer than a transaction waits. Nothing was done. */
export class LockTimeout extends PassingError {
  override readonly name = 'LockTimeout';
  /** The lock that was waited for; undefined where it was a row. */
  readonly lock: string | undefined;

  constructor(lock: string | undefined, cause: unknown) {
    super(`another transaction holds ${lock ?? 'a row'}`, { cause });
    this.lock = lock;
  }
}

/** Whether an error says that the database could not be used just now, so that the same may be asked for again. */
export function isDatabaseBusyOrAway(error: unknown): error is DatabaseUnavailable | LockTimeout {
  return error instanceof DatabaseUnavailable || error instanceof LockTimeout;
}

/** When to ask again, in seconds. */
export const RETRY_AFTER_SECONDS = 5;
