import type { CalendarPart } from '../lexicon/calendar.js';
import type { PeriodWord, TimeUnit } from '../lexicon/periods.js';
import type { Token } from './tokens.js';

/** A calendar's day, or a longer part of it: its months are counted from 1, and the year may be missing. */
export type Point = {
  readonly year?: number | undefined;
  readonly month: number;
  readonly months: number;
  readonly day?: number | undefined;
  /** The first or second half of its month, which is told apart at the 15th. */
  readonly half?: 1 | 2 | undefined;
  /** How many years from now its year is, where it names none by number. */
  readonly yearsAhead?: 0 | 1 | undefined;
  /** How many days it has from `day` on; one unless given. */
  readonly days?: number | undefined;
  /** The unit of time that is meant, told from today on, in place of all the others. */
  readonly relative?: Pick<Extract<PeriodWord, { part: 'relative' }>, 'unit' | 'offset'> | undefined;
};

/** A point of a calendar that was read, and the tokens after it. */
export type ReadPoint = { readonly point: Point; readonly next: number; readonly isUnclear?: boolean };

/** Months of parts of a year. */
export const MONTHS_A_QUARTER = 3;
const MONTHS_A_HALF = 6;
/** Months of a whole year. */
export const MONTHS_A_YEAR = 12;

/** Words that end a stretch of time whose beginning was not understood. */
const ONLY_TO = /^(?:to|through|thru|إلى)$/iu;
/** Words that label the first and the last day of a flight. */
const BEGINNING = new Set(['start', 'début', 'inicio', 'início', 'początek', 'beginn', 'başlangıç', 'البداية']);
const END = new Set(['end', 'ends', 'ende', 'fin', 'fim', 'koniec', 'bitiş', 'النهاية']);
/** Words that say that the month before them is one: "a March campaign". */
const AFTER_MONTH = new Set(['campaign', 'flight', 'launch', 'promotion', 'sale']);

/** Reads the points of a calendar that a text names, from a token on. */
export class PointReader {
  readonly #tokens: readonly Token[];

