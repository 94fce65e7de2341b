import { sql } from '../../../platform/database/kysely.js';
import { type Builder, once } from '../../../platform/database/statement.js';
import type { Page } from '../../../platform/kernel/cursor.js';
import type { Assignment, Creative } from '../../domain/creative/creative.js';
import type { SellerTables } from '../schema/schema.js';

/** An assignment, with the account whose library its creative is in. */
export type LibraryAssignment = Assignment & { readonly account_id: string };

/** A creative that is or was assigned in a buy, with its position in the list of all such pairs. */
export type CreativeUse = {
  readonly seq: number;
  readonly account_id: string;
  readonly creative_id: string;
  readonly media_buy_id: string;
};

/** Narrows a list of uses; absent means any. */
export type UseFilter = {
  readonly accountId?: string | undefined;
  readonly creativeIds?: readonly string[] | undefined;
  readonly mediaBuyIds?: readonly string[] | undefined;
};

/** Returns the statements on where creatives are assigned, compiled for an engine. */
export function assignmentStatements(db: Builder<SellerTables>) {
  return {
    assignments: (owner: string, creatives: readonly Creative[]) =>
      once(
        db
          .selectFrom('assignment')
          .selectAll()
          .where('owner', '=', owner)
          .where('account_id', 'in', [...new Set(creatives.map((creative) => creative.account_id))])
          .where('creative_id', 'in', [...new Set(creatives.map((creative) => creative.creative_id))])
          .orderBy('seq'),
      ),
    assignedTo: (mediaBuyIds: readonly string[]) =>
      once(
        db
          .selectFrom('assignment')
          .innerJoin('creative', (join) =>
            join
              .onRef('creative.owner', '=', 'assignment.owner')
              .onRef('creative.account_id', '=', 'assignment.account_id')
              .onRef('creative.creative_id', '=', 'assignment.creative_id'),
          )
          .selectAll('assignment')
          .select('creative.status')
          // The reason is in the document, which may be large: it is read where there is one.
          .select((eb) =>
            eb.case().when('creative.status', '=', 'rejected').then(eb.ref('creative.doc')).end().as('doc'),
          )
          .where('assignment.media_buy_id', 'in', [...mediaBuyIds])
          .orderBy('assignment.seq'),
      ),
  };
}

/** Returns the statements on where creatives are or were, compiled for an engine. */
export function useStatements(db: Builder<SellerTables>) {
  return {
    uses: (owner: string, page: Page, filter: UseFilter) =>
      once(
        selectUses(db, owner, filter)
          .select(['seq', 'account_id', 'creative_id', 'media_buy_id'])
          .where('seq', '>', page.after ?? 0)
          .orderBy('seq')
          .limit(page.limit + 1),
      ),
    countUses: (owner: string, filter: UseFilter, upTo: number | undefined) => {
      const query = selectUses(db, owner, filter).select((eb) => eb.fn.countAll<number>().as('total'));
      return once(upTo === undefined ? query : query.where('seq', '<=', upTo));
    },
  };
}

function selectUses(db: Builder<SellerTables>, owner: string, { accountId, creativeIds, mediaBuyIds }: UseFilter) {
  let query = db.selectFrom('creative_use').where('owner', '=', owner);
  // Without ids the rows are read in the order of the list: an expression keeps databases from the index by id, whose rows they would have to sort.
  if (accountId !== undefined && creativeIds === undefined)
    query = query.where(sql<boolean>`account_id || '' = ${accountId}`);
  else if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (creativeIds !== undefined) query = query.where('creative_id', 'in', [...creativeIds]);
  if (mediaBuyIds !== undefined) query = query.where('media_buy_id', 'in', [...mediaBuyIds]);
  return query;
}
