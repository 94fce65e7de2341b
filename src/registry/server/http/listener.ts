import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { exceededBound } from '../../../platform/kernel/json/bounds.js';
import { type ClientAddress, socketAddress } from '../../../platform/net/client-address.js';
import { readBytes } from '../../../platform/web/body.js';
import type { WebListener } from '../../../platform/web/listener.js';
import { ANONYMOUS, asMember, isModerator, type RegistryCaller } from '../auth/caller.js';
import { RegistryProblem } from '../service/problem.js';
import type { Registry } from '../service/registry.js';
import { countRequest } from './limits.js';
import { createMatcher } from './match.js';
import { invalidRequest, toProblemReply } from './problems.js';
import type { Reply, Route, RouteCall } from './route.js';

/** The path of the document that says which tokens the API takes (RFC 9728). */
export const API_RESOURCE_PATH = '/.well-known/oauth-protected-resource/api';

/** Bytes of a body unless its route says more. */
const MAX_BODY_BYTES = 64 * 1024;
/** Bodies beyond these are refused before they are read: to read them, and to say what is wrong with each value, would take too long. */
const MAX_BODY_LEVELS = 32;
const MAX_BODY_VALUES = { anonymous: 30_000, proven: 100_000 };

/**
 * Serves a table of routes; a request that no route is for is left to `next`, or answered with 404. It needs no express, which costs more
 * than most reads do. `addressOf` names the caller that limits count a request without a credential for.
 */
export function createRegistryListener(
  registry: Registry,
  routes: readonly Route[],
  addressOf: ClientAddress = socketAddress,
): WebListener {
  const match = createMatcher(routes);
  return (request, response, next) => {
    void serve(registry, match, addressOf, request, response, next).catch((error: unknown) => {
      registry.log.error({ err: error }, 'a registry request failed unexpectedly');
      response.destroy();
    });
  };
}

async function serve(
  registry: Registry,
  match: ReturnType<typeof createMatcher>,
  addressOf: ClientAddress,
  request: IncomingMessage,
  response: ServerResponse,
  next: (() => void) | undefined,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const [path = '/', search = ''] = splitOnce(url, '?');
  try {
    const found = match(method, path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
    if ('route' in found) {
      const asked = { params: found.params, search, ip: addressOf(request) };
      const reply = await answer(registry, found.route, asked, request, response);
      await write(response, reply, method === 'HEAD', request);
    } else if (found.allowed.length === 0 && next !== undefined) {
      next();
    } else if (method === 'OPTIONS' && found.allowed.length > 0) {
      await write(response, { status: 204, empty: true, headers: preflight(found.allowed) }, false, request);
    } else throw notServed(found.allowed, path, response);
  } catch (error) {
    const { status, headers, body } = toProblemReply(error, challenge(registry, error));
    if (status === 500) registry.log.error({ err: error }, 'a registry request failed unexpectedly');
    if (response.headersSent) response.destroy();
    else await write(response, { status, headers, json: body }, method === 'HEAD', request);
  }
}

async function answer(
  registry: Registry,
  route: Route,
  { ip, params, search }: Pick<RouteCall<unknown, unknown>, 'ip' | 'params'> & { readonly search: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Reply> {
  if (registry.mirrors !== undefined && isWrite(route)) throw readOnly(registry.mirrors, response);
  const caller = await admit(registry, route, request.headers.authorization);
  await countRequest(registry.limits, route.limits ?? [], caller, ip);
  const query = route.query === undefined ? undefined : checked(route.query, readQuery(search), 'query');
  const body =
    route.body === undefined ? undefined : checked(route.body, await readContent(route, request, response), 'body');
  const headers = request.headers as Readonly<Record<string, string | undefined>>;
  return route.run({
    registry,
    caller,
    params,
    query,
    body,
    headers,
    ip,
    // Few ask for it, and to abort one for nobody costs more than most reads.
    get signal() {
      return goneWith(response);
    },
  });
}

/** Aborts when the caller is gone. */
function goneWith(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}

/** Whether a route changes what the registry holds, which a mirror does not. */
function isWrite({ method, auth }: Pick<Route, 'method' | 'auth'>): boolean {
  return method !== 'GET' && auth !== 'none' && auth !== 'optional';
}

/** Returns the caller, where a route of that `auth` admits it. Throws 401 or 403. */
export async function admit(
  registry: Registry,
  { auth }: Pick<Route, 'auth'>,
  authorization: string | undefined,
): Promise<RegistryCaller> {
  if (auth === 'none') return ANONYMOUS;
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  const caller = token === undefined ? undefined : await registry.identify(token);
  if (auth === 'optional') return caller ?? ANONYMOUS;
  if (caller === undefined || caller.kind === 'anonymous') throw unproven(registry, authorization);
  if (auth === 'member') return asMember(caller);
  if (auth === 'admin' && !isModerator(caller)) {
    throw new RegistryProblem('forbidden', 'This needs the standing of a moderator or admin.', {
      suggestion: 'Ask the operator of this registry; roles are given with "registry key new --role".',
    });
  }
  return caller;
}

function unproven(registry: Registry, authorization: string | undefined): RegistryProblem {
  const details = { login_url: `${registry.baseUrl()}${API_RESOURCE_PATH}` };
  if (authorization === undefined) {
    return new RegistryProblem('authentication_required', 'Authentication required', {
      suggestion: 'Send the header Authorization: Bearer <API key or access token>.',
      details,
    });
  }
  return new RegistryProblem('invalid_token', 'The credential is not valid here.', {
    suggestion: 'Check the API key, or get a fresh access token; it may have expired or been made for another service.',
    details,
  });
}

/** RFC 6750 and 9728: a client learns from the challenge where tokens come from. */
function challenge(registry: Registry, error: unknown): string {
  const metadata = `resource_metadata="${registry.baseUrl()}${API_RESOURCE_PATH}"`;
  const isInvalid = error instanceof RegistryProblem && error.code === 'invalid_token';
  return `Bearer realm="registry", ${isInvalid ? 'error="invalid_token", ' : ''}${metadata}`;
}

function checked(schema: z.ZodType, value: unknown, where: 'query' | 'body'): unknown {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw invalidRequest(read.error.issues, where);
}

/** Returns the parameters of a query: a text, or a list of texts where a name stands more than once. */
function readQuery(search: string): Readonly<Record<string, string | readonly string[]>> {
  const read = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const before = read.get(name);
    read.set(name, before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]);
  }
  return Object.fromEntries(read);
}

async function readContent(route: Route, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const wanted = route.form === true ? FORM : JSON_BODY;
  if (!wanted.pattern.test(request.headers['content-type'] ?? wanted.type)) {
    throw new RegistryProblem('unsupported_media_type', `The body has to be ${wanted.type}.`, {
      suggestion: `Send Content-Type: ${wanted.type}.`,
    });
  }
  const maxBytes = route.maxBodyBytes ?? MAX_BODY_BYTES;
  const bytes = await readBytes(request, maxBytes);
  if (bytes === undefined) {
    // What was not read cannot be followed by another request on this connection.
    response.setHeader('connection', 'close');
    throw new RegistryProblem('payload_too_large', `The body is larger than ${maxBytes} bytes.`, {
      suggestion: 'Send less in one request.',
    });
  }
  return route.form === true ? readQuery(bytes.toString('utf8')) : parsed(bytes, maxValues(route));
}

const JSON_BODY = { type: 'application/json', pattern: /^application\/(?:[\w.-]+\+)?json\b/i } as const;
const FORM = { type: 'application/x-www-form-urlencoded', pattern: /^application\/x-www-form-urlencoded\b/i } as const;

function maxValues({ auth }: Route): number {
  return auth === 'none' || auth === 'optional' ? MAX_BODY_VALUES.anonymous : MAX_BODY_VALUES.proven;
}

function parsed(bytes: Buffer, values: number): unknown {
  const overstepped = exceededBound(bytes, { levels: MAX_BODY_LEVELS, values });
  if (overstepped === 'levels') {
    throw new RegistryProblem('invalid_request', `The body is nested more than ${MAX_BODY_LEVELS} levels deep.`, {
      suggestion: 'Flatten the body; no request needs more than a dozen levels.',
    });
  }
  if (overstepped === 'values') {
    throw new RegistryProblem('payload_too_large', `The body holds more than ${values} values.`, {
      suggestion: 'Send less in one request.',
    });
  }
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new RegistryProblem('invalid_request', 'The body is not valid JSON.', {
      suggestion: 'Send one JSON object, in UTF-8.',
    });
  }
}