  /** Whether the text writes the month before the day, as one of its dates shows; undefined where none does. */
  readonly #isMonthFirst: boolean | undefined;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#isMonthFirst = readOrder(tokens);
  }

  /** Returns the part that a token plays. */
  partAt(at: number): Token['part'] | undefined {
    return this.#tokens[at]?.part;
  }

  /** Returns the place after words that only join: "15 de diciembre", "March, 2027". */
  skip(at: number, ...parts: readonly Token['part'][]): number {
    let next = at;
    while (next < at + 2 && parts.includes(this.partAt(next) ?? 'other')) next += 1;
    return next;
  }

  /** Returns the word at a place that says that something is near: next, this, coming. */
  nearAt(at: number): Extract<PeriodWord, { part: 'near' }> | undefined {
    const period = this.#tokens[at]?.period;
    return period?.part === 'near' ? period : undefined;
  }

  /** Returns what is said just before a date that limits it, or makes it unclear. */
  leadBefore(at: number): CalendarPart | undefined {
    if (ONLY_TO.test(this.#tokens[at - 1]?.text ?? '')) return 'until';
    for (let before = at - 1; before >= Math.max(0, at - 3); before -= 1) {
      const part = this.partAt(before);
      if (part === 'from' || part === 'until' || part === 'refusing' || part === 'vague') return part;
      const isColon = this.#tokens[before]?.text === ':';
      if (part !== 'in' && part !== 'of' && part !== 'to' && !isColon) return undefined;
    }
    return undefined;
  }

  /** Returns which end of a flight a label before a day names: "Start: 1.12.2026, Ende: 24.12.2026". */
  endBefore(at: number): 'from' | 'until' | undefined {
    for (let before = at - 1; before >= Math.max(0, at - 3); before -= 1) {
      const text = this.#tokens[before]?.text.toLowerCase() ?? '';
      if (BEGINNING.has(text)) return 'from';
      if (END.has(text)) return 'until';
      if (this.partAt(before) !== 'of' && text !== ':') return undefined;
    }
    return undefined;
  }

  /** Returns the point of a calendar that begins at a token. */
  pointAt(at: number): ReadPoint | undefined {
    const token = this.#tokens[at];
    if (token === undefined) return undefined;
    const relative = this.#relative(at);
    if (relative !== undefined) return relative;
    if (token.part === 'iso' || token.part === 'slashed') return readNumeric(token, at + 1, this.#isMonthFirst);
    if (token.part === 'number') return this.#dayFirst(token.value, at);
    if (token.part === 'month') return this.#month(at);
    if (token.part === 'quarterOf') return this.#partOfYear(at + 1, token.value, MONTHS_A_QUARTER);
    if (token.part === 'halfOf') return this.#partOfYear(at + 1, token.value, MONTHS_A_HALF);
    if (token.part === 'ordinal' && this.partAt(at + 1) === 'halfMonth') return this.#halfMonth(at);
    if (token.part === 'ordinal' && this.partAt(at + 1) === 'quarter')
      return this.#partOfYear(at + 2, token.value, MONTHS_A_QUARTER);
    if (token.part === 'quarter' && this.partAt(at + 1) === 'ordinal')
      return this.#partOfYear(at + 2, this.#tokens[at + 1]?.value ?? 0, MONTHS_A_QUARTER);
    return token.part === 'year' ? this.#yearFirst(token, at) : undefined;
  }

  /** Reads "Next month", "el mes que viene", "mois prochain", "来週", "starting tomorrow". */
  #relative(at: number): ReadPoint | undefined {
    const { period } = this.#tokens[at] ?? {};
    const read = (unit: TimeUnit, offset: 0 | 1, next: number): ReadPoint => ({
      point: { month: 0, months: 0, relative: { unit, offset } },
      next,
    });
    if (period?.part === 'relative') {
      const month = period.unit === 'year' ? this.#monthAt(at + 1) : undefined;
      if (month !== undefined) return { ...month, point: { ...month.point, yearsAhead: period.offset } };
      return read(period.unit, period.offset, at + 1);
    }
    if (period?.part === 'relativeDay') {
      const lead = this.leadBefore(at);
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
    const near = this.nearAt(behind);
    return near?.isAfter === true && isRelativeUnit(period.unit, near.offset)
      ? read(period.unit, near.offset, behind + 1)
      : undefined;
  }

  /** Returns the month that a year told from today on is joined to: "来年4月". */
  #monthAt(at: number): ReadPoint | undefined {
    const month = this.partAt(at) === 'month' ? this.#month(at) : undefined;
    return month?.point.year === undefined ? month : undefined;
  }

  /** "First half of May", "première quinzaine de mai". */
  #halfMonth(at: number): ReadPoint | undefined {
    const half = this.#tokens[at]?.value;
    const start = this.skip(at + 2, 'of', 'to', 'in');
    const month = this.partAt(start) === 'month' ? this.#month(start) : undefined;
    if (month === undefined || month.point.day !== undefined || (half !== 1 && half !== 2)) return undefined;
    return { ...month, point: { ...month.point, half } };
  }

  /** Reads "15 December", "15 de diciembre de 2026", "1. Quartal 2027". */
  #dayFirst(value: number, at: number): ReadPoint | undefined {
    const next = this.skip(at + 1, 'of', 'from');
    if (this.partAt(at + 1) === 'quarter') return this.#partOfYear(at + 2, value, MONTHS_A_QUARTER);
    const month = this.#tokens[next];
    if (month?.part !== 'month' || !isDay(value)) return undefined;
    const { year, next: after } = this.yearAt(next + 1);
    return { point: { year, month: month.value, months: 1, day: value }, next: after };
  }

  /** Reads "March", "March 2027", "March 15, 2027", "3月15日". */
  #month(at: number): ReadPoint | undefined {
    const { value: month = 0, isUnsure = false, needsDay = false } = this.#tokens[at] ?? {};
    const day = this.#tokens[at + 1];
    const hasDay = (day?.part === 'number' || day?.part === 'day') && isDay(day.value);
    if (hasDay) {
      const { year, next } = this.yearAt(at + 2);
      return { point: { year, month, months: 1, day: day.value }, next };
    }
    const { year, next } = this.yearAt(at + 1);
    const isNamed = year !== undefined || !isUnsure || (!needsDay && this.#isMonthHere(at));
    return isNamed ? { point: { year, month, months: 1 }, next } : undefined;
  }

  /** Whether the words around say that "may" or "march" is a month. */
  #isMonthHere(at: number): boolean {
    const before = this.partAt(at - 1) ?? 'other';
    const after = this.#tokens[at + 1]?.text.toLowerCase() ?? '';
    if (after === 'madness') return false;
    if (['to', 'until', 'and', 'or'].includes(this.partAt(at + 1) ?? '') && this.partAt(at + 2) === 'month')
      return true;
    return (
      AFTER_MONTH.has(after) || ['in', 'of', 'from', 'until', 'to', 'between', 'vague', 'refusing'].includes(before)
    );
  }

  #partOfYear(after: number, index: number, months: number): ReadPoint | undefined {
    if (index < 1 || index * months > MONTHS_A_YEAR) return undefined;
    const { year, next } = this.yearAt(after);
    return { point: { year, month: (index - 1) * months + 1, months }, next };
  }

  /** Reads "2027年3月", "2027年第1四半期", "in 2027". */
  #yearFirst({ value: year, text }: Token, at: number): ReadPoint | undefined {
    const isAlone = this.partAt(at - 1) === 'in';
    const rest = /年$/u.test(text) ? this.pointAt(at + 1) : undefined;
    if (rest !== undefined && rest.point.year === undefined) return { ...rest, point: { ...rest.point, year } };
    return isAlone || /年$/u.test(text)
      ? { point: { year, month: 1, months: MONTHS_A_YEAR }, next: at + 1 }
      : undefined;
  }

  /** Returns the year that follows, with the words that join it. */
  yearAt(at: number): { readonly year?: number; readonly next: number } {
    const next = this.skip(at, 'of', 'comma');
    const token = this.#tokens[next];
    return token?.part === 'year' ? { year: token.value, next: next + 1 } : { next: at };
  }
}

