import type { z } from 'zod';
import type { ConfigProblem } from '../../platform/kernel/errors.js';
import { findNearest, quoteNames } from '../../platform/kernel/nearest.js';
import { type JsonFile, type JsonPath, problemAt } from './json-file.js';

/** As much of a JSON Schema as explanations need: names, descriptions and the schemas below. */
export type JsonSchema = {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
};

type Issue = z.core.$ZodIssue;
type Sentence = readonly [message: string, fix: string];

/** A key that is near one that the schema has there and the object has not. */
type MisspelledKey = { readonly path: JsonPath; readonly means: string; readonly problem: ConfigProblem };

/** Returns the issues of a schema as problems with position, pointer and a fix made from the schema's own descriptions. */
export function explainIssues(json: JsonFile, issues: readonly Issue[], schema: JsonSchema): ConfigProblem[] {
  return locateIssues(issues, []).flatMap((located) => explainIssue(json, located, schema));
}

/** Returns the unknown keys that are misspelled ones, each for another key of its object. */
export function findMisspelledKeys(json: JsonFile, issues: readonly Issue[], schema: JsonSchema): MisspelledKey[] {
  const meanings = new Set<string>();
  return locateIssues(issues, []).flatMap(({ issue, path }) => {
    if (issue.code !== 'unrecognized_keys') return [];
    return issue.keys.flatMap((key) => {
      const keys = listKeys(nodesAt(schema, path));
      const means = findNearest(key, keys);
      if (means === undefined || valueAt(json.value, [...path, means]) !== undefined) return [];
      const meaning = JSON.stringify([...path, means]);
      if (meanings.has(meaning)) return [];
      meanings.add(meaning);
      const at = [...path, key];
      return [{ path: at, means, problem: problemAt(json, at, ...unknownKey(key, keys)) }];
    });
  });
}

/** An issue with its whole path, below the arms of unions. */
type LocatedIssue = { readonly issue: Issue; readonly path: JsonPath };

/** Returns the issues that say what is wrong: those of a union are the ones of the arm that was meant. */
function locateIssues(issues: readonly Issue[], base: JsonPath): LocatedIssue[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...(issue.path as (string | number)[])];
    const arm = issue.code === 'invalid_union' ? issue.errors.find((errors) => !errors.some(refusesRoot)) : undefined;
    return arm === undefined ? [{ issue, path }] : locateIssues(arm, path);
  });
}

function explainIssue(json: JsonFile, { issue, path }: LocatedIssue, schema: JsonSchema): ConfigProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const keys = listKeys(nodesAt(schema, path));
    return issue.keys.map((key) => problemAt(json, [...path, key], ...unknownKey(key, keys)));
  }
  const node = nodesAt(schema, path).find((candidate) => candidate.description !== undefined);
  const [message, fix] = sentence(issue, valueAt(json.value, path), path.at(-1), node?.description ?? '');
  return [problemAt(json, path, message, fix)];
}

function refusesRoot(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0;
}

function listKeys(nodes: readonly JsonSchema[]): readonly string[] {
  return [...new Set(nodes.flatMap((node) => Object.keys(node.properties ?? {})))];
}

function unknownKey(key: string, keys: readonly string[]): Sentence {
  const meant = findNearest(key, keys);
  const named = quoteNames(
    keys.filter((name) => !name.startsWith('$')),
    40,
  );
  const fix =
    meant === undefined
      ? `Remove it; a remark belongs in "$comment". Known here: ${named}.`
      : `Rename it to "${meant}", or remove it.`;
  return [`unknown key "${key}"`, fix];
}

function sentence(issue: Issue, value: unknown, key: string | number | undefined, description: string): Sentence {
  const hint = description === '' ? '' : ` ${description}`;
  if (value === undefined) return [`"${key}" is missing`, `Add "${key}".${hint}`];
  switch (issue.code) {
    case 'invalid_type':
      return [
        `expected ${withArticle(issue.expected)}, found ${kindOf(value)}`,
        `Write ${withArticle(issue.expected)}.${hint}`,
      ];
    case 'invalid_value':
      return oneOf(value, issue.values.map(String));
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? oneOf(value, issue.options.map(String))
        : [`${kindOf(value)} does not fit here`, `Write it differently.${hint}`];
    case 'too_small':
      return [
        `${describeValue(value)} is too small; the minimum is ${issue.minimum}${unit(issue.origin)}`,
        `Use at least ${issue.minimum}${unit(issue.origin)}.${hint}`,
      ];
    case 'too_big':
      return [
        `${describeValue(value)} is too large; the maximum is ${issue.maximum}${unit(issue.origin)}`,
        `Use at most ${issue.maximum}${unit(issue.origin)}.${hint}`,
      ];
    case 'custom':
      return [issue.message, typeof issue.params?.fix === 'string' ? issue.params.fix : `Correct the value.${hint}`];
    case 'invalid_key':
      return [`"${key}" cannot be a name here`, `Use another name.${hint}`];
    default:
      return [`${describeValue(value)} does not have the right form`, `Correct the value.${hint}`];
  }
}

function oneOf(value: unknown, options: readonly string[]): Sentence {
  const meant = typeof value === 'string' ? findNearest(value, options) : undefined;
  const offer = `Use one of: ${quoteNames(options, 40)}.`;
  return [
    `${describeValue(value)} is not a known value`,
    meant === undefined ? offer : `Did you mean "${meant}"? ${offer}`,
  ];
}

function unit(origin: string): string {
  if (origin === 'array') return ' entries';
  return origin === 'string' ? ' characters' : '';
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

function withArticle(type: string): string {
  const noun = type === 'int' ? 'integer' : type;
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Returns the value at a path of a JSON value; undefined where there is none. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  let at = value;
  for (const segment of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, segment)?.value;
  }
  return at;
}

function nodesAt(schema: JsonSchema, path: JsonPath): readonly JsonSchema[] {
  let nodes = withArms(schema);
  for (const segment of path) {
    nodes = nodes.flatMap((node) => {
      const below =
        typeof segment === 'number' ? node.items : (node.properties?.[segment] ?? node.additionalProperties);
      return typeof below === 'object' ? withArms(below) : [];
    });
  }
  return nodes;
}

function withArms(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(withArms)];
}
