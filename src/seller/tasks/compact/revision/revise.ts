import { TaskError, taskErrorOrThrow } from '../../../../protocol/errors.js';
import { isTerminal } from '../../../domain/media-buy/media-buy.js';
import { plannedFor } from '../../../domain/proposal/market.js';
import { choosePrice } from '../../../domain/proposal/plan.js';
import type { Proposal } from '../../../domain/proposal/proposal.js';
import { listAlternatives } from '../../../domain/proposal/refinement/alternatives.js';
import { changePlan, refineProposal } from '../../../domain/proposal/refinement/proposal.js';
import { livePackages, planBudget, planTerms } from '../../../domain/proposal/snapshot.js';
import { draftSnapshot, type StoredSnapshot } from '../snapshots.js';
import { draftAmendment } from './amend.js';
import { type Ground, type RevisionContext, type RevisionSource, readGround } from './ground.js';
import { type Asked, findUnmet, judgeDraft, type Revised, refuseRevision } from './judge.js';
import type { Constraints, Refinement } from './shapes.js';

/**
 * Makes drafts of a proposal as a revision wants it; of one that was accepted, drafts that amend its buy as it is now. The proposal
 * itself stays as it is.
 */
export async function reviseSnapshot(
  context: RevisionContext,
  revision: Refinement,
  source: RevisionSource,
): Promise<Revised> {
  const { constraints = {}, product_changes: changes = {}, alternatives } = revision;
  const obstacle = findObstacle(context, source);
  if (obstacle !== undefined) return obstacle;
  const ground = await readGround(context, revision, source);
  const { plan, words } = applyRevision(ground, revision);
  if (plan === undefined)
    return refuseRevision('Nothing that is on sale passes these criteria.', { constraints, changes });
  const make = (after: Proposal) => draftPlan(context, source, ground, after);
  try {
    const { draft, isSame } = await make(plan);
    const asked = { constraints, changes, words, isSame };
    const judged = judgeDraft(draft, asked);
    if (alternatives === undefined || judged.outcome !== 'revised') return judged;
    const included = new Set(Object.keys(changes).filter((id) => changes[id] === 'include'));
    const isAsked = Object.keys(revision).some((name) => !['proposal_id', 'action', 'alternatives'].includes(name));
    const others = listAlternatives(plan, ground.ground, included);
    const drafts = await collectDrafts(make, others, {
      asked,
      count: alternatives.count,
      first: isAsked ? draft : undefined,
    });
    return describeAlternatives(drafts, alternatives.count);
  } catch (cause) {
    const { message, extras } = taskErrorOrThrow(cause);
    if (source.buy === undefined) throw cause;
    return refuseRevision(`${message} ${extras.suggestion ?? ''}`.trim(), { constraints, changes });
  }
}

/** Returns why nothing can be amended: the buy has ended, or sells what the catalog has no more. */
function findObstacle({ call }: RevisionContext, { buy }: RevisionSource): Revised | undefined {
  if (buy === undefined) return undefined;
  const unable = (reason_code: string, reason: string): Revised => ({
    outcome: 'unable',
    reason_code,
    reason,
    drafts: [],
  });
  if (isTerminal(buy.status))
    return unable('source_unavailable', `The media buy is ${buy.status}: its terms are over.`);
  const gone = livePackages(buy).find(({ product_id }) => !call.seller.products.has(product_id));
  if (gone === undefined) return undefined;
  return unable(
    'commercially_declined',
    `${gone.product_id} is no longer sold, so its terms are not changed: control_media_buy changes its budget, pacing, targeting and state.`,
  );
}

/** Returns the plan that a revision asks for, and what was made of its words; no plan where nothing on sale passes its criteria. */
function applyRevision({ plan, named, ground }: Ground, revision: Refinement) {
  const { constraints = {}, product_changes: changes = {}, ask, criteria } = revision;
  const refined = ask === undefined ? undefined : refineProposal(plan, ask, ground);
  const before = refined?.proposal ?? plan;
  const { currency } = before.total_budget_guidance;
  const included = named.filter(({ product_id }) => changes[product_id] === 'include');
  const wanted = new Set([...ground.products, ...included].map(({ product_id }) => product_id));
  const failing =
    criteria === undefined
      ? []
      : before.allocations.map(({ product_id }) => product_id).filter((id) => !wanted.has(id));
  const isEmptied = failing.length === before.allocations.length;
  const others = isEmptied ? ground.products.filter((product) => choosePrice(product, currency) !== undefined) : [];
  if (isEmptied && others.length + included.length === 0) return { plan: undefined };
  const omitted = Object.keys(changes).filter((id) => changes[id] === 'omit');
  return {
    plan: changePlan(
      before,
      {
        amount: boundBudget(planBudget(before), currency, constraints.total_budget),
        omitted: new Set([...omitted, ...failing]),
        included: [...included, ...others.slice(0, MAX_REPLACING)],
      },
      ground,
    ),
    words: refined?.applied,
  };
}

/** Most products that come in where criteria leave none of a plan's own. */
const MAX_REPLACING = 3;

/** A draft, and whether its terms are those that were there before. */
type Drafted = { readonly draft: StoredSnapshot; readonly isSame: boolean };

async function draftPlan(
  context: RevisionContext,
  { stored, buy }: RevisionSource,
  { plan: before, criteria, ground }: Ground,
  after: Proposal,
): Promise<Drafted> {
  const { app, call } = context;
  const { flight, byId } = ground;
  if (buy !== undefined) return draftAmendment(context, { source: stored, buy, before, after, flight, criteria });
  const { expires_at: _ofSource, ...open } = after;
  const draft = draftSnapshot(app, call, {
    proposal: open,
    terms: planTerms(after, byId, stored.snapshot.terms.brand, flight),
    snapshot: {
      kind: 'new_media_buy',
      parent_proposal_id: stored.proposal.proposal_id,
      opportunity_id: stored.snapshot.opportunity_id,
      criteria,
    },
    ...plannedFor(flight),
    account_key: stored.account_key ?? '',
  });
  return { draft, isSame: draft.snapshot.terms_digest === stored.snapshot.terms_digest };
}

/** Returns drafts with terms of their own that keep to what was asked, as many as were asked for if there are so many. */
async function collectDrafts(
  make: (plan: Proposal) => Promise<Drafted>,
  plans: readonly Proposal[],
  {
    asked,
    count,
    first,
  }: { readonly asked: Asked; readonly count: number; readonly first: StoredSnapshot | undefined },
): Promise<readonly StoredSnapshot[]> {
  const drafts = new Map(first === undefined ? [] : [[first.snapshot.terms_digest, first]]);
  for (const plan of plans) {
    if (drafts.size === count) break;
    const made = await make(plan).catch(taskErrorOrThrow);
    if (made instanceof TaskError || made.isSame) continue;
    const unmet = findUnmet(made.draft, asked);
    const { terms_digest } = made.draft.snapshot;
    if (unmet.constraints.length + unmet.changes.length === 0 && !drafts.has(terms_digest))
      drafts.set(terms_digest, made.draft);
  }
  return [...drafts.values()];
}

function describeAlternatives(drafts: readonly StoredSnapshot[], count: number): Revised {
  if (drafts.length === count) return { outcome: 'revised', drafts };
  const reason_code = 'alternatives_unavailable';
  return drafts.length === 0
    ? { outcome: 'unable', reason_code, reason: 'No other plan keeps to what is asked.', drafts }
    : { outcome: 'partial', reason_code, reason: `Only ${drafts.length} plans keep to what is asked.`, drafts };
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
