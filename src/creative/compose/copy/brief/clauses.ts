import { glueOf } from '../language/glue.js';
import { isMannerDenied, namesReaders, saysManner } from '../language/manner.js';
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

/** Returns what a clause says of its offer in front of a verb of being: "Everything" in "Everything is 40% off RRP". */
function subjectBefore(text: string, offer: string, { language }: LanguageTable): string | undefined {
  const before = text.slice(0, Math.max(0, text.indexOf(offer)));
  const [, subject] = glueOf(language).being.exec(before) ?? [];
  return subject !== undefined && !IMPERSONAL.test(subject) ? subject : undefined;
}

const IMPERSONAL =
  /^(?:it|they|there|this|that|es|das|dies|ce|c['’]|il|ils|elles|det|det här|αυτό|це|to|acesta|aceasta)$/iu;

const MAX_CLAUSES = 60;
/** Signs between clauses; a comma within a number is none. */
const CLAUSES =
  /(?<!\p{Nd}|ところ)[,،、，]|[,،、，](?!\p{Nd}|(?<=ところ.))|[;:；：|()（）]|(?<![\p{Nd}€])\s[–—-]\s|\s[–—-]\s(?![€$£]?\s?\p{Nd})|(?<!\p{Nd})–|–(?!\p{Nd})|—(?!\p{Nd})|\s(?![©®™❤♥])\p{Extended_Pictographic}\ufe0f?\s/u;
/** A bracket that belongs to the word before it: a price, a measure, whom a job is for. */
const ATTACHED =
  /\((?=(?:[€$£]\s?\p{Nd}[\p{Nd}.,]*|\p{Nd}[\p{Nd}.,]*\s?(?:€|£|EUR|zł|%|ml|cl|l|g|kg|cm)|[mwfdhx](?:\s?\/\s?[mwfdhxi*]){1,3})\))([^()]*)\)/giu;
const HELD = /[\ue200-\ue204]/gu;
/** The signs that stand for those that end no clause. */
const SIGNS: Readonly<Record<string, string>> = {
  '\ue200': '(',
  '\ue201': ')',
  '\ue202': '-',
  '\ue203': '–',
  '\ue204': '—',
};

/** Returns a date with signs in place of its dashes, so that "5–7 May" stays one clause. */
function holdDashes(date: string): string {
  return date.replace(/-/gu, '\ue202').replace(/–/gu, '\ue203').replace(/—/gu, '\ue204');
}

/** A space between two things that are said, where no other sign stands between them. */
const SPACES =
  /(?<=\p{Script=Thai}{6}|\d\s?\p{Script=Thai}{1,8})\s(?=\p{Script=Thai})(?!แถม|ถึง|จน|เพียง|บาท|นี้|และ|หรือ|เมื่อ|สำหรับ|ที่|ใน|จาก|กับ|พร้อม|ทุก|ต่อ|โดย|ภายใน|เฉพาะ)/u;

/** Returns the clauses of a sentence. */
export function readClauses(sentence: string, table: LanguageTable): readonly Clause[] {
  const parts: string[] = [];
  const held = sentence.replace(ATTACHED, '\ue200$1\ue201').replace(table.dates, holdDashes);
  for (const part of held.split(CLAUSES).flatMap((one) => (table.isEndedBySpace === true ? one.split(SPACES) : [one])))
    if (part.trim() !== '') parts.push(part.replace(HELD, (mark) => SIGNS[mark] ?? ''));
  const clauses = parts.slice(0, MAX_CLAUSES).map((part) => readClause(part, sentence, table));
  const isManner = clauses.some(({ text }) => saysManner(text, table.language));
  const isDenial = ({ text, offer }: Clause): boolean => offer === undefined && isMannerDenied(text);
  return isManner ? clauses.map((one) => (isDenial(one) ? { ...one, isAside: true } : one)) : clauses;
}

/** Words in front of an offer that speak of its subject, which another clause names. */
const LINKING =
  /^(?:(?:it['’]s|it is|they['’]re|they are)(?: now| currently)? (?=(?:on|from|only|just|free|available|yours)(?!\p{L}))|(?:(?:the|our) )?(?:offer|deal|promo) is (?:now )?(?=\S))/iu;

function readClause(part: string, sentence: string, table: LanguageTable): Clause {
  let text = withoutConjunction(withoutStop(part), table.language).replace(LINKING, '');
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
  if (offer !== undefined) rest = subjectBefore(rest, offer.source, table) ?? rest.replace(offer.source, ' ');
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
    isAside: isAside && (offer === undefined || !/\p{N}/u.test(offer.text)),
  };
}

/** A subject with what its article and its newness were. */
export type Subject = { readonly subject: string; readonly isNew: boolean; readonly detail?: string | undefined };

/** A price in a bracket is no part of a name. */
const PRICED = /\s\([€$£]?\s?\p{Nd}[^()]*\)$/u;

/** Words of which a subject has no more than these before it says the same as a sentence. */
const MAX_ROUNDS = 6;

/** Returns what a phrase is about: without articles, "new", and whom it is for; what explains it apart. */
export function tidySubject(phrase: string, table: LanguageTable): Subject {
  let text = withoutStop(phrase.replace(PRICED, '').replace(/\s+/gu, ' '));
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
