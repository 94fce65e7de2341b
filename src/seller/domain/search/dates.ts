import { DAY_MS } from '../../../platform/kernel/clock.js';
import { type CalendarPart, findCalendarWord } from './lexicon/calendar.js';
import { findPeriodWord, type PeriodWord, readJapanesePeriod, type TimeUnit } from './lexicon/periods.js';
import { normalizeWord } from './words.js';

/** The days that a brief names, both in, `YYYY-MM-DD`; either may be left to the seller. */
export type NamedDays = { readonly start_date?: string; readonly end_date?: string };

/** The dates of a brief: the days that it names, or what it says that can mean several, or days that have passed. */
type BriefDates = { readonly days?: NamedDays; readonly unclear?: string };

type Token = {
  readonly part:
    | CalendarPart
    | 'iso'
    | 'slashed'
    | 'number'
    | 'day'
    | 'year'
    | 'quarterOf'
    | 'halfOf'
    | 'comma'
    | 'other';
  readonly value: number;
  /** The part that it plays in a time that is told from today on, or in a span. */
  readonly period?: PeriodWord | undefined;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly isUnsure: boolean;
};

/** A calendar's day, or a longer part of it: its months are counted from 1, and the year may be missing. */
type Point = {
  readonly year?: number | undefined;
  readonly month: number;
  readonly months: number;
  readonly day?: number | undefined;
  /** How many days it has from `day` on; one unless given. */
  readonly days?: number | undefined;
  /** The unit of time that is meant, told from today on, in place of all the others. */
  readonly relative?: Pick<Extract<PeriodWord, { part: 'relative' }>, 'unit' | 'offset'> | undefined;
};

/** How long a flight is. */
type Span = { readonly count: number; readonly unit: TimeUnit };

/** What a text says of days: from where to where it says it, the first and last of them, and whether it can mean several. */
type Mention = {
  readonly from: number;
  readonly to: number;
  readonly first?: Point | undefined;
  readonly last?: Point | undefined;
  /** How long it is, from `first` on, or from tomorrow. */
  readonly span?: Span | undefined;
  readonly isUnclear: boolean;
};

const MAX_TOKENS = 2000;

const PIECE =
  /(?<iso>\d{4}-\d{1,2}-\d{1,2})(?!\d)|(?<slashed>\d{1,4}[./]\d{1,2}[./]\d{2,4})(?!\d)|(?<year>\d{4})年|第?(?<quarterOf>[1-4])四半期|(?<japanese>[来今](?:四半期|週|月|年)|\d{1,3}(?:週間|日間|[かヶカヵケ]月間?|年間))|(?<month>\d{1,2})月|(?<day>\d{1,2})日|(?<![\p{L}\p{N}])(?:[qt](?<q>[1-4])|h(?<half>[12]))(?![\p{L}\p{N}])|(?<![$€£¥]\s?|[\p{L}\p{N}][.,]?)(?<number>\d{1,4})(?:st|nd|rd|th|er|[ºª.])?(?![\p{L}\p{N}%]|[.,]\d|\s?(?:k|%|€|\$|eur|usd|gbp|million|cpm)\b)|から|まで|または|[\p{L}\p{M}]+|[-–—~〜～&/]|(?<comma>,)|[.;:!?\n、。]|\d+/giu;

/**
 * Returns the dates of a brief, in English, German, Spanish, French, Portuguese, Japanese or Arabic; undefined where it names none. A span of time
 * that names no beginning begins at `spanFromMs`, tomorrow unless given.
 */
export function readDates(text: string, nowMs: number, spanFromMs = nowMs + DAY_MS): BriefDates | undefined {
  const mentions = findMentions(text);
  const [one] = mentions;
  if (one === undefined) return undefined;
  const labels = [...new Set(mentions.map(({ from, to }) => text.slice(from, to).trim()))];
  if (labels.length > 1 || one.isUnclear) return { unclear: `"${labels.join('" and "').slice(0, 200)}"` };
  const days = resolveDays(one, nowMs, spanFromMs);
  return days === undefined ? { unclear: `"${labels[0]}"` } : { days };
}

