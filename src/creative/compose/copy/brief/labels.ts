import { withoutFullStop, withoutStop } from '../text.js';
import { type Clause, tidySubject } from './clauses.js';
import type { Draft } from './draft.js';
import type { Piece } from './lines.js';
import { MAX_PRODUCT_CHARS } from './names.js';
import { MONEY } from './offer.js';
import { findPresented, readOrder } from './orders.js';
import { hasQuote, listQuotes } from './quotes.js';
import { readSentence } from './sentences.js';

const MAX_BUTTON_CHARS = 32;
/** So few words behind "CTA:" are the button's, whatever they are. */
const MAX_BUTTON_WORDS = 2;
const BRACKET = /[(（](?<inside>[^()（）]{3,64})[)）]$/u;

/** Reads a part of a brief that a label gives its role. */
export function readLabelled({ role = 'context', text, isCampaign = false }: Piece, draft: Draft): void {
  const { words } = draft;
  const plain = words.plain(text);
  const take: Record<typeof role, () => void> = {
    headline: () => {
      draft.headline ??= hasQuote(text) ? listQuotes(text, words.quotes)[0] : withoutFullStop(plain);
    },
    body: () => {
      draft.body ??= plain;
    },
    action: () => readAction(text, draft),
    product: () => readProduct(text, draft),
    brand: () => {
      const bracketed = BRACKET.exec(withoutStop(plain))?.groups?.inside;
      if (bracketed !== undefined && !words.isForMaker(bracketed, true))
        draft.product ??= tidySubject(bracketed, words.table).subject;
    },
    offer: () => {
      const [only, second] = listQuotes(text, words.quotes);
      if (only === undefined || second !== undefined || withoutStop(plain) !== withoutStop(only))
        draft.state(text, false);
      else draft.headline ??= withoutFullStop(only);
    },
    audience: () => void draft.audience.push(plain),
    tone: () => void draft.tone.push(plain),
    must: () => draft.require(text),
    mustNot: () => draft.forbid(text, true),
    legal: () => void draft.legal.push(plain),
    note: () => readNote(text, draft),
    language: () => undefined,
    code: () => {
      draft.code ??= /[\p{L}\p{N}_-]{3,20}/u.exec(plain)?.[0];
    },
    deadline: () => {
      draft.deadline ??= withoutStop(plain);
    },
    context: () => {
      if (words.isLegal(plain)) draft.legal.push(plain);
      else if (!readOrder(text, draft) && words.clausesOf(text).some((clause) => isTerms(clause, isCampaign)))
        draft.state(text, false);
    },
  };
  take[role]();
}

function readProduct(text: string, draft: Draft): void {
  const { words } = draft;
  if (readOrder(text, draft)) return;
  const clauses = words.clausesOf(findPresented(text, draft) ?? text);
  const [first] = clauses;
  if (first === undefined) return;
  const { subject, isNew, detail = '' } = tidySubject(first.text, words.table);
  draft.product = (subject.length <= MAX_PRODUCT_CHARS ? subject : undefined) ?? draft.product;
  draft.isLabelled = true;
  draft.isNew ||= isNew;
  if (/\p{N}/u.test(detail)) draft.described.push({ text: detail, clauses: words.clausesOf(detail), isMust: false });
  if (clauses.length > 1)
    draft.described.push({
      text: words.plain(text),
      clauses: [{ ...first, text: '' }, ...clauses.slice(1)],
      isMust: false,
    });
}

/** Reads a note of a brief: one that asks or forbids something is for the maker, any other is a line of terms. */
function readNote(text: string, draft: Draft): void {
  const { words } = draft;
  const isAsked = words.isForMaker(text, true) || words.isRemark(text) || words.findNever(text) !== undefined;
  if (isAsked && !words.isLegal(text)) readSentence(text, draft);
  else draft.legal.push(words.plain(text));
}

function readAction(text: string, draft: Draft): void {
  const { words } = draft;
  const plain = withoutStop(hasQuote(text) ? (listQuotes(text, words.quotes)[0] ?? '') : words.plain(text));
  draft.action ??= words.actionOf(plain);
  const isShort = plain.split(' ').length <= MAX_BUTTON_WORDS && words.table.isSpaced;
  if (isShort || (plain.length <= MAX_BUTTON_CHARS && !words.isForMaker(plain, false))) draft.button ??= plain;
}

/** Whether a clause offers something for an amount that is no budget: a discount, what is free beside a price, or a campaign's price. */
function isTerms({ isDiscount, isPrice, offer, text }: Clause, isCampaign: boolean): boolean {
  return isDiscount || (offer !== undefined && (isCampaign || !isPrice) && MONEY.test(text));
}
