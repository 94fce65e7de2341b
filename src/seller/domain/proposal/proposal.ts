import { TaskError } from '../../../protocol/errors.js';
import type { Scope } from '../account/scope.js';
import type { PackageRequest } from '../media-buy/order.js';
import { checkUnits, inUnits } from '../media-buy/pricing.js';
import type { Period } from '../media-buy/reporting.js';
import type { PricingOption, Product } from '../product/product.js';
import type { Overlay } from '../targeting/parts.js';
import type { Forecast } from './forecast.js';
import { type Acceptance, checkSigned, type InsertionOrder, type InsertionOrderSettings } from './insertion-order.js';
import { leastTotal, splitBudget } from './shares.js';
import type { Snapshot } from './terms.js';

/** A part of a proposal's budget on one product. `bid_price` is what the seller bids where the price is an auction. */
export type Allocation = {
  readonly product_id: string;
  readonly pricing_option_id: string;
  /** Of the total budget; those of a proposal add up to 100. */
  readonly allocation_percentage: number;
  readonly rationale?: string;
  readonly bid_price?: number;
  /** Its own dates, where it is not for the whole flight; ISO 8601. */
  readonly start_time?: string;
  readonly end_time?: string;
};

/** The range of a proposal's cost, in its currency. */
type BudgetGuidance = {
  readonly min?: number;
  readonly recommended?: number;
  /** From here on the inventory, not the money, is what limits delivery. */
  readonly max?: number;
  readonly currency: string;
};

/** A plan that a tenant's file holds; the currency is that of its prices. */
export type ConfiguredProposal = Pick<Plan, 'proposal_id' | 'name' | 'description' | 'expires_at' | 'allocations'> & {
  /** In that currency. */
  readonly recommended_budget?: number;
};

/** A plan over products as the seller offers it, before anybody was shown it. */
export type Plan = {
  readonly proposal_id: string;
  readonly name: string;
  readonly description?: string;
  readonly brief_alignment?: string;
  readonly allocations: readonly Allocation[];
  readonly total_budget_guidance: BudgetGuidance;
  /** ISO 8601; afterwards it can no longer be bought. */
  readonly expires_at?: string;
};

/**
 * A plan as buyers see it. `draft`: to be finalized first; `committed`: prices are held until `expires_at`;
 * without a status it is ready to buy.
 */
export type Proposal = Plan & {
  readonly proposal_status?: 'draft' | 'committed';
  readonly forecast: Forecast;
  /** Of a committed one, where the seller wants it accepted first. */
  readonly insertion_order?: InsertionOrder | undefined;
};

/** A proposal that was shown to a buyer, as it is stored for that buyer. */
export type StoredProposal = {
  readonly proposal: Proposal;
  /** The flight that it was planned for, and the places where it was narrowed to some. */
  readonly flight?: Period | undefined;
  readonly places?: Overlay | undefined;
  /** It stands as the tenant's file has it: only its flight and places are the buyer's. */
  readonly isOffer?: true | undefined;
  /** The products of a committed one, at the prices and terms that are held. */
  readonly held?: readonly Product[];
  /** Of one that no call changes. */
  readonly snapshot?: Snapshot;
  /** The media buy that it became. */
  readonly media_buy_id?: string;
  /** The account that it was read from, where that matters to its writer; never in the stored text. */
  readonly account_key?: string;
};

/** The state of a proposal for its buyer. */
type ProposalState = 'open' | 'expired' | 'bought' | 'declined';

/** Days for which a proposal that was made of a brief is offered. */
export const OFFER_DAYS = 7;

/** Hours for which a committed proposal holds its prices. */
export const HOLD_HOURS = 48;

/** Returns the natural key of the account whose proposal a scope writes: its own, or that of the one that was read. */
export function writtenKey(scope: Scope, { account_key = '' }: Pick<StoredProposal, 'account_key'>): string {
  return typeof scope === 'string' ? account_key : (scope.accountKey ?? '');
}

/** Returns the state of a stored proposal at `nowMs`. */
export function proposalState({ proposal, media_buy_id, snapshot }: StoredProposal, nowMs: number): ProposalState {
  if (media_buy_id !== undefined) return 'bought';
  if (snapshot?.declined !== undefined) return 'declined';
  return proposal.expires_at !== undefined && Date.parse(proposal.expires_at) <= nowMs ? 'expired' : 'open';
}

/** The products of which plans are made, and the insertion orders that they are bought by. */
export type Offering = {
  readonly products: ReadonlyMap<string, Product>;
  readonly tenant: { readonly insertionOrders?: InsertionOrderSettings | undefined };
};

/**
 * Whether a plan has to be finalized before it is bought: guaranteed delivery is promised for a time that is held, never from stock, and an
 * insertion order is for terms that no longer change.
 */
export function needsFinalizing({ allocations }: Plan, { products, tenant }: Offering): boolean {
  if (tenant.insertionOrders !== undefined) return true;
  return allocations.some(({ product_id }) => products.get(product_id)?.delivery_type === 'guaranteed');
}

/** Returns the error of a proposal that nobody was shown, or that somebody else was. */
export function proposalNotFound(field: string): TaskError {
  return new TaskError('PROPOSAL_NOT_FOUND', 'There is no such proposal.', {
    field,
    suggestion: 'Use a proposal_id of an answer of get_products; a brief with an account gets proposals.',
  });
}

/** Refuses a proposal that can no longer be dealt with: PROPOSAL_EXPIRED, or INVALID_STATE for one that was bought. */
export function checkOpen(stored: StoredProposal, nowMs: number, field: string): void {
  const state = proposalState(stored, nowMs);
  if (state === 'open') return;
  const suggestion = 'Send the brief again with get_products: it is offered anew, at the prices of today.';
  throw state === 'expired'
    ? new TaskError('PROPOSAL_EXPIRED', 'The proposal has expired.', { field, suggestion })
    : new TaskError('INVALID_STATE', `The proposal was ${state} already.`, { field, suggestion });
}

