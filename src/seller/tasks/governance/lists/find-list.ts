import type { Call } from '../../../context.js';
import { isWithin, type Scope } from '../../../domain/account/scope.js';
import { listNotFound } from '../../../domain/governance/lists/inventory-list.js';
import type { ListKind } from '../../../domain/targeting/lists.js';
import type { InventoryListRow } from '../../../store/governance/inventory-lists.js';
import type { Reader } from '../../../store/store.js';

/** Returns a list of the caller, within the account that it names. Throws REFERENCE_NOT_FOUND. */
export async function findOwnList(
  db: Reader,
  { call, kind, scope }: { readonly call: Call; readonly kind: ListKind; readonly scope: Scope },
  listId: string,
): Promise<InventoryListRow> {
  const row = await db.inventoryLists.find(call.owner, kind, listId);
  if (row === undefined || !isWithin(scope, row.list.account_id)) throw listNotFound();
  return row;
}
