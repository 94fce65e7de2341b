/** The weights that layouts set text in. */
export const FONT_WEIGHTS = [400, 600, 800] as const;
/** One of the weights that layouts set text in. */
export type FontWeight = (typeof FONT_WEIGHTS)[number];

/** One weight of a font with its advance widths and vertical measures, all as fractions of the font size. */
export type FontFace = {
  readonly weight: FontWeight;
  readonly ascent: number;
  readonly descent: number;
  /** Height of a capital letter. */
  readonly capHeight: number;
  /** Advance of a code point; undefined when the face has no glyph for it. */
  readonly advance: (codePoint: number) => number | undefined;
};

/** The faces that a layout sets text in. */
export type Fonts = { readonly face: (weight: FontWeight) => FontFace };

type Table = { readonly offset: number; readonly length: number };

/** Reads a face from the tables head, hhea, OS/2, hmtx and cmap (format 4 and 12) of a TTF. */
export function readFace(font: Buffer, weight: FontWeight): FontFace {
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
    weight,
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
