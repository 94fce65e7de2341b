import LineBreaker from 'linebreak';

/** A stretch of text that stays on one line: whether a space follows where the line goes on, or a hyphen where it ends. */
export type Piece = { readonly text: string; readonly spaced: boolean; readonly hyphenated?: boolean };

/** Writings whose words a dictionary tells better than the rules of Unicode: those without spaces, and Korean, which breaks between its words. */
const SEGMENTED: readonly (readonly [language: string, letters: RegExp])[] = [
  ['th', /\p{Script=Thai}/u],
  ['lo', /\p{Script=Lao}/u],
  ['km', /\p{Script=Khmer}/u],
  ['my', /\p{Script=Myanmar}/u],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['ko', /\p{Script=Hangul}/u],
];

/** Languages of which the rules of Unicode leave all breaks to the dictionary; of the others they say which of its breaks are allowed. */
const BY_DICTIONARY_ALONE: ReadonlySet<string> = new Set(['th', 'lo', 'km', 'my']);

/** Longest run of characters that the dictionary is asked to keep together. */
const MAX_WORD_CHARACTERS = 8;

/**
 * Returns the pieces between which a line may break (https://unicode.org/reports/tr14/): words, their parts behind a hyphen, and
 * words of a dictionary where a writing puts no spaces between them.
 */
export function breakText(text: string): readonly Piece[] {
  const breaker = new LineBreaker(text);
  const pieces: Piece[] = [];
  let from = 0;
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    const part = text.slice(from, next.position);
    from = next.position;
    const trimmed = part.trimEnd();
    if (trimmed === '') continue;
    const last = pieces.at(-1);
    const isSpaced = trimmed !== part;
    if (last !== undefined && isOneUnit(last, trimmed))
      pieces[pieces.length - 1] = { text: `${last.text}${trimmed}`, spaced: isSpaced };
    else pieces.push(...splitWithoutSpaces({ text: trimmed, spaced: isSpaced }));
  }
  return joinDictionaryWords(pieces);
}

/** Whether a piece goes on what stands before it: "Mb/s", "89/month", and the day behind a month. */
function isOneUnit({ text, spaced }: Piece, next: string): boolean {
  if (spaced || text.length > MAX_UNIT_CHARS || next.length > MAX_UNIT_CHARS) return false;
  return (
    (/[\p{L}\p{Nd}]\/$/u.test(text) && /^[\p{L}\p{M}.]+[.,;:!?)]?$/u.test(next)) ||
    (/\p{Nd}月$/u.test(text) && /^\p{Nd}/u.test(next))
  );
}

const MAX_UNIT_CHARS = 8;

/** Splits a piece by a dictionary where the rules find no break inside, as in Thai. */
function splitWithoutSpaces(piece: Piece): readonly Piece[] {
  const language = findLanguage(piece.text);
  if (language === undefined || !BY_DICTIONARY_ALONE.has(language)) return [piece];
  const words = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(piece.text)];
  const joined: string[] = [];
  for (const { segment, isWordLike } of words) {
    // Marks and repetition signs stay with the word before them.
    if (isWordLike !== true && joined.length > 0) joined[joined.length - 1] += segment;
    else joined.push(segment);
  }
  return joined.map((word, index) => ({ text: word, spaced: index === joined.length - 1 && piece.spaced }));
}

/**
 * Joins pieces that are one word by a dictionary: in Japanese and Chinese the rules allow a break behind nearly every
 * character.
 */
function joinDictionaryWords(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (let at = 0; at < pieces.length; ) {
    const end = findRunEnd(pieces, at);
    const run = pieces.slice(at, end);
    const language = findLanguage(run.map(({ text }) => text).join(''));
    joined.push(...(run.length < 2 || language === undefined ? run : joinWords(run, language)));
    at = end;
  }
  return joined;
}

/** Returns the pieces that follow one another without a space. */
function findRunEnd(pieces: readonly Piece[], from: number): number {
  let end = from + 1;
  while (end < pieces.length && pieces[end - 1]?.spaced === false) end += 1;
  return end;
}

function joinWords(run: readonly Piece[], language: string): readonly Piece[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  const text = run.map((piece) => piece.text).join('');
  const words = new Map([...segmenter.segment(text)].map(({ index, segment }) => [index, segment]));
  const joined: Piece[] = [];
  let position = 0;
  for (const piece of run) {
    const last = joined.at(-1);
    const word = words.get(position);
    const isParticle = word === undefined || PARTICLE.test(word);
    if (last !== undefined && isParticle && last.text.length < MAX_WORD_CHARACTERS)
      joined[joined.length - 1] = { text: last.text + piece.text, spaced: piece.spaced };
    else joined.push(piece);
    position += piece.text.length;
  }
  return joined;
}

/** A Japanese particle or ending, which no line begins with where that can be helped; not the prefixes of what follows. */
const PARTICLE = /^(?![おごこそあど])\p{Script=Hiragana}{1,2}$/u;

function findLanguage(text: string): string | undefined {
  return SEGMENTED.find(([, letters]) => letters.test(text))?.[0];
}

/** An address of the web or of mail: a hyphen in it would be read as a part of it. */
const ADDRESS = /\p{L}[./@:]+\p{L}/u;

/** Returns pieces with their long words cut where a hyphen may stand, and addresses without one. */
export function hyphenatePieces(
  pieces: readonly Piece[],
  hyphenate: (word: string) => readonly string[],
): readonly Piece[] {
  return pieces.flatMap((piece) => {
    const parts = hyphenate(piece.text);
    return parts.map((text, index) =>
      index === parts.length - 1 ? { ...piece, text } : { text, spaced: false, hyphenated: !ADDRESS.test(piece.text) },
    );
  });
}

/** Returns the pieces of a line as its text. */
export function joinPieces(pieces: readonly Piece[]): string {
  const text = pieces.map((piece, index) =>
    piece.spaced && index < pieces.length - 1 ? `${piece.text} ` : piece.text,
  );
  return pieces.at(-1)?.hyphenated === true ? `${text.join('')}-` : text.join('');
}
