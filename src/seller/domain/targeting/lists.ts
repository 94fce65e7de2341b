import { isObject } from '../../../platform/kernel/json/json.js';
import type { Overlay } from './parts.js';
import type { Shares } from './shares.js';

/** Lists of inventory that another agent maintains: of properties, and of collections such as shows and podcasts. */
export type ListKind = 'property' | 'collection';

/** An entry of a list: an identifier by its type, or a collection's name; values are in lower case. */
export type ListEntry = { readonly type: string; readonly value: string };

/** The dimensions that name lists, and what they are lists of. */
export const LIST_DIMENSIONS = {
  property_list: 'property',
  collection_list: 'collection',
  collection_list_exclude: 'collection',
} as const satisfies Readonly<Record<string, ListKind>>;
export type ListDimension = keyof typeof LIST_DIMENSIONS;

/** The names of the dimensions that name lists. */
export const LISTS = Object.keys(LIST_DIMENSIONS) as readonly ListDimension[];

/** The parts of products that the lists of a request leave, by `listKey`. */
export type ListParts = ReadonlyMap<string, number>;

/** A property that a product runs on. */
export type SoldProperty = { readonly property_id?: string | undefined; readonly identifiers: readonly ListEntry[] };

/** Returns the name under which a request's parts have what a list leaves of a product. */
export function listKey(productId: string, dimension: ListDimension, { agent_url, list_id }: Overlay): string {
  return JSON.stringify([productId, dimension, agent_url, list_id]);
}

/** Returns what the lists of an overlay leave of a product, 0 to 1; undefined where it names none that were read. */
export function listedPart(overlay: Overlay, productId: string, parts: ListParts | undefined): number | undefined {
  const read = LISTS.flatMap((name) => {
    const reference = overlay[name];
    return isObject(reference) ? (parts?.get(listKey(productId, name, reference)) ?? []) : [];
  });
  return read.length === 0 ? undefined : read.reduce((product, part) => product * part, 1);
}

/** Identifiers of web domains, which stand for what lies below them, too. */
const DOMAINS: ReadonlySet<string> = new Set(['domain', 'subdomain']);

/**
 * Returns the part of a product that runs on listed properties: by the parts that its file gives for their ids or identifiers, else equal
 * ones. A part of a property is no property.
 */
export function propertyPart(
  properties: readonly SoldProperty[],
  given: true | Shares | undefined,
  entries: readonly ListEntry[],
): number {
  const exact = new Set(entries.map(keyOf));
  const domains = new Set(entries.filter(({ type }) => DOMAINS.has(type)).map(({ value }) => value));
  const isListed = ({ identifiers }: SoldProperty): boolean =>
    identifiers.some((one) => exact.has(keyOf(one)) || (DOMAINS.has(one.type) && isBelow(one.value, domains)));
  const partOf = ({ property_id = '', identifiers }: SoldProperty): number => {
    if (given === undefined || given === true) return 1 / properties.length;
    const names = [property_id, ...identifiers.map(({ value }) => value)];
    return Math.max(0, ...names.map((name) => given[name] ?? 0));
  };
  const own = properties.filter(isListed).reduce((sum, property) => sum + partOf(property), 0);
  return Math.min(1, own);
}

function keyOf({ type, value }: ListEntry): string {
  return `${DOMAINS.has(type) ? 'domain' : type} ${value.toLowerCase()}`;
}

function isBelow(value: string, domains: ReadonlySet<string>): boolean {
  const labels = value.toLowerCase().split('.');
  return labels.some((_label, index) => domains.has(labels.slice(index).join('.')));
}

/** Returns the part of a product that listed collections have, by the parts that its file gives for their names or ids. */
export function collectionPart(given: Shares, entries: readonly ListEntry[]): number {
  const listed = new Set(entries.map(({ value }) => value));
  const own = Object.entries(given).filter(([name]) => listed.has(name.toLowerCase()));
  return Math.min(
    1,
    own.reduce((sum, [, part]) => sum + part, 0),
  );
}
