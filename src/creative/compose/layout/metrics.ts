import type { FontFace } from '../fonts/face.js';

/** The type that a text is set in: size in pixels; tracking (letter spacing) as a fraction of the size. */
export type TextStyle = { readonly size: number; readonly face: FontFace; readonly tracking: number };

/** Returns the width of one line in pixels, from the font's own advance widths. Kerning is left out: it makes text narrower, never visibly wider. */
export function measureText(text: string, { size, face, tracking }: TextStyle): number {
  let width = 0;
  for (const character of text)
    width += (face.advance(character.codePointAt(0) ?? 0) ?? MISSING_GLYPH_ADVANCE) + tracking;
  return width * size;
}

/** Generous: a glyph that is missing is drawn as a box. */
const MISSING_GLYPH_ADVANCE = 1;

/** Returns a text without the characters that a face has no glyphs for (emoji, scripts it lacks), white space collapsed. */
export function drawableText(text: string, face: FontFace): string {
  let drawable = '';
  for (const character of text.normalize('NFC')) {
    if (/\s/u.test(character)) drawable += ' ';
    else if (!INVISIBLE.test(character) && face.advance(character.codePointAt(0) ?? 0) !== undefined)
      drawable += character;
  }
  return drawable.replace(/ {2,}/g, ' ').trim();
}

/** Returns the share of a text's letters and digits that a face can draw, 0 to 1; 1 for a text without any. */
export function drawableShare(text: string, face: FontFace): number {
  const letters = text.normalize('NFC').match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const drawable = drawableText(text, face).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters === 0 ? 1 : drawable / letters;
}

/** Control, format and private characters, among them those that turn the writing direction round. */
const INVISIBLE = /[\p{C}\p{Variation_Selector}]/u;
