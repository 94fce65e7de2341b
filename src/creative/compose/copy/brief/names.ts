import { gluesOf } from '../language/glue.js';
import { possessive, withoutEnd, withoutStop } from '../text.js';
import { type Clause, tidySubject, trimJoints } from './clauses.js';
import type { Draft } from './draft.js';
import { MONEY } from './offer.js';

/** A product of more characters is a sentence, and no name. */
export const MAX_PRODUCT_CHARS = 64;
const MIN_NAME_CHARS = 3;
/** A name of so few characters has a word of detail in it: "the box with vegetables". */
const MAX_WHOLE_CHARS = 40;
const SHORT_DETAIL = /^\p{L}{1,5} \p{Ll}{3,}$/u;
const STARTING_AT = new RegExp(`(?:^|\\s)(?:${gluesOf('startingAt')})\\s*$`, 'iu');
/** What begins like this says where or when, not what. */
export const PREPOSITION = new RegExp(`^(?:${gluesOf('at')})(?:\\s|(?<=لل))`, 'iu');

/** Returns what a clause is about, without the brand that speaks, and notes whether it is new. */
export function nameProduct(clause: Clause, phrase: string, draft: Draft): string {
  const { words } = draft;
  const { subject, isNew, detail } = tidySubject(
    clause.rest === '' && clause.offer === undefined ? '' : phraseOf(clause),
    words.table,
  );
  draft.isNew ||= isNew || words.table.newness.test(withoutStop(phrase.replace(words.table.determiner, '')));
  const name = withoutBrand(withoutEnd(subject, /[\s?!？！]/u), draft);
  if (words.table.determiner.exec(`${name} `)?.[0] === `${name} `) return '';
  const whole = detail === undefined ? name : `${name} ${detail}`;
  if (detail !== undefined && name !== '' && whole.length <= MAX_WHOLE_CHARS && SHORT_DETAIL.test(detail)) return whole;
  if (detail !== undefined && name.length < MIN_NAME_CHARS) return whole.slice(0, MAX_PRODUCT_CHARS);
  return name.length > MAX_PRODUCT_CHARS ? '' : name;
}

/**
 * Returns a subject without the brand that speaks; a single word says too little, and keeps a brand that stands behind
 * it.
 */
function withoutBrand(subject: string, draft: Draft): string {
  const { words } = draft;
  const [left = '', ...right] = subject.split(possessive(words.brandName));
  const own = withoutStop(
    [left, ...right]
      .map((part, index) => trimJoints(part, words.table, index === 0 || left.trim() === ''))
      .filter((part) => part !== '')
      .join(' '),
  ).replace(words.table.newness, '');
  const bare = withoutEnd(own, /[\s?!？！]/u);
  const isPlace = left.trim() === '' && PREPOSITION.test(right.join('').trim());
  if (isPlace || words.table.months.test(bare)) return subject;
  const isWord = words.table.isSpaced && !/\s/u.test(bare);
  const [whole, brand] = [subject, words.brandName].map((text) => text.toLowerCase());
  const isBeside = whole?.endsWith(` ${brand}`) === true || (/^\p{Lu}/u.test(bare) && whole?.startsWith(`${brand} `));
  return !/[\p{L}]{2}/u.test(bare) || (isWord && isBeside) ? subject : bare;
}

/** Returns what a clause is about in its own words; of one with an offer, what is left. */
function phraseOf({ rest, text, offer, event, isPrice, isDiscount }: Clause): string {
  if (isPrice || (offer !== undefined && !isDiscount && MONEY.test(text)))
    return (text.split(MONEY)[0] ?? '').replace(STARTING_AT, '').replace(/\s[(（]$/u, '');
  return offer === undefined && event === undefined ? text : rest;
}
