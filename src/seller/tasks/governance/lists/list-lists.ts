import { z } from 'zod';
import { bindList, cutPage, readPage } from '../../../../platform/kernel/cursor.js';
import { LIST_WORDS, listWire } from '../../../domain/governance/lists/wire.js';
import type { ListKind } from '../../../domain/targeting/lists.js';
import { accountRef, envelopeFields, pagination } from '../../pipeline/shapes.js';
import { query, type Tool } from '../../pipeline/tool.js';

/** Returns list_property_lists or list_collection_lists: the caller's lists, without what they are made of and hold. */
export function listLists(kind: ListKind): Tool {
  const { noun } = LIST_WORDS[kind];
  const input = z.looseObject({
    account: accountRef.optional(),
    name_contains: z.string().max(255).optional(),
    pagination: pagination.optional(),
    ...envelopeFields,
  });
  return query({
    name: `list_${noun}s`,
    title: `${kind === 'property' ? 'Property' : 'Collection'} lists`,
    description: `Your ${noun.replace('_', ' ')}s, oldest first; what each holds is told by get_${noun}.`,
    kinds: ['governance'],
    rows: 'lists',
    input,
    account: { use: 'read_buys', required: false },
    run: async ({ account, accountIsNew, args, call, db, scope }) => {
      const { name_contains: nameContains } = args;
      const list = bindList(noun, scope, account?.account_id, nameContains);
      const page = readPage(list, args.pagination);
      const filter = { kind, accountId: account?.account_id, nameContains };
      const rows = accountIsNew ? [] : await db.inventoryLists.page(scope, filter, page);
      const cut = cutPage(list, rows, page, (row) => row.seq);
      return { lists: cut.rows.map((row) => listWire(row.list, call.to.release)), pagination: cut.info };
    },
  });
}
