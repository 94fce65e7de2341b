import type { Product } from '../../product/product.js';
import { forecastBudget } from '../forecast.js';
import { allocate, choosePrice, dateAllocations, listLines, withGuidance } from '../plan.js';
import { needsFinalizing, type Plan, type Proposal } from '../proposal.js';
import { exactShares } from '../shares.js';
import type { Applied } from './ask.js';
import { type Draft, giveToOpen } from './draft.js';
import type { ProposalRefinementContext } from './draft-lines.js';
import { carryOut } from './effects.js';
import { describeFlight, isAboutDays } from './flight-ask.js';
import { readPlanAsk } from './plan-ask.js';

/** A plan that was changed as an ask wanted, and what of the ask was done. */
type Refined = { readonly proposal: Proposal; readonly applied: Applied };

/**
 * Changes a proposal as an ask in plain words wants it: shares of channels or products, products dropped or added, another budget.
 * What is ambiguous changes nothing and is asked back in the notes; the id stays.
 */
export function refineProposal(proposal: Proposal, ask: string, ground: ProposalRefinementContext): Refined {
  const { days, flight } = ground;
  const { directives, unread: left } = readPlanAsk(days?.rest ?? ask);
  const unread = days === undefined ? left : left.filter((clause) => !isAboutDays(clause));
  const { currency, recommended } = proposal.total_budget_guidance;
  const draft: Draft = {
    lines: proposal.allocations.flatMap((allocation) => {
      const product = ground.byId.get(allocation.product_id);
      const share = allocation.allocation_percentage;
      return product === undefined ? [] : [{ allocation, product, share, isSettled: false }];
    }),
    free: 0,
    dropped: [],
    amount: recommended,
    currency,
    done: days?.flight === undefined ? [] : [`Planned for ${describeFlight(flight)}`],
    undone: [
      ...(days?.unclear === undefined ? [] : [days.unclear]),
      ...unread.map((clause) => `"${clause.slice(0, 80)}" says no change of shares, products, budget or days`),
    ],
  };
  for (const directive of directives) carryOut(draft, directive, ground);
  giveToOpen(draft);
  const rebuilt = draft.done.length === 0 ? proposal : rebuildProposal(proposal, draft, ground);
  const notes = [
    ...draft.done.map((text) => `${text}.`),
    ...draft.undone.map((text) => `Not done: ${text}.`),
    ...(directives.length + unread.length === 0 && days === undefined ? ['Not done: the ask says no change.'] : []),
  ].join(' ');
  return { proposal: rebuilt, applied: { status: draftStatus(draft), notes: notes === '' ? undefined : notes } };
}

/** Changes of a plan beside those that are asked for in words. */
type PlanChanges = {
  /** The total budget, in the plan's currency. */
  readonly amount?: number | undefined;
  /** Ids of products that go, and products that come in with an equal share. */
  readonly omitted: ReadonlySet<string>;
  readonly included: readonly Product[];
  /** Returns what a product weighs against the others, where their shares change. */
  readonly weigh?: (product: Product) => number;
};

/** Returns a plan as it is with these changes, planned anew for the flight. A plan that would lose all of its products keeps them. */
export function changePlan(proposal: Proposal, changes: PlanChanges, ground: ProposalRefinementContext): Proposal {
  const { currency, recommended } = proposal.total_budget_guidance;
  const current = proposal.allocations.flatMap((allocation) => {
    const product = ground.byId.get(allocation.product_id);
    const share = allocation.allocation_percentage;
    return product === undefined ? [] : [{ allocation, product, share, isSettled: false }];
  });
  const present = new Set(current.map(({ product }) => product.product_id));
  const share = current.reduce((sum, line) => sum + line.share, 0) / Math.max(1, current.length);
  const added = changes.included.flatMap((product) => {
    const price = present.has(product.product_id) ? undefined : choosePrice(product, currency);
    if (price === undefined) return [];
    return [{ allocation: allocate({ product, ...price }, share, 'Asked for'), product, share, isSettled: false }];
  });
  const lines = [...current, ...added].filter(({ product }) => !changes.omitted.has(product.product_id));
  const { weigh } = changes;
  const left = lines.length === 0 ? current : lines;
  const draft: Draft = {
    lines: weigh === undefined ? left : left.map((line) => ({ ...line, share: weigh(line.product) })),
    free: 0,
    dropped: [],
    amount: changes.amount ?? recommended,
    currency,
    done: [],
    undone: [],
  };
  return rebuildProposal(proposal, draft, ground);
}

function draftStatus({ done, undone }: Draft): Applied['status'] {
  if (done.length === 0) return 'unable';
  return undone.length === 0 ? 'applied' : 'partial';
}

function rebuildProposal(
  before: Proposal,
  draft: Draft,
  { byId, tenant, flight, nowMs }: ProposalRefinementContext,
): Proposal {
  const { lines, amount, currency } = draft;
  const shares = exactShares(lines.map(({ share }) => share));
  const shared = lines.map(({ allocation }, index) => ({ ...allocation, allocation_percentage: shares[index] ?? 0 }));
  const dated = dateAllocations(shared, byId, flight);
  // One that is sold out meanwhile stays as it is: finalizing says so.
  const allocations = dated.length < shared.length ? shared : dated;
  const { proposal_status: _status, forecast: _forecast, total_budget_guidance: _guidance, ...rest } = before;
  const priced = listLines({ allocations }, byId);
  const plan: Plan = withGuidance({ ...rest, allocations }, priced, { amount, currency }, flight);
  const { recommended, min = 0 } = plan.total_budget_guidance;
  if (amount !== undefined && recommended !== undefined && recommended !== amount) {
    draft.undone.push(
      recommended < amount
        ? `the inventory takes ${recommended} ${currency} in this flight and no more, so that is recommended`
        : `the prices of these products ask for at least ${min} ${currency}`,
    );
  }
  const forecastAmount = recommended ?? before.forecast.points[1]?.budget ?? 0;
  return {
    ...plan,
    proposal_status: needsFinalizing(plan, { products: byId, tenant }) ? ('draft' as const) : undefined,
    forecast: forecastBudget(priced, { amount: forecastAmount, currency }, flight, nowMs),
  };
}
