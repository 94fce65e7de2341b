import { glueOf, gluesOf } from '../language/glue.js';
import { namesWriter } from '../language/maker.js';
import { namesMedium } from '../language/manner.js';
import { introducesSelf, isGreeting, withoutOpening } from '../language/opening.js';
import { upperFirst, withoutFullStop, withoutStop } from '../text.js';
import { readButtonWords } from './button.js';
import type { Draft } from './draft.js';
import { readIntroduced, readOrder, readOrdered } from './orders.js';
import { hasQuote, readQuoteRoles } from './quotes.js';

/** A message of so few words that orders no ad is a headline itself. */
const MAX_SLOGAN_WORDS = 9;
const MAX_SLOGAN_CHARS = 64;
const MAX_WIDE_SLOGAN_CHARS = 24;
const MAX_SLOGAN_WORDS_BESIDE_OFFER = 5;
/** A ban of what stands before it: "dinner is not included so don't imply it". */
const BAN_OF_THIS = new RegExp(`\\s(?:${gluesOf('this')})[.!\\s]*$`, 'iu');
const MIN_HEAD_CHARS = 14;
/** Whom a greeting names behind its words, up to the sign. */
const ADDRESSEE = /^(?:\s\p{L}{2,14}){1,2}[,،!]/u;
const EMOJI_BEHIND = /(?:\s|\p{Extended_Pictographic}|\u200d|\ufe0f|\p{EMod})+$/u;
/** A clause with a bracket behind it. */
const WITHDRAWN = /(?:^|[,;.–—]\s?|\s-\s)[^,;.–—()]{2,120}[(（](?<aside>[^()（）]{4,80})[)）]/gu;
/** Words of a bracket for what stands before it. */
const POINTS_BACK = new RegExp(`(?<!\\p{L})(?:${gluesOf('this')})(?!\\p{L})`, 'iu');

/** Reads a sentence without a label: what it quotes, bans, orders or demands, and else what it states. */
export function readSentence(sentence: string, draft: Draft): void {
  const { words } = draft;
  if (isGreeting(sentence)) return;
  const greeted = withoutGreeting(sentence, draft);
  const opened = withoutOpening(withoutMedium(greeted, draft));
  if (opened.isSubject) {
    if (opened.text !== '') readOrdered(opened.text, draft);
    return;
  }
  const text = withoutAsides(opened.text, draft);
  if (!/[\p{L}\p{N}\ue100-\ue163]/u.test(text) || namesMedium(text)) return;
  if (introducesSelf(words.plain(text), words.brandName) || namesWriter(withoutStop(text))) return;
  const button = hasQuote(text) ? undefined : readButtonWords(text);
  if (button !== undefined) {
    draft.button ??= button;
    return;
  }
  const withdrawn = findWithdrawn(text, draft);
  if (withdrawn !== undefined) {
    readSentence(withdrawn, draft);
    return;
  }
  if (readBan(text, draft)) return;
  const rest = takeQuotes(text, draft);
  if (rest === text && words.clausesOf(rest).every(({ isAside }) => isAside)) return;
  if (words.isRemark(rest)) return;
  if (words.isLegal(rest)) draft.legal.push(words.plain(rest));
  else if (text !== opened.text) draft.require(text);
  else if (words.isButton(rest)) draft.button ??= upperFirst(withoutStop(words.plain(rest)));
  else if (!readOrder(rest, draft) && !readIntroduced(rest, draft) && (rest !== text || !readInclude(rest, draft)))
    readStatement(rest, rest !== text, draft);
}

/** Reads a sentence that forbids something, and what else it says; false for any other. */
function readBan(text: string, draft: Draft): boolean {
  const { words } = draft;
  const never = words.findNever(text);
  if (never === undefined) return false;
  const behind = words.findBehindBan(text);
  if (behind !== undefined) {
    draft.forbid(text.slice(0, text.length - behind.length), false);
    const more = behind.replace(/^[\s.,;:!?–—-]+/u, '').replace(glueOf(words.table.language).conjunction, '');
    if (more !== '') readSentence(more, draft);
    return true;
  }
  draft.forbid(text.slice(never), false);
  if (BAN_OF_THIS.test(text.slice(never)) && !words.hasVerbsLast()) return true;
  const head = text.slice(0, never).replace(glueOf(words.table.language).dangling, '');
  if (head.length >= MIN_HEAD_CHARS) readSentence(head, draft);
  else if (words.hasVerbsLast()) saveOffers(text, draft);
  return true;
}

/** Takes what is quoted for a place of the ad out of a sentence. */
function takeQuotes(sentence: string, draft: Draft): string {
  const { words } = draft;
  if (!hasQuote(sentence)) return sentence;
  let rest = sentence;
  for (const { mark, text, role: given } of readQuoteRoles(sentence, words.quotes, words.tables)) {
    const role = given ?? (words.isLegal(text) ? 'legal' : undefined);
    if (role === undefined) {
      const isAlone = withoutStop(sentence.replace(/[.!。\s\ue1ff]/gu, '')).length <= 1;
      if (isAlone) draft.headline ??= text;
      if (!isAlone) continue;
    }
    if (role === 'headline') draft.headline ??= text;
    if (role === 'action') draft.button ??= text;
    if (role === 'body') draft.body ??= text;
    if (role === 'legal') draft.legal.push(text);
    if (role === 'must') draft.require(text);
    rest = rest.replace(mark, ' ');
  }
  return rest;
}

