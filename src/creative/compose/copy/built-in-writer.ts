import { writeBody } from './body.js';
import type { Clause } from './brief/clauses.js';
import { MONEY } from './brief/offer.js';
import { type Copy, type CopyOrder, type CopyWriter, limitsOf } from './copy.js';
import { chooseFitting, shortenText } from './fitting.js';
import type { LanguageTable } from './language/table.js';
import { isAllowed, type Material, readOrder } from './material.js';
import { listRemarks } from './remarks.js';
import { hasWords, plainText, upperFirst, withoutConjunction, withoutStop } from './text.js';

/** The writer that needs nothing and nobody: rules over the message, the brand and its offerings. Same order, same words. */
export const builtInWriter: CopyWriter = { write: async (order) => writeCopy(order) };

/** Writes the words of an ad by rules, as {@link builtInWriter} does. */
export function writeCopy(order: CopyOrder): Copy {
  const material = readOrder(order);
  const { words, brief } = material;
  const limits = limitsOf(order, brief.language);
  const headline =
    chooseFitting(listHeadlines(material).map(upperFirst), limits.headline) ||
    [...order.brand.name].slice(0, limits.headline).join('');
  const eyebrow = [brief.event, nameProduct(material, headline), brief.isNew ? words.newWord : undefined].find(
    (text) => text !== undefined && isAllowed(text, material) && !hasWords(headline, text),
  );
  const body = writeBody(material, { headline, eyebrow }, limits.body);
  const above = hasWords(body, eyebrow) ? undefined : eyebrow;
  const callToAction = chooseFitting(callsToAction(material), buttonLimit(material, limits.callToAction));
  const copy: Copy = {
    headline,
    callToAction: callToAction === '' ? '→' : callToAction,
    language: brief.language,
    body: body === '' ? undefined : body,
    eyebrow: upperFirst(above),
    offer: brief.offer?.isDiscount === true ? brief.offer.offer : undefined,
    legal: brief.legal,
    leftOut: brief.forbidden.topics.length === 0 ? undefined : brief.forbidden.topics,
  };
  const remarks = listRemarks(copy, material);
  return remarks.length === 0 ? copy : { ...copy, remarks };
}

/** Returns the product where it is not in the headline, if it is short enough to stand above it. */
function nameProduct({ brief: { product = '' }, reading }: Material, headline: string): string | undefined {
  return product === '' || product.length > MAX_EYEBROW_CHARS || shareWord(headline, product, reading)
    ? undefined
    : product;
}

const MAX_EYEBROW_CHARS = 40;

/** Returns what may be the headline, the best first. */
function listHeadlines(material: Material): readonly (string | undefined)[] {
  const { order, offering, brief } = material;
  const { brand, given = {} } = order;
  const { product = '', offer, event } = brief;
  const subject = product === '' || hasWords(product, offering?.name) ? (offering?.name ?? product) : product;
  const offered = offer?.offer === undefined ? undefined : shortenText(offer.offer, MAX_OFFER_CHARS);
  const isBrand =
    subject.toLowerCase() === brand.name.toLowerCase() || (offer?.isPrice === true && hasWords(subject, brand.name));
  const isEventAlone = subject === '' && event !== undefined;
  const written = [
    brief.slogan,
    isEventAlone ? joinEvent(event, offer, material) : undefined,
    ...joinWhole(material, subject),
    ...(isBrand ? [offered, subject] : [subject, offered]),
    event,
    offering?.name,
    brand.tagline,
  ];
  const allowed = written.filter((text) => text !== undefined && text !== '' && isAllowed(text, material));
  return [given.headline, brief.headline, ...allowed, brand.name];
}

const MAX_OFFER_CHARS = 60;

/**
 * Returns the most characters of a button: words that a brief gives it stay whole, unless the format has no room for
 * them.
 */
function buttonLimit({ order, brief, words }: Material, most: number): number {
  const given = brief.callToAction?.length ?? 0;
  const isShort = given <= (words.isSpaced ? MAX_BUTTON_CHARS : MAX_WIDE_BUTTON_CHARS);
  return order.limits === undefined && isShort ? Math.max(most, given) : most;
}

const MAX_BUTTON_CHARS = 32;
const MAX_WIDE_BUTTON_CHARS = 20;

/** Returns what the button may say, the best first. */
function callsToAction({ order, offering, words, reading, brief }: Material): readonly (string | undefined)[] {
  const briefText = [brief.product, ...brief.statements.map(({ text }) => text)].join(' ');
  const subjectText = [offering?.name, offering?.description, order.brand.industry].join(' ');
  const find = (text: string): (typeof reading.signs)[number][1] | undefined =>
    reading.signs.find(([sign]) => sign.test(text))?.[1];
  const action =
    brief.action ?? find(briefText) ?? find(plainText(order.message ?? '')) ?? find(subjectText) ?? 'learn';
  return [order.given?.callToAction, brief.callToAction, ...words.actions[action], ...words.actions.learn, 'OK'];
}

