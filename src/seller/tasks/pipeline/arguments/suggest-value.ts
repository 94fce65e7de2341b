import { z } from 'zod';
import { isObject } from '../../../../platform/kernel/json/json.js';
import { findNearest, quoteNames } from '../../../../platform/kernel/nearest.js';
import { HOST_NAME } from '../../../../platform/net/url.js';
import { valueAt } from './mend-arguments.js';

/** The most words that a suggestion lists. */
const MAX_LISTED_WORDS = 24;
/** The most members of an object that a missing one is looked for among. */
const MAX_COMPARED_MEMBERS = 100;

/** What to send where a value is of the wrong type. */
const TYPES: Readonly<Record<string, string>> = {
  number: 'Send a number such as 1000, without quotation marks, currency or separators. ',
  int: 'Send a whole number such as 1000, without quotation marks. ',
  boolean: 'Send true or false, without quotation marks. ',
  array: 'Send a JSON list, [...]. ',
  record: 'Send a JSON object, {...}. ',
  string: 'Send a text, in quotation marks. ',
};

/** What to send where a text does not have the form that a pattern describes. */
const FORMS: Readonly<Record<string, string>> = {
  '/^[A-Z]{2}$/': 'Send the two capitals of a country, such as "US" (ISO 3166-1 alpha-2). ',
  [String(HOST_NAME)]:
    'Send a domain in lower case, such as "acme.example", without https:// and path; names in other scripts in their form that begins with xn--. ',
  '/^[A-Z]{3}$/': 'Send the three capitals of a currency, such as "USD" (ISO 4217). ',
};

const DAY_OF_TIME = /^(\d{4}-\d{2}-\d{2})T/i;

/** Returns what to send in place of a faulty value, ending with a space: the nearest known word or name first. Empty where nothing more is known than the fault. */
export function suggestValue(issue: z.core.$ZodIssue | undefined, args: unknown, schema: z.ZodType): string {
  if (issue === undefined) return '';
  const words = suggestWord(issue, args);
  if (words !== '') return words;
  if (issue.code === 'unrecognized_keys') return suggestName(issue.keys[0], namesAt(schema, issue.path));
  if (issue.code === 'too_small' && issue.origin === 'array') return suggestItems(issue);
  const value = valueAt(args, issue.path);
  if (issue.code === 'invalid_format' && issue.format === 'date') {
    const day = typeof value === 'string' ? DAY_OF_TIME.exec(value)?.[1] : undefined;
    return `Send a day such as "${day ?? '2030-06-01'}". `;
  }
  if (issue.code === 'invalid_format') return FORMS[issue.pattern ?? ''] ?? '';
  const sent = value === undefined ? suggestSent(issue.path, args, schema) : '';
  if (issue.code === 'invalid_union') return sent === '' ? suggestForms(schema, issue.path) : sent;
  if (issue.code !== 'invalid_type') return '';
  if (value === undefined) return sent;
  if (issue.expected === 'boolean' && (value === 'true' || value === 'false'))
    return `Send ${value}, without quotation marks. `;
  if (issue.expected === 'object') return suggestObject(namesAt(schema, issue.path));
  return TYPES[issue.expected] ?? '';
}

/** Returns the words that a field can have, the nearest to what was sent first; empty where it is no matter of words. */
function suggestWord(issue: z.core.$ZodIssue, args: unknown): string {
  const [word, words] = findWord(issue, args);
  if (word === undefined || words === undefined) return '';
  const meant = findNearest(word, words);
  return `${meant === undefined ? '' : `Did you mean "${meant}"? `}One of ${quoteNames(words, MAX_LISTED_WORDS)}. `;
}

/** Returns the word that an issue is about, and those that would do. */
function findWord(issue: z.core.$ZodIssue, args: unknown): readonly [word?: string, words?: readonly string[]] {
  if (issue.code === 'invalid_union')
    return (
      issue.errors
        .flat()
        .map((one) => findWord({ ...one, path: [...issue.path, ...one.path] }, args))
        .find(([word]) => word !== undefined) ?? []
    );
  const word = valueAt(args, issue.path);
  if (issue.code !== 'invalid_value' || typeof word !== 'string') return [];
  return [word, issue.values.filter((value) => typeof value === 'string')];
}

/** Says how a list gets long enough, or goes: an empty one asks for nothing, and its field may be left out as well. */
function suggestItems({ path, minimum }: z.core.$ZodIssueTooSmall): string {
  const name = path.findLast((step) => typeof step === 'string') ?? 'the list';
  return `Send at least ${minimum} in ${String(name)}, or leave it out where it is optional. `;
}

function suggestName(sent: string | undefined, names: readonly string[]): string {
  if (sent === undefined || names.length === 0) return '';
  const meant = findNearest(sent, names);
  return `${meant === undefined ? '' : `Did you mean "${meant}"? `}The members are ${quoteNames(names, MAX_LISTED_WORDS)}. `;
}

function suggestObject(names: readonly string[]): string {
  const members = names.length === 0 ? '' : ` Its members are ${quoteNames(names, MAX_LISTED_WORDS)}.`;
  return `Send a JSON object, {...}.${members} `;
}

/** Says which of the members that were sent, and that nobody knows, is probably the one that is missing. */
function suggestSent(path: readonly PropertyKey[], args: unknown, schema: z.ZodType): string {
  const above = path.slice(0, -1);
  const [name, sent] = [String(path.at(-1)), valueAt(args, above)];
  if (!isObject(sent)) return '';
  const names = namesAt(schema, above);
  const unknown = Object.keys(sent)
    .slice(0, MAX_COMPARED_MEMBERS)
    .filter((member) => !names.includes(member));
  const meant = findNearest(name, unknown);
  return meant === undefined ? '' : `You sent "${meant}": call it "${name}". `;
}

/** Returns the names that the schema has for the members of the object at a path; none where it has no one list of them. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const found = schemaAt(schema, path);
  const inner = found && unwrap(found);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** Says in the words of tools/list which forms a value may have. */
function suggestForms(schema: z.core.$ZodType, path: readonly PropertyKey[]): string {
  const found = schemaAt(schema, path);
  const forms = found && (descriptionOf(found) ?? descriptionOf(unwrap(found)));
  return forms === undefined ? '' : `Send ${forms}. `;
}

function descriptionOf(schema: z.core.$ZodType): string | undefined {
  return schema instanceof z.ZodType ? schema.description : undefined;
}

/** Returns what a schema says of the value at a path; undefined where that is in no object or list. */
function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return schemaAt(inner.element, rest);
  if (!(inner instanceof z.ZodObject)) return undefined;
  const member: z.core.$ZodType | undefined = inner.shape[String(step)];
  return member && schemaAt(member, rest);
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrap(schema.unwrap()) : schema;
}
