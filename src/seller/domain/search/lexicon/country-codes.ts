import { findPhrase, isCountry, wordKey } from './lexicon.js';
import { COUNTRIES } from './places.js';

const COUNTRY_CODES: ReadonlyMap<string, string> = new Map([
  ...COUNTRIES.map(([code]) => [code.toUpperCase(), code] as const),
  ['UK', 'gb'],
]);

/** Codes that are words of something else, too: they are countries only in a list of countries. */
const WORD_CODES: ReadonlySet<string> = new Set(
  'IN IT NO AT BE ID CO MY IS DO HR QA PA MA SI PE AR PR GT EC CR BO'.split(' '),
);

/** Those of them that are words of the trade even behind "in". */
const TRADE_CODES: ReadonlySet<string> = new Set('IT HR QA PR PE AR DO IS SI'.split(' '));
const IN_BEFORE = /(?<!\p{L})(?:in|across|into|en|em|w|für)\s$/u;

/** What stands around a code that was found, and in no text otherwise. */
export const CODE_MARKS = ['\ue000', '\ue001'] as const;

const [CODE_BEGINS, CODE_ENDS] = CODE_MARKS;

/** Words in capitals, and names, that may be members of a list of countries. */
const CANDIDATE = /(?<![\p{Script=Latin}\p{N}])(?:[A-Z]{2,5}|[A-Z][a-z]{3,12})(?![\p{Script=Latin}\p{N}])/gu;
const HAS_CODE = /(?<![\p{Script=Latin}\p{N}])[A-Z]{2}(?![\p{Script=Latin}\p{N}])/u;

const HAS_WORD_CODE = new RegExp(`(?<![A-Z])(?:${[...WORD_CODES].join('|')})(?![A-Za-z])`, 'u');

/** What stands between two members of a list. */
const SEPARATOR =
  /^(?:\s{1,2}|\s{0,2}[,;/&+|·、，・-]\s{0,2}(?:(?:and|or|und|et|y|e|i|ve|oraz|和|และ|و)\s)?|\s(?:and|or|not|und|oder|et|ou|y|e|o|i|ve|veya|oraz|lub)\s|\s?(?:と|や|및|와|과|和|與|与|และ|หรือ|و)\s?)$/u;
const BLANK = /^\s+$/u;

/** A word of a list; `isIn`: it stands behind "in". */
type Member = { readonly at: number; readonly word: string; readonly isIn: boolean };

/** A list of countries in a text; `hasBlank`: two of its members have nothing but a blank between them. */
type CountryList = { readonly members: Member[]; hasBlank: boolean };

/** Returns a text with its codes of countries marked: "FR, BE and NL", and not the words of "it is in the US". */
export function markCountryCodes(text: string): string {
  if (!HAS_CODE.test(text)) return text;
  const isShouted = isInCapitals(text);
  let marked = '';
  let end = 0;
  for (const list of listCountries(text)) {
    for (const { at, word } of list.members.filter((member) => isCode(member, list, isShouted))) {
      marked += `${text.slice(end, at)}${CODE_BEGINS}${word}${CODE_ENDS}`;
      end = at + word.length;
    }
  }
  return marked + text.slice(end);
}

/** Returns the country that a marked code stands for, in lower case. */
export function readCountryCode(code: string): string | undefined {
  return COUNTRY_CODES.get(code);
}

/** Whether a text has capitals only, so that they say nothing. */
function isInCapitals(text: string): boolean {
  return /[A-Z]{4}/u.test(text) && !/\p{Ll}/u.test(text);
}

function listCountries(text: string): readonly CountryList[] {
  const lists: CountryList[] = [];
  const hasWordCode = HAS_WORD_CODE.test(text);
  let end = 0;
  for (const { 0: word, index } of text.matchAll(CANDIDATE)) {
    if (!COUNTRY_CODES.has(word) && !(hasWordCode && namesCountry(word))) continue;
    const between = text.slice(end, index);
    const list = lists.at(-1);
    const member = { at: index, word, isIn: IN_BEFORE.test(text.slice(Math.max(0, index - 8), index)) };
    if (list !== undefined && SEPARATOR.test(between)) {
      list.members.push(member);
      list.hasBlank ||= BLANK.test(between);
    } else lists.push({ members: [member], hasBlank: false });
    end = index + word.length;
  }
  return lists;
}

function namesCountry(word: string): boolean {
  return findPhrase([wordKey(word)], 0)?.meaning.pointers.some(isCountry) === true;
}

const MIN_SHOUTED_MEMBERS = 3;

function isCode({ word, isIn }: Member, { members, hasBlank }: CountryList, isShouted: boolean): boolean {
  if (!COUNTRY_CODES.has(word)) return false;
  if (isShouted) return members.length >= MIN_SHOUTED_MEMBERS && !hasBlank;
  if (!WORD_CODES.has(word) || (isIn && !TRADE_CODES.has(word))) return true;
  const sure = members.filter((other) => !WORD_CODES.has(other.word)).length;
  return members.length > 1 && (!hasBlank || sure > 1);
}
