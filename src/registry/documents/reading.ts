import { parseDateTime } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { type Finding, type FindingKeyword, pointerBelow, quoted, type Report } from './finding.js';

/** A value of a file with its place. */
export type DocumentPath = { readonly value: unknown; readonly pointer: string };

/** What a fault does to the object that it stands in. */
export type Holder = {
  /** What the object is called in sentences: `entry`, `property`. */
  readonly name: string;
  /** Of its faults: a property that is left out is a warning, an agent's entry an error. */
  readonly severity: Finding['severity'];
};

/** How a member is judged. A fault of a lenient member leaves out the member alone; any other one leaves out the object. */
export type Rule = { readonly required?: true; readonly lenient?: true };

/** A shape of texts, with what it looks like for the fix. */
export type Pattern = { readonly shape: RegExp; readonly says: string };

/** A rule of texts. Lengths are in characters; a text may not be empty unless `min` is 0. */
export type TextRule = Rule & { readonly pattern?: Pattern; readonly min?: number; readonly max?: number };

/** A rule of lists. */
export type ListRule = Rule & { readonly min?: number; readonly max?: number };

/**
 * An object of a file, read member by member. Every fault is reported with its place, so that one pass finds them all; what
 * cannot be read is undefined, like what is not there, and `isUsable` tells whether the object may count.
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

/** Opens an object for reading; undefined, and reported, for what is none. */
export function openReading({ value, pointer }: DocumentPath, holder: Holder, report: Report): Reading | undefined {
  if (!isObject(value)) {
    report.add({
      pointer,
      severity: holder.severity,
      keyword: 'type',
      message: `this ${holder.name} is not an object and is left out`,
      fix: `Write the ${holder.name} as an object, or remove it.`,
    });
    return undefined;
  }
  const source = value;
  let usable = true;

  function tell(key: string, lenient: boolean, keyword: FindingKeyword, message: string, fix: string): void {
    usable &&= lenient;
    report.add({
      pointer: key === '' ? pointer : pointerBelow(pointer, key),
      severity: lenient ? 'warning' : holder.severity,
      keyword,
      message: lenient ? message : `${message}; the ${holder.name} is left out`,
      fix,
    });
  }

  /** A member that is there; what is missing although required is reported. */
  function take(key: string, rule: Rule): unknown {
    const found = source[key];
    if (found === undefined && rule.required === true) {
      tell(key, rule.lenient === true, 'required', `${key} is missing`, `Add "${key}" to the ${holder.name}.`);
    }
    return found;
  }

  function wrong(key: string, rule: Rule, found: unknown, kind: string): undefined {
    const hint =
      found === null ? `Leave "${key}" out instead of null, or write ${kind}.` : `Write "${key}" as ${kind}.`;
    tell(key, rule.lenient === true, 'type', `${key} is not ${kind}`, hint);
    return undefined;
  }

  function list(key: string, rule: ListRule = {}): readonly DocumentPath[] | undefined {
    const found = take(key, rule);
    if (found === undefined) return undefined;
    if (!Array.isArray(found)) return wrong(key, rule, found, 'a list');
    const { min = 0, max = Number.POSITIVE_INFINITY } = rule;
    if (found.length < min) {
      tell(key, rule.lenient === true, 'range', `${key} is empty`, `List at least one, or leave "${key}" out.`);
      return undefined;
    }
    if (found.length > max) {
      const size = `${key} has ${found.length} items, more than the ${max} that are read`;
      tell(key, rule.lenient === true, 'too_many', size, 'Split it over several entries.');
      return undefined;
    }
    const place = pointerBelow(pointer, key);
    return found.map((item: unknown, index) => ({ value: item, pointer: pointerBelow(place, index) }));
  }

  return {
    pointer,
    object: source,
    holds: (key) => source[key] !== undefined,
    value: (key) => source[key],
    child: (key, of) => {
      const found = source[key];
      return found === undefined
        ? undefined
        : openReading({ value: found, pointer: pointerBelow(pointer, key) }, of, report);
    },
    list,
    text: (key, rule = {}) => {
      const found = take(key, rule);
      if (found === undefined) return undefined;
      if (typeof found !== 'string') return wrong(key, rule, found, 'a text');
      const { pattern, min = 1, max = Number.POSITIVE_INFINITY } = rule;
      if (found.length < min || (found.length > max && [...found].length > max)) {
        const size = found === '' ? 'is empty' : `has more than ${max} characters`;
        const fix = max < Number.POSITIVE_INFINITY ? `Write ${min} to ${max} characters.` : 'Write something.';
        tell(key, rule.lenient === true, 'range', `${key} ${size}`, fix);
        return undefined;
      }
      if (pattern !== undefined && !pattern.shape.test(found)) {
        const shown = `${quoted(found)} is no ${key}`;
        tell(key, rule.lenient === true, 'pattern', shown, `Write ${pattern.says}.`);
        return undefined;
      }
      return found;
    },
    choice: (key, among, rule = {}) => {
      const found = take(key, rule);
      if (found === undefined) return undefined;
      const chosen = among.find((one) => one === found);
      if (chosen !== undefined) return chosen;
      const fix = `Use one of: ${among.join(', ')}.`;
      tell(key, rule.lenient === true, 'enum', `${quoted(found)} is no ${key}`, fix);
      return undefined;
    },
    flag: (key, rule = {}) => {
      const found = take(key, rule);
      if (found === undefined || typeof found === 'boolean') return found;
      return wrong(key, rule, found, 'true or false');
    },
    instant: (key, rule = {}) => {
      const found = take(key, rule);
      if (found === undefined) return undefined;
      const ms = typeof found === 'string' ? parseDateTime(found) : undefined;
      if (ms !== undefined) return ms;
      const fix = 'Write an instant with an offset, such as 2026-01-31T00:00:00Z.';
      tell(key, rule.lenient === true, 'pattern', `${quoted(found)} is no instant`, fix);
      return undefined;
    },
    texts: (key, rule = {}) => {
      const items = list(key, rule);
      if (items === undefined) return undefined;
      const shape = rule.pattern?.shape;
      const good: string[] = [];
      for (const { value: item, pointer: place } of items) {
        if (typeof item === 'string' && item !== '' && (shape?.test(item) ?? true)) good.push(item);
        else {
          usable &&= rule.lenient === true;
          report.add({
            pointer: place,
            severity: rule.lenient === true ? 'warning' : holder.severity,
            keyword: typeof item === 'string' ? 'pattern' : 'type',
            message: `${quoted(item)} does not belong into ${key}; the ${rule.lenient === true ? 'item' : holder.name} is left out`,
            fix: `Write ${rule.pattern?.says ?? 'texts that are not empty'}.`,
          });
        }
      }
      return good;
    },
    fault: (key, keyword, message, fix) => tell(key, false, keyword, message, fix),
    warn: (key, keyword, message, fix) => tell(key, true, keyword, message, fix),
    isUsable: () => usable,
  };
}
