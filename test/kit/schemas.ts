import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import formatsPlugin from 'ajv-formats';
import { PROJECT } from './surroundings.js';

/** Where the public schemas of each release lie: those of 3.0 in a development dependency, those of 3.1 beside the project if at all. */
export const SCHEMA_FOLDERS = {
  '3.0': path.join(PROJECT, 'node_modules/@adcp/sdk/dist/lib/schemas-data/3.0'),
  '3.1': path.resolve('..', 'shared', 'schemas', '3.1.19'),
  '3.2-beta.5': path.resolve('..', 'shared', 'schemas', '3.2.0-beta.5'),
} as const;

/** A release that has public schemas. */
export type SchemaRelease = keyof typeof SCHEMA_FOLDERS;

/** Whether the schemas of a release are on this machine. */
export function hasSchemas(release: SchemaRelease): boolean {
  return existsSync(path.join(SCHEMA_FOLDERS[release], 'index.json'));
}

/** A JSON Schema (draft-07) as it stands in its file. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The public schemas of a release. */
export type SchemaSet = {
  readonly all: readonly JsonSchema[];
  /** By `$id` and by name (`media-buy/get-products-request`). Throws where there is none. */
  readonly named: (name: string) => JsonSchema;
};

/** Files of one worker share what they read: some hundred schemas, and the seconds that compiling them takes. */
const SETS = new Map<SchemaRelease, SchemaSet>();
const JUDGES = new Map<SchemaRelease, Judge>();

/** The public schemas of a release; read once. */
export function readSchemas(release: SchemaRelease): SchemaSet {
  return once(SETS, release, readSet);
}

function once<Value>(
  made: Map<SchemaRelease, Value>,
  release: SchemaRelease,
  make: (of: SchemaRelease) => Value,
): Value {
  const before = made.get(release);
  if (before !== undefined) return before;
  const value = make(release);
  made.set(release, value);
  return value;
}

function readSet(release: SchemaRelease): SchemaSet {
  const folder = SCHEMA_FOLDERS[release];
  const byId = new Map<string, JsonSchema>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json') || file.startsWith('bundled')) continue;
    const schema = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as JsonSchema;
    // Some schemas of 3.1 lie in two folders under one id.
    const id = typeof schema.$id === 'string' ? schema.$id : file;
    if (!byId.has(id)) byId.set(id, schema);
  }
  const prefix = idPrefix(folder);
  return {
    all: [...byId.values()].filter(({ $id }) => $id !== undefined),
    named: (name) => {
      const schema = byId.get(name) ?? byId.get(`${prefix}/${name}.json`);
      if (schema === undefined) throw new Error(`there is no schema ${name} in ${folder}`);
      return schema;
    },
  };
}

/** What a value breaks of the named schema (`media-buy/get-products-response`), one line per fault; empty when it is valid. */
export type Judge = (schema: string, value: unknown) => readonly string[];

/** A judge by the public schemas of a release (draft-07, formats checked). Compiles each schema when it is first asked for. */
export function schemaJudge(release: SchemaRelease): Judge {
  return once(JUDGES, release, makeJudge);
}

function makeJudge(release: SchemaRelease): Judge {
  const schemas = readSchemas(release);
  const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false });
  // The plugin is CommonJS; what it is called with is all that matters here.
  (formatsPlugin as unknown as (target: Ajv) => void)(ajv);
  for (const schema of schemas.all) ajv.addSchema(schema);
  return (name, value) => {
    const validate = ajv.getSchema(String(schemas.named(name).$id));
    if (validate === undefined) throw new Error(`the schema ${name} of ${release} cannot be compiled`);
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(describe);
  };
}

/** `/schemas/3.0.6`, as every schema of the folder calls itself. */
function idPrefix(folder: string): string {
  const { $id } = JSON.parse(readFileSync(path.join(folder, 'index.json'), 'utf8')) as { $id: string };
  return path.posix.dirname($id);
}

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message ?? ''} ${JSON.stringify(params)}`;
}
