import { readFileSync } from 'node:fs';
import { FONT_WEIGHTS, type FontWeight, fontFile } from '../pictures/fonts.js';

/** Advance widths and vertical measures of one face, all as fractions of the font size. */
export type FaceMetrics = {
  readonly ascent: number;
  readonly descent: number;
  /** Height of a capital letter. */
  readonly capHeight: number;
  /** Advance of a code point; undefined when the face has no glyph for it. */
  advance(codePoint: number): number | undefined;
};

const faces = new Map<FontWeight, FaceMetrics>();

/** The metrics of a packaged face; read from its TTF on first use and kept. */
export function faceMetrics(weight: FontWeight): FaceMetrics {
  const known = faces.get(weight);
  if (known !== undefined) return known;
  const read = readFace(readFileSync(fontFile(weight)));
  faces.set(weight, read);
  return read;
}

/** How text is set: size in pixels; tracking (letter spacing) as a fraction of the size. */
export type TextStyle = { readonly size: number; readonly weight: FontWeight; readonly tracking: number };

/** Width of one line in pixels, from the font's own advance widths. Kerning is left out: it makes text narrower, never visibly wider. */
export function measureText(text: string, { size, weight, tracking }: TextStyle): number {
  const face = faceMetrics(weight);
  let width = 0;
  for (const character of text) width += (face.advance(character.codePointAt(0) ?? 0) ?? MISSING) + tracking;
  return width * size;
}

/** Generous: a glyph that is not there is drawn as a box. */
const MISSING = 1;

/** The text without the characters that no packaged face can draw (emoji, scripts it lacks), white space collapsed. */
export function drawableText(text: string): string {
  const face = faceMetrics(FONT_WEIGHTS[0]);
  let kept = '';
  for (const character of text.normalize('NFC')) {
    if (/\s/u.test(character)) kept += ' ';
    else if (!INVISIBLE.test(character) && face.advance(character.codePointAt(0) ?? 0) !== undefined) kept += character;
  }
  return kept.replace(/ {2,}/g, ' ').trim();
}

/** Share of a text's letters and digits that can be drawn, 0 to 1; 1 for a text without any. */
export function drawableShare(text: string): number {
  const letters = text.normalize('NFC').match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const kept = drawableText(text).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters === 0 ? 1 : kept / letters;
}

/** Control, format and private characters, among them those that turn the writing direction round. */
const INVISIBLE = /[\p{C}\p{Variation_Selector}]/u;

type Table = { readonly offset: number; readonly length: number };

/** Reads the tables head, hhea, OS/2, hmtx and cmap (format 4 and 12) of a TTF. */
export function readFace(font: Buffer): FaceMetrics {
  const tables = readTables(font);
  const at = (name: string): number => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`The font has no ${name} table.`);
    return table.offset;
  };
  const unitsPerEm = font.readUInt16BE(at('head') + 18);
  const hhea = at('hhea');
  const longMetrics = font.readUInt16BE(hhea + 34);
  const hmtx = at('hmtx');
  const glyphs = readCharacterMap(font, at('cmap'));
  return {
    ascent: font.readInt16BE(hhea + 4) / unitsPerEm,
    descent: -font.readInt16BE(hhea + 6) / unitsPerEm,
    capHeight: font.readInt16BE(at('OS/2') + 88) / unitsPerEm,
    advance: (codePoint) => {
      const glyph = glyphs.get(codePoint);
      if (glyph === undefined) return undefined;
      return font.readUInt16BE(hmtx + 4 * Math.min(glyph, longMetrics - 1)) / unitsPerEm;
    },
  };
}

function readTables(font: Buffer): ReadonlyMap<string, Table> {
  const tables = new Map<string, Table>();
  for (let index = 0; index < font.readUInt16BE(4); index += 1) {
    const row = 12 + index * 16;
    const name = font.toString('latin1', row, row + 4);
    tables.set(name, { offset: font.readUInt32BE(row + 8), length: font.readUInt32BE(row + 12) });
  }
  return tables;
}

function readCharacterMap(font: Buffer, cmap: number): ReadonlyMap<number, number> {
  const glyphs = new Map<number, number>();
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index += 1) {
    const subtable = cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4);
    const read = CMAP_READERS[font.readUInt16BE(subtable)];
    if (read !== undefined) read(font, subtable, glyphs);
  }
  return glyphs;
}

type CmapReader = (font: Buffer, at: number, glyphs: Map<number, number>) => void;

const CMAP_READERS: Readonly<Record<number, CmapReader>> = { 4: readSegments, 12: readGroups };

function readSegments(font: Buffer, at: number, glyphs: Map<number, number>): void {
  const doubled = font.readUInt16BE(at + 6);
  const ends = at + 14;
  const starts = ends + doubled + 2;
  const deltas = starts + doubled;
  const ranges = deltas + doubled;
  for (let segment = 0; segment < doubled; segment += 2) {
    const end = font.readUInt16BE(ends + segment);
    const range = font.readUInt16BE(ranges + segment);
    const start = font.readUInt16BE(starts + segment);
    const delta = font.readUInt16BE(deltas + segment);
    for (let code = start; code <= end && code !== 0xffff; code += 1) {
      const raw = range === 0 ? code : font.readUInt16BE(ranges + segment + range + (code - start) * 2);
      const glyph = range !== 0 && raw === 0 ? 0 : (raw + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(code, glyph);
    }
  }
}

function readGroups(font: Buffer, at: number, glyphs: Map<number, number>): void {
  const groups = font.readUInt32BE(at + 12);
  for (let group = 0; group < groups; group += 1) {
    const row = at + 16 + group * 12;
    const start = font.readUInt32BE(row);
    const end = font.readUInt32BE(row + 4);
    const first = font.readUInt32BE(row + 8);
    for (let code = start; code <= end; code += 1) glyphs.set(code, first + code - start);
  }
}
