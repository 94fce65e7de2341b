import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { Catalog } from '../domain/catalog/catalog.js';
import { type DocRow, parseDoc } from './doc.js';
import type { SellerTables } from './schema/schema.js';

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
    byAccount: prepare<AccountId, DocRow>((q, slot) =>
      q
        .selectFrom('catalog')
        .select('doc')
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
export type CatalogStatements = ReturnType<typeof catalogStatements>;

/** Reads the catalogs of one owner's account. */
export class CatalogReader {
  readonly #tx: Reading;
  readonly #statements: CatalogStatements;

  constructor(tx: Reading, statements: CatalogStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  async find(owner: string, account_id: string, catalog_id: string): Promise<Catalog | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { owner, account_id, catalog_id });
    return row && parseDoc<Catalog>(row);
  }

  async list(owner: string, account_id: string): Promise<Catalog[]> {
    const rows = await this.#tx.all(this.#statements.byAccount, { owner, account_id });
    return rows.map((row) => parseDoc<Catalog>(row));
  }
}

/** Reads and writes catalogs in one transaction. */
export class CatalogWriter extends CatalogReader {
  readonly #tx: Writing;
  readonly #statements: CatalogStatements;

  constructor(tx: Writing, statements: CatalogStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts a catalog, or replaces the one with its id. */
  async save(owner: string, account_id: string, catalog: Catalog): Promise<void> {
    const { catalog_id } = catalog;
    await this.#tx.run(this.#statements.save, { owner, account_id, catalog_id, doc: JSON.stringify(catalog) });
  }

  async remove(owner: string, account_id: string, catalog_id: string): Promise<void> {
    await this.#tx.run(this.#statements.remove, { owner, account_id, catalog_id });
  }
}
