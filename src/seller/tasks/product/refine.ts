import { z } from 'zod';
import { isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Product } from '../../domain/product/product.js';
import { findSoldOut } from '../../domain/proposal/availability.js';
import { remainingFlight } from '../../domain/proposal/forecast.js';
import { type Market, plannedFor } from '../../domain/proposal/market.js';
import { type Proposal, proposalNotFound, proposalState, type StoredProposal } from '../../domain/proposal/proposal.js';
import type { Applied } from '../../domain/proposal/refinement/ask.js';
import { readFlightAsk } from '../../domain/proposal/refinement/flight-ask.js';
import {
  type ProductOutcome,
  type RefinedProduct,
  refineProduct,
  refineSelection,
} from '../../domain/proposal/refinement/products.js';
import { refineProposal } from '../../domain/proposal/refinement/proposal.js';
import type { Seller } from '../../domain/tenant/seller.js';
import type { Writer } from '../../store/store.js';
import { readMarket } from './flight.js';
import { commitProposal, findProposals, type ProposalContext, planFor } from './proposals.js';

/** One change that a buyer asks for after an answer of get_products. */
export const refinement = z.looseObject({
  scope: z.enum(['request', 'product', 'proposal']),
  product_id: z.string().min(1).max(255).optional(),
  proposal_id: z.string().min(1).max(255).optional(),
  action: z.enum(['include', 'omit', 'more_like_this', 'finalize']).optional(),
  ask: z.string().min(1).max(4000).optional(),
});
type Refinement = z.output<typeof refinement>;

/** The member that each scope needs beside itself, and its actions. */
const SCOPES: Readonly<
  Record<
    Refinement['scope'],
    { readonly needs: 'ask' | 'product_id' | 'proposal_id'; readonly actions: readonly string[] }
  >
> = {
  request: { needs: 'ask', actions: [] },
  product: { needs: 'product_id', actions: ['include', 'omit', 'more_like_this'] },
  proposal: { needs: 'proposal_id', actions: ['include', 'omit', 'finalize'] },
};

/** Reads `refine`: every entry is whole, names its thing once, and finalizing stands alone. Throws INVALID_REQUEST with the entry's field. */
export function readRefinements(entries: readonly Refinement[]): readonly Refinement[] {
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const { needs, actions } = SCOPES[entry.scope];
    const subject = entry[needs];
    if (subject === undefined)
      throw refuseEntry(index, needs, 'is required', `Add ${needs} to the entry of scope "${entry.scope}".`);
    if (entry.action !== undefined && !actions.includes(entry.action)) {
      const fix = actions.length === 0 ? 'Leave action out.' : `Use one of: ${actions.join(', ')}.`;
      throw refuseEntry(index, 'action', `is no action of scope "${entry.scope}"`, fix);
    }
    const key = `${needs} ${subject}`;
    if (needs !== 'ask' && seen.has(key))
      throw refuseEntry(index, needs, 'stands twice in refine', 'Merge the two entries into one.');
    seen.add(key);
  }
  const finalizing = entries.filter(({ action }) => action === 'finalize');
  if (finalizing.length > 0 && finalizing.length < entries.length) {
    const index = entries.findIndex(({ action }) => action !== 'finalize');
    throw refuseEntry(index, 'action', 'finalizing stands alone', 'Refine in one call, and finalize in the next one.');
  }
  return entries;
}

function refuseEntry(index: number, name: string, message: string, suggestion: string): TaskError {
  return new TaskError('INVALID_REQUEST', `refine[${index}].${name}: ${message}`, {
    field: `refine[${index}].${name}`,
    suggestion,
  });
}

/** The context of a refine call: the products on sale that its filters left, which are sold out, and the flight that is forecast. */
type RefinementContext = {
  readonly candidates: readonly Product[];
  readonly soldOut: ReadonlySet<string>;
  readonly flight: Market;
  /** Whether the call names the days; else a proposal's own are meant. */
  readonly isDated: boolean;
};

/** The answer of a refine call. */
type RefineAnswer = {
  readonly products: readonly RefinedProduct[];
  readonly proposals: readonly Proposal[];
  readonly refinement_applied: readonly Readonly<Record<string, unknown>>[];
};

