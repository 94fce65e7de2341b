import { isDeepStrictEqual } from 'node:util';
import { DAY_MS, HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import type { Scope } from '../../domain/account/scope.js';
import type { PackageRequest } from '../../domain/media-buy/order.js';
import type { Period } from '../../domain/media-buy/reporting.js';
import type { Product } from '../../domain/product/product.js';
import {
  type RecordedAcceptance,
  recordAcceptance,
  writeInsertionOrder,
} from '../../domain/proposal/insertion-order.js';
import { type Market, plannedFor } from '../../domain/proposal/market.js';
import { listLines, openProposal, planFromFile } from '../../domain/proposal/plan.js';
import {
  checkOpen,
  checkTerms,
  HOLD_HOURS,
  OFFER_DAYS,
  orderPackages,
  type Plan,
  type Proposal,
  type ProposalOrder,
  proposalNotFound,
  proposalState,
  type StoredProposal,
  writtenKey,
} from '../../domain/proposal/proposal.js';
import { splitBudget } from '../../domain/proposal/shares.js';
import { planBudget } from '../../domain/proposal/snapshot.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { bookScope, holdPlanned, type PlannedLine, releaseHolder } from '../../lifecycle/inventory.js';
import type { Reader, Writer } from '../../store/store.js';
import { requireScope } from '../grant/scopes.js';
import type { AskedFlight } from './flight.js';

/** The context of a call that is about proposals; `scope` is the accounts whose proposals they are. */
export type ProposalContext<Access extends Reader | Writer = Reader> = {
  readonly call: Call;
  readonly db: Access;
  readonly scope: Scope;
};

/**
 * Returns the proposals that a buyer is shown for these plans, as its own negotiation left those that it saw before. What was made of a
 * brief is on disk before it is answered, so that what a buyer was shown is never lost; this is the one write of a reading task beside
 * previews, and the same brief again writes nothing.
 */
export async function showProposals(
  app: App,
  { call, scope }: Pick<ProposalContext, 'call' | 'scope'>,
  { made, offers }: { readonly made: readonly Plan[]; readonly offers: readonly Plan[] },
  { market: flight, isDated }: Pick<AskedFlight, 'market' | 'isDated'>,
): Promise<readonly Proposal[]> {
  const { owner, seller, now } = call;
  const plans = [...offers, ...made];
  const { proposals: stored } = await app.store.read.proposals.find(
    scope,
    plans.map(({ proposal_id }) => proposal_id),
  );
  const isOpen = (proposal: StoredProposal | undefined): proposal is StoredProposal =>
    proposal !== undefined && proposal.isOffer !== true && proposalState(proposal, now.ms) === 'open';
  const opened = new Map(
    plans
      .filter((plan) => {
        const earlier = stored.get(plan.proposal_id);
        return !isOpen(earlier) || isOutdated(plan, earlier, flight);
      })
      .map((plan) => {
        const offered = made.includes(plan) ? { ...plan, expires_at: isoTime(now.ms + OFFER_DAYS * DAY_MS) } : plan;
        return [plan.proposal_id, openProposal(offered, seller, flight, now.ms)] as const;
      }),
  );
  const fresh = plans.flatMap((plan): readonly StoredProposal[] => {
    const proposal = opened.get(plan.proposal_id);
    if (proposal === undefined) return [];
    const planned = plannedFor(flight);
    if (made.includes(plan)) return [{ proposal, ...planned }];
    const earlier = stored.get(plan.proposal_id);
    const isStored = earlier === undefined ? !isDated : isPlannedFor(earlier, planned);
    return isStored ? [] : [{ proposal, ...planned, isOffer: true }];
  });
  if (fresh.length > 0) await saveProposals(app, { owner, scope }, fresh);
  return plans.flatMap(({ proposal_id }) => opened.get(proposal_id) ?? stored.get(proposal_id)?.proposal ?? []);
}

async function saveProposals(
  { store }: App,
  { owner, scope }: { readonly owner: string; readonly scope: Scope },
  proposals: readonly StoredProposal[],
): Promise<void> {
  await store.transact(async (tx) => {
    for (const proposal of proposals) await tx.proposals.save(scope, proposal);
    await tx.ownerUsage.requireWithin(owner, store.read.ownerUsage);
  });
}

/** Returns whether what is stored of a proposal is for these days and places. */
function isPlannedFor({ flight, places }: StoredProposal, planned: ReturnType<typeof plannedFor>): boolean {
  return isDeepStrictEqual([flight, places], [planned.flight, planned.places]);
}

/** Returns whether a proposal that its buyer has not changed was made for other days, or when there was more or less left. */
function isOutdated(plan: Plan, { proposal, flight: planned }: StoredProposal, flight: Period): boolean {
  if (proposal.proposal_status === 'committed') return false;
  const shown = ({ allocations }: Plan): string => JSON.stringify(allocations);
  const numbers = (of: Plan, days: Period | undefined): string => JSON.stringify([of.total_budget_guidance, days]);
  return shown(proposal) === shown(plan) && numbers(proposal, planned) !== numbers(plan, daysOf(flight));
}

/** Returns the days of a flight alone. */
function daysOf({ fromMs, toMs }: Period): Period {
  return { fromMs, toMs };
}

/** Returns the plans of the tenant's file that are on sale. */
export function configuredPlans({ seller, now }: Call, flight: Period): readonly Plan[] {
  return seller.tenant.proposals
    .filter((offer) => !isOff(offer, now.ms))
    .filter(({ allocations }) =>
      allocations.every(({ product_id }) => !isOff(seller.products.get(product_id) ?? {}, now.ms)),
    )
    .flatMap((offer) => planFromFile(offer, seller.products, flight) ?? []);
}

/**
 * Returns the proposals among `ids` as they can be talked about: kept ones, and offers of the tenant's file that are open to all or open
 * again.
 */
export async function findProposals(
  { call, db, scope }: ProposalContext,
  ids: readonly string[],
  flight: Period,
): Promise<ReadonlyMap<string, StoredProposal>> {
  const { seller, now } = call;
  const { proposals: found, ambiguous } = await db.proposals.find(scope, ids);
  if (ambiguous.size > 0 && call.principal?.policies.account_scope === 'account') throw severalAccounts([...ambiguous]);
  const proposals = new Map(found);
  const open = (plans: readonly Plan[]): void => {
    for (const plan of plans) {
      const stored = proposals.get(plan.proposal_id);
      const isOwn = stored !== undefined && stored.isOffer !== true && proposalState(stored, now.ms) === 'open';
      if (!ids.includes(plan.proposal_id) || isOwn) continue;
      const { flight: planned, places } = stored?.isOffer === true ? stored : {};
      const proposal = openProposal(plan, seller, flight, now.ms);
      proposals.set(plan.proposal_id, { proposal, flight: planned, places, isOffer: true });
    }
  };
  open(configuredPlans(call, flight));
  // What is sold out is not offered, and whoever asks for it by its id is told so by what holds the inventory.
  if (ids.some((id) => !proposals.has(id))) open(configuredPlans(call, daysOf(flight)));
  return proposals;
}

/** Returns a proposal for a market: what the tenant's file offers is planned for it, what is the buyer's own stays. */
export function planFor({ seller, now }: Call, stored: StoredProposal, market: Market): StoredProposal {
  const { proposal, isOffer } = stored;
  const configured = seller.tenant.proposals.find(({ proposal_id }) => proposal_id === proposal.proposal_id);
  const plan = isOffer === true && configured !== undefined && planFromFile(configured, seller.products, market);
  if (plan === undefined || plan === false) return stored;
  return { ...stored, proposal: openProposal(plan, seller, market, now.ms) };
}

/**
 * Returns the name of a proposal among those who hold inventory: one that was shown to several accounts holds for each.
 */
export function proposalHolder(owner: string, { proposal, account_key = '' }: StoredProposal): string {
  const { proposal_id } = proposal;
  return JSON.stringify(account_key === '' ? [owner, proposal_id] : [owner, proposal_id, account_key]);
}

/** The flight that a finalizing call is about, and its proposal's path in it. */
type Finalizing = {
  readonly flight: Market;
  readonly field: string;
  /** It is held no longer than this. */
  readonly untilMs?: number;
};

function severalAccounts(ids: readonly string[]): TaskError {
  return new TaskError('ACCOUNT_AMBIGUOUS', `Several of your accounts were shown the proposal ${ids.join(', ')}.`, {
    field: 'account',
    suggestion: 'Name the account whose proposal is meant.',
  });
}

/**
 * Commits a proposal: prices, terms and inventory are held until `expires_at`. Throws PROPOSAL_NOT_FOUND, PROPOSAL_EXPIRED,
 * INVALID_STATE or PRODUCT_UNAVAILABLE with `field`, and PERMISSION_DENIED under a grant that only reads.
 */
export async function commitProposal(
  { call, db: tx, scope }: ProposalContext<Writer>,
  stored: StoredProposal | undefined,
  { flight, field, untilMs = Number.POSITIVE_INFINITY }: Finalizing,
): Promise<StoredProposal> {
  // It holds prices and inventory, whichever task it comes by.
  requireScope(call, 'buy');
  const planned = stored && planFor(call, stored, flight);
  const prices = commitPrices(planned, call, { field, untilMs });
  if (prices === planned) return prices;
  const { owner, principal, seller, now } = call;
  const committed = withInsertionOrder(
    { ...prices, ...plannedFor(flight), account_key: writtenKey(scope, prices) },
    seller,
    flight,
  );
  const { proposal } = committed;
  await holdPlanned(
    tx,
    {
      scope: bookScope(owner, principal?.sandbox === true),
      holder_id: proposalHolder(owner, committed),
      expiresMs: Date.parse(proposal.expires_at ?? now.iso),
      nowMs: now.ms,
      field: () => field,
    },
    planLines(proposal, seller, flight),
  );
  return committed;
}

/** Returns a committed proposal with the insertion order that its seller wants accepted, where it wants one. */
function withInsertionOrder(committed: StoredProposal, { tenant }: Seller, flight: Period): StoredProposal {
  const { proposal, snapshot } = committed;
  if (tenant.insertionOrders === undefined) return committed;
  const { currency } = proposal.total_budget_guidance;
  const insertion_order = writeInsertionOrder(tenant.insertionOrders, {
    proposal_id: proposal.proposal_id,
    allocations: proposal.allocations,
    publisher: tenant.name,
    total: snapshot?.terms.total_budget ?? { amount: planBudget(proposal), currency },
    flight,
  });
  return { ...committed, proposal: { ...proposal, insertion_order } };
}

/** Returns the lines that a proposal would become at its recommended budget. */
function planLines(proposal: Proposal, { products, soldTerms }: Seller, flight: Period): readonly PlannedLine[] {
  const { forecast, total_budget_guidance: guidance } = proposal;
  const amount = guidance.recommended ?? forecast.points[1]?.budget ?? 0;
  const budgets = splitBudget({ amount, currency: guidance.currency }, proposal.allocations);
  return listLines(proposal, products).map(({ product, option, bid_price, own = flight }, index) => ({
    product_id: product.product_id,
    line: {
      package_id: product.product_id,
      start_time: isoTime(own.fromMs),
      end_time: isoTime(own.toMs),
      budget: budgets[index]?.budget ?? 0,
      bid_price,
      pacing: 'even',
      sold: soldTerms.at(product, option),
      segments: [],
    },
  }));
}

function commitPrices(
  stored: StoredProposal | undefined,
  { seller, now }: Call,
  { field, untilMs }: { readonly field: string; readonly untilMs: number },
): StoredProposal {
  if (stored === undefined) throw proposalNotFound(field);
  checkOpen(stored, now.ms, field);
  const { proposal } = stored;
  if (proposal.proposal_status === 'committed') return stored;
  const held = listLines(proposal, seller.products).map(({ product }) => product);
  if (held.length < proposal.allocations.length || held.some((product) => isOff(product, now.ms))) {
    throw new TaskError('PRODUCT_UNAVAILABLE', 'A product or price of the proposal is no longer offered.', {
      field,
      suggestion: 'Send the brief again with get_products for a proposal of what is on sale today.',
    });
  }
  const expires_at = isoTime(Math.min(now.ms + HOLD_HOURS * HOUR_MS, untilMs));
  return { ...stored, proposal: { ...proposal, proposal_status: 'committed', expires_at }, held, isOffer: undefined };
}

/** Whether a product or an offer has ended. */
function isOff({ expires_at }: { readonly expires_at?: string }, nowMs: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= nowMs;
}

/** Returns the proposal that a buyer has of its own; undefined for what the tenant's file offers. */
async function findOwn(db: Reader, scope: Scope, proposalId: string): Promise<StoredProposal | undefined> {
  const stored = (await db.proposals.find(scope, [proposalId])).proposals.get(proposalId);
  return stored?.isOffer === true ? undefined : stored;
}

/** The order of an accepted proposal, and the products at the terms that were held for it. */
export type ProposalPackages = {
  readonly packages: readonly PackageRequest[];
  readonly products: ReadonlyMap<string, Product>;
  /** Of its insertion order; undefined where it has none. */
  readonly acceptance: RecordedAcceptance | undefined;
  /** Gives back what the proposal held, for the buy to take. */
  readonly release: (tx: Writer) => Promise<void>;
  /** Marks the proposal as bought, in the transaction that keeps the buy. */
  readonly settle: (tx: Writer, mediaBuyId: string) => Promise<void>;
};

/** Returns the products that a proposal is bought at: prices and terms are held; what may no longer be sold at all is not. */
export function productsFor({ held = [] }: StoredProposal, { products }: Seller): ReadonlyMap<string, Product> {
  const sold = held
    .filter(({ product_id }) => products.has(product_id))
    .map(({ expires_at: _expiry, ...product }) => [product.product_id, product] as const);
  return sold.length === 0 ? products : new Map([...products, ...sold]);
}

/** Turns an order for a proposal into packages. Throws PROPOSAL_NOT_FOUND, and what `orderPackages` and `recordAcceptance` throw. */
export async function orderProposal(context: ProposalContext, order: ProposalOrder): Promise<ProposalPackages> {
  const { call, db, scope } = context;
  const { owner, seller, now } = call;
  const own = await findOwn(db, scope, order.proposal_id);
  // What the buyer negotiated counts, even when it has ended: the offer of the file may be another one by now.
  const proposal = own ?? (await findProposals(context, [order.proposal_id], NO_FLIGHT)).get(order.proposal_id);
  if (proposal === undefined) throw proposalNotFound('proposal_id');
  const stored = seller.tenant.insertionOrders === undefined ? proposal : asDraft(proposal);
  checkTerms(stored, order);
  const products = productsFor(stored, seller);
  const packages = orderPackages(stored, order, products, now.ms);
  return {
    packages,
    products,
    acceptance: recordAcceptance(stored.proposal.insertion_order, order.io_acceptance, now.ms),
    release: (tx) => releaseHolder(tx, proposalHolder(owner, stored)),
    settle: async (tx, media_buy_id) => {
      if (own === undefined) return;
      const snapshot = own.snapshot && { ...own.snapshot, media_buy_id, accepted_at: now.iso };
      await tx.proposals.save(scope, { ...own, media_buy_id, snapshot });
    },
  };
}

/** Returns a proposal that was ready to buy before the seller wanted insertion orders as one that is finalized first. */
function asDraft(stored: StoredProposal): StoredProposal {
  const { proposal } = stored;
  return { ...stored, proposal: { ...proposal, proposal_status: proposal.proposal_status ?? 'draft' } };
}

/**
 * Keeps a proposal open as long as an order for it waits for a person: who was answered in time is not refused for the wait. Returns who
 * holds inventory for it; undefined where it is not a buyer's own.
 */
export async function holdProposal(
  { call, db, scope }: ProposalContext<Writer>,
  proposalId: string,
  dueAt: string,
): Promise<string | undefined> {
  const stored = await findOwn(db, scope, proposalId);
  if (stored === undefined) return undefined;
  const holder = proposalHolder(call.owner, stored);
  const untilMs = Date.parse(dueAt) + DAY_MS;
  const { expires_at } = stored.proposal;
  if (expires_at === undefined || Date.parse(expires_at) >= untilMs) return holder;
  await db.proposals.save(scope, { ...stored, proposal: { ...stored.proposal, expires_at: isoTime(untilMs) } });
  await db.inventory.extend(holder, untilMs);
  return holder;
}

/** A purchase forecasts nothing. */
const NO_FLIGHT: Period = { fromMs: 0, toMs: DAY_MS };
