import {
  countPoints,
  type Draft,
  type Line,
  listNames,
  ROUNDING,
  scale,
  settle,
  showPercent,
  sumShares,
  WHOLE_PERCENT,
} from './draft.js';
import { findOrAddLines, type ProposalRefinementContext } from './draft-lines.js';
import { type Directive, EVENLY } from './plan-ask.js';

/** Gives lines the shares that an ask names, and the others what is left. */
export function setShares(
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
    draft.undone.push(`the shares add up to ${showPercent(total)}%`);
    draft.lines = draft.lines.filter(({ share }) => share > 0);
    return;
  }
  for (const { share, lines = [], bound } of named) {
    if (keepsTo(bound, sumShares(lines), share)) {
      draft.done.push(`${listNames(lines)} keeps to it with ${showPercent(sumShares(lines))}%`);
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

/** Gives all other lines equal parts of what the named shares leave: "And the rest evenly". */
function shareRest(draft: Draft, named: readonly Line[]): void {
  const others = draft.lines.filter((line) => !named.includes(line));
  for (const line of others) line.share = 0;
  if (others.length > 0) giveRest(draft, others, named);
}

/** Gives these lines all that the named shares leave, and drops others: "And the rest in display". */
function giveRest(draft: Draft, restLines: readonly Line[], named: readonly Line[]): void {
  const left = WHOLE_PERCENT - sumShares(named);
  draft.lines = draft.lines.filter((line) => named.includes(line) || restLines.includes(line));
  if (left <= ROUNDING) return;
  const missing = restLines.filter((line) => !draft.lines.includes(line));
  draft.lines.push(...missing);
  scale(restLines, left);
  draft.free = 0;
  draft.done.push(`Gave the rest, ${showPercent(left)}%, to ${listNames(restLines)}`);
}
