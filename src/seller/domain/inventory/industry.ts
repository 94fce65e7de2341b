import { findMeantName } from '../../../platform/kernel/nearest.js';
import { TaskError } from '../../../protocol/errors.js';
import type { MediaBuy } from '../media-buy/media-buy.js';

/** An advertiser as rivals see it: its brand's domain, and the industries that it buys for. */
export type Advertiser = { readonly domain: string; readonly industries: readonly string[] };

/** The industries of the protocol, and what each is divided into (https://adcontextprotocol.org, enums/advertiser-industry, 3.1). */
const INDUSTRIES: Readonly<Record<string, readonly string[]>> = {
  automotive: ['electric_vehicles', 'parts_accessories', 'luxury'],
  beauty_cosmetics: ['skincare', 'fragrance', 'haircare'],
  cannabis: [],
  cpg: ['personal_care', 'household'],
  dating: [],
  education: ['higher_education', 'online_learning', 'k12'],
  energy_utilities: ['renewable'],
  fashion_apparel: ['luxury', 'sportswear'],
  finance: ['banking', 'insurance', 'investment', 'cryptocurrency'],
  food_beverage: ['alcohol', 'restaurants', 'packaged_goods'],
  gambling_betting: ['sports_betting', 'casino'],
  gaming: ['mobile', 'console_pc', 'esports'],
  government_nonprofit: ['political', 'charity'],
  healthcare: ['pharmaceutical', 'medical_devices', 'wellness'],
  home_garden: ['furniture', 'home_improvement'],
  media_entertainment: ['podcasts', 'music', 'film_tv', 'publishing', 'live_events'],
  pets: [],
  professional_services: ['legal', 'consulting'],
  real_estate: ['residential', 'commercial'],
  recruitment_hr: [],
  retail: ['ecommerce', 'department_stores'],
  sports_fitness: ['equipment', 'teams_leagues'],
  technology: ['software', 'hardware', 'ai_ml'],
  telecom: ['mobile_carriers', 'internet_providers'],
  transportation_logistics: [],
  travel_hospitality: ['airlines', 'hotels', 'cruise', 'tourism'],
};

/** Every industry and part that a word may name. */
const ALL_INDUSTRIES: readonly string[] = Object.entries(INDUSTRIES).flatMap(([whole, parts]) => [
  whole,
  ...parts.map((part) => `${whole}.${part}`),
]);

/** The most industries of a brand that a sentence names. */
const MAX_NAMED_INDUSTRIES = 5;

/** Returns the industry that a word of the protocol names: of an unknown part its whole, undefined for what is none. */
function readIndustry(word: unknown): string | undefined {
  if (typeof word !== 'string') return undefined;
  const [whole = '', part] = word.split('.');
  const parts = Object.hasOwn(INDUSTRIES, whole) ? INDUSTRIES[whole] : undefined;
  if (parts === undefined) return undefined;
  return part !== undefined && parts.includes(part) ? `${whole}.${part}` : whole;
}

/** Returns who advertises in a buy: for the industry that the order names, else for those of its brand. */
export function readAdvertiser({ brand, echoed }: Pick<MediaBuy, 'brand' | 'echoed'>): Advertiser {
  const named = readIndustry(echoed.advertiser_industry);
  const industries = named === undefined ? (brand.industries ?? []) : [named];
  return { domain: brand.domain.toLowerCase(), industries };
}

/** Returns what an answer says of an industry that the protocol does not have: what the buy counts as in its place. */
export function describeIndustry(order: Pick<MediaBuy, 'brand' | 'echoed'>): string | undefined {
  const { advertiser_industry: word } = order.echoed;
  const named = readIndustry(word);
  if (typeof word !== 'string' || named === word) return undefined;
  const { industries } = readAdvertiser(order);
  const meant = named ?? findMeantName(word, ALL_INDUSTRIES);
  const counted = industries.length === 0 ? 'none' : industries.slice(0, MAX_NAMED_INDUSTRIES).join(', ');
  const hint = meant === undefined || industries.includes(meant) ? '' : ` (${meant}?)`;
  return `advertiser_industry is no industry of the protocol${hint}: the buy counts as one of ${counted}.`;
}

/** Whose a hold is that keeps others of its industries out. */
type CategoryHold = { readonly category: string | null; readonly advertiser: string | null };

/** Returns those among holds of a category that keep an advertiser out. */
export function listRivals<Held extends CategoryHold>(held: readonly Held[], advertiser: Advertiser): readonly Held[] {
  return held.filter(
    (other) =>
      other.advertiser !== advertiser.domain &&
      (other.category ?? '')
        .split(',')
        .some((theirs) => advertiser.industries.some((one) => isSameIndustry(one, theirs))),
  );
}

/** Returns whether two industries are one, or one is a part of the other: `healthcare` and `healthcare.wellness`. */
function isSameIndustry(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** Returns the error of an order for a product that is sold to one advertiser of an industry, and which names none. */
export function noIndustryNamed(field: string): TaskError {
  return new TaskError('INVALID_REQUEST', 'The product is sold to one advertiser of an industry at a time.', {
    field,
    suggestion:
      'Say which industry this buy is for: advertiser_industry, such as "automotive" (see details.allowed_values), or brand.industries.',
    details: { allowed_values: Object.keys(INDUSTRIES) },
  });
}
