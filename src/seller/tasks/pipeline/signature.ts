import { isObject } from '../../../platform/kernel/json/json.js';

/** Deeper objects are called `object`; what they hold is said by the error that a wrong one gets. */
const SPELLED_LEVELS = 3;

/** Longer lists of allowed values are named by the error that another one gets. */
const MAX_VALUES = 8;

/** What is said of a form of values that JSON Schema has no short word for. */
const ANY = 'any';

/**
 * A JSON Schema in one line, as TypeScript would write it: `{domain: string, brand_id?: string}`. A third of the schema's
 * length, and a language model reads it as well.
 */
export function signatureOf(schema: unknown, levels = SPELLED_LEVELS): string {
  if (!isObject(schema)) return ANY;
  const { type, description, properties, items, enum: values, anyOf, const: only } = schema;
  if (only !== undefined) return String(only);
  if (Array.isArray(values)) return values.length > MAX_VALUES ? 'string' : values.join('|');
  if (Array.isArray(anyOf)) return anyOf.map((form) => signatureOf(form, levels)).join(' or ');
  if (schema.brief === true) return String(description ?? type).replace(/(?<=\}):.*$/, '');
  if (type === 'array') return listOf(signatureOf(items, levels));
  if (isObject(properties) && Object.keys(properties).length > 0 && levels > 0) {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const members = Object.entries(properties).map(
      ([name, member]) => `${name}${required.has(name) ? '' : '?'}: ${signatureOf(member, levels - 1)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return type === 'integer' ? 'number' : String(type ?? ANY);
}

function listOf(member: string): string {
  return /[| ]/.test(member) && !member.startsWith('{') ? `(${member})[]` : `${member}[]`;
}
