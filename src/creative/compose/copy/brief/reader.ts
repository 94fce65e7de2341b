import { withoutStop } from '../text.js';
import { conclude } from './conclusion.js';
import { Draft } from './draft.js';
import { readLabelled } from './labels.js';
import type { Piece } from './lines.js';
import { readSentence } from './sentences.js';
import type { Vocabulary } from './vocabulary.js';

/** Returns what the parts of a brief say, read one after the other up to the signature. */
export function readBrief(pieces: readonly Piece[], words: Vocabulary): ReturnType<typeof conclude> {
  const draft = new Draft(words);
  const isSignOff = ({ role, text }: Piece, index: number): boolean =>
    role === undefined && index > 0 && words.isSignOff(text);
  const end = pieces.findIndex(isSignOff);
  const last = (end < 0 ? pieces.length : end) - 1;
  let isSigned = false;
  for (const [index, piece] of pieces.entries()) {
    if (isSignOff(piece, index)) isSigned = true;
    if (piece.role !== undefined) {
      isSigned = false;
      readLabelled(piece, draft);
    } else if (index > 0 && index === last && words.isRequest(piece.text)) draft.button ??= withoutStop(piece.text);
    else if (!isSigned || words.isLegal(piece.text)) readSentence(piece.text, draft);
  }
  return conclude(draft);
}
