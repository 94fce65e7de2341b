import type { Product } from '../../product/product.js';
import type { Money } from '../../search/budget.js';
import { joinWords } from '../../search/sentence.js';
import { forecastBudget } from '../forecast.js';
import type { Market } from '../market.js';
import { allocate, choosePrice, dateAllocations, listLines, withGuidance } from '../plan.js';
import { type Allocation, needsFinalizing, type Plan, type Proposal } from '../proposal.js';
import { exactShares } from '../shares.js';
import { type Applied, findSubject, type Subject } from './ask.js';
import { describeFlight, type FlightAsk, isAboutDays } from './flight-ask.js';
import { type Directive, EVENLY, type Quantity, readPlanAsk } from './plan-ask.js';

/** A plan that was changed as an ask wanted, and what of the ask was done. */
type Refined = { readonly proposal: Proposal; readonly applied: Applied };

/** The context in which a plan is changed: the products on sale, best first, the flight that is forecast, and the time. */
type ProposalRefinementContext = {
  readonly products: readonly Product[];
  readonly byId: ReadonlyMap<string, Product>;
  readonly flight: Market;
  readonly nowMs: number;
  /** What the ask says of the days; `flight` is there already. */
  readonly days?: FlightAsk | undefined;
};

const WHOLE_PERCENT = 100;

/** One line of a plan that is being changed; `share` in percent of the budget. A settled one is not scaled by later changes. */
type Line = { readonly allocation: Allocation; readonly product: Product; share: number; isSettled: boolean };

/** A plan that is being changed: its lines, the percents that no line has yet, the notes, and the questions to the buyer. */
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
    amount: recommended,
    currency,
    done: days?.flight === undefined ? [] : [`Planned for ${describeFlight(flight)}`],
    undone: [
      ...(days?.unclear === undefined ? [] : [days.unclear]),
      ...unread.map((clause) => `"${clause.slice(0, 80)}" says no change of shares, products, budget or days`),
    ],
  };
  for (const directive of directives) carryOut(draft, directive, ground);
  const rebuilt = draft.done.length === 0 ? proposal : rebuildProposal(proposal, draft, ground);
  const notes = [
    ...draft.done.map((text) => `${text}.`),
    ...draft.undone.map((text) => `Not done: ${text}.`),
    ...(directives.length + unread.length === 0 && days === undefined ? ['Not done: the ask says no change.'] : []),
  ].join(' ');
  return { proposal: rebuilt, applied: { status: draftStatus(draft), notes: notes === '' ? undefined : notes } };
}

function draftStatus({ done, undone }: Draft): Applied['status'] {
  if (done.length === 0) return 'unable';
  return undone.length === 0 ? 'applied' : 'partial';
}

type Carry<Do extends Directive['do']> = (
  draft: Draft,
  directive: Extract<Directive, { readonly do: Do }>,
  ground: ProposalRefinementContext,
) => void;

/** The effect of each directive on a plan. */
const EFFECTS: { readonly [Do in Directive['do']]: Carry<Do> } = {
  budget: (draft, { money }) => planFor(draft, money),
  scale: (draft, { factor }) => planFor(draft, scaleBudget(draft, factor)),
  move: moveShare,
  change: changeShare,
  times: (draft, { factor, text }, ground) => {
    const lines = findLines(draft, text, ground);
    if (lines !== undefined) settle(draft, lines, sumShares(lines) * factor, 'Changed');
  },
  set: setShares,
  replace: replaceLines,
  add: addLine,
  drop: (draft, { text }, ground) => {
    const lines = findLines(draft, text, ground);
    if (lines !== undefined) dropLines(draft, lines);
  },
  only: (draft, { text }, ground) =>
    setShares(draft, { do: 'set', parts: [{ share: { value: WHOLE_PERCENT, unit: 'points' }, text }] }, ground),
  give: giveFree,
  keep: (draft, { text }, ground) => {
    if (OTHERS.test(text)) {
      draft.undone.push(
        'shares are parts of one budget, so that not all others can stay as they are; which of them changes?',
      );
      return;
    }
    const lines = findLines(draft, text, ground);
    for (const line of lines ?? []) line.isSettled = true;
    if (lines !== undefined) draft.done.push(`${listNames(lines)} stays as it is`);
  },
  even: (draft, { text }, ground) => {
    const named = text.trim() === '' ? draft.lines : findLines(draft, text, ground);
    if (named === undefined) return;
    const part = sumShares(named) / named.length;
    for (const line of named) line.share = part;
    draft.done.push(`${listNames(named)} have equal shares`);
  },
};

