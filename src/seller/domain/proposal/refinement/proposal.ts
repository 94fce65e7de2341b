import type { Period } from '../../media-buy/reporting.js';
import type { Product } from '../../product/product.js';
import type { Money } from '../../search/budget.js';
import { forecastBudget } from '../forecast.js';
import { allocate, choosePrice, listLines, withGuidance } from '../plan.js';
import { type Allocation, needsFinalizing, type Plan, type Proposal } from '../proposal.js';
import { wholeShares } from '../shares.js';
import { type Applied, type Directive, findSubject, readPlanAsk, type Subject } from './ask.js';

/** A plan that was changed as an ask wanted, and what of the ask was done. */
export type Refined = { readonly proposal: Proposal; readonly applied: Applied };

/** The context in which a plan is changed: the products on sale, best first, the flight that is forecast, and the time. */
export type ProposalRefinementContext = {
  readonly products: readonly Product[];
  readonly byId: ReadonlyMap<string, Product>;
  readonly flight: Period;
  readonly nowMs: number;
};

/** By how many percent of the whole "more" and "less" move a share. */
const STEP_PERCENT = 10;
const WHOLE_PERCENT = 100;

/** One line of a plan that is being changed. */
type Line = { readonly allocation: Allocation; readonly product: Product; share: number; isFixed: boolean };

/** A plan that is being changed: its lines, the budget that no line has yet, and the notes on it. */
type Draft = {
  lines: Line[];
  free: number;
  amount: number | undefined;
  readonly currency: string;
  readonly done: string[];
  readonly undone: string[];
};

/**
 * Changes a proposal as an ask in plain words wants it: shares of channels or products, products dropped or added, another budget.
 * What cannot be done is said in the notes; the id stays.
 */
export function refineProposal(proposal: Proposal, ask: string, ground: ProposalRefinementContext): Refined {
  const { directives, unread } = readPlanAsk(ask);
  const { currency, recommended } = proposal.total_budget_guidance;
  const draft: Draft = {
    lines: proposal.allocations.flatMap((allocation) => {
      const product = ground.byId.get(allocation.product_id);
      return product === undefined
        ? []
        : [{ allocation, product, share: allocation.allocation_percentage, isFixed: false }];
    }),
    free: 0,
    amount: recommended,
    currency,
    done: [],
    undone: unread.map((clause) => `"${clause.slice(0, 80)}" says no change of shares, products or budget`),
  };
  for (const directive of directives) carryOut(draft, directive, ground);
  const status = draftStatus(draft);
  const notes = [
    ...draft.done.map((text) => `${text}.`),
    ...draft.undone.map((text) => `Not done: ${text}.`),
    ...(directives.length + unread.length === 0 ? ['Not done: the ask says no change.'] : []),
  ].join(' ');
  const applied = { status, ...(notes === '' ? {} : { notes }) } as const;
  return { proposal: status === 'unable' ? proposal : rebuildProposal(proposal, draft, ground), applied };
}

function draftStatus({ done, undone }: Draft): Applied['status'] {
  if (done.length === 0) return 'unable';
  return undone.length === 0 ? 'applied' : 'partial';
}

function carryOut(draft: Draft, directive: Directive, ground: ProposalRefinementContext): void {
  if (directive.do === 'scale' || directive.do === 'budget') {
    planFor(draft, directive.do === 'budget' ? directive.money : scaleBudget(draft, directive.factor));
    return;
  }
  const subject = findSubject(directive.text, ground.products);
  if (subject === undefined) draft.undone.push(`"${directive.text.trim().slice(0, 80)}" names no product or channel`);
  else MOVES[directive.do](draft, subject, directive.do === 'set' ? directive.share : STEP_PERCENT, ground);
}

function scaleBudget({ amount, currency }: Draft, factor: number): Money | undefined {
  return amount === undefined ? undefined : { amount: Math.round(amount * factor * 100) / 100, currency };
}

function planFor(draft: Draft, money: Money | undefined): void {
  if (money === undefined) {
    draft.undone.push('the plan names no budget to change by percent');
    return;
  }
  const { amount, currency = draft.currency } = money;
  if (currency !== draft.currency) draft.undone.push(`the plan is priced in ${draft.currency}, not in ${currency}`);
  else {
    draft.amount = amount;
    draft.done.push(`Planned for ${amount} ${draft.currency}`);
  }
}

type Move = (draft: Draft, subject: Subject, share: number, ground: ProposalRefinementContext) => void;

