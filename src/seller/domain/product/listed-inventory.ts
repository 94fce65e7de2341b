import {
  collectionPart,
  LIST_DIMENSIONS,
  type ListDimension,
  type ListEntry,
  propertyPart,
  type SoldProperty,
} from '../targeting/lists.js';
import type { Shares } from '../targeting/shares.js';
import type { Product } from './product.js';

/** A publisher whose file is written here, as far as lists go. */
type ListedPublisher = {
  readonly domain: string;
  readonly properties?: readonly (SoldProperty & { readonly tags?: readonly string[] | undefined })[] | undefined;
};

type ListedProduct = Pick<Product, 'name' | 'inventory' | 'publisher_properties'>;

/** Returns the part of a product, 0 to 1, that a list leaves where a package names it in a dimension. */
export function partOfProduct(
  product: ListedProduct,
  dimension: ListDimension,
  entries: readonly ListEntry[],
  publishers: readonly ListedPublisher[],
): number {
  if (LIST_DIMENSIONS[dimension] === 'property')
    return propertyPart(soldProperties(product, publishers), product.inventory.targeting?.property_list, entries);
  const listed = collectionPart(collectionShares(product), entries);
  return dimension === 'collection_list' ? listed : 1 - listed;
}

/** Returns the parts of a product's collections; a product whose file names none is a collection of its own name. */
function collectionShares({ name, inventory }: ListedProduct): Shares {
  const given = inventory.targeting?.collection_list;
  return typeof given === 'object' ? given : { [name]: 1 };
}

/** Returns the first of some ids of collections that the product's file does not know either. */
export function findUnknown(product: ListedProduct, rids: readonly string[]): string | undefined {
  const own = new Set(Object.keys(collectionShares(product)).map((name) => name.toLowerCase()));
  return rids.find((rid) => !own.has(rid));
}

/** Returns the properties that a product runs on: of their publisher's file where it is written here, else its site. */
function soldProperties(product: ListedProduct, publishers: readonly ListedPublisher[]): readonly SoldProperty[] {
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

/** Returns the identifiers of the properties, or the names of the collections, that a product runs on. */
export function namesListed(
  product: ListedProduct,
  dimension: ListDimension,
  publishers: readonly ListedPublisher[],
): readonly string[] {
  if (LIST_DIMENSIONS[dimension] === 'collection') return Object.keys(collectionShares(product));
  const own = soldProperties(product, publishers).flatMap(({ identifiers }) => identifiers.map(({ value }) => value));
  return [...new Set(own)];
}
