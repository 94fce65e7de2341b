import type { z } from 'zod';
import { TaskError } from '../../../../../protocol/errors.js';
import type { App, Call } from '../../../../context.js';
import { accountNotFound } from '../../../../domain/account/account.js';
import { CATALOG_TYPES, type CatalogType, checkItems } from '../../../../domain/catalog/catalog.js';
import { type CatalogItem, type ItemSelection, selectItems } from '../../../../domain/catalog/item.js';
import type { Reader } from '../../../../store/store.js';
import { findUsable } from '../../../pipeline/resolve-account.js';
import type { buildInput } from '../input.js';
import { listLibraries } from '../libraries.js';

type CatalogContext = {
  readonly app: App;
  readonly call: Call;
  readonly args: z.output<typeof buildInput>;
  readonly db: Reader;
};

type CatalogArgument = Readonly<Record<string, unknown>>;
type ReadItems = { readonly items: readonly CatalogItem[]; readonly notes: readonly string[] };
type AcceptedItems = {
  readonly type: CatalogType;
  readonly items: readonly CatalogItem['item'][];
  readonly rejected: number;
};

/**
 * Returns the items of a catalog asset: those within it, those of the feed at its address, or those that were synced under its id, narrowed
 * as it says. Throws INVALID_REQUEST, UNSUPPORTED_FEATURE, REFERENCE_NOT_FOUND, ITEM_VALIDATION_FAILED, and what reading a feed throws.
 */
export async function readCatalog(
  context: CatalogContext,
  catalog: CatalogArgument,
  field: string,
): Promise<ReadItems> {
  const selection = readSelection(catalog, field);
  const { type, items, rejected } = await findItems(context, catalog, field);
  const selected = selectItems(type, items, selection);
  if (selected.length === 0) {
    throw new TaskError('VALIDATION_ERROR', 'The catalog has no item that a creative could be made of.', {
      field,
      suggestion: 'Send items, or narrow the catalog less.',
    });
  }
  const notes = rejected === 0 ? [] : [`${rejected} items of the catalog lack what their type needs and are left out.`];
  return { items: selected, notes };
}

async function findItems(context: CatalogContext, catalog: CatalogArgument, field: string): Promise<AcceptedItems> {
  const { items, url, catalog_id: id } = catalog;
  if (Array.isArray(items)) return judgeItems(catalog, items, `${field}.items`, field);
  if (typeof url === 'string') {
    const { fetchFeed } = await import('../../../catalog/feed.js');
    const fetched = await fetchFeed(context.app, context.call, url, `${field}.url`);
    if (fetched instanceof TaskError) throw fetched;
    return judgeItems(catalog, fetched, `${field}.url`, field);
  }
  if (typeof id === 'string') return findSynced(context, id, field);
  throw new TaskError('INVALID_REQUEST', 'The catalog has no items.', {
    field,
    suggestion: 'Send items, the url of a JSON feed, or the catalog_id of one that sync_catalogs keeps.',
  });
}

function judgeItems(
  { type: named }: CatalogArgument,
  items: readonly unknown[],
  at: string,
  field: string,
): AcceptedItems {
  const type = CATALOG_TYPES.find((one) => one === named);
  if (type !== undefined) return { type, ...checkItems(type, items, false, at) };
  throw new TaskError('INVALID_REQUEST', 'The catalog has no type, or one that is not known.', {
    field: `${field}.type`,
    suggestion: `Send one of ${CATALOG_TYPES.join(', ')}.`,
    details: { accepted_values: CATALOG_TYPES },
  });
}

/** Finds a catalog that the caller has synced, here or with a sales agent of this server that names this one. */
async function findSynced({ app, call, args, db }: CatalogContext, id: string, field: string): Promise<AcceptedItems> {
  const { account: named } = args;
  if (named === undefined) {
    throw new TaskError('INVALID_REQUEST', 'A synced catalog is one of an account.', {
      field: 'account',
      suggestion: 'Name the account for which sync_catalogs has it, or send the items in the manifest.',
    });
  }
  let isKnown = false;
  for (const library of listLibraries(app, call)) {
    const account = await findUsable(library, named, db);
    isKnown ||= account !== undefined;
    const catalog = account && (await db.catalogs.find(library.owner, account.account_id, id));
    if (catalog !== undefined) return { ...catalog, rejected: 0 };
  }
  if (!isKnown) throw accountNotFound([]);
  throw new TaskError('REFERENCE_NOT_FOUND', 'The account has no such catalog.', {
    field: `${field}.catalog_id`,
    suggestion: 'Sync it with sync_catalogs, or send its items in the manifest.',
  });
}

function readSelection(catalog: CatalogArgument, field: string): ItemSelection {
  const { ids, gtins, tags, category, query } = catalog;
  if (query !== undefined) {
    throw new TaskError('UNSUPPORTED_FEATURE', 'Items are not found by a sentence.', {
      field: `${field}.query`,
      suggestion: 'Narrow the catalog by ids, gtins, tags or category.',
    });
  }
  const list = (name: string, value: unknown): readonly unknown[] | undefined => {
    if (value === undefined || Array.isArray(value)) return value;
    throw new TaskError('INVALID_REQUEST', `${name} is a list.`, {
      field: `${field}.${name}`,
      suggestion: 'Send a list of texts.',
    });
  };
  return {
    ids: list('ids', ids),
    gtins: list('gtins', gtins),
    tags: list('tags', tags),
    category: typeof category === 'string' ? category : undefined,
  };
}
