import { gluesOf } from '../language/glue.js';
import { hasWords } from '../text.js';
import type { Clause } from './clauses.js';
import type { Draft } from './draft.js';
import { findForbidden, joinForbidden } from './forbidden.js';
import type { BriefUnderstanding, Statement } from './model.js';
import { nameProduct } from './names.js';
import { MONEY } from './offer.js';

/** What begins like this is what something cost before, or costs later. */
const FORMER = new RegExp(`^(?:${gluesOf('formerly', 'afterwards')})(?!\\p{Script=Latin})`, 'iu');
/** What begins like this comes with an offer. */
const INCLUDES = new RegExp(`^(?:${gluesOf('including')})\\s`, 'iu');
/** What begins like this is a condition. */
const LEAST = new RegExp(`^(?:${gluesOf('least')})\\s`, 'iu');
const TWO_NUMBERS = /\p{Nd}[\p{Nd}.,]*[^\p{Nd}.,]+\p{Nd}/u;
/** An offer that begins like this says what it is about. */
const REQUEST_WORDS = /^(?:(?:switch|upgrade|fly) to|get|book|try|join|rent|lease|own|learn)\s/iu;
const STARTING_AT = new RegExp(`^(?:${gluesOf('startingAt')})\\s`, 'iu');
const MAX_GUESSED_WORDS = 7;

type Drafted = Omit<BriefUnderstanding, 'language' | 'readIn' | 'unread'>;

/** Returns what was read, with the offer and the product chosen from all that the brief states. */
export function conclude(draft: Draft): Drafted {
  const { words } = draft;
  const forbidden = joinForbidden(draft.forbidden);
  const statements = [...draft.statements, ...draft.described].filter(({ text }) => text !== '');
  const clauses = statements.flatMap((statement) => statement.clauses);
  const isAllowed = ({ text }: Clause): boolean => findForbidden(text, forbidden, words.table) === undefined;
  const offered = clauses.filter((clause) => clause.offer !== undefined && isAllowed(clause));
  const now = offered.filter(({ text }) => !LEAST.test(text) && (!FORMER.test(text) || TWO_NUMBERS.test(text)));
  const offers = now.length > 0 ? now : offered;
  const offer =
    offers.find((one) => one.isDiscount && words.table.audience.exec(one.text)?.index !== 0) ??
    offers.find((one) => hasWords(one.text, draft.product) || (one.isPrice && REQUEST_WORDS.test(one.text))) ??
    (draft.product === undefined || hasWords(draft.product, words.brandName) ? offers.find(namesPriced) : undefined) ??
    offers.find((one) => !one.isPrice && !isQualifier(one, draft)) ??
    offers[0];
  return {
    product: draft.product ?? guessProduct(clauses, offer, draft),
    isNew: draft.isNew,
    event: clauses.find(({ event }) => event !== undefined)?.event ?? findOccasion(statements, offer),
    offer,
    deadline: draft.deadline ?? offer?.deadline ?? clauses.find(({ deadline }) => deadline !== undefined)?.deadline,
    code: draft.code ?? clauses.find(({ code }) => code !== undefined)?.code,
    audience: draft.audience,
    tone: draft.tone,
    forbidden,
    headline: draft.headline,
    body: draft.body,
    callToAction: draft.button,
    action: draft.action,
    legal: draft.legal.length === 0 ? undefined : draft.legal.join(' '),
    slogan: draft.slogan,
    statements,
  };
}

/** Whether an offer says only how another one is, and not what is to be had: "all inclusive", "no commitment". */
function isQualifier({ text, isDiscount }: Clause, draft: Draft): boolean {
  return !isDiscount && (INCLUDES.test(text) || !/[\p{L}\p{N}]/u.test(text.replace(draft.words.table.gains, '')));
}

/**
 * Returns the product where no label and no order names one: the rest of the offer's clause, the subject of an event,
 * or the first short clause.
 */
function guessProduct(clauses: readonly Clause[], offer: Clause | undefined, draft: Draft): string | undefined {
  const { words } = draft;
  if (offer?.isPrice === true && REQUEST_WORDS.test(offer.text))
    return nameProduct({ ...offer, text: offer.text.replace(REQUEST_WORDS, '') }, offer.text, draft);
  const named = [offer, ...clauses].map((clause) =>
    clause === undefined || (clause.rest === '' && !namesPriced(clause)) ? '' : nameProduct(clause, clause.text, draft),
  );
  return named.find(
    (name) =>
      /\p{L}{2}|\p{Lo}/u.test(name) &&
      !hasWords(name, offer?.offer) &&
      !hasWords(words.brandName, name) &&
      !words.isButton(name) &&
      !words.isLabel(name) &&
      !FORMER.test(`${name} `) &&
      !/(?:なら|だと|すれば|すると|以上で)$/u.test(name) &&
      (name.match(/\p{L}{2,}/gu) ?? []).length <= MAX_GUESSED_WORDS,
  );
}

/** Whether a price stands behind what it is for: "vaccinations from £45". */
function namesPriced({ isPrice, text }: Clause): boolean {
  return isPrice && /\p{L}{3}/u.test(text.split(MONEY)[0]?.replace(STARTING_AT, '') ?? '');
}

/** Returns the word or two before the offer and its subject: "Spring" in "Spring: 20% off trail shoes". */
function findOccasion(statements: readonly Statement[], offer: Clause | undefined): string | undefined {
  if (offer?.isDiscount !== true || offer.rest === '') return undefined;
  const statement = statements.find(({ clauses }) => clauses[1] === offer);
  const [first] = statement?.clauses ?? [];
  const isOccasion = first !== undefined && first.text !== '' && first.text === first.rest && !first.isAside;
  const isShort = isOccasion && first.text.split(' ').length <= MAX_OCCASION_WORDS;
  const behind = statement?.text.slice(first?.text.length).trimStart();
  return isShort && /^[:：]/u.test(behind ?? '') ? first.text : undefined;
}

const MAX_OCCASION_WORDS = 2;
