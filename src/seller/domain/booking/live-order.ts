import type { FormatId } from '../../../creative/formats/format.js';
import type { BrandRef } from '../account/account.js';
import type { MediaBuy, Pacing, Package } from '../media-buy/media-buy.js';
import type { PricingModel, Product } from '../product/product.js';
import type { ResolvedCreative } from './creatives.js';
import { type Deal, listDeals } from './deals.js';

/** The unit of a goal's count. */
export type GoalUnit = 'impressions' | 'viewable_impressions' | 'clicks' | 'views' | 'completed_views' | 'conversions';

/** A package's price: `amount` per unit of the model (per 1000 for cpm and vcpm), in the currency of the order. */
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
  /** The private deals that it is to be delivered as, in the words of OpenRTB; `id` is what was answered for it. Undefined where it is not. */
  readonly deals?: readonly Deal[] | undefined;
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

/** A buy that is real money. Only it can become an order: a sandbox buy does not have this type. */
export type LiveBuy = MediaBuy & { readonly sandbox: false };

/** Whether a buy is real; the only way to a `LiveBuy`. */
export function isLive(buy: MediaBuy): buy is LiveBuy {
  return !buy.sandbox;
}

/** The parts of an order beside its buy. */
type OrderParts = {
  readonly creatives: readonly ResolvedCreative[];
  /** Returns the private settings of a product for the ad server; undefined where the tenant file has it no more. */
  readonly adapterOf: (productId: string) => LivePackage['adapter'] | undefined;
  /** Returns the name of a product. */
  readonly nameOf: (productId: string) => string | undefined;
};

/** Returns the order that an ad server has to carry out for a buy. */
export function makeOrder(buy: LiveBuy, parts: OrderParts): LiveOrder {
  const { media_buy_id, revision, account_id, brand, currency, start_time, end_time, echoed } = buy;
  const po = typeof echoed.po_number === 'string' ? echoed.po_number : undefined;
  const name = [brand.domain, brand.brand_id, po].filter((part) => part !== undefined).join(' ');
  const state = orderState(buy);
  return {
    ...{ media_buy_id, sandbox: false, revision, name, account_id, brand, po_number: po },
    ...{ currency, start_time, end_time, state },
    packages: buy.packages.map((line) => makePackage(line, state, { ...parts, brand })),
  };
}

function makePackage(
  line: Package,
  orderState: OrderState,
  { adapterOf, brand, creatives, nameOf }: OrderParts & Pick<MediaBuy, 'brand'>,
): LivePackage {
  const { package_id, product_id, budget, pacing, start_time, end_time, needs_creative, sold } = line;
  return {
    ...{ package_id, product_id, budget, pacing, start_time, end_time, needs_creative },
    name: nameOf(product_id) ?? product_id,
    adapter: adapterOf(product_id) ?? sold.inventory.adapter ?? {},
    price: priceOf(line),
    goal: goalOf(line),
    delivery_type: sold.delivery_type,
    targeting: targetingOf(line),
    state: packageState(line, orderState),
    formats: line.format_ids ?? sold.format_ids,
    deals: listDeals(line, brand),
    creatives: creatives.filter((creative) => creative.package_id === package_id),
  };
}

function orderState({ status, held }: MediaBuy): OrderState {
  if (status === 'canceled' || status === 'rejected') return 'canceled';
  if (status === 'completed') return 'completed';
  return held ? 'paused' : 'running';
}

function packageState({ canceled, paused }: Package, order: OrderState): OrderState {
  if (canceled) return 'canceled';
  return paused && order === 'running' ? 'paused' : order;
}

function priceOf({ sold: { option }, bid_price }: Package): OrderPrice {
  const { pricing_model: model, fixed_price, floor_price = 0 } = option;
  return fixed_price === undefined
    ? { model, amount: bid_price ?? floor_price, kind: 'bid' }
    : { model, amount: fixed_price, kind: 'fixed' };
}

/** What each pricing model counts, and how many are a unit; the others are paid by time. */
const COUNTED: Partial<Record<PricingModel, readonly [GoalUnit, per: number]>> = {
  cpm: ['impressions', 1000],
  vcpm: ['viewable_impressions', 1000],
  cpc: ['clicks', 1],
  cpv: ['views', 1],
  cpcv: ['completed_views', 1],
  cpa: ['conversions', 1],
};

/** Floating point makes 4.35 * 100 less than 435. */
const ROUNDING = 1e-6;

function goalOf({ impressions, budget, sold: { option } }: Package): OrderGoal | undefined {
  const { pricing_model, fixed_price } = option;
  const [unit, per] = COUNTED[pricing_model] ?? [];
  if (unit === undefined || per === undefined || fixed_price === undefined || fixed_price <= 0)
    return impressions === undefined ? undefined : { unit: 'impressions', count: impressions };
  const bought = Math.floor((budget / fixed_price) * per + ROUNDING);
  if (impressions === undefined) return { unit, count: bought };
  return { unit: 'impressions', count: unit === 'impressions' ? Math.min(impressions, bought) : impressions };
}

/** Members of an overlay that say nothing to an ad server. */
const CARRIED: ReadonlySet<string> = new Set(['ext', 'context']);

function targetingOf({ targeting_overlay = {} }: Package): LivePackage['targeting'] {
  return Object.fromEntries(Object.entries(targeting_overlay).filter(([name]) => !CARRIED.has(name)));
}

/** Returns an order as it is stored once it is booked: of its creatives only which they are. */
export function withoutAssets(order: LiveOrder): LiveOrder {
  return {
    ...order,
    packages: order.packages.map((line) => ({
      ...line,
      creatives: line.creatives.map((creative) => ({ ...creative, assets: {}, click_urls: [], tracker_urls: [] })),
    })),
  };
}