function notServed(allowed: readonly string[], path: string, response: ServerResponse): RegistryProblem {
  if (allowed.length === 0) {
    return new RegistryProblem('not_found', `Nothing is served at ${path.slice(0, 200)}.`, {
      suggestion: 'GET /api lists what is; /openapi/registry.yaml describes it.',
    });
  }
  response.setHeader('allow', allowed.join(', '));
  return new RegistryProblem('method_not_allowed', 'This path does not take that method.', {
    suggestion: `Use ${allowed.join(' or ')}.`,
  });
}

function readOnly(origin: string, response: ServerResponse): RegistryProblem {
  response.setHeader('allow', 'GET');
  return new RegistryProblem('method_not_allowed', 'This registry is a mirror and takes no changes.', {
    suggestion: `Send the change to ${origin}; it arrives here with the change feed.`,
    details: { origin },
  });
}

function preflight(allowed: readonly string[]): Readonly<Record<string, string>> {
  return {
    allow: allowed.join(', '),
    'access-control-allow-methods': allowed.join(', '),
    'access-control-allow-headers': 'authorization, content-type, last-event-id',
    'access-control-max-age': '600',
  };
}

/** Reads are for pages of every origin: no credential of a browser is looked at. */
const OPEN = { 'access-control-allow-origin': '*' };

async function write(response: ServerResponse, reply: Reply, isHead: boolean, request: IncomingMessage): Promise<void> {
  // A body that nobody read would be taken for the next request.
  if (!request.readableEnded) request.resume();
  const { status = 200 } = reply;
  const headers = { ...OPEN, ...reply.headers };
  if ('stream' in reply) return writeStream(response, reply, headers, isHead);
  if ('empty' in reply) return void response.writeHead(status, headers).end();
  const text = 'json' in reply ? JSON.stringify(reply.json) : reply.text;
  const type = 'json' in reply ? 'application/json' : reply.type;
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(isHead ? undefined : text);
}

/** Writes no faster than the reader takes it, and ends the source when the reader is gone. */
async function writeStream(
  response: ServerResponse,
  { stream, type, status = 200 }: Extract<Reply, { stream: unknown }>,
  headers: Readonly<Record<string, string>>,
  isHead: boolean,
): Promise<void> {
  response.writeHead(status, { ...headers, 'content-type': type });
  if (!isHead) {
    const gone = goneWith(response);
    for await (const chunk of stream) {
      if (response.destroyed) break;
      // A reader that is gone is waited for no longer.
      if (!response.write(chunk)) await once(response, 'drain', { signal: gone }).catch(() => undefined);
    }
  }
  if (!response.destroyed) response.end();
}

function splitOnce(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
