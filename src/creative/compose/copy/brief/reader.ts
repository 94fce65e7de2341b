import { isSignature } from '../language/maker.js';
import { withoutStop } from '../text.js';
import { conclude } from './conclusion.js';
import { Draft } from './draft.js';
import { readLabelled } from './labels.js';
import type { Piece } from './lines.js';
import { readSentence } from './sentences.js';
import type { Vocabulary } from './vocabulary.js';

/** Behind thanks at the beginning of a brief stands the brief itself; what is longer than this is no signature. */
const MAX_SIGNATURE_CHARS = 60;

/** A name behind so few sentences may be what they are about. */
const LEAST_BEFORE_SIGNATURE = 1;

/** Returns what the parts of a brief say, read one after the other up to the signature. */
export function readBrief(pieces: readonly Piece[], words: Vocabulary): ReturnType<typeof conclude> {
  const draft = new Draft(words);
  const isList = pieces.filter(({ role }) => role !== undefined).length >= Math.max(LEAST_LABELS, pieces.length / 3);
  const isThanks = ({ role, text }: Piece, index: number): boolean =>
    role === undefined && index > 0 && words.isSignOff(text);
  const isSignOff = (piece: Piece, index: number): boolean => isThanks(piece, index) && !goesOn(pieces, index);
  const end = pieces.findIndex(isSignOff);
  const last = (end < 0 ? pieces.length : end) - 1;
  let isSigned = false;
  for (const [index, piece] of pieces.entries()) {
    if (isSignOff(piece, index)) isSigned = true;
    if (piece.role !== undefined) {
      isSigned = false;
      readLabelled(piece, draft);
    } else if (index >= LEAST_BEFORE_SIGNATURE && index === pieces.length - 1 && isSignature(piece.text))
      isSigned = true;
    else if (index > 0 && index === last && words.isRequest(piece.text)) draft.button ??= withoutStop(piece.text);
    else if (words.isLegal(piece.text) || !(isSigned || isThanks(piece, index)))
      readSentence(isList ? withoutLabel(piece.text) : piece.text, draft);
  }
  return conclude(draft);
}

/**
 * Returns a line without a label that no table has: "every pound is doubled" of "Secondary: every pound is doubled".
 */
function withoutLabel(line: string): string {
  return line.replace(UNKNOWN_LABEL, '');
}

const LEAST_LABELS = 3;
const UNKNOWN_LABEL = /^\p{Lu}[\p{L}\p{M}]{1,15}(?: [\p{L}\p{M}]{1,15})?\s?[:：]\s+(?=\S.{5})/u;

/** Whether thanks in the first half of a brief stand before a sentence that is no signature. */
function goesOn(pieces: readonly Piece[], index: number): boolean {
  const next = pieces[index + 1];
  const isEarly = index < pieces.length / 2;
  return isEarly && next !== undefined && next.role === undefined && next.text.length > MAX_SIGNATURE_CHARS;
}
