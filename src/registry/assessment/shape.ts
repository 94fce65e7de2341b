import { parseDateTime } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { quoteValue } from '../documents/finding.js';

/** The shape of a value: one of the plain ones, words to choose from, a list, or an object with members that it must or may have. */
export type Shape =
  | 'text'
  | 'number'
  | 'amount'
  | 'flag'
  | 'instant'
  | 'currency'
  | 'object'
  | { readonly words: readonly string[] }
  | { readonly items: Shape; readonly min?: number }
  | { readonly must?: Readonly<Record<string, Shape>>; readonly may?: Readonly<Record<string, Shape>> };

type PlainShape = Extract<Shape, string>;

const PLAIN: Readonly<Record<PlainShape, { readonly is: (value: unknown) => boolean; readonly name: string }>> = {
  text: { is: (value) => typeof value === 'string' && value !== '', name: 'a text' },
  number: { is: (value) => typeof value === 'number', name: 'a number' },
  amount: { is: (value) => typeof value === 'number' && value >= 0, name: 'a number from 0 on' },
  flag: { is: (value) => typeof value === 'boolean', name: 'true or false' },
  instant: {
    is: (value) => typeof value === 'string' && parseDateTime(value) !== undefined,
    name: 'a time with its offset, such as 2026-01-31T00:00:00Z',
  },
  currency: { is: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value), name: 'a currency such as USD' },
  object: { is: isObject, name: 'an object' },
};

/** Items of a list that are looked at, and faults that are told. */
const MAX_ITEMS = 50;
const MAX_FAULTS = 200;

/** Returns how a value differs from a shape, a sentence for each member; none where it does not. `at` is the path of the value. */
export function shapeFaults(value: unknown, shape: Shape, at = ''): readonly string[] {
  if (typeof shape === 'string') return PLAIN[shape].is(value) ? [] : [describeMismatch(at, value, PLAIN[shape].name)];
  if ('words' in shape) {
    const isWord = typeof value === 'string' && shape.words.includes(value);
    return isWord ? [] : [describeMismatch(at, value, `one of ${shape.words.join(', ')}`)];
  }
  if ('items' in shape) {
    if (!Array.isArray(value)) return [describeMismatch(at, value, 'a list')];
    const items: readonly unknown[] = value;
    if (items.length < (shape.min ?? 0)) return [`${at} is empty.`];
    const faults = items
      .slice(0, MAX_ITEMS)
      .flatMap((item, index) => shapeFaults(item, shape.items, `${at}[${index}]`));
    return faults.slice(0, MAX_FAULTS);
  }
  if (!isObject(value)) return [describeMismatch(at, value, 'an object')];
  const { may = {}, must = {} } = shape;
  const below = (name: string): string => (at === '' ? name : `${at}.${name}`);
  return [
    ...Object.entries(must).flatMap(([name, member]) =>
      value[name] === undefined ? [`${below(name)} is missing.`] : shapeFaults(value[name], member, below(name)),
    ),
    ...Object.entries(may).flatMap(([name, member]) =>
      value[name] === undefined ? [] : shapeFaults(value[name], member, below(name)),
    ),
  ];
}

function describeMismatch(at: string, value: unknown, name: string): string {
  return `${at || 'The answer'} is ${quoteValue(value)}, and has to be ${name}.`;
}
