import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import { listDays, type Run } from '../../domain/inventory/hold.js';
import type { SellerTables } from '../schema/schema.js';
import type { Versions } from '../shared/versions.js';

/** A product's book: whose (a sandbox's owner, or the tenant for all live buyers), and of which product. */
export type Book = { readonly scope: string; readonly product_id: string };

/** A hold on a product by a package, or by a line of a proposal or of a request that waits. */
export type Hold = Book & {
  readonly package_id: string;
  /** A media buy, an owner's proposal, or a task. */
  readonly holder_id: string;
  /** When it ends by itself, ms; null where it does not. */
  readonly expires_at: number | null;
  /** The industry that it keeps others of out, and whose it is: the domain of a brand. */
  readonly category: string | null;
  readonly advertiser: string | null;
  readonly runs: readonly Run[];
};

/** The impressions held on the days of one product, by ms of their midnights. */
type HeldDays = Map<number, number>;

type HoldRow = Omit<Hold, 'runs'> & { readonly runs: string };
type DayRow = Book & { readonly day_ms: number; readonly amount: number };
type DaysOfScope = { readonly scope: string; readonly first: number; readonly last: number };
type Expiry = { readonly scope: string; readonly expires_at: number };

/** Returns the statements on held inventory, compiled for an engine. */
export function inventoryStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const holds = db.selectFrom('inventory_hold').selectAll();
  return {
    byHolder: prepare<{ holder_id: string }, HoldRow>((_q, slot) => holds.where('holder_id', '=', slot('holder_id'))),
    expired: prepare<Expiry, HoldRow>((_q, slot) =>
      holds.where('scope', '=', slot('scope')).where('expires_at', '<=', slot('expires_at')),
    ),
    categories: prepare<Book, HoldRow>((_q, slot) =>
      holds.where((is) => is.and(slot.each('scope', 'product_id'))).where('category', 'is not', null),
    ),
    expiring: prepare<object, Expiry>((q) =>
      q
        .selectFrom('inventory_hold')
        .select((eb) => ['scope', eb.fn.min<number>('expires_at').as('expires_at')])
        .where('expires_at', 'is not', null)
        .groupBy('scope'),
    ),
    save: prepare<HoldRow>((q, slot) =>
      q
        .insertInto('inventory_hold')
        .values(
          slot.each('package_id', 'holder_id', 'scope', 'product_id', 'runs', 'expires_at', 'category', 'advertiser'),
        )
        .onConflict((c) => c.column('package_id').doUpdateSet(slot.each('runs', 'expires_at'))),
    ),
    remove: prepare<{ package_id: string }>((q, slot) =>
      q.deleteFrom('inventory_hold').where('package_id', '=', slot('package_id')),
    ),
    extend: prepare<{ holder_id: string; expires_at: number }>((q, slot) =>
      q
        .updateTable('inventory_hold')
        .set({ expires_at: slot('expires_at') })
        .where('holder_id', '=', slot('holder_id')),
    ),
    days: prepare<DaysOfScope & Book, Pick<DayRow, 'day_ms' | 'amount'>>((q, slot) =>
      q
        .selectFrom('inventory_day')
        .select(['day_ms', 'amount'])
        .where((is) => is.and(slot.each('scope', 'product_id')))
        .where('day_ms', '>=', slot('first'))
        .where('day_ms', '<=', slot('last')),
    ),
    daysOfScope: prepare<DaysOfScope, DayRow>((q, slot) =>
      q
        .selectFrom('inventory_day')
        .selectAll()
        .where('scope', '=', slot('scope'))
        .where('day_ms', '>=', slot('first'))
        .where('day_ms', '<=', slot('last')),
    ),
    add: prepare<DayRow>((q, slot) =>
      q
        .insertInto('inventory_day')
        .values(slot.each('scope', 'product_id', 'day_ms', 'amount'))
        .onConflict((c) =>
          c
            .columns(['scope', 'product_id', 'day_ms'])
            .doUpdateSet((eb) => ({ amount: eb('inventory_day.amount', '+', slot('amount')) })),
        ),
    ),
    backlog: prepare<{ limit: number }, { media_buy_id: string }>((q, slot) =>
      q.selectFrom('inventory_backlog').select('media_buy_id').orderBy('media_buy_id').limit(slot('limit')),
    ),
    doneOfBacklog: prepare<{ media_buy_id: string }>((q, slot) =>
      q.deleteFrom('inventory_backlog').where('media_buy_id', '=', slot('media_buy_id')),
    ),
  };
}

/** The compiled statements on held inventory. */
type InventoryStatements = ReturnType<typeof inventoryStatements>;

