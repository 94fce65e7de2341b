import { trimTail } from '../layout/text.js';
import { withoutStop } from './text.js';

const WORDS = new Intl.Segmenter('und', { granularity: 'word' });
/** Writings without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Signs that begin no line and no text. */
const TRAILING = /^[\p{Pe}\p{Pf}\p{Po}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々%％]/u;
/** Words that say nothing at the end of a text that was cut off, of writings without spaces. */
const DANGLING = /(?:[のをがはにでとやへもからまで、，（(「『]|[的和与及在为了把被，、]|และ|ของ|ที่|ใน)+$/u;

/**
 * Returns at most `maxChars` characters of a text, cut between sentences or clauses where that keeps enough, else between
 * words, without words that dangle. Never inside a word: the answer is empty when the first word is too long already.
 */
export function shortenText(text: string, maxChars: number): string {
  const whole = text.replace(/\s+/gu, ' ').trim();
  if (whole.length <= maxChars) return whole;
  const head = whole.slice(0, maxChars + 1);
  const sentences = (head.match(/^.*[.!?…](?=\s)/su) ?? head.slice(0, maxChars).match(/^.*[。！？।]/su))?.[0];
  if (sentences !== undefined && sentences.length <= maxChars && sentences.length >= maxChars * 0.4) return sentences;
  const shortened = UNSPACED.test(head) ? cutSegments(whole, maxChars) : cutWords(whole, maxChars);
  const clauses = shortened.match(/^.*(?=[,;:–—،؛]\s|[、，；：])/su)?.[0];
  return clauses !== undefined && clauses.length >= maxChars * 0.6 ? clauses : shortened;
}

function cutWords(text: string, maxChars: number): string {
  const words: string[] = [];
  let length = 0;
  for (const word of text.slice(0, maxChars + 1 + MAX_WORD_CHARS).split(' ')) {
    if (length + word.length > maxChars) break;
    words.push(word);
    length += word.length + 1;
  }
  // The last word of the part that was looked at may go on behind it.
  return words.length === 0 ? '' : trimTail(words).join(' ');
}

/** No word that fits is cut by looking at so much more than fits. */
const MAX_WORD_CHARS = 1;

/** Cuts where the dictionaries of the writing see the end of a word; what is joined to numbers and signs stays with them. */
function cutSegments(text: string, maxChars: number): string {
  let cut = 0;
  for (const { segment, index } of WORDS.segment(text.slice(0, maxChars + SEGMENT_LOOKAHEAD_CHARS))) {
    const isJoined =
      TRAILING.test(segment) ||
      (/\p{L}$|\p{N}$/u.test(text.slice(0, index)) && isLatin(segment) && isLatin(text.charAt(index - 1)));
    if (!isJoined && index <= maxChars) cut = index;
    if (index > maxChars) break;
  }
  const shortened = withoutStop(text.slice(0, cut)).replace(DANGLING, '');
  return shortened.replace(/[「『（(][^」』）)]*$/u, '').trim();
}

const SEGMENT_LOOKAHEAD_CHARS = 24;

function isLatin(text: string): boolean {
  return /^[\p{Script=Latin}\p{N}]/u.test(text);
}

/**
 * Returns the first of several texts that has something within the limit: whole if one fits whole, else the first that can be
 * shortened; '' for none.
 */
export function chooseFitting(texts: readonly (string | undefined)[], maxChars: number, minChars = 0): string {
  const given = texts.filter((text) => text !== undefined && text.trim() !== '').map((text) => text?.trim() ?? '');
  const whole = given.find((text) => text.length <= maxChars && text.length >= minChars);
  const shortened = given.map((text) => shortenText(text, maxChars)).filter((text) => text !== '');
  const first = shortened[0];
  if (first !== undefined && first.length >= minChars && first.length >= (given[0]?.length ?? 0) * 0.5) return first;
  return whole ?? shortened.find((text) => text.length >= minChars) ?? first ?? '';
}