/** Returns a text without its dates. */
export function withoutDates(text: string): string {
  let rest = '';
  let end = 0;
  for (const { from, to } of findMentions(text)) {
    rest += `${text.slice(end, from)} `;
    end = to;
  }
  return rest + text.slice(end);
}

function findMentions(text: string): readonly Mention[] {
  const reader = new DateReader(tokenize(text));
  return reader.read();
}

const MAX_COUNT = 400;

const FOREIGN_DIGITS = /[٠-٩０-９]/gu;

function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  return String(code - (code >= 0xff10 ? 0xff10 : 0x0660));
}

function tokenize(text: string): readonly Token[] {
  const plain = text.replace(FOREIGN_DIGITS, asciiDigit);
  const tokens: Token[] = [];
  for (const match of plain.matchAll(PIECE)) {
    if (tokens.length === MAX_TOKENS) break;
    const [whole] = match;
    const span = { text: whole, from: match.index, to: match.index + whole.length };
    tokens.push({ ...span, ...classify(whole, match.groups ?? {}) });
  }
  return tokens;
}

function classify(
  text: string,
  groups: Readonly<Record<string, string | undefined>>,
): Pick<Token, 'part' | 'value' | 'isUnsure' | 'period'> {
  const period = groups.japanese === undefined ? findPeriodWord(text) : readJapanesePeriod(text);
  return { ...classifyPart(text, groups), period };
}

function classifyPart(
  text: string,
  {
    iso,
    slashed,
    year,
    quarterOf,
    q,
    half,
    month,
    day,
    number,
    comma,
    japanese,
  }: Readonly<Record<string, string | undefined>>,
): Pick<Token, 'part' | 'value' | 'isUnsure'> {
  const sure = (part: Token['part'], value: string | number = 0) => ({ part, value: Number(value), isUnsure: false });
  if (iso !== undefined) return sure('iso');
  if (slashed !== undefined) return sure('slashed');
  if (year !== undefined) return sure('year', year);
  if (quarterOf !== undefined || q !== undefined) return sure('quarterOf', quarterOf ?? q);
  if (half !== undefined) return sure('halfOf', half);
  if (month !== undefined) return sure(Number(month) <= 12 ? 'month' : 'other', month);
  if (day !== undefined) return sure('day', day);
  if (number !== undefined) return sure(isYear(Number(number)) ? 'year' : 'number', number);
  if (comma !== undefined) return sure('comma');
  if (japanese !== undefined) return sure('other');
  const word = findCalendarWord(text);
  return word === undefined ? sure('other') : { value: 0, isUnsure: false, ...word };
}

function isYear(number: number): boolean {
  return number >= 2000 && number < 2100;
}

/** A point of a calendar that was read, and the tokens after it. */
type Read = { readonly point: Point; readonly next: number; readonly isUnclear?: boolean };

const MONTHS_A_QUARTER = 3;
const MONTHS_A_HALF = 6;
const MONTHS_A_YEAR = 12;

/** Words before a span of time that say how long something runs, and those that may say until when, or by when. */
const LASTING = new Set('for lasting fur uber wahrend durante pendant por lang لمدة'.split(' '));
/** Words that end a stretch of time whose beginning was not understood. */
const ONLY_TO = /^(?:to|through|thru|إلى)$/iu;
const WITHIN = new Set('in within innerhalb en dans em dentro خلال'.split(' '));

/** Words that say that the month before them is one: "a March campaign". */
const AFTER_MONTH = new Set(['campaign', 'flight', 'launch', 'promotion', 'sale']);

