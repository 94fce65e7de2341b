import { z } from 'zod';
import { HOST_NAME, isUrl } from '../../../platform/net/url.js';
import { VALUE_TYPES } from '../../domain/signal/signal.js';

const REMARKS = {
  $schema: z.string().optional().describe('The JSON Schema of this file, for completion in editors.'),
  $comment: z.string().optional().describe('A remark for the people who edit this file; never sent to anybody.'),
};

/** Returns a strict object that also allows `$schema` and `$comment`. */
export function object<const Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...REMARKS, ...shape });
}

/** Returns a list without repetitions. */
export function distinct<Item extends z.ZodType<string>>(item: Item, minimum = 0) {
  return z
    .array(item)
    .min(minimum)
    .refine((items) => new Set(items).size === items.length, {
      error: 'the list names something twice',
      params: { fix: 'Remove the repeated entry.' },
    })
    .meta({ uniqueItems: true });
}

/** Returns an identifier of the file: safe in URLs, logs and arguments. */
export function identifier(description: string) {
  return z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
    .describe(`${description} Letters, digits, ".", "_" and "-", starting with a letter or digit.`);
}

/** Returns the shape of a lower-case host name. */
export function domainName(description: string) {
  return z
    .string()
    .regex(HOST_NAME)
    .describe(`${description} A lower-case domain such as "news.example", without scheme or path.`);
}

/** Returns the shape of an absolute http or https address. */
export function webAddress(description: string) {
  return z
    .url({ protocol: /^https?$/ })
    .refine((text) => !isUrl(text) || (new URL(text).username === '' && new URL(text).password === ''), {
      error: 'the address carries a user name or password',
      params: { fix: 'Leave credentials out of the address; everybody who reads the file would have them.' },
    })
    .describe(description);
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
/** Codes that have a name and are no countries: groups of them, and what tests of software use. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** Whether two capitals are the code of a country or territory; a code that another took the place of is none. */
function isCountry(code: string): boolean {
  return (
    !NO_COUNTRIES.has(code) && regionNames.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code
  );
}

/** An ISO 3166-1 alpha-2 country. */
export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, { abort: true })
  .refine(isCountry, {
    error: 'there is no country of this code',
    params: { fix: 'Use an ISO 3166-1 alpha-2 code, such as "US"; that of the United Kingdom is "GB".' },
  })
  .describe('An ISO 3166-1 alpha-2 country code in capitals, such as "US".');

/** Returns the shape of an amount of money or a price; never negative. */
export function amount(description: string) {
  return z.number().min(0).max(1e12).describe(description);
}

/** Returns the shape of a share between 0 and 1. */
export function share(description: string) {
  return z.number().min(0).max(1).describe(`${description} A share from 0 to 1.`);
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** An ISO 4217 currency that exists. */
export const currency = z
  .string()
  .refine((code) => currencies.has(code), {
    error: 'this is not an ISO 4217 currency',
    params: { fix: 'Use a three-letter code in capitals, such as "USD" or "EUR".' },
  })
  .meta({ description: 'ISO 4217 currency code in capitals, such as "USD".', pattern: '^[A-Z]{3}$' });

/** `UTC` or an IANA time zone that exists. */
export const timezone = z
  .string()
  .refine(isTimezone, {
    error: 'this time zone does not exist',
    params: { fix: 'Use "UTC" or an IANA name such as "Europe/Berlin".' },
  })
  .describe('Time zone of reporting periods: "UTC" or an IANA name such as "Europe/Berlin".');

function isTimezone(name: string): boolean {
  if (name === 'UTC') return true;
  if (!/^[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The members that say which values a signal has. */
export const signalValues = {
  value_type: z
    .enum(VALUE_TYPES)
    .default('binary')
    .describe('"binary": in or out, "categorical": one of categories, "numeric": a number within range.'),
  categories: distinct(z.string().min(1), 1).optional().describe('The values of a categorical signal.'),
  range: object({
    min: z.number().describe('The smallest value.'),
    max: z.number().describe('The largest value.'),
  })
    .optional()
    .describe('The values of a numeric signal.'),
};
