import { z } from 'zod';
import { LIST_WORDS } from '../../../domain/governance/lists/wire.js';
import type { ListKind } from '../../../domain/targeting/lists.js';
import { accountRef, envelopeFields, keyField } from '../../pipeline/shapes.js';
import { mutation, type Tool } from '../../pipeline/tool.js';
import { findOwnList } from './find-list.js';
import { listId } from './list-shapes.js';

/** Returns delete_property_list or delete_collection_list: the list is gone, and its token with it. */
export function deleteList(kind: ListKind): Tool {
  const { noun } = LIST_WORDS[kind];
  return mutation({
    name: `delete_${noun}`,
    title: `Delete a ${noun.replace('_', ' ')}`,
    description: `Deletes a ${noun.replace('_', ' ')} for good; its auth_token opens nothing from then on.`,
    kinds: ['governance'],
    destructive: true,
    input: z.looseObject({ ...keyField, list_id: listId, account: accountRef.optional(), ...envelopeFields }),
    account: { use: 'sync', required: false },
    run: async ({ args, call, db, scope }) => {
      db.inventoryLists.remove(await findOwnList(db, { call, kind, scope }, args.list_id));
      return { deleted: true, list_id: args.list_id };
    },
  });
}