function readInclude(sentence: string, draft: Draft): boolean {
  const { words } = draft;
  for (const { include, includeTail } of words.tables) {
    const head = include.exec(sentence);
    const tail = head === null ? includeTail?.exec(withoutStop(sentence)) : null;
    const included = head === null ? tail && sentence.slice(0, tail.index) : sentence.slice(head[0].length);
    if (included === null || included === undefined || withoutStop(included) === '') continue;
    const wanted = withoutStop(included.replace(/^\s*[:：]/u, ''));
    if (tail && words.table.mentions.legal?.test(wanted) === true && words.hasVerbsLast()) return true;
    if (tail && words.tables.some(({ mentions }) => mentions.legal?.test(tail[0]) === true))
      draft.legal.push(words.plain(`${wanted}.`));
    else draft.require(wanted);
    return true;
  }
  return false;
}

function readStatement(sentence: string, isInstruction: boolean, draft: Draft): void {
  const { words } = draft;
  if (isInstruction || words.isForMaker(sentence, true)) {
    const [head = '', tail = ''] = splitHead(sentence);
    if (tail !== '' && words.isForMaker(head, true) && !words.isForMaker(tail, false)) readSentence(tail, draft);
    else saveOffers(sentence, draft);
    return;
  }
  const text = words.plain(sentence);
  const most = words.table.isSpaced ? MAX_SLOGAN_CHARS : MAX_WIDE_SLOGAN_CHARS;
  const isShort = text.split(' ').length <= MAX_SLOGAN_WORDS && text.length <= most;
  const clauses = words.clausesOf(sentence);
  const hasOffer = clauses.some(({ isDiscount }) => isDiscount);
  const isSlogan =
    isShort &&
    !glueOf(words.table.language).speaker.test(text) &&
    (!hasOffer || text.split(' ').length <= MAX_SLOGAN_WORDS_BESIDE_OFFER);
  if (!draft.hasOrder && draft.statements.length === 0 && draft.product === undefined && isSlogan)
    draft.slogan = withoutFullStop(text);
  draft.state(sentence, false);
}

/** Takes the clauses that offer something out of a sentence for the maker. */
function saveOffers(sentence: string, draft: Draft): void {
  const { words } = draft;
  if (!/\p{N}/u.test(sentence)) return;
  const clauses = words
    .clausesOf(sentence)
    .filter(
      (clause) =>
        clause.isDiscount && !words.isForMaker(clause.text, true) && words.findNever(clause.text) === undefined,
    );
  for (const clause of clauses) draft.statements.push({ text: clause.text, clauses: [clause], isMust: false });
}

/** Returns a sentence without the clause that a bracket behind it takes back: "and free prosecco (don't put that)". */
function findWithdrawn(sentence: string, draft: Draft): string | undefined {
  for (const { 0: whole, index, groups } of sentence.matchAll(WITHDRAWN)) {
    const aside = groups?.aside ?? '';
    if (draft.words.findNever(aside) !== undefined && POINTS_BACK.test(aside))
      return `${sentence.slice(0, index)}${sentence.slice(index + whole.length)}`;
  }
  return undefined;
}

/** Returns a sentence without brackets that tell the maker something: "(this has to appear)". */
function withoutAsides(sentence: string, draft: Draft): string {
  return sentence.replace(/\s?[(（](?<aside>[^()（）]{4,80})[)）]/gu, (bracket, aside: string) => {
    const isMust = draft.words.tables.some(({ includeTail }) => includeTail.test(aside));
    return isMust && POINTS_BACK.test(aside) ? '' : bracket;
  });
}

function withoutGreeting(sentence: string, draft: Draft): string {
  const { words } = draft;
  const text = sentence.replace(EMOJI_BEHIND, '');
  const { greeting } = words.tables.find((table) => table.greeting.test(text)) ?? words.table;
  const greeted = greeting.exec(text)?.[0];
  if (greeted === undefined) return sentence;
  const rest = text.slice(greeted.length);
  return (/\p{L}$/u.test(greeted) ? rest.replace(ADDRESSEE, '') : rest).trim();
}

/** Returns a sentence without the sort of ad in front of what it is about: "Banner for Facebook: …". */
function withoutMedium(sentence: string, draft: Draft): string {
  const [head = '', tail = ''] = splitColon(sentence);
  if (tail === '' || !namesMedium(head)) return sentence;
  draft.hasOrder = true;
  return tail;
}

function splitColon(sentence: string): readonly string[] {
  const [, head = '', tail = ''] = /^([^:：]{2,70})[:：]\s*(\S.*)$/su.exec(sentence) ?? [];
  return [head.trim(), tail];
}

/** Returns what a sentence says before a colon and behind it, where that is a sentence too. */
function splitHead(sentence: string): readonly string[] {
  const [, head = '', tail = ''] = /^([^:：]{8,70})[:：]\s+(\S.{20,})$/su.exec(sentence) ?? [];
  return [head, tail];
}
