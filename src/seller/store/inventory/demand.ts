import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, once } from '../../../platform/database/statement.js';
import { Cache } from '../../../platform/kernel/cache.js';
import { DAY_MS, HOUR_MS } from '../../../platform/kernel/clock.js';
import { type BookDemand, type Demand, type DemandChange, hourOf, settleEdge } from '../../domain/inventory/demand.js';
import type { SellerTables } from '../schema/schema.js';
import type { Versions } from '../shared/versions.js';
import type { Book } from './holds.js';

/** A package's demand for a product over time. */
export type PackageDemand = Book & {
  readonly package_id: string;
  readonly media_buy_id: string;
  readonly stretches: readonly Demand[];
};

type DemandRow = Omit<PackageDemand, 'stretches'> & { readonly stretches: string };
type Span = Book & { readonly from: number; readonly to: number };

/** Returns the statements on demand, compiled for an engine. */
export function demandStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    ofBuy: prepare<{ media_buy_id: string }, DemandRow>((q, slot) =>
      q.selectFrom('inventory_demand').selectAll().where('media_buy_id', '=', slot('media_buy_id')),
    ),
    ofBuys: (ids: readonly string[]) =>
      once(
        db
          .selectFrom('inventory_demand')
          .selectAll()
          .where('media_buy_id', 'in', [...ids]),
      ),
    save: prepare<DemandRow>((q, slot) =>
      q
        .insertInto('inventory_demand')
        .values(slot.each('package_id', 'media_buy_id', 'scope', 'product_id', 'stretches'))
        .onConflict((c) => c.column('package_id').doUpdateSet(slot.each('stretches'))),
    ),
    first: prepare<Book & { from: number }, Omit<DemandChange, 'at_ms'>>((q, slot) =>
      q
        .selectFrom('inventory_demand_change')
        .select((eb) => ['price_level', eb.fn.sum<number>('per_day').as('per_day')])
        .where((is) => is.and(slot.each('scope', 'product_id')))
        .where('at_ms', '<=', slot('from'))
        .groupBy('price_level'),
    ),
    changes: prepare<Span, DemandChange>((q, slot) =>
      q
        .selectFrom('inventory_demand_change')
        .select(['at_ms', 'price_level', 'per_day'])
        .where((is) => is.and(slot.each('scope', 'product_id')))
        .where('at_ms', '>', slot('from'))
        .where('at_ms', '<', slot('to'))
        .orderBy('at_ms'),
    ),
    oldest: prepare<Book, { at_ms: number | null }>((q, slot) =>
      q
        .selectFrom('inventory_demand_change')
        .select((eb) => eb.fn.min<number | null>('at_ms').as('at_ms'))
        .where((is) => is.and(slot.each('scope', 'product_id'))),
    ),
    forget: prepare<Book & { until: number }>((q, slot) =>
      q
        .deleteFrom('inventory_demand_change')
        .where((is) => is.and(slot.each('scope', 'product_id')))
        .where('at_ms', '<=', slot('until')),
    ),
    add: prepare<Book & DemandChange>((q, slot) =>
      q
        .insertInto('inventory_demand_change')
        .values(slot.each('scope', 'product_id', 'at_ms', 'price_level', 'per_day'))
        .onConflict((c) =>
          c
            .columns(['scope', 'product_id', 'at_ms', 'price_level'])
            .doUpdateSet((eb) => ({ per_day: eb('inventory_demand_change.per_day', '+', slot('per_day')) })),
        ),
    ),
  };
}

/** The compiled statements on demand. */
type DemandStatements = ReturnType<typeof demandStatements>;

/** Reads what running packages ask for of products. */
export class DemandReader {
  readonly #tx: Reading;
  readonly #statements: DemandStatements;
  readonly #versions: Versions;

  constructor(tx: Reading, statements: DemandStatements, versions: Versions) {
    this.#tx = tx;
    this.#statements = statements;
    this.#versions = versions;
  }

  /** Returns a text that is another one after each change of what is asked for in a scope. */
  version(scope: string): string | Promise<string> {
    return this.#versions.get(this.#tx, 'inventory_demand', scope);
  }

