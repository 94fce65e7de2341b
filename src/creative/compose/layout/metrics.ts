import type { Typeface } from '../fonts/typeface.js';

/** The type that a text is set in: size in pixels; tracking (letter spacing) as a fraction of the size. */
export type TextStyle = { readonly size: number; readonly face: Typeface; readonly tracking: number };

/** Returns the width of one line in pixels, shaped and kerned as it is drawn. */
export function measureText(text: string, { size, face, tracking }: TextStyle): number {
  return face.measure(text, tracking) * size;
}

/** Returns a text as one line without what is never drawn: control characters, private ones, and those that turn the direction round. */
export function cleanText(text: string): string {
  return text.normalize('NFC').replace(/\s/gu, ' ').replace(UNDRAWN, '').replace(/ {2,}/g, ' ').trim();
}

/** Joiners and variation selectors stay: letters and emoji are shaped by them. */
const UNDRAWN = /(?!\u200c|\u200d|\ufe0e|\ufe0f|[\u{e0020}-\u{e007f}])[\p{C}\p{Bidi_Control}]/gu;