/** Reads the dates of a text, token by token. */
class DateReader {
  readonly #tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): readonly Mention[] {
    const mentions: Mention[] = [];
    for (let at = 0; at < this.#tokens.length; ) {
      const range = this.#range(at);
      if (range === undefined) at += 1;
      else {
        mentions.push(range.mention);
        at = range.next;
      }
    }
    return mentions;
  }

  #part(at: number): Token['part'] | undefined {
    return this.#tokens[at]?.part;
  }

  /** Returns the place after words that only join: "15 de diciembre", "March, 2027". */
  #skip(at: number, ...parts: readonly Token['part'][]): number {
    let next = at;
    while (next < at + 2 && parts.includes(this.#part(next) ?? 'other')) next += 1;
    return next;
  }

  #range(at: number): { readonly mention: Mention; readonly next: number } | undefined {
    return this.#spanned(at) ?? this.#pointed(at);
  }

  /** "For two weeks", "the next 30 days", "a four-week campaign", "2 weeks from 1 December". */
  #spanned(at: number): { readonly mention: Mention; readonly next: number } | undefined {
    const near = this.#near(at);
    const span = near?.offset === 1 && !near.isAfter ? this.#span(at + 1) : this.#span(at);
    if (span === undefined) return undefined;
    const before = this.#wordBefore(at);
    const start = this.#startAfter(span.next);
    const isFlight = LASTING.has(before) || this.#tokens[span.next]?.period?.part === 'campaign';
    const isUnclear = WITHIN.has(before) || this.#part(span.next) === 'refusing';
    if (!isFlight && !isUnclear && !span.isNear && near === undefined && start === undefined) return undefined;
    const next = start?.next ?? span.next;
    const { from = 0 } = this.#tokens[at] ?? {};
    const { to = 0 } = this.#tokens[next - 1] ?? {};
    return {
      mention: { from, to, first: start?.point, span, isUnclear: isUnclear || start?.isUnclear === true },
      next,
    };
  }

  #near(at: number): Extract<PeriodWord, { part: 'near' }> | undefined {
    const period = this.#tokens[at]?.period;
    return period?.part === 'near' ? period : undefined;
  }

  #wordBefore(at: number): string {
    return normalizeWord(this.#tokens[at - 1]?.text ?? '');
  }

  /** "Two weeks", "14 days", "4-week", "deux prochaines semaines", "2週間", "أسبوعين". */
  #span(at: number): (Span & { readonly next: number; readonly isNear: boolean }) | undefined {
    const { period, part, value = 0, text = '' } = this.#tokens[at] ?? {};
    if (period?.part === 'span') return { ...period, next: at + 1, isNear: /間$/u.test(text) && !this.#isPast(at) };
    const isOne = part === 'to' && text.toLowerCase() === 'a';
    const count = period?.part === 'count' ? period.count : part === 'number' ? value : isOne ? 1 : 0;
    if (count < 1 || count > MAX_COUNT) return undefined;
    const dash = /^[-–]$/u.test(this.#tokens[at + 1]?.text ?? '') ? 1 : 0;
    const near = this.#near(at + 1);
    const unitAt = at + 1 + (near === undefined ? dash : 1);
    const unit = this.#tokens[unitAt]?.period;
    if (unit?.part !== 'unit') return undefined;
    return { count, unit: unit.unit, next: unitAt + 1, isNear: near?.offset === 1 };
  }

  /** "過去30日間": days that are over. */
  #isPast(at: number): boolean {
    return /過去$/u.test(this.#tokens[at - 1]?.text ?? '');
  }

  /** The day that a span begins with: "… from 1 December", "… ab morgen", "… campaign starting next week". */
  #startAfter(at: number): Read | undefined {
    const isCampaign = this.#tokens[at]?.period?.part === 'campaign';
    const lead = this.#skip(isCampaign ? at + 1 : at, 'comma', 'to');
    return this.#part(lead) === 'from' ? this.#point(this.#skip(lead + 1, 'of', 'to', 'in')) : undefined;
  }

  /** The span that a day is the first of: "from 1 December for two weeks", "12月1日から2週間". */
  #spanAfter(at: number): (Span & { readonly next: number }) | undefined {
    const lead = this.#part(at) === 'comma' ? at + 1 : at;
    if (LASTING.has(normalizeWord(this.#tokens[lead]?.text ?? ''))) return this.#span(lead + 1);
    return this.#tokens[at]?.period?.part === 'span' ? this.#span(at) : undefined;
  }

  #pointed(at: number): { readonly mention: Mention; readonly next: number } | undefined {
    const days = this.#daysOfMonth(at);
    const first = days?.first ?? this.#point(at);
    if (first === undefined) return undefined;
    const last = days?.last ?? this.#joined(first);
    const until = last?.part === 'until' ? last : undefined;
    const lead = this.#lead(at);
    const isOpen = last !== undefined && last.point === undefined;
    const span = last === undefined || isOpen ? this.#spanAfter(last?.next ?? first.next) : undefined;
    const next = span?.next ?? last?.next ?? first.next;
    const isFrom = last === undefined ? lead === 'from' : isOpen && until === undefined;
    const isUntil = last === undefined ? lead === 'until' : isOpen && until !== undefined;
    const isMonth = first.point.day === undefined && first.point.relative?.unit !== 'day';
    const isUnclear =
      first.isUnclear === true ||
      last?.isUnclear === true ||
      lead === 'refusing' ||
      lead === 'vague' ||
      (span !== undefined && isMonth && !isFrom);
    const mention: Mention = {
      from: this.#tokens[at]?.from ?? 0,
      to: this.#tokens[next - 1]?.to ?? 0,
      first: isUntil ? undefined : first.point,
      last: isFrom || span !== undefined ? undefined : (last?.point ?? first.point),
      span,
      isUnclear,
    };
    return { mention, next };
  }

  /** Returns what is said just before a date that limits it, or makes it unclear. */
  #lead(at: number): CalendarPart | undefined {
    if (ONLY_TO.test(this.#tokens[at - 1]?.text ?? '')) return 'until';
    for (let before = at - 1; before >= Math.max(0, at - 3); before -= 1) {
      const part = this.#part(before);
      if (part === 'from' || part === 'until' || part === 'refusing' || part === 'vague') return part;
      if (part !== 'in' && part !== 'of' && part !== 'to') return undefined;
    }
    return undefined;
  }

  /** "1 to 15 December 2026", "1.-15. Dezember", "between 1 and 15 December". */
  #daysOfMonth(at: number): { readonly first: Read; readonly last: Joined } | undefined {
    const from = this.#tokens[at];
    if (from?.part !== 'number' || !isDay(from.value)) return undefined;
    const joint = this.#part(at + 1);
    const isBetween = joint === 'and' && this.#betweenBefore(at);
    if (joint !== 'to' && joint !== 'until' && joint !== 'and') return undefined;
    const last = this.#point(this.#skip(at + 2, 'of', 'to'));
    const isDayOfMonth = last?.point.day !== undefined && this.#part(this.#skip(at + 2, 'of', 'to')) === 'number';
    if (last === undefined || !isDayOfMonth) return undefined;
    const isUnclear = joint === 'and' && !isBetween;
    const first = { point: { ...last.point, day: from.value }, next: last.next, isUnclear };
    return { first, last: { ...last, part: 'to' } };
  }

  #betweenBefore(at: number): boolean {
    return [at - 1, at - 2].some((before) => this.#part(before) === 'between');
  }

  /** What is joined to a point: "to May", "〜15日"; without a point where a word only limits it: "3月から". */
  #joined({ point, next }: Read): Joined | undefined {
    const part = this.#part(next);
    const start = this.#skip(next + 1, 'of', 'to', 'in');
    const right = this.#point(start) ?? this.#dayAfter(point, start);
    if (part === 'to' || part === 'until') {
      const isPostfix = /^(?:から|まで)$/u.test(this.#tokens[next]?.text ?? '');
      if (right === undefined) return isPostfix ? { next: next + 1, part } : undefined;
      const isClosed = this.#tokens[right.next]?.text === 'まで';
      return { ...right, next: isClosed ? right.next + 1 : right.next, part: 'to' };
    }
    if ((part === 'and' || part === 'or' || part === 'comma') && right !== undefined) {
      const isNext = part !== 'or' && right.point.day === undefined && follows(point, right.point);
      return { ...right, part: 'to', isUnclear: !isNext };
    }
    return undefined;
  }

  /** "December 1-15": the second day of the same month. */
  #dayAfter(point: Point, at: number): Read | undefined {
    const token = this.#tokens[at];
    if (point.day === undefined || token === undefined || !isDay(token.value)) return undefined;
    if (token.part !== 'number' && token.part !== 'day') return undefined;
    const { year, next } = this.#year(at + 1);
    return { point: { ...point, year: year ?? point.year, day: token.value }, next };
  }

  #point(at: number): Read | undefined {
    const token = this.#tokens[at];
    if (token === undefined) return undefined;
    const relative = this.#relative(at);
    if (relative !== undefined) return relative;
    if (token.part === 'iso' || token.part === 'slashed') return readNumeric(token, at + 1);
    if (token.part === 'number') return this.#dayFirst(token.value, at);
    if (token.part === 'month') return this.#month(at);
    if (token.part === 'quarterOf') return this.#partOfYear(at + 1, token.value, MONTHS_A_QUARTER);
    if (token.part === 'halfOf') return this.#partOfYear(at + 1, token.value, MONTHS_A_HALF);
    if (token.part === 'ordinal' && this.#part(at + 1) === 'quarter')
      return this.#partOfYear(at + 2, token.value, MONTHS_A_QUARTER);
    if (token.part === 'quarter' && this.#part(at + 1) === 'ordinal')
      return this.#partOfYear(at + 2, this.#tokens[at + 1]?.value ?? 0, MONTHS_A_QUARTER);
    return token.part === 'year' ? this.#yearFirst(token, at) : undefined;
  }

  /** "Next month", "el mes que viene", "mois prochain", "来週", "starting tomorrow". */
  #relative(at: number): Read | undefined {
    const { period } = this.#tokens[at] ?? {};
    const read = (unit: TimeUnit, offset: 0 | 1, next: number): Read => ({
      point: { month: 0, months: 0, relative: { unit, offset } },
      next,
    });
    if (period?.part === 'relative') return read(period.unit, period.offset, at + 1);
    if (period?.part === 'relativeDay') {
      const lead = this.#lead(at);
      const isLimit = lead === 'from' || lead === 'until' || this.#tokens[at + 1]?.text === 'から';
      return isLimit ? read('day', period.offset, at + 1) : undefined;
    }
    if (period?.part === 'near') {
      const unit = this.#tokens[at + 1]?.period;
      return unit?.part === 'unit' && isRelativeUnit(unit.unit, period.offset)
        ? read(unit.unit, period.offset, at + 2)
        : undefined;
    }
    if (period?.part !== 'unit') return undefined;
    const behind = /^que$/iu.test(this.#tokens[at + 1]?.text ?? '') ? at + 2 : at + 1;
    const near = this.#near(behind);
    return near?.isAfter === true && isRelativeUnit(period.unit, near.offset)
      ? read(period.unit, near.offset, behind + 1)
      : undefined;
  }

  /** "15 December", "15 de diciembre de 2026", "1. Quartal 2027". */
  #dayFirst(value: number, at: number): Read | undefined {
    const next = this.#skip(at + 1, 'of', 'from');
    if (this.#part(at + 1) === 'quarter') return this.#partOfYear(at + 2, value, MONTHS_A_QUARTER);
    const month = this.#tokens[next];
    if (month?.part !== 'month' || !isDay(value)) return undefined;
    const { year, next: after } = this.#year(next + 1);
    return { point: { year, month: month.value, months: 1, day: value }, next: after };
  }

  /** "March", "March 2027", "March 15, 2027", "3月15日". */
  #month(at: number): Read | undefined {
    const { value: month = 0, isUnsure = false } = this.#tokens[at] ?? {};
    const day = this.#tokens[at + 1];
    const hasDay = (day?.part === 'number' || day?.part === 'day') && isDay(day.value);
    if (hasDay) {
      const { year, next } = this.#year(at + 2);
      return { point: { year, month, months: 1, day: day.value }, next };
    }
    const { year, next } = this.#year(at + 1);
    const isNamed = year !== undefined || !isUnsure || this.#isMonthHere(at);
    return isNamed ? { point: { year, month, months: 1 }, next } : undefined;
  }

  /** Whether the words around say that "may" or "march" is a month. */
  #isMonthHere(at: number): boolean {
    const before = this.#part(at - 1) ?? 'other';
    const after = this.#tokens[at + 1]?.text.toLowerCase() ?? '';
    if (after === 'madness') return false;
    if (['to', 'until', 'and', 'or'].includes(this.#part(at + 1) ?? '') && this.#part(at + 2) === 'month') return true;
    return (
      AFTER_MONTH.has(after) || ['in', 'of', 'from', 'until', 'to', 'between', 'vague', 'refusing'].includes(before)
    );
  }

  #partOfYear(after: number, index: number, months: number): Read | undefined {
    if (index < 1 || index * months > MONTHS_A_YEAR) return undefined;
    const { year, next } = this.#year(after);
    return { point: { year, month: (index - 1) * months + 1, months }, next };
  }

  /** "2027年3月", "2027年第1四半期", "in 2027". */
  #yearFirst({ value: year, text }: Token, at: number): Read | undefined {
    const isAlone = this.#part(at - 1) === 'in';
    const rest = /年$/u.test(text) ? this.#point(at + 1) : undefined;
    if (rest !== undefined && rest.point.year === undefined) return { ...rest, point: { ...rest.point, year } };
    return isAlone || /年$/u.test(text)
      ? { point: { year, month: 1, months: MONTHS_A_YEAR }, next: at + 1 }
      : undefined;
  }

  #year(at: number): { readonly year?: number; readonly next: number } {
    const next = this.#skip(at, 'of', 'comma');
    const token = this.#tokens[next];
    return token?.part === 'year' ? { year: token.value, next: next + 1 } : { next: at };
  }
}

