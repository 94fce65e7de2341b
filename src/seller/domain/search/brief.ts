import { type Money, type PriceLimit, readMoney } from './budget.js';
import { withoutDates } from './dates/dates.js';
import { isWord, type Pointer } from './lexicon/lexicon.js';
import { type Ending, scanText, type Unit } from './lexicon/scan.js';
import { stem } from './words.js';

const MAX_BRIEF_CHARS = 4000;

const MAX_BRIEF_WORDS = 200;

/** One thing a brief asks for, or asks to leave out: the words it was asked in, and the terms of an index that they point at. */
export type SearchTerm = {
  readonly label: string;
  readonly pointers: readonly Pointer[];
  readonly isUnwanted: boolean;
  /** "Only guaranteed": what is something else does not answer the brief. */
  readonly isOnly: boolean;
  /** The word suggests more than it asks for. */
  readonly isHint: boolean;
};

/** A brief as it was understood. */
export type Brief = {
  readonly terms: readonly SearchTerm[];
  /** The largest amount that the brief can spend. */
  readonly budget: Money | undefined;
  /** The highest price that it pays. */
  readonly price: PriceLimit | undefined;
  /** Currencies that it wants prices in, in lower case; empty for any. */
  readonly currencies: readonly string[];
};

type Draft = { label: string; pointers: readonly Pointer[]; isUnwanted: boolean; isOnly: boolean; isHint: boolean };

/** Reads a brief: what it asks for and what it refuses, its money, and its prices. Reads the first 4,000 characters and 200 words. */
export function readBrief(text: string): Brief {
  const shown = text.slice(0, MAX_BRIEF_CHARS);
  const { budget, price, rest } = readMoney(shown);
  const ages = readAges(withoutDates(rest));
  const drafts = [...new ClauseReader(scanText(ages.rest, MAX_BRIEF_WORDS), readLanguage(shown)).read(), ...ages.terms];
  const terms = new Map<string, Draft>();
  for (const draft of drafts) {
    const key = `${draft.isUnwanted}${draft.pointers.join()}`;
    const before = terms.get(key);
    if (before === undefined) terms.set(key, draft);
    else before.isOnly ||= draft.isOnly;
  }
  const read = [...terms.values()];
  return { terms: read.filter((term) => !isCurrency(term)), budget, price, currencies: listCurrencies(read) };
}

/** Returns what a brief asks for and what it refuses. */
export function readSearchTerms(text: string): readonly SearchTerm[] {
  return readBrief(text).terms;
}

function isCurrency({ pointers, isUnwanted }: Draft): boolean {
  return !isUnwanted && pointers.some(([term]) => term.startsWith('currency:'));
}

function listCurrencies(drafts: readonly Draft[]): readonly string[] {
  return drafts
    .filter(isCurrency)
    .flatMap(({ pointers }) => pointers.flatMap(([term]) => (term.startsWith('currency:') ? [term.slice(9)] : [])));
}

const PORTUGUESE = /[ãõ]|(?<!\p{L})(?:em|com|sem|das|uma|um|na|nas|nos|ao|aos|pelo|pela|você|e)(?!\p{L})/giu;
const OTHERS = /[ñ¿¡]|(?<!\p{L})(?:el|los|las|y|con|una|en|del|the|and|with|our|we|et|und)(?!\p{L})/giu;

/** The readings of words that two languages share, by the language of the text. */
type CueLanguage = {
  /** In Portuguese, "no" is "in the", and "não" is no. */
  readonly isPortuguese: boolean;
  /** In Japanese, what is not wanted stands before the word that says so, in Chinese behind it. */
  readonly isJapanese: boolean;
};

