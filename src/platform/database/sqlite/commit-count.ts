import { closeSync, constants, openSync, readSync, statSync, writeSync } from 'node:fs';
import type { Writing } from '../engine.js';
import { FileProblem, RESTORE } from '../file-problem.js';
import { FILE_OWNER_ONLY } from '../private-files.js';
import { FileUnwritable } from '../unavailable.js';
import type { Connection } from './connection.js';

/** The row that counts the commits, and shows with that whether the file can be written. */
const TABLE = 'CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY, writes INTEGER NOT NULL)';
const COUNT = 'INSERT INTO probe VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET writes = max(writes, excluded.writes)';
/** The number and, to tell a file that is not whole, its complement. */
const MARK_BYTES = 16;

type CountOptions = {
  /** Whether the count is taken down in a file as well. */
  readonly isMarked: boolean;
  /** Whether the database was made just now: a file of an earlier one says nothing about it. */
  readonly isNew: boolean;
};

/**
 * Counts the commits of a database in itself, and beside it in a file that nobody waits for: after a power cut that file may be behind,
 * never ahead. A database with fewer commits lost some that were answered, for SQLite takes a log that was cut for a shorter one.
 */
export class CommitCount {
  readonly #descriptor: number | undefined;
  readonly #file: string;
  readonly #inode: number | undefined;
  readonly #mark = Buffer.alloc(MARK_BYTES);
  #commits: number;

  /** Throws ConfigError for a database that lost commits. */
  constructor(connection: Connection, file: string, { isMarked, isNew }: CountOptions) {
    connection.exec(TABLE);
    const [row] = connection.prepare('SELECT writes FROM probe').all([]) as { writes: number }[];
    this.#commits = row?.writes ?? 0;
    this.#file = file;
    this.#inode = readInode(file);
    if (!isMarked) return;
    const marked = `${file}-commits`;
    this.#descriptor = openSync(marked, isNew ? 'w+' : constants.O_RDWR | constants.O_CREAT, FILE_OWNER_ONLY);
    const lost = this.#read() - this.#commits;
    if (lost <= 0) return;
    this.close();
    throw new FileProblem(
      file,
      `the last ${lost} commits are missing: its log (-wal) was cut or removed, or it is an older copy`,
      {
        fix: `${RESTORE} To go on without what is missing, move ${marked} away.`,
      },
    );
  }

  /** Counts the commit of a transaction, in it; again makes no difference. Throws FileUnwritable once the file was moved or removed. */
  async count(tx: Writing): Promise<void> {
    // What is written into a removed file is gone with the process.
    if (this.#descriptor !== undefined && readInode(this.#file) !== this.#inode)
      throw new FileUnwritable('the file of the database is not there any more');
    await tx.run({ sql: COUNT, parameters: [this.#commits + 1] }, {});
  }

  /** Takes down that a counted transaction is on disk. */
  committed(): void {
    this.#commits += 1;
    if (this.#descriptor === undefined) return;
    this.#mark.writeBigUInt64LE(BigInt(this.#commits), 0);
    this.#mark.writeBigUInt64LE(~BigInt(this.#commits) & ALL_BITS, 8);
    try {
      writeSync(this.#descriptor, this.#mark, 0, MARK_BYTES, 0);
    } catch {
      // The commit is on disk, which is what counts.
    }
  }

  /** Closes the file. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  /** Returns the number that the file names; 0 where it names none. */
  #read(): number {
    if (this.#descriptor === undefined) return 0;
    if (readSync(this.#descriptor, this.#mark, 0, MARK_BYTES, 0) < MARK_BYTES) return 0;
    const [commits, complement] = [this.#mark.readBigUInt64LE(0), this.#mark.readBigUInt64LE(8)];
    return (commits ^ complement) === ALL_BITS ? Number(commits) : 0;
  }
}

function readInode(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

const ALL_BITS = 2n ** 64n - 1n;
