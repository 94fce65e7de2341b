import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema, SchemaSet } from './schemas.js';

/** Values that a request needs to get anywhere, by the name of the member that takes them: ids of things that are there. */
export type Hints = Readonly<Record<string, Arbitrary<unknown>>>;

/** Below this depth only what is required is written. */
const MAX_DEPTH = 7;
/** How often an optional member is there. */
const OPTIONAL = 0.3;
/** How often a member with a hint takes it. */
const HINTED = 0.85;

type Making = { readonly schemas: SchemaSet; readonly hints: Hints };

/** Requests that a public schema allows. Members with a hint mostly take it; what the generator does not know is left open. */
export function requestsOf(schema: JsonSchema, schemas: SchemaSet, hints: Hints): Arbitrary<Record<string, unknown>> {
  return arbitraryFor(schema, { schemas, hints }, 0) as Arbitrary<Record<string, unknown>>;
}

/** Returns requests with one thing wrong: a member gone, of another type, or absurd. */
export function wrongRequestsOf(requests: Arbitrary<Record<string, unknown>>): Arbitrary<Record<string, unknown>> {
  const absurd = fc.constantFrom<unknown>(null, -1, 1e308, '', ' ', 'x'.repeat(3000), [], {}, true, [[[]]], '\ud800');
  return fc.tuple(requests, fc.nat(), fc.option(absurd, { nil: undefined })).map(([request, pick, value]) => {
    const wrong = structuredClone(request);
    const places = placesIn(wrong);
    const place = places[pick % Math.max(1, places.length)];
    if (place === undefined) return wrong;
    if (value === undefined) delete place.holder[place.key];
    else place.holder[place.key] = value;
    return wrong;
  });
}

/** Values that a part of a public schema allows. */
export function valuesOf(schema: unknown, schemas: SchemaSet): Arbitrary<unknown> {
  return arbitraryFor(schema, { schemas, hints: {} }, MAX_DEPTH);
}

type Place = { readonly holder: Record<string, unknown>; readonly key: string };

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

function arbitraryFor(schema: unknown, making: Making, depth: number): Arbitrary<unknown> {
  if (typeof schema !== 'object' || schema === null) return fc.constant({});
  const { $ref, const: only, enum: values, oneOf, anyOf, allOf } = schema as JsonSchema;
  if (typeof $ref === 'string') return arbitraryFor(refer($ref, making.schemas), making, depth);
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  const own = plain(schema as JsonSchema, making, depth);
  const forms = [oneOf, anyOf].filter(Array.isArray) as (readonly unknown[])[];
  const chosen = forms.map((among) =>
    fc.oneof(...among.map((form) => arbitraryFor(within(form, schema), making, depth))),
  );
  const wholes = Array.isArray(allOf) ? allOf.map((part) => arbitraryFor(within(part, schema), making, depth)) : [];
  return [...wholes, ...chosen].reduce((base, more) => fc.tuple(base, more).map(([a, b]) => merged(a, b)), own);
}

function refer(ref: string, schemas: SchemaSet): unknown {
  const [id = '', pointer = ''] = ref.split('#');
  if (id === '') return {};
  return pointer
    .split('/')
    .filter((step) => step !== '')
    .reduce<unknown>((at, step) => (at as JsonSchema | undefined)?.[step], schemas.named(id));
}

/** A form of a schema that says no type has that of the whole. */
function within(form: unknown, whole: unknown): unknown {
  const { type } = whole as JsonSchema;
  const { type: own, $ref } = (form ?? {}) as JsonSchema;
  return own !== undefined || $ref !== undefined || type === undefined ? form : { type, ...(form as object) };
}

function merged(base: unknown, more: unknown): unknown {
  const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord(base) && isRecord(more) ? { ...(base as object), ...(more as object) } : more;
}

function plain(schema: JsonSchema, making: Making, depth: number): Arbitrary<unknown> {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer');
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return listOf(schema, making, depth);
    default:
      return recordOf(schema, making, depth);
  }
}

/** Texts by their `format`; the dates lie where the tests' clock is. */
const FORMATS: Readonly<Record<string, Arbitrary<string>>> = {
  'date-time': fc
    .integer({ min: -2 * 86_400, max: 60 * 86_400 })
    .map((seconds) => new Date(Date.parse('2030-01-02T00:00:00Z') + seconds * 1000).toISOString()),
  date: fc.integer({ min: 1, max: 28 }).map((day) => `2030-01-${String(day).padStart(2, '0')}`),
  uri: fc.constantFrom('https://buyer.example/hook', 'https://agent.example/mcp'),
  email: fc.constant('a@buyer.example'),
  uuid: fc.uuid(),
};

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: JsonSchema): Arbitrary<string> {
  const known = FORMATS[String(format)];
  if (known !== undefined) return known;
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  const min = Number(minLength);
  return fc.string({ minLength: min, maxLength: Math.max(min, Math.min(40, Number(maxLength))), unit: 'grapheme' });
}

function numberOf({ minimum, maximum, exclusiveMinimum }: JsonSchema, whole: boolean): Arbitrary<number> {
  const least = Number(minimum ?? exclusiveMinimum ?? 0);
  const most = Number(maximum ?? 1e6);
  const among = fc.integer({ min: Math.ceil(least), max: Math.max(Math.ceil(least), Math.floor(most)) });
  return whole ? among : fc.oneof(among, fc.double({ min: least, max: Math.max(least, most), noNaN: true }));
}

function listOf(
  { items, minItems = 0, maxItems = 3 }: JsonSchema,
  making: Making,
  depth: number,
): Arbitrary<unknown[]> {
  const least = Number(minItems);
  const most = depth > MAX_DEPTH ? least : Math.max(least, Math.min(3, Number(maxItems)));
  return fc.array(arbitraryFor(items ?? {}, making, depth + 1), { minLength: least, maxLength: most });
}

function recordOf(schema: JsonSchema, making: Making, depth: number): Arbitrary<Record<string, unknown>> {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, unknown>>;
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  const members = Object.entries(properties)
    .filter(([name]) => required.has(name) || depth <= MAX_DEPTH)
    .map(([name, member]) => {
      const made = fc.constant(undefined).chain(() => arbitraryFor(member, making, depth + 1));
      const hint = making.hints[name];
      const value =
        hint === undefined
          ? made
          : fc.oneof({ weight: HINTED * 100, arbitrary: hint }, { weight: 100 - HINTED * 100, arbitrary: made });
      if (required.has(name)) return fc.tuple(fc.constant(name), value);
      const there = hint === undefined ? OPTIONAL : 0.5;
      return fc.tuple(
        fc.constant(name),
        fc.oneof(
          { weight: there * 100, arbitrary: value },
          { weight: 100 - there * 100, arbitrary: fc.constant(undefined) },
        ),
      );
    });
  return fc.tuple(...members).map((pairs) => Object.fromEntries(pairs.filter(([, value]) => value !== undefined)));
}
