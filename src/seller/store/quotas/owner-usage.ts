import type { Reading } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import { TaskError } from '../../../protocol/errors.js';
import {
  BYTE_QUOTAS,
  type ByteQuotaName,
  QUOTA_NAMES,
  QUOTAS,
  type QuotaName,
  type Quotas,
} from '../../domain/retention/quotas.js';
import type { SellerTables } from '../schema/schema.js';

type UsageRow = { readonly noun: string; readonly count: number; readonly bytes: number };

/** Seconds after which a buyer may try again: by then some of what it has may have ended. */
const RETRY_SECONDS = 3600;

/** Returns the statements on what owners have stored, compiled for an engine; `quotas` are those of the store. */
export function ownerUsageStatements(db: Builder<SellerTables>, quotas: Quotas) {
  const prepare = createPrepare(db);
  const limits = QUOTA_NAMES.map((name) => sql`when ${sql.lit(name)} then ${sql.lit(quotas.rows[name])}`);
  return {
    ofOwner: prepare<{ owner: string }, UsageRow>((q, slot) =>
      q.selectFrom('owner_usage').select(['noun', 'count', 'bytes']).where('owner', '=', slot('owner')),
    ),
    /** All bytes of an owner, and by how many rows it is over a quota; negative where it is over none. */
    most: prepare<{ owner: string }, { readonly bytes: number | null; readonly excess: number | null }>((q, slot) =>
      q
        .selectFrom('owner_usage')
        .select(({ fn }) => [
          fn.sum<number>('bytes').as('bytes'),
          sql<number>`max(count - case noun ${sql.join(limits, sql` `)} end)`.as('excess'),
        ])
        .where('owner', '=', slot('owner')),
    ),
  };
}

/** The compiled statements on what owners have stored. */
type OwnerUsageStatements = ReturnType<typeof ownerUsageStatements>;

/** Reads what owners have stored, which triggers of the database count in the transaction of every change. */
export class OwnerUsageReader {
  readonly #tx: Reading;
  readonly #statements: OwnerUsageStatements;
  readonly #quotas: Quotas;

  constructor(tx: Reading, statements: OwnerUsageStatements, quotas: Quotas) {
    this.#tx = tx;
    this.#statements = statements;
    this.#quotas = quotas;
  }

  /** Returns the rows and bytes that an owner has stored, by noun. */
  async list(owner: string): Promise<readonly UsageRow[]> {
    return this.#tx.all(this.#statements.ofOwner, { owner });
  }

  /** Returns by how many rows of a noun an owner is over its quota; none where it is within. */
  async excess(owner: string, name: QuotaName): Promise<number> {
    return Math.max(0, countOf(await this.list(owner), name) - this.#quotas.rows[name]);
  }

  /**
   * Throws RATE_LIMITED when an owner has more stored than its quotas allow and more than `before`, which reads what was committed: who is
   * over a quota may still change and remove things.
   */
  async requireWithin(owner: string, before: OwnerUsageReader): Promise<void> {
    const most = await this.#tx.one(this.#statements.most, { owner });
    if ((most?.excess ?? 0) <= 0 && (most?.bytes ?? 0) <= this.#quotas.bytes) return;
    const rows = await this.list(owner);
    const bytes = sumBytes(rows);
    const over = QUOTA_NAMES.find((name) => countOf(rows, name) > this.#quotas.rows[name]);
    if (over === undefined && bytes <= this.#quotas.bytes) return;
    const committed = await before.list(owner);
    if (over !== undefined && countOf(rows, over) > countOf(committed, over))
      throw overRows(over, this.#quotas.rows[over]);
    if (bytes > this.#quotas.bytes && bytes > sumBytes(committed)) throw overBytes('bytes', this.#quotas.bytes);
  }
}

function countOf(rows: readonly UsageRow[], name: QuotaName): number {
  return rows.find(({ noun }) => noun === name)?.count ?? 0;
}

function sumBytes(rows: readonly UsageRow[]): number {
  return rows.reduce((sum, row) => sum + row.bytes, 0);
}

/** Returns the refusal of more rows of a noun than its quota. */
export function overRows(name: QuotaName, limit: number): TaskError {
  const { field, suggestion } = QUOTAS[name];
  return new TaskError(
    'RATE_LIMITED',
    `This would be more than the ${limit} ${name.replaceAll('_', ' ')} that one buyer may have stored here.`,
    {
      field,
      suggestion,
      retryAfter: RETRY_SECONDS,
      details: { quota: name, limit },
    },
  );
}

/** Returns the refusal of more bytes than a quota. */
export function overBytes(quota: ByteQuotaName, limit: number): TaskError {
  return new TaskError(
    'RATE_LIMITED',
    `This would be more than the ${limit} bytes of ${BYTE_QUOTAS[quota].of} that one buyer may have stored here.`,
    {
      suggestion: BYTE_QUOTAS[quota].suggestion,
      retryAfter: RETRY_SECONDS,
      details: { quota, limit },
    },
  );
}