/** Reads what is held of products, by day. */
export class InventoryReader {
  readonly #tx: Reading;
  readonly #statements: InventoryStatements;
  readonly #versions: Versions;

  constructor(tx: Reading, statements: InventoryStatements, versions: Versions) {
    this.#tx = tx;
    this.#statements = statements;
    this.#versions = versions;
  }

  /** Returns what a holder holds. */
  async heldBy(holder_id: string): Promise<readonly Hold[]> {
    return this.#parse(await this.#tx.all(this.#statements.byHolder, { holder_id }));
  }

  /** Returns the holds of a scope that have ended by themselves, and are still in its books. */
  async expired(scope: string, nowMs: number): Promise<readonly Hold[]> {
    return this.#parse(await this.#tx.all(this.#statements.expired, { scope, expires_at: nowMs }));
  }

  /** Returns the holds of a product that keep others of their industry out. */
  async ofCategories({ scope, product_id }: Book): Promise<readonly Hold[]> {
    return this.#parse(await this.#tx.all(this.#statements.categories, { scope, product_id }));
  }

  /** Returns the scopes that have holds which end by themselves, and when the first of each does, ms. */
  async expiring(): Promise<readonly Expiry[]> {
    return this.#tx.all(this.#statements.expiring, {});
  }

  /** Returns what is held on each of the days `first` to `last` (ms of their midnights) that hold anything. */
  async days({ scope, product_id }: Book, first: number, last: number): Promise<HeldDays> {
    const rows = await this.#tx.all(this.#statements.days, { scope, product_id, first, last });
    return new Map(rows.map(({ day_ms, amount }) => [day_ms, amount]));
  }

  /** Returns what is held at `nowMs` of every product of a scope on the days `first` to `last`. */
  async heldAt(scope: string, nowMs: number, first: number, last: number): Promise<ReadonlyMap<string, HeldDays>> {
    const books = new Map<string, HeldDays>();
    const add = (product_id: string, day: number, amount: number): void => {
      const days = books.get(product_id) ?? new Map<number, number>();
      books.set(product_id, days.set(day, (days.get(day) ?? 0) + amount));
    };
    for (const { product_id, day_ms, amount } of await this.#tx.all(this.#statements.daysOfScope, {
      scope,
      first,
      last,
    }))
      add(product_id, day_ms, amount);
    for (const { product_id, runs } of await this.expired(scope, nowMs))
      for (const [day, amount] of listDays(runs)) if (day >= first && day <= last) add(product_id, day, -amount);
    return books;
  }

  /** Returns a text that is another one soon after each change of the scope's books. */
  version(scope: string): string | Promise<string> {
    return this.#versions.get(this.#tx, 'inventory_day', scope);
  }

  /** Returns some buys from before inventory was held, which hold nothing yet. */
  async backlog(limit: number): Promise<readonly string[]> {
    return (await this.#tx.all(this.#statements.backlog, { limit })).map(({ media_buy_id }) => media_buy_id);
  }

  #parse(rows: readonly HoldRow[]): readonly Hold[] {
    return rows.map((row) => ({ ...row, runs: JSON.parse(row.runs) as readonly Run[] }));
  }
}

/** Reads and holds inventory in one transaction. */
export class InventoryWriter extends InventoryReader {
  readonly #tx: Writing;
  readonly #statements: InventoryStatements;
  readonly #versions: Versions;

  constructor(tx: Writing, statements: InventoryStatements, versions: Versions) {
    super(tx, statements, versions);
    this.#tx = tx;
    this.#statements = statements;
    this.#versions = versions;
  }

  /** Stores what a package or line holds; the sums of the days are the caller's to change. */
  async save({ runs, ...hold }: Hold): Promise<void> {
    this.#tx.write(this.#statements.save, { ...hold, runs: JSON.stringify(runs) });
  }

  /** Removes a hold; the sums of the days are the caller's to change. */
  async remove({ package_id }: Hold): Promise<void> {
    this.#tx.write(this.#statements.remove, { package_id });
  }

  /** Lets the holds of a holder end at another time, ms. */
  async extend(holder_id: string, expires_at: number): Promise<void> {
    this.#tx.write(this.#statements.extend, { holder_id, expires_at });
  }

  /** Adds to what is held of a product on a day; a negative amount gives back. */
  async add({ scope, product_id }: Book, day_ms: number, amount: number): Promise<void> {
    this.#tx.write(this.#statements.add, { scope, product_id, day_ms, amount });
    this.#versions.countOnCommit(this.#tx, 'inventory_day', scope);
  }

  /** Takes a buy off those that hold nothing yet. */
  async finishBacklog(media_buy_id: string): Promise<void> {
    this.#tx.write(this.#statements.doneOfBacklog, { media_buy_id });
  }
}
