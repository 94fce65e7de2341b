import { Cache } from '../../../platform/kernel/cache.js';
import { ALONE, type Direction, readLevels } from './bidi.js';
import type { FontFile, VerticalMetrics } from './font-file.js';
import type { Hyphenate } from './hyphenation.js';
import { BASE_FONT, type FontWeight, listScriptFonts, SCRIPT_FONTS, type ScriptFont } from './scripts.js';

/** A glyph at its place on a line, in fractions of the font size; `cluster` is the index in the line of what it stands for. */
export type PlacedGlyph = {
  readonly file: FontFile;
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly cluster: number;
};

/** A line as it is drawn: glyphs from left to right, and its width in fractions of the font size. */
type ShapedLine = { readonly glyphs: readonly PlacedGlyph[]; readonly width: number };

/** The weight and the fonts of a typeface. */
type TypefaceOptions = {
  readonly weight: FontWeight;
  /** The font of Latin, Greek and Cyrillic letters in place of the base font. */
  readonly display?: ScriptFont | undefined;
  /** Returns the file of a font in a weight; undefined where it is not installed. */
  readonly findFile: (font: ScriptFont, weight: FontWeight) => FontFile | undefined;
  /** The language whose forms Han characters take. */
  readonly hanLanguage: string;
  readonly hyphenate: Hyphenate;
  readonly lines: ShapedLines;
};

/** Lines that were shaped: a layout measures the same words at every size that it tries. */
type ShapedLines = Cache<string, ShapedLine>;