/** An entry's outcome, and what it adds to the answer. */
type Outcome = ProductOutcome & { readonly proposal?: Proposal };

/**
 * Carries out the entries of a refine call in one transaction, which keeps the proposals as they stand then.
 * Entries that name products or proposals choose what is answered; one for the whole request narrows the catalog.
 * Throws what finalizing throws, before anything is kept.
 */
export async function refine(
  context: ProposalContext<Writer>,
  entries: readonly Refinement[],
  ground: RefinementContext,
): Promise<RefineAnswer> {
  const { call } = context;
  const asking = entries.findIndex(({ scope }) => scope === 'proposal');
  if (call.principal === undefined && asking >= 0) throw nobodysProposal(asking);
  const ids = entries.flatMap(({ scope, proposal_id }) => (scope === 'proposal' ? (proposal_id ?? []) : []));
  const stored = await findProposals(context, ids, ground.flight);
  for (const [index, { proposal_id = '', action }] of entries.entries())
    if (action !== 'omit' && stored.get(proposal_id)?.snapshot !== undefined) throw refuseSnapshot(index);
  const finalized = await finalizeNamed(context, entries, stored, ground);
  const available = ground.candidates.filter(({ product_id }) => !ground.soldOut.has(product_id));
  const productGround = { ...ground, index: call.seller.index, nowMs: call.now.ms };
  const outcomes: Outcome[] = [];
  for (const [index, entry] of entries.entries()) {
    const committed = finalized[index];
    if (committed !== undefined) outcomes.push(await saveCommitted(context, committed));
    else if (entry.scope === 'proposal')
      outcomes.push(await saveRefined(context, entry, findStored(stored, entry, index), ground));
    else if (entry.scope === 'product') outcomes.push(refineProduct(entry, productGround));
    else outcomes.push(refineSelection(entry.ask ?? '', available));
  }
  const proposals = outcomes.flatMap(({ proposal }) => proposal ?? []);
  return {
    products: listProducts(call.seller, entries, outcomes, { proposals, candidates: available }),
    proposals,
    refinement_applied: entries.map(({ scope, product_id, proposal_id }, index) => ({
      scope,
      product_id: scope === 'product' ? product_id : undefined,
      proposal_id: scope === 'proposal' ? proposal_id : undefined,
      ...appliedOf(outcomes[index]),
    })),
  };
}

/** Commits the proposals that entries finalize; undefined in the place of every other entry. Throws what finalizing throws. */
async function finalizeNamed(
  context: ProposalContext<Writer>,
  entries: readonly Refinement[],
  stored: ReadonlyMap<string, StoredProposal>,
  ground: RefinementContext,
): Promise<readonly (StoredProposal | undefined)[]> {
  const finalized: (StoredProposal | undefined)[] = [];
  for (const [index, entry] of entries.entries()) {
    const field = `refine[${index}].proposal_id`;
    const proposal = stored.get(entry.proposal_id ?? '');
    finalized.push(
      entry.action === 'finalize'
        ? await commitProposal(context, proposal, { flight: await readOwnMarket(context, proposal, ground), field })
        : undefined,
    );
  }
  return finalized;
}

/** Reads the market of a proposal: the days and places that the call names, else those that it was planned for, as far as they lie ahead. */
async function readOwnMarket(
  { call, db }: ProposalContext<Writer>,
  stored: StoredProposal | undefined,
  { flight: asked, isDated }: RefinementContext,
): Promise<Market> {
  const planned = isDated || stored?.flight === undefined ? undefined : remainingFlight(stored.flight, call.now.ms);
  const overlay = asked.overlay ?? stored?.places;
  if (planned === undefined) return { ...asked, overlay };
  return readMarket(db, call, { ...planned, overlay }, true);
}

function nobodysProposal(index: number): TaskError {
  return new TaskError('AUTH_MISSING', 'Proposals belong to whoever they were made for; this call names nobody.', {
    field: `refine[${index}].proposal_id`,
    suggestion: 'Call with your credential.',
  });
}

function refuseSnapshot(index: number): TaskError {
  return new TaskError('INVALID_STATE', 'This proposal is a snapshot, which stays as it is.', {
    field: `refine[${index}].proposal_id`,
    suggestion: 'Revise or finalize it with refine_proposals.',
  });
}

