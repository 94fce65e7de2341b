type Schema = Readonly<Record<string, unknown>>;

/** Schemas inside schemas that an example goes down to. */
const MAX_DEPTH = 8;

/** Returns a value to begin a request with: the schema's own example where it has one, and of an object what is required. */
export function exampleOfSchema(schema: Schema): unknown {
  return exampleBelow(schema, (schema.$defs ?? {}) as Readonly<Record<string, Schema>>, MAX_DEPTH);
}

function exampleBelow(schema: Schema, named: Readonly<Record<string, Schema>>, depth: number): unknown {
  const { anyOf, const: only, default: usual, enum: words, example, oneOf, $ref: ref } = schema;
  const given = [example, usual, only, Array.isArray(words) ? words[0] : undefined].find((one) => one !== undefined);
  if (given !== undefined || depth === 0) return given ?? null;
  const inner = [anyOf, oneOf].find((choices) => Array.isArray(choices));
  const next = typeof ref === 'string' ? named[ref.replace('#/$defs/', '')] : (inner as readonly Schema[])?.[0];
  return next === undefined ? exampleOfType(schema, named, depth) : exampleBelow(next, named, depth - 1);
}

function exampleOfType(schema: Schema, named: Readonly<Record<string, Schema>>, depth: number): unknown {
  const { items, minimum = 0, properties = {}, required = [], type } = schema;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties as Readonly<Record<string, Schema>>)
          .filter(([name]) => (required as readonly string[]).includes(name))
          .map(([name, member]) => [name, exampleBelow(member, named, depth - 1)]),
      );
    case 'array':
      return items === undefined ? [] : [exampleBelow(items as Schema, named, depth - 1)];
    case 'integer':
    case 'number':
      return minimum;
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return null;
  }
}