function readLanguage(text: string): CueLanguage {
  return { isPortuguese: isPortuguese(text), isJapanese: KANA.test(text) };
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Words of refusal that Chinese and Japanese share. */
const HAN_REFUSALS = new Set(['不要', '排除', '避免']);
/** Whether a text is Portuguese, where "no" is "in the", and "não" is no. */
function isPortuguese(text: string): boolean {
  const count = (words: RegExp): number => [...text.matchAll(words)].length;
  return count(PORTUGUESE) > count(OTHERS);
}

const SEMICOLON = /^[;；؛]$/u;

/** What briefs name to keep away from it. */
const SENSITIVE = new Set(['gambling', 'politics', 'alcohol', 'tobacco'].map(stem));

function isSensitive({ pointers }: Draft): boolean {
  return pointers.some(([term]) => SENSITIVE.has(term));
}

/** Reads units in their order and keeps what is wanted apart from what is not: where a negation begins, and what ends it. */
class ClauseReader {
  readonly #units: readonly Unit[];
  readonly #language: CueLanguage;
  readonly #drafts: Draft[] = [];
  /** The terms of the clause so far. */
  #clause: Draft[] = [];
  #isNegated = false;
  /** What stands before the clause in a list of things that nobody wants. */
  #listed: readonly Draft[] = [];
  /** Whether something was refused since the negation began. */
  #hasRefused = false;
  #isOnly = false;
  /** Whether the negation is a label's, and holds for all that it heads. */
  #isLabeled = false;

  constructor(units: readonly Unit[], language: CueLanguage) {
    this.#units = units;
    this.#language = language;
  }

  read(): readonly Draft[] {
    for (const [at, unit] of this.#units.entries()) {
      if (unit.ends !== undefined) this.#end(unit.ends, at);
      else if (unit.cue !== undefined) this.#applyCue(unit, at);
      else if (!unit.isPlain) this.#take(unit);
    }
    return this.#drafts;
  }

  #take({ label, pointers, isHint = false }: Unit): void {
    const draft = { label, pointers, isUnwanted: this.#isNegated, isOnly: this.#isOnly && !this.#isNegated, isHint };
    this.#hasRefused ||= this.#isNegated;
    this.#drafts.push(draft);
    this.#clause.push(draft);
  }

  #applyCue({ cue: given, label }: Unit, at: number): void {
    const isHan = HAN_REFUSALS.has(label);
    const isAhead = given === 'notBefore' && !isHan && this.#beginsClause(at);
    const own = isAhead ? 'not' : given;
    const cue = isHan ? this.#hanRefusal() : own;
    if (cue === 'not') this.#negate(label);
    else if (cue === 'notBefore') this.#refuseBefore();
    else if (cue === 'only') {
      this.#affirm();
      this.#isOnly = true;
      for (const draft of this.#clause) draft.isOnly = !draft.isUnwanted;
    } else if (cue === 'but') this.#startClause();
    else if (cue === 'wanted') this.#affirm();
    else if (cue === 'toward' && this.#hasRefused) this.#affirm();
    if (cue === 'toward' && this.#units.some(({ cue: other }) => other === 'notBefore')) this.#clause = [];
  }

  /** Whether nothing of its sentence stands before a unit: "Ausgeschlossen sind …". */
  #beginsClause(at: number): boolean {
    const before = this.#units[at - 1]?.ends;
    return (at === 0 || (before !== undefined && before !== 'comma')) && this.#units[at + 1]?.ends === undefined;
  }

  /** Refuses what the clause has named, and what is listed before it where nobody would want it: "도박, 주류 제외". */
  #refuseBefore(): void {
    for (const draft of this.#clause) draft.isUnwanted = true;
    if (!this.#clause.some(isSensitive)) return;
    for (const draft of this.#listed) draft.isUnwanted = true;
  }

  #hanRefusal(): 'not' | 'notBefore' {
    return this.#language.isJapanese ? 'notBefore' : 'not';
  }

  #negate(label: string): void {
    if (this.#language.isPortuguese && label.toLowerCase() === 'no') return;
    this.#isNegated = true;
    this.#hasRefused = false;
    this.#isOnly = false;
  }

  #affirm(): void {
    this.#isNegated = false;
    this.#hasRefused = false;
  }

  #startClause(): void {
    this.#affirm();
    this.#isOnly = false;
    this.#isLabeled = false;
    this.#listed = [];
    this.#clause = [];
  }

  #end(kind: Ending, at: number): void {
    if (kind === 'label') {
      this.#endLabel(at);
      return;
    }
    if (this.#isLabeled && this.#isHeadedAfter(kind, at)) return;
    if (kind === 'comma' && this.#isNegated && this.#isListAfter(at)) return;
    const listed = kind === 'comma' && this.#clause.every(isSensitive) ? [...this.#listed, ...this.#clause] : [];
    this.#startClause();
    this.#listed = listed;
  }

  /** "Exclusions: news, gambling" and "제외: 뉴스": a label that refuses heads a list. */
  #endLabel(at: number): void {
    const hasNamed = this.#clause.some(({ pointers }) => pointers.some(([term]) => !isWord(term)));
    const isRefusal = (this.#isNegated && !hasNamed) || this.#refusesBefore(at);
    const label = this.#units[at]?.label ?? '';
    this.#startClause();
    if (!isRefusal) return;
    this.#negate(label);
    this.#isLabeled = true;
  }

  /** Whether a label is nothing but a word that refuses what stands before it. */
  #refusesBefore(at: number): boolean {
    const before = this.#units[at - 1];
    const isAlone = this.#units[at - 2] === undefined || this.#units[at - 2]?.ends !== undefined;
    return isAlone && before?.cue === 'notBefore';
  }

  /** Whether what follows is still headed by the label: the rest of its line, or the items below it that have no labels of their own. */
  #isHeadedAfter(kind: Ending, at: number): boolean {
    if (kind === 'comma' || SEMICOLON.test(this.#units[at]?.label ?? '')) return true;
    const isEmpty = !this.#hasRefused && kind === 'line';
    if (kind !== 'item' && !isEmpty) return false;
    const next = this.#units.slice(at + 1).find(({ ends }) => ends !== undefined && ends !== 'comma');
    return next?.ends !== 'label';
  }

  /** Whether a refused list goes on after the comma: "no audio, podcasts or radio". */
  #isListAfter(at: number): boolean {
    for (const { cue, ends } of this.#units.slice(at + 1, at + 24)) {
      if (
        (ends !== undefined && ends !== 'comma') ||
        cue === 'wanted' ||
        cue === 'only' ||
        cue === 'but' ||
        cue === 'not'
      )
        return false;
      if (cue === 'toward' || cue === 'and') return false;
      if (cue === 'or') return true;
    }
    return false;
  }
}

/** Words for years of life, and for the ten of them that begin with a number: "20代". */
const YEARS_OF_LIFE = '(?:歳|歲|岁|세|살|ปี|ans|años|anos|jahre|years?|yrs?|yaş|lat|سنة|代|대)';
const AGE_RANGE = new RegExp(
  `(?<![\\d$€£.,])(\\d{2})\\s?${YEARS_OF_LIFE}?\\s?(?:-|–|—|to|bis|a|à|〜|～|~|and|y|e|et|und|至|到|から|에서|부터|إلى|ila|do|até|ถึง)\\s?(\\d{2})(代|대)?(?![\\d%]|\\s?(?:k|m|cpm|eur|usd|€|\\$))`,
  'giu',
);
const AGE_FROM = new RegExp(
  `(?<![\\d$€£.,])(\\d{2})(?:\\s?\\+|\\s?${YEARS_OF_LIFE}?\\s?(?:以上|이상|üstü|üzeri|ve üzeri|i więcej|ขึ้นไป|and (?:over|older|up|above)|und älter|et plus|y más|o más|ou mais|e mais|فما فوق))|(?:over|above|über|ueber|mayores de|más de|plus de|acima de|maiores de|mais de|powyżej|أكثر من|فوق)\\s(\\d{2})(?!\\d|\\s?(?:%|k|m|cpm|eur|usd|dollars?|euros?|€|\\$))`,
  'giu',
);
const DECADE_YEARS = 9;
const BUCKETS: readonly (readonly [name: string, from: number, to: number])[] = [
  ['13-17', 13, 17],
  ['18-24', 18, 24],
  ['25-34', 25, 34],
  ['35-44', 35, 44],
  ['45-54', 45, 54],
  ['55+', 55, 99],
];

/** Reads ages ("25-54", "55+") into terms; `rest` is the text without them. */
function readAges(text: string): { readonly terms: Draft[]; readonly rest: string } {
  const terms: Draft[] = [];
  const take = (label: string, from: number, to: number): string => {
    if (from < 13 || to <= from || to > 99) return label;
    const within = BUCKETS.filter(([, low, high]) => low >= from - 1 && high <= to + 1);
    const pointers = within.map(([name]) => [`age:${name}`, 0.9] as const);
    if (pointers.length === 0) return label;
    terms.push({ label, pointers, isUnwanted: false, isOnly: false, isHint: true });
    return ' ';
  };
  const rest = text
    .replace(AGE_RANGE, (label, from: string, to: string, decade: string | undefined) =>
      take(label, Number(from), Number(to) + (decade === undefined ? 0 : DECADE_YEARS)),
    )
    .replace(AGE_FROM, (label, plus: string | undefined, over: string | undefined) =>
      take(label, Number(plus ?? over), 99),
    );
  return { terms, rest };
}

/** Returns the lowest age that a text wants to reach, in numbers or in words ("teens"); undefined where it names none. */
export function readLeastAge(text: string): number | undefined {
  const rest = withoutDates(readMoney(text.slice(0, MAX_BRIEF_CHARS)).rest);
  const numbers = [...rest.matchAll(AGE_RANGE), ...rest.matchAll(AGE_FROM)]
    .map(([, from, over]) => Number(from ?? over))
    .filter((age) => age >= (BUCKETS[0]?.[1] ?? 0));
  const inWords = readAges(rest).rest;
  const words = readSearchTerms(inWords).flatMap(({ isUnwanted, pointers }) =>
    isUnwanted
      ? []
      : BUCKETS.filter(([name]) => pointers.some(([term]) => term === `age:${name}`)).map(([, from]) => from),
  );
  const ages = [...numbers, ...words];
  return ages.length === 0 ? undefined : Math.min(...ages);
}

/** Whether a term of a brief asks for what a thing is (its channel, price, country), not what it is about. */
export function isFacetTerm({ pointers }: SearchTerm): boolean {
  const [first] = pointers.filter(([, weight]) => weight >= 0.9);
  return first !== undefined && !isWord(first[0]);
}
