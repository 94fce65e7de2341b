import {
  BANNER_LIMITS,
  type Copy,
  type CopyOrder,
  type CopyWriter,
  firstThatFits,
  offeringOf,
  shortenText,
} from './copy.js';
import { ACTION_SIGNS, languageOf, WORDING, type Wording } from './wording.js';

/** The writer that needs nothing and nobody: rules over the message, the brand and its offerings. Same order, same words. */
export const builtInWriter: CopyWriter = { write: async (order) => writeCopy(order) };

const LONGEST_MESSAGE = 4000;
/** A message of so few words that orders no ad is a headline itself. */
const HEADLINE_WORDS = 9;
const OFFER_WORDS = 5;
const DETAIL_WORDS = 4;

/** What {@link builtInWriter} writes. */
export function writeCopy(order: CopyOrder): Copy {
  const { brand, given = {}, limits = BANNER_LIMITS } = order;
  const message = plainText(order.message ?? '');
  const offering = offeringOf(message, brand.offerings);
  const language = languageOf([message, offering?.description, brand.tagline].join(' '));
  const words = WORDING[language];
  const said = readQuoted(message);
  const about = readMessage(said.rest, words, brand.name);
  const subject =
    about.subject === '' || names(about.subject, offering?.name) ? (offering?.name ?? about.subject) : about.subject;
  const offered = offerLine(about.offer, subject, words);
  const lone =
    about.subject === '' && about.event !== undefined && offering === undefined
      ? joined(about.event, about.offer)
      : undefined;
  const headline = firstThatFits(
    [
      given.headline,
      said.headline,
      about.slogan,
      lone,
      offered,
      subject,
      about.event,
      offering?.name,
      brand.tagline,
      brand.name,
    ].map(upperFirst),
    limits.headline,
  );
  const eyebrow = [about.event, about.isNew ? words.newWord : undefined].find(
    (text) => text !== undefined && !headline.toLowerCase().includes(text.toLowerCase()),
  );
  const body = firstThatFits(bodies(order, about, offering?.description, headline), limits.body);
  const action = ACTION_SIGNS.find(([sign]) =>
    sign.test(`${message} ${offering?.name ?? ''} ${offering?.description ?? ''} ${brand.industry ?? ''}`),
  )?.[1];
  const callToAction = firstThatFits(
    [
      given.callToAction,
      said.callToAction,
      said.rest
        .split(SENTENCES)
        .map((sentence) => asksFor(sentence, words))
        .find((text) => text !== undefined),
      words.actions[action ?? 'learn'],
      words.actions.learn,
      words.actions.join,
      'OK',
    ],
    limits.callToAction,
  );
  return {
    headline: headline === '' ? [...brand.name].slice(0, limits.headline).join('') : headline,
    callToAction: callToAction === '' ? '→' : callToAction,
    language,
    ...(body === '' ? {} : { body }),
    ...(eyebrow === undefined ? {} : { eyebrow: upperFirst(eyebrow) }),
    ...(about.offer === undefined ? {} : { offer: about.offer }),
  };
}

const SENTENCES = /(?<=[.!?])\s+|\n+/u;

/** Text without markup, control characters and direction overrides, in one line. */
export function plainText(text: string): string {
  return text
    .slice(0, LONGEST_MESSAGE)
    .normalize('NFC')
    .replace(/<(script|style)\b[^>]*>.*?(<\/\1\s*>|$)/gisu, ' ')
    .replace(/<\/?[a-z!][^>]*>/giu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, (found) => (/\u200d/.test(found) ? found : ' '))
    .replace(/\s+/gu, ' ')
    .trim();
}

type Quoted = { readonly rest: string; readonly headline?: string; readonly callToAction?: string };

