import { deniesManner, namesReaders, saysManner } from '../language/manner.js';
import type { LanguageTable } from '../language/table.js';
import { withoutConjunction, withoutStop } from '../text.js';
import { MONEY, readOffer } from './offer.js';

/** A part of a sentence between its signs, and what it says. */
export type Clause = {
  /** As it stands, without date and code. */
  readonly text: string;
  /** As it stands. */
  readonly whole: string;
  /** The offer in its shortest form, where the clause has one: a discount in the words of its language, any other as it stands. */
  readonly offer?: string | undefined;
  /** Whether the offer was recognized as a discount. */
  readonly isDiscount: boolean;
  /** Whether the offer is an amount to pay. */
  readonly isPrice: boolean;
  readonly event?: string | undefined;
  readonly deadline?: string | undefined;
  readonly code?: string | undefined;
  /** What is left without all these: what the clause is about. */
  readonly rest: string;
  /** Whether it is for the maker alone: it says whom the ad is for, or how it speaks. */
  readonly isAside: boolean;
};

const MAX_CLAUSES = 60;
/** Signs between clauses; a comma within a number is none. */
const CLAUSES = /(?<!\p{Nd}|ところ)[,،、，]|[,،、，](?!\p{Nd}|(?<=ところ.))|[;:；：|()（）]|\s[–—-]\s|–|—(?!\p{Nd})/u;

/** Returns the clauses of a sentence. */
export function readClauses(sentence: string, table: LanguageTable): readonly Clause[] {
  const parts: string[] = [];
  for (const part of sentence.split(CLAUSES)) if (part.trim() !== '') parts.push(part);
  const clauses = parts.slice(0, MAX_CLAUSES).map((part) => readClause(part, sentence, table));
  const isManner = clauses.some(({ text }) => saysManner(text, table.language));
  return isManner ? clauses.map((one) => (deniesManner(one.text) ? { ...one, isAside: true } : one)) : clauses;
}

/** Words in front of an offer that speak of its subject, which another clause names. */
const LINKING =
  /^(?:it['’]s|it is|they['’]re|they are)(?: now| currently)? (?=(?:on|from|only|just|free|available|yours)(?!\p{L}))/iu;

function readClause(part: string, sentence: string, table: LanguageTable): Clause {
  let text = withoutConjunction(withoutStop(part)).replace(LINKING, '');
  const { language } = table;
  const isAside = table.audience.exec(text)?.index === 0 || namesReaders(text, language) || saysManner(text, language);
  const code = table.code.exec(text);
  if (code !== null) text = trimJoints(text.replace(code[0], ' '), table, false);
  const offer = readOffer(text, sentence, table);
  const date = table.deadline.exec(text);
  const deadline = date === null ? undefined : withoutStop(date[0]);
  // A number with a date may be all that there is: "from June 1 to 9".
  if (date !== null) text = withoutStop(text.replace(date[0], ' ').replace(/\s+/gu, ' '));
  if (date !== null && !table.isSpaced) text = trimJoints(text, table, true);
  const event = table.event.exec(text)?.[0];
  const gain = offer === undefined && (table.gains.test(text) || MONEY.test(text)) ? text : undefined;
  let rest = text;
  if (offer !== undefined) rest = rest.replace(offer.source, ' ');
  if (event !== undefined) rest = rest.replace(event, ' ');
  return {
    text,
    whole: withoutStop(part),
    offer: offer?.text ?? gain,
    isDiscount: offer !== undefined,
    isPrice: offer === undefined && gain !== undefined && MONEY.test(gain) && !table.gains.test(gain),
    event,
    deadline,
    code: code?.groups?.code,
    rest: offer === undefined && gain !== undefined ? '' : tidySubject(rest, table).subject,
    isAside,
  };
}

/** A subject with what its article and its newness were. */
export type Subject = { readonly subject: string; readonly isNew: boolean; readonly detail?: string | undefined };

/** Words of which a subject has no more than these before it says the same as a sentence. */
const MAX_ROUNDS = 6;

/** Returns what a phrase is about: without articles, "new", and whom it is for; what explains it apart. */
export function tidySubject(phrase: string, table: LanguageTable): Subject {
  let text = withoutStop(phrase.replace(/\s+/gu, ' '));
  let isNew = false;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = text;
    text = withoutStop(text.replace(table.promote, '').replace(table.determiner, ''));
    const fresh = text.replace(table.newness, '');
    if (fresh !== text && fresh.trim() !== '') {
      isNew = true;
      text = withoutStop(fresh);
    }
    text = trimJoints(text, table, true);
    if (text === before) break;
  }
  const audience = table.audience.exec(text);
  if (audience !== null && audience.index > 0) text = withoutStop(text.slice(0, audience.index));
  const detail = table.detail.exec(text);
  const isSplit = detail !== null && detail.index > 0;
  const subject = isSplit ? withoutStop(text.slice(0, detail.index)) : text;
  return { subject: trimJoints(subject, table, true), isNew, detail: isSplit ? text.slice(detail.index) : undefined };
}

/** Returns a text without the words that are left over at its ends. */
export function trimJoints(text: string, { joints, endJoints }: LanguageTable, isBoth: boolean): string {
  let rest = withoutStop(text.replace(/\s+/gu, ' '));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = rest;
    if (isBoth) rest = withoutStop(rest.replace(joints, ''));
    const tail = rest.slice(-END_CHARS);
    const at = tail.search(endJoints);
    if (at >= 0 && rest.length - tail.length + at > 0)
      rest = withoutStop(rest.slice(0, rest.length - tail.length + at));
    if (rest === before) break;
  }
  return rest;
}

/** How far from the end of a text left-over words are looked for. */
const END_CHARS = 24;
