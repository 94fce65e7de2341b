import { findPart } from './words.js';

/** Signs and words that may begin another clause of a command. */
const SEPARATOR =
  /\s*[,;]\s+(?:(?:and|und|et|y|but|aber|mais|pero|then|dann|puis)\s+)?|\s+(?:and|und|et|y|but|aber|mais|pero|then|dann|puis|&|\+|[–—-](?:\s+(?:and|und|et|y|but|aber|mais|pero))?)\s+/giu;
/** The end of what has only begun to name a thing: "a deep", "ein schönes". */
const OPEN_NAME = /(?<!\p{L})(?:an?|ein(?:e[nmrs]?)?|une?|una)\s+((?:\p{L}[\p{L}’'-]*\s+)?\p{L}[\p{L}’'-]*)$/iu;
/** What says nothing of an ad. */
const COURTESY =
  /^(?:(?:please|thanks?|thank you|too|as well|also|instead|bitte|danke|auch|stattdessen|s['’]il (?:te|vous) pla[iî]t|merci|aussi|por favor|gracias|también)[\s,.!]*)+$/iu;

/** Most pieces of one command; the last has the rest. */
const MAX_PIECES = 12;
const MAX_NAME_CHARS = 60;

/** A piece of a text, by its characters. */
type Piece = { readonly from: number; readonly to: number };

/** Returns the pieces of a command that may be clauses of their own; courtesies are left out. */
export function splitPhrases(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: separator, index } of text.matchAll(SEPARATOR)) {
    if (pieces.length === MAX_PIECES - 1) break;
    const name = OPEN_NAME.exec(text.slice(Math.max(from, index - MAX_NAME_CHARS), index))?.[1];
    if (name !== undefined && findPart(name) === undefined) continue;
    pieces.push({ from, to: index });
    from = index + separator.length;
  }
  pieces.push({ from, to: text.length });
  return pieces.filter((piece) => !COURTESY.test(text.slice(piece.from, piece.to)));
}
