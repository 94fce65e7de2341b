import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { Alert, AlertChannel, AlertKind } from '../../domain/alert/alert.js';
import type { SellerTables } from '../schema/schema.js';

type AlertRow = SellerTables['alert'];

const KEY = ['tenant', 'way', 'kind', 'subject'] as const;
const VALUES = ['event_id', 'told_at', 'next_at', 'attempts', 'expires_at'] as const;

/** Returns the statements on what people were alerted of, compiled for an engine. */
export function alertStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    of: prepare<{ tenant: string; way: string; limit: number }, AlertRow>((q, slot) =>
      q
        .selectFrom('alert')
        .select([...KEY, ...VALUES])
        .where('tenant', '=', slot('tenant'))
        .where('way', '=', slot('way'))
        .orderBy('expires_at', 'desc')
        .limit(slot('limit')),
    ),
    save: prepare<AlertRow>((q, slot) =>
      q
        .insertInto('alert')
        .values(slot.each(...KEY, ...VALUES))
        .onConflict((c) => c.columns([...KEY]).doUpdateSet(slot.each(...VALUES))),
    ),
  };
}

/** The compiled statements on alerts. */
type AlertStatements = ReturnType<typeof alertStatements>;

/** Reads what people were alerted of, and are to be. */
export class AlertReader {
  readonly #tx: Reading;
  readonly #statements: AlertStatements;

  constructor(tx: Reading, statements: AlertStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns the alerts of a tenant on one channel, those that are remembered longest first. */
  async list(tenant: string, channel: AlertChannel, limit: number): Promise<Alert[]> {
    const rows = await this.#tx.all(this.#statements.of, { tenant, way: channel, limit });
    return rows.map(({ way: _way, ...row }) => ({ ...row, channel, kind: row.kind as AlertKind }));
  }
}

/** Reads and writes what people were alerted of, in one transaction. */
export class AlertWriter extends AlertReader {
  readonly #tx: Writing;
  readonly #statements: AlertStatements;

  constructor(tx: Writing, statements: AlertStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  save({ channel, ...alert }: Alert): void {
    this.#tx.write(this.#statements.save, { ...alert, way: channel });
  }
}
