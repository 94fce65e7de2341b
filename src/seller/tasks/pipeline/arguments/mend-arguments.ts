import type { z } from 'zod';
import { exceededBound } from '../../../../platform/kernel/json/bounds.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import { envelopeFields } from '../shapes.js';

/** Longest text that is read as a list or object, and what is in it. */
const MAX_TEXT_BYTES = 64 * 1024;
const TEXT_BOUNDS = { levels: 16, values: 1000, members: 100 };

/** Numbers as JSON writes them without an exponent; anything else in a text is ambiguous. */
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,9})?$/;

/** How a text is read where the schema wants something else; undefined where it says no such thing. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  number: readNumber,
  int: readNumber,
  array: (text) => readText(text, Array.isArray),
  object: (text) => readText(text, isObject),
  record: (text) => readText(text, isObject),
};

type Path = readonly PropertyKey[];
type Edit = { readonly path: Path; readonly value: unknown };

/**
 * Returns arguments in which texts that say a number, a list or an object, where the schema wants one, are what they say; undefined where
 * no fault is of that kind. What is sent back as it came is left as it is.
 */
export function mendArguments<Args>(args: Args, issues: readonly z.core.$ZodIssue[]): Args | undefined {
  const edits = issues.flatMap((issue) => findEdits(issue, [], args));
  return edits.length === 0 ? undefined : (applyEdits(args, edits) as Args);
}

function findEdits(issue: z.core.$ZodIssue, above: Path, args: unknown): readonly Edit[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union')
    return issue.errors
      .flat()
      .flatMap((one) => findEdits(one, path, args))
      .slice(0, 1);
  const [root] = path;
  if (issue.code !== 'invalid_type' || root === undefined || Object.hasOwn(envelopeFields, root)) return [];
  const text = valueAt(args, path);
  const value = typeof text === 'string' ? READERS[issue.expected]?.(text) : undefined;
  return value === undefined || path.includes('__proto__') ? [] : [{ path, value }];
}

function readNumber(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : undefined;
}

function readText(text: string, isWanted: (value: unknown) => boolean): unknown {
  if (text.length > MAX_TEXT_BYTES) return undefined;
  const bytes = Buffer.from(text);
  if (exceededBound(bytes, TEXT_BOUNDS) !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isWanted(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Copies each list and object on the way to an edit once. */
function applyEdits(value: unknown, edits: readonly Edit[]): unknown {
  const whole = edits.find(({ path }) => path.length === 0);
  if (whole !== undefined) return whole.value;
  const copy: object = Array.isArray(value) ? [...value] : { ...(value as object) };
  for (const [step, inner] of groupByStep(edits)) Reflect.set(copy, step, applyEdits(Reflect.get(copy, step), inner));
  return copy;
}

function groupByStep(edits: readonly Edit[]): ReadonlyMap<PropertyKey, readonly Edit[]> {
  const groups = new Map<PropertyKey, Edit[]>();
  for (const { path, value } of edits) {
    const [step = '', ...rest] = path;
    const group = groups.get(step) ?? [];
    group.push({ path: rest, value });
    groups.set(step, group);
  }
  return groups;
}

/** Returns what is at a path of arguments; undefined where nothing is. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );
}