/** What was joined to a point; without a point of its own where it only limits the first. */
type Joined = {
  readonly point?: Point;
  readonly next: number;
  readonly part: 'to' | 'until';
  readonly isUnclear?: boolean;
};

/** "Next day" and "this year" say no flight. */
function isRelativeUnit(unit: TimeUnit, offset: 0 | 1): boolean {
  return unit !== 'day' && (unit !== 'year' || offset === 1);
}

function isDay(value: number): boolean {
  return value >= 1 && value <= 31;
}

/** Whether the months of one point begin where those of another end. */
function follows(before: Point, after: Point): boolean {
  return before.day === undefined && ((before.month - 1 + before.months) % MONTHS_A_YEAR) + 1 === after.month;
}

/** Reads "2026-12-01", "01.12.2026", "12/31/2026"; a day and month that could be each other are unclear. */
function readNumeric({ text, part }: Token, next: number): Read | undefined {
  const [one = 0, two = 0, three = 0] = text.split(/[-./]/).map(Number);
  const isYearFirst = one > 31;
  const year = isYearFirst ? one : three;
  const [day, month] = isYearFirst ? [three, two] : orderDay(one, two);
  if (month < 1 || month > 12 || !isDay(day)) return undefined;
  const isEither = part === 'slashed' && text.includes('/') && !isYearFirst && one <= 12 && two <= 12 && one !== two;
  return { point: { year: year < 100 ? 2000 + year : year, month, months: 1, day }, next, isUnclear: isEither };
}

