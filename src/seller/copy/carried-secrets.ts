import path from 'node:path';
import type { CarriedAlong, Insert } from '../../platform/database/copy/store-copy.js';
import type { Engine } from '../../platform/database/engine.js';
import type { DatabaseGuard } from '../../platform/database/identity.js';
import { sql } from '../../platform/database/kysely.js';
import { readSecret, writeSecret } from '../../platform/database/secret-file.js';
import type { MasterKeys } from '../../platform/sealing/master-keys.js';
import { Sealer } from '../../platform/sealing/sealer.js';
import { KEY_FILE } from '../../platform/signing/keys/key-ring.js';
import { KeyFile } from '../../platform/signing/keys/key-storage.js';
import { LINK_SECRETS } from '../secrets/link-secrets.js';
import { readKeys, writeKeys } from '../secrets/shared-keys.js';
import type { SellerTables } from '../store/schema/schema.js';
import { ALL_KEYS, Resealing } from '../store/sealing/resealing.js';
import { sealedColumns } from '../store/sealing/sealed.js';

type SecretRow = { readonly name: string; readonly sealed: string };

/** The signing keys and secrets of links, which lie in the folder `keys` of a data folder, or sealed in a shared database. */
export class CarriedSecrets implements CarriedAlong<SellerTables> {
  readonly #guard: DatabaseGuard;
  readonly #keys: MasterKeys;
  readonly #sealer: Sealer;
  readonly #columns: ReturnType<typeof sealedColumns>;
  readonly #keyFile: KeyFile;

  constructor(guard: DatabaseGuard, keys: MasterKeys) {
    this.#guard = guard;
    this.#keys = keys;
    this.#sealer = new Sealer(keys);
    this.#columns = sealedColumns(this.#sealer);
    this.#keyFile = new KeyFile(path.join(guard.dataDir, KEY_FILE), guard.log);
  }

  /** Makes sure that the master keys open what is sealed in a store. Throws ConfigError otherwise. */
  async check(engine: Engine<SellerTables>): Promise<void> {
    const rows = await engine.reading.all(ALL_KEYS, {});
    new Resealing({ engine, keys: this.#keys, sealer: this.#sealer, columns: this.#columns, rows });
  }

  /** Returns the statements that put the secrets of the folder into a shared database. */
  async toDatabase(to: Engine<SellerTables>): Promise<readonly Insert[]> {
    const keys = await this.#keyFile.read();
    const texts = LINK_SECRETS.map((name) => [name, readSecret(this.#fileOf(name))] as const);
    const all = [...texts, ['signing-keys', keys.length === 0 ? undefined : writeKeys(keys)] as const];
    return all.flatMap(([name, text]) => {
      if (text === undefined) return [];
      const sealed = this.#columns.secrets.write(text);
      return [
        sql`INSERT INTO shared_secret (name, version, sealed) VALUES (${name}, 1, ${sealed})`.compile(to.queries),
      ];
    });
  }

  /** Writes the secrets of a shared database into the folder. */
  async toFolder(from: Engine<SellerTables>): Promise<void> {
    const statement = { sql: 'SELECT name, sealed FROM shared_secret', parameters: [] };
    for (const { name, sealed } of await from.reading.all<object, SecretRow>(statement, {})) {
      const text = this.#columns.secrets.read(sealed);
      if (name === 'signing-keys') await this.#keyFile.change(() => readKeys({ text }));
      else writeSecret(this.#fileOf(name), text);
    }
  }

  #fileOf(name: string): string {
    return path.join(this.#guard.dataDir, 'keys', name);
  }
}
