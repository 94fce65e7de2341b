import type { FormatId } from '../../../creative/formats/format.js';
import type { BrandRef } from '../account/account.js';
import type { Pacing } from '../media-buy/media-buy.js';
import type { PricingModel, Product } from '../product/product.js';
import type { ResolvedCreative } from './creatives.js';

/** What a count of a goal counts. */
export type GoalUnit = 'impressions' | 'viewable_impressions' | 'clicks' | 'views' | 'completed_views' | 'conversions';

/** What a package is paid by: `amount` per unit of the model (per 1000 for cpm and vcpm), in the currency of the order. */
export type OrderPrice = {
  readonly model: PricingModel;
  readonly amount: number;
  /** `bid`: the most that the buyer pays in an auction. */
  readonly kind: 'fixed' | 'bid';
};

/** The units that a package is to deliver over its flight. */
export type OrderGoal = { readonly unit: GoalUnit; readonly count: number };

/** How a package or an order is to be in the ad server now. */
export type OrderState = 'running' | 'paused' | 'canceled' | 'completed';

/** A package as an ad server has to carry it out. Times are ISO 8601 in UTC, half open: from `start_time` until just before `end_time`. */
export type LivePackage = {
  readonly package_id: string;
  /** Of the product, for people. */
  readonly name: string;
  readonly product_id: string;
  /** The product's private settings for this ad server (its `adapter` member); empty where its file has none. */
  readonly adapter: Readonly<Record<string, unknown>>;
  /** Of the whole flight, in the currency of the order: spend never goes over it. */
  readonly budget: number;
  readonly price: OrderPrice;
  /** The impressions that were ordered, or what the budget buys at a fixed price, rounded down; undefined where neither says. */
  readonly goal: OrderGoal | undefined;
  readonly pacing: Pacing;
  readonly delivery_type: Product['delivery_type'];
  /** `targeting_overlay`, by the names of the protocol, without members that the buyer only has carried along. */
  readonly targeting: Readonly<Record<string, unknown>>;
  readonly start_time: string;
  readonly end_time: string;
  readonly state: OrderState;
  /** The formats that it is for. */
  readonly formats: readonly FormatId[];
  /** Whether it may not run without a creative. */
  readonly needs_creative: boolean;
  /** Those that may run now; a creative that is not in the list any more must not run. */
  readonly creatives: readonly ResolvedCreative[];
};

/**
 * An order as an ad server has to carry it out at a revision: real money. It is made of a live buy alone, and has neither the buyer's callbacks
 * nor what the seller knows of its own supply.
 */
export type LiveOrder = {
  readonly media_buy_id: string;
  readonly sandbox: false;
  readonly revision: number;
  /** For people: the brand, and the purchase order where there is one. */
  readonly name: string;
  readonly account_id: string;
  readonly brand: BrandRef;
  readonly po_number: string | undefined;
  /** ISO 4217. */
  readonly currency: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly state: OrderState;
  readonly packages: readonly LivePackage[];
};
