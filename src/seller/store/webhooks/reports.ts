import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { Reported, ReportingFrequency } from '../../domain/media-buy/reporting.js';
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
  /** When it is due. */
  readonly due_at: number;
  /** It was announced as late. */
  readonly is_late: boolean;
  /** The last period and its numbers as reported; later numbers may correct them. */
  readonly last: ({ readonly fromMs: number; readonly toMs: number } & Reported) | undefined;
};

type StreamRow = Omit<ReportStream, 'is_late' | 'last'> & { readonly is_late: number; readonly last: string | null };
const COLUMNS = ['media_buy_id', 'owner', 'frequency', 'delay_ms', 'next_from', 'due_at', 'is_late', 'last'] as const;

/** Returns the statements on report streams, compiled for an engine. */
export function reportStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    due: prepare<{ now: number; limit: number }, StreamRow>((q, slot) =>
      q
        .selectFrom('report_stream')
        .select([...COLUMNS])
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .limit(slot('limit'))
        .$castTo<StreamRow>(),
    ),
    dueOfOwner: prepare<{ owner: string; now: number; limit: number }, StreamRow>((q, slot) =>
      q
        .selectFrom('report_stream')
        .select([...COLUMNS])
        .where('owner', '=', slot('owner'))
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .limit(slot('limit'))
        .$castTo<StreamRow>(),
    ),
    byId: prepare<{ id: string }, StreamRow>((q, slot) =>
      q
        .selectFrom('report_stream')
        .select([...COLUMNS])
        .where('media_buy_id', '=', slot('id'))
        .$castTo<StreamRow>(),
    ),
    save: prepare<StreamRow>((q, slot) => {
      const values = slot.each(...COLUMNS);
      return q
        .insertInto('report_stream')
        .values(values)
        .onConflict((c) => c.column('media_buy_id').doUpdateSet(values));
    }),
    end: prepare<{ id: string }>((q, slot) => q.deleteFrom('report_stream').where('media_buy_id', '=', slot('id'))),
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

  /** Returns streams whose next report is due, the earliest first; of all owners unless one is named. */
  async due(now: number, limit: number, owner?: string): Promise<ReportStream[]> {
    const rows = await (owner === undefined
      ? this.#tx.all(this.#statements.due, { now, limit })
      : this.#tx.all(this.#statements.dueOfOwner, { owner, now, limit }));
    return rows.map(decodeStream);
  }

  async find(id: string): Promise<ReportStream | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { id });
    return row && decodeStream(row);
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

  async save({ is_late, last, ...rest }: ReportStream): Promise<void> {
    const row = { ...rest, is_late: is_late ? 1 : 0, last: last === undefined ? null : JSON.stringify(last) };
    this.#tx.write(this.#statements.save, row);
  }

  async end(id: string): Promise<void> {
    this.#tx.write(this.#statements.end, { id });
  }
}

function decodeStream({ is_late, last, ...rest }: StreamRow): ReportStream {
  const reported = last === null ? undefined : (JSON.parse(last) as ReportStream['last']);
  return { ...rest, is_late: is_late === 1, last: reported };
}