const OTHERS = /\b(?:others|rest|remaining|everything|all)\b/i;

function carryOut<Do extends Directive['do']>(
  draft: Draft,
  directive: Extract<Directive, { readonly do: Do }>,
  ground: ProposalRefinementContext,
): void {
  (EFFECTS[directive.do as Do] as Carry<Do>)(draft, directive, ground);
}

function scaleBudget({ amount, currency }: Draft, factor: number): Money | undefined {
  return amount === undefined ? undefined : { amount: Math.round(amount * factor * 100) / 100, currency };
}

function planFor(draft: Draft, money: Money | undefined): void {
  if (money === undefined) {
    draft.undone.push('the plan names no budget to change by percent; what is the budget?');
    return;
  }
  const { amount, currency = draft.currency } = money;
  if (currency !== draft.currency) draft.undone.push(`the plan is priced in ${draft.currency}, not in ${currency}`);
  else {
    draft.amount = amount;
    draft.done.push(`Planned for ${amount} ${draft.currency}`);
  }
}

/** The lines that a text means; where there is none, says so and returns undefined. */
function findLines(draft: Draft, text: string, { products }: ProposalRefinementContext): readonly Line[] | undefined {
  const own = draft.lines.map(({ product }) => product);
  const subject = findSubject(text, own, products);
  const lines = subject === undefined ? [] : draft.lines.filter(({ product }) => subject.matches(product));
  if (lines.length > 0) return lines;
  draft.undone.push(
    subject === undefined
      ? `"${text.trim().slice(0, 80)}" names no product or channel; which of ${listNames(draft.lines)} is meant?`
      : `the plan has no ${subject.label}`,
  );
  return undefined;
}

/** The lines that a text means; where the plan has none, a new one, with a share of 0, for the first product on sale that it means. */
function findOrAddLines(draft: Draft, text: string, ground: ProposalRefinementContext): readonly Line[] | undefined {
  const own = draft.lines.map(({ product }) => product);
  const subject = findSubject(text, own, ground.products);
  if (subject === undefined) {
    draft.undone.push(`"${text.trim().slice(0, 80)}" names no product or channel`);
    return undefined;
  }
  const lines = draft.lines.filter(({ product }) => subject.matches(product));
  if (lines.length > 0) return lines;
  const added = openLine(draft, subject, ground.products);
  if (added === undefined) draft.undone.push(`no product on sale in ${draft.currency} is ${subject.label}`);
  return added === undefined ? undefined : [added];
}

function openLine(draft: Draft, subject: Subject, products: readonly Product[]): Line | undefined {
  for (const product of products) {
    const priced = subject.matches(product) ? choosePrice(product, draft.currency) : undefined;
    if (priced === undefined) continue;
    const allocation = allocate({ product, ...priced }, 0, `Added for ${subject.label.trim()}`);
    const line: Line = { allocation, product, share: 0, isSettled: false };
    draft.lines.push(line);
    return line;
  }
  return undefined;
}

