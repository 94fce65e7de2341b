import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare, type DocRow, once } from '../../../platform/database/statement.js';
import type { Page } from '../../../platform/kernel/cursor.js';
import type { SellerTables } from '../schema/schema.js';
import { type CreativeFilter, type CreativeSort, type LibraryFilter, selectCreatives } from './filter.js';
import { type CreativeId, PURGED, type StoredCreative } from './rows.js';

/** Counts the packages that a creative is in. */
const ASSIGNMENT_COUNT = sql<number>`(select count(*) from assignment where assignment.owner = creative.owner and assignment.account_id = creative.account_id and assignment.creative_id = creative.creative_id)`;

/** Returns the statements that read the library, compiled for an engine. */
export function libraryStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<CreativeId, DocRow>((q, slot) =>
      q
        .selectFrom('creative')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'account_id', 'creative_id')))
        .where('status', '!=', sql.lit(PURGED)),
    ),
    anywhere: prepare<{ owner: string; creative_id: string }, DocRow>((q, slot) =>
      q
        .selectFrom('creative')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'creative_id')))
        .where('status', '!=', sql.lit(PURGED))
        .orderBy('seq', 'desc')
        .limit(1),
    ),
    bySeq: prepare<{ seq: number }, StoredCreative>((q, slot) =>
      q
        .selectFrom('creative')
        .select(['seq', 'owner', 'doc'])
        .where('seq', '=', slot('seq'))
        .where('status', '!=', sql.lit(PURGED)),
    ),
    newest: ({ owner, status }: LibraryFilter, before: number | undefined, limit: number) =>
      once(
        db
          .selectFrom('creative')
          .select(['seq', 'owner', 'doc'])
          .where('status', '<>', PURGED)
          .$if(owner !== undefined, (q) => q.where('owner', '=', owner ?? ''))
          .$if(status !== undefined, (q) => q.where('status', '=', status ?? ''))
          .$if(before !== undefined, (q) => q.where('seq', '<', before ?? 0))
          .orderBy('seq', 'desc')
          .limit(limit),
      ),
    ownerAfter: prepare<{ owner: string }, { owner: string }>((q, slot) =>
      q.selectFrom('creative').select('owner').where('owner', '>', slot('owner')).orderBy('owner').limit(1),
    ),
    waiting: prepare<{ limit: number }, StoredCreative>((q, slot) =>
      q
        .selectFrom('creative')
        .select(['seq', 'owner', 'doc'])
        .where('status', '=', sql.lit('pending_review'))
        .orderBy('updated_date')
        .orderBy('seq')
        .limit(slot('limit')),
    ),
    // The index holds the few that rely on a right.
    relyingOn: (rightsId: string, after: number, limit: number) =>
      once(
        db
          .selectFrom('creative')
          .select(['seq', 'owner', 'doc'])
          .where('rights', 'is not', null)
          .where(sql<boolean>`instr(rights, ${`|${rightsId}|`}) > 0`)
          .where('status', '!=', sql.lit(PURGED))
          .where('seq', '>', after)
          .orderBy('seq')
          .limit(limit),
      ),
    unread: prepare<{ now: number; limit: number }, StoredCreative>((q, slot) =>
      q
        .selectFrom('creative')
        .select(['seq', 'owner', 'doc'])
        .where('recheck_at', '<=', slot('now'))
        .orderBy('recheck_at')
        .limit(slot('limit')),
    ),
    list: (owner: string, page: Page, filter: CreativeFilter, { field, direction }: CreativeSort) => {
      const key = field === 'assignment_count' ? ASSIGNMENT_COUNT : sql<string>`${sql.ref(`creative.${field}`)}`;
      let query = selectCreatives(db, owner, filter).select(['seq', 'doc']);
      if (page.after !== undefined) {
        const from = sql`(select ${key}, seq from creative where seq = ${page.after})`;
        query = query.where(sql<boolean>`(${key}, seq) ${sql.raw(direction === 'desc' ? '<' : '>')} ${from}`);
      }
      return once(
        query
          .orderBy(key, direction)
          .orderBy('seq', direction)
          .limit(page.limit + 1),
      );
    },
    count: (owner: string, filter: CreativeFilter) =>
      once(selectCreatives(db, owner, filter).select((eb) => eb.fn.countAll<number>().as('total'))),
  };
}
