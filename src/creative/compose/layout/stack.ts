import { type AdContent, type AdNode, type TextNode, textNode } from './nodes.js';
import { actionWidth, drawAction, drawBrand } from './parts.js';
import { type Box, type FittedText, fitText } from './text.js';

/** Measures of a column, in pixels. */
export type StackMeasures = {
  readonly brand: number;
  readonly eyebrow: number;
  /** The headline at its largest and smallest. */
  readonly headline: readonly [largest: number, smallest: number];
  readonly headlineLines: number;
  readonly body: number;
  readonly bodyLines: number;
  readonly action: number;
  /** Whether the button is as wide as the column. */
  readonly wideAction: boolean;
  readonly gap: number;
  /** Where the words stand between brand and button: 0 top, 1 bottom. */
  readonly rise: number;
};

/**
 * Composes one column from top to bottom: brand, eyebrow, headline, body, button. What does not fit goes in the order body,
 * eyebrow, brand; the button stays.
 */
export function composeStack(content: AdContent, column: Box, measures: StackMeasures): readonly AdNode[] {
  const { action, gap } = measures;
  const tall = Math.min(action * 2.55, column.height * 0.42);
  const wide = measures.wideAction ? column.width : Math.min(column.width, actionWidth(content, action));
  const button: Box = { x: column.x, y: column.y + column.height - tall, width: wide, height: tall };
  const brandFits = column.height > measures.brand + tall + measures.headline[1] * 1.2 + 2 * gap;
  const at = {
    x: column.x,
    y: column.y,
    height: measures.brand,
    room: column.width,
    nameFrom: Math.max(7, measures.brand * 0.36),
  };
  const brand = brandFits ? drawBrand(content, at).nodes : [];
  const top = column.y + (brandFits ? measures.brand + gap : 0);
  const middle: Box = { x: column.x, y: top, width: column.width, height: button.y - gap - top };
  return [...brand, ...drawWords(content, middle, measures), ...drawAction(content, button, action)];
}

/** The words, as many of them as the room takes. */
function drawWords(content: AdContent, room: Box, measures: StackMeasures): readonly AdNode[] {
  const eyebrow =
    content.eyebrow === undefined
      ? undefined
      : drawEyebrow(content, content.eyebrow.toUpperCase(), room, measures.eyebrow);
  const over = eyebrow === undefined ? 0 : eyebrow.box.height + measures.gap * 0.3;
  const body = fitBody(content, room, measures);
  const under = body === undefined ? 0 : body.height + measures.gap * 0.55;
  const [largest, smallest] = measures.headline;
  const headIn = (height: number): FittedText | undefined =>
    fitText({
      text: content.headline,
      phrase: content.offer,
      width: room.width,
      height,
      face: content.fonts.face(800),
      tracking: -0.022,
      largest,
      smallest,
      lineHeight: 1.08,
      maxLines: measures.headlineLines,
    });
  const trials = [
    { eyebrow, body, head: headIn(room.height - over - under) },
    { eyebrow, body: undefined, head: headIn(room.height - over) },
    { eyebrow: undefined, body: undefined, head: headIn(room.height) },
  ];
  const roomy = (head: FittedText | undefined): boolean =>
    head !== undefined && !head.shortened && head.style.size >= Math.min(largest * 0.55, measures.body * 1.5);
  const chosen =
    trials.find((trial) => roomy(trial.head)) ??
    trials.find(({ head }) => head !== undefined && !head.shortened) ??
    trials[2];
  return chosen === undefined ? [] : placeWords(content, room, measures, chosen);
}

type Words = {
  readonly eyebrow: AdNode | undefined;
  readonly head: FittedText | undefined;
  readonly body: FittedText | undefined;
};

function placeWords(
  content: AdContent,
  room: Box,
  measures: StackMeasures,
  { eyebrow, head, body }: Words,
): readonly AdNode[] {
  if (head === undefined) return [];
  const over = eyebrow === undefined ? 0 : eyebrow.box.height + measures.gap * 0.3;
  const under = body === undefined ? 0 : body.height + measures.gap * 0.55;
  const y = room.y + (room.height - over - head.height - under) * measures.rise;
  const { palette, offer } = content;
  const marked = offer === undefined || !palette.accentReads ? undefined : { text: offer, color: palette.accent };
  const at = { x: room.x, width: room.width };
  const nodes: AdNode[] = eyebrow === undefined ? [] : [{ ...eyebrow, box: { ...eyebrow.box, y } }];
  nodes.push(textNode('headline', head, { ...at, y: y + over }, palette.ink, { marked }));
  if (body !== undefined)
    nodes.push(textNode('body', body, { ...at, y: y + over + head.height + measures.gap * 0.55 }, palette.quiet));
  return nodes;
}

function fitBody(content: AdContent, room: Box, measures: StackMeasures): FittedText | undefined {
  const { body: size, bodyLines } = measures;
  if (content.body === undefined || size < 9) return undefined;
  return fitText({
    text: content.body,
    width: room.width,
    height: size * 1.42 * bodyLines,
    face: content.fonts.face(400),
    largest: size,
    smallest: Math.max(9, size * 0.86),
    lineHeight: 1.4,
    maxLines: bodyLines,
  });
}

/** A small line of text in the accent color where that reads, else in the quiet ink. */
function drawEyebrow({ fonts, palette }: AdContent, text: string, at: Box, size: number): TextNode | undefined {
  const fitted = fitText({
    text,
    width: at.width,
    height: size * 1.6,
    face: fonts.face(600),
    tracking: 0.06,
    largest: size,
    smallest: size * 0.8,
    lineHeight: 1.3,
    maxLines: 1,
  });
  if (fitted === undefined || fitted.shortened) return undefined;
  return textNode(
    'eyebrow',
    fitted,
    { x: at.x, y: at.y, width: at.width },
    palette.accentReads ? palette.accent : palette.quiet,
  );
}