  /** Returns what the packages of a buy ask for. */
  async ofBuy(media_buy_id: string): Promise<readonly PackageDemand[]> {
    return (await this.#tx.all(this.#statements.ofBuy, { media_buy_id })).map(parseDemand);
  }

  /** Returns what the packages of several buys ask for. */
  async ofBuys(ids: readonly string[]): Promise<readonly PackageDemand[]> {
    const [id] = ids;
    if (id === undefined) return [];
    if (ids.length === 1) return this.ofBuy(id);
    return (await this.#tx.all(this.#statements.ofBuys(ids), {})).map(parseDemand);
  }

  /** Returns all that is asked for of a product from one moment to another, ms. */
  async ofBook({ scope, product_id }: Book, from: number, to: number): Promise<BookDemand> {
    const first = await this.#tx.all(this.#statements.first, { scope, product_id, from });
    const changes = await this.#tx.all(this.#statements.changes, { scope, product_id, from, to });
    return { first: first.map((row) => ({ ...row, at_ms: from })), changes };
  }
}

function parseDemand(row: DemandRow): PackageDemand {
  return { ...row, stretches: JSON.parse(row.stretches) as readonly Demand[] };
}

/** Bounds of what a process remembers of products' books. */
const REMEMBERED = { maxEntries: 10_000, maxBytes: 4 * 1024 * 1024 };
const ENTRY_BYTES = 100;

/** So often a product's changes are looked at for what can be folded. */
const LOOK_EVERY_MS = HOUR_MS;

/** When the changes of each product were last looked at for what can be folded: bench row `create_media_buy`. */
export class FoldLooks {
  readonly #at = new Cache<string, number>({ ...REMEMBERED, sizeOf: (_, key) => 2 * key.length + ENTRY_BYTES });

  /** Returns whether the changes of a product are to be looked at now (ms), and notes that they are. */
  isDue({ scope, product_id }: Book, nowMs: number): boolean {
    const key = `${scope}\n${product_id}`;
    const at = this.#at.get(key);
    if (at !== undefined && Math.abs(nowMs - at) < LOOK_EVERY_MS) return false;
    this.#at.set(key, nowMs);
    return true;
  }
}

/** Changes are folded once the oldest is so much older than what is stored of finished buys. */
const FOLD_MS = 31 * DAY_MS;

/**
 * The moments of each hour at which this process lets what is asked for of a product change. They are few so that a reading has few of them to
 * look at, which needs no exact count: another process, or this one after a start, has its own (bench row `create_media_buy`).
 */
export class HourMoments {
  readonly #hours = new Cache<string, readonly number[]>({
    ...REMEMBERED,
    sizeOf: (moments, key) => 2 * key.length + 8 * moments.length + ENTRY_BYTES,
  });

  /** Returns when a change that is meant for a moment, ms, comes into a product's book: then, or at the end of its hour. */
  settle({ scope, product_id }: Book, atMs: number): number {
    const key = `${scope}\n${product_id}\n${hourOf(atMs).from}`;
    const moments = this.#hours.get(key) ?? [];
    const settledMs = settleEdge(atMs, moments);
    if (settledMs === atMs && !moments.includes(atMs)) this.#hours.set(key, [...moments, atMs]);
    return settledMs;
  }
}

/** For how long changes are told apart, ms, as long as finished buys are stored; and what the writers of a process share. */
type DemandParts = { readonly retentionMs: number; readonly looks: FoldLooks; readonly moments: HourMoments };

/** Reads and writes demand in one transaction. */
export class DemandWriter extends DemandReader {
  readonly #tx: Writing;
  readonly #statements: DemandStatements;
  readonly #versions: Versions;
  readonly #parts: DemandParts;

  constructor(tx: Writing, statements: DemandStatements, versions: Versions, parts: DemandParts) {
    super(tx, statements, versions);
    this.#tx = tx;
    this.#statements = statements;
    this.#versions = versions;
    this.#parts = parts;
  }

  /** Returns when a change that is meant for a moment, ms, comes into a product's book. */
  settle(book: Book, atMs: number): number {
    return this.#parts.moments.settle(book, atMs);
  }

  /** Stores what a package asks for, with the changes of its product's book that this makes. */
  async save({ stretches, ...demand }: PackageDemand, changes: readonly DemandChange[], nowMs: number): Promise<void> {
    const { scope, product_id } = demand;
    await this.#fold({ scope, product_id }, nowMs);
    this.#tx.write(this.#statements.save, { ...demand, stretches: JSON.stringify(stretches) });
    for (const change of changes) this.#tx.write(this.#statements.add, { scope, product_id, ...change });
    this.#versions.countOnCommit(this.#tx, 'inventory_demand', scope);
  }

  /** Replaces changes that no stored buy is read by any more with what they come to, about once a month for each product. */
  async #fold(book: Book, nowMs: number): Promise<void> {
    const { retentionMs, looks } = this.#parts;
    if (!looks.isDue(book, nowMs)) return;
    const until = nowMs - retentionMs;
    const oldest = (await this.#tx.ahead.one(this.#statements.oldest, book))?.at_ms;
    if (oldest === undefined || oldest === null || oldest > until - FOLD_MS) return;
    const sums = await this.#tx.all(this.#statements.first, { ...book, from: until });
    this.#tx.write(this.#statements.forget, { ...book, until });
    for (const { price_level, per_day } of sums)
      if (per_day !== 0) this.#tx.write(this.#statements.add, { ...book, at_ms: until, price_level, per_day });
  }
}