function appliedOf(outcome: Outcome | undefined): Applied {
  const { status = 'unable', notes } = outcome ?? {};
  return { status, notes };
}

async function saveCommitted({ db, scope }: ProposalContext<Writer>, committed: StoredProposal): Promise<Outcome> {
  await db.proposals.save(scope, committed);
  const { expires_at = '' } = committed.proposal;
  const { flight } = committed;
  const held = flight === undefined ? '' : `, and inventory from ${isoTime(flight.fromMs)} to ${isoTime(flight.toMs)}`;
  return { status: 'applied', notes: `Prices are held until ${expires_at}${held}.`, proposal: committed.proposal };
}

function findStored(
  proposals: ReadonlyMap<string, StoredProposal>,
  { proposal_id = '' }: Refinement,
  index: number,
): StoredProposal {
  const stored = proposals.get(proposal_id);
  if (stored === undefined) throw proposalNotFound(`refine[${index}].proposal_id`);
  return stored;
}

async function saveRefined(
  context: ProposalContext<Writer>,
  { action, ask }: Refinement,
  stored: StoredProposal,
  ground: RefinementContext,
): Promise<Outcome> {
  const { call, db, scope } = context;
  const { seller, now } = call;
  if (action === 'omit') return { status: 'applied' };
  if (proposalState(stored, now.ms) !== 'open')
    return { status: 'unable', notes: 'The proposal has ended; the same brief gets it anew.' };
  const own = await readOwnMarket(context, stored, ground);
  const { proposal } = planFor(call, stored, own);
  if (ask === undefined) return { status: 'applied', proposal };
  if (proposal.proposal_status === 'committed')
    return {
      status: 'unable',
      notes: 'The proposal is committed, so it stays as it is: buy it, or send the brief again.',
      proposal,
    };
  const days = readFlightAsk(ask, { own, isDated: ground.isDated, nowMs: now.ms });
  const flight = days?.flight === undefined ? own : await readMarket(db, call, { ...own, ...days.flight }, true);
  const soldOut = findSoldOut(ground.candidates, flight, new Map());
  const products = ground.candidates.filter(({ product_id }) => !soldOut.has(product_id));
  const grounds = { products, byId: seller.products, tenant: seller.tenant, flight, nowMs: now.ms, days };
  const refined = refineProposal(proposal, ask, grounds);
  if (refined.proposal !== proposal)
    await db.proposals.save(scope, {
      proposal: refined.proposal,
      ...plannedFor(flight),
      account_key: stored.account_key,
    });
  return { ...refined.applied, proposal: refined.proposal };
}

/** Returns the products of the answer: those that entries named or narrowed to, without those that were left out, and those of the proposals. */
function listProducts(
  { products: onSale }: Seller,
  entries: readonly Refinement[],
  outcomes: readonly Outcome[],
  { proposals, candidates }: { readonly proposals: readonly Proposal[]; readonly candidates: readonly Product[] },
): RefineAnswer['products'] {
  const omitted = new Set(entries.flatMap(({ action, product_id }) => (action === 'omit' ? (product_id ?? []) : [])));
  const named = outcomes.filter((_outcome, index) => entries[index]?.scope === 'product');
  const narrowed = outcomes.filter(
    ({ products }, index) => entries[index]?.scope === 'request' && products !== undefined,
  );
  const chosen = [
    ...named.flatMap(({ products }) => products ?? []),
    ...candidates.filter(
      (product) => narrowed.length > 0 && narrowed.every(({ products }) => products?.includes(product)),
    ),
  ];
  const inProposals = proposals.flatMap(({ allocations }) =>
    allocations.flatMap(({ product_id }) => onSale.get(product_id) ?? []),
  );
  const all = chosen.length + inProposals.length > 0 ? chosen : candidates;
  const answered = new Map<string, RefineAnswer['products'][number]>();
  for (const product of all) {
    if (!omitted.has(product.product_id) && !answered.has(product.product_id))
      answered.set(product.product_id, product);
  }
  for (const product of inProposals) if (!answered.has(product.product_id)) answered.set(product.product_id, product);
  return [...answered.values()];
}
