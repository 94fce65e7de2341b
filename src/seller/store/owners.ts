import type { Reading } from '../../platform/database/engine.js';
import type { Statement } from '../../platform/database/statement.js';

/** Returns the owners of a table's rows, by the statement that finds the one after another: as many look-ups as there are owners. */
export async function listOwners(
  tx: Reading,
  ownerAfter: Statement<{ owner: string }, { owner: string }>,
): Promise<string[]> {
  const owners: string[] = [];
  for (let row = await tx.one(ownerAfter, { owner: '' }); row !== undefined; ) {
    owners.push(row.owner);
    row = await tx.one(ownerAfter, { owner: row.owner });
  }
  return owners;
}