/** Gives lines a share together, and the others, as far as they are not settled, what is left. */
function settle(draft: Draft, lines: readonly Line[], share: number, verb: string): void {
  const before = sumShares(lines);
  const others = draft.lines.filter((line) => !lines.includes(line));
  const open = others.filter((line) => !line.isSettled);
  const left = WHOLE_PERCENT - draft.free - share - sumShares(others.filter((line) => line.isSettled));
  const names = listNames(lines);
  if (share <= 0) {
    dropLines(draft, lines);
    return;
  }
  if (left < -ROUNDING || (open.length === 0 && left > ROUNDING)) {
    draft.undone.push(`${names} cannot have ${shown(share)}% of this plan beside the rest of it`);
    return;
  }
  scale(lines, share);
  if (left <= ROUNDING) draft.lines = draft.lines.filter((line) => !open.includes(line));
  else scale(open, left);
  for (const line of lines) line.isSettled = true;
  draft.done.push(`${verb} ${names} from ${shown(before)}% to ${shown(share)}% of the budget`);
}

const ROUNDING = 1e-9;

function dropLines(draft: Draft, lines: readonly Line[]): void {
  const rest = draft.lines.filter((line) => !lines.includes(line));
  if (rest.length === 0) {
    draft.undone.push(`nothing would be left without ${listNames(lines)}`);
    return;
  }
  draft.lines = rest;
  draft.free += sumShares(lines);
  draft.done.push(`Dropped ${listNames(lines)}`);
}

function changeShare(
  draft: Draft,
  { sign, quantity, text, other }: Extract<Directive, { do: 'change' }>,
  ground: ProposalRefinementContext,
): void {
  const lines = sign > 0 ? findOrAddLines(draft, text, ground) : findLines(draft, text, ground);
  if (lines === undefined) return;
  if (quantity === undefined) {
    draft.undone.push(
      `by how much should ${listNames(lines)} change from ${shown(sumShares(lines))}%? Say points of the budget ("by 10 points") or percent of what it has ("by 10%")`,
    );
    draft.lines = draft.lines.filter(({ share }) => share > 0);
    return;
  }
  const before = sumShares(lines);
  const by = countPoints(draft, quantity, before === 0 ? WHOLE_PERCENT : before);
  if (by === undefined) return;
  if (other !== undefined) {
    const others = sign > 0 ? findLines(draft, other, ground) : findOrAddLines(draft, other, ground);
    if (others !== undefined) transfer(draft, sign > 0 ? others : lines, sign > 0 ? lines : others, by);
    draft.lines = draft.lines.filter(({ share }) => share > 0);
    return;
  }
  settle(draft, lines, before + sign * by, sign > 0 ? 'Raised' : 'Lowered');
}

/** Moves points of the budget; without a source they come from all other lines, without a target they go to them. */
function moveShare(
  draft: Draft,
  { quantity, from, to }: Extract<Directive, { do: 'move' }>,
  ground: ProposalRefinementContext,
): void {
  if (quantity === undefined || (from === undefined && to === undefined)) {
    draft.undone.push(
      'how much is to be moved, from what and to what? For example "move 10 points from display to CTV"',
    );
    return;
  }
  const sources = from === undefined ? undefined : findLines(draft, from, ground);
  if (from !== undefined && sources === undefined) return;
  const targets = to === undefined ? undefined : findOrAddLines(draft, to, ground);
  if (to !== undefined && targets === undefined) return;
  const givers = sources ?? draft.lines.filter((line) => targets?.includes(line) !== true);
  const takers = targets ?? draft.lines.filter((line) => !givers.includes(line));
  const moved = countPoints(draft, quantity, sumShares(givers));
  if (moved !== undefined) transfer(draft, givers, takers, moved, from !== undefined);
  draft.lines = draft.lines.filter(({ share }) => share > 0);
}

