import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow } from '../../platform/database/statement.js';
import type { Catalog } from '../domain/catalog/catalog.js';
import type { SellerTables } from './schema/schema.js';
import type { SealedColumns } from './sealing/sealed.js';

type Sealed = Pick<SealedColumns, 'catalogs'>;

type AccountId = { owner: string; account_id: string };
type CatalogId = AccountId & { catalog_id: string };

/** Returns the statements on catalogs, compiled for an engine. */
export function catalogStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<CatalogId, DocRow>((q, slot) =>
      q
        .selectFrom('catalog')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'account_id', 'catalog_id'))),
    ),
    byAccount: prepare<AccountId, { catalog_id: string }>((q, slot) =>
      q
        .selectFrom('catalog')
        .select('catalog_id')
        .where((is) => is.and(slot.each('owner', 'account_id')))
        .orderBy('seq'),
    ),
    save: prepare<CatalogId & { doc: string }>((q, slot) =>
      q
        .insertInto('catalog')
        .values(slot.each('owner', 'account_id', 'catalog_id', 'doc'))
        .onConflict((c) => c.columns(['owner', 'account_id', 'catalog_id']).doUpdateSet(slot.each('doc'))),
    ),
    remove: prepare<CatalogId>((q, slot) =>
      q.deleteFrom('catalog').where((is) => is.and(slot.each('owner', 'account_id', 'catalog_id'))),
    ),
  };
}

/** The compiled statements on catalogs. */
type CatalogStatements = ReturnType<typeof catalogStatements>;

/** Reads the catalogs of one owner's account. */
export class CatalogReader {
  readonly #tx: Reading;
  readonly #statements: CatalogStatements;
  readonly #sealed: Sealed;

  constructor(tx: Reading, statements: CatalogStatements, sealed: Sealed) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  async find(owner: string, account_id: string, catalog_id: string): Promise<Catalog | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { owner, account_id, catalog_id });
    return row && this.#sealed.catalogs.read(row.doc);
  }

  /** Returns the ids of the catalogs of an account; each may be megabytes, so that they are read one by one. */
  async ids(owner: string, account_id: string): Promise<string[]> {
    const rows = await this.#tx.all(this.#statements.byAccount, { owner, account_id });
    return rows.map((row) => row.catalog_id);
  }
}

/** Reads and writes catalogs in one transaction. */
export class CatalogWriter extends CatalogReader {
  readonly #tx: Writing;
  readonly #statements: CatalogStatements;
  readonly #sealed: Sealed;

  constructor(tx: Writing, statements: CatalogStatements, sealed: Sealed) {
    super(tx, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Inserts a catalog, or replaces the one with its id. */
  async save(owner: string, account_id: string, catalog: Catalog): Promise<void> {
    const { catalog_id } = catalog;
    this.#tx.write(this.#statements.save, {
      owner,
      account_id,
      catalog_id,
      doc: this.#sealed.catalogs.write(catalog),
    });
  }

  async remove(owner: string, account_id: string, catalog_id: string): Promise<void> {
    this.#tx.write(this.#statements.remove, { owner, account_id, catalog_id });
  }
}
