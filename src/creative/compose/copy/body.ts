import { type Clause, tidySubject } from './brief/clauses.js';
import type { Statement } from './brief/model.js';
import { MONEY } from './brief/offer.js';
import { chooseFitting, shortenText } from './fitting.js';
import { isAllowed, type Material } from './material.js';
import { hasWords, possessive, upperFirst, withoutConjunction, withoutEnd, withoutStop } from './text.js';

/** Least characters of a shortened sentence that still says something. */
const MIN_BODY_CHARS = 12;

/** The lines of an ad above its body. */
type Above = { readonly headline: string; readonly eyebrow: string | undefined };

/** Returns what stands below a headline and does not say it again: what the brief wants in the ad first, then dates, codes and what else it says. */
export function writeBody(material: Material, { headline, eyebrow }: Above, maxChars: number): string {
  const { order, brief, offering, words } = material;
  const given = order.given?.body;
  const literal = given === undefined || given === headline ? brief.body : given;
  if (literal !== undefined && (literal === given || !isRepeated(literal, headline)))
    return shortenText(literal, maxChars);
  const stated = listLines(material, headline, maxChars);
  const brought = [offering?.description, order.brand.tagline].filter(
    (text) => text !== undefined && isAllowed(text, material),
  );
  // A voice has time for what a banner has no room for.
  const isSpoken = order.spokenMs !== undefined;
  const filling = isSpoken || stated.length === 0 ? brought.slice(0, isSpoken ? brought.length : 1) : [];
  const lines = [...stated, ...filling.map((text) => ({ whole: [text ?? ''], parts: [] }))];
  const isNews = (text: string): boolean => text !== '' && text !== eyebrow && !isRepeated(text, headline);
  const chosen = chooseLines(lines, { material, headline, maxChars, isNews });
  if (chosen.length > 0)
    return chosen.join(words.isSpaced || words.language === 'ko' || words.language === 'th' ? ' ' : '');
  const cut = chooseFitting(lines.flatMap(({ whole }) => whole).filter(isNews), maxChars);
  return cut.length >= Math.min(MIN_BODY_CHARS, maxChars) ? cut : '';
}

/** A statement as it stands, and what is left to say of it where that has no room. */
type Line = { readonly whole: readonly string[]; readonly parts: readonly string[] };

/** A date may go so far beyond the length that suits a banner. */
const DATE_CHARS = 20;

type Room = {
  readonly material: Material;
  readonly headline: string;
  readonly maxChars: number;
  readonly isNews: (text: string) => boolean;
};

/** Returns the sentences that there is room for, the first lines first; until when the offer holds is always among them. */
function chooseLines(lines: readonly Line[], { material, headline, maxChars, isNews }: Room): readonly string[] {
  const room = material.order.limits === undefined ? maxChars + DATE_CHARS : maxChars;
  const chosen: string[] = [];
  let length = 0;
  const take = (texts: readonly string[]): boolean => {
    const sentences = texts.filter(isNews).map((text) => finishSentence(text, material));
    const added = sentences.filter((sentence) => !chosen.some((one) => isRepeated(one, sentence)));
    const size = added.reduce((sum, { length: chars }) => sum + chars + 1, 0);
    const until = findMissingDeadline(material, [headline, ...chosen, ...added].join(' '));
    if (length + size - 1 > maxChars || (until !== undefined && length + size + until.length > room)) return false;
    chosen.push(...added);
    length += size;
    return true;
  };
  for (const { whole, parts } of lines) if (!take(whole)) for (const part of parts) take([part]);
  const until = findMissingDeadline(material, [headline, ...chosen].join(' '));
  if (chosen.length > 0 && until !== undefined && length + until.length <= room) chosen.push(until);
  return chosen;
}

/** Returns until when the offer holds, where the sentence that says it had no room. */
function findMissingDeadline(material: Material, text: string): string | undefined {
  const { deadline } = material.brief;
  if (deadline === undefined || hasWords(text, deadline) || !isAllowed(deadline, material)) return undefined;
  return finishSentence(deadline, material);
}

/** Returns what may be said, what must be said first. */
function listLines(material: Material, headline: string, maxChars: number): readonly Line[] {
  const { brief, words } = material;
  const { statements, offer, deadline, code } = brief;
  const isOffered = ({ isMust, clauses }: Statement): boolean =>
    !isMust && offer !== undefined && clauses.includes(offer);
  const musts = statements.filter(({ isMust }) => isMust);
  const others = statements.filter((statement) => !statement.isMust && !isOffered(statement));
  const linesOf = (some: readonly Statement[]): readonly Line[] =>
    some.map((statement) => readLine(statement, headline, material, maxChars));
  const must = linesOf(musts);
  const more = linesOf([...statements.filter(isOffered), ...others]);
  const all = [headline, ...[...must, ...more].flatMap(({ whole }) => whole)].join(' ');
  const when = deadline === undefined || hasWords(all, deadline) ? [] : [deadline];
  const how = code === undefined || hasWords(all, code) ? [] : [words.codeLine(code)];
  const added = [...when, ...how].map((text) => ({ whole: [text], parts: [] }));
  return [...must, ...added, ...more]
    .map(({ whole, parts }) => ({
      whole: whole.filter((text) => isAllowed(text, material)),
      parts: parts.filter((text) => isAllowed(text, material)),
    }))
    .filter(({ whole, parts }) => whole.length + parts.length > 0);
}

