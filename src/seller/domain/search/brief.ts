import { type Money, type PriceLimit, readMoney } from './budget.js';
import { withoutDates } from './dates/dates.js';
import { isWord, type Pointer } from './lexicon/lexicon.js';
import { type Ending, scanText, type Unit } from './lexicon/scan.js';
import { stem } from './words.js';

const MAX_BRIEF_CHARS = 4000;

const MAX_BRIEF_WORDS = 200;

/** Words of a brief, and the terms of an index that they point at. */
export type NamedTerm = { readonly label: string; readonly pointers: readonly Pointer[] };

/** One thing a brief asks for, or asks to leave out: the words it was asked in, and the terms of an index that they point at. */
export type SearchTerm = NamedTerm & {
  readonly isUnwanted: boolean;
  /** The places where alone it is not wanted: "no posters in Lyon". Empty for everywhere. */
  readonly within: readonly NamedTerm[];
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

type Draft = NamedTerm & {
  isUnwanted: boolean;
  isOnly: boolean;
  readonly isHint: boolean;
  readonly within: NamedTerm[];
  /** Whether a comma, "and" or "or" joins it to what stands before it. */
  readonly isJoined: boolean;
};

/** Reads a brief: what it asks for and what it refuses, its money, and its prices. Reads the first 4,000 characters and 200 words. */
export function readBrief(text: string): Brief {
  const shown = text.slice(0, MAX_BRIEF_CHARS);
  const { budget, price, rest } = readMoney(shown);
  const ages = readAges(withoutDates(rest));
  const drafts = [...new ClauseReader(scanText(ages.rest, MAX_BRIEF_WORDS), readLanguage(shown)).read(), ...ages.terms];
  const terms = new Map<string, Draft>();
  for (const draft of drafts) {
    const key = `${draft.isUnwanted}${draft.pointers.join()}${draft.within.map(({ label }) => label).join()}`;
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

const PORTUGUESE = /[ãõô]|(?<!\p{L})(?:em|com|sem|das|uma|um|na|nas|nos|ao|aos|pelo|pela|você|e)(?!\p{L})/giu;
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

function isPlace({ pointers }: NamedTerm): boolean {
  return pointers.length > 0 && pointers.every(([term]) => /^(?:place|country):/u.test(term));
}

function isCity({ pointers }: NamedTerm): boolean {
  return pointers.some(([term]) => term.startsWith('place:'));
}

function isChannel({ pointers }: NamedTerm): boolean {
  return pointers.some(([term, weight]) => weight >= SURE_WEIGHT && term.startsWith('channel:'));
}

/** From this strength on, a word names a channel. */
const SURE_WEIGHT = 0.8;

const SEMICOLON = /^[;；؛]$/u;

/** What briefs name to keep away from it. */
const SENSITIVE = new Set(['gambling', 'politics', 'alcohol', 'tobacco'].map(stem));

function isSensitive({ pointers }: NamedTerm): boolean {
  return pointers.some(([term]) => SENSITIVE.has(term));
}

/** Reads units in their order and keeps what is wanted apart from what is not: where a negation begins, and what ends it. */
class ClauseReader {
  readonly #units: readonly Unit[];
  readonly #language: CueLanguage;
  readonly #hasNotBefore: boolean;
  #drafts: Draft[] = [];
  /** The terms of the clause so far. */
  #clause: Draft[] = [];
  #isNegated = false;
  /** What stands before the clause in a list of things that nobody wants. */
  #listed: readonly Draft[] = [];
  /** The things that were refused since the negation began. */
  #refused: Draft[] = [];
  /** The channels that are refused with a topic beside them. */
  readonly #qualified = new Set<Draft>();
  /** The places that stand before the negation, where nothing else does. */
  #frame: readonly Draft[] = [];
  /** The things that the clause before refuses in some places. */
  #elsewhere: readonly Draft[] = [];
  /** Whether something was refused since the negation began. */
  #hasRefused = false;
  #isOnly = false;
  /** Whether the negation is a label's, and holds for all that it heads. */
  #isLabeled = false;

  constructor(units: readonly Unit[], language: CueLanguage) {
    this.#units = units;
    this.#hasNotBefore = units.some(({ cue }) => cue === 'notBefore');
    this.#language = language;
  }

  read(): readonly Draft[] {
    for (const [at, unit] of this.#units.entries()) {
      if (unit.ends !== undefined) this.#end(unit.ends, at);
      else if (unit.cue !== undefined) this.#applyCue(unit, at);
      else if (!unit.isPlain) this.#take(unit, at);
    }
    this.#addElsewhere(true);
    return this.#drafts.filter((draft) => !this.#isQualified(draft));
  }

  #take({ label, pointers, isHint = false }: Unit, at: number): void {
    const isUnwanted = this.#isNegated;
    const draft: Draft = {
      label,
      pointers,
      isUnwanted,
      isOnly: this.#isOnly && !isUnwanted,
      isHint,
      within: [],
      isJoined: (isUnwanted || this.#hasNotBefore) && this.#isJoined(at),
    };
    if (isUnwanted && this.#narrowRefusal(draft)) return;
    this.#hasRefused ||= isUnwanted;
    this.#drafts.push(draft);
    this.#clause.push(draft);
    if (isUnwanted) this.#addRefused(draft);
  }

  #addRefused(draft: Draft): void {
    const before = this.#refused.at(-1);
    this.#refused.push(draft);
    if (before === undefined || draft.isJoined || isChannel(before) === isChannel(draft)) return;
    const [channel, topic] = isChannel(draft) ? [draft, before] : [before, draft];
    if (topic.pointers.length > 1 || isSensitive(topic)) this.#qualified.add(channel);
  }

  /** Whether a channel that is refused with a topic beside it is asked for without: "no podcasts about politics", "business podcasts". */
  #isQualified(draft: Draft): boolean {
    const [channel] = draft.pointers.find(([term]) => term.startsWith('channel:')) ?? [];
    if (!this.#qualified.has(draft)) return false;
    return this.#drafts.some(
      (other) => !other.isUnwanted && other.pointers.some(([term, weight]) => term === channel && weight === 1),
    );
  }

  #isJoined(at: number): boolean {
    const before = this.#findTelling(at, -1);
    return before?.ends === 'comma' || before?.cue === 'and' || before?.cue === 'or';
  }

  /** Returns the next unit before or behind one that is more than a plain word. */
  #findTelling(at: number, step: 1 | -1): Unit | undefined {
    for (let next = at + step; next >= 0 && next < this.#units.length; next += step) {
      const unit = this.#units[next];
      if (unit !== undefined && (!unit.isPlain || unit.cue !== undefined || unit.ends !== undefined)) return unit;
    }
    return undefined;
  }

  /** Whether a refused place says where alone the things before it are refused ("no posters in Lyon"), which they then are. */
  #narrowRefusal(draft: Draft): boolean {
    const things = this.#refused.filter(isChannel);
    const isWithin = things.some(({ within }) => within.length > 0);
    if (isPlace(draft) && things.length > 0 && (isWithin || !draft.isJoined)) {
      for (const thing of things) thing.within.push(draft);
      return true;
    }
    // "In Lyon no posters": where a clause begins with places, they say so, too.
    if (!isChannel(draft)) return false;
    draft.within.push(...this.#frame);
    this.#forget(this.#frame.filter(isCity));
    return false;
  }

  /** Takes places back that the brief does not ask for. */
  #forget(places: readonly Draft[]): void {
    this.#drafts = this.#drafts.filter((draft) => !places.includes(draft));
    this.#clause = this.#clause.filter((draft) => !places.includes(draft));
  }

  #applyCue({ cue: given, label }: Unit, at: number): void {
    const isHan = HAN_REFUSALS.has(label);
    const isAhead = given === 'notBefore' && !isHan && this.#beginsClause(at);
    const isBehind = given === 'not' && !isHan && this.#endsClause(at);
    const turned = isBehind ? 'notBefore' : given;
    const own = isAhead ? 'not' : turned;
    const cue = isHan ? this.#hanRefusal() : own;
    if (cue === 'not') this.#negate(label);
    else if (cue === 'notBefore') this.#refuseBefore();
    else if (cue === 'only') {
      this.#affirm();
      this.#isOnly = true;
      for (const draft of this.#clause) draft.isOnly = !draft.isUnwanted;
    } else if (cue === 'but') this.#startClause();
    else if (cue === 'wanted') this.#affirm();
    else if (cue === 'toward' && this.#hasRefused && !this.#isScopeAfter(at)) this.#affirm();
    if (cue === 'toward' && this.#hasNotBefore) {
      this.#frame = this.#clause.every(isPlace) ? this.#clause : [];
      this.#clause = [];
    }
  }

  /** Whether nothing of its sentence stands before a unit: "Ausgeschlossen sind …". */
  #beginsClause(at: number): boolean {
    const before = this.#units[at - 1]?.ends;
    return (at === 0 || (before !== undefined && before !== 'comma')) && this.#units[at + 1]?.ends === undefined;
  }

  /** Whether a place follows that says where alone something is refused: the clause asks for nothing, or for it elsewhere. */
  #isScopeAfter(at: number): boolean {
    const next = this.#units.slice(at + 1, at + 4).find(({ isPlain, ends }) => !isPlain || ends !== undefined);
    if (next === undefined || !isPlace(next) || !this.#refused.some(isChannel)) return false;
    const wanted = this.#clause.filter(({ isUnwanted }) => !isUnwanted);
    return wanted.length === 0 || wanted.some(isPlace);
  }

  /** Whether a clause that names something ends with a unit: "Politik vermeiden", "radio, no". */
  #endsClause(at: number): boolean {
    const next = this.#findTelling(at, 1);
    return this.#clause.length > 0 && (next === undefined || (next.ends !== undefined && next.ends !== 'label'));
  }

  /** Refuses what the clause has named, and what is listed before it where nobody would want it: "도박, 주류 제외". */
  #refuseBefore(): void {
    const places = [...this.#frame, ...this.#clause.filter(isPlace)];
    const things = this.#clause.filter((draft) => !isPlace(draft));
    const isScoped =
      things.some(isChannel) &&
      places.length > 0 &&
      (this.#frame.length > 0 || !this.#clause.slice(1).every(({ isJoined }) => isJoined));
    for (const draft of isScoped ? things : this.#clause) draft.isUnwanted = true;
    if (isScoped) for (const thing of things) thing.within.push(...places);
    if (isScoped) this.#forget(places.filter((place) => isCity(place) || this.#clause.includes(place)));
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
    this.#refused = [];
    this.#frame = this.#clause.every(isPlace) ? this.#clause : [];
  }

  #affirm(): void {
    this.#isNegated = false;
    this.#hasRefused = false;
  }

  /** "No posters in Lyon, in Paris gladly": a clause of places asks for what the one before it refuses in others. */
  #addElsewhere(isWhole: boolean): void {
    const things = this.#elsewhere;
    if (!isWhole || things.length === 0) return;
    const wanted = this.#clause.filter(({ isUnwanted }) => !isUnwanted);
    if (
      !wanted.some(isPlace) ||
      !wanted.every((draft) => isPlace(draft) || draft.pointers.every(([term]) => isWord(term)))
    )
      return;
    this.#drafts.push(...things.map((thing) => ({ ...thing, isUnwanted: false, within: [] })));
  }

  #startClause(ending: 'comma' | 'semicolon' | 'sentence' = 'comma'): void {
    this.#addElsewhere(ending !== 'comma');
    this.#elsewhere = ending === 'sentence' ? [] : this.#clause.filter(({ within }) => within.length > 0);
    this.#affirm();
    this.#isOnly = false;
    this.#isLabeled = false;
    this.#listed = [];
    this.#clause = [];
    this.#frame = [];
  }

  #end(kind: Ending, at: number): void {
    if (kind === 'label') {
      this.#endLabel(at);
      return;
    }
    if (this.#isLabeled && this.#isHeadedAfter(kind, at)) return;
    if (kind === 'comma' && this.#isNegated && this.#isListAfter(at)) return;
    const listed = kind === 'comma' && this.#clause.every(isSensitive) ? [...this.#listed, ...this.#clause] : [];
    const other = SEMICOLON.test(this.#units[at]?.label ?? '') ? 'semicolon' : 'sentence';
    this.#startClause(kind === 'comma' ? 'comma' : other);
    this.#listed = listed;
  }

  /** "Exclusions: news, gambling" and "제외: 뉴스": a label that refuses heads a list. */
  #endLabel(at: number): void {
    const hasNamed = this.#clause.some(({ pointers }) => pointers.some(([term]) => !isWord(term)));
    const isRefusal = (this.#isNegated && !hasNamed && this.#refused.length === 0) || this.#refusesBefore(at);
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
    const next = this.#units[at + 1];
    if (next !== undefined && isSensitive(next) && this.#refused.every(isSensitive)) return true;
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
    terms.push({ label, pointers, isUnwanted: false, isOnly: false, isHint: true, within: [], isJoined: false });
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
