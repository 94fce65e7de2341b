import { DAY_MS, HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import type { PackageRequest } from '../../domain/media-buy/order.js';
import type { Period } from '../../domain/media-buy/reporting.js';
import type { Product } from '../../domain/product/product.js';
import { listLines, openProposal, planFromFile } from '../../domain/proposal/plan.js';
import {
  checkOpen,
  HOLD_HOURS,
  OFFER_DAYS,
  orderPackages,
  type Plan,
  type Proposal,
  type ProposalOrder,
  proposalNotFound,
  proposalState,
  type StoredProposal,
} from '../../domain/proposal/proposal.js';
import type { Reader, Writer } from '../../store/store.js';

/**
 * The proposals that a buyer is shown for these plans, as its own negotiation left those that it saw before. What was made of a
 * brief is on disk before it is answered, so that what a buyer was shown is never lost; this is the one write of a reading task
 * beside previews, and the same brief again writes nothing.
 */
export async function showProposals(
  app: App,
  call: Call,
  made: readonly Plan[],
  standing: readonly Plan[],
  flight: Period,
): Promise<readonly Proposal[]> {
  const { owner, seller, now } = call;
  const plans = [...standing, ...made];
  const stored = await app.store.read.proposals.find(
    owner,
    plans.map(({ proposal_id }) => proposal_id),
  );
  const isOpen = (proposal: StoredProposal | undefined): proposal is StoredProposal =>
    proposal !== undefined && proposalState(proposal, now.ms) === 'open';
  const opened = new Map(
    plans
      .filter(({ proposal_id }) => !isOpen(stored.get(proposal_id)))
      .map((plan) => {
        const offered = made.includes(plan) ? { ...plan, expires_at: isoTime(now.ms + OFFER_DAYS * DAY_MS) } : plan;
        return [plan.proposal_id, openProposal(offered, seller.products, flight, now.ms)] as const;
      }),
  );
  const fresh = made.flatMap(({ proposal_id }) => opened.get(proposal_id) ?? []);
  if (fresh.length > 0) {
    await app.store.transact(async (tx) => {
      for (const proposal of fresh) await tx.proposals.save(owner, { proposal });
    });
  }
  return plans.flatMap(({ proposal_id }) => opened.get(proposal_id) ?? stored.get(proposal_id)?.proposal ?? []);
}

/** The plans of the tenant's file that are on sale. */
export function configuredPlans({ seller, now }: Call, flight: Period): readonly Plan[] {
  return seller.tenant.proposals
    .filter((standing) => !isOff(standing, now.ms))
    .filter(({ allocations }) =>
      allocations.every(({ product_id }) => !isOff(seller.products.get(product_id) ?? {}, now.ms)),
    )
    .flatMap((standing) => planFromFile(standing, seller.products, flight) ?? []);
}

/** The proposals among `ids` as they can be talked about: kept ones, and offers of the tenant's file that are open to all or open again. */
export async function findProposals(
  call: Call,
  db: Reader | Writer,
  ids: readonly string[],
  flight: Period,
): Promise<ReadonlyMap<string, StoredProposal>> {
  const { owner, seller, now } = call;
  const proposals = new Map(await db.proposals.find(owner, ids));
  for (const plan of configuredPlans(call, flight)) {
    const stored = proposals.get(plan.proposal_id);
    if (!ids.includes(plan.proposal_id) || (stored !== undefined && proposalState(stored, now.ms) === 'open')) continue;
    proposals.set(plan.proposal_id, { proposal: openProposal(plan, seller.products, flight, now.ms) });
  }
  return proposals;
}

/**
 * A proposal at firm prices: they and the terms of its products are held until `expires_at`. Throws PROPOSAL_NOT_FOUND,
 * PROPOSAL_EXPIRED, INVALID_STATE or PRODUCT_UNAVAILABLE with `field`.
 */
export function commitProposal(
  stored: StoredProposal | undefined,
  { seller, now }: Call,
  field: string,
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
  const expires_at = isoTime(now.ms + HOLD_HOURS * HOUR_MS);
  return { proposal: { ...proposal, proposal_status: 'committed', expires_at }, held };
}

/** Whether a product or an offer has ended. */
function isOff({ expires_at }: { readonly expires_at?: string }, nowMs: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= nowMs;
}

/** The order of an accepted proposal, and the products at the terms that were held for it. */
export type ProposalPackages = {
  readonly packages: readonly PackageRequest[];
  readonly products: ReadonlyMap<string, Product>;
  /** Marks the proposal as bought, in the transaction that keeps the buy. */
  readonly settle: (tx: Writer, mediaBuyId: string) => Promise<void>;
};

/** Turns an order for a proposal into packages. Throws PROPOSAL_NOT_FOUND and what `packagesOf` throws. */
export async function orderProposal(call: Call, db: Reader, order: ProposalOrder): Promise<ProposalPackages> {
  const { owner, seller, now } = call;
  const own = (await db.proposals.find(owner, [order.proposal_id])).get(order.proposal_id);
  // What the buyer negotiated counts, even when it has ended: the offer of the file may be another one by now.
  const stored = own ?? (await findProposals(call, db, [order.proposal_id], NO_FLIGHT)).get(order.proposal_id);
  if (stored === undefined) throw proposalNotFound('proposal_id');
  // Prices and terms are held; what may no longer be sold at all is not.
  const held = (stored.held ?? [])
    .filter(({ product_id }) => seller.products.has(product_id))
    .map(({ expires_at: _expiry, ...product }) => [product.product_id, product] as const);
  const products = held.length === 0 ? seller.products : new Map([...seller.products, ...held]);
  return {
    packages: orderPackages(stored, order, products, now.ms),
    products,
    settle: async (tx, media_buy_id) => {
      if (own !== undefined) await tx.proposals.save(owner, { ...own, media_buy_id });
    },
  };
}

/** Keeps a proposal open as long as an order for it waits for a person: who was answered in time is not refused for the wait. */
export async function holdProposal(tx: Writer, owner: string, proposalId: string, dueAt: string): Promise<void> {
  const stored = (await tx.proposals.find(owner, [proposalId])).get(proposalId);
  const untilMs = Date.parse(dueAt) + DAY_MS;
  const { expires_at } = stored?.proposal ?? {};
  if (stored === undefined || expires_at === undefined || Date.parse(expires_at) >= untilMs) return;
  await tx.proposals.save(owner, { ...stored, proposal: { ...stored.proposal, expires_at: isoTime(untilMs) } });
}

/** A purchase forecasts nothing. */
const NO_FLIGHT: Period = { fromMs: 0, toMs: DAY_MS };
