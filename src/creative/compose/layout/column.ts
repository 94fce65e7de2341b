import { largestHeadline, type Measures, scaleHeadline } from './measures.js';
import { type AdContent, type AdNode, type RectNode, shiftNodes, type TextNode, textNode } from './nodes.js';
import { upperCase } from './parts/brand.js';
import { type Box, type FittedText, fitText } from './text.js';

/** A room for words: where in it they stand (0 top, 1 bottom), and the room that their size is in proportion to. */
type WordsRoom = { readonly box: Box; readonly rise: number; readonly scaleTo: Box };

/**
 * Returns the words of an ad from top to bottom: eyebrow, headline, body, as many of them as the room takes. The
 * headline shrinks, then the body, before one goes; what does not fit goes in the order body, eyebrow.
 */
export function drawWords(
  content: AdContent,
  { box: room, rise, scaleTo }: WordsRoom,
  measures: Measures,
): readonly AdNode[] {
  const { family } = content;
  const eyebrow = drawEyebrow(content, room, measures.eyebrow);
  const over = heightOf(eyebrow) + (eyebrow.length === 0 ? 0 : measures.gap * EYEBROW_GAPS[family.eyebrow]);
  const largest = largestHeadline(measures, scaleTo, content);
  const headIn = (height: number, isTight = false): FittedText | undefined =>
    fitHeadline(content, { room, height, largest, measures: isTight ? tighten(measures) : measures });
  const withBody = (body: FittedText | undefined): readonly Words[] => {
    if (body === undefined) return [];
    const under = body.height + measures.gap * 0.55;
    return [{ eyebrow, over, body, under, head: headIn(room.height - over - under) }];
  };
  const bare = { body: undefined, under: 0 };
  const usual = withBody(fitBody(content, room, measures, 1));
  const isRoomy = ({ head }: Words): boolean =>
    head !== undefined &&
    !head.shortened &&
    head.style.size >= Math.min(largest * 0.7, measures.body * 2 * Math.max(1, scaleHeadline(content)));
  const trials = (): readonly Words[] => [
    ...usual.filter(isLed),
    ...withBody(fitBody(content, room, measures, SMALL_BODY_SHARE)).filter(isLed),
    ...usual.filter(isRoomy),
    { eyebrow, over, ...bare, head: headIn(room.height - over) },
    { eyebrow: [], over: 0, ...bare, head: headIn(room.height) },
    { eyebrow: [], over: 0, ...bare, head: headIn(room.height, true) },
  ];
  const chosen =
    usual.find((words) => isRoomy(words) && words.body?.shortened === false) ??
    trials().find(({ head }) => head?.shortened === false);
  const cut: Words = { eyebrow: [], over: 0, ...bare, head: headIn(room.height) };
  return placeWords(content, chosen ?? cut, { room, rise, measures });
}

/** Whether a whole headline is so much larger than the whole body below it that it is read first. */
function isLed({ head, body }: Words): boolean {
  if (head === undefined || head.shortened || body === undefined) return false;
  return !body.shortened && head.style.size >= body.style.size * MIN_LEAD;
}

const MIN_LEAD = 1.15;

/** How large a body is that would otherwise have to go, as a share of its usual size. */
const SMALL_BODY_SHARE = 0.8;

/** Returns measures with a smaller headline of more lines, for one that would otherwise be cut. */
function tighten(measures: Measures): Measures {
  const headlineFrom = Math.max(Math.min(MIN_HEADLINE_PX, measures.headlineFrom), measures.headlineFrom * 0.7);
  return { ...measures, headlineFrom, headlineLines: measures.headlineLines + 2 };
}

const MIN_HEADLINE_PX = 11;

/** Distance of the headline from an eyebrow, in gaps. */
const EYEBROW_GAPS = { plain: 0.3, chip: 0.6, ruled: 0.4, spaced: 0.55 } as const;

type Words = {
  readonly eyebrow: readonly AdNode[];
  readonly over: number;
  readonly head: FittedText | undefined;
  readonly body: FittedText | undefined;
  readonly under: number;
};

function heightOf(nodes: readonly AdNode[]): number {
  const top = Math.min(...nodes.map(({ box }) => box.y));
  return nodes.length === 0 ? 0 : Math.max(...nodes.map(({ box }) => box.y + box.height)) - top;
}

type HeadlineRoom = {
  readonly room: Box;
  readonly height: number;
  readonly largest: number;
  readonly measures: Measures;
};

function fitHeadline(content: AdContent, { room, height, largest, measures }: HeadlineRoom): FittedText | undefined {
  return fitText({
    ...styleHeadline(content),
    width: room.width,
    height,
    largest,
    smallest: Math.min(measures.headlineFrom, largest * SMALLEST_SHARE),
    lineHeight: content.family.headline.leading,
    maxLines: measures.headlineLines,
  });
}

