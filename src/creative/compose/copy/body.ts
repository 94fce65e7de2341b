import { type Clause, tidySubject } from './brief/clauses.js';
import type { Statement } from './brief/model.js';
import { MONEY } from './brief/offer.js';
import { chooseFitting, shortenText } from './fitting.js';
import { isAllowed, type Material } from './material.js';
import { hasWords, possessive, upperFirst, withoutConjunction, withoutEnd, withoutStop } from './text.js';

/** Least characters of a shortened sentence that still says something. */
const MIN_BODY_CHARS = 12;

/** What an ad says before its body. */
type Above = { readonly headline: string; readonly eyebrow: string | undefined };

/** Returns what stands below a headline and does not say it again: what the brief wants in the ad first, then dates, codes and what else it says. */
export function writeBody(material: Material, { headline, eyebrow }: Above, maxChars: number): string {
  const { order, brief, offering, words } = material;
  const given = order.given?.body;
  const literal = given === undefined || given === headline ? brief.body : given;
  if (literal !== undefined && (literal === given || !repeats(literal, headline)))
    return shortenText(literal, maxChars);
  const stated = listSentences(material, headline, maxChars);
  const brought = [offering?.description, order.brand.tagline].filter(
    (text) => text !== undefined && isAllowed(text, material),
  );
  // A voice has time for what a banner has no room for.
  const isSpoken = order.spokenMs !== undefined;
  const filling = isSpoken || stated.length === 0 ? brought.slice(0, isSpoken ? brought.length : 1) : [];
  const sentences = [...stated, ...filling].filter(
    (text) => text !== undefined && text !== eyebrow && !repeats(text, headline),
  );
  const chosen: string[] = [];
  let length = 0;
  for (const sentence of sentences) {
    const line = finish(sentence ?? '', material);
    if (length + line.length > maxChars || chosen.some((one) => repeats(one, line))) continue;
    chosen.push(line);
    length += line.length + 1;
  }
  const until = findMissingDeadline(material, [headline, ...chosen].join(' '));
  if (chosen.length > 0 && until !== undefined && length + until.length <= maxChars) chosen.push(until);
  if (chosen.length > 0)
    return chosen.join(words.isSpaced || words.language === 'ko' || words.language === 'th' ? ' ' : '');
  const cut = chooseFitting(sentences, maxChars);
  return cut.length >= Math.min(MIN_BODY_CHARS, maxChars) ? cut : '';
}

/** Returns until when the offer holds, where the sentence that says it had no room. */
function findMissingDeadline(material: Material, text: string): string | undefined {
  const { deadline } = material.brief;
  if (deadline === undefined || hasWords(text, deadline) || !isAllowed(deadline, material)) return undefined;
  return finish(deadline, material);
}

/** What may be said, what must be said first. */
function listSentences(material: Material, headline: string, maxChars: number): readonly string[] {
  const { brief, words } = material;
  const { statements, offer, deadline, code } = brief;
  const must = statements.filter(({ isMust }) => isMust);
  const offered = statements.filter(
    (statement) => !statement.isMust && offer !== undefined && statement.clauses.includes(offer),
  );
  const others = statements.filter((statement) => !must.includes(statement) && !offered.includes(statement));
  const lines = [...must, ...offered, ...others].flatMap((statement) =>
    sentencesOf(statement, headline, material, maxChars),
  );
  const all = lines.join(' ');
  const when = deadline === undefined || hasWords(all, deadline) || hasWords(headline, deadline) ? [] : [deadline];
  const how = code === undefined || hasWords(all, code) || hasWords(headline, code) ? [] : [words.codeLine(code)];
  return [...lines.slice(0, must.length), ...when, ...how, ...lines.slice(must.length)].filter((text) =>
    isAllowed(text, material),
  );
}

/** A sentence as it stands where nothing of it is in the headline; else what is left of it. */
function sentencesOf(
  { text, clauses }: Statement,
  headline: string,
  material: Material,
  maxChars: number,
): readonly string[] {
  const whole = withoutStop(text);
  const isUsed = clauses.some((clause) => isInHeadline(clause, headline, material));
  const isWhole =
    !isUsed &&
    text !== '' &&
    text.length <= maxChars &&
    clauses.every((clause) => clause.text !== '' && !clause.isAside) &&
    isAllowed(text, material);
  if (isWhole && !repeats(whole, headline)) return [text];
  return joinFragments(clauses.flatMap((clause) => leftOver(clause, headline, material)));
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

/** What a clause says beyond the headline. */
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

/** What a clause that begins with the headline says behind it; undefined for any other. */
function behindHeadline(text: string, headline: string): string | undefined {
  const at = text.toLowerCase().indexOf(headline.toLowerCase());
  const rest = at < 0 || at > MAX_ARTICLE_CHARS ? '' : text.slice(at + headline.length).trim();
  return rest.length >= MIN_BODY_CHARS && /^[\p{L}\p{N}\p{Sc}]/u.test(rest) ? rest : undefined;
}

const MAX_ARTICLE_CHARS = 6;

/** Whether one text says the other, whatever the signs at its end. */
export function repeats(text: string, other: string): boolean {
  const [one, two] = [text, other].map((each) => withoutEnd(withoutStop(each), /[.!?。！？।]/u));
  return hasWords(one ?? '', two) || hasWords(two ?? '', one);
}

/** The signs that end a sentence; a language without any has ''. */
const STOPS: Readonly<Record<string, string>> = { ja: '。', zh: '。', hi: '।', th: '' };

function finish(sentence: string, { reading, words }: Material): string {
  const text = upperFirst(withoutConjunction(sentence.trim(), reading.language));
  const isEnded = STOPS[words.language] === '。' ? /[.!?…。！？*]$/u : /[.!?…。！？।؟*)]$/u;
  return isEnded.test(text) ? text : `${withoutStop(text)}${STOPS[words.language] ?? '.'}`;
}
