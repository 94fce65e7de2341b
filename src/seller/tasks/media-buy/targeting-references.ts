import { isObject } from '../../../platform/kernel/json/json.js';
import { startDeadline } from '../../../platform/kernel/loop.js';
import { isUrl } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import { leastMatched } from '../../domain/audience/audience.js';
import { checkTargetable } from '../../domain/audience/status.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { findUnknown, namesListed, partOfProduct } from '../../domain/product/listed-inventory.js';
import type { Product } from '../../domain/product/product.js';
import { AUDIENCE_DIMENSIONS, listDimensions } from '../../domain/targeting/check.js';
import type { FollowedList, ListRef, ReadList } from '../../domain/targeting/followed-list.js';
import {
  LIST_DIMENSIONS,
  LISTS,
  type ListDimension,
  type ListKind,
  type ListParts,
  listKey,
} from '../../domain/targeting/lists.js';
import type { ListFault, ListReading } from '../../governance/inventory-list.js';
import type { Reader } from '../../store/store.js';
import { isExampleList, readList, unknownCollection, unreadableList } from '../inventory-list/read-list.js';
import { canNameLocal } from '../pipeline/order-context.js';

/** A list that a package targets, with its product where that is known; its path in the request. */
type TargetedList = {
  readonly product: Product | undefined;
  readonly dimension: ListDimension;
  readonly reference: Readonly<Record<string, unknown>>;
  readonly field: string;
};

type PackageArgument = {
  readonly product_id?: unknown;
  readonly package_id?: unknown;
  readonly targeting_overlay?: Readonly<Record<string, unknown>> | undefined;
};

/** Whether a package names a list that has to be looked up first. */
export function namesList({ targeting_overlay: overlay }: PackageArgument): boolean {
  return LISTS.some((name) => overlay?.[name] !== undefined);
}

/** Returns the lists of the packages of an order, or of a change to `before`. `list` is the path of the packages. */
export function targetedLists(
  call: Call,
  packages: readonly PackageArgument[] | undefined,
  list: string,
  before?: MediaBuy,
): readonly TargetedList[] {
  return (packages ?? []).flatMap((line, index) => {
    const changed = before?.packages.find((candidate) => candidate.package_id === line.package_id);
    const product = call.seller.products.get(String(changed?.product_id ?? line.product_id));
    return LISTS.flatMap((dimension) => {
      const reference = line.targeting_overlay?.[dimension];
      const field = `${list}[${index}].targeting_overlay.${dimension}`;
      return isObject(reference) ? [{ product, dimension, reference, field }] : [];
    });
  });
}

/** In a sandbox, a list at a name that is reserved for examples is taken to have so much of a product. */
const EXAMPLE_PART = 0.5;

/** The lists of an order or a change as they were read: what they leave of products, and the readings themselves, by `listKey`. */
export type ListsRead = { readonly parts: ListParts; readonly readings: ReadonlyMap<string, ReadList> };

/**
 * Reads lists from the agents that maintain them, each once, outside of the transaction and within ORDER_MS together, and returns what
 * each leaves of its product. A list named without its token is opened with the one that the buy has for it. Throws UNSUPPORTED_FEATURE
 * where a product's parts are not known by what is listed, REFERENCE_NOT_FOUND or SERVICE_UNAVAILABLE where the list cannot be read, and
 * PRODUCT_UNAVAILABLE where it leaves nothing.
 */
export async function readLists(
  app: App,
  call: Call,
  lists: readonly TargetedList[],
  followed: readonly FollowedList[] = [],
): Promise<ListsRead> {
  const deadline = startDeadline(ORDER_MS);
  // Nobody waits for it: it is looked at before each list.
  deadline.passed.catch(() => undefined);
  try {
    return await readEach(app, call, { lists, followed, readOnce: readerOfLists(app, call, deadline.isOver) });
  } finally {
    deadline.end();
  }
}

/** The lists of an order, those that its buy has already, and what reads each once. */
type ToRead = {
  readonly lists: readonly TargetedList[];
  readonly followed: readonly FollowedList[];
  readonly readOnce: ReadOnce;
};

async function readEach(app: App, call: Call, { followed, lists, readOnce }: ToRead): Promise<ListsRead> {
  const parts = new Map<string, number>();
  const readings = new Map<string, ReadList>();
  for (const targeted of lists) {
    const { dimension, product, reference } = targeted;
    const named = readReference(reference);
    // What is not offered, or names no list, is refused with the rest of the targeting.
    if (product === undefined || named === undefined || !listDimensions(product.inventory).includes(dimension))
      continue;
    const read = await readOne(app, call, { ...targeted, product, readOnce }, withToken(named, followed));
    const key = listKey(product.product_id, dimension, reference);
    parts.set(key, read.part);
    readings.set(key, read);
  }
  return { parts, readings };
}