/** Whether a relative unit says a flight: "next day" and "this year" do not. */
function isRelativeUnit(unit: TimeUnit, offset: 0 | 1): boolean {
  return unit !== 'day' && (unit !== 'year' || offset === 1);
}

/** Whether a number can be the day of a month. */
export function isDay(value: number): boolean {
  return value >= 1 && value <= 31;
}

/** Reads "2026-12-01", "01.12.2026", "12/31/2026"; a day and month that could be each other are unclear. */
function readNumeric({ text, part }: Token, next: number, isMonthFirst?: boolean): ReadPoint | undefined {
  const [one = 0, two = 0, three = 0] = text.split(/[-./]/).map(Number);
  const isYearFirst = one > 31;
  const year = isYearFirst ? one : three;
  const [day, month] = isYearFirst ? [three, two] : orderDay(one, two, isMonthFirst);
  if (month < 1 || month > 12 || !isDay(day)) return undefined;
  const isEither =
    part === 'slashed' &&
    text.includes('/') &&
    !isYearFirst &&
    one <= 12 &&
    two <= 12 &&
    one !== two &&
    isMonthFirst === undefined;
  return { point: { year: year < 100 ? 2000 + year : year, month, months: 1, day }, next, isUnclear: isEither };
}

function orderDay(one: number, two: number, isMonthFirst = two > 12): readonly [day: number, month: number] {
  return isMonthFirst ? [two, one] : [one, two];
}

/** Returns whether the month stands first in the dates of a text with strokes; undefined where none of them shows it, or they differ. */
function readOrder(tokens: readonly Token[]): boolean | undefined {
  const orders = tokens
    .filter(({ part, text }) => part === 'slashed' && text.includes('/'))
    .flatMap(({ text }) => {
      const [one = 0, two = 0] = text.split('/').map(Number);
      return one > 31 || one > 12 === two > 12 ? [] : [two > 12];
    });
  return new Set(orders).size === 1 ? orders[0] : undefined;
}
