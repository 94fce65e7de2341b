import { withoutEnd } from '../copy/text.js';
import type { Typeface } from '../fonts/typeface.js';
import { measureText, type TextStyle } from './metrics.js';
import { breakText, hyphenatePieces, joinPieces, type Piece } from './pieces.js';

/** A box in pixels of the ad; the origin is the upper left corner. */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** A text to set into a box. Sizes in pixels; `lineHeight` as a multiple of the size. */
type TextOrder = {
  readonly text: string;
  /** Words of the text that stay on one line where that costs next to no size. */
  readonly phrase?: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly face: Typeface;
  readonly tracking?: number;
  readonly largest: number;
  readonly smallest: number;
  readonly lineHeight: number;
  readonly maxLines: number;
};

/** A text broken into lines, none wider than the box it was fitted to. */
export type FittedText = {
  readonly lines: readonly string[];
  readonly style: TextStyle;
  /** Pixels from baseline to baseline. */
  readonly lineHeight: number;
  /** Of the widest line. */
  readonly width: number;
  readonly height: number;
  /** Whether words had to go. */
  readonly shortened: boolean;
};

/**
 * Sets a text as large as its box allows: wraps, shrinks down to the smallest size, then drops words from the end. Lines are balanced,
 * a number stays with what it counts, a word that is too long is hyphenated or set smaller, and writings with tall marks get the
 * distance that these need. Undefined when not even the first word fits; a word is never cut.
 */
export function fitText(order: TextOrder): FittedText | undefined {
  const pieces = breakText(order.text);
  if (pieces.length === 0 || order.width <= 0 || order.height <= 0) return undefined;
  const roomy = { ...order, lineHeight: Math.max(order.lineHeight, order.face.leading(order.text)) };
  const whole = pieces.length > MAX_PIECES ? undefined : (fitWhole(pieces, roomy) ?? fitLongWords(pieces, roomy));
  if (whole !== undefined) return whole;
  for (let count = Math.min(pieces.length - 1, countFitting(pieces, roomy)); count > 0; count -= 1) {
    const fitted = fitPieces(trimPieces(pieces.slice(0, count)), { ...roomy, largest: roomy.smallest });
    if (fitted !== undefined) return { ...fitted, shortened: true };
  }
  return undefined;
}

/** Hyphenates words that are too long for the box at the smallest size, else sets them smaller. */
function fitLongWords(pieces: readonly Piece[], order: TextOrder): FittedText | undefined {
  const unit: TextStyle = { size: order.smallest, face: order.face, tracking: order.tracking ?? 0 };
  if (pieces.every(({ text }) => measureText(text, unit) <= order.width)) return undefined;
  const hyphenated = order.maxLines === 1 ? pieces : hyphenatePieces(pieces, (word) => order.face.hyphenate(word));
  const smallest = Math.max(MIN_READABLE_PX, order.smallest * MIN_SHRUNK_SHARE);
  return fitPieces(hyphenated, order) ?? fitPieces(hyphenated, { ...order, largest: order.smallest, smallest });
}

/** How far below its smallest size a text with a long word may go. */
const MIN_SHRUNK_SHARE = 0.6;
const MIN_READABLE_PX = 6;

/** A text of more pieces is shortened without trying. */
const MAX_PIECES = 120;

/** What a break in a better place may cost of the size. */
const MIN_SIZE_SHARE = 0.9;

/** Fits all pieces, those that belong together on one line unless the text would be much smaller or longer for it. */
function fitWhole(pieces: readonly Piece[], order: TextOrder): FittedText | undefined {
  const loose = fitPieces(pieces, order);
  const joined = joinPhrases(pieces, order.phrase);
  if (loose === undefined || joined.length === pieces.length) return loose;
  const tight = fitPieces(joined, order);
  const isWorthIt =
    tight !== undefined &&
    tight.style.size >= loose.style.size * MIN_SIZE_SHARE &&
    tight.lines.length <= loose.lines.length;
  return isWorthIt ? tight : loose;
}

const NUMBER = /^[$€£¥]?\p{Nd}[\p{Nd}.,٬٫]*[%％٪]?$/u;

/** Pieces, those that belong together as one: the phrase to keep, and a number with the word behind it. */
function joinPhrases(pieces: readonly Piece[], text = ''): readonly Piece[] {
  const phrase = text === '' ? [] : breakText(text).map((piece) => bareWord(piece.text));
  const joined: Piece[] = [];
  for (let at = 0; at < pieces.length; ) {
    const isPhrase =
      phrase.length > 0 && phrase.every((word, offset) => bareWord(pieces[at + offset]?.text ?? '') === word);
    const alone = NUMBER.test(pieces[at]?.text ?? '') ? 2 : 1;
    const length = isPhrase ? phrase.length : alone;
    const group = pieces.slice(at, at + length);
    joined.push({ text: joinPieces(group), spaced: group.at(-1)?.spaced ?? false });
    at += length;
  }
  return joined;
}

