import { detectLanguage, findUnreadLanguage, namedLanguage } from '../language/detect.js';
import { tableOf } from '../language/index.js';
import { readLanguageTag } from '../language/table.js';
import { plainLines } from '../text.js';
import { readPieces } from './lines.js';
import type { BriefUnderstanding } from './model.js';
import { maskQuotes } from './quotes.js';
import { readBrief } from './reader.js';
import { Vocabulary } from './vocabulary.js';

/** The brand and the language that a brief is read with. */
type BriefContext = {
  readonly brandName: string;
  /** The language that the ad is to be in, as a BCP 47 tag; that of the brief unless set. */
  readonly language?: string | undefined;
};

/** "With" as people type it. */
const SHORTHAND = /(?<![\p{L}\p{N}/])w\/\s?(?=[\p{L}\p{N}"“])/giu;

/** Returns what a brief says: pure, the same for the same brief. */
export function understandBrief(message: string, { brandName, language }: BriefContext): BriefUnderstanding {
  const { text, quotes } = maskQuotes(plainLines(message).replace(SHORTHAND, 'with '));
  const bare = text.replace(/[\ue100-\ue1ff]/gu, ' ');
  const readIn = detectLanguage(bare);
  const tables = [tableOf(readIn), ...(readIn === 'en' ? [] : [tableOf('en')])];
  const read = readBrief(readPieces(text, tables), new Vocabulary({ tables, quotes, brandName }));
  const asked = readLanguageTag(language);
  const unread = findUnreadLanguage(bare);
  return { ...read, readIn, unread, language: asked ?? namedLanguage(text) ?? readIn };
}
