import type { FormatId } from '../../../creative/formats/format.js';
import type { BrandRef } from '../account/account.js';
import type { PackageDeal } from '../booking/deals.js';
import type { Limit } from '../delivery/limit.js';
import type { SimulatedDelivery } from '../delivery/simulated.js';
import type { GoalOffer, Steering } from '../optimization/goal.js';
import type { PricingOption, Product } from '../product/product.js';
import type { RecordedAcceptance } from '../proposal/insertion-order.js';
import type { Reach } from '../targeting/reach.js';
import type { CommittedMetric } from '../vendor-metric/metric.js';
import { type BookedByHand, type Fulfillment, fulfillmentOf } from './fulfillment.js';
import type { Impairment } from './impairment.js';
import type { RotationEntry, Rotations } from './rotation.js';

/** States of a media buy. */
export const MEDIA_BUY_STATUSES = [
  'pending_creatives',
  'pending_start',
  'active',
  'paused',
  'completed',
  'rejected',
  'canceled',
] as const;
export type MediaBuyStatus = (typeof MEDIA_BUY_STATUSES)[number];

/** The legal moves; nothing leaves a state that is not named here. */
export const MOVES: Record<MediaBuyStatus, readonly MediaBuyStatus[]> = {
  pending_creatives: ['pending_start', 'active', 'paused', 'canceled', 'rejected'],
  pending_start: ['active', 'paused', 'canceled', 'rejected'],
  active: ['paused', 'completed', 'canceled'],
  paused: ['active', 'completed', 'canceled'],
  completed: [],
  rejected: [],
  canceled: [],
};

/** The end of a buy or package: who caused it, when, and why. */
type Cancellation = {
  readonly canceled_at: string;
  readonly canceled_by: 'buyer' | 'seller';
  readonly reason?: string;
};

/** The ways to spread the budget of a package over its flight. */
export const PACINGS = ['even', 'asap', 'front_loaded'] as const;
export type Pacing = (typeof PACINGS)[number];

/** A stretch of time in which a package ran under unchanged terms; the open one has no `to`. Delivery is the sum over segments. */
export type Segment = {
  /** ISO 8601, half open: from is in, to is out. */
  readonly from: string;
  readonly to?: string;
  /** When the flight would end under these terms. */
  readonly end: string;
  /** The package's whole budget in this stretch; what earlier stretches spent is taken off when it is delivered. */
  readonly budget: number;
  readonly bid_price?: number;
  readonly pacing: Pacing;
  readonly impressions?: number;
  readonly reach?: Reach | undefined;
  /** The creatives that took turns; absent where the package ran without any. */
  readonly rotation?: readonly RotationEntry[];
};

/** The terms a package was sold at: an edit of the catalog changes no contract. */
export type Sold = GoalOffer &
  Pick<Product, 'delivery_type' | 'channels' | 'format_ids' | 'inventory' | 'exclusivity'> & {
    readonly option: PricingOption;
    /** What its reports hold; absent from a sale of before this was stored. */
    readonly reporting?: Product['reporting_capabilities'];
    readonly placements?: Product['placements'];
    /** What its buys may do; all that they otherwise may where the product says nothing. */
    readonly allowed_actions?: Product['allowed_actions'];
    readonly creative_policy?: Product['creative_policy'];
  };

/** A targeting overlay that was replaced at a moment, ISO 8601. */
type PastTargeting = { readonly until: string; readonly overlay: Readonly<Record<string, unknown>> };

/** One line of a buy: a product at a price for a budget. Wire names; money in the buy's currency. */
export type Package = {
  readonly package_id: string;
  readonly product_id: string;
  readonly pricing_option_id: string;
  readonly budget: number;
  readonly bid_price?: number;
  readonly pacing: Pacing;
  readonly impressions?: number;
  readonly format_ids?: readonly FormatId[];
  readonly targeting_overlay?: Readonly<Record<string, unknown>>;
  /** What was targeted before, while the package ran: each up to a moment, the earliest first. */
  readonly past_targeting?: readonly PastTargeting[];
  /** What the targeting leaves of the product's supply. */
  readonly reach?: Reach | undefined;
  /** The effect of its goals on what it delivers; absent where it has none. */
  readonly steering?: Steering | undefined;
  /** What its reports are bound to hold, where its buyer proposed that; all that it was sold with otherwise. */
  readonly committed_metrics?: readonly CommittedMetric[] | undefined;
  /** The part of the product that the lists of the targeting left when they were read. */
  readonly listed?: number | undefined;
  /** ISO 8601; within the buy's flight. */
  readonly start_time: string;
  readonly end_time: string;
  readonly paused: boolean;
  readonly canceled: boolean;
  readonly cancellation?: Cancellation;
  /** Fields of the buyer that are stored and returned as they came. */
  readonly echoed: Readonly<Record<string, unknown>>;
  /** Whether the package needs a creative before it can run. */
  readonly needs_creative: boolean;
  readonly sold: Sold;
  /** The stretches it ran, for delivery. */
  readonly segments: readonly Segment[];
  /** The private deals that it is delivered as; absent where it is not. */
  readonly deals?: readonly PackageDeal[] | undefined;
  /** The most that it gets while others ask for the same supply; worked out when delivery is read, never stored. */
  readonly limits?: readonly Limit[] | undefined;
};