/** An order for a whole proposal. */
export type ProposalOrder = {
  readonly proposal_id: string;
  readonly total_budget?: { readonly amount: number; readonly currency: string } | undefined;
  /** Of a snapshot: the terms that are accepted, by their digest, and the flight that is ordered. */
  readonly proposal_terms_digest?: unknown;
  readonly start_time?: unknown;
  readonly end_time?: unknown;
  readonly io_acceptance?: Acceptance | undefined;
};

/** Refuses an order for a snapshot that is not for exactly its terms. Throws CONFLICT or REQUOTE_REQUIRED, INVALID_STATE where it names none. */
export function checkTerms({ snapshot }: StoredProposal, order: ProposalOrder): void {
  if (snapshot === undefined) return;
  const { terms, terms_digest, kind } = snapshot;
  if (order.proposal_terms_digest === undefined || kind !== 'new_media_buy') {
    throw new TaskError(
      'INVALID_STATE',
      'This proposal is an offer of exact terms, which an order of its own cannot change.',
      {
        field: 'proposal_id',
        suggestion: 'Accept it with accept_proposal and its terms_digest.',
      },
    );
  }
  if (order.proposal_terms_digest !== terms_digest) {
    throw new TaskError('CONFLICT', 'These are not the terms of the proposal.', {
      field: 'proposal_terms_digest',
      suggestion: 'Send the terms_digest that the proposal was answered with.',
    });
  }
  if (order.start_time !== terms.start_time || order.end_time !== terms.end_time) {
    throw new TaskError('REQUOTE_REQUIRED', 'The proposal is for another flight.', {
      field: 'start_time',
      suggestion: `It runs from ${terms.start_time} to ${terms.end_time}: leave the flight to its terms.`,
    });
  }
  if (
    order.total_budget?.amount === terms.total_budget.amount &&
    order.total_budget.currency === terms.total_budget.currency
  )
    return;
  const { amount, currency } = terms.total_budget;
  throw new TaskError('REQUOTE_REQUIRED', 'The proposal is for another budget.', {
    field: 'total_budget',
    suggestion: `Its terms say ${amount} ${currency}: leave total_budget out, or revise the proposal with refine_proposals.`,
  });
}

/**
 * Returns the packages that an accepted proposal becomes: each product gets its share of the total budget, to the cent. Throws the code and
 * field of the first rule that the order breaks.
 */
export function orderPackages(
  stored: StoredProposal,
  order: ProposalOrder,
  products: ReadonlyMap<string, Product>,
  nowMs: number,
): readonly PackageRequest[] {
  checkOpen(stored, nowMs, 'proposal_id');
  const { proposal } = stored;
  if (proposal.proposal_status === 'draft') {
    throw new TaskError('PROPOSAL_NOT_COMMITTED', 'The proposal is a draft; its prices are not held yet.', {
      field: 'proposal_id',
      suggestion:
        'Finalize it first: get_products with buying_mode "refine" and refine: [{scope: "proposal", proposal_id, action: "finalize"}].',
    });
  }
  if (proposal.insertion_order !== undefined) checkSigned(proposal.insertion_order, order);
  const total = readTotalBudget(proposal, order);
  const priced = proposal.allocations.map((allocation) => ({ allocation, option: findOption(allocation, products) }));
  const least = leastTotal(
    priced.map(({ allocation, option }) => ({ share: allocation.allocation_percentage, option })),
  );
  const { currency } = proposal.total_budget_guidance;
  if (total < least) {
    throw new TaskError('BUDGET_TOO_LOW', 'The total budget is below what the products of the proposal ask for.', {
      field: 'total_budget.amount',
      suggestion: `Offer at least ${least} ${currency}.`,
      details: { minimum_budget: least, currency },
    });
  }
  return splitBudget({ amount: total, currency }, proposal.allocations).map(({ allocation, budget }) => ({
    product_id: allocation.product_id,
    pricing_option_id: allocation.pricing_option_id,
    budget,
    bid_price: allocation.bid_price,
    start_time: allocation.start_time,
    end_time: allocation.end_time,
  }));
}

function readTotalBudget({ total_budget_guidance: { currency } }: Proposal, { total_budget }: ProposalOrder): number {
  if (total_budget === undefined) {
    throw new TaskError('INVALID_REQUEST', 'total_budget: is required with a proposal_id', {
      field: 'total_budget',
      suggestion: `Send total_budget: {amount, currency: "${currency}"}; it is divided as the proposal says.`,
      issues: [{ pointer: '/total_budget', message: 'is required', keyword: 'required' }],
    });
  }
  if (total_budget.currency === currency) {
    checkUnits(total_budget.amount, currency, 'total_budget.amount');
    return inUnits(total_budget.amount, currency);
  }
  throw new TaskError('INVALID_REQUEST', 'The proposal is priced in another currency.', {
    field: 'total_budget.currency',
    suggestion: `Send the total budget in ${currency}.`,
    details: { allowed_values: [currency] },
  });
}

function findOption(allocation: Allocation, products: ReadonlyMap<string, Product>): PricingOption {
  const product = products.get(allocation.product_id);
  const option = product?.pricing_options.find((each) => each.pricing_option_id === allocation.pricing_option_id);
  if (option !== undefined) return option;
  throw new TaskError('PRODUCT_UNAVAILABLE', 'A product or price of the proposal is no longer offered.', {
    field: 'proposal_id',
    suggestion: 'Send the brief again with get_products for a proposal of what is on sale today.',
  });
}
