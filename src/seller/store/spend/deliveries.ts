import type { Reading, Writing } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { EnteredAmounts, EnteredRow, EntryKey } from '../../domain/delivery/entered.js';
import type { SellerTables } from '../schema/schema.js';

/** A stretch of time of a buy, ms, half open. */
type Stretch = { readonly media_buy_id: string; readonly fromMs: number; readonly toMs: number };

/** Days of a buy, both included. */
type DayRange = { readonly media_buy_id: string; readonly fromDay: number; readonly toDay: number };

/** Sums of a package, of one of its days, or of a creative of the buy. */
type PackageSums = EnteredAmounts & { readonly package_id: string };
type DaySums = PackageSums & { readonly day: number };
/** The figures of a vendor on a package, as they were entered for a day. */
type VendorEntry = Pick<EnteredRow, 'package_id' | 'impressions' | 'vendor_metrics'>;
type CreativeSums = EnteredAmounts & { readonly creative_id: string };

const COUNTS = ['impressions', 'spend_cents', 'clicks', 'views', 'completed_views', 'conversions'] as const;
const COLUMNS = ['media_buy_id', 'package_id', 'day', 'creative_id', 'at_ms', ...COUNTS, 'vendor_metrics'] as const;

/** Returns the statements on entered delivery, compiled for an engine. */
export function deliveryStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const sums = COUNTS.map((name) => sql<number>`sum(${sql.ref(name)})`.as(name));
  return {
    byKey: prepare<EntryKey, EnteredRow>((q, slot) =>
      q
        .selectFrom('entered_delivery')
        .select([...COLUMNS])
        .where((is) => is.and(slot.each('package_id', 'day', 'creative_id'))),
    ),
    save: prepare<EnteredRow>((q, slot) =>
      q
        .insertInto('entered_delivery')
        .values(slot.each(...COLUMNS))
        .onConflict((c) =>
          c.columns(['package_id', 'day', 'creative_id']).doUpdateSet(slot.each('at_ms', ...COUNTS, 'vendor_metrics')),
        ),
    ),
    ofDay: prepare<
      Pick<EntryKey, 'package_id' | 'day'>,
      Pick<EnteredRow, 'creative_id' | 'impressions' | 'spend_cents'>
    >((q, slot) =>
      q
        .selectFrom('entered_delivery')
        .select(['creative_id', 'impressions', 'spend_cents'])
        .where((is) => is.and(slot.each('package_id', 'day'))),
    ),
    ofRange: prepare<DayRange, EnteredRow>((q, slot) =>
      q
        .selectFrom('entered_delivery')
        .select([...COLUMNS])
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('day', '>=', slot('fromDay'))
        .where('day', '<=', slot('toDay')),
    ),
    remove: prepare<EntryKey>((q, slot) =>
      q.deleteFrom('entered_delivery').where((is) => is.and(slot.each('package_id', 'day', 'creative_id'))),
    ),
    spent: prepare<{ package_id: string }, { cents: number | null }>((q, slot) =>
      q
        .selectFrom('entered_delivery')
        .select(sql<number | null>`sum(spend_cents)`.as('cents'))
        .where('package_id', '=', slot('package_id')),
    ),
    lastDays: prepare<{ media_buy_id: string }, { package_id: string; day: number }>((q, slot) =>
      q
        .selectFrom('entered_delivery')
        .select(['package_id', sql<number>`max(day)`.as('day')])
        .where('media_buy_id', '=', slot('media_buy_id'))
        .groupBy('package_id'),
    ),
    packages: prepare<Stretch, PackageSums>((q, slot) =>
      q
        .selectFrom('entered_delivery')
        .select(['package_id', ...sums])
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('at_ms', '>=', slot('fromMs'))
        .where('at_ms', '<', slot('toMs'))
        .groupBy('package_id'),
    ),
    vendors: prepare<Stretch, VendorEntry>((q, slot) =>
      q
        .selectFrom('entered_delivery')
        .select(['package_id', 'impressions', 'vendor_metrics'])
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('at_ms', '>=', slot('fromMs'))
        .where('at_ms', '<', slot('toMs'))
        .where('vendor_metrics', 'is not', sql.lit(null)),
    ),
    days: prepare<Stretch, DaySums>((q, slot) =>
      q
        .selectFrom('entered_delivery')
        .select(['package_id', 'day', ...sums])
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('at_ms', '>=', slot('fromMs'))
        .where('at_ms', '<', slot('toMs'))
        .groupBy(['package_id', 'day'])
        .orderBy('day'),
    ),
    creatives: prepare<Stretch, CreativeSums>((q, slot) =>
      q
        .selectFrom('entered_delivery')
        .select(['creative_id', ...sums])
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('at_ms', '>=', slot('fromMs'))
        .where('at_ms', '<', slot('toMs'))
        .where('creative_id', '!=', sql.lit(''))
        .groupBy('creative_id'),
    ),
  };
}

