import { isDeepStrictEqual } from 'node:util';
import { isObject, pointerStep } from '../../platform/kernel/json/json.js';

/** One place where a served file is not what it should be; `served` or `wanted` is absent where there is nothing. */
export type Difference = {
  /** RFC 6901, into the file that is wanted; into the served one for what has to go. */
  readonly pointer: string;
  readonly kind: 'missing' | 'surplus' | 'changed';
  readonly served?: unknown;
  readonly wanted?: unknown;
};

/** Members that say nothing about who may sell what. */
const IDLE: ReadonlySet<string> = new Set(['$schema', 'last_updated']);
/** What tells the items of a list apart, the first that all of them have once. */
const NAMES = ['url', 'property_id', 'placement_id', 'collection_id', 'kid', 'id', 'identifier', 'publisher_domain'];

/** Returns what a served file lacks, has too much, or says differently. The order of lists and idle members do not count. */
export function compareFiles(served: unknown, wanted: unknown): readonly Difference[] {
  return [...compareValues(served, wanted, '')];
}

function* compareValues(served: unknown, wanted: unknown, pointer: string): Generator<Difference> {
  if (isObject(served) && isObject(wanted)) {
    const names = new Set([...Object.keys(wanted), ...Object.keys(served)]);
    for (const name of names) {
      if (pointer === '' && IDLE.has(name)) continue;
      yield* member(served[name], wanted[name], `${pointer}${pointerStep(name)}`);
    }
  } else if (Array.isArray(served) && Array.isArray(wanted)) yield* compareLists(served, wanted, pointer);
  else if (!isDeepStrictEqual(served, wanted)) yield { pointer, kind: 'changed', served, wanted };
}

function* member(served: unknown, wanted: unknown, pointer: string): Generator<Difference> {
  if (served === undefined) yield { pointer, kind: 'missing', wanted };
  else if (wanted === undefined) yield { pointer, kind: 'surplus', served };
  else yield* compareValues(served, wanted, pointer);
}

function* compareLists(served: readonly unknown[], wanted: readonly unknown[], pointer: string): Generator<Difference> {
  const isSame = sameness(served, wanted);
  const left = new Map(served.map((item, index) => [index, item]));
  for (const [index, item] of wanted.entries()) {
    const match = [...left].find(([, other]) => isSame(other, item));
    if (match !== undefined) left.delete(match[0]);
    yield* member(match?.[1], item, `${pointer}/${index}`);
  }
  for (const [index, item] of left) yield { pointer: `${pointer}/${index}`, kind: 'surplus', served: item };
}

/** Whether two items are about the same thing: by the name that tells all of them apart, else when they are equal. */
function sameness(...lists: readonly (readonly unknown[])[]): (one: unknown, other: unknown) => boolean {
  const name = NAMES.find((candidate) =>
    lists.every((list) => {
      const values = list.map((item) => (isObject(item) ? item[candidate] : undefined));
      return values.every((value) => typeof value === 'string') && new Set(values).size === values.length;
    }),
  );
  if (name === undefined) return isDeepStrictEqual;
  return (one, other) => isObject(one) && isObject(other) && one[name] === other[name];
}
