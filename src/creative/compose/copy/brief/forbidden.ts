import { glueOf, gluesOf } from '../language/glue.js';
import { type LanguageTable, TOPICS, type Topic } from '../language/table.js';
import { MONEY } from './offer.js';

/** The subjects and words that an ad must not say. */
export type Forbidden = { readonly topics: readonly Topic[]; readonly words: readonly string[] };

const MAX_WORDS = 40;
/** The name of somebody, within a sentence that forbids to name them. */
const NAME = /(?<=[\p{L},] )\p{Lu}[\p{L}\d]{2,30}(?: \p{Lu}[\p{L}\d]{1,30})?/gu;
/** A word that is named as one: "avoid the word cheap". */
const NAMED_WORDS = new RegExp(`(?<!\\p{L})(?:${gluesOf('theWord')})\\s+(?<word>[\\p{L}\\p{M}-]{2,24})`, 'giu');

/** Returns what a sentence forbids. `quoted` are its quotations, `list` whether it is a list of words. */
export function readForbidden(
  sentence: string,
  {
    quoted,
    isList,
    tables,
  }: { readonly quoted: readonly string[]; readonly isList: boolean; readonly tables: readonly LanguageTable[] },
): Forbidden {
  const topics = TOPICS.filter((topic) => tables.some((table) => isWhole(topic, sentence, table)));
  const names = tables[0]?.hasCapitalNouns === true ? [] : (sentence.match(NAME) ?? []);
  const listed = isList ? sentence.split(glueOf(tables[0]?.language ?? 'en').separators).map(readItem) : [];
  const named = [...sentence.matchAll(NAMED_WORDS)].map(({ groups }) => groups?.word ?? '');
  const items = topics.length > 0 && quoted.length > 0 ? [] : listItems(sentence, tables[0]);
  const words = [
    ...quoted,
    ...items,
    ...names,
    ...named,
    ...listed.filter((word) => word !== '' && word.length <= MAX_LISTED_CHARS && !isTopic(word, tables)),
  ];
  return { topics, words: words.filter((word) => word.length > 1) };
}

/** Whether a sentence is about a subject: prices of competitors and of last year are no reason to leave out one's own. */
function isWhole(topic: Topic, sentence: string, { language, topics }: LanguageTable): boolean {
  const match = topics[topic].exec(sentence);
  if (match === null || topic !== 'price') return match !== null;
  const competitor = topics.competitor.exec(sentence);
  const [from, to] = [match.index, match.index + match[0].length];
  const end = competitor === null ? 0 : competitor.index + competitor[0].length;
  const between = competitor === null || end <= from ? sentence.slice(end, from) : sentence.slice(to, competitor.index);
  const isTheirs =
    competitor !== null && between.length <= MAX_BETWEEN_CHARS && !glueOf(language).separators.test(between);
  return !isTheirs && !FORMER_YEAR.test(sentence.slice(to, to + LAST_YEAR_CHARS));
}

const MAX_BETWEEN_CHARS = 12;
const LAST_YEAR_CHARS = 30;
const FORMER_YEAR =
  /(?:last|previous) (?:year|season|month)|vorjahr|letzte[nrs]? (?:jahr|saison)|(?:an|année|saison) (?:derni(?:er|ère)|passée?)|año pasado|temporada pasada|anno scorso|ano passado|vorig(?:e)? (?:jaar|seizoen)|(?:zeszł|ubiegł)\p{L}+ roku|geçen (?:yıl|sene|sezon)|прошл\p{L}+|минул\p{L}+|förra (?:året|säsongen)|sidste år|i fjor|loňsk\p{L}+|πέρ[υσ]\p{L}+|anul trecut|昨年|去年|작년|العام الماضي|שנה שעברה/iu;