/** Returns a sentence as it stands where nothing of it is in the headline; else what is left of it. */
function readLine({ text, clauses }: Statement, headline: string, material: Material, maxChars: number): Line {
  const whole = withoutStop(text);
  const parts = joinFragments(clauses.flatMap((clause) => leftOver(clause, headline, material)));
  const isUsed = clauses.some((clause) => isInHeadline(clause, headline, material));
  const isWhole =
    !isUsed &&
    text !== '' &&
    text.length <= maxChars &&
    clauses.every((clause) => clause.text !== '' && !clause.isAside) &&
    isAllowed(text, material);
  return isWhole && !isRepeated(whole, headline) ? { whole: [text], parts } : { whole: parts, parts };
}

/** Things of a list, "linen, cleaning, pool", in one sentence: each alone says too little to be one. */
function joinFragments(texts: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let isShort = false;
  for (const text of texts) {
    const last = joined.at(-1);
    const isFragment = text.length <= MAX_FRAGMENT_CHARS && /^\p{Ll}/u.test(text);
    if (isFragment && isShort && last !== undefined) joined[joined.length - 1] = `${last}, ${text}`;
    else joined.push(text);
    isShort = isFragment;
  }
  return joined;
}

const MAX_FRAGMENT_CHARS = 18;

function isInHeadline({ text, offer, rest, isPrice }: Clause, headline: string, { order, reading }: Material): boolean {
  if (isPrice && hasWords(headline, text.slice(text.search(MONEY)))) return true;
  const isOffer = hasWords(headline, offer) && (rest === '' || hasWords(headline, rest) || !isBeyond(text, offer));
  const isPart = hasWords(text, headline) && !isBeyond(text, headline);
  const { subject, detail = '' } = tidySubject(text.replace(possessive(order.brand.name), ' '), reading);
  const at = offer === undefined ? -1 : text.indexOf(offer);
  const isTail = at >= 0 && at < MIN_BODY_CHARS && hasWords(headline, text.slice(at));
  const isNamed = offer === undefined && subject !== text && hasWords(headline, subject) && !/\p{N}/u.test(detail);
  return text === '' || hasWords(headline, text) || isOffer || isPart || isNamed || isTail;
}

/** Whether a clause says more than its offer: for whom, or on what condition. */
function isBeyond(text: string, offer = ''): boolean {
  return text.length - offer.length >= MIN_BODY_CHARS;
}

/** Returns what a clause says beyond the headline. */
function leftOver(clause: Clause, headline: string, material: Material): readonly string[] {
  if (clause.isAside) return [];
  const { deadline, code, text, whole } = clause;
  const addsToHeadline = !isInHeadline(clause, headline, material) && /\p{L}{3}|\p{Lo}{2}|\p{N}/u.test(text);
  if (addsToHeadline && isAllowed(whole, material)) return [behindHeadline(whole, headline) ?? whole];
  const rest = [
    addsToHeadline && isAllowed(text, material) ? text : undefined,
    deadline,
    code === undefined ? undefined : material.words.codeLine(code),
  ];
  return rest.filter((one) => one !== undefined && isAllowed(one, material)) as readonly string[];
}

/** Returns what a clause that begins with the headline says behind it; undefined for any other. */
function behindHeadline(text: string, headline: string): string | undefined {
  const at = text.toLowerCase().indexOf(headline.toLowerCase());
  const rest = at < 0 || at > MAX_ARTICLE_CHARS ? '' : text.slice(at + headline.length).trim();
  return rest.length >= MIN_BODY_CHARS && /^[\p{L}\p{N}\p{Sc}]/u.test(rest) ? rest : undefined;
}

const MAX_ARTICLE_CHARS = 6;

/** Whether one text says the other, whatever the signs at its end. */
export function isRepeated(text: string, other: string): boolean {
  const [one, two] = [text, other].map((each) => withoutEnd(withoutStop(each), /[.!?。！？।]/u));
  return hasWords(one ?? '', two) || hasWords(two ?? '', one);
}

/** The signs that end a sentence; a language without any has ''. */
const STOPS: Readonly<Record<string, string>> = { ja: '。', zh: '。', hi: '।', th: '' };

function finishSentence(sentence: string, { reading, words }: Material): string {
  const text = upperFirst(withoutConjunction(sentence.trim(), reading.language));
  const ending = STOPS[words.language] === '。' ? /[.!?…。！？*]$/u : /[.!?…。！？।؟*)]$/u;
  return ending.test(text) ? text : `${withoutStop(text)}${STOPS[words.language] ?? '.'}`;
}
