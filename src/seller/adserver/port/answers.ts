import type { OrderChange } from '../../domain/booking/changes.js';
import type { ReportedPackage } from '../../domain/booking/drift.js';
import type { ForeignIds } from '../../domain/booking/foreign-ids.js';
import type { GoalUnit, LiveOrder } from '../../domain/booking/live-order.js';

/** The context in which an order is checked: its booking so far, and when nobody waits any more. */
export type CheckContext = {
  /** The order as the ad server has it, where a change of it is checked. */
  readonly booked: LiveOrder | undefined;
  readonly foreign: ForeignIds | undefined;
  readonly signal: AbortSignal;
};

/** Why an order cannot be as it is. `field` is a member of the package, such as `targeting_overlay.geo_regions`, or of the order where no package is named. */
export type Objection = {
  /** For the buyer: one sentence. */
  readonly message: string;
  readonly package_id?: string | undefined;
  readonly field?: string | undefined;
  /** What to order instead. */
  readonly suggestion?: string | undefined;
};

/** The verdict on an order. `priced`: it could be had, at another price (per unit of the model, in the currency of the order). */
export type CheckVerdict =
  | { readonly verdict: 'accepted' }
  | ({ readonly verdict: 'refused' } & Objection)
  | ({ readonly verdict: 'priced'; readonly package_id: string; readonly price: number } & Objection);

/** The context in which an order is booked: its booking so far, its changes, and a callback for new ids. */
export type BookContext = {
  /** The ids that the ad server has for what is there of the order, as calls, `saveIds` and errors told them; undefined before the first. */
  readonly foreign: ForeignIds | undefined;
  /** The order as it was booked last, its creatives without assets and addresses; undefined before the first time. */
  readonly booked: LiveOrder | undefined;
  /** What differs from `booked`; `['create']` before the first time. A hint: the order is what has to be there in the end. */
  readonly changes: readonly OrderChange[];
  /** Stores ids before the call goes on, so that a process that is killed after it knows them. They add to those that are stored. */
  readonly saveIds: (ids: ForeignIds) => Promise<void>;
  /** Aborted once nobody waits any more: what comes of the call is unknown then. */
  readonly signal: AbortSignal;
};

/** A question for supply that is not sold yet. */
export type AvailabilityRequest = {
  readonly products: readonly ProductMapping[];
  /** ISO 8601, UTC. */
  readonly start_time: string;
  readonly end_time: string;
  /** As in a package. */
  readonly targeting: Readonly<Record<string, unknown>>;
};

/** The units of a product that can still be booked; undefined where the ad server cannot say (yet). */
export type Availability = {
  readonly product_id: string;
  readonly unit: GoalUnit;
  readonly available: number | undefined;
};

/** A product, and where the ad server has it. */
export type ProductMapping = {
  readonly product_id: string;
  /** The product's private settings for this ad server. */
  readonly adapter: Readonly<Record<string, unknown>>;
};

/** Something that could be sold, as the ad server has it: a draft of a product for the tenant file. */
export type ImportedProduct = ProductMapping & { readonly name: string; readonly format_ids: readonly string[] };

/**
 * A package as the ad server has it; `price` is per unit of the model, `creative_ids` are ours of the creatives that
 * run or could.
 */
export type InspectedPackage = ReportedPackage;

/** An order as the ad server has it; without packages where it has nothing of it. */
export type InspectedOrder = { readonly media_buy_id: string; readonly packages: readonly InspectedPackage[] };

/** An adapter's connection: its network, and the problems with it. */
export type Ping = {
  /** Who answered, for people: "network 1234 (Acme)". */
  readonly network: string;
  /** As the ad server has them, where it tells: another than was declared is a finding. */
  readonly currency?: string | undefined;
  readonly time_zone?: string | undefined;
  readonly problems: readonly MappingProblem[];
};

/** Something of the settings that the ad server does not have: of the connection, or of a product. */
export type MappingProblem = {
  readonly product_id?: string | undefined;
  readonly message: string;
  readonly fix: string;
};
