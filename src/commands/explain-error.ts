import { AppError, joinSentences } from '../platform/kernel/errors.js';

/** What an error of the system means, by its code; undefined where its message says enough. */
const SYSTEM_ERRORS: Readonly<Record<string, (error: NodeJS.ErrnoException & SystemDetails) => string>> = {
  EADDRINUSE: ({ address, port }) =>
    `Port ${port} of ${address} is in use (EADDRINUSE). Stop what listens there, or choose another port with --port (the operator's with --admin-port).`,
  EADDRNOTAVAIL: ({ address }) =>
    `${address} is no address of this machine (EADDRNOTAVAIL). Choose one that is with --host, such as 127.0.0.1 or 0.0.0.0.`,
  EACCES: (error) =>
    error.port === undefined
      ? `${placeOf(error)} may not be used by this user (EACCES). Change its owner or its rights, or choose another with --data or --tenants.`
      : `Port ${error.port} may not be bound by this user (EACCES). Choose one above 1023 with --port, and let a proxy have 443.`,
  EPERM: (error) =>
    `${placeOf(error)} belongs to another user (EPERM). Change its owner, or choose another with --data or --tenants.`,
  ENOTDIR: (error) =>
    `${placeOf(error)} leads through a file that is no folder (ENOTDIR). Name a folder with --data or --tenants, or move the file away.`,
  EEXIST: (error) =>
    `${placeOf(error)} is there already and is no folder (EEXIST). Name a folder with --data, or move the file away.`,
  EROFS: (error) =>
    `${placeOf(error)} lies on a disk that cannot be written (EROFS). Name a folder that can with --data.`,
  ENOSPC: (error) => `The disk of ${placeOf(error)} is full (ENOSPC). Make room.`,
  SQLITE_FULL: () => 'The disk of the database is full (SQLITE_FULL). Make room on the disk of the data folder.',
  ENOENT: (error) => `${placeOf(error)} is not there (ENOENT). Look at the path, or make it.`,
  EISDIR: (error) => `${placeOf(error)} is a folder, and a file is needed (EISDIR). Name the file.`,
  EMFILE: () => 'Too many files are open (EMFILE). Raise the limit of the process (ulimit -n).',
};

type SystemDetails = { readonly address?: string; readonly port?: number };

function placeOf({ path }: NodeJS.ErrnoException): string {
  return path ?? 'A file or folder';
}

/** Returns what a person at the command line reads of an error: what happened, then what to do. */
export function explainError(error: unknown): string {
  if (error instanceof AppError) return joinSentences(error.message, error.extras.suggestion);
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return SYSTEM_ERRORS[code]?.(error) ?? error.message;
}
