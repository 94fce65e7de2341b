import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { RegistryTables } from './schema/schema.js';

/** The last change of a row that no event of the feed tells. */
export type RowChange = { readonly id: string; readonly kind: string; readonly seq: number };

/** Takes note, in the transaction that writes it, that a row was changed or is gone. */
export type NoteRow = (tx: Writing, kind: string, id: string) => Promise<void>;

/**
 * Returns the repository of row changes: each row has one number, that of its last change, so that the log is never longer than the
 * tables. Transactions that write to a store come one after the other, and their numbers in the order of their commits.
 */
export function rowChangeRepository(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  const note = prepare<{ kind: string; id: string }>((q, slot) =>
    q
      .insertInto('row_change')
      .values((e) => ({
        ...slot.each('kind', 'id'),
        seq: e
          .selectFrom('row_change')
          .select((f) => f(f.fn.coalesce(f.fn.max<number>('row_change.seq'), f.val(0)), '+', f.val(1)).as('next')),
      }))
      .onConflict((c) => c.columns(['id', 'kind']).doUpdateSet((e) => ({ seq: e.ref('excluded.seq') }))),
  );
  const after = prepare<{ seq: number; limit: number }, RowChange>((q, slot) =>
    q.selectFrom('row_change').selectAll().where('seq', '>', slot('seq')).orderBy('seq').limit(slot('limit')),
  );
  const head = prepare<object, { seq: number }>((q) =>
    q.selectFrom('row_change').select('seq').orderBy('seq', 'desc').limit(1),
  );
  return {
    note: (async (tx, kind, id) => {
      await tx.run(note, { kind, id });
    }) satisfies NoteRow,
    after: (tx: Reading, seq: number, limit: number): Promise<readonly RowChange[]> => tx.all(after, { seq, limit }),
    head: async (tx: Reading): Promise<number> => (await tx.one(head, {}))?.seq ?? 0,
  };
}