/** A media buy. Times are ISO 8601 in UTC. */
export type MediaBuy = {
  readonly media_buy_id: string;
  readonly account_id: string;
  readonly sandbox: boolean;
  /** How it is carried out, as its tenant said when it was bought; never on the wire. */
  readonly fulfillment?: Fulfillment;
  /** Of one that is carried out by hand: that it was booked. */
  readonly booked_by_hand?: BookedByHand;
  readonly brand: BrandRef;
  readonly status: MediaBuyStatus;
  /** The buyer asked for a pause; in a pending state it waits for the start. */
  readonly held: boolean;
  readonly revision: number;
  readonly currency: string;
  readonly start_time: string;
  readonly end_time: string;
  /** When whoever carries it out confirmed it; absent until then, and a buy without it does not run. */
  readonly confirmed_at?: string | undefined;
  readonly created_at: string;
  readonly updated_at: string;
  readonly packages: readonly Package[];
  readonly cancellation?: Cancellation;
  /** When it was completed, where that was before the end of its flight; ISO 8601. */
  readonly completed_at?: string;
  readonly rejection_reason?: string;
  /** The impairments that keep it from delivering as booked; absent is none. */
  readonly impairments?: readonly Impairment[];
  /** Creatives that were purged while packages held them, until something takes their place. */
  readonly purged?: readonly { readonly creative_id: string; readonly package_id: string }[] | undefined;
  /** The delivery that a test controller ordered beside what the sandbox simulates. */
  readonly simulated?: SimulatedDelivery;
  /** Of the insertion order that it was bought under. */
  readonly io_acceptance?: RecordedAcceptance | undefined;
  /** The buyer's own fields (po_number …), returned as they came; never credentials. */
  readonly echoed: Readonly<Record<string, unknown>>;
  /** Callback settings, for deliveries only: never returned. */
  readonly callbacks: Readonly<Record<string, unknown>>;
};

/** One entry of a buy's history, as it goes on the wire. */
export type HistoryEntry = {
  readonly revision: number;
  readonly timestamp: string;
  readonly actor: 'buyer' | 'seller' | 'system';
  readonly action: string;
  readonly summary?: string;
  readonly package_id?: string;
};

/** Whether nothing can change a buy in this state any more. */
export function isTerminal(status: MediaBuyStatus): boolean {
  return MOVES[status].length === 0;
}

/** Returns when the flight of a buy ends, or was ended before its time; ms since the epoch. */
export function flightEndMs({
  end_time,
  cancellation,
  completed_at,
}: Pick<MediaBuy, 'end_time' | 'cancellation' | 'completed_at'>): number {
  return Math.min(...[end_time, cancellation?.canceled_at, completed_at].map((at) => Date.parse(at ?? end_time)));
}

/** Returns the sum of the live and canceled packages' budgets, in the buy's currency, to the cent. */
export function totalBudget(buy: Pick<MediaBuy, 'packages'>): number {
  return Math.round(buy.packages.reduce((sum, line) => sum + line.budget, 0) * 100) / 100;
}

/** Returns the state that follows a buy's present one by its facts; undefined when it stays. */
export function nextStatus(buy: MediaBuy, hasCreatives: boolean, nowMs: number): MediaBuyStatus | undefined {
  const hasStarted = nowMs >= Date.parse(buy.start_time);
  const hasEnded = nowMs >= Date.parse(buy.end_time);
  const running = buy.held ? 'paused' : 'active';
  switch (buy.status) {
    case 'pending_creatives':
      if (!hasCreatives) return hasEnded ? 'canceled' : undefined;
      return hasStarted && isBooked(buy) ? running : 'pending_start';
    case 'pending_start':
      if (!isBooked(buy)) return hasEnded ? 'canceled' : undefined;
      return hasStarted ? running : undefined;
    case 'active':
    case 'paused':
      if (hasEnded) return 'completed';
      return buy.status === running ? undefined : running;
    default:
      return undefined;
  }
}

/** Whether a buy may begin to run: it is confirmed, or the simulator carries it out, which begins at once. */
function isBooked(buy: MediaBuy): boolean {
  return buy.confirmed_at !== undefined || fulfillmentOf(buy) === 'simulated';
}

/** How long the simulator takes to confirm a buy that does not run at once: until its answer is out. */
const SIMULATED_BOOKING_MS = 1;

/** Returns when the simulator confirms a buy, in ms since the epoch; undefined where it has, or where others have to. */
export function confirmationDueMs(buy: MediaBuy): number | undefined {
  if (buy.confirmed_at !== undefined || isTerminal(buy.status) || fulfillmentOf(buy) !== 'simulated') return undefined;
  return Date.parse(buy.created_at) + SIMULATED_BOOKING_MS;
}

/** Returns when the clock alone will next move a buy, in ms since the epoch; undefined when it never will. */
export function nextDueMs(buy: MediaBuy): number | undefined {
  const moveMs = nextMoveMs(buy);
  const confirmationMs = confirmationDueMs(buy);
  return confirmationMs === undefined || moveMs === undefined ? moveMs : Math.min(moveMs, confirmationMs);
}

function nextMoveMs(buy: MediaBuy): number | undefined {
  switch (buy.status) {
    case 'pending_start':
      return Date.parse(isBooked(buy) ? buy.start_time : buy.end_time);
    case 'pending_creatives':
    case 'active':
    case 'paused':
      return Date.parse(buy.end_time);
    default:
      return undefined;
  }
}

/** Whether every live package that needs a creative has one. */
export function hasReadyCreatives(buy: Pick<MediaBuy, 'packages'>, rotations: Pick<Rotations, 'has'>): boolean {
  return buy.packages.every((line) => line.canceled || !line.needs_creative || rotations.has(line.package_id));
}

/** Returns the reports that a package was sold with; those of its product where the sale does not say, undefined where neither does. */
export function findReporting(
  { product_id, sold }: Pick<Package, 'product_id' | 'sold'>,
  products: ReadonlyMap<string, Product>,
): Product['reporting_capabilities'] | undefined {
  return sold.reporting ?? products.get(product_id)?.reporting_capabilities;
}
