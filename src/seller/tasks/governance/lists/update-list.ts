import { z } from 'zod';
import { checkRules, checkSize, type ListSubscriber } from '../../../domain/governance/lists/inventory-list.js';
import { LIST_WORDS, listWire } from '../../../domain/governance/lists/wire.js';
import type { ListKind } from '../../../domain/targeting/lists.js';
import { accountRef, brandRef, envelopeFields, keyField } from '../../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation, type Tool } from '../../pipeline/tool.js';
import { findOwnList } from './find-list.js';
import { listId, RULE_SHAPES, readRules } from './list-shapes.js';
import { namesSubscriber, readSubscriber } from './subscriber.js';

/**
 * Returns update_property_list or update_collection_list: sources and filters are replaced as a whole; what the list
 * holds then is told its subscriber.
 */
export function updateList(kind: ListKind): Tool {
  const { base, noun } = LIST_WORDS[kind];
  const shapes = RULE_SHAPES[kind];
  const input = z.looseObject({
    ...keyField,
    list_id: listId,
    account: accountRef.optional(),
    name: z.string().min(1).max(255).optional(),
    description: z.string().max(2000).optional(),
    [base]: shapes.base.optional(),
    filters: shapes.filters.optional(),
    brand: brandRef.optional(),
    webhook_url: z.string().max(2048).optional().describe('Where changes of the list are told; empty: nowhere'),
    ...envelopeFields,
  });
  return mutation({
    name: `update_${noun}`,
    title: `Change a ${noun.replace('_', ' ')}`,
    description: `Changes a list. ${base} and filters replace the old ones as a whole. webhook_url is told whenever the list holds something else.`,
    kinds: ['governance'],
    input,
    account: { use: 'sync', required: false },
    maxValues: MAX_VALUES_OF_MANY,
    prepares: namesSubscriber,
    prepare: async ({ app, args, call }): Promise<ListSubscriber | undefined> =>
      readSubscriber(app, call, args.webhook_url),
    run: async ({ app, args, call, db, prepared, scope }) => {
      const row = await findOwnList(db, { call, kind, scope }, args.list_id);
      const before = await db.inventoryLists.content(row.seq);
      const rules = readRules(kind, args, before.rules);
      checkRules(rules, base);
      const entries = app.inventoryLists.resolve(kind, rules);
      checkSize(entries, base);
      const { list } = row;
      const changed = {
        ...list,
        name: args.name ?? list.name,
        description: args.description ?? list.description,
        brand: args.brand ?? list.brand,
        subscriber: args.webhook_url === undefined ? list.subscriber : prepared,
        updated_at: call.now.iso,
      };
      const saved = await app.inventoryLists.save(db, { ...row, list: changed }, { rules, entries }, before);
      return { list: listWire(saved.list, call.to.release, rules) };
    },
  });
}
