import type { z } from 'zod';
import { pointerStep } from '../../../platform/kernel/json/json.js';
import { type Issue, TaskError } from '../../../protocol/errors.js';

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

/** Reads a task's arguments. Throws INVALID_REQUEST with the first field, and every fault as an issue with its pointer. */
export function readArguments<Input>(schema: z.ZodType<Input>, args: unknown, tool: string): Input {
  const result = schema.safeParse(args);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => toIssue(issue, args));
  const first = issues[0];
  const field = toField(result.error.issues[0]?.path ?? []);
  throw new TaskError('INVALID_REQUEST', `${field === '' ? 'arguments' : field}: ${first?.message ?? 'invalid'}`, {
    field,
    suggestion: `Correct ${issues.length === 1 ? 'this field' : `these ${issues.length} fields`} and send the request again; tools/list shows the schema of ${tool}.`,
    issues,
  });
}

function toIssue(issue: z.core.$ZodIssue, args: unknown): Issue {
  const missing = issue.code === 'invalid_type' && valueAt(args, issue.path) === undefined;
  return {
    pointer: issue.path.map(pointerStep).join(''),
    message: missing ? 'is required' : issue.message.slice(0, 200),
    keyword: missing ? 'required' : (KEYWORDS[issue.code] ?? issue.code),
  };
}

/** `packages[0].budget` for the path packages, 0, budget. */
function toField(path: readonly PropertyKey[]): string {
  return path.reduce<string>((field, step) => {
    if (typeof step === 'number') return `${field}[${step}]`;
    return field === '' ? String(step) : `${field}.${String(step)}`;
  }, '');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );
}
