import { isObject } from '../../../platform/kernel/json/json.js';
import { isReservedHost, isUrl } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import { checkTargetable, leastMatched } from '../../domain/audience/audience.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { Product } from '../../domain/product/product.js';
import { AUDIENCE_DIMENSIONS, listDimensions } from '../../domain/targeting/check.js';
import {
  collectionPart,
  LIST_DIMENSIONS,
  LISTS,
  type ListDimension,
  type ListEntry,
  type ListParts,
  listKey,
  propertyPart,
  type SoldProperty,
} from '../../domain/targeting/lists.js';
import type { Shares } from '../../domain/targeting/offer.js';
import type { ListAnswer } from '../../governance/inventory-list.js';
import type { Reader } from '../../store/store.js';
import { mayNameLocal } from '../pipeline/order-context.js';

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

/**
 * Reads lists from the agents that keep them, and returns what each leaves of its product; it belongs before the transaction. Throws
 * UNSUPPORTED_FEATURE where a product's parts are not known by what is listed, REFERENCE_NOT_FOUND or SERVICE_UNAVAILABLE where the list
 * cannot be read, and PRODUCT_UNAVAILABLE where it leaves nothing.
 */
export async function readLists(app: App, call: Call, lists: readonly TargetedList[]): Promise<ListParts> {
  const parts = new Map<string, number>();
  for (const { product, dimension, reference, field } of lists) {
    const { agent_url, list_id, auth_token } = reference;
    const isWhole = typeof agent_url === 'string' && typeof list_id === 'string' && isUrl(agent_url);
    // What is not offered, or names no list, is refused with the rest of the targeting.
    if (product === undefined || !isWhole || !listDimensions(product.inventory).includes(dimension)) continue;
    const key = listKey(product.product_id, dimension, reference);
    if (isExample(call, agent_url)) {
      parts.set(key, EXAMPLE_PART);
      continue;
    }
    const token = typeof auth_token === 'string' ? auth_token : undefined;
    const { fetchList, MAX_LIST_PAGES } = await import('../../governance/inventory-list.js');
    const named = { agent_url, list_id, auth_token: token };
    const local = mayNameLocal(app, call);
    const answer = await fetchList(app.renderer().outbound, LIST_DIMENSIONS[dimension], named, local);
    if (typeof answer === 'string') throw unreadable(answer, field, MAX_LIST_PAGES);
    const part = partOf(app, product, dimension, answer);
    if (part <= 0) throw nothingListed(app, product, dimension, field);
    parts.set(key, part);
  }
  return parts;
}

function isExample({ seller, principal }: Call, agentUrl: string): boolean {
  const isMapped = Object.hasOwn(seller.tenant.outboundResolve, new URL(agentUrl).host);
  return principal?.sandbox === true && isReservedHost(agentUrl) && !isMapped;
}

function partOf(app: App, product: Product, dimension: ListDimension, entries: readonly ListEntry[]): number {
  const { targeting } = product.inventory;
  if (LIST_DIMENSIONS[dimension] === 'property')
    return propertyPart(soldProperties(product, app.publishers()), targeting?.property_list, entries);
  const listed = collectionPart(collectionShares(product), entries);
  return dimension === 'collection_list' ? listed : 1 - listed;
}

/** Returns the parts of a product's collections; a product whose file names none is a collection of its own name. */
function collectionShares({ name, inventory }: Product): Shares {
  const given = inventory.targeting?.collection_list;
  return typeof given === 'object' ? given : { [name]: 1 };
}

/** Returns the properties that a product runs on: of their publisher's file where it is written here, else its site. */
function soldProperties(product: Product, publishers: ReturnType<App['publishers']>): readonly SoldProperty[] {
  return product.publisher_properties.flatMap((selector): readonly SoldProperty[] => {
    const { publisher_domain: domain } = selector;
    const site = [{ type: 'domain', value: domain }];
    const all = publishers.find((publisher) => publisher.domain === domain)?.properties;
    if (selector.selection_type === 'by_id')
      return selector.property_ids.map((property_id) => {
        const property = all?.find((property) => property.property_id === property_id);
        return { property_id, identifiers: property?.identifiers ?? site };
      });
    const tags = selector.selection_type === 'by_tag' ? selector.property_tags : undefined;
    const chosen = all?.filter((property) => tags === undefined || property.tags?.some((tag) => tags.includes(tag)));
    return chosen === undefined || chosen.length === 0 ? [{ identifiers: site }] : chosen;
  });
}

/** What is answered for a list that cannot be read. */
function unreadable(why: Exclude<ListAnswer, readonly ListEntry[]>, field: string, maxPages: number): TaskError {
  if (why === 'unreachable') {
    return new TaskError('SERVICE_UNAVAILABLE', 'The agent that keeps the list does not answer.', {
      field,
      suggestion: 'Try again, or leave the list out.',
    });
  }
  if (why === 'too_long') {
    return new TaskError('UNSUPPORTED_FEATURE', 'The list is longer than is read here.', {
      field,
      suggestion: `Name a list of at most ${maxPages} pages, each with the cursor of the next.`,
    });
  }
  return new TaskError('REFERENCE_NOT_FOUND', 'The agent has no such list, or does not say what is on it.', {
    field,
    suggestion: 'Name a list that its agent resolves for this token, or leave it out.',
  });
}

function nothingListed(app: App, product: Product, dimension: ListDimension, field: string): TaskError {
  const isOfProperties = LIST_DIMENSIONS[dimension] === 'property';
  const own = isOfProperties
    ? soldProperties(product, app.publishers()).flatMap(({ identifiers }) => identifiers.map(({ value }) => value))
    : Object.keys(collectionShares(product));
  const what = isOfProperties ? 'properties' : 'collections';
  return new TaskError('PRODUCT_UNAVAILABLE', `The list leaves none of the ${what} that the product runs on.`, {
    field,
    suggestion: `Choose another product, or a list that leaves some of ${[...new Set(own)].slice(0, MAX_NAMED).join(', ')}.`,
  });
}

const MAX_NAMED = 10;

/** A package of an order or a change, as far as its audiences go; its targeting was judged before. */
type Targeted = { readonly targeting_overlay?: Readonly<Record<string, unknown>> | undefined };

/**
 * Refuses packages that target audiences which the account does not have, or which are too small yet. `list` is the path of the
 * packages. Throws REFERENCE_NOT_FOUND or AUDIENCE_TOO_SMALL with the field.
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
        const groups = row && (await db.audiences.groups(row.seq));
        checkTargetable(groups, least, `${list}[${index}].targeting_overlay.${name}[${position}]`);
      }
    }
  }
}
