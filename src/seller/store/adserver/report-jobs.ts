import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';

type JobRow = SellerTables['report_job'];

/** A report that an ad server is asked for. Times in ms. */
export type ReportJob = Omit<JobRow, 'doc'> & {
  readonly media_buy_ids: readonly string[];
  /** `YYYY-MM-DD` in the time zone of the ad server, both included. */
  readonly from_date: string;
  readonly to_date: string;
  /** When it was asked for: its numbers are complete up to then. */
  readonly as_of_ms: number;
  /** Under which the ad server makes it; undefined before it has said so. */
  readonly handle?: string | undefined;
};

const ROW = ['job_id', 'tenant', 'next_at', 'expires_at', 'attempts', 'doc'] as const;

/** Returns the statements on reports of ad servers, compiled for an engine. */
export function reportJobStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    due: prepare<{ now: number; limit: number }, JobRow>((q, slot) =>
      q
        .selectFrom('report_job')
        .select([...ROW])
        .where('next_at', '<=', slot('now'))
        .orderBy('next_at')
        .orderBy('job_id')
        .limit(slot('limit')),
    ),
    save: prepare<JobRow>((q, slot) => {
      const values = slot.each(...ROW);
      return q
        .insertInto('report_job')
        .values(values)
        .onConflict((c) => c.column('job_id').doUpdateSet(values));
    }),
    remove: prepare<{ job_id: string }>((q, slot) => q.deleteFrom('report_job').where('job_id', '=', slot('job_id'))),
  };
}

/** The compiled statements on reports. */
type ReportJobStatements = ReturnType<typeof reportJobStatements>;

/** Reads the reports that ad servers are asked for. */
export class ReportJobReader {
  readonly #tx: Reading;
  readonly #statements: ReportJobStatements;

  constructor(tx: Reading, statements: ReportJobStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns the reports that are to be asked for by `now`, longest first. */
  async due(now: number, limit: number): Promise<ReportJob[]> {
    return (await this.#tx.all(this.#statements.due, { now, limit })).map(parseJobRow);
  }
}

/** Reads and stores the reports that ad servers are asked for, in one transaction. */
export class ReportJobWriter extends ReportJobReader {
  readonly #tx: Writing;
  readonly #statements: ReportJobStatements;

  constructor(tx: Writing, statements: ReportJobStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  save({ media_buy_ids, from_date, to_date, as_of_ms, handle, ...columns }: ReportJob): void {
    const doc = JSON.stringify({ media_buy_ids, from_date, to_date, as_of_ms, handle });
    this.#tx.write(this.#statements.save, { ...columns, doc });
  }

  remove(job_id: string): void {
    this.#tx.write(this.#statements.remove, { job_id });
  }
}

function parseJobRow({ doc, ...columns }: JobRow): ReportJob {
  return { ...columns, ...(JSON.parse(doc) as Omit<ReportJob, keyof JobRow>) };
}
