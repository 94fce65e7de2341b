import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { findSoldOut } from '../../domain/proposal/availability.js';
import { type Market, plannedFor } from '../../domain/proposal/market.js';
import { readFlightAsk } from '../../domain/proposal/refinement/flight-ask.js';
import { changePlan, refineProposal } from '../../domain/proposal/refinement/proposal.js';
import { planBudget, planTerms } from '../../domain/proposal/snapshot.js';
import type { CommercialTerms } from '../../domain/proposal/terms.js';
import type { Writer } from '../../store/store.js';
import { readMarket } from '../product/flight.js';
import type { ProposalContext } from '../product/proposals.js';
import { listOnSale } from './offers.js';
import type { Constraints } from './revision-shapes.js';
import { draftSnapshot, type StoredSnapshot } from './snapshots.js';

/** A revision of a proposal. */
type Revision = {
  readonly ask?: string | undefined;
  readonly constraints?: Constraints | undefined;
  readonly product_changes?: Readonly<Record<string, 'include' | 'omit'>> | undefined;
};

/** What came of a revision, and the draft that it made; none where nothing of it could be done. */
type Revised = Readonly<Record<string, unknown>> & { readonly draft?: StoredSnapshot };

/** Makes a draft of a proposal as a revision wants it. The proposal itself stays as it is. */
export async function reviseSnapshot(
  app: App,
  context: ProposalContext<Writer>,
  revision: Revision,
  source: StoredSnapshot,
): Promise<Revised> {
  const { call, db } = context;
  const { constraints = {}, product_changes: changes = {}, ask } = revision;
  const own = widenFlight(await readMarket(db, call, marketOf(source), true), constraints.flight, call.now.ms);
  const days = ask === undefined ? undefined : readFlightAsk(ask, { own, isDated: false, nowMs: call.now.ms });
  const flight = await readMarket(db, call, { ...own, ...days?.flight }, true);
  const onSale = listOnSale(call);
  const soldOut = findSoldOut(onSale, flight, new Map());
  const products = onSale.filter(({ product_id }) => !soldOut.has(product_id));
  const ground = { products, byId: call.seller.products, tenant: call.seller.tenant, flight, nowMs: call.now.ms, days };
  const asked = ask === undefined ? undefined : refineProposal(source.proposal, ask, ground);
  const before = asked?.proposal ?? source.proposal;
  const proposal = changePlan(
    before,
    {
      amount: boundBudget(planBudget(before), before.total_budget_guidance.currency, constraints.total_budget),
      omitted: new Set(Object.keys(changes).filter((id) => changes[id] === 'omit')),
      included: products.filter(({ product_id }) => changes[product_id] === 'include'),
    },
    ground,
  );
  const { expires_at: _ofSource, ...open } = proposal;
  const terms = planTerms(proposal, call.seller.products, source.snapshot.terms.brand, flight);
  const draft = draftSnapshot(app, call, {
    proposal: open,
    terms,
    snapshot: {
      kind: 'new_media_buy',
      parent_proposal_id: source.proposal.proposal_id,
      opportunity_id: source.snapshot.opportunity_id,
    },
    ...plannedFor(flight),
    account_key: source.account_key ?? '',
  });
  return judge(draft, source, { constraints, changes, asked: asked?.applied });
}

/** Says how much of a revision a draft fulfills. */
function judge(
  draft: StoredSnapshot,
  source: StoredSnapshot,
  {
    constraints,
    changes,
    asked,
  }: {
    readonly constraints: Constraints;
    readonly changes: NonNullable<Revision['product_changes']>;
    readonly asked: { readonly status: string; readonly notes?: string | undefined } | undefined;
  },
): Revised {
  const { terms, terms_digest } = draft.snapshot;
  const unmet = CONSTRAINTS.filter((name) => constraints[name] !== undefined && !isMet(name, constraints, terms));
  const sold = new Set(terms.purchases.map(({ product_id }) => product_id));
  const unchanged = Object.entries(changes).filter(([id, action]) => sold.has(id) !== (action === 'include'));
  const isUnmet = unmet.length + unchanged.length > 0;
  if (!isUnmet && (asked === undefined || asked.status === 'applied')) return { outcome: 'revised', draft };
  const isSame = terms_digest === source.snapshot.terms_digest;
  const reason = {
    reason_code: isUnmet ? 'constraint_unsatisfiable' : 'uninterpreted',
    reason: [
      ...(unmet.length === 0 ? [] : [`Not possible with these products: ${unmet.join(', ')}.`]),
      ...(unchanged.length === 0
        ? []
        : [`Not on sale for this plan, or all that is left of it: ${unchanged.map(([id]) => id).join(', ')}.`]),
      ...(asked?.notes === undefined ? [] : [asked.notes]),
    ].join(' '),
    ...(unmet.length === 0 ? {} : { unsatisfied_constraints: unmet }),
    ...(unchanged.length === 0 ? {} : { unsatisfied_product_changes: Object.fromEntries(unchanged) }),
  };
  return isSame ? { outcome: 'unable', ...reason } : { outcome: 'partial', ...reason, draft };
}

const CONSTRAINTS = ['total_budget', 'cpm', 'flight'] as const;

function isMet(name: (typeof CONSTRAINTS)[number], constraints: Constraints, terms: CommercialTerms): boolean {
  const { total_budget: budget, cpm, flight } = constraints;
  if (name === 'total_budget') {
    const { amount, currency } = terms.total_budget;
    return budget?.currency === currency && amount >= (budget.min ?? 0) && amount <= (budget.max ?? amount);
  }
  if (name === 'cpm')
    return terms.purchases.every(({ pricing: { pricing_model, currency, fixed_price } }) => {
      const isPerThousand = pricing_model === 'cpm' || pricing_model === 'vcpm';
      return (
        isPerThousand && currency === cpm?.currency && typeof fixed_price === 'number' && fixed_price <= (cpm?.max ?? 0)
      );
    });
  const { start_no_later_than: start, end_no_earlier_than: end } = flight ?? {};
  return (
    (start === undefined || Date.parse(terms.start_time) <= Date.parse(start)) &&
    (end === undefined || Date.parse(terms.end_time) >= Date.parse(end))
  );
}

/** Returns the budget that is nearest to a plan's own within bounds in its currency. Throws INVALID_REQUEST for bounds that cross. */
function boundBudget(amount: number, currency: string, bounds: Constraints['total_budget']): number {
  if (bounds === undefined || bounds.currency !== currency) return amount;
  const { min = 0, max = Number.POSITIVE_INFINITY } = bounds;
  if (min <= max) return Math.min(Math.max(amount, min), max);
  throw new TaskError('INVALID_REQUEST', 'The least budget is above the most.', {
    field: 'refinements[0].constraints.total_budget.min',
    suggestion: 'Send min at or below max.',
  });
}

function marketOf({ flight, places, snapshot }: StoredSnapshot): Market {
  const { start_time, end_time } = snapshot.terms;
  return { ...(flight ?? { fromMs: Date.parse(start_time), toMs: Date.parse(end_time) }), overlay: places };
}

/** Returns a flight that begins and ends as bounds want it, as far as they are instants still to come. */
function widenFlight(market: Market, bounds: Constraints['flight'], nowMs: number): Market {
  const startMs = Date.parse(bounds?.start_no_later_than ?? '');
  const endMs = Date.parse(bounds?.end_no_earlier_than ?? '');
  const fromMs = startMs > nowMs ? Math.min(market.fromMs, startMs) : market.fromMs;
  const toMs = endMs > market.toMs ? endMs : market.toMs;
  return { ...market, fromMs, toMs };
}