function joinEvent(event: string, offer: Clause | undefined, material: Material): string {
  const text = offer?.offer;
  return text === undefined ? event : `${upperFirst(event)}: ${continueLine(text, material)}`;
}

/**
 * Returns the offer with what it is for, the whole offer first; where that would be cut short in the headline, a discount in its shortest
 * form, as the clause stands whole below it.
 */
function joinWhole(material: Material, subject: string): readonly string[] {
  const { order, brief } = material;
  const { headline: most } = limitsOf(order, brief.language);
  const short = brief.offer?.isDiscount === true ? brief.offer.offer : undefined;
  const shortest = short === undefined || IMPERATIVE.test(subject) ? undefined : joinSubject(short, subject, material);
  return [joinOffer(material, subject), joinPrice(material, subject), shortest].filter(
    (text): text is string => text !== undefined && text !== '' && text.length <= most,
  );
}

/**
 * Returns an offer behind a colon. Where it begins with a word in capital letters, as German nouns do, or with the brand's name, that
 * stays.
 */
function continueLine(text: string, { brief, order, reading }: Material): string {
  const line = withoutConjunction(text, reading.language);
  const [first = ''] = line.split(' ');
  const isName = /^.[\p{Lu}$]/u.test(line) || hasWords(order.brand.name, first);
  return reading.hasCapitalNouns === true || isName
    ? line
    : `${line.charAt(0).toLocaleLowerCase(brief.readIn)}${line.slice(1)}`;
}

/** A subject that begins like this is a sentence of its own. */
const IMPERATIVE =
  /^(?:book|get|shop|buy|discover|try|save|start|join|find|meet|explore|enjoy|visit|learn|upgrade|switch|order|plan|make|take|give|see|go|feel|win|grab|treat)\s/iu;
const NUMBER = /\p{N}/u;
/** What begins like this says when an offer holds, and not what it is for. */
const CONDITION =
  /^(?:when|if|by|reservando|comprando|contratando|al|en (?:réservant|achetant|commandant)|dès|prenotando|acquistando|bei|beim|ao|przy|при)(?!\p{L})/iu;

/** Returns the offer with what it is for: as the brief has it where it says both at once, else joined as the language does. */
function joinOffer(material: Material, subject: string): string | undefined {
  const { offer } = material.brief;
  const text = offer?.offer;
  if (offer === undefined || text === undefined || IMPERATIVE.test(subject)) return undefined;
  if (IMPERATIVE.test(text)) return text;
  if (offer.isDiscount && offer.rest !== '' && !CONDITION.test(offer.rest)) {
    const whole = readWhole(offer, text, material.reading) ?? material.reading.on(text, offer.rest);
    return subject === '' || shareWord(whole, subject, material.reading)
      ? whole
      : joinByColon(subject, whole, material);
  }
  return joinSubject(text, subject, material);
}

/**
 * Joins the price of an offer that is a sentence, and what is behind it, to the subject: of "Switch to a heat pump for
 * £500 a month".
 */
function joinPrice(material: Material, subject: string): string | undefined {
  const { offer: { isPrice = false, text = '' } = {} } = material.brief;
  const at = isPrice && IMPERATIVE.test(text) && hasWords(text, subject) ? text.search(MONEY) : -1;
  return at < 0 || subject === '' ? undefined : joinByColon(subject, text.slice(at), material);
}

/** Returns an offer and a subject that it does not name. */
function joinSubject(text: string, subject: string, material: Material): string {
  const { brief, reading } = material;
  if (subject === '' || hasWords(text, subject)) return text;
  const isPlain = brief.offer?.isDiscount === true && NUMBER.test(text);
  return isPlain && reading.isJoinedByWord === true ? reading.on(text, subject) : joinByColon(subject, text, material);
}

function joinByColon(subject: string, text: string, material: Material): string {
  const { reading } = material;
  const behind = continueLine(text, material);
  return reading.isJoinedByWord === true ? `${subject}: ${behind}` : reading.on(behind, subject);
}

/** Whether a text has one of the words of a subject; of writings without spaces, all of it. */
function shareWord(text: string, subject: string, { common }: LanguageTable): boolean {
  const words = subject.replace(common, ' ').match(WORDS_THAT_TELL) ?? [];
  return hasWords(text, subject) || words.some((word) => hasWords(text, word));
}

const WORDS_THAT_TELL =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{M}]{4,}/gu;

/** Returns the offer and what the clause says behind it, or the whole clause where its subject stands in front. */
function readWhole(clause: Clause, offer: string, { hasVerbsLast }: LanguageTable): string | undefined {
  const at = clause.text.toLowerCase().indexOf(offer.toLowerCase());
  if (at < 0) return undefined;
  const behind = withoutStop(clause.text.slice(at + offer.length));
  return hasVerbsLast !== true && /\p{L}{2}/u.test(behind) ? clause.text.slice(at) : clause.text;
}
