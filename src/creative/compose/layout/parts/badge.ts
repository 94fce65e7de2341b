import { type AdContent, type AdNode, type TextNode, textNode } from '../nodes.js';
import { type Box, fitText } from '../text.js';

/** Where a badge goes: its middle, and half its width. */
export type BadgeSpot = { readonly x: number; readonly y: number; readonly radius: number };

/** Returns the offer on a disc or a block in the accent color, its number large: "20%" over "off". Nothing when it does not fit, or the headline says it already. */
export function drawBadge(content: AdContent, { x, y, radius }: BadgeSpot): readonly AdNode[] {
  const { offer, palette, family } = content;
  if (offer === undefined || !hasBadge(content)) return [];
  const inner = radius * (family.badge === 'disc' ? 1.56 : 1.72);
  const texts = splitOffer(offer).map(([text, size, weight]) =>
    fitText({
      text,
      width: inner,
      height: radius * (size === WORDS_SHARE ? 1.3 : size * 1.5),
      face: content.fonts.face(weight, weight === 800 ? family.headline.font : 'sans'),
      tracking: weight === 800 ? -0.02 : 0.02,
      largest: radius * size,
      smallest: Math.min(7, radius * size),
      lineHeight: 1.05,
      maxLines: size === WORDS_SHARE ? 3 : 1,
    }),
  );
  if (texts.some((text) => text === undefined || text.shortened)) return [];
  const fitted = texts.filter((text) => text !== undefined);
  const tall = fitted.reduce((sum, text) => sum + text.height, 0);
  const high = family.badge === 'disc' ? radius * 2 : Math.min(radius * 2, tall + radius * 0.5);
  const box: Box = { x: x - radius, y: y - high / 2, width: radius * 2, height: high };
  const corner = family.badge === 'disc' ? radius : radius * 0.08;
  let top = y - tall / 2;
  const nodes: TextNode[] = [];
  for (const text of fitted) {
    const at = { x: x - inner / 2, y: top, width: inner };
    nodes.push(textNode('badge', text, at, { color: palette.accentInk, align: 'middle' }));
    top += text.height;
  }
  return [{ kind: 'rect', role: 'badge', box, fill: palette.accent, radius: corner }, ...nodes];
}

/** Whether an ad has an offer that its headline does not say. */
export function hasBadge({ offer, headline }: AdContent): boolean {
  return offer !== undefined && !headline.toLowerCase().includes(offer.toLowerCase());
}

/** Text, size as a share of the radius, weight. */
type OfferLine = readonly [text: string, size: number, weight: 600 | 800];

/** Size of an offer without a number, which takes several lines. */
const WORDS_SHARE = 0.46;

function splitOffer(offer: string): readonly OfferLine[] {
  const match = /^(.*?)((?:[$€£¥]\s?)?\d[\d.,]*\s?(?:%|[$€£¥])?)\s*(.*)$/u.exec(offer);
  const [before = '', number = '', after = ''] = match?.slice(1) ?? [];
  if (number === '') return [[offer, WORDS_SHARE, 800]];
  const small = (text: string): OfferLine[] => (text.trim() === '' ? [] : [[text.trim().toUpperCase(), 0.3, 600]]);
  return [...small(before), [number.replace(/\s/g, ''), 0.74, 800], ...small(after)];
}
