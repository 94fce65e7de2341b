import { z } from 'zod';
import { isUrl } from '../../../platform/net/url.js';
import { typedDomain } from '../../model/domains.js';

/** The schema that the OpenAPI document shows of a parameter whose text is parsed to something else. */
type ShownSchema = Readonly<Record<string, unknown>>;

/** Characters of a text parameter. */
const MAX_CHARACTERS = 2048;

const ONCE = 'is given more than once; send it once';
const NEEDED = 'is missing';

/** Returns the message for a parameter that is missing or repeated. */
function once(issue: { readonly input?: unknown }): string {
  if (issue.input === undefined) return NEEDED;
  return Array.isArray(issue.input) ? ONCE : 'has to be a text';
}

/** Returns a text parameter, trimmed, not empty. */
export function text(description: string, { max = MAX_CHARACTERS, min = 1 } = {}) {
  return z
    .string({ error: once })
    .trim()
    .min(min, min === 1 ? 'is empty' : `has to be at least ${min} characters`)
    .max(max, `has to be at most ${max} characters`)
    .describe(description);
}

/** Returns a member of a body that pages show as a link: an https URL without credentials. */
export function httpsUrl() {
  return z
    .string()
    .max(MAX_CHARACTERS)
    .refine(isHttpsUrl, {
      error: 'has to be an https URL',
      params: { suggestion: 'Send an absolute https URL without a user name or password.' },
    });
}

/** Whether a text is an https URL that carries no user name or password. */
export function isHttpsUrl(text: string): boolean {
  if (!isUrl(text)) return false;
  const { password, protocol, username } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

/** Returns a parameter of one of a few words. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words, description: string) {
  return z
    .enum(words, { error: (issue) => (issue.input === undefined ? NEEDED : `has to be one of ${words.join(', ')}`) })
    .describe(description);
}

/** Returns a parameter of `true` or `false`. */
export function flag(description: string) {
  return parsedText(
    { type: 'boolean' },
    description,
    ['true', 'false', '1', '0'],
    (value) => value === 'true' || value === '1',
  );
}

function parsedText<T>(json: ShownSchema, description: string, words: readonly string[], read: (value: string) => T) {
  return z
    .string({ error: once })
    .refine((value) => words.includes(value), `has to be ${words.slice(0, 2).join(' or ')}`)
    .transform(read)
    .meta({ description, shown: json });
}

/** Returns a whole number within bounds; anything else is refused, not clamped. */
export function integer(
  description: string,
  bounds: { readonly min: number; readonly max: number; readonly usual?: number },
) {
  const { min, max, usual } = bounds;
  const json = { type: 'integer', minimum: min, maximum: max, default: usual };
  return z
    .string({ error: once })
    .refine(
      (value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max,
      `has to be a whole number from ${min} to ${max}`,
    )
    .transform(Number)
    .meta({ description, shown: json });
}

/** Returns where a list begins. */
export function offset() {
  return integer('How many rows to pass over.', { min: 0, max: 999_999_999, usual: 0 });
}

/** Values of a list in one parameter. */
const MAX_LIST_VALUES = 100;

/** Returns a parameter of values with commas between them, each once. */
export function csv(description: string) {
  return z
    .string({ error: once })
    .transform((value) => [...new Set(value.split(',').map((one) => one.trim()))].filter((one) => one !== ''))
    .refine((values) => values.length <= MAX_LIST_VALUES, `has to be at most ${MAX_LIST_VALUES} values`)
    .meta({ description, shown: { type: 'string' } });
}

/** Returns a list in one parameter of which each value is one of a few words. */
export function csvOf<const Word extends string>(words: readonly Word[], description: string) {
  const one = `(?:${words.join('|')})`;
  return csv(description)
    .transform((values, context) => readWords(values, words, context))
    .meta({
      description: `${description} Any of ${words.join(', ')}.`,
      shown: { type: 'string', pattern: `^${one}(?:,${one})*$` },
    });
}

/** Returns a parameter that may be repeated. */
export function repeatable(description: string) {
  const one = z.string().trim().min(1, 'is empty').max(256, 'has to be at most 256 characters');
  return z
    .union([one.transform((value) => [value]), z.array(one).max(20, 'has to be given at most 20 times')])
    .meta({ description, shown: { type: 'array', items: { type: 'string' } } });
}

/** Returns a parameter that may be repeated, each time with one of a few words. */
export function repeatableOf<const Word extends string>(words: readonly Word[], description: string) {
  return repeatable(description)
    .transform((values, context) => readWords(values, words, context))
    .meta({ description, shown: { type: 'array', items: { type: 'string', enum: words } } });
}

function readWords<Word extends string>(
  values: readonly string[],
  words: readonly Word[],
  context: z.RefinementCtx,
): readonly Word[] {
  if (values.every((value) => words.some((word) => word === value)))
    return words.filter((word) => values.includes(word));
  const [only = '', ...others] = words;
  const listed = others.length === 0 ? only : `some of ${words.join(', ')}`;
  context.addIssue({
    code: 'custom',
    message: `has to be ${listed}`,
    params: { suggestion: `Use ${listed}, or leave it out.` },
  });
  return z.NEVER;
}

/** Returns a domain as people type it; read to its one form. */
export function domain(description = 'A domain such as acme.example; a scheme and path are cut away.') {
  return z
    .string({ error: once })
    .transform((value, context) => {
      const name = typedDomain(value.slice(0, MAX_CHARACTERS));
      if (name !== undefined) return name;
      context.addIssue({
        code: 'custom',
        message: 'is not a valid domain',
        params: {
          code: 'invalid_domain',
          suggestion: 'Send a host name of at least two labels, such as acme.example.',
        },
      });
      return z.NEVER;
    })
    .meta({ description, shown: { type: 'string' }, example: 'acme.example' });
}

/** Returns a member of up to 100 domains, each once and in its one form; one that is none refuses the request. */
export function domains() {
  return z
    .array(domain(), { error: (issue) => (issue.input === undefined ? NEEDED : 'has to be a list of domains') })
    .min(1, 'is empty')
    .max(MAX_LIST_VALUES, `has to be at most ${MAX_LIST_VALUES} domains`)
    .transform((names) => [...new Set(names)])
    .meta({ description: 'Domains to resolve.' });
}