/** Returns an empty cache of shaped lines. */
export function openShapedLines(): ShapedLines {
  return new Cache({
    maxEntries: MAX_SHAPED_LINES,
    maxBytes: MAX_SHAPED_BYTES,
    sizeOf: ({ glyphs }, key) => glyphs.length * BYTES_PER_GLYPH + key.length * 2,
  });
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters that are never drawn themselves: they join, choose a variant, or turn the direction. */
const UNDRAWN = /[\p{Default_Ignorable_Code_Point}\p{C}]/u;

const MAX_SHAPED_LINES = 2000;
const MAX_SHAPED_BYTES = 4_000_000;
const BYTES_PER_GLYPH = 120;

/** One weight and style of all fonts together: measures and shapes lines whatever they are written in. */
export class Typeface {
  readonly weight: FontWeight;
  /** Of the base font, so that lines of all fonts stand alike; `leading` says what other writings need. */
  readonly metrics: VerticalMetrics;
  /** The style of its Latin letters, as a CSS family that is told apart. */
  readonly family: string;
  readonly #base: FontFile;
  /** Where Latin letters come from first. */
  readonly #latin: FontFile;
  readonly #options: TypefaceOptions;

  /** Throws when the package of the base font is not installed. */
  constructor(options: TypefaceOptions) {
    const base = options.findFile(BASE_FONT, options.weight);
    if (base === undefined) throw new Error(`${BASE_FONT.package} is not installed.`);
    const { weight, display } = options;
    const latin = display === undefined ? undefined : options.findFile(display, weight);
    this.weight = weight;
    this.family = latin === undefined || display === undefined ? BASE_FONT.family : display.family;
    this.#base = base;
    this.#latin = latin ?? base;
    this.metrics = base.metrics();
    this.#options = options;
  }

  /** Returns the parts of a word between which a line may break with a hyphen. */
  hyphenate(word: string): readonly string[] {
    return this.#options.hyphenate(word);
  }

  /** Returns the width of a line in fractions of the font size, with `tracking` between its letters. */
  measure(text: string, tracking = 0): number {
    return this.shape(text, 'ltr', tracking).width;
  }

  /** Returns a line as it is drawn when the text that it stands in is read in a direction. */
  shape(text: string, direction: Direction, tracking = 0, { before, after } = ALONE): ShapedLine {
    const { lines, hanLanguage } = this.#options;
    const style = `${this.family} ${this.weight} ${hanLanguage} ${direction} ${tracking}`;
    return lines.getOrMake(`${style} ${before}${text}${after}`, () => {
      const levels = readLevels(before + text + after, direction).subarray(before.length);
      return this.#placeRuns(orderRuns(this.#itemize(text, levels)), tracking);
    });
  }

  /** Returns the least distance of the baselines of a text's lines, as a multiple of the size. */
  leading(text: string): number {
    const needed = SCRIPT_FONTS.filter(({ letters }) => letters.test(text)).map(({ leading }) => leading);
    return Math.max(BASE_FONT.leading, ...needed);
  }

  /** Returns what a text needs and no font that is there has: the font of a writing, or the character where no font is for it. */
  findMissing(text: string): readonly (ScriptFont | string)[] {
    const missing = new Set<ScriptFont | string>();
    for (const { segment } of graphemes.segment(text)) {
      if (this.#chooseFile(segment) !== undefined) continue;
      missing.add(listScriptFonts(segment, this.#options.hanLanguage)[0] ?? segment);
    }
    return [...missing];
  }

  #placeRuns(runs: readonly Run[], tracking: number): ShapedLine {
    const glyphs: PlacedGlyph[] = [];
    let width = 0;
    for (const { text, from, level, file, joined } of runs) {
      for (const { id, cluster, advance, x, y } of file.shape(text, level % 2 === 1)) {
        glyphs.push({ file, id, x: width + x, y, cluster: from + cluster });
        width += advance + (joined || advance === 0 ? 0 : tracking);
      }
    }
    return { glyphs, width };
  }

  /** Returns the text cut where its font or its direction changes. */
  #itemize(text: string, levels: Uint8Array): readonly Run[] {
    const runs: Run[] = [];
    for (const { segment, index } of graphemes.segment(text)) {
      const level = levels[index] ?? 0;
      const last = runs.at(-1);
      const chosen = this.#chooseFile(segment, last);
      const file = chosen?.file ?? this.#latin;
      if (last !== undefined && last.file === file && last.level === level) {
        runs[runs.length - 1] = { ...last, text: last.text + segment };
      } else runs.push({ text: segment, from: index, level, file, joined: chosen?.joined ?? false });
    }
    return runs;
  }

  /** Returns the font of a grapheme; what belongs to no writing goes on in the font before it where that has it. */
  #chooseFile(grapheme: string, last?: Chosen): Chosen | undefined {
    const drawn = [...grapheme].filter((character) => !UNDRAWN.test(character) && character.trim() !== '');
    if (drawn.length === 0) return { file: this.#latin, joined: false };
    const has = (file: FontFile): boolean => drawn.every((character) => file.has(character.codePointAt(0) ?? 0));
    for (const font of listScriptFonts(grapheme, this.#options.hanLanguage)) {
      const file = this.#options.findFile(font, this.weight);
      if (file !== undefined && has(file)) return { file, joined: font.joined === true };
    }
    const sample = SAMPLE_LETTERS.find(([letters]) => letters.test(grapheme))?.[1];
    // A display font that has some Greek letters as signs of mathematics would set a word in two fonts.
    const isWhole = (file: FontFile): boolean => sample === undefined || file.has(sample);
    const plain = [this.#latin, this.#base].find((file) => has(file) && isWhole(file));
    if (plain !== undefined) return { file: plain, joined: false };
    return last !== undefined && has(last.file) ? last : undefined;
  }
}

/** A letter of each writing that a font for it has, as a code point. */
const SAMPLE_LETTERS: readonly (readonly [letters: RegExp, sample: number])[] = [
  [/\p{Script=Greek}/u, 0x03b1],
  [/\p{Script=Cyrillic}/u, 0x0436],
];

type Chosen = { readonly file: FontFile; readonly joined: boolean };

type Run = Chosen & { readonly text: string; readonly from: number; readonly level: number };

/** Runs from left to right: those of a level and above are turned round, from the highest level down (https://unicode.org/reports/tr9/#L2). */
function orderRuns(runs: readonly Run[]): readonly Run[] {
  let ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    const turned: Run[] = [];
    let group: Run[] = [];
    for (const run of ordered) {
      if (run.level >= level) group.unshift(run);
      else {
        turned.push(...group, run);
        group = [];
      }
    }
    ordered = [...turned, ...group];
  }
  return ordered;
}
