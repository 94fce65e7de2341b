import { readFileSync } from 'node:fs';
import type * as Harfbuzz from 'harfbuzzjs';

/** The shaping library; loading it takes some milliseconds, so it comes with the first text. */
export type Shaping = typeof Harfbuzz;

/** One glyph of a shaped run, in fractions of the font size: where it begins and how far it moves on. */
type Glyph = {
  readonly id: number;
  /** Index in the run's text of the first character that it stands for. */
  readonly cluster: number;
  readonly advance: number;
  readonly x: number;
  readonly y: number;
};

/** A piece of an outline as SVG has it; values in fractions of the font size, y downwards from the baseline. */
type OutlineCommand = { readonly type: string; readonly values: readonly number[] };

/** Vertical measures as fractions of the font size. */
export type VerticalMetrics = { readonly ascent: number; readonly descent: number; readonly capHeight: number };

/** One font file: which characters it has, how a run of text looks in it, and the outlines of its glyphs. */
export class FontFile {
  readonly #shaping: Shaping;
  readonly #font: Harfbuzz.Font;
  readonly #buffer: Harfbuzz.Buffer;
  readonly #unitsPerEm: number;

  /** Reads a TTF or OTF. Throws when there is none at the path. */
  constructor(shaping: Shaping, file: string) {
    this.#shaping = shaping;
    const face = new shaping.Face(new shaping.Blob(readFileSync(file)), 0);
    if (face.collectUnicodes().length === 0) throw new Error(`${file} is no font.`);
    this.#font = new shaping.Font(face);
    this.#buffer = new shaping.Buffer();
    this.#unitsPerEm = face.upem;
  }

  /** Returns whether the font draws a character. */
  has(codePoint: number): boolean {
    return this.#font.nominalGlyph(codePoint) !== undefined;
  }

  /** Returns the measures that the font gives for lines of text. */
  metrics(): VerticalMetrics {
    const { ascender, descender } = this.#font.hExtents();
    const capital = this.#font.glyphExtents(this.#font.nominalGlyph(0x48) ?? 0);
    return {
      ascent: ascender / this.#unitsPerEm,
      descent: -descender / this.#unitsPerEm,
      capHeight: (capital?.yBearing ?? 0) / this.#unitsPerEm,
    };
  }

  /** Shapes a run of one direction and one writing; glyphs come from left to right. */
  shape(text: string, rtl: boolean, language = ''): readonly Glyph[] {
    const { Direction, shape } = this.#shaping;
    const buffer = this.#buffer;
    buffer.reset();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    buffer.setDirection(rtl ? Direction.RTL : Direction.LTR);
    if (language !== '') buffer.setLanguage(language);
    shape(this.#font, buffer);
    const em = this.#unitsPerEm;
    return buffer.getGlyphInfosAndPositions().map(({ codepoint, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }) => ({
      id: codepoint,
      cluster,
      advance: xAdvance / em,
      x: xOffset / em,
      y: -yOffset / em,
    }));
  }

  /** Returns a glyph's outline. */
  outline(glyph: number): readonly OutlineCommand[] {
    const em = this.#unitsPerEm;
    return this.#font.glyphToJson(glyph).map(({ type, values }) => ({
      type,
      values: values.map((value, index) => (index % 2 === 0 ? value : -value) / em),
    }));
  }

  /** Returns the weight that the font says it has, 400 where it says none. */
  weight(): number {
    const table = this.#font.face.referenceTable('OS/2');
    return table === undefined || table.length < 6 ? 400 : Buffer.from(table).readUInt16BE(4);
  }
}