/** Returns the headline in the letters of its family, the offer in it as one phrase. */
export function styleHeadline({ headline, offer, fonts, family, language }: AdContent) {
  const { font, weight, tracking, isUpper } = family.headline;
  return {
    text: isUpper ? upperCase(headline, language) : headline,
    phrase: offer,
    face: fonts.face(weight, font),
    tracking,
  };
}

/** Below this share of its largest size a headline rather gets more lines. */
const SMALLEST_SHARE = 0.6;

type Placing = { readonly room: Box; readonly rise: number; readonly measures: Measures };

function placeWords(
  content: AdContent,
  { eyebrow, over, head, body, under }: Words,
  { room, rise, measures }: Placing,
): readonly AdNode[] {
  if (head === undefined) return [];
  const y = room.y + (room.height - over - head.height - under) * rise;
  const { palette, family } = content;
  const align = family.align;
  const at = { x: room.x, width: room.width };
  const marked = markOffer(content);
  const nodes: AdNode[] = [...shiftNodes(eyebrow, 0, y - room.y)];
  nodes.push(textNode('headline', head, { ...at, y: y + over }, { color: palette.ink, marked, align }));
  const below = y + over + head.height + measures.gap * 0.55;
  if (body !== undefined) nodes.push(textNode('body', body, { ...at, y: below }, { color: palette.quiet, align }));
  return nodes;
}

/** Returns the offer as words of the headline that are set off, where the accent color reads. */
export function markOffer({ offer, palette }: AdContent): TextNode['marked'] {
  return offer === undefined || !palette.accentReads ? undefined : { text: offer, color: palette.accent };
}

function fitBody(content: AdContent, room: Box, measures: Measures, share: number): FittedText | undefined {
  const size = Math.max(measures.body * share, Math.min(measures.body, MIN_BODY_PX));
  const bodyLines = measures.bodyLines + (share < 1 ? 1 : 0);
  if (content.body === undefined || size < MIN_BODY_PX) return undefined;
  const fitted = fitText({
    text: content.body,
    width: room.width,
    height: size * 1.42 * bodyLines,
    face: content.fonts.face(400),
    largest: size,
    smallest: Math.max(MIN_BODY_PX, size * 0.86),
    lineHeight: 1.4,
    maxLines: bodyLines,
  });
  // A word that is longer than a line is set smaller than any other text.
  return fitted === undefined || fitted.style.size < MIN_BODY_PX ? undefined : fitted;
}

const MIN_BODY_PX = 9;

/** Draws a small line of text above the headline, as the family has it; a rule alone where the family has rules and the ad no such line. */
function drawEyebrow(content: AdContent, room: Box, size: number): readonly AdNode[] {
  const { palette, family } = content;
  const rule: RectNode = {
    kind: 'rect',
    role: 'rule',
    box: { x: room.x, y: room.y, width: Math.min(room.width * 0.3, size * 3.2), height: Math.max(2, size * 0.28) },
    fill: palette.accent,
  };
  const ruled = family.eyebrow === 'ruled' ? [rule] : [];
  const isChip = family.eyebrow === 'chip';
  const fitted = fitEyebrow(content, room.width - (isChip ? size * 1.6 : 0), size);
  if (fitted === undefined) return ruled;
  const color = palette.accentReads ? palette.accent : palette.quiet;
  const top = room.y + (ruled.length === 0 ? 0 : size * 0.75);
  if (!isChip) {
    return [
      ...ruled,
      textNode('eyebrow', fitted, { x: room.x, y: top, width: room.width }, { color, align: family.align }),
    ];
  }
  const high = fitted.height + size * 0.5;
  const wide = fitted.width + size * 1.6;
  const x = room.x + (family.align === 'middle' ? (room.width - wide) / 2 : 0);
  const chip: RectNode = {
    kind: 'rect',
    role: 'eyebrow',
    box: { x, y: room.y, width: wide, height: high },
    fill: color,
    radius: high / 2,
    border: Math.max(1, size / 11),
  };
  const at = { x, y: room.y + (high - fitted.height) / 2, width: wide };
  return [chip, textNode('eyebrow', fitted, at, { color, align: 'middle' })];
}

const EYEBROW_TRACKING = { plain: 0.06, chip: 0.02, ruled: 0.08, spaced: 0.2 } as const;

function fitEyebrow(
  { eyebrow, fonts, family, language }: AdContent,
  width: number,
  size: number,
): FittedText | undefined {
  if (eyebrow === undefined) return undefined;
  const fitted = fitText({
    text: family.eyebrow === 'chip' ? eyebrow : upperCase(eyebrow, language),
    width,
    height: size * 1.7,
    face: fonts.face(600),
    tracking: EYEBROW_TRACKING[family.eyebrow],
    largest: size,
    smallest: size * 0.8,
    lineHeight: 1.3,
    maxLines: 1,
  });
  return fitted?.shortened === true ? undefined : fitted;
}
