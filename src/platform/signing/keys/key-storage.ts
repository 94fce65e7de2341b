import type { Log } from '../../kernel/log.js';
import { readKeyFile, restrictToOwner, writeKeyFile } from './key-file.js';
import type { KeyRow } from './key-life.js';

/** Where the keys of a ring are stored: a file of one process, or a place that several share. */
export type KeyStorage = {
  /** How the place is called in messages. */
  readonly label: string;
  /** Returns the keys, oldest first; none where there are none yet. Throws ConfigError for what holds no keys. */
  readonly read: () => Promise<readonly KeyRow[]>;
  /** Returns the keys if somebody else has changed them since they were last read or written here; undefined if nobody has. */
  readonly readChanged: () => Promise<readonly KeyRow[] | undefined>;
  /** Changes the keys, one change at a time, and returns them once they are on disk. `edit` may run more than once. */
  readonly change: (edit: (rows: readonly KeyRow[]) => readonly KeyRow[]) => Promise<readonly KeyRow[]>;
};

/** The keys in a file of a data folder that this process holds. */
export class KeyFile implements KeyStorage {
  readonly label: string;
  readonly #log: Log;
  #rows: readonly KeyRow[] = [];
  /** Ends with the last change of the file. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(file: string, log: Log) {
    this.label = file;
    this.#log = log;
  }

  async read(): Promise<readonly KeyRow[]> {
    if (await restrictToOwner(this.label))
      this.#log.warn({ file: this.label }, 'others could read the signing keys; now only the owner can');
    this.#rows = await readKeyFile(this.label);
    return this.#rows;
  }

  async readChanged(): Promise<undefined> {
    return undefined;
  }

  change(edit: (rows: readonly KeyRow[]) => readonly KeyRow[]): Promise<readonly KeyRow[]> {
    const change = this.#changing.then(async () => {
      const keys = edit(this.#rows);
      await writeKeyFile(this.label, { keys });
      this.#rows = keys;
      return keys;
    });
    this.#changing = change.catch(() => undefined);
    return change;
  }
}
