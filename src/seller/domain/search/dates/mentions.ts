import type { CalendarPart } from '../lexicon/calendar.js';
import type { TimeUnit } from '../lexicon/periods.js';
import { normalizeWord } from '../words.js';
import { isDay, MONTHS_A_YEAR, type Point, PointReader, type ReadPoint } from './points.js';
import { type Token, tokenize } from './tokens.js';

/** How long a flight is. */
export type Span = { readonly count: number; readonly unit: TimeUnit };

/**
 * A text's mention of days: from where to where it says it, the first and last of them, and whether it can mean
 * several.
 */
export type Mention = {
  readonly from: number;
  readonly to: number;
  readonly first?: Point | undefined;
  readonly last?: Point | undefined;
  /** How long it is, from `first` on, or from tomorrow. */
  readonly span?: Span | undefined;
  readonly isUnclear: boolean;
};

/** The point that mentions were joined to; without one where the second only limits the first. */
type Joined = {
  readonly point?: Point;
  readonly next: number;
  readonly part: 'to' | 'until';
  readonly isUnclear?: boolean;
};

/** Days, weeks or months of one span. */
const MAX_COUNT = 400;

/** Words before a span of time that say how long something runs, and those that may say until when, or by when. */
const LASTING = new Set(
  'for lasting fur uber wahrend durante pendant por lang przez เป็นเวลา นาน ระยะเวลา لمدة 為期 为期'.split(' '),
);
/** Words behind a day that say that it is the first. */
const ONWARD = new Set(['itibaren', 'onward', 'onwards']);
/** Words behind a span of time that say so. */
const LASTED = new Set('lang long boyunca süresince boyu'.split(' '));
const WITHIN = new Set('in within innerhalb en dans em dentro خلال'.split(' '));

/** Returns what a text says of days, in its order. */
export function findMentions(text: string): readonly Mention[] {
  return new MentionReader(tokenize(text)).read();
}

/** Reads the dates of a text, token by token. */
class MentionReader {
  readonly #tokens: readonly Token[];
  readonly #points: PointReader;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#points = new PointReader(tokens);
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

