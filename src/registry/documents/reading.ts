import { parseDateTime } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { type Finding, type FindingKeyword, pointerBelow, quoteValue, type Remark, type Report } from './finding.js';

/** A value of a file with its pointer. */
export type DocumentPath = { readonly value: unknown; readonly pointer: string };

/** How faults of an object are reported. */
export type Holder = {
  /** Noun of the object in messages: `entry`, `property`. */
  readonly name: string;
  /** Of its faults: a property that is left out is a warning, an agent's entry an error. */
  readonly severity: Finding['severity'];
};

/** How a member is judged. A fault of a lenient member leaves out the member alone; any other one leaves out the object. */
export type Rule = { readonly required?: true; readonly lenient?: true };

/** A shape of texts, with what it looks like for the fix. */
export type Pattern = { readonly shape: RegExp; readonly says: string };

/** A rule of texts. Lengths are in characters; a text may not be empty unless `min` is 0. */
type TextRule = Rule & { readonly pattern?: Pattern; readonly min?: number; readonly max?: number };

/** A rule of lists. */
type ListRule = Rule & { readonly min?: number; readonly max?: number };

/**
 * An object of a file, read member by member. Every fault is reported with its pointer, so that one pass reports them all; a member
 * that cannot be read is undefined, like one that is missing, and `isUsable` returns whether the object may count.
 */
export type Reading = {
  readonly pointer: string;
  readonly holds: (key: string) => boolean;
  readonly text: (key: string, rule?: TextRule) => string | undefined;
  readonly choice: <T extends string>(key: string, among: readonly T[], rule?: Rule) => T | undefined;
  readonly flag: (key: string, rule?: Rule) => boolean | undefined;
  /** Milliseconds of an ISO 8601 instant. */
  readonly instant: (key: string, rule?: Rule) => number | undefined;
  /** The items of a list that are texts of the shape. A lenient list loses the items that are not, any other one counts for nothing. */
  readonly texts: (key: string, rule?: ListRule & Pick<TextRule, 'pattern'>) => readonly string[] | undefined;
  readonly list: (key: string, rule?: ListRule) => readonly DocumentPath[] | undefined;
  readonly value: (key: string) => unknown;
  /** The object under a key, opened for reading; undefined when there is none. */
  readonly child: (key: string, holder: Holder) => Reading | undefined;
  /** The object itself, as written. */
  readonly object: Readonly<Record<string, unknown>>;
  /** Reports a fault of a member, or of the object itself when `key` is empty, and makes the object count for nothing. */
  readonly fault: (key: string, keyword: FindingKeyword, message: string, fix: string) => void;
  /** Reports what a person should know. */
  readonly warn: (key: string, keyword: FindingKeyword, message: string, fix: string) => void;
  readonly isUsable: () => boolean;
};

type Fault = Pick<Remark, 'keyword' | 'message' | 'fix'>;

/** Opens an object for reading; reports any other value, and returns undefined for it. */
export function openReading({ value, pointer }: DocumentPath, holder: Holder, report: Report): Reading | undefined {
  if (isObject(value)) return new ObjectReading(value, pointer, holder, report);
  report.add({
    pointer,
    severity: holder.severity,
    keyword: 'type',
    message: `this ${holder.name} is not an object; readers leave it out`,
    fix: `Write the ${holder.name} as an object, or remove it.`,
  });
  return undefined;
}

class ObjectReading implements Reading {
  readonly object: Readonly<Record<string, unknown>>;
  readonly pointer: string;
  readonly #holder: Holder;
  readonly #report: Report;
  #isUsable = true;

  constructor(object: Readonly<Record<string, unknown>>, pointer: string, holder: Holder, report: Report) {
    this.object = object;
    this.pointer = pointer;
    this.#holder = holder;
    this.#report = report;
  }

  holds(key: string): boolean {
    return this.object[key] !== undefined;
  }

  value(key: string): unknown {
    return this.object[key];
  }