/** Moves points of the budget from some lines to others; `isNamed`: the ask names the givers, whose shares stay as they are then. */
function transfer(draft: Draft, givers: readonly Line[], takers: readonly Line[], moved: number, isNamed = true): void {
  const available = sumShares(givers);
  if (givers.some((line) => takers.includes(line)) || takers.length === 0) {
    draft.undone.push('what it moves from and to is the same; name two products or channels of the plan');
  } else if (moved > available + ROUNDING) {
    draft.undone.push(`${listNames(givers)} has only ${shown(available)}% to give`);
  } else {
    scale(takers, sumShares(takers) + moved);
    scale(givers, available - moved);
    draft.lines = draft.lines.filter(({ share }) => share > ROUNDING);
    for (const line of [...givers, ...takers]) line.isSettled = isNamed || takers.includes(line);
    draft.done.push(`Moved ${shown(moved)} points of the budget from ${listNames(givers)} to ${listNames(takers)}`);
  }
}

/** Returns a quantity in points of the budget; `whole` is what a percent is of. Asks back where money cannot be told in points. */
function countPoints(draft: Draft, quantity: Quantity, whole: number): number | undefined {
  if (quantity.unit !== 'money')
    return quantity.unit === 'points' ? quantity.value : (whole * quantity.value) / WHOLE_PERCENT;
  const { amount, currency } = draft;
  if (amount !== undefined && amount > 0 && (quantity.currency ?? currency) === currency)
    return (quantity.value * WHOLE_PERCENT) / amount;
  draft.undone.push(`what share of the budget is ${quantity.value} ${quantity.currency ?? currency}? Say it in points`);
  return undefined;
}

function setShares(
  draft: Draft,
  { parts, rest }: Extract<Directive, { do: 'set' }>,
  ground: ProposalRefinementContext,
): void {
  const named = parts.map(({ share, text, bound }) => ({
    share: countPoints(draft, share, WHOLE_PERCENT) ?? Number.NaN,
    lines: findOrAddLines(draft, text, ground),
    bound,
  }));
  const hasRest = rest !== undefined && rest !== EVENLY;
  const restLines = hasRest ? findOrAddLines(draft, rest, ground) : undefined;
  if (
    named.some(({ lines, share }) => lines === undefined || Number.isNaN(share)) ||
    (hasRest && restLines === undefined)
  ) {
    draft.lines = draft.lines.filter(({ share }) => share > 0);
    return;
  }
  const total = named.reduce((sum, { share }) => sum + share, 0);
  if (total > WHOLE_PERCENT + ROUNDING) {
    draft.undone.push(`the shares add up to ${shown(total)}%`);
    draft.lines = draft.lines.filter(({ share }) => share > 0);
    return;
  }
  for (const { share, lines = [], bound } of named) {
    if (keepsTo(bound, sumShares(lines), share)) {
      draft.done.push(`${listNames(lines)} keeps to it with ${shown(sumShares(lines))}%`);
      draft.lines = draft.lines.filter((line) => line.share > 0);
      continue;
    }
    if (lines.some((line) => line.isSettled && line.share > 0 && draft.done.length > 0))
      for (const line of lines) line.isSettled = false;
    settle(draft, lines, share, 'Set');
  }
  const given = named.flatMap(({ lines }) => lines ?? []);
  if (restLines !== undefined) giveRest(draft, restLines, given);
  if (rest === EVENLY) shareRest(draft, given);
}

function keepsTo(bound: 'least' | 'most' | undefined, has: number, share: number): boolean {
  if (bound === undefined) return false;
  return bound === 'least' ? has >= share : has <= share;
}

/** "And the rest evenly": all other lines get equal parts of what the named shares leave. */
function shareRest(draft: Draft, named: readonly Line[]): void {
  const others = draft.lines.filter((line) => !named.includes(line));
  for (const line of others) line.share = 0;
  if (others.length > 0) giveRest(draft, others, named);
}

/** "And the rest in display": the lines get all that the named shares leave; others go. */
function giveRest(draft: Draft, restLines: readonly Line[], named: readonly Line[]): void {
  const left = WHOLE_PERCENT - sumShares(named);
  draft.lines = draft.lines.filter((line) => named.includes(line) || restLines.includes(line));
  if (left <= ROUNDING) return;
  const missing = restLines.filter((line) => !draft.lines.includes(line));
  draft.lines.push(...missing);
  scale(restLines, left);
  draft.free = 0;
  draft.done.push(`Gave the rest, ${shown(left)}%, to ${listNames(restLines)}`);
}

