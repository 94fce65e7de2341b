import type { AdContent, AdNode } from './nodes.js';

/** The parts of an ad that a size may have no room for, in the order of their price. */
export type OmittedPart = 'headline' | 'legal' | 'body' | 'eyebrow' | 'offer';

/** A part of the content that is not in the ad, or not as a whole. */
type Omission = { readonly part: OmittedPart; readonly isCut: boolean };

/** What it costs to leave a part out, and to cut it: terms and headline are worth more than the picture, and it more than a body. */
const PRICES: Readonly<Record<OmittedPart, readonly [omitted: number, cut: number]>> = {
  headline: [100, 40],
  legal: [30, 30],
  body: [3, 1],
  eyebrow: [1, 1],
  offer: [1, 1],
};

/** What it costs an ad to be without its picture, with a smaller one, or with terms of the least size. */
export const PICTURE_PRICE = 10;
export const SMALLER_PICTURE_PRICE = 1;
export const SMALLER_TERMS_PRICE = 0.5;

/** A way to compose an ad, and what it costs beside what it leaves out. */
type Trial = { readonly price: number; readonly compose: () => readonly AdNode[] };

/** Returns the composition that loses least; trials are in the order of their price, and those that cannot be cheaper are not composed. */
export function chooseTrial(content: AdContent, trials: readonly Trial[]): readonly AdNode[] {
  let best: readonly AdNode[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const { price, compose } of trials) {
    if (price >= least) break;
    const nodes = compose();
    const cost = findOmissions(content, nodes).reduce((sum, one) => sum + PRICES[one.part][one.isCut ? 1 : 0], price);
    if (cost < least) [best, least] = [nodes, cost];
  }
  return best;
}

/** Returns the parts of the content that are not in an ad, or not as a whole. */
export function findOmissions(content: AdContent, nodes: readonly AdNode[]): readonly Omission[] {
  const texts = nodes.flatMap((node) => (node.kind === 'text' ? [node] : []));
  const parts = (['headline', 'legal', 'body', 'eyebrow'] as const).flatMap((part): Omission[] => {
    const text = content[part];
    if (text === undefined || text.trim() === '') return [];
    const node = texts.find(({ role }) => role === part);
    if (node === undefined) return [{ part, isCut: false }];
    return node.fitted.shortened ? [{ part, isCut: true }] : [];
  });
  const { offer } = content;
  if (offer === undefined || texts.some(({ role }) => role === 'badge')) return parts;
  const shown = texts.map(({ fitted }) => fitted.lines.join(' ').toLowerCase());
  return shown.some((text) => text.includes(offer.toLowerCase())) ? parts : [...parts, { part: 'offer', isCut: false }];
}
