import { canonicalHash } from '../../../platform/kernel/canonical.js';

/** The brand that terms are for. */
export type BrandKey = {
  readonly domain: string;
  readonly brand_id?: string | undefined;
  readonly countries?: readonly string[] | undefined;
};

/** A product in terms, at its price and for its part of the flight. */
type Purchase = Readonly<Record<string, unknown>> & {
  readonly product_id: string;
  readonly pricing_option_id: string;
  readonly pricing: Readonly<Record<string, unknown>>;
  readonly budget: number;
  readonly start_time: string;
  readonly end_time: string;
};

/** The terms of a snapshot. Money in the currency of the total; instants in ISO 8601. */
export type CommercialTerms = {
  readonly source_feed_version?: string | undefined;
  readonly brand: BrandKey;
  readonly purchases: readonly Purchase[];
  readonly start_time: string;
  readonly end_time: string;
  readonly total_budget: { readonly amount: number; readonly currency: string };
  readonly purchase_order_ref?: string | undefined;
  readonly cancellation_terms?: { readonly effective_at: string; readonly reason?: string | undefined } | undefined;
};

/** The change, as update_media_buy takes it, by which a buy comes to the terms of an amendment. */
export type BuyChange = {
  readonly start_time?: string;
  readonly end_time?: string;
  readonly packages?: readonly { readonly package_id: string; readonly budget?: number; readonly canceled?: true }[];
  readonly new_packages?: readonly AddedPackage[];
};

/** A package that an amendment adds to its buy. */
export type AddedPackage = {
  readonly product_id: string;
  readonly pricing_option_id: string;
  readonly budget: number;
  readonly bid_price?: number | undefined;
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
};

/**
 * The members that make a proposal a snapshot: an offer that no call changes. Changing it makes another, which names it
 * as its parent.
 */
export type Snapshot = {
  readonly kind: 'new_media_buy' | 'media_buy_update' | 'media_buy_cancellation';
  readonly parent_proposal_id?: string | undefined;
  readonly opportunity_id?: string | undefined;
  readonly terms: CommercialTerms;
  readonly terms_digest: string;
  /** Of one that is about a buy: the buy, and its revision when it was made. */
  readonly media_buy_id?: string | undefined;
  readonly base_media_buy_revision?: number | undefined;
  /** Of an amendment: how the buy comes to its terms. */
  readonly change?: BuyChange | undefined;
  /** What offers its products were chosen among. */
  readonly criteria?: Readonly<Record<string, unknown>> | undefined;
  /** ISO 8601. */
  readonly accepted_at?: string | undefined;
  /** The buyer's first reason for not wanting it. */
  readonly declined?: { readonly reason: string; readonly detail?: string | undefined } | undefined;
};

/** Returns the digest of terms: SHA-256 of their canonical JSON. */
export function digestTerms(terms: CommercialTerms): string {
  return `sha256:${canonicalHash(terms)}`;
}
