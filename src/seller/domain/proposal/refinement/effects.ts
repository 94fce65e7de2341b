import type { Money } from '../../search/budget.js';
import {
  countPoints,
  type Draft,
  dropLines,
  listNames,
  scale,
  settle,
  showPercent,
  sumShares,
  transfer,
  WHOLE_PERCENT,
} from './draft.js';
import { findLines, findOrAddLines, type ProposalRefinementContext } from './draft-lines.js';
import type { Directive } from './plan-ask.js';
import { setShares } from './set-shares.js';

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

/** Changes a draft as a directive wants it, or says in it why that is not done. */
export function carryOut<Do extends Directive['do']>(
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

function changeShare(
  draft: Draft,
  { sign, quantity, text, other }: Extract<Directive, { do: 'change' }>,
  ground: ProposalRefinementContext,
): void {
  const lines = sign > 0 ? findOrAddLines(draft, text, ground) : findLines(draft, text, ground);
  if (lines === undefined) return;
  if (quantity === undefined) {
    draft.undone.push(
      `by how much should ${listNames(lines)} change from ${showPercent(sumShares(lines))}%? Say points of the budget ("by 10 points") or percent of what it has ("by 10%")`,
    );
    draft.lines = draft.lines.filter(({ share }) => share > 0);
    return;
  }
  const before = sumShares(lines);
  const by = countPoints(draft, quantity, before === 0 ? WHOLE_PERCENT : before);
  if (by === undefined) return;
  if (other !== undefined) {
    const others = sign > 0 ? findLines(draft, other, ground) : findOrAddLines(draft, other, ground);
    if (others !== undefined)
      transfer(draft, by, sign > 0 ? { givers: others, takers: lines } : { givers: lines, takers: others });
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
  if (moved !== undefined) transfer(draft, moved, { givers, takers, isNamed: from !== undefined });
  draft.lines = draft.lines.filter(({ share }) => share > 0);
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
    const question =
      share === undefined ? 'what share should it have' : `should it have ${showPercent(share)}%, or so much more`;
    draft.undone.push(
      `${listNames(lines)} is in the plan already, with ${showPercent(sumShares(lines))}%; ${question}?`,
    );
    return;
  }
  if (other !== undefined) {
    const givers = findLines(draft, other, ground);
    if (share === undefined) draft.undone.push(`no share was named for ${listNames(lines)}; which should it have?`);
    else if (givers !== undefined) transfer(draft, share, { givers, takers: lines });
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
  draft.done.push(`Gave ${showPercent(draft.free)}% to ${listNames(takers)}`);
  draft.free = 0;
}
