import type { KellerType } from '../../../protocol/brand-words.js';

/** The uses that rights may be for, as the protocol names them. */
export const RIGHT_USES = [
  'likeness',
  'voice',
  'name',
  'endorsement',
  'motion_capture',
  'signature',
  'catchphrase',
  'sync',
  'background_music',
  'editorial',
  'commercial',
  'ai_generated_image',
] as const;
export type RightUse = (typeof RIGHT_USES)[number];

/** What rights may be about. */
export const RIGHT_TYPES = ['talent', 'character', 'brand_ip', 'music', 'stock_media'] as const;
type RightType = (typeof RIGHT_TYPES)[number];

/** How rights are priced here: for a thousand impressions, or for a period. */
export const RIGHTS_MODELS = ['cpm', 'flat_rate'] as const;
/** The periods that a flat rate may be for. */
export const BILLING_PERIODS = ['daily', 'weekly', 'monthly', 'quarterly', 'annual', 'one_time'] as const;

/** The sections of an identity that everybody may read, and those for callers with an account. */
export const PUBLIC_SECTIONS = [
  'description',
  'industries',
  'keller_type',
  'logos',
  'colors',
  'fonts',
  'tagline',
] as const;
export const LINKED_SECTIONS = ['visual_guidelines', 'tone', 'voice_synthesis', 'assets', 'rights'] as const;
export type IdentitySection = (typeof PUBLIC_SECTIONS)[number] | (typeof LINKED_SECTIONS)[number];

/** A brand of the house, under the names of brand.json. */
export type Brand = {
  readonly brand_id: string;
  /** Names by locale, such as `{"en_US": "Nova"}`. */
  readonly names: readonly Readonly<Record<string, string>>[];
  readonly keller_type?: KellerType;
} & { readonly [Section in Exclude<IdentitySection, 'keller_type' | 'rights'>]?: unknown };

/** A price of rights. Money in the currency's unit. */
export type RightsPrice = {
  readonly pricing_option_id: string;
  readonly model: (typeof RIGHTS_MODELS)[number];
  readonly price: number;
  readonly currency: string;
  readonly uses: readonly RightUse[];
  readonly period?: (typeof BILLING_PERIODS)[number];
  readonly impression_cap?: number;
  readonly overage_cpm?: number;
  readonly description?: string;
  /** Whoever buys at it has the rights alone, where and as long as it has them. */
  readonly exclusive: boolean;
};

/** Rights that are licensed, as the tenant's file has them. */
export type RightsOffer = {
  readonly rights_id: string;
  readonly brand_id: string;
  readonly name: string;
  readonly description: string;
  readonly right_type: RightType;
  /** ISO 3166-1 alpha-2; everywhere unless given. */
  readonly countries?: readonly string[];
  readonly excluded_countries?: readonly string[];
  readonly pricing_options: readonly RightsPrice[];
  readonly content_restrictions: readonly string[];
  readonly preview_assets: readonly { readonly url: string; readonly usage?: string }[];
  /** Domains of brands that do not get them; buyers are not told which. */
  readonly excluded_buyers: readonly string[];
  readonly disclosure?: { readonly required: boolean; readonly text?: string };
};

/** Where the house stands to a claim. */
export const CLAIM_STATUSES = [
  'owned',
  'pending_review',
  'transferring',
  'disputed',
  'not_ours',
  'archived',
  'licensed_in',
  'licensed_out',
] as const;

/** The house's position on a claim that it has an answer to. */
type Position = {
  readonly status: (typeof CLAIM_STATUSES)[number];
  /** Until when a pending one is decided, a day; after it nothing is known. */
  readonly pending_until?: string;
  /** For whoever asks. */
  readonly note?: string;
};

/** The claims that the house has an answer to. */
export type Claims = {
  readonly subsidiaries: readonly (Position & {
    readonly domain: string;
    readonly brand_id?: string;
    readonly first_observed_at?: string;
  })[];
  readonly parents: readonly (Position & { readonly domain: string })[];
  readonly properties: readonly (Position & {
    readonly type: string;
    readonly identifier: string;
    readonly store?: string;
    readonly relationship?: string;
    readonly regions?: readonly string[];
    readonly use_cases?: readonly string[];
  })[];
  readonly trademarks: readonly (Position & {
    readonly mark: string;
    readonly registry?: string;
    readonly number?: string;
    readonly countries?: readonly string[];
    readonly nice_classes?: readonly number[];
    readonly licensor_domain?: string;
    readonly use_cases?: readonly string[];
  })[];
};

/** A brand agent's house: its brands, its answers to claims, and the rights that it licenses. */
export type BrandHouse = {
  readonly house: { readonly domain: string; readonly name: string };
  readonly brands: readonly Brand[];
  readonly claims: Claims;
  readonly rights: readonly RightsOffer[];
};

/** Returns every use that some price of an offer is for. */
export function offeredUses({ pricing_options }: Pick<RightsOffer, 'pricing_options'>): readonly RightUse[] {
  return [...new Set(pricing_options.flatMap(({ uses }) => uses))];
}

/** Whether rights are available in a country. */
export function isOfferedIn(
  { countries, excluded_countries = [] }: Pick<RightsOffer, 'countries' | 'excluded_countries'>,
  country: string,
): boolean {
  return (countries?.includes(country) ?? true) && !excluded_countries.includes(country);
}

/** Whether a tenant licenses rights. */
export function licensesRights({ brand }: { readonly brand?: BrandHouse | undefined }): boolean {
  return (brand?.rights.length ?? 0) > 0;
}