  child(key: string, holder: Holder): Reading | undefined {
    const value = this.object[key];
    if (value === undefined) return undefined;
    return openReading({ value, pointer: pointerBelow(this.pointer, key) }, holder, this.#report);
  }

  text(key: string, rule: TextRule = {}): string | undefined {
    const value = this.#readMember(key, rule);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.#rejectType(key, rule, 'a text');
    const { pattern, min = 1, max = Number.POSITIVE_INFINITY } = rule;
    if (value.length < min || (value.length > max && [...value].length > max)) {
      const size = value === '' ? 'is empty' : `has more than ${max} characters`;
      const fix = max < Number.POSITIVE_INFINITY ? `Write ${min} to ${max} characters.` : 'Write something.';
      return this.#reject(key, rule, { keyword: 'range', message: `${key} ${size}`, fix });
    }
    if (pattern !== undefined && !pattern.shape.test(value)) {
      const message = `${quoteValue(value)} is no ${key}`;
      return this.#reject(key, rule, { keyword: 'pattern', message, fix: `Write ${pattern.says}.` });
    }
    return value;
  }

  choice<T extends string>(key: string, among: readonly T[], rule: Rule = {}): T | undefined {
    const value = this.#readMember(key, rule);
    if (value === undefined) return undefined;
    const chosen = among.find((one) => one === value);
    if (chosen !== undefined) return chosen;
    const fix = `Use one of: ${among.join(', ')}.`;
    return this.#reject(key, rule, { keyword: 'enum', message: `${quoteValue(value)} is no ${key}`, fix });
  }

  flag(key: string, rule: Rule = {}): boolean | undefined {
    const value = this.#readMember(key, rule);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.#rejectType(key, rule, 'true or false');
  }

  instant(key: string, rule: Rule = {}): number | undefined {
    const value = this.#readMember(key, rule);
    if (value === undefined) return undefined;
    const ms = typeof value === 'string' ? parseDateTime(value) : undefined;
    if (ms !== undefined) return ms;
    const fix = 'Write an instant with an offset, such as 2026-01-31T00:00:00Z.';
    return this.#reject(key, rule, { keyword: 'pattern', message: `${quoteValue(value)} is no instant`, fix });
  }

  list(key: string, rule: ListRule = {}): readonly DocumentPath[] | undefined {
    const value = this.#readMember(key, rule);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.#rejectType(key, rule, 'a list');
    const { min = 0, max = Number.POSITIVE_INFINITY } = rule;
    if (value.length < min) {
      const fix = `List at least one, or leave "${key}" out.`;
      return this.#reject(key, rule, { keyword: 'range', message: `${key} is empty`, fix });
    }
    if (value.length > max) {
      const message = `${key} has ${value.length} items, more than the ${max} that are read`;
      return this.#reject(key, rule, { keyword: 'too_many', message, fix: 'Split it over several entries.' });
    }
    const pointer = pointerBelow(this.pointer, key);
    return value.map((item: unknown, index) => ({ value: item, pointer: pointerBelow(pointer, index) }));
  }

  texts(key: string, rule: ListRule & Pick<TextRule, 'pattern'> = {}): readonly string[] | undefined {
    const items = this.list(key, rule);
    if (items === undefined) return undefined;
    const shape = rule.pattern?.shape;
    const good: string[] = [];
    for (const { value, pointer } of items) {
      if (typeof value === 'string' && value !== '' && (shape?.test(value) ?? true)) {
        good.push(value);
        continue;
      }
      const message = `${quoteValue(value)} does not belong into ${key}`;
      this.#addFault(pointer, rule, {
        keyword: typeof value === 'string' ? 'pattern' : 'type',
        message: rule.lenient === true ? `${message}; readers leave the item out` : message,
        fix: `Write ${rule.pattern?.says ?? 'texts that are not empty'}.`,
      });
    }
    return good;
  }

  fault(key: string, keyword: FindingKeyword, message: string, fix: string): void {
    this.#reject(key, {}, { keyword, message, fix });
  }

  warn(key: string, keyword: FindingKeyword, message: string, fix: string): void {
    this.#reject(key, { lenient: true }, { keyword, message, fix });
  }

  isUsable(): boolean {
    return this.#isUsable;
  }

  /** Returns a member as written; reports a required one that is missing. */
  #readMember(key: string, rule: Rule): unknown {
    const value = this.object[key];
    if (value === undefined && rule.required === true) {
      const fix = `Add "${key}" to the ${this.#holder.name}.`;
      this.#reject(key, rule, { keyword: 'required', message: `${key} is missing`, fix });
    }
    return value;
  }

  #rejectType(key: string, rule: Rule, kind: string): undefined {
    const fix =
      this.object[key] === null
        ? `Leave "${key}" out instead of null, or write ${kind}.`
        : `Write "${key}" as ${kind}.`;
    return this.#reject(key, rule, { keyword: 'type', message: `${key} is not ${kind}`, fix });
  }

  /** Reports a fault of a member, or of the object itself when `key` is empty. */
  #reject(key: string, rule: Rule, fault: Fault): undefined {
    this.#addFault(key === '' ? this.pointer : pointerBelow(this.pointer, key), rule, fault);
    return undefined;
  }

  /** Adds a fault to the report: a warning by a lenient rule, else one that makes the object count for nothing. */
  #addFault(pointer: string, rule: Rule, { keyword, message, fix }: Fault): void {
    const isLenient = rule.lenient === true;
    this.#isUsable &&= isLenient;
    this.#report.add({
      pointer,
      severity: isLenient ? 'warning' : this.#holder.severity,
      keyword,
      message: isLenient ? message : `${message}; readers leave the ${this.#holder.name} out`,
      fix,
    });
  }
}
