import { shortenText } from './copy.js';
import { upperFirst, withoutStop } from './text.js';
import type { Wording } from './wording.js';

/** A message of so few words that orders no ad is a headline itself. */
const MAX_HEADLINE_WORDS = 9;
const MAX_OFFER_WORDS = 5;
const MIN_DETAIL_WORDS = 4;

/** A message read as an order for an ad. */
export type Brief = {
  readonly quoted: Quoted;
  readonly about: About;
  /** The words for the button, where a sentence is nothing but those. */
  readonly buttonWords: string | undefined;
};

/** Reads a message in one line (see `plainText`) with the words of its language. */
export function readBrief(message: string, words: Wording, brandName: string): Brief {
  const quoted = readQuoted(message);
  const about = readSentences(quoted.rest, words, brandName);
  const requested = quoted.rest
    .split(SENTENCES)
    .map((sentence) => buttonWords(sentence, words))
    .find((text) => text !== undefined);
  return { quoted, about, buttonWords: requested };
}

const SENTENCES = /(?<=[.!?])\s+|\n+/u;

/** The words that a message wants to see literally, and the message without them. */
type Quoted = { readonly rest: string; readonly headline?: string; readonly callToAction?: string };

const QUOTED = /[“„"«]\s*([^“”„"«»]{2,120}?)\s*[”“"»]/gu;
const ACTION_LABEL = /(call[- ]to[- ]action|\bcta\b|button|knopf|schaltfläche|bouton|botón|pulsante)[^.!?]{0,30}$/iu;
const LABELLED = /(?<=^|[.!?]\s*)(headline|title|cta|call to action)\s*:\s*([^.!?\n]{2,120})[.!?]?/giu;

/** Reads what the message wants to see literally: in quotation marks, or behind "Headline:" and "CTA:". */
function readQuoted(message: string): Quoted {
  const texts: { headline?: string; callToAction?: string } = {};
  const take = (isAction: boolean, text: string): void => {
    const key = isAction ? 'callToAction' : 'headline';
    texts[key] ??= text.trim();
  };
  for (const match of message.matchAll(LABELLED))
    take(/^c/iu.test(match[1] ?? ''), (match[2] ?? '').replace(/[“”„"«»]/gu, ''));
  for (const match of message.matchAll(QUOTED)) take(ACTION_LABEL.test(message.slice(0, match.index)), match[1] ?? '');
  return { rest: message.replace(LABELLED, ' ').replace(QUOTED, ' ').trim(), ...texts };
}

/** "A 30 second spot about …": an order without a verb. */
const NOUN_ORDER =
  /^(?:an?\s+)?[^.!?]{0,40}\b(?:ads?|banners?|spots?|creatives?)\s+(?:for|about|promoting|announcing)\s+/iu;

/** A sentence of the message taken apart. */
export type About = {
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

/** Reads which sentence of a message says what the ad is about, and takes that sentence apart. */
function readSentences(message: string, words: Wording, brandName: string): About {
  const sentences = message.split(SENTENCES).filter((sentence) => sentence.trim() !== '');
  const statements = sentences.filter((sentence) => buttonWords(sentence, words) === undefined);
  const [first = '', ...others] = statements.length === 0 ? sentences : statements;
  const stripped = first.replace(words.instruction, '').replace(NOUN_ORDER, '').replace(words.promote, '');
  const isOrder = stripped !== first;
  const more = others.filter((sentence) => !words.directive.test(sentence) && !words.instruction.test(sentence));
  if (!isOrder && words.directive.test(first)) return { ...readSubject('', words, brandName), more, isNew: false };
  const about = readSubject(stripped, words, brandName);
  const length = first.split(' ').length;
  const isSlogan = !isOrder && length <= (about.offer === undefined ? MAX_HEADLINE_WORDS : MAX_OFFER_WORDS);
  return { ...about, more, slogan: isSlogan ? withoutStop(first) : undefined };
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
  const detail = at < 0 ? undefined : pieces.slice(at + 1).find((piece) => piece.split(' ').length >= MIN_DETAIL_WORDS);
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
    offer: offer?.text,
    event,
    detail,
    deadline,
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
function buttonWords(sentence: string, { actions }: Wording): string | undefined {
  const text = withoutStop(sentence);
  const action = Object.values(actions).find((words) => words.toLowerCase() === text.toLowerCase());
  return action ?? (REQUEST.test(sentence) ? upperFirst(text) : undefined);
}

const PERCENT =
  /(?<![\d.,])(?<value>\d{1,2}(?:[.,]\d)?|100)\s?(?:%|percent\b|prozent\b|pour ?cent\b|por ciento\b|per cento\b)(?<off>\s*(?:off|discount|rabatt|nachlass|de (?:remise|réduction|descuento)|di sconto|günstiger|reduziert))?/giu;
const AMOUNT =
  /(?<value>[$€£]\s?\d[\d.,]*\d|[$€£]\s?\d|(?<![\d.,])\d[\d.,]*\s?(?:€|£|EUR|USD|Euro|dollars)(?![\p{L}]))(?<off>\s*(?:off|discount|rabatt|nachlass|de (?:remise|réduction|descuento)|di sconto))?/giu;

type Offer = { readonly text: string; readonly source: string };

/** What stands before a number, at most so much of it, says whether it is a discount. */
const LEAD_CHARS = 40;

/** A percentage or an amount is an offer only where the words beside it make it a discount: "20% recycled" and "5% interest" are none. */
function readOffer(sentence: string, words: Wording): Offer | undefined {
  const percent = findDiscount(sentence, PERCENT, words, true);
  const match = percent ?? findDiscount(sentence, AMOUNT, words, false);
  if (match === undefined) return undefined;
  const upTo = words.upTo.exec(sentence.slice(0, match.index))?.[0] ?? '';
  const value = match.groups?.value?.trim() ?? '';
  const text = percent === undefined ? words.amountOff(value, upTo !== '') : words.percentOff(value, upTo !== '');
  return { text, source: upTo + match[0] };
}

function findDiscount(
  sentence: string,
  pattern: RegExp,
  { saving, onSale, reduces }: Wording,
  isPercent: boolean,
): RegExpExecArray | undefined {
  const isReduced = isPercent && onSale.test(sentence);
  for (const match of sentence.matchAll(pattern)) {
    const { index } = match;
    const follows = sentence.slice(index + match[0].length, index + match[0].length + LEAD_CHARS);
    const isDiscount =
      match.groups?.off !== undefined ||
      saving.test(sentence.slice(Math.max(0, index - LEAD_CHARS), index)) ||
      (isReduced && reduces.test(follows));
    if (isDiscount) return match;
  }
  return undefined;
}

function possessive(brandName: string): RegExp {
  return new RegExp(`(?<!\\p{L})${brandName.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:['’]s?)?(?!\\p{L})`, 'giu');
}
