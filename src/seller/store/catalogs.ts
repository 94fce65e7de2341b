import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { Catalog } from '../domain/catalog/catalog.js';
import type { SellerTables } from './schema/schema.js';

/** Catalogs of one owner's account. */
export type CatalogReads = {
  readonly find: (owner: string, accountId: string, catalogId: string) => Promise<Catalog | undefined>;
  readonly list: (owner: string, accountId: string) => Promise<Catalog[]>;
};
export type CatalogWrites = CatalogReads & {
  /** Inserts a catalog, or replaces the one with its id. */
  readonly save: (owner: string, accountId: string, catalog: Catalog) => Promise<void>;
  readonly remove: (owner: string, accountId: string, catalogId: string) => Promise<void>;
};

/** The repository of catalogs over an engine. */
export function catalogRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  type Of = { owner: string; account_id: string };
  type One = Of & { catalog_id: string };
  const byId = prepare<One, { doc: string }>((q, slot) =>
    q
      .selectFrom('catalog')
      .select('doc')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .where('catalog_id', '=', slot('catalog_id')),
  );
  const byAccount = prepare<Of, { doc: string }>((q, slot) =>
    q
      .selectFrom('catalog')
      .select('doc')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .orderBy('seq'),
  );
  const upsert = prepare<One & { doc: string }>((q, slot) =>
    q
      .insertInto('catalog')
      .values({
        owner: slot('owner'),
        account_id: slot('account_id'),
        catalog_id: slot('catalog_id'),
        doc: slot('doc'),
      } as never)
      .onConflict((c) => c.columns(['owner', 'account_id', 'catalog_id']).doUpdateSet({ doc: slot('doc') })),
  );
  const drop = prepare<One>((q, slot) =>
    q
      .deleteFrom('catalog')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .where('catalog_id', '=', slot('catalog_id')),
  );

  const reads = (tx: Reading): CatalogReads => ({
    find: async (owner, account_id, catalog_id) => {
      const row = await tx.one(byId, { owner, account_id, catalog_id });
      return row === undefined ? undefined : decode(row);
    },
    list: async (owner, account_id) => (await tx.all(byAccount, { owner, account_id })).map(decode),
  });
  const writes = (tx: Writing): CatalogWrites => ({
    ...reads(tx),
    save: async (owner, account_id, catalog) => {
      const { catalog_id } = catalog;
      await tx.run(upsert, { owner, account_id, catalog_id, doc: JSON.stringify(catalog) });
    },
    remove: async (owner, account_id, catalog_id) => {
      await tx.run(drop, { owner, account_id, catalog_id });
    },
  });
  return { reads, writes };
}

function decode({ doc }: { doc: string }): Catalog {
  return JSON.parse(doc) as Catalog;
}
