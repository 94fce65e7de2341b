import type { MediaChannel } from '../../../../protocol/media-channel.js';

/** The kinds of financial commitment that a plan governs. */
export const PURCHASE_TYPES = ['media_buy', 'rights_license', 'signal_activation', 'creative_services'] as const;
export type PurchaseType = (typeof PURCHASE_TYPES)[number];

/** What an agent that a plan is delegated to may do: anything within it, what was approved before, or only propose. */
export const AUTHORITIES = ['full', 'execute_only', 'propose_only'] as const;

/** How a violated policy counts: it denies, it warns, or it is only noted. */
export const ENFORCEMENTS = ['must', 'should', 'may'] as const;
type Enforcement = (typeof ENFORCEMENTS)[number];

/** An amount of money: `currency` by ISO 4217. */
type Money = { readonly amount: number; readonly currency: string };

/** The budget of a plan, in `currency`; percentages 0 to 100. */
type PlanBudget = {
  readonly total: number;
  readonly currency: string;
  readonly per_seller_max_pct?: number | undefined;
  /** Largest change that needs no person. */
  readonly reallocation_threshold?: number | undefined;
  readonly reallocation_unlimited?: boolean | undefined;
  readonly allocations?: Readonly<Partial<Record<PurchaseType, Allocation>>> | undefined;
};

type Allocation = { readonly amount?: number | undefined; readonly max_pct?: number | undefined };

/** A policy that a plan brings in its own words. */
export type PlanPolicy = {
  readonly policy_id: string;
  readonly enforcement: Enforcement;
  readonly policy: string;
  readonly channels?: readonly MediaChannel[] | null | undefined;
  readonly jurisdictions?: readonly string[] | undefined;
  readonly requires_human_review?: boolean | undefined;
  /** ISO dates between which it counts. */
  readonly effective_date?: string | undefined;
  readonly sunset_date?: string | undefined;
};

/** An agent that may act on a plan: within its budget and markets, until its delegation expires. */
export type Delegation = {
  readonly agent_url: string;
  readonly authority: (typeof AUTHORITIES)[number];
  readonly budget_limit?: Money | undefined;
  readonly markets?: readonly string[] | undefined;
  readonly expires_at?: string | undefined;
};

/** Whom a campaign is to reach: a published signal, or people in words. */
export type AudienceSelector = Readonly<Record<string, unknown>>;

/** A campaign plan as sync_plans brings it: what may be bought, for how much, when and where. Times ISO 8601. */
export type Plan = {
  readonly plan_id: string;
  readonly brand: { readonly domain: string };
  readonly objectives: string;
  readonly budget: PlanBudget;
  readonly flight: { readonly start: string; readonly end: string };
  readonly channels?:
    | {
        readonly required?: readonly MediaChannel[] | undefined;
        readonly allowed?: readonly MediaChannel[] | undefined;
        readonly mix_targets?:
          | Readonly<Record<string, { readonly min_pct?: number | undefined; readonly max_pct?: number | undefined }>>
          | undefined;
      }
    | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly regions?: readonly string[] | undefined;
  readonly audience?:
    | {
        readonly include?: readonly AudienceSelector[] | undefined;
        readonly exclude?: readonly AudienceSelector[] | undefined;
      }
    | undefined;
  readonly restricted_attributes?: readonly string[] | undefined;
  readonly restricted_attributes_custom?: readonly string[] | undefined;
  readonly min_audience_size?: number | undefined;
  readonly human_review_required?: boolean | undefined;
  readonly custom_policies?: readonly PlanPolicy[] | undefined;
  readonly approved_sellers?: readonly string[] | null | undefined;
  readonly delegations?: readonly Delegation[] | undefined;
};

/** A plan as it is stored: its present revision, and the base64url SHA-256 of that revision's canonical form. */
export type StoredPlan = {
  readonly plan: Plan;
  /** 1 for the first revision. */
  readonly version: number;
  readonly plan_hash: string;
};