/** Returns how many pieces the lines hold at the smallest size; those behind need not be tried. */
function countFitting(pieces: readonly Piece[], { width, face, tracking = 0, smallest, maxLines }: TextOrder): number {
  const style: TextStyle = { size: smallest, face, tracking };
  const space = measureText(' ', style);
  let [lines, used] = [1, 0];
  for (const [index, piece] of pieces.entries()) {
    const wide = measureText(piece.text, style);
    const gap = pieces[index - 1]?.spaced === true ? space : 0;
    if (used > 0 && used + gap + wide > width) [lines, used] = [lines + 1, 0];
    if (wide > width || lines > maxLines) return index;
    used += used === 0 ? wide : gap + wide;
  }
  return pieces.length;
}

/** Fits several pieces without dropping any, at the largest size of half-pixel steps that works. */
function fitPieces(pieces: readonly Piece[], order: TextOrder): FittedText | undefined {
  const { face, tracking = 0 } = order;
  const unit: TextStyle = { size: 1, face, tracking };
  const space = measureText(' ', unit);
  const hyphen = measureText('-', unit);
  const widths = pieces.map(({ text, spaced, hyphenated }) => ({
    wide: measureText(text, unit),
    gap: spaced ? space : 0,
    end: hyphenated === true ? hyphen : 0,
  }));
  const fits = (size: number): boolean => {
    const room = (order.height + 0.01) / size - overhang(order.lineHeight);
    const breaks = breakLines(widths, order.width / size);
    return breaks !== undefined && breaks.length <= Math.min(order.maxLines, Math.floor(room / order.lineHeight));
  };
  let low = Math.ceil(order.smallest * 2);
  let high = Math.floor(order.largest * 2);
  if (low > high || !fits(low / 2)) return undefined;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle / 2)) low = middle;
    else high = middle - 1;
  }
  const lines = balance(widths, (order.width * 2) / low).map(([from, to]) => joinPieces(pieces.slice(from, to)));
  const wide = Math.max(...lines.map((line) => measureText(line, unit)));
  // A line that is shaped as a whole may be a little wider than its pieces.
  const size = Math.min(low / 2, order.width / wide);
  const lineHeight = size * order.lineHeight;
  return {
    lines,
    style: { size, face, tracking },
    lineHeight,
    width: wide * size,
    height: lines.length * lineHeight + overhang(order.lineHeight) * size,
    shortened: false,
  };
}

/** Returns what descenders need below tightly set lines, as a fraction of the size. */
function overhang(lineHeight: number): number {
  return Math.max(0, 1.16 - lineHeight) / 2;
}

type Span = readonly [from: number, to: number];

/** The width of a piece, of the gap behind it where the line goes on, and of the hyphen behind it where the line ends. */
type PieceWidth = { readonly wide: number; readonly gap: number; readonly end: number };

/** Breaks pieces of these widths into lines, each as full as it gets; undefined when one piece alone is too wide. */
function breakLines(widths: readonly PieceWidth[], width: number): readonly Span[] | undefined {
  const spans: Span[] = [];
  let from = 0;
  let used = 0;
  for (const [index, { wide, end }] of widths.entries()) {
    if (wide + end > width) return undefined;
    const gap = widths[index - 1]?.gap ?? 0;
    if (index > from && used + gap + wide + end > width) {
      spans.push([from, index]);
      from = index;
      used = wide;
    } else used = index === from ? wide : used + gap + wide;
  }
  return [...spans, [from, widths.length]];
}

/** Returns the same number of lines in the narrowest measure that holds them, so that no word is left alone on the last one. */
function balance(widths: readonly PieceWidth[], width: number): readonly Span[] {
  let best = breakLines(widths, width) ?? [];
  let low = width / 2;
  let high = width;
  for (let step = 0; step < 12; step += 1) {
    const middle = (low + high) / 2;
    const spans = breakLines(widths, middle);
    if (spans === undefined || spans.length > best.length) low = middle;
    else {
      best = spans;
      high = middle;
    }
  }
  return best;
}

/** Words that say nothing at the end of a line that was cut off. */
const DANGLING = new Set(
  'a after an and as at before by for from in into of on or our so than that the their to until up we with you your & - – — am an auf aus bei bis das dem den der die ein eine einen für im in mit oder ohne und unser unsere vom von zu zum zur à au aux avec ce ces de des du en et la le les nos notre ou par pour sur un une con de del el en la las los nuestra nuestro o para por su sus un una y'.split(
    ' ',
  ),
);

/** Returns words without what dangles at the end once words behind them are gone: articles, prepositions, opening punctuation. */
export function trimTail(words: readonly string[]): readonly string[] {
  let count = words.length;
  while (count > 1 && DANGLING.has(bareWord(words[count - 1] ?? ''))) count -= 1;
  return words.slice(0, count).map((word, index) => (index === count - 1 ? withoutEnd(word, /[,;:–—、，؛،-]/u) : word));
}

function trimPieces(pieces: readonly Piece[]): readonly Piece[] {
  const words = trimTail(pieces.map(({ text }) => text));
  return words.map((text, index) => ({ text, spaced: index < words.length - 1 && pieces[index]?.spaced === true }));
}

function bareWord(word: string): string {
  return withoutEnd(word.toLowerCase(), /[,;:.!?。！？、，]/u);
}
