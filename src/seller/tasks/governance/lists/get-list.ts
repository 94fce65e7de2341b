import { z } from 'zod';
import { bindList, pageArray, readPage } from '../../../../platform/kernel/cursor.js';
import type { Call } from '../../../context.js';
import type { Scope } from '../../../domain/account/scope.js';
import {
  type ListedCollection,
  listNotFound,
  type ResolvedEntry,
} from '../../../domain/governance/lists/inventory-list.js';
import { findCoverageGaps } from '../../../domain/governance/lists/resolve.js';
import { cacheValidUntil, LIST_WORDS, listWire, sharedListWire } from '../../../domain/governance/lists/wire.js';
import type { ListKind } from '../../../domain/targeting/lists.js';
import type { InventoryListRow } from '../../../store/governance/inventory-lists.js';
import type { Reader } from '../../../store/store.js';
import { accountRef, envelopeFields } from '../../pipeline/shapes.js';
import { query, type Tool } from '../../pipeline/tool.js';
import { findOwnList } from './find-list.js';
import { entryPage, listId } from './list-shapes.js';

/** Entries of a page unless asked for otherwise. */
const USUAL_ENTRIES = 1000;

/**
 * Returns get_property_list or get_collection_list: a list and what it holds, for its owner, and for sellers by its
 * token.
 */
export function getList(kind: ListKind): Tool {
  const { entries: member, noun } = LIST_WORDS[kind];
  const input = z.looseObject({
    list_id: listId,
    account: accountRef.optional(),
    resolve: z.boolean().optional().describe('false: the list alone'),
    pagination: entryPage.optional(),
    ...envelopeFields,
  });
  return query({
    name: `get_${noun}`,
    title: `Read a ${noun.replace('_', ' ')}`,
    description: `A list and the ${member} that it resolves to, page by page. Read it again after cache_valid_until. Sellers send its auth_token as their credential.`,
    kinds: ['governance'],
    input,
    account: { use: 'read_buys', required: false },
    run: async ({ args, call, db, scope }) => {
      const isShared = call.listToken !== undefined;
      const row = await findList(db, { call, kind, scope }, args.list_id);
      const { resolved_at } = row.list;
      const { rules, entries } = await db.inventoryLists.content(row.seq);
      const shownRules = isFirst(args.pagination) ? rules : {};
      const list = isShared ? sharedListWire(row.list) : listWire(row.list, call.to.release, shownRules);
      if (args.resolve === false) return { list };
      const bound = bindList(noun, row.seq, resolved_at, row.list.count);
      const { cursor, max_results = USUAL_ENTRIES } = args.pagination ?? {};
      const page = pageArray<ResolvedEntry>(bound, entries, readPage(bound, { cursor, max_results }));
      return {
        list,
        [member]: page.rows,
        pagination: page.info,
        resolved_at,
        cache_valid_until: cacheValidUntil(row.list, call.now.ms),
        coverage_gaps:
          kind === 'property' ? undefined : findCoverageGaps(page.rows as readonly ListedCollection[], rules.filters),
      };
    },
  });
}

function isFirst(pagination: { readonly cursor?: string | undefined } | undefined): boolean {
  return pagination?.cursor === undefined;
}

/** Returns the list that the token of the call opens, else one of the caller. Throws REFERENCE_NOT_FOUND. */
async function findList(
  db: Reader,
  asked: { readonly call: Call; readonly kind: ListKind; readonly scope: Scope },
  listId: string,
): Promise<InventoryListRow> {
  const { call, kind } = asked;
  if (call.listToken === undefined) return findOwnList(db, asked, listId);
  const row = await db.inventoryLists.findByToken(kind, listId, call.listToken);
  if (row === undefined || !row.owner.startsWith(`${call.seller.tenant.path}#`)) throw listNotFound();
  return row;
}
