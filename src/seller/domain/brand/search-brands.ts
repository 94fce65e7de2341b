import { normalizeWord, splitWords, stem } from '../search/words.js';
import { type Brand, type BrandHouse, isOfferedIn, offeredUses, type RightsOffer } from './brand.js';
import { describeIdentity } from './identity.js';

/** The brands that somebody is looking for; what is left out narrows nothing. */
type BrandQuestion = {
  readonly query: string;
  readonly industries?: readonly string[] | undefined;
  /** Of which one is enough. */
  readonly countries?: readonly string[] | undefined;
  readonly buyerDomain?: string | undefined;
};

/**
 * Returns the brands of a house for a question, best match first: words order, industries and countries of its rights narrow. A brand all
 * of whose rights are refused to the buyer is left out, for it could not be licensed.
 */
export function searchBrands(house: BrandHouse, question: BrandQuestion): readonly Brand[] {
  const asked = rootsOf(question.query);
  const matches = house.brands.filter((brand) => isMatch(brand, offersOf(house, brand), question));
  const scored = matches.map((brand) => {
    const own = rootsOf(textOf(brand, offersOf(house, brand)));
    return { brand, score: [...asked].filter((root) => own.has(root)).length };
  });
  return scored.toSorted((one, other) => other.score - one.score).map(({ brand }) => brand);
}

/** Returns a brand as search_brands shows it: what everybody may know, and where its rights can be had. */
export function describeBrand(house: BrandHouse, brand: Brand): Readonly<Record<string, unknown>> {
  const offers = offersOf(house, brand);
  const {
    available_fields: _locked,
    colors: _colors,
    fonts: _fonts,
    tagline: _tagline,
    ...stub
  } = describeIdentity(house, brand.brand_id, { isLinked: false, fields: undefined });
  return { ...stub, rights: offers.length === 0 ? undefined : describeOffers(offers) };
}

function describeOffers(offers: readonly RightsOffer[]): object {
  const isLimited = offers.every(({ countries }) => countries !== undefined);
  const [first = [], ...others] = offers.map(({ excluded_countries: out = [] }) => out);
  const excluded = first.filter((country) => others.every((out) => out.includes(country)));
  return {
    available_uses: [...new Set(offers.flatMap(offeredUses))],
    countries: isLimited ? [...new Set(offers.flatMap(({ countries = [] }) => countries))].sort() : undefined,
    excluded_countries: excluded.length === 0 ? undefined : excluded,
  };
}

function isMatch(
  { industries: own }: Brand,
  offers: readonly RightsOffer[],
  { buyerDomain, countries, industries }: BrandQuestion,
): boolean {
  if (industries !== undefined && !(Array.isArray(own) && own.some((one) => industries.includes(String(one)))))
    return false;
  if (countries !== undefined && !countries.some((country) => offers.some((offer) => isOfferedIn(offer, country))))
    return false;
  if (buyerDomain === undefined || offers.length === 0) return true;
  return offers.some(({ excluded_buyers }) => !excluded_buyers.includes(buyerDomain));
}

function offersOf({ rights }: BrandHouse, { brand_id: id }: Brand): readonly RightsOffer[] {
  return rights.filter(({ brand_id }) => brand_id === id);
}

function rootsOf(text: string): ReadonlySet<string> {
  return new Set(splitWords(text).map((word) => stem(normalizeWord(word))));
}

function textOf({ names, description, industries, tagline }: Brand, offers: readonly RightsOffer[]): string {
  const own = [...names.flatMap((name) => Object.values(name)), description, industries, tagline];
  return JSON.stringify([own, offers.map((offer) => [offer.name, offer.description])]).replaceAll('_', ' ');
}
