import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';
import type { SealedColumns } from '../sealing/sealed.js';

/** The secrets that the processes on one database share; a process that is alone has them in files of its data folder. */
export type SecretName = 'signing-keys' | 'preview-ids' | 'approval-links';

/** A secret and its version, which grows with each change. */
type StoredSecret = { readonly text: string; readonly version: number };

/** Returns the statements on shared secrets, compiled for an engine. */
export function secretStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    find: prepare<{ name: string }, { sealed: string; version: number }>((q, slot) =>
      q.selectFrom('shared_secret').select(['sealed', 'version']).where('name', '=', slot('name')),
    ),
    version: prepare<{ name: string }, { version: number }>((q, slot) =>
      q.selectFrom('shared_secret').select('version').where('name', '=', slot('name')),
    ),
    save: prepare<{ name: string; sealed: string; version: number }>((q, slot) =>
      q
        .insertInto('shared_secret')
        .values(slot.each('name', 'sealed', 'version'))
        .onConflict((c) => c.column('name').doUpdateSet(slot.each('sealed', 'version'))),
    ),
  };
}

/** The compiled statements on shared secrets. */
type SecretStatements = ReturnType<typeof secretStatements>;

/** Reads the secrets that processes share. */
export class SecretReader {
  readonly #tx: Reading;
  readonly #statements: SecretStatements;
  readonly #sealed: SealedColumns['secrets'];

  constructor(tx: Reading, statements: SecretStatements, { secrets }: Pick<SealedColumns, 'secrets'>) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = secrets;
  }

  /** Returns a secret; undefined where there is none yet. */
  async find(name: SecretName): Promise<StoredSecret | undefined> {
    const row = await this.#tx.one(this.#statements.find, { name });
    return row && { text: this.#sealed.read(row.sealed), version: row.version };
  }

  /** Returns the version of a secret, 0 where there is none yet. */
  async version(name: SecretName): Promise<number> {
    return (await this.#tx.one(this.#statements.version, { name }))?.version ?? 0;
  }
}

/** Reads and writes shared secrets in one transaction. */
export class SecretWriter extends SecretReader {
  readonly #tx: Writing;
  readonly #statements: SecretStatements;
  readonly #sealed: SealedColumns['secrets'];

  constructor(tx: Writing, statements: SecretStatements, sealed: Pick<SealedColumns, 'secrets'>) {
    super(tx, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed.secrets;
  }

  /** Stores a secret in place of the one before it, sealed. */
  async save(name: SecretName, { text, version }: StoredSecret): Promise<void> {
    await this.#tx.run(this.#statements.save, { name, sealed: this.#sealed.write(text), version });
  }
}
