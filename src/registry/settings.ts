import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/kernel/clock.js';

/** How a registry of one's own is run, as the settings file says it. */
export type RegistryServiceSettings = {
  readonly policy: Partial<RegistryPolicy>;
  /** `development` lets anybody sign in under any name, on loopback only. */
  readonly identityProvider: IdentityProvider | 'development' | undefined;
  /** Names that no other may be mistaken for. */
  readonly protectedNames: readonly string[];
  readonly limits: LimitChanges;
  /** Who knows brands that have no brand.json; absent where nobody is asked. */
  readonly brandData?: BrandDataSettings | undefined;
  /** How many publishers are read at once; `CRAWL_CONCURRENCY` unless set. */
  readonly crawlConcurrency?: number | undefined;
};

/** A third party that is asked for brand data. */
export type BrandDataSettings = {
  /** Takes `?domain=`. */
  readonly url: string;
  /** Sent as a bearer token. */
  readonly key: string | undefined;
};

/** How many publishers are read at once unless the settings say otherwise, and at most. */
export const CRAWL_CONCURRENCY = { usual: 8, most: 256 } as const;

/** A registry's rules for its members. */
export type RegistryPolicy = {
  /** Whether a save needs the proof of the domain; `off` is for private networks whose members are known. */
  readonly ownership: 'required' | 'off';
  /** What becomes of a name that reads like another one's: refused, held for a person, or taken. */
  readonly lookAlikes: 'reject' | 'review' | 'off';
  /** How long a proof lasts before the next save needs a new one. */
  readonly proofLastsMs: number;
  /** Whether domains that are not known are looked up on the internet. */
  readonly liveLookups: boolean;
  /** Most domains of one bulk look-up. */
  readonly bulkDomains: number;
  /** How long a signed badge is valid; its agent gets the next one before. */
  readonly badgeLastsMs: number;
};

/** The most domains that the public contract has in a bulk look-up. */
export const MAX_BULK_DOMAINS = 100;

/** How long a signed badge is valid unless the settings say otherwise, and at most: what is taken back is listed for that long. */
export const BADGE_HOURS = { usual: 24, most: 168 } as const;

/** The policy of a public registry. */
export const PUBLIC_POLICY: RegistryPolicy = {
  ownership: 'required',
  lookAlikes: 'reject',
  proofLastsMs: 90 * DAY_MS,
  liveLookups: true,
  bulkDomains: MAX_BULK_DOMAINS,
  badgeLastsMs: BADGE_HOURS.usual * HOUR_MS,
};

/** An OAuth 2.1 provider that vouches for users. */
export type IdentityProvider = {
  /** As its tokens and its metadata write it, to the letter. */
  readonly issuer: string;
  /** Of tokens for this registry; its own addresses unless given. */
  readonly audience?: readonly string[];
  /** Of the metadata unless given. */
  readonly jwks_uri?: string;
  /** Signature algorithms that are taken. */
  readonly algorithms?: readonly string[];
};

/** Asymmetric signatures; `none` and shared secrets are never taken, whatever a token says. */
export const TOKEN_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
] as const;

/** How often something may be done: `points` times in a window that begins with the first. */
export type LimitRule = { readonly points: number; readonly windowMs: number };

/** The counters of a registry: those of the public contract count unless they are changed, the others (`false`) where they are set. */
export const LIMIT_RULES = {
  bulk: { points: 20, windowMs: MINUTE_MS },
  save_user: { points: 60, windowMs: HOUR_MS },
  save_organization_hour: { points: 90, windowMs: HOUR_MS },
  save_organization_day: { points: 300, windowMs: DAY_MS },
  save_ip: false,
  ownership: false,
  crawl_domain: { points: 1, windowMs: 5 * MINUTE_MS },
  crawl_user: { points: 30, windowMs: HOUR_MS },
  /** An operation of ours that the public contract does not have: 30 requests or so to an address of the caller's choice. */
  doctor_user: { points: 30, windowMs: HOUR_MS },
  probe: false,
  /** The snapshot of the authorizations, and checks of lists of domains. */
  bulk_read: false,
  /** What the provider of brand data is asked, by all callers together: it may cost money. */
  brand_data: { points: 60, windowMs: MINUTE_MS },
  resolve_live: false,
} as const satisfies Record<string, LimitRule | false>;

/**
 * What one address may do without a valid credential: calls, calls with a credential that is not valid, bytes of bodies. They protect the
 * process and lie far above what the public contract lets a caller do.
 */
export const STRANGER_RULES = {
  stranger_calls: { points: 10_000, windowMs: 10 * SECOND_MS },
  stranger_failures: { points: 100, windowMs: 10 * SECOND_MS },
  stranger_bytes: { points: 64 * 1024 * 1024, windowMs: 10 * SECOND_MS },
} as const satisfies Record<string, LimitRule>;

/** A counter of the table. */
export type LimitName = keyof typeof LIMIT_RULES;
export type StrangerLimitName = keyof typeof STRANGER_RULES;

/** Changed limits: other numbers or none (`false`) for some counters, or no limit at all. */
export type LimitChanges = Readonly<Partial<Record<LimitName | StrangerLimitName, LimitRule | false>>> | 'off';
