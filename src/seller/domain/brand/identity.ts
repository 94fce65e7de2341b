import { TaskError } from '../../../protocol/errors.js';
import {
  type Brand,
  type BrandHouse,
  type IdentitySection,
  LINKED_SECTIONS,
  offeredUses,
  PUBLIC_SECTIONS,
} from './brand.js';

/** Who reads an identity, and what of it: all that the reader may see unless `fields` are given. */
type IdentityReading = { readonly isLinked: boolean; readonly fields: readonly IdentitySection[] | undefined };

/** The public members of a brand, under the names of brand.json. */
type PublicBrand = Pick<Brand, 'names' | (typeof PUBLIC_SECTIONS)[number]> & { readonly id: string };

/** Returns a brand's identity as the protocol shows it. What an account would add is named in `available_fields`. Throws REFERENCE_NOT_FOUND. */
export function describeIdentity(
  houseOfBrands: BrandHouse,
  brandId: string,
  { isLinked, fields }: IdentityReading,
): Readonly<Record<string, unknown>> {
  const brand = findBrand(houseOfBrands, brandId);
  const sections: Readonly<Record<string, unknown>> = { ...brand, rights: describeRights(houseOfBrands, brandId) };
  const isAsked = (section: IdentitySection): boolean =>
    sections[section] !== undefined && (fields?.includes(section) ?? true);
  const shown = [...PUBLIC_SECTIONS, ...(isLinked ? LINKED_SECTIONS : [])].filter(isAsked);
  const locked = isLinked ? [] : LINKED_SECTIONS.filter(isAsked);
  return {
    brand_id: brandId,
    house: houseOfBrands.house,
    names: brand.names,
    ...Object.fromEntries(shown.map((section) => [section, sections[section]])),
    available_fields: locked.length === 0 ? undefined : locked,
  };
}

/** Returns the brands of a house as its brand.json shows them to everybody. */
export function publishedBrands({ brands }: BrandHouse): readonly PublicBrand[] {
  return brands.map(({ assets, brand_id: id, tone, visual_guidelines, voice_synthesis, ...shown }) => ({
    id,
    ...shown,
  }));
}

/** Returns a brand of the house. Throws REFERENCE_NOT_FOUND. */
export function findBrand({ brands }: BrandHouse, brandId: string): Brand {
  const brand = brands.find(({ brand_id }) => brand_id === brandId);
  if (brand !== undefined) return brand;
  throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such brand here.', {
    field: 'brand_id',
    suggestion: 'Use a brand_id that the brand.json of the house or get_rights names.',
    codeIn30: 'BRAND_NOT_FOUND',
  });
}

/** Returns what rights of a brand are licensed, without prices; undefined where none are. */
function describeRights({ rights }: BrandHouse, brandId: string): object | undefined {
  const offers = rights.filter(({ brand_id }) => brand_id === brandId);
  if (offers.length === 0) return undefined;
  const isLimited = offers.every(({ countries }) => countries !== undefined);
  const countries = [...new Set(offers.flatMap(({ countries: own = [] }) => own))].sort();
  const isExclusive = offers.some(({ pricing_options }) => pricing_options.some(({ exclusive }) => exclusive));
  const restrictions = [...new Set(offers.flatMap(({ content_restrictions }) => content_restrictions))];
  return {
    available_uses: [...new Set(offers.flatMap(offeredUses))],
    countries: isLimited ? countries : undefined,
    exclusivity_model: isExclusive ? 'exclusive_or_shared' : 'shared',
    content_restrictions: restrictions.length === 0 ? undefined : restrictions,
  };
}