/** Returns the short things that a ban names: three in "do not mention drivers, Brexit or fuel costs". */
function listItems(sentence: string, table: LanguageTable | undefined): readonly string[] {
  const match = table?.never.exec(sentence);
  if (table === undefined || match === null || match === undefined || table.hasListedBans !== true) return [];
  const list = sentence.slice(match.index + match[0].length).split(/[.!?()]/u)[0] ?? '';
  const items = list.split(glueOf(table.language).separators).map((item) =>
    readItem(item)
      .replace(
        /\s(?:either|too|also|please|pls|svp|bitte|por favor|tack|takk|tak|παρακαλώ|prosím|vă rog|anywhere|at all)$/iu,
        '',
      )
      .replace(/^(?:the|any|la|las|los|el|les|il|de|het|το|τη|την|τον|τα|τις|τους)\s/iu, ''),
  );
  const isShort = items.every((item) => item.length <= MAX_LISTED_CHARS && item.split(/\s+/u).length <= MAX_ITEM_WORDS);
  const isSubject = (item: string): boolean => TOPICS.some((topic) => table.topics[topic].test(item));
  return isShort ? items.filter((item) => item.length > 2 && !isSubject(item) && !NO_ITEM.test(item)) : [];
}

/** Returns a thing of a list as it stands in an ad: "cheap" for "the word cheap". */
function readItem(item: string): string {
  return item
    .replace(/[.。]$/u, '')
    .trim()
    .replace(THE_WORD, '');
}

const THE_WORD = new RegExp(`^(?:${gluesOf('theWord')})\\s+`, 'iu');

/** Whether an item of a list is a subject that is forbidden as a whole. */
function isTopic(item: string, tables: readonly LanguageTable[]): boolean {
  return tables.some(({ topics }) => TOPICS.some((topic) => topics[topic].exec(item)?.[0].length === item.length));
}

const MAX_ITEM_WORDS = 2;
const NO_ITEM =
  /[\ue100-\ue1ff]|^(?:thanks|thank you|danke|merci|gracias|grazie|obrigad[oa]|dank|dzięki|спасибо|tac?k|takk|ευχαριστώ|дякую|děkuj\p{L}+|díky|mulțumesc|words?|terms?|mots?|palabras?|parol[ae]|palavras?|it|them|this|that|us|to|on|in|like|as|how|what|about|of|from|a|an|either|too|very|so|at|for|de|à|en|con|sobre|al|o|e|z|w|о|об|про|в|на|att|om|som|på|i|för|at|å|til|σε|για|να|ότι|jako|že|ca|pe|despre|що|як)(?:\s|$)/iu;

/** Of a list of words to avoid, what is longer is a description. */
const MAX_LISTED_CHARS = 24;

/** Returns all that several sentences forbid. */
export function joinForbidden(all: readonly Forbidden[]): Forbidden {
  return {
    topics: TOPICS.filter((topic) => all.some(({ topics }) => topics.includes(topic))),
    words: [...new Set(all.flatMap(({ words }) => words))].slice(0, MAX_WORDS),
  };
}

/** Returns the forbidden thing that a text says; undefined for none. */
export function findForbidden(text: string, { topics, words }: Forbidden, table: LanguageTable): string | undefined {
  const lower = text.toLowerCase();
  const word = words.find((one) => containsWord(lower, one.toLowerCase()));
  if (word !== undefined) return word;
  return topics.find((topic) => SAYS_TOPIC[topic](text, table));
}

/** Whether a text is about a subject: an amount that is no discount is a price, whatever the words around it. */
const SAYS_TOPIC: Readonly<Record<Topic, (text: string, table: LanguageTable) => boolean>> = {
  price: (text, table) => table.topics.price.test(text) || (MONEY.test(text) && !isDiscount(text, table)),
  discount: (text, table) => isDiscount(text, table) || table.topics.discount.test(text),
  date: (text, table) => table.deadline.test(text),
  competitor: (text, table) => table.topics.competitor.test(text),
};

function isDiscount(text: string, { offers, sale }: LanguageTable): boolean {
  return offers.test(text) || (sale !== undefined && /\d[^.]{0,20}$/u.test(text) && sale.onSale.test(text));
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, behind] = [text.charAt(at - 1), text.charAt(at + word.length)];
    if (!isSpacedLetter(word.charAt(0)) || (!isSpacedLetter(before) && !isSpacedLetter(behind))) return true;
  }
  return false;
}

/** Whether a character is a letter of a writing that puts spaces between words. */
function isSpacedLetter(character: string): boolean {
  return /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Devanagari}]/u.test(character);
}
