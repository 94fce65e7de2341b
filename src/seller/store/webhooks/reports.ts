import type { Reading, Writing } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { Period, Reported, ReportingFrequency } from '../../domain/media-buy/reporting.js';
import type { SellerTables } from '../schema/schema.js';

/** The progress of a buy's reports. Times in ms since the epoch. */
export type ReportStream = {
  readonly media_buy_id: string;
  readonly owner: string;
  readonly frequency: ReportingFrequency;
  /** How long after a period its numbers are available. */
  readonly delay_ms: number;
  /** Where the next report begins. */
  readonly next_from: number;
  /** When it is looked at again. */
  readonly due_at: number;
  /** How often the next period was announced as late. */
  readonly delays: number;
  /** For when its numbers were promised then; null where nothing is promised. */
  readonly promised_at: number | null;
};

/** A period that was reported, and its numbers as they were reported last. */
export type ReportedPeriod = Period & Reported;

type StreamRow = ReportStream & { readonly is_late: number };
type PeriodRow = {
  readonly media_buy_id: string;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly impressions: number;
  readonly spend: number;
  readonly checked_at: number;
};
const STREAM = [
  'media_buy_id',
  'owner',
  'frequency',
  'delay_ms',
  'next_from',
  'due_at',
  'delays',
  'promised_at',
] as const;
const PERIOD = ['media_buy_id', 'from_ms', 'to_ms', 'impressions', 'spend', 'checked_at'] as const;

/** Returns the statements on report streams, compiled for an engine. */
export function reportStatements(db: Builder<SellerTables>) {
  return { ...streamStatements(db), ...periodStatements(db) };
}

function streamStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    due: prepare<{ now: number; limit: number }, ReportStream>((q, slot) =>
      q
        .selectFrom('report_stream')
        .select([...STREAM])
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .limit(slot('limit'))
        .$castTo<ReportStream>(),
    ),
    dueOfOwner: prepare<{ owner: string; now: number; limit: number }, ReportStream>((q, slot) =>
      q
        .selectFrom('report_stream')
        .select([...STREAM])
        .where('owner', '=', slot('owner'))
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .limit(slot('limit'))
        .$castTo<ReportStream>(),
    ),
    late: prepare<{ limit: number }, ReportStream>((q, slot) =>
      q
        .selectFrom('report_stream')
        .select([...STREAM])
        .where('delays', '>', sql.lit(0))
        .orderBy('due_at')
        .limit(slot('limit'))
        .$castTo<ReportStream>(),
    ),
    byId: prepare<{ id: string }, ReportStream>((q, slot) =>
      q
        .selectFrom('report_stream')
        .select([...STREAM])
        .where('media_buy_id', '=', slot('id'))
        .$castTo<ReportStream>(),
    ),
    save: prepare<StreamRow>((q, slot) => {
      const values = slot.each(...STREAM, 'is_late');
      return q
        .insertInto('report_stream')
        .values(values)
        .onConflict((c) => c.column('media_buy_id').doUpdateSet(values));
    }),
    end: prepare<{ id: string }>((q, slot) => q.deleteFrom('report_stream').where('media_buy_id', '=', slot('id'))),
  };
}

function periodStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    leastChecked: prepare<{ id: string; limit: number }, PeriodRow>((q, slot) =>
      q
        .selectFrom('report_period')
        .select([...PERIOD])
        .where('media_buy_id', '=', slot('id'))
        .orderBy('checked_at')
        .orderBy('from_ms', 'desc')
        .limit(slot('limit')),
    ),
    last: prepare<{ id: string }, PeriodRow>((q, slot) =>
      q
        .selectFrom('report_period')
        .select([...PERIOD])
        .where('media_buy_id', '=', slot('id'))
        .orderBy('from_ms', 'desc')
        .limit(1),
    ),
    savePeriod: prepare<PeriodRow>((q, slot) => {
      const values = slot.each(...PERIOD);
      return q
        .insertInto('report_period')
        .values(values)
        .onConflict((c) => c.columns(['media_buy_id', 'from_ms']).doUpdateSet(values));
    }),
    endPeriods: prepare<{ id: string }>((q, slot) =>
      q.deleteFrom('report_period').where('media_buy_id', '=', slot('id')),
    ),
  };
}

/** The compiled statements on report streams. */
type ReportStatements = ReturnType<typeof reportStatements>;

/** Reads reporting webhooks and when each is due next. */
export class ReportReader {
  readonly #tx: Reading;
  readonly #statements: ReportStatements;

  constructor(tx: Reading, statements: ReportStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns streams whose next numbers were announced as late; for the operator alone. */
  late(limit: number): Promise<ReportStream[]> {
    return this.#tx.all(this.#statements.late, { limit });
  }

  /** Returns streams that have to be looked at, the earliest first; of all owners unless one is named. */
  async due(now: number, limit: number, owner?: string): Promise<ReportStream[]> {
    return owner === undefined
      ? this.#tx.all(this.#statements.due, { now, limit })
      : this.#tx.all(this.#statements.dueOfOwner, { owner, now, limit });
  }

  find(id: string): Promise<ReportStream | undefined> {
    return this.#tx.one(this.#statements.byId, { id });
  }

  /** Returns the last reported period of a buy, and of the earlier ones those that were not compared with their numbers for longest. */
  async periodsToCheck(id: string, limit: number): Promise<ReportedPeriod[]> {
    const [last, others] = await Promise.all([
      this.#tx.all(this.#statements.last, { id }),
      limit <= 1 ? [] : this.#tx.all(this.#statements.leastChecked, { id, limit: limit - 1 }),
    ]);
    const rows = new Map([...others, ...last].map((row) => [row.from_ms, row]));
    return [...rows.values()].map(({ from_ms, to_ms, impressions, spend }) => ({
      fromMs: from_ms,
      toMs: to_ms,
      impressions,
      spend,
    }));
  }
}

/** Reads and writes reporting webhooks in one transaction. */
export class ReportWriter extends ReportReader {
  readonly #tx: Writing;
  readonly #statements: ReportStatements;

  constructor(tx: Writing, statements: ReportStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  async save(stream: ReportStream): Promise<void> {
    this.#tx.write(this.#statements.save, { ...stream, is_late: stream.delays > 0 ? 1 : 0 });
  }

  /** Notes what was reported for a period, or that its numbers were compared at `checkedMs` and are the same. */
  async savePeriod(media_buy_id: string, period: ReportedPeriod, checkedMs: number): Promise<void> {
    const { fromMs, toMs, impressions, spend } = period;
    const row = { media_buy_id, from_ms: fromMs, to_ms: toMs, impressions, spend, checked_at: checkedMs };
    this.#tx.write(this.#statements.savePeriod, row);
  }

  /** Ends a stream, its periods included. */
  async end(id: string): Promise<void> {
    this.#tx.write(this.#statements.end, { id });
    this.#tx.write(this.#statements.endPeriods, { id });
  }
}
