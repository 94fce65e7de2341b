import { z } from 'zod';
import { sha256Hex } from '../../../../platform/kernel/canonical.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { Call } from '../../../context.js';
import {
  checkRules,
  checkSize,
  type InventoryList,
  type ListSubscriber,
} from '../../../domain/governance/lists/inventory-list.js';
import { LIST_TOKEN_PREFIX } from '../../../domain/governance/lists/token.js';
import { LIST_WORDS, listWire } from '../../../domain/governance/lists/wire.js';
import type { ListKind } from '../../../domain/targeting/lists.js';
import type { Reader } from '../../../store/store.js';
import { accountRef, brandRef, envelopeFields, keyField } from '../../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation, type Tool } from '../../pipeline/tool.js';
import { RULE_SHAPES, readRules } from './list-shapes.js';
import { namesSubscriber, readSubscriber } from './subscriber.js';

/** Returns create_property_list or create_collection_list: a list that sellers read by its token. */
export function createList(kind: ListKind): Tool {
  const { base, noun } = LIST_WORDS[kind];
  const shapes = RULE_SHAPES[kind];
  const input = z.looseObject({
    ...keyField,
    account: accountRef.optional(),
    name: z.string().min(1).max(255),
    description: z.string().max(2000).optional(),
    [base]: shapes.base.min(1).optional(),
    filters: shapes.filters.optional(),
    brand: brandRef.optional(),
    webhook_url: z.string().max(2048).optional().describe('Where changes of the list are told'),
    ...envelopeFields,
  });
  return mutation({
    name: `create_${noun}`,
    title: `Make a ${noun.replace('_', ' ')}`,
    description: `Makes a ${noun.replace('_', ' ')} of sources and filters, and resolves it. Its auth_token is shown once: give it to sellers with agent_url and list_id in targeting_overlay.${noun}.`,
    kinds: ['governance'],
    input,
    account: { use: 'sync', required: false },
    maxValues: MAX_VALUES_OF_MANY,
    prepares: namesSubscriber,
    prepare: async ({ app, args, call }): Promise<ListSubscriber | undefined> =>
      readSubscriber(app, call, args.webhook_url),
    run: async ({ account, app, args, call, db, prepared: subscriber }) => {
      const { brand, description, name } = args;
      const rules = readRules(kind, args);
      checkRules(rules, base);
      const entries = app.inventoryLists.resolve(kind, rules);
      checkSize(entries, base);
      const list: InventoryList = {
        kind,
        list_id: app.ids.next(kind === 'property' ? 'pl' : 'cl'),
        account_id: account?.account_id ?? (await onlyAccount(db, call)),
        name,
        description,
        brand,
        subscriber,
        created_at: call.now.iso,
        updated_at: call.now.iso,
        resolved_at: call.now.iso,
        count: entries.length,
      };
      const auth_token = `${LIST_TOKEN_PREFIX}${app.ids.secret()}`;
      await db.inventoryLists.insert(call.owner, list, { rules, entries }, sha256Hex(auth_token));
      return { list: listWire(list, call.to.release, rules), auth_token };
    },
  });
}

/** Returns the id of the caller's account where it has one alone. Throws ACCOUNT_AMBIGUOUS or ACCOUNT_SETUP_REQUIRED. */
async function onlyAccount(db: Reader, { owner }: Call): Promise<string> {
  const rows = await db.accounts.list(owner, { limit: 1, after: undefined }, { status: 'active' });
  const [first, second] = rows;
  if (first !== undefined && second === undefined) return first.account.account_id;
  throw new TaskError(
    first === undefined ? 'ACCOUNT_SETUP_REQUIRED' : 'ACCOUNT_AMBIGUOUS',
    first === undefined
      ? 'There is no account yet that the list could be of.'
      : 'The list could be of several accounts.',
    {
      field: 'account',
      suggestion: 'Name the account of the list: {"brand": {"domain": …}, "operator": …} or {"account_id": …}.',
    },
  );
}
