import type { z } from 'zod';
import { fieldPath, hasMoreValues, pointerStep } from '../../../../platform/kernel/json/json.js';
import { type Issue, TaskError } from '../../../../protocol/errors.js';
import { MAX_VALUES } from '../tool.js';
import { mendArguments, valueAt } from './mend-arguments.js';
import { suggestValue } from './suggest-value.js';

/** JSON Schema's words for what zod found. */
const KEYWORDS: Readonly<Record<string, string>> = {
  invalid_type: 'type',
  too_small: 'minimum',
  too_big: 'maximum',
  invalid_format: 'pattern',
  invalid_value: 'enum',
  invalid_union: 'anyOf',
  not_multiple_of: 'multipleOf',
};

/** Of arguments with more values the first fault alone is said, and none is mended: to name each takes much longer than to read them. */
const MAX_EXPLAINED_VALUES = 1000;
/** Most times that arguments are mended: a list in a text may hold numbers in texts. */
const MAX_MENDINGS = 3;
/** Ends zod's reading of a list or object with its first fault, as its own `validate` does. */
const FIRST_FAULT: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** A task's arguments as its schema reads them, and the request that says so plainly. */
type ReadArguments<Input, Request> = { readonly args: Input; readonly request: Request };

/**
 * Reads a task's arguments; texts that say a number, a list or an object where one is wanted are taken for it. Throws INVALID_REQUEST
 * with the first field, and every fault as an issue with its pointer.
 */
export function readArguments<Input, Request>(
  schema: z.ZodType<Input>,
  given: Request,
  tool: string,
): ReadArguments<Input, Request> {
  let request = given;
  for (let mendings = 0; ; mendings += 1) {
    const result = schema.safeParse(request, FIRST_FAULT);
    if (result.success) return { args: result.data, request };
    const isLarge = hasMoreValues(request, MAX_EXPLAINED_VALUES);
    const issues = (isLarge ? result.error : (schema.safeParse(request).error ?? result.error)).issues;
    const mended = isLarge || mendings === MAX_MENDINGS ? undefined : mendArguments(request, issues);
    if (mended === undefined || hasMoreValues(mended, MAX_VALUES))
      throw refusal({ schema, args: request, tool }, issues);
    request = mended;
  }
}

type Asked = { readonly schema: z.ZodType; readonly args: unknown; readonly tool: string };

function refusal({ schema, args, tool }: Asked, found: readonly z.core.$ZodIssue[]): TaskError {
  const issues = found.map((issue) => toIssue(issue, args));
  const first = issues[0];
  const field = fieldPath(found[0]?.path ?? []);
  return new TaskError('INVALID_REQUEST', `${field === '' ? 'arguments' : field}: ${first?.message ?? 'invalid'}`, {
    field,
    suggestion: `${suggestValue(found[0], args, schema)}Correct ${issues.length === 1 ? 'this field' : `these ${issues.length} fields`} and send the request again; tools/list shows the schema of ${tool}.`,
    issues,
    details: detailsOf(found[0]),
  });
}

/** Most words that an error lists. */
const MAX_ALLOWED_VALUES = 50;

/** Returns the words that a field takes, where an error is about that. */
function detailsOf(issue: z.core.$ZodIssue | undefined): Readonly<Record<string, unknown>> | undefined {
  if (issue?.code !== 'invalid_value' || issue.values.length > MAX_ALLOWED_VALUES) return undefined;
  return { allowed_values: issue.values };
}

/** What zod finds where there is nothing. */
const CODES_OF_MISSING: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

function toIssue(issue: z.core.$ZodIssue, args: unknown): Issue {
  const isOfWords = issue.code === 'invalid_value';
  const isMissing = CODES_OF_MISSING.has(issue.code) && valueAt(args, issue.path) === undefined;
  const words = isOfWords ? `: ${issue.message.replace('Invalid option: expected ', '')}` : '';
  return {
    pointer: issue.path.map(pointerStep).join(''),
    message: isMissing ? `is required${words.slice(0, 200)}` : issue.message.slice(0, 200),
    keyword: isMissing ? 'required' : (KEYWORDS[issue.code] ?? issue.code),
  };
}