/** The compiled statements on entered delivery. */
type DeliveryStatements = ReturnType<typeof deliveryStatements>;

/** Reads the delivery that people entereded. */
export class DeliveryReader {
  readonly #tx: Reading;
  readonly #statements: DeliveryStatements;

  constructor(tx: Reading, statements: DeliveryStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  find(key: EntryKey): Promise<EnteredRow | undefined> {
    const { package_id, day, creative_id } = key;
    return this.#tx.one(this.#statements.byKey, { package_id, day, creative_id });
  }

  /** Returns whether a day of a package has delivery of creatives where `creative_id` is empty, else delivery of all together. */
  async hasOtherKind({ package_id, day, creative_id }: EntryKey): Promise<boolean> {
    const rows = await this.#tx.all(this.#statements.ofDay, { package_id, day });
    return rows.some(
      (row) => (row.creative_id === '') !== (creative_id === '') && row.impressions + row.spend_cents > 0,
    );
  }

  /** Returns the rows of a buy's days. */
  ofRange(range: DayRange): Promise<EnteredRow[]> {
    return this.#tx.all(this.#statements.ofRange, range);
  }

  /** Returns what a package has spent, in cents. */
  async spentCents(package_id: string): Promise<number> {
    return (await this.#tx.one(this.#statements.spent, { package_id }))?.cents ?? 0;
  }

  /** Returns the last day that was entered for each package of a buy. */
  async lastDays(media_buy_id: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#tx.all(this.#statements.lastDays, { media_buy_id });
    return new Map(rows.map(({ package_id, day }) => [package_id, day]));
  }

  /** Returns the sums of each package that has any. */
  async ofPackages(stretch: Stretch): Promise<ReadonlyMap<string, EnteredAmounts>> {
    const rows = await this.#tx.all(this.#statements.packages, stretch);
    return new Map(rows.map(({ package_id, ...amounts }) => [package_id, amounts]));
  }

  /** Returns what was entered of vendors, row by row. */
  ofVendors(stretch: Stretch): Promise<VendorEntry[]> {
    return this.#tx.all(this.#statements.vendors, stretch);
  }

  /** Returns the sums of each day of each package that has any, by day. */
  ofDays(stretch: Stretch): Promise<DaySums[]> {
    return this.#tx.all(this.#statements.days, stretch);
  }

  /** Returns the sums of each creative of a buy that has any. */
  ofCreatives(stretch: Stretch): Promise<CreativeSums[]> {
    return this.#tx.all(this.#statements.creatives, stretch);
  }
}

/** Reads and stores delivery that people enter or that is read from an ad server, in one transaction. */
export class DeliveryWriter extends DeliveryReader {
  readonly #tx: Writing;
  readonly #statements: DeliveryStatements;

  constructor(tx: Writing, statements: DeliveryStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  async save(row: EnteredRow): Promise<void> {
    this.#tx.write(this.#statements.save, row);
  }

  async remove({ package_id, day, creative_id }: EntryKey): Promise<void> {
    this.#tx.write(this.#statements.remove, { package_id, day, creative_id });
  }
}