/** The lists of an order are read within this time; those that are left then count as not reached. */
const ORDER_MS = 30_000;

/** Reads a list of an order, or gives what was read of it before. */
type ReadOnce = (kind: ListKind, reference: ListRef) => Promise<ListReading | ListFault>;

function readerOfLists(app: App, call: Call, isOver: () => boolean): ReadOnce {
  const read = new Map<string, ListReading | ListFault>();
  return async (kind, reference) => {
    const key = JSON.stringify([kind, reference.agent_url, reference.list_id, reference.auth_token]);
    const before = read.get(key);
    if (before !== undefined) return before;
    const reading = isOver() ? 'unreachable' : await readList(app, call, kind, reference);
    read.set(key, reading);
    return reading;
  };
}

/** Returns a reference that names a list at an agent; undefined for another. */
function readReference({ agent_url, auth_token, list_id }: TargetedList['reference']): ListRef | undefined {
  if (typeof agent_url !== 'string' || typeof list_id !== 'string' || !isUrl(agent_url)) return undefined;
  return { agent_url, list_id, auth_token: typeof auth_token === 'string' ? auth_token : undefined };
}

function withToken(named: ListRef, followed: readonly FollowedList[]): ListRef {
  if (named.auth_token !== undefined) return named;
  const before = followed.find(
    ({ reference }) => reference.agent_url === named.agent_url && reference.list_id === named.list_id,
  );
  return before?.reference ?? named;
}

async function readOne(
  app: App,
  call: Call,
  { dimension, field, product, readOnce }: TargetedList & { readonly product: Product; readonly readOnce: ReadOnce },
  reference: ListRef,
): Promise<ReadList> {
  const { iso: read_at, ms } = call.now;
  const local = canNameLocal(app, call);
  if (isExampleList(call, reference.agent_url))
    return { reference, local, part: EXAMPLE_PART, read_at, nextReadMs: null };
  const reading = await readOnce(LIST_DIMENSIONS[dimension], reference);
  if (typeof reading === 'string') throw unreadableList(reading, field);
  const unknown = findUnknown(product, reading.unknown);
  if (unknown !== undefined) throw unknownCollection(unknown, field);
  const part = partOfProduct(product, dimension, reading.entries, app.publishers());
  if (part <= 0) throw nothingListed(app, product, dimension, field);
  return { reference, local, part, read_at, nextReadMs: ms + reading.goodForMs };
}

function nothingListed(app: App, product: Product, dimension: ListDimension, field: string): TaskError {
  const own = namesListed(product, dimension, app.publishers());
  const what = LIST_DIMENSIONS[dimension] === 'property' ? 'properties' : 'collections';
  return new TaskError('PRODUCT_UNAVAILABLE', `The list leaves none of the ${what} that the product runs on.`, {
    field,
    suggestion: `Choose another product, or a list that leaves some of ${own.slice(0, MAX_NAMED).join(', ')}.`,
  });
}

const MAX_NAMED = 10;

/** A package of an order or a change, as far as its audiences go; its targeting was judged before. */
type Targeted = { readonly targeting_overlay?: Readonly<Record<string, unknown>> | undefined };

/**
 * Refuses packages that target audiences which the account does not have, or which cannot be targeted yet. `list` is the path of the
 * packages. Throws as `checkTargetable` does.
 */
export async function checkAudiences(
  { db, call, accountId }: { readonly db: Reader; readonly call: Call; readonly accountId: string },
  packages: readonly Targeted[],
  list: string,
): Promise<void> {
  const least = leastMatched(call.principal?.sandbox === true);
  for (const [index, { targeting_overlay: overlay }] of packages.entries()) {
    for (const name of AUDIENCE_DIMENSIONS) {
      const ids: unknown = overlay?.[name];
      if (!Array.isArray(ids)) continue;
      for (const [position, id] of ids.entries()) {
        const row = await db.audiences.find(call.owner, accountId, String(id));
        const counted = row && { audience: row.audience, groups: await db.audiences.groups(row.seq), least };
        checkTargetable(counted, `${list}[${index}].targeting_overlay.${name}[${position}]`);
      }
    }
  }
}
