import type { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** Types of JSON in words. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** What some formats of a text are called. */
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'an absolute URL',
  uuid: 'a UUID',
  datetime: 'an instant such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
};

/** What is counted of a value that is too large or too small. */
const COUNTED: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' entries',
  set: ' entries',
  map: ' members',
  object: ' members',
};

/** Returns what is wrong with a value, to be read behind its place; undefined where the library's own words have to do. */
function wordIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `has to be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `has to be ${listWords(issue.values)}`;
    case 'invalid_format':
      return issue.format === 'regex'
        ? `does not match ${issue.pattern}`
        : `has to be ${FORMATS[issue.format] ?? `a valid ${issue.format}`}`;
    case 'too_big':
      return `has to be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${COUNTED[issue.origin] ?? ''}`;
    case 'too_small':
      return COUNTED[issue.origin] !== undefined && Number(issue.minimum) === 1
        ? 'is empty'
        : `has to be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${COUNTED[issue.origin] ?? ''}`;
    case 'unrecognized_keys':
      return `has members that are not defined: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is missing' : 'has none of the forms that it may have';
    default:
      return undefined;
  }
}

function listWords(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`;
}

/** How a query or body is validated: what a schema has no words for is put plainly. */
export const PLAIN = { error: wordIssue };
