import { normalizeWord, splitWords, stem } from '../search/words.js';
import { type BrandHouse, offeredUses, type RightsOffer, type RightUse } from './brand.js';
import { type Grant, rejectBuyer } from './grant.js';

/** A buyer's search for rights. */
type RightsQuestion = {
  readonly query: string;
  readonly uses: readonly RightUse[];
  readonly buyerDomain?: string | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly brandId?: string | undefined;
  readonly rightType?: string | undefined;
};

/** An offer that matches, and how well. */
type Match = { readonly offer: RightsOffer; readonly score: number; readonly words: readonly string[] };

/** An offer of the right kind that is kept back, and what would bring it. */
type Excluded = {
  readonly brand_id: string;
  readonly name: string;
  readonly reason: string;
  readonly suggestions?: readonly string[];
};

/** The offers of a house that match, best first, and those that were filtered out. */
type RightsMatches = { readonly matches: readonly Match[]; readonly excluded: readonly Excluded[] };

/** Searches the rights of a house. Words only order: what is not for the uses, the buyer or the countries is filtered out. */
export function searchRights({ rights }: BrandHouse, question: RightsQuestion): RightsMatches {
  const { brandId, rightType, query } = question;
  const asked = new Map(splitWords(query).map((word) => [stem(normalizeWord(word)), word]));
  const excluded: Excluded[] = [];
  const matches: Match[] = [];
  for (const offer of rights) {
    if (brandId !== undefined && offer.brand_id !== brandId) continue;
    if (rightType !== undefined && offer.right_type !== rightType) continue;
    const fault = findFault(offer, question);
    if (fault !== undefined) {
      excluded.push({ brand_id: offer.brand_id, name: offer.name, ...fault });
      continue;
    }
    const own = new Set(splitWords(textOf(offer)).map((word) => stem(normalizeWord(word))));
    const words = [...asked].flatMap(([root, word]) => (own.has(root) ? [word] : []));
    const share = asked.size === 0 ? 0 : words.length / asked.size;
    matches.push({ offer, score: Math.round((0.5 + share / 2) * 100) / 100, words });
  }
  return { matches: matches.sort((one, other) => other.score - one.score), excluded };
}

function findFault(
  offer: RightsOffer,
  { uses, buyerDomain = '', countries }: RightsQuestion,
): Pick<Excluded, 'reason' | 'suggestions'> | undefined {
  const offered = offeredUses(offer);
  const missing = uses.filter((use) => !offered.includes(use));
  if (missing.length > 0) {
    return { reason: `Not licensed for ${missing.join(', ')}.`, suggestions: [`Licensed for ${offered.join(', ')}.`] };
  }
  return rejectBuyer(offer, buyerDomain, countries);
}

function textOf({ name, description, right_type, content_restrictions, pricing_options }: RightsOffer): string {
  const prices = pricing_options.map(({ description: text = '' }) => text);
  return [name, description, right_type, ...content_restrictions, ...prices].join(' ').replaceAll('_', ' ');
}

/** Returns a match as the protocol shows it; `grants` are those of the offer that are in force. */
export function describeMatch({ offer, score, words }: Match, uses: readonly RightUse[], grants: readonly Grant[]) {
  const { pricing_options, content_restrictions, preview_assets } = offer;
  const covering = pricing_options.filter((price) => uses.every((use) => price.uses.includes(use)));
  const taken = grants.filter(({ price }) => price.exclusive);
  const canBeExclusive = pricing_options.some(({ exclusive }) => exclusive);
  return {
    rights_id: offer.rights_id,
    brand_id: offer.brand_id,
    name: offer.name,
    description: offer.description,
    right_type: offer.right_type,
    match_score: score,
    match_reasons: [
      `Licensed for ${uses.join(', ')}`,
      ...(words.length === 0 ? [] : [`Its description speaks of ${words.join(', ')}`]),
    ],
    available_uses: offeredUses(offer),
    countries: offer.countries,
    excluded_countries: offer.excluded_countries,
    exclusivity_status: {
      available: canBeExclusive && grants.length === 0,
      existing_exclusives: taken.length === 0 ? undefined : taken.map(describeExclusive),
    },
    pricing_options: (covering.length === 0 ? pricing_options : covering).map(({ exclusive, ...price }) => ({
      ...price,
      ext: exclusive ? { exclusive } : undefined,
    })),
    content_restrictions: content_restrictions.length === 0 ? undefined : content_restrictions,
    preview_assets: preview_assets.length === 0 ? undefined : preview_assets,
  };
}

/** Describes an exclusive commitment without licensee and price, which are between the house and that licensee. */
function describeExclusive({ uses, countries, end_date }: Grant): string {
  const where = countries === undefined ? 'everywhere' : `in ${countries.join(', ')}`;
  return `Exclusive commitment for ${uses.join(', ')} ${where}${end_date === undefined ? '' : ` until ${end_date}`}`;
}
