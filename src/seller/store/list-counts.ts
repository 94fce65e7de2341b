import type { Reading } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { SellerTables } from './schema/schema.js';

/** How many rows of a list are of one kind and in one state. */
type ListCount = { readonly kind: string; readonly status: string; readonly total: number };

type ListName = 'creative' | 'task';
type CountedAccounts = { readonly accountId?: string | undefined; readonly accountIds?: readonly string[] | undefined };

/** Returns the statements on the totals that triggers keep, compiled for an engine. */
export function listCountStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const counts = (q: Builder<SellerTables>) =>
    q
      .selectFrom('list_count')
      .select(({ fn }) => ['kind', 'status', fn.sum<number>('count').as('total')])
      .groupBy(['kind', 'status']);
  return {
    countsOfOwner: prepare<{ owner: string; list: ListName }, ListCount>((q, slot) =>
      counts(q).where((is) => is.and(slot.each('owner', 'list'))),
    ),
    countsOfAccount: prepare<{ owner: string; list: ListName; account_id: string }, ListCount>((q, slot) =>
      counts(q).where((is) => is.and(slot.each('owner', 'list', 'account_id'))),
    ),
  };
}

type ListCountStatements = ReturnType<typeof listCountStatements>;

/** Returns the totals of an owner's list by kind and state, in all accounts or those that are named; no row of the list is read. */
export async function readListCounts(
  tx: Reading,
  { countsOfAccount, countsOfOwner }: ListCountStatements,
  { list, owner }: { readonly owner: string; readonly list: ListName },
  { accountId, accountIds }: CountedAccounts,
): Promise<readonly ListCount[]> {
  const named = accountIds ?? (accountId === undefined ? undefined : [accountId]);
  const wanted = named?.filter((id) => accountId === undefined || id === accountId);
  const rows =
    wanted === undefined
      ? [await tx.all(countsOfOwner, { owner, list })]
      : await Promise.all(
          [...new Set(wanted)].map((account_id) => tx.all(countsOfAccount, { owner, list, account_id })),
        );
  return rows.flat().map((row) => ({ ...row, total: Number(row.total) }));
}