const QUOTED = /[“„"«]\s*([^“”„"«»]{2,120}?)\s*[”“"»]/gu;
const ACTION_LABEL = /(call[- ]to[- ]action|\bcta\b|button|knopf|schaltfläche|bouton|botón|pulsante)[^.!?]{0,30}$/iu;
const LABELLED = /(?<=^|[.!?]\s*)(headline|title|cta|call to action)\s*:\s*([^.!?\n]{2,120})[.!?]?/giu;

/** Words that the message wants to see literally: in quotation marks, or behind "Headline:" and "CTA:". */
function readQuoted(message: string): Quoted {
  const found: { headline?: string; callToAction?: string } = {};
  const take = (isAction: boolean, text: string): void => {
    const key = isAction ? 'callToAction' : 'headline';
    found[key] ??= text.trim();
  };
  for (const match of message.matchAll(LABELLED))
    take(/^c/iu.test(match[1] ?? ''), (match[2] ?? '').replace(/[“”„"«»]/gu, ''));
  for (const match of message.matchAll(QUOTED)) take(ACTION_LABEL.test(message.slice(0, match.index)), match[1] ?? '');
  return { rest: message.replace(LABELLED, ' ').replace(QUOTED, ' ').trim(), ...found };
}

/** "A 30 second spot about …": an order without a verb. */
const NOUN_ORDER =
  /^(?:an?\s+)?[^.!?]{0,40}\b(?:ads?|banners?|spots?|creatives?)\s+(?:for|about|promoting|announcing)\s+/iu;

type About = {
  readonly subject: string;
  readonly offer?: string;
  readonly event?: string;
  readonly deadline?: string;
  /** What the sentence says further of its subject. */
  readonly detail?: string;
  /** The message itself, when it is an advertising line already. */
  readonly slogan?: string;
  /** Further sentences that are for the ad. */
  readonly more: readonly string[];
  readonly isNew: boolean;
};

function readMessage(message: string, words: Wording, brandName: string): About {
  const sentences = message.split(SENTENCES).filter((sentence) => sentence.trim() !== '');
  const telling = sentences.filter((sentence) => asksFor(sentence, words) === undefined);
  const [first = '', ...others] = telling.length === 0 ? sentences : telling;
  const stripped = first.replace(words.instruction, '').replace(NOUN_ORDER, '').replace(words.promote, '');
  const ordered = stripped !== first;
  const more = others.filter((sentence) => !words.directive.test(sentence) && !words.instruction.test(sentence));
  if (!ordered && words.directive.test(first)) return { ...readSubject('', words, brandName), more, isNew: false };
  const about = readSubject(stripped, words, brandName);
  const length = first.split(' ').length;
  const isSlogan = !ordered && length <= (about.offer === undefined ? HEADLINE_WORDS : OFFER_WORDS);
  return { ...about, more, ...(isSlogan ? { slogan: withoutStop(first) } : {}) };
}

/** Takes event, offer and deadline out of a sentence; what is left is what it is about. */
function readSubject(sentence: string, words: Wording, brandName: string): Omit<About, 'more' | 'slogan'> {
  const deadline = words.deadline.exec(sentence)?.[0];
  const named = words.event.exec(sentence)?.[0];
  const offer = readOffer(sentence, words);
  let rest = sentence.replace(possessive(brandName), ' ');
  for (const part of [deadline, named]) if (part !== undefined) rest = rest.replace(part, ' | ');
  if (offer !== undefined) rest = rest.replace(offer.source, ' | ');
  const label = LABEL.exec(rest)?.[1];
  if (label !== undefined) rest = rest.slice(label.length);
  const event = named ?? label?.trim();
  const pieces = rest.split(/[|,;:–—()]|\s-\s/u).map(withoutStop);
  const parts = pieces.map((piece) => tidy(piece, words));
  const at = parts.findIndex((part) => /\p{L}{2}/u.test(part));
  const chosen = parts[at] ?? '';
  const detail = at < 0 ? undefined : pieces.slice(at + 1).find((piece) => piece.split(' ').length >= DETAIL_WORDS);
  const isNew = words.newness.test(chosen);
  // A single word says more with its "new" in front.
  const bareSubject = withoutStop(chosen.replace(words.newness, '').replace(AUDIENCE, ''));
  const subject =
    isNew && !bareSubject.includes(' ')
      ? chosen.replace(AUDIENCE, '').replace(/(?:line|range) of /iu, '')
      : bareSubject;
  return {
    subject: shortenText(subject, 48),
    isNew,
    ...(offer === undefined ? {} : { offer: offer.text }),
    ...(event === undefined ? {} : { event }),
    ...(detail === undefined ? {} : { detail }),
    ...(deadline === undefined ? {} : { deadline }),
  };
}

function tidy(part: string, words: Wording): string {
  let text = withoutStop(part);
  for (let round = 0; round < 3; round += 1) {
    text = withoutStop(`${text} `.replace(words.joints, '').replace(words.determiner, ''));
    text = withoutStop(text.replace(words.joints, ''));
  }
  return text.split(DETAIL)[0] ?? text;
}

/** What stands before the colon of an offer that has a subject of its own. */
const LABEL = /^\s*([^|:,.;]{2,30}):\s*\|\s+(?=\p{L})/u;

/** Whom the ad is for; not what it says. */
const AUDIENCE = /\s+(?:to|aimed at|targeting|targeted at)\s+.*$/iu;
/** What follows these words explains the subject. */
const DETAIL = /\s+(?:with|featuring|that|which|because|so that|mit|die|qui|que|avec|che)\s+/iu;
/** A short sentence of this form says what the button says. */
const REQUEST =
  /^(?:pre-?order|order|book|shop|buy|apply|subscribe|register|sign up|join|download|call|reserve|donate|enrol?l)(?: (?:it|yours|us))?(?: (?:now|today|here|online))[.!]*$/iu;

/** The words of a button, where a sentence is nothing but those. */
function asksFor(sentence: string, { actions }: Wording): string | undefined {
  const text = withoutStop(sentence);
  const known = Object.values(actions).find((action) => action.toLowerCase() === text.toLowerCase());
  return known ?? (REQUEST.test(sentence) ? upperFirst(text) : undefined);
}

/** A subject that begins like this is a sentence of its own. */
const IMPERATIVE =
  /^(?:book|get|shop|buy|discover|try|save|start|join|find|meet|explore|enjoy|visit|learn|upgrade|switch|order|plan|make|take|give|see|go|feel|win|grab|treat)\s/iu;

const PERCENT =
  /(\d{1,2}|100)\s?(?:%|percent\b|prozent\b|pour ?cent\b|por ciento\b|per cento\b)(?:\s*(?:off|discount|rabatt|nachlass|de (?:remise|réduction|descuento)|di sconto|günstiger|reduziert))?/iu;
const AMOUNT =
  /(?:[$€£]\s?\d[\d.,]*\d|[$€£]\s?\d|\d[\d.,]*\s?(?:€|£|EUR|USD|Euro|dollars)(?![\p{L}]))(?:\s*(?:off|discount|rabatt|nachlass|de (?:remise|réduction|descuento)|di sconto))?/iu;

type Offer = { readonly text: string; readonly source: string };

/** A percentage or an amount counts as an offer only where the sentence speaks of a discount: "20% recycled" is none. */
function readOffer(sentence: string, words: Wording): Offer | undefined {
  if (!words.discount.test(sentence)) return undefined;
  const percent = PERCENT.exec(sentence);
  const amount = percent === null ? AMOUNT.exec(sentence) : null;
  const match = percent ?? amount;
  if (match === null) return undefined;
  const upTo = words.upTo.exec(sentence.slice(0, match.index))?.[0] ?? '';
  const value =
    percent?.[1] ?? match[0].replace(/\s*(?:off|discount|rabatt|nachlass|de \p{L}+|di sconto)$/iu, '').trim();
  const text = percent === null ? words.amountOff(value, upTo !== '') : words.percentOff(value, upTo !== '');
  return { text, source: upTo + match[0] };
}

/** What may stand below the headline, the best first. */
function bodies(
  order: CopyOrder,
  about: About,
  description: string | undefined,
  headline: string,
): readonly (string | undefined)[] {
  const deadline = about.deadline === undefined ? undefined : `${upperFirst(about.deadline)}.`;
  const spoken = about.more.join(' ');
  const detail = about.detail === undefined ? undefined : withStop(upperFirst(about.detail));
  const text = [spoken === '' ? undefined : spoken, detail, description, order.brand.tagline].find(
    (one) => one !== undefined && !names(headline, withoutStop(one)),
  );
  const both = text !== undefined && deadline !== undefined ? `${withStop(text)} ${deadline}` : undefined;
  return [order.given?.body, both, text, deadline].filter(
    (one) => one === undefined || one.toLowerCase() !== headline.toLowerCase(),
  );
}

function joined(event: string, offer: string | undefined): string {
  return offer === undefined ? event : `${upperFirst(event)}: ${offer.charAt(0).toLowerCase()}${offer.slice(1)}`;
}

function possessive(brandName: string): RegExp {
  return new RegExp(`(?<!\\p{L})${brandName.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:['’]s?)?(?!\\p{L})`, 'giu');
}

function names(text: string, other: string | undefined): boolean {
  return other !== undefined && other !== '' && text.toLowerCase().includes(other.toLowerCase());
}

function offerLine(offer: string | undefined, subject: string, words: Wording): string | undefined {
  if (offer === undefined || IMPERATIVE.test(subject)) return undefined;
  return subject === '' ? offer : words.on(offer, subject);
}

function upperFirst<T extends string | undefined>(text: T): T | string {
  return text === undefined || text === '' ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function withoutStop(text: string): string {
  return text
    .trim()
    .replace(/[\s.,;:]+$/u, '')
    .replace(/^[\s.,;:–—-]+/u, '');
}

function withStop(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}
