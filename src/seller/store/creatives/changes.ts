import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';
import type { CreativeColumns, CreativeId, StoredAssignment } from './rows.js';

/** Returns the statements that change the library and what is assigned of it, compiled for an engine. */
export function changeStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    save: prepare<CreativeId & CreativeColumns>((q, slot) => {
      const columns = slot.each(
        'name',
        'status',
        'format',
        'tags',
        'created_date',
        'updated_date',
        'recheck_at',
        'rights',
        'doc',
      );
      return q
        .insertInto('creative')
        .values({ ...slot.each('owner', 'account_id', 'creative_id'), ...columns })
        .onConflict((c) => c.columns(['owner', 'account_id', 'creative_id']).doUpdateSet(columns));
    }),
    remove: prepare<CreativeId>((q, slot) =>
      q.deleteFrom('creative').where((is) => is.and(slot.each('owner', 'account_id', 'creative_id'))),
    ),
    assign: prepare<StoredAssignment>((q, slot) =>
      q
        .insertInto('assignment')
        .values({
          ...slot.each('owner', 'account_id', 'creative_id'),
          ...slot.each('media_buy_id', 'package_id', 'weight', 'assigned_date'),
        })
        .onConflict((c) => c.columns(['media_buy_id', 'package_id', 'creative_id']).doUpdateSet(slot.each('weight'))),
    ),
    addUse: prepare<CreativeId & { media_buy_id: string }>((q, slot) =>
      q
        .insertInto('creative_use')
        .values(slot.each('owner', 'account_id', 'creative_id', 'media_buy_id'))
        .onConflict((c) => c.columns(['media_buy_id', 'creative_id', 'account_id']).doNothing()),
    ),
    releaseCreative: prepare<CreativeId>((q, slot) =>
      q.deleteFrom('assignment').where((is) => is.and(slot.each('owner', 'account_id', 'creative_id'))),
    ),
    releaseBuy: prepare<{ media_buy_id: string }>((q, slot) =>
      q.deleteFrom('assignment').where('media_buy_id', '=', slot('media_buy_id')),
    ),
    releasePackage: prepare<{ media_buy_id: string; package_id: string }>((q, slot) =>
      q.deleteFrom('assignment').where((is) => is.and(slot.each('media_buy_id', 'package_id'))),
    ),
  };
}
