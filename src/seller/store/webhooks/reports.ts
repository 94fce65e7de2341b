import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { Reported, ReportingFrequency } from '../../domain/media-buy/reporting.js';
import type { SellerTables } from '../schema/schema.js';

/** Where the reports of a buy stand. Times in ms since the epoch. */
export type ReportStream = {
  readonly media_buy_id: string;
  readonly owner: string;
  readonly frequency: ReportingFrequency;
  /** How long after a period its numbers are there. */
  readonly delay_ms: number;
  /** Where the next report begins. */
  readonly next_from: number;
  /** When it is due. */
  readonly due_at: number;
  /** It was announced as late. */
  readonly is_late: boolean;
  /** What was last reported; later numbers may correct it. */
  readonly last: ({ readonly fromMs: number; readonly toMs: number } & Reported) | undefined;
};

/** Reporting webhooks and when each fires next. */
export type ReportReads = {
  /** Streams whose next report is due, the earliest first; of all owners unless one is named. */
  readonly due: (nowMs: number, limit: number, owner?: string) => Promise<ReportStream[]>;
  readonly find: (mediaBuyId: string) => Promise<ReportStream | undefined>;
};
export type ReportWrites = ReportReads & {
  readonly save: (stream: ReportStream) => Promise<void>;
  readonly end: (mediaBuyId: string) => Promise<void>;
};

type Row = Omit<ReportStream, 'is_late' | 'last'> & { readonly is_late: number; readonly last: string | null };
const COLUMNS = ['media_buy_id', 'owner', 'frequency', 'delay_ms', 'next_from', 'due_at', 'is_late', 'last'] as const;

/** The repository of report streams over an engine. */
export function reportRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const dueBy = prepare<{ now: number; limit: number }, Row>((q, slot) =>
    q
      .selectFrom('report_stream')
      .select([...COLUMNS])
      .where('due_at', '<=', slot('now'))
      .orderBy('due_at')
      .limit(slot('limit'))
      .$castTo<Row>(),
  );
  const ownDueBy = prepare<{ owner: string; now: number; limit: number }, Row>((q, slot) =>
    q
      .selectFrom('report_stream')
      .select([...COLUMNS])
      .where('owner', '=', slot('owner'))
      .where('due_at', '<=', slot('now'))
      .orderBy('due_at')
      .limit(slot('limit'))
      .$castTo<Row>(),
  );
  const byId = prepare<{ id: string }, Row>((q, slot) =>
    q
      .selectFrom('report_stream')
      .select([...COLUMNS])
      .where('media_buy_id', '=', slot('id'))
      .$castTo<Row>(),
  );
  const save = prepare<Row>((q, slot) => {
    const values = Object.fromEntries(COLUMNS.map((column) => [column, slot(column)]));
    return q
      .insertInto('report_stream')
      .values(values as never)
      .onConflict((c) => c.column('media_buy_id').doUpdateSet(values as never));
  });
  const end = prepare<{ id: string }>((q, slot) =>
    q.deleteFrom('report_stream').where('media_buy_id', '=', slot('id')),
  );

  const reads = (tx: Reading): ReportReads => ({
    due: async (now, limit, owner) => {
      const rows = await (owner === undefined
        ? tx.all(dueBy, { now, limit })
        : tx.all(ownDueBy, { owner, now, limit }));
      return rows.map(decode);
    },
    find: async (id) => {
      const row = await tx.one(byId, { id });
      return row === undefined ? undefined : decode(row);
    },
  });
  const writes = (tx: Writing): ReportWrites => ({
    ...reads(tx),
    save: async (stream) => {
      const { is_late, last, ...rest } = stream;
      await tx.run(save, { ...rest, is_late: is_late ? 1 : 0, last: last === undefined ? null : JSON.stringify(last) });
    },
    end: async (id) => {
      await tx.run(end, { id });
    },
  });
  return { reads, writes };
}

function decode({ is_late, last, media_buy_id, owner, frequency, delay_ms, next_from, due_at }: Row): ReportStream {
  const reported = last === null ? undefined : (JSON.parse(last) as ReportStream['last']);
  return { media_buy_id, owner, frequency, delay_ms, next_from, due_at, is_late: is_late === 1, last: reported };
}