function replaceLines(
  draft: Draft,
  { text, by }: Extract<Directive, { do: 'replace' }>,
  ground: ProposalRefinementContext,
): void {
  const gone = findLines(draft, text, ground);
  if (gone === undefined) return;
  const share = sumShares(gone);
  const coming = findOrAddLines(draft, by, ground);
  if (coming === undefined) return;
  scale(coming, sumShares(coming) + share);
  draft.lines = draft.lines.filter((line) => !gone.includes(line) || coming.includes(line));
  draft.done.push(`Replaced ${listNames(gone)} with ${listNames(coming)}`);
}

function addLine(
  draft: Draft,
  { share: asked, text, other }: Extract<Directive, { do: 'add' }>,
  ground: ProposalRefinementContext,
): void {
  const share = asked && countPoints(draft, asked, WHOLE_PERCENT);
  if (asked !== undefined && share === undefined) return;
  const before = draft.lines.length;
  const lines = findOrAddLines(draft, text, ground);
  if (lines === undefined) return;
  if (draft.lines.length === before) {
    const ways = share === undefined ? 'what share should it have' : `should it have ${shown(share)}%, or so much more`;
    draft.undone.push(`${listNames(lines)} is in the plan already, with ${shown(sumShares(lines))}%; ${ways}?`);
    return;
  }
  if (other !== undefined) {
    const givers = findLines(draft, other, ground);
    if (share === undefined) draft.undone.push(`no share was named for ${listNames(lines)}; which should it have?`);
    else if (givers !== undefined) transfer(draft, givers, lines, share);
    draft.lines = draft.lines.filter((line) => line.share > 0);
    return;
  }
  const equal = WHOLE_PERCENT / draft.lines.length;
  settle(draft, lines, share ?? equal, 'Added');
  if (share === undefined)
    draft.undone.push(`no share was named for ${listNames(lines)}, so it has an equal one; which should it have?`);
}

function giveFree(draft: Draft, { text }: Extract<Directive, { do: 'give' }>, ground: ProposalRefinementContext): void {
  const lines = findOrAddLines(draft, text.replace(/\b(?:to|into|it|that|the rest|budget)\b/gi, ' '), ground);
  if (lines === undefined) return;
  const open = lines.filter((line) => !line.isSettled);
  const takers = open.length > 0 ? open : lines;
  if (draft.free === 0) {
    draft.undone.push('no budget was set free to give');
    draft.lines = draft.lines.filter(({ share }) => share > 0);
    return;
  }
  scale(takers, sumShares(takers) + draft.free);
  draft.done.push(`Gave ${shown(draft.free)}% to ${listNames(takers)}`);
  draft.free = 0;
}

function sumShares(lines: readonly Line[]): number {
  return lines.reduce((sum, { share }) => sum + share, 0);
}

function listNames(lines: readonly Line[]): string {
  return joinWords(lines.map(({ product }) => product.name));
}

function shown(percent: number): string {
  return String(Math.round(percent * 100) / 100);
}

/** Gives lines `total` together, in the proportions they have; equal parts where they have nothing. */
function scale(lines: readonly Line[], total: number): void {
  const sum = sumShares(lines);
  for (const line of lines) line.share = sum === 0 ? total / lines.length : (line.share * total) / sum;
}

function rebuildProposal(before: Proposal, draft: Draft, { byId, flight, nowMs }: ProposalRefinementContext): Proposal {
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
  return {
    ...plan,
    proposal_status: needsFinalizing(plan, byId) ? ('draft' as const) : undefined,
    forecast: forecastBudget(priced, recommended ?? before.forecast.points[1]?.budget ?? 0, currency, flight, nowMs),
  };
}
