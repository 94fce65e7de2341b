import type { FontFace } from '../fonts/face.js';
import { measureText, type TextStyle } from './metrics.js';

/** A box in pixels of the ad; the origin is the upper left corner. */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** A text to set into a box. Sizes in pixels; `lineHeight` as a multiple of the size. */
type TextOrder = {
  readonly text: string;
  /** Words of the text that stay on one line where that costs next to no size. */
  readonly phrase?: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly face: FontFace;
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
 * and a number stays with what it counts. Undefined when not even the first word fits; a word is never cut.
 */
export function fitText(order: TextOrder): FittedText | undefined {
  const words = order.text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || order.width <= 0 || order.height <= 0) return undefined;
  const whole = words.length > MAX_WORDS ? undefined : fitWhole(words, order);
  if (whole !== undefined) return whole;
  for (let count = Math.min(words.length - 1, countFittingWords(words, order)); count > 0; count -= 1) {
    const fitted = fitWords(trimTail(words.slice(0, count)), { ...order, largest: order.smallest });
    if (fitted !== undefined) return { ...fitted, shortened: true };
  }
  return undefined;
}

/** A text of more words is shortened without trying. */
const MAX_WORDS = 80;

/** What a break in a better place may cost of the size. */
const MIN_SIZE_SHARE = 0.9;

/** Fits all words, those that belong together on one line unless the text would be much smaller or longer for it. */
function fitWhole(words: readonly string[], order: TextOrder): FittedText | undefined {
  const loose = fitWords(words, order);
  const joined = joinPhrases(words, order.phrase);
  if (loose === undefined || joined.length === words.length) return loose;
  const tight = fitWords(joined, order);
  const isWorthIt =
    tight !== undefined &&
    tight.style.size >= loose.style.size * MIN_SIZE_SHARE &&
    tight.lines.length <= loose.lines.length;
  return isWorthIt ? tight : loose;
}

const NUMBER = /^[$€£]?\d[\d.,]*%?$/u;

/** Words, those that belong together as one: the phrase to keep, and a number with the word behind it. */
function joinPhrases(words: readonly string[], text = ''): readonly string[] {
  const phrase = text.split(/\s+/).map(bare);
  const joined: string[] = [];
  for (let at = 0; at < words.length; ) {
    const isPhrase = phrase.every((word, offset) => bare(words[at + offset] ?? '') === word);
    const length = isPhrase ? phrase.length : NUMBER.test(words[at] ?? '') ? 2 : 1;
    joined.push(words.slice(at, at + length).join(' '));
    at += length;
  }
  return joined;
}

/** How many words the lines hold at the smallest size; those behind need not be tried. */
function countFittingWords(
  words: readonly string[],
  { width, face, tracking = 0, smallest, maxLines }: TextOrder,
): number {
  const style: TextStyle = { size: smallest, face, tracking };
  const space = measureText(' ', style);
  let [lines, used] = [1, 0];
  for (const [index, word] of words.entries()) {
    const wide = measureText(word, style);
    if (used > 0 && used + space + wide > width) [lines, used] = [lines + 1, 0];
    if (wide > width || lines > maxLines) return index;
    used += used === 0 ? wide : space + wide;
  }
  return words.length;
}

/** Fits several words without dropping any, at the largest size of half-pixel steps that works. */
function fitWords(words: readonly string[], order: TextOrder): FittedText | undefined {
  const { face, tracking = 0 } = order;
  const unit: TextStyle = { size: 1, face, tracking };
  const widths = words.map((word) => measureText(word, unit));
  const space = measureText(' ', unit);
  const linesAt = (size: number): readonly string[] | undefined => {
    const room = (order.height + 0.01) / size - overhang(order.lineHeight);
    const most = Math.min(order.maxLines, Math.floor(room / order.lineHeight));
    const breaks = breakLines(widths, space, order.width / size);
    return breaks === undefined || breaks.length > most
      ? undefined
      : breaks.map(([from, to]) => words.slice(from, to).join(' '));
  };
  let low = Math.ceil(order.smallest * 2);
  let high = Math.floor(order.largest * 2);
  if (low > high || linesAt(low / 2) === undefined) return undefined;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (linesAt(middle / 2) === undefined) high = middle - 1;
    else low = middle;
  }
  const size = low / 2;
  const balanced = balance(widths, space, order.width / size).map(([from, to]) => words.slice(from, to).join(' '));
  const style: TextStyle = { size, face, tracking };
  const lineHeight = size * order.lineHeight;
  return {
    lines: balanced,
    style,
    lineHeight,
    width: Math.max(...balanced.map((line) => measureText(line, style))),
    height: balanced.length * lineHeight + overhang(order.lineHeight) * size,
    shortened: false,
  };
}

/** What descenders need below tightly set lines, as a fraction of the size. */
function overhang(lineHeight: number): number {
  return Math.max(0, 1.16 - lineHeight) / 2;
}

type Span = readonly [from: number, to: number];

/** Greedy line breaks for words of these widths; undefined when one word alone is too wide. */
function breakLines(widths: readonly number[], space: number, width: number): readonly Span[] | undefined {
  const spans: Span[] = [];
  let from = 0;
  let used = 0;
  for (const [index, word] of widths.entries()) {
    if (word > width) return undefined;
    if (index > from && used + space + word > width) {
      spans.push([from, index]);
      from = index;
      used = word;
    } else used = index === from ? word : used + space + word;
  }
  return [...spans, [from, widths.length]];
}

/** The same number of lines in the narrowest measure that holds them, so that no word is left alone on the last one. */
function balance(widths: readonly number[], space: number, width: number): readonly Span[] {
  let best = breakLines(widths, space, width) ?? [];
  let low = width / 2;
  let high = width;
  for (let step = 0; step < 12; step += 1) {
    const middle = (low + high) / 2;
    const spans = breakLines(widths, space, middle);
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
  'a an and as at by for from in into of on or our so than that the their to up we with you your & - – — am an auf aus bei bis das dem den der die ein eine einen für im in mit oder ohne und unser unsere vom von zu zum zur à au aux avec ce ces de des du en et la le les nos notre ou par pour sur un une con de del el en la las los nuestra nuestro o para por su sus un una y'.split(
    ' ',
  ),
);

/** Returns words without what dangles at the end once words behind them are gone: articles, prepositions, opening punctuation. */
export function trimTail(words: readonly string[]): readonly string[] {
  let count = words.length;
  while (count > 1 && DANGLING.has(bare(words[count - 1] ?? ''))) count -= 1;
  return words.slice(0, count).map((word, index) => (index === count - 1 ? word.replace(/[,;:–—-]+$/u, '') : word));
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[,;:.!?]+$/u, '');
}
