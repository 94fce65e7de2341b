import type { Product } from '../../product/product.js';
import type { Market } from '../market.js';
import { allocate, choosePrice } from '../plan.js';
import type { Offering } from '../proposal.js';
import { findSubject, type Subject } from './ask.js';
import { type Draft, type Line, listNames } from './draft.js';
import type { FlightAsk } from './flight-ask.js';

/** The context in which a plan is changed: the products on sale, best first, the flight that is forecast, and the time. */
export type ProposalRefinementContext = {
  readonly products: readonly Product[];
  readonly byId: ReadonlyMap<string, Product>;
  readonly tenant: Offering['tenant'];
  readonly flight: Market;
  readonly nowMs: number;
  /** What the ask says of the days; `flight` is there already. */
  readonly days?: FlightAsk | undefined;
};

/** Returns the lines that a text means; where there is none, says so and returns undefined. */
export function findLines(
  draft: Draft,
  text: string,
  { products }: ProposalRefinementContext,
): readonly Line[] | undefined {
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

/** Returns the lines that a text means; where the plan has none, a new one, with a share of 0, for the first product on sale that it means. */
export function findOrAddLines(
  draft: Draft,
  text: string,
  ground: ProposalRefinementContext,
): readonly Line[] | undefined {
  const own = draft.lines.map(({ product }) => product);
  const subject = findSubject(text, own, draft.dropped, ground.products);
  if (subject === undefined) {
    draft.undone.push(`"${text.trim().slice(0, 80)}" names no product or channel`);
    return undefined;
  }
  const lines = draft.lines.filter(({ product }) => subject.matches(product));
  if (lines.length > 0) return lines;
  if (draft.dropped.some((product) => subject.matches(product))) {
    draft.undone.push(`the ask drops ${subject.label.trim()} and gives it a share, too; which is meant?`);
    return undefined;
  }
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
