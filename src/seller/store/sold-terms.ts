import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow } from '../../platform/database/statement.js';
import { digest } from '../../platform/kernel/canonical.js';
import type { MediaBuy, Package, Sold } from '../domain/media-buy/media-buy.js';
import type { SellerTables } from './schema/schema.js';
import type { SealedColumns } from './sealing/sealed.js';

/** A buy as it is stored: the terms of each package lie once in the table of terms, under their digest. */
type StoredBuy = Omit<MediaBuy, 'packages'> & {
  readonly packages: readonly (Omit<Package, 'sold'> & { readonly sold: string })[];
};

/** Bounds of the terms that stay in memory: their number, and the bytes of their text. */
const MAX_CACHED_TERMS = 10_000;
const MAX_CACHED_BYTES = 16 * 1024 * 1024;

/** Writes and reads the documents of buys; thousands of packages share the few terms of a catalog. */
export class SoldTerms {
  readonly #byDigest;
  readonly #insert;
  readonly #digests = new WeakMap<Sold, string>();
  readonly #cached = new Map<string, Sold>();
  #cachedBytes = 0;
  /** Digests of terms that this process has seen on disk; others may still be undone with their transaction. */
  readonly #durable = new Set<string>();

  readonly #callbacks: SealedColumns['callbacks'];

  constructor(db: Builder<SellerTables>, { callbacks }: Pick<SealedColumns, 'callbacks'>) {
    this.#callbacks = callbacks;
    const prepare = createPrepare(db);
    this.#byDigest = prepare<{ digest: string }, DocRow>((q, slot) =>
      q.selectFrom('terms').select('doc').where('digest', '=', slot('digest')),
    );
    this.#insert = prepare<{ digest: string; doc: string }>((q, slot) =>
      q
        .insertInto('terms')
        .values(slot.each('digest', 'doc'))
        .onConflict((c) => c.column('digest').doNothing()),
    );
  }

  /** Returns the document of a buy; terms that are new are stored with it. */
  async writeBuy(tx: Writing, buy: MediaBuy): Promise<string> {
    const packages = [];
    for (const line of buy.packages) packages.push({ ...line, sold: await this.#storeTerms(tx, line.sold) });
    const stored: StoredBuy = { ...buy, packages };
    return this.#callbacks.write(stored);
  }

  /** Returns the buy of a document. */
  async readBuy(tx: Reading, doc: string): Promise<MediaBuy> {
    const stored = this.#callbacks.open<StoredBuy>(JSON.parse(doc));
    const packages = [];
    for (const line of stored.packages) packages.push({ ...line, sold: await this.#loadTerms(tx, line.sold) });
    return { ...stored, packages };
  }

  async #storeTerms(tx: Writing, sold: Sold): Promise<string> {
    const cached = this.#digests.get(sold);
    if (cached !== undefined && this.#durable.has(cached)) return cached;
    const doc = JSON.stringify(sold);
    const key = digest(doc);
    this.#digests.set(sold, key);
    tx.write(this.#insert, { digest: key, doc });
    tx.onCommit(() => {
      if (this.#durable.size >= MAX_CACHED_TERMS) this.#durable.clear();
      this.#durable.add(key);
    });
    return key;
  }

  async #loadTerms(tx: Reading, key: string): Promise<Sold> {
    const cached = this.#cached.get(key);
    if (cached !== undefined) return cached;
    const row = await tx.one(this.#byDigest, { digest: key });
    if (row === undefined) throw new Error(`the terms ${key} of a package are not in the store`);
    const sold = JSON.parse(row.doc) as Sold;
    this.#digests.set(sold, key);
    this.#cache(key, sold, row.doc);
    return sold;
  }

  #cache(key: string, sold: Sold, doc: string): void {
    if (this.#cached.size >= MAX_CACHED_TERMS || this.#cachedBytes + doc.length > MAX_CACHED_BYTES) {
      this.#cached.clear();
      this.#cachedBytes = 0;
    }
    if (!this.#cached.has(key)) this.#cachedBytes += doc.length;
    this.#cached.set(key, sold);
  }
}