  #range(at: number): { readonly mention: Mention; readonly next: number } | undefined {
    return this.#spanned(at) ?? this.#pointed(at);
  }

  /** Reads "For two weeks", "the next 30 days", "a four-week campaign", "2 weeks from 1 December". */
  #spanned(at: number): { readonly mention: Mention; readonly next: number } | undefined {
    const near = this.#points.nearAt(at);
    const span = near?.offset === 1 && !near.isAfter ? this.#span(at + 1) : this.#span(at);
    if (span === undefined) return undefined;
    const before = this.#wordBefore(at);
    const start = this.#startAfter(span.next);
    const after = this.#tokens[span.next];
    const isFlight = LASTING.has(before) || LASTED.has(after?.text ?? '') || after?.period?.part === 'campaign';
    const isUnclear = WITHIN.has(before) || this.#points.partAt(span.next) === 'refusing';
    if (!isFlight && !isUnclear && !span.isNear && near === undefined && start === undefined) return undefined;
    const next = start?.next ?? span.next;
    const { from = 0 } = this.#tokens[at] ?? {};
    const { to = 0 } = this.#tokens[next - 1] ?? {};
    return {
      mention: { from, to, first: start?.point, span, isUnclear: isUnclear || start?.isUnclear === true },
      next,
    };
  }

  #wordBefore(at: number): string {
    return normalizeWord(this.#tokens[at - 1]?.text ?? '');
  }

  /** Reads "Two weeks", "14 days", "4-week", "deux prochaines semaines", "2週間", "أسبوعين". */
  #span(at: number): (Span & { readonly next: number; readonly isNear: boolean }) | undefined {
    const { period, text = '' } = this.#tokens[at] ?? {};
    if (period?.part === 'span')
      return { ...period, next: at + 1, isNear: /(?:間|간|동안)$/u.test(text) && !this.#isPast(at) };
    const count = countOf(this.#tokens[at]);
    if (count < 1 || count > MAX_COUNT) return undefined;
    const dash = /^[-–]$/u.test(this.#tokens[at + 1]?.text ?? '') ? 1 : 0;
    const near = this.#points.nearAt(at + 1);
    const unitAt = at + 1 + (near === undefined ? dash : 1);
    const unit = this.#tokens[unitAt]?.period;
    if (unit?.part !== 'unit') return undefined;
    return { count, unit: unit.unit, next: unitAt + 1, isNear: near?.offset === 1 };
  }

  /** Whether days are over, as in "過去30日間". */
  #isPast(at: number): boolean {
    return /過去$/u.test(this.#tokens[at - 1]?.text ?? '');
  }

  /** Returns the day that a span begins with: "… from 1 December", "… ab morgen", "… campaign starting next week". */
  #startAfter(at: number): ReadPoint | undefined {
    const isCampaign = this.#tokens[at]?.period?.part === 'campaign';
    const lead = this.#points.skip(isCampaign ? at + 1 : at, 'comma', 'to');
    return this.#points.partAt(lead) === 'from'
      ? this.#points.pointAt(this.#points.skip(lead + 1, 'of', 'to', 'in', 'from'))
      : undefined;
  }

  /** Returns the span that a day is the first of: "from 1 December for two weeks", "12月1日から2週間". */
  #spanAfter(at: number, isOpen: boolean): (Span & { readonly next: number }) | undefined {
    const lead = this.#points.partAt(at) === 'comma' ? at + 1 : at;
    if (LASTING.has(normalizeWord(this.#tokens[lead]?.text ?? ''))) return this.#span(lead + 1);
    return isOpen || this.#tokens[at]?.period?.part === 'span' ? this.#span(at) : undefined;
  }

  /** Returns what is said before a point: for a day, also which end of the flight it is. */
  #leadOf(at: number, { day }: Point): CalendarPart | undefined {
    const end = day === undefined ? undefined : this.#points.endBefore(at);
    return end ?? this.#points.leadBefore(at);
  }

  #pointed(at: number): { readonly mention: Mention; readonly next: number } | undefined {
    const days = this.#daysOfMonth(at);
    const first = days?.first ?? this.#points.pointAt(at);
    if (first === undefined) return undefined;
    const last = days?.last ?? this.#joined(first);
    const until = last?.part === 'until' ? last : undefined;
    const lead = this.#leadOf(at, first.point);
    const isOpen = last !== undefined && last.point === undefined;
    const added = last === undefined || isOpen ? this.#spanAfter(last?.next ?? first.next, isOpen) : undefined;
    const span = added !== undefined && isSame(first.point, added) ? undefined : added;
    const next = added?.next ?? last?.next ?? first.next;
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

  /** Reads "1 to 15 December 2026", "1.-15. Dezember", "between 1 and 15 December". */
  #daysOfMonth(at: number): { readonly first: ReadPoint; readonly last: Joined } | undefined {
    const from = this.#tokens[at];
    if (from?.part !== 'number' || !isDay(from.value)) return undefined;
    const joint = this.#jointAt(at + 1);
    const isBetween = joint === 'and' && this.#betweenBefore(at);
    if (joint !== 'to' && joint !== 'until' && joint !== 'and') return undefined;
    const last = this.#points.pointAt(this.#points.skip(at + 2, 'of', 'to'));
    const isDayOfMonth =
      last?.point.day !== undefined && this.#points.partAt(this.#points.skip(at + 2, 'of', 'to')) === 'number';
    if (last === undefined || !isDayOfMonth) return undefined;
    const isUnclear = joint === 'and' && !isBetween;
    const first = { point: { ...last.point, day: from.value }, next: last.next, isUnclear };
    return { first, last: { ...last, part: 'to' } };
  }

  /** Returns the part that a word plays between two days, where the Polish "do" is no Portuguese one. */
  #jointAt(at: number): Token['part'] | undefined {
    return this.#tokens[at]?.text.toLowerCase() === 'do' ? 'to' : this.#points.partAt(at);
  }

  #betweenBefore(at: number): boolean {
    return [at - 1, at - 2].some((before) => this.#points.partAt(before) === 'between');
  }

  /** Returns what is joined to a point: "to May", "〜15日"; without a point where a word only limits it: "3月から". */
  #joined({ point, next }: ReadPoint): Joined | undefined {
    const onward = this.#onwardAt(next);
    if (onward !== undefined) return { next: onward, part: 'to' };
    const part = this.#jointAt(next);
    const start = this.#points.skip(next + 1, 'of', 'to', 'in');
    const right = this.#points.pointAt(start) ?? this.#dayAfter(point, start);
    if (part === 'to' || part === 'until') {
      const isPostfix = /^(?:から|まで|부터|까지|起)$/u.test(this.#tokens[next]?.text ?? '');
      if (right === undefined) return isPostfix ? { next: next + 1, part } : undefined;
      const isClosed = /^(?:まで|까지|止|[为為]止)$/u.test(this.#tokens[right.next]?.text ?? '');
      return { ...right, next: isClosed ? right.next + 1 : right.next, part: 'to' };
    }
    if ((part === 'and' || part === 'or' || part === 'comma') && right !== undefined) {
      const isNext = part !== 'or' && right.point.day === undefined && isNextMonth(point, right.point);
      return { ...right, part: 'to', isUnclear: !isNext };
    }
    return undefined;
  }

  /** Returns what stands behind words that say "from then on" behind a day: "15 Ocak'tan itibaren"; undefined where none do. */
  #onwardAt(at: number): number | undefined {
    const after = [at, at + 1].find((each) => ONWARD.has(this.#tokens[each]?.text.toLowerCase() ?? ''));
    return after === undefined ? undefined : after + 1;
  }

  /** Reads the second day of "December 1-15", which is of the same month. */
  #dayAfter(point: Point, at: number): ReadPoint | undefined {
    const token = this.#tokens[at];
    if (point.day === undefined || token === undefined || !isDay(token.value)) return undefined;
    if (token.part !== 'number' && token.part !== 'day') return undefined;
    const { year, next } = this.#points.yearAt(at + 1);
    return { point: { ...point, year: year ?? point.year, day: token.value }, next };
  }
}

/** Whether a span is as long as the month, week or quarter before it, and says no more: "다음 달 한 달간". */
function isSame({ relative, months, day }: Point, { count, unit }: Span): boolean {
  const own = relative?.unit ?? (day === undefined && months === 1 ? 'month' : undefined);
  return count === 1 && own === unit;
}

/** Whether the months of one point begin where those of another end. */
function isNextMonth(before: Point, after: Point): boolean {
  return before.day === undefined && ((before.month - 1 + before.months) % MONTHS_A_YEAR) + 1 === after.month;
}

/** Returns how many days, weeks or months a token counts: a number, a word for one, or the "a" of "a week". */
function countOf(token: Token | undefined): number {
  if (token?.period?.part === 'count') return token.period.count;
  if (token?.part === 'number') return token.value;
  return token?.part === 'to' && token.text.toLowerCase() === 'a' ? 1 : 0;
}
