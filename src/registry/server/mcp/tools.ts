import { QuotedText, Written, writeOnce } from '../../../platform/kernel/json/json.js';
import { ANONYMOUS, type RegistryCaller } from '../auth/caller.js';
import { countRequest } from '../http/limits.js';
import { PLAIN } from '../http/plain-issues.js';
import { invalidRequest, toProblemReply } from '../http/problems.js';
import type { Reply, Route } from '../http/route.js';
import { jsonSchema } from '../openapi/openapi.js';
import { pathFields } from '../openapi/path-fields.js';
import { RegistryProblem } from '../service/problem.js';
import type { Registry } from '../service/registry.js';

/** A read of the registry as an MCP tool. */
export type RegistryTool = { readonly name: string; readonly route: Route };

/** A tool as `tools/list` shows it. */
export type PublishedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: object;
};

/** Most characters of an answer that a tool hands on: it is written twice, as text and as an object, and in one piece. */
const MAX_ANSWER_CHARACTERS = 2 * 1024 * 1024;

/** Returns the tools of a table of routes, by name: `resolveBrand` is `resolve_brand`. */
export function listTools(routes: readonly Route[]): ReadonlyMap<string, RegistryTool> {
  return new Map(
    routes
      .filter(({ tool }) => tool === true)
      .map((route) => {
        const name = route.operation_id.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
        return [name, { name, route }];
      }),
  );
}

/** Returns a tool as `tools/list` shows it: parameters of path, query and body stand side by side. */
export function publishTool({ name, route }: RegistryTool): PublishedTool {
  const parts = [route.query, route.body].map((schema) => (schema === undefined ? {} : jsonSchema(schema, 'input')));
  const inPath = pathFields(route);
  const properties = Object.assign(
    Object.fromEntries(inPath.map(({ name: step, schema }) => [step, schema])),
    ...parts.map((part) => part.properties ?? {}),
  );
  const required = [
    ...inPath.map((field) => field.name),
    ...parts.flatMap((part) => (part.required as readonly string[] | undefined) ?? []),
  ];
  return {
    name,
    title: route.summary,
    description: [route.summary, route.description].filter((text) => text !== undefined).join(' '),
    inputSchema: { type: 'object', properties, required: required.length === 0 ? undefined : required },
    annotations: { readOnlyHint: true, openWorldHint: route.limits?.includes('probe') ?? false },
  };
}

/** Runs a tool for a caller; whatever is wrong comes back as a failed result with the body that REST would answer. */
export async function callTool(
  registry: Registry,
  { route }: RegistryTool,
  caller: RegistryCaller,
  args: Readonly<Record<string, unknown>>,
  ip: string,
): Promise<Record<string, unknown>> {
  try {
    await countRequest(registry.limits, route.limits ?? [], caller, ip);
    const query = route.query?.safeParse(asQuery(args), PLAIN);
    if (query?.success === false) throw invalidRequest(query.error.issues, 'query');
    const body = route.body?.safeParse(args, PLAIN);
    if (body?.success === false) throw invalidRequest(body.error.issues, 'body');
    const reply = await route.run({
      registry,
      caller: route.auth === 'none' ? ANONYMOUS : caller,
      params: Object.fromEntries(pathFields(route).map(({ name }) => [name, pathValue(args, name)])),
      query: query?.data,
      body: body?.data,
      headers: {},
      ip,
      signal: new AbortController().signal,
    });
    return result(await readPayload(reply), false);
  } catch (error) {
    const { body, status } = toProblemReply(error, '');
    if (status === 500) registry.log.error({ err: error }, 'a registry tool failed unexpectedly');
    return result(body, true);
  }
}

function result(value: object, isError: boolean): Record<string, unknown> {
  const body = writeOnce(value);
  const content = [{ type: 'text', text: new QuotedText(body) }];
  return { content, structuredContent: body, isError: isError || undefined };
}

function pathValue(args: Readonly<Record<string, unknown>>, name: string): string {
  const value = args[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new RegistryProblem('invalid_request', `${name}: is missing`, {
    field: name,
    suggestion: 'Send it as a text; tools/list shows what each tool takes.',
  });
}

/** Arguments in the words of a query, where everything is text. */
function asQuery(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(asText) : asText(value ?? undefined),
    ]),
  );
}

function asText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

async function readPayload(reply: Reply): Promise<object> {
  if ('empty' in reply) return { text: '' };
  const isJson = 'json' in reply || reply.type === 'application/json';
  let text = '';
  for await (const chunk of replyPieces(reply)) {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    if (text.length > MAX_ANSWER_CHARACTERS) {
      throw new RegistryProblem('invalid_request', 'The answer is too large for a tool.', {
        field: 'limit',
        suggestion: 'Ask for a smaller page, or read it over the REST API.',
      });
    }
  }
  if (!isJson) return { text };
  // What is large is not read only to be written once more.
  return text.startsWith('{') ? new Written(text) : { items: JSON.parse(text) };
}

function replyPieces(reply: Exclude<Reply, { empty: true }>): AsyncIterable<string | Uint8Array> | readonly string[] {
  if ('json' in reply) return [JSON.stringify(reply.json)];
  return 'text' in reply ? [reply.text] : reply.stream;
}
