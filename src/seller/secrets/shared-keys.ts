import type { KeyRow } from '../../platform/signing/keys/key-life.js';
import type { KeyStorage } from '../../platform/signing/keys/key-storage.js';
import type { Store } from '../store/store.js';

const NAME = 'signing-keys';

/** The signing keys that the processes on one database share: sealed in it, and changed by one of them at a time. */
export class SharedKeys implements KeyStorage {
  readonly label = 'the signing keys in the database';
  readonly #store: Store;
  readonly #earlier: Pick<KeyStorage, 'read'>;
  /** The version that was last read or written here. */
  #version = 0;

  /** `earlier` are the keys of the data folder, which a database that has none takes over. */
  constructor(store: Store, earlier: Pick<KeyStorage, 'read'>) {
    this.#store = store;
    this.#earlier = earlier;
  }

  async read(): Promise<readonly KeyRow[]> {
    const rows = await this.readChanged();
    if (rows !== undefined) return rows;
    const earlier = await this.#earlier.read();
    return earlier.length === 0 ? [] : this.change((present) => (present.length === 0 ? earlier : present));
  }

  async readChanged(): Promise<readonly KeyRow[] | undefined> {
    const { secrets } = this.#store.read;
    if ((await secrets.version(NAME)) <= this.#version) return undefined;
    const stored = await secrets.find(NAME);
    // A change of this process may have come between.
    if (stored === undefined || stored.version <= this.#version) return undefined;
    this.#version = stored.version;
    return readKeys(stored);
  }

  async change(edit: (rows: readonly KeyRow[]) => readonly KeyRow[]): Promise<readonly KeyRow[]> {
    const changed = await this.#store.transact(async (tx) => {
      const before = await tx.secrets.find(NAME);
      const rows = edit(readKeys(before));
      const text = writeKeys(rows);
      if (before?.text === text) return { rows, version: before.version };
      const version = (before?.version ?? 0) + 1;
      await tx.secrets.save(NAME, { text, version });
      return { rows, version };
    });
    this.#version = Math.max(this.#version, changed.version);
    return changed.rows;
  }
}

/** Returns signing keys as the database has them. */
export function writeKeys(keys: readonly KeyRow[]): string {
  return JSON.stringify({ keys });
}

/** Returns the signing keys of a database's text. */
export function readKeys(stored: { readonly text: string } | undefined): readonly KeyRow[] {
  return stored === undefined ? [] : (JSON.parse(stored.text) as { readonly keys: readonly KeyRow[] }).keys;
}