function orderDay(one: number, two: number): readonly [day: number, month: number] {
  return two > 12 ? [two, one] : [one, two];
}

/** Returns the days of a mention, from today on, in the year that comes next where none is named; undefined where they have passed or never were. */
function resolveDays(mention: Mention, nowMs: number, spanFromMs: number): NamedDays | undefined {
  const first = mention.first && settlePoint(mention.first, nowMs);
  const last = mention.last && settlePoint(mention.last, nowMs);
  if (mention.span === undefined) return resolvePoints({ first, last }, nowMs);
  const start = first === undefined ? dateOf(spanFromMs) : resolvePoints({ first }, nowMs)?.start_date;
  return start === undefined ? undefined : { start_date: start, end_date: lastOf(start, mention.span) };
}

function resolvePoints({ first, last }: Pick<Mention, 'first' | 'last'>, nowMs: number): NamedDays | undefined {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const thisYear = new Date(nowMs).getUTCFullYear();
  const named = last?.year ?? first?.year;
  const years = named === undefined ? [thisYear, thisYear + 1] : [named];
  for (const year of years) {
    const end = last && endOf(last, last.year ?? (first?.year ?? year) + wraps(first, last));
    const start =
      first && startOf(first, first.year ?? (last?.year === undefined ? year : last.year - wraps(first, last)));
    if ((end ?? start ?? 0) < today || (start !== undefined && end !== undefined && end < start)) continue;
    if (Number.isNaN(start ?? 0) || Number.isNaN(end ?? 0)) return undefined;
    return { start_date: dateOf(start), end_date: dateOf(end) };
  }
  return undefined;
}

