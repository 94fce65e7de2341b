import type { Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { SellerTables } from './schema/schema.js';

/** What buyers report to have used (facts C.8). */
export type UsageWrites = {
  /** Keeps one record of an account. */
  readonly add: (owner: string, accountId: string, receivedAt: number, usage: unknown) => Promise<void>;
};

/** The repository of reported usage over an engine. */
export function usageRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  type Usage = { owner: string; account_id: string; received_at: number; doc: string };
  const insert = prepare<Usage>((q, slot) =>
    q.insertInto('usage').values({
      owner: slot('owner'),
      account_id: slot('account_id'),
      received_at: slot('received_at'),
      doc: slot('doc'),
    } as never),
  );
  const writes = (tx: Writing): UsageWrites => ({
    add: async (owner, account_id, received_at, usage) => {
      await tx.run(insert, { owner, account_id, received_at, doc: JSON.stringify(usage) });
    },
  });
  return { writes };
}