/** The effect of each change on a plan. */
const MOVES: Readonly<Record<Exclude<Directive['do'], 'budget' | 'scale'>, Move>> = {
  drop: (draft, subject) => {
    const [gone, rest] = partLines(draft.lines, subject);
    if (gone.length === 0) draft.undone.push(`the plan has no ${subject.label}`);
    else if (rest.length === 0) draft.undone.push(`nothing would be left without ${subject.label}`);
    else {
      draft.lines = [...rest];
      draft.free += sumShares(gone);
      draft.done.push(`Dropped ${listNames(gone)}`);
    }
  },
  set: (draft, subject, share, ground) => {
    const lines = findOrAddLines(draft, subject, ground);
    const others = draft.lines.filter((line) => !lines.includes(line));
    if (lines.length === 0) draft.undone.push(`no product on sale in ${draft.currency} is ${subject.label}`);
    else if (share <= 0 || share > WHOLE_PERCENT || (share < WHOLE_PERCENT && others.length === 0))
      draft.undone.push(`${subject.label} cannot have ${share}% of this plan`);
    else {
      scale(lines, share);
      if (share === WHOLE_PERCENT) draft.lines = [...lines];
      else scale(others, WHOLE_PERCENT - share - draft.free);
      for (const line of lines) line.isFixed = true;
      draft.done.push(`${subject.label.trim()} has ${share}%`);
    }
  },
  give: (draft, subject, _share, ground) => {
    const lines = findOrAddLines(draft, subject, ground);
    const open = lines.filter((line) => !line.isFixed);
    const takers = open.length > 0 ? open : lines;
    if (takers.length === 0) draft.undone.push(`no product on sale in ${draft.currency} is ${subject.label}`);
    else if (draft.free === 0) draft.undone.push('no budget was set free');
    else {
      scale(takers, sumShares(takers) + draft.free);
      draft.done.push(`Gave ${Math.round(draft.free)}% to ${listNames(takers)}`);
      draft.free = 0;
    }
  },
  add: (draft, subject, share, ground) => {
    if (draft.lines.some(({ product }) => subject.matches(product)))
      draft.undone.push(`${subject.label} is in the plan already`);
    else MOVES.set(draft, subject, share, ground);
  },
  only: (draft, subject, _share, ground) => MOVES.set(draft, subject, WHOLE_PERCENT, ground),
  more: (draft, subject, share, ground) => MOVES.set(draft, subject, shareIn(draft, subject) + share, ground),
  less: (draft, subject, share, ground) => {
    const left = shareIn(draft, subject) - share;
    if (left > 0) MOVES.set(draft, subject, left, ground);
    else MOVES.drop(draft, subject, share, ground);
  },
};

/** The lines that a subject means; where there is none, a new one for the first product on sale that it means. */
function findOrAddLines(draft: Draft, subject: Subject, { products }: ProposalRefinementContext): readonly Line[] {
  const lines = draft.lines.filter(({ product }) => subject.matches(product));
  if (lines.length > 0) return lines;
  for (const product of products) {
    const priced = subject.matches(product) ? choosePrice(product, draft.currency) : undefined;
    if (priced === undefined) continue;
    const allocation = allocate({ product, ...priced }, 0, `Added for ${subject.label.trim()}`);
    const line: Line = { allocation, product, share: 0, isFixed: false };
    draft.lines.push(line);
    return [line];
  }
  return [];
}

function partLines(lines: readonly Line[], subject: Subject): readonly [readonly Line[], readonly Line[]] {
  return [
    lines.filter(({ product }) => subject.matches(product)),
    lines.filter(({ product }) => !subject.matches(product)),
  ];
}

function shareIn({ lines }: Draft, subject: Subject): number {
  return sumShares(partLines(lines, subject)[0]);
}

function sumShares(lines: readonly Line[]): number {
  return lines.reduce((sum, { share }) => sum + share, 0);
}

function listNames(lines: readonly Line[]): string {
  return lines.map(({ product }) => product.name).join(', ');
}

/** Gives lines `total` together, in the proportions they have; equal parts where they have nothing. */
function scale(lines: readonly Line[], total: number): void {
  const sum = sumShares(lines);
  for (const line of lines) line.share = sum === 0 ? total / lines.length : (line.share * total) / sum;
}

function rebuildProposal(
  before: Proposal,
  { lines, amount, currency }: Draft,
  { byId, flight, nowMs }: ProposalRefinementContext,
): Proposal {
  const shares = wholeShares(lines.map(({ share }) => Math.max(share, 0.01)));
  const allocations = lines.map(({ allocation }, index) => ({
    ...allocation,
    allocation_percentage: shares[index] ?? 0,
  }));
  const { proposal_status: _status, forecast: _forecast, total_budget_guidance: _guidance, ...rest } = before;
  const priced = listLines({ allocations }, byId);
  const plan: Plan = withGuidance({ ...rest, allocations }, priced, { amount, currency }, flight);
  return {
    ...plan,
    ...(needsFinalizing(plan, byId) ? { proposal_status: 'draft' as const } : {}),
    forecast: forecastBudget(priced, amount ?? before.forecast.points[1]?.budget ?? 0, currency, flight, nowMs),
  };
}