const MONTHS_OF: Readonly<Record<'month' | 'quarter' | 'year', number>> = {
  month: 1,
  quarter: MONTHS_A_QUARTER,
  year: MONTHS_A_YEAR,
};

const DAYS_A_WEEK = 7;

/** Returns the part of the calendar that a point told from today on means; a week begins on Monday. */
function settlePoint(point: Point, nowMs: number): Point {
  if (point.relative === undefined) return point;
  const { unit, offset } = point.relative;
  const now = new Date(nowMs);
  if (unit === 'day' || unit === 'week') {
    const sinceMonday = unit === 'week' ? (now.getUTCDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK : 0;
    const days = unit === 'week' ? DAYS_A_WEEK : 1;
    const at = new Date(nowMs + (offset * days - sinceMonday) * DAY_MS);
    return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, months: 1, day: at.getUTCDate(), days };
  }
  const months = MONTHS_OF[unit];
  const month = Math.floor(now.getUTCMonth() / months) * months + offset * months;
  const year = now.getUTCFullYear() + Math.floor(month / MONTHS_A_YEAR);
  return { year, month: (month % MONTHS_A_YEAR) + 1, months };
}

/** Returns the last day of a span of time. */
function lastOf(startDate: string, { count, unit }: Span): string | undefined {
  const start = new Date(startDate);
  if (unit === 'day' || unit === 'week')
    return dateOf(start.getTime() + (count * (unit === 'week' ? DAYS_A_WEEK : 1) - 1) * DAY_MS);
  const month = start.getUTCMonth() + count * MONTHS_OF[unit];
  const lastOfMonth = Date.UTC(start.getUTCFullYear(), month + 1, 0);
  return dateOf(Math.min(Date.UTC(start.getUTCFullYear(), month, start.getUTCDate()) - DAY_MS, lastOfMonth));
}

/** Returns 1 where the last of two points without a year lies in the year after the first. */
function wraps(first: Point | undefined, last: Point): number {
  return first !== undefined && last.month < first.month ? 1 : 0;
}

function startOf({ month, day = 1 }: Point, year: number): number {
  const at = Date.UTC(year, month - 1, day);
  return new Date(at).getUTCMonth() === month - 1 ? at : Number.NaN;
}

/** Returns the midnight that the last day of a point begins with. */
function endOf(point: Point, year: number): number {
  const { month, months, day, days = 1 } = point;
  return day === undefined ? Date.UTC(year, month - 1 + months, 0) : startOf(point, year) + (days - 1) * DAY_MS;
}

function dateOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10);
}
