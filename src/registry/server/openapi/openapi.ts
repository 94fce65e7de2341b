import { stringify } from 'yaml';
import { z } from 'zod';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { answersOf } from '../http/answers.js';
import type { Route, RouteAnswer } from '../http/route.js';
import type { Registry } from '../service/registry.js';
import { pathFields } from './path-fields.js';
import { TAGS } from './tags.js';

type Json = Record<string, unknown>;

/**
 * Returns the API description (OpenAPI 3.1) as YAML, derived from the table of routes. It is written path by path and
 * gives way to others in between.
 */
export async function openApiYaml(
  { baseUrl, version }: Pick<Registry, 'baseUrl' | 'version'>,
  routes: readonly Route[],
): Promise<string> {
  const pace = startPace();
  const shown = routes.filter(({ hidden }) => hidden !== true);
  const used = new Set(shown.map(({ tag }) => tag));
  const schemas: Json = {};
  let text = writeYaml({
    openapi: '3.1.0',
    info: {
      title: 'Registry API',
      version,
      description:
        'Resolve brands and publishers, find agents, follow changes and check who may sell what. Most reads need no credential.',
    },
    servers: [{ url: baseUrl() }],
    tags: Object.values(TAGS)
      .filter((name) => used.has(name))
      .map((name) => ({ name })),
  });
  text += 'paths:\n';
  for (const path of new Set(shown.map((route) => route.path))) {
    const operations: Json = {};
    for (const route of shown)
      if (route.path === path) operations[route.method.toLowerCase()] = describeOperation(route, schemas);
    text += writeBelow(['paths'], { [path]: operations });
    if (pace.isDue()) await pace.rest();
  }
  text += `components:\n${writeBelow(['components'], { securitySchemes: SECURITY })}  schemas:\n`;
  for (const [name, schema] of Object.entries(schemas)) {
    text += writeBelow(['components', 'schemas'], { [name]: schema });
    if (pace.isDue()) await pace.rest();
  }
  return text;
}

const SECURITY = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key of an organization (sk_…), or an access token of the identity provider that /.well-known/oauth-protected-resource/api names.',
  },
};

function writeYaml(value: Json): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** Returns members as they stand below these keys, of which each has a line of its own already. */
function writeBelow(keys: readonly string[], members: Json): string {
  const whole = writeYaml(keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), members));
  return whole.split('\n').slice(keys.length).join('\n');
}

/** Returns the JSON Schema of a body or answer; a parameter whose text is parsed shows the schema that fields.ts gives it. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: json }) => {
      const { shown } = json as { shown?: Json };
      if (shown === undefined || zodSchema === undefined) return;
      delete (json as { shown?: Json }).shown;
      if (io === 'input') {
        delete json.anyOf;
        Object.assign(json, shown);
      }
    },
  }) as Json;
  const { $schema: _dialect, ...rest } = made;
  return rest;
}

function describeOperation(route: Route, schemas: Json): Json {
  const { auth, body, deprecated, description, limits, operation_id, summary, tag } = route;
  const security = [{ bearerAuth: [] }];
  const notes = [
    description,
    limits?.includes('bulk') === true ? 'At most 20 requests a minute for each address.' : undefined,
  ];
  const text = notes.filter((note) => note !== undefined).join(' ');
  return {
    operationId: operation_id,
    summary,
    description: text === '' ? undefined : text,
    tags: [tag],
    deprecated: deprecated || undefined,
    ...(auth === 'none' ? {} : { security: auth === 'optional' ? [{}, ...security] : security }),
    ...parametersOf(route, schemas),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: contentOf(body, { io: 'input', type: route.form ? FORM : undefined }, schemas),
          },
        }),
    responses: Object.fromEntries(
      Object.entries(answersOf(route)).map(([status, answer]) => [status, responseOf(answer, schemas)]),
    ),
  };
}

function parametersOf(route: Route, schemas: Json): Json {
  const { query } = route;
  const inPath = pathFields(route).map(({ name, schema: { description, ...schema } }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema,
  }));
  const object = query === undefined ? {} : hoistSchemas(jsonSchema(query, 'input'), schemas);
  const { properties = {}, required = [] } = object as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
  const parameters = [...inPath, ...inQuery];
  return parameters.length === 0 ? {} : { parameters };
}

function responseOf({ body, description, type }: RouteAnswer, schemas: Json): Json {
  if (body === undefined) return type === undefined ? { description } : { description, content: { [type]: {} } };
  return { description, content: contentOf(body, { io: 'output', type }, schemas) };
}

const FORM = 'application/x-www-form-urlencoded';

/** The side of a route that a body is on, and its media type; JSON unless set. */
type BodySide = { readonly io: 'input' | 'output'; readonly type: string | undefined };

function contentOf(body: z.ZodType, { io, type = 'application/json' }: BodySide, schemas: Json): Json {
  return { [type]: { schema: hoistSchemas(jsonSchema(body, io), schemas) } };
}

/** Returns a schema whose named parts are put into the components; what names them points there. */
function hoistSchemas({ $defs, ...schema }: Json, schemas: Json): Json {
  for (const [name, definition] of Object.entries(($defs ?? {}) as Json)) schemas[name] = repointRefs(definition);
  return repointRefs(schema) as Json;
}

function repointRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repointRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : repointRefs(member),
    ]),
  );
}
