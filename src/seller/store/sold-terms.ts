import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import { digest } from '../../platform/kernel/canonical.js';
import type { MediaBuy, Package, Sold } from '../domain/media-buy/media-buy.js';
import type { SellerTables } from './schema/schema.js';

/** A buy as it is stored: what each package was sold at stands once in the table of terms, under its digest. */
type StoredBuy = Omit<MediaBuy, 'packages'> & {
  readonly packages: readonly (Omit<Package, 'sold'> & { readonly sold: string })[];
};

/** Writes and reads the documents of buys; thousands of packages share the few terms of a catalog. */
export function soldTermsRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const byDigest = prepare<{ digest: string }, { doc: string }>((q, slot) =>
    q.selectFrom('terms').select('doc').where('digest', '=', slot('digest')),
  );
  const add = prepare<{ digest: string; doc: string }>((q, slot) =>
    q
      .insertInto('terms')
      .values({ digest: slot('digest'), doc: slot('doc') } as never)
      .onConflict((c) => c.column('digest').doNothing()),
  );
  const digests = new WeakMap<Sold, string>();
  const terms = new Map<string, Sold>();
  const durable = new Set<string>();

  async function keep(tx: Writing, sold: Sold): Promise<string> {
    const known = digests.get(sold);
    if (known !== undefined && durable.has(known)) return known;
    const doc = JSON.stringify(sold);
    const key = digest(doc);
    digests.set(sold, key);
    await tx.run(add, { digest: key, doc });
    tx.onCommit(() => durable.add(key));
    return key;
  }

  async function find(tx: Reading, key: string): Promise<Sold> {
    const known = terms.get(key);
    if (known !== undefined) return known;
    const row = await tx.one(byDigest, { digest: key });
    if (row === undefined) throw new Error(`the terms ${key} of a package are not in the store`);
    const sold = JSON.parse(row.doc) as Sold;
    terms.set(key, sold);
    digests.set(sold, key);
    return sold;
  }

  return {
    /** The document of a buy; terms that are new are stored with it. */
    write: async (tx: Writing, buy: MediaBuy): Promise<string> => {
      const packages = [];
      for (const line of buy.packages) packages.push({ ...line, sold: await keep(tx, line.sold) });
      return JSON.stringify({ ...buy, packages } satisfies StoredBuy);
    },
    /** The buy of a document. */
    read: async (tx: Reading, doc: string): Promise<MediaBuy> => {
      const stored = JSON.parse(doc) as StoredBuy;
      const packages = [];
      for (const line of stored.packages) packages.push({ ...line, sold: await find(tx, line.sold) });
      return { ...stored, packages };
    },
  };
}
