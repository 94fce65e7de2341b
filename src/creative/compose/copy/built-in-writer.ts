import { writeBody } from './body.js';
import type { Clause } from './brief/clauses.js';
import { bannerLimits, type Copy, type CopyOrder, type CopyWriter } from './copy.js';
import { chooseFitting, shortenText } from './fitting.js';
import { isAllowed, type Material, readOrder } from './material.js';
import { listRemarks } from './remarks.js';
import { hasWords, plainText, upperFirst, withoutStop } from './text.js';

/** The writer that needs nothing and nobody: rules over the message, the brand and its offerings. Same order, same words. */
export const builtInWriter: CopyWriter = { write: async (order) => writeCopy(order) };

/** Writes the words of an ad by rules, as {@link builtInWriter} does. */
export function writeCopy(order: CopyOrder): Copy {
  const material = readOrder(order);
  const { words, brief } = material;
  const limits = order.limits ?? bannerLimits(brief.language);
  const headline =
    chooseFitting(headlines(material).map(upperFirst), limits.headline) ||
    [...order.brand.name].slice(0, limits.headline).join('');
  const eyebrow = [brief.event, brief.isNew ? words.newWord : undefined].find(
    (text) => text !== undefined && isAllowed(text, material) && !hasWords(headline, text),
  );
  const body = writeBody(material, { headline, eyebrow }, limits.body);
  const callToAction = chooseFitting(callsToAction(material), limits.callToAction);
  const copy: Copy = {
    headline,
    callToAction: callToAction === '' ? '→' : callToAction,
    language: brief.language,
    body: body === '' ? undefined : body,
    eyebrow: upperFirst(eyebrow),
    offer: brief.offer?.isDiscount === true ? brief.offer.offer : undefined,
    legal: brief.legal,
    leftOut: brief.forbidden.topics.length === 0 ? undefined : brief.forbidden.topics,
  };
  const remarks = listRemarks(copy, material);
  return remarks.length === 0 ? copy : { ...copy, remarks };
}

/** What may be the headline, the best first. */
function headlines(material: Material): readonly (string | undefined)[] {
  const { order, offering, brief } = material;
  const { brand, given = {} } = order;
  const { product = '', offer, event } = brief;
  const subject = product === '' || hasWords(product, offering?.name) ? (offering?.name ?? product) : product;
  const isEventAlone = subject === '' && event !== undefined;
  const written = [
    brief.slogan,
    isEventAlone ? joinEvent(event, offer, brief.readIn) : undefined,
    joinWhole(material, subject),
    subject,
    offer?.offer === undefined ? undefined : shortenText(offer.offer, MAX_OFFER_CHARS),
    event,
    offering?.name,
    brand.tagline,
  ];
  const allowed = written.filter((text) => text !== undefined && text !== '' && isAllowed(text, material));
  return [given.headline, brief.headline, ...allowed, brand.name];
}

const MAX_OFFER_CHARS = 60;

/** What the button may say, the best first. */
function callsToAction({ order, offering, words, reading, brief }: Material): readonly (string | undefined)[] {
  const told = [brief.product, ...brief.statements.map(({ text }) => text)].join(' ');
  const known = [offering?.name, offering?.description, order.brand.industry].join(' ');
  const find = (text: string): (typeof reading.signs)[number][1] | undefined =>
    reading.signs.find(([sign]) => sign.test(text))?.[1];
  const action = brief.action ?? find(told) ?? find(plainText(order.message ?? '')) ?? find(known) ?? 'learn';
  return [order.given?.callToAction, brief.callToAction, ...words.actions[action], ...words.actions.learn, 'OK'];
}

function joinEvent(event: string, offer: Clause | undefined, language: string): string {
  const text = offer?.offer;
  return text === undefined ? event : `${upperFirst(event)}: ${continueLine(text, language)}`;
}

/** The offer with what it is for; undefined where it would be cut short in the headline and stands whole below it. */
function joinWhole(material: Material, subject: string): string | undefined {
  const { order, brief } = material;
  const joined = joinOffer(material, subject);
  const { headline: most } = order.limits ?? bannerLimits(brief.language);
  const isCut = joined !== undefined && joined.length > most;
  return isCut && subject !== '' && brief.offer?.isDiscount === false ? undefined : joined;
}

/** An offer behind a colon; where it begins with a word in capital letters, as German nouns do, that stays. */
function continueLine(text: string, language: string): string {
  return language === 'de' ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** A subject that begins like this is a sentence of its own. */
const IMPERATIVE =
  /^(?:book|get|shop|buy|discover|try|save|start|join|find|meet|explore|enjoy|visit|learn|upgrade|switch|order|plan|make|take|give|see|go|feel|win|grab|treat)\s/iu;
const NUMBER = /\p{N}/u;
/** What begins like this says when an offer holds, and not what it is for. */
const CONDITION =
  /^(?:when|if|by|reservando|comprando|contratando|al|en (?:réservant|achetant|commandant)|dès|prenotando|acquistando|bei|beim|ao|przy|при)(?!\p{L})/iu;

/** The offer with what it is for: as the brief has it where it says both at once, else joined as the language does. */
function joinOffer({ brief: { offer, readIn }, reading }: Material, subject: string): string | undefined {
  const text = offer?.offer;
  if (offer === undefined || text === undefined || IMPERATIVE.test(subject)) return undefined;
  if (offer.isDiscount && offer.rest !== '' && !CONDITION.test(offer.rest))
    return readWhole(offer, text) ?? reading.on(text, offer.rest);
  if (subject === '' || hasWords(text, subject)) return text;
  const isPlain = offer.isDiscount && NUMBER.test(text);
  if (isPlain || !COLON_JOINED.has(readIn)) return reading.on(text, subject);
  return `${subject}: ${continueLine(text, readIn)}`;
}

/** Languages whose discounts are joined by a word, and other offers by a colon. */
const COLON_JOINED: ReadonlySet<string> = new Set(['en', 'de', 'nl']);

/** The offer and what the clause says behind it, or the whole clause where its subject stands in front. */
function readWhole(clause: Clause, offer: string): string | undefined {
  const at = clause.text.toLowerCase().indexOf(offer.toLowerCase());
  if (at < 0) return undefined;
  const behind = withoutStop(clause.text.slice(at + offer.length));
  return /\p{L}{2}/u.test(behind) ? clause.text.slice(at) : clause.text;
}
