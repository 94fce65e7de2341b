import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { z } from 'zod';
import { SECOND_MS } from '../../../platform/kernel/clock.js';
import { explainExcess } from '../../../platform/kernel/json/bounds.js';
import { readJsonInSlices } from '../../../platform/kernel/json/slices.js';
import { type BodyExchange, readBytes, type Senders, type Unread } from '../../../platform/web/body.js';
import type { WebListener } from '../../../platform/web/listener.js';
import { HEALTH_PATHS } from '../../../platform/web/origin.js';
import { goneWith, writePieces } from '../../../platform/web/pieces.js';
import { ANONYMOUS, asMember, isModerator, type RegistryCaller } from '../auth/caller.js';
import { TAGS } from '../openapi/tags.js';
import { RegistryProblem } from '../service/problem.js';
import type { Registry } from '../service/registry.js';
import { type FittedReply, fitReply } from './caching.js';
import { countRequest } from './limits.js';
import { createMatcher } from './match.js';
import { PLAIN } from './plain-issues.js';
import { invalidRequest, toProblemReply } from './problems.js';
import { RecentReplies } from './recent-replies.js';
import type { Reply, Route, RouteCall } from './route.js';

/** The path of the document that says which tokens the API takes (RFC 9728). */
export const API_RESOURCE_PATH = '/.well-known/oauth-protected-resource/api';

/** Whole seconds that a mirror is behind its primary. */
const LAG_HEADER = 'x-registry-lag-seconds';

/** Bytes of a body unless its route says more. */
const MAX_BODY_BYTES = 64 * 1024;
/** Bodies beyond these are refused before they are read: to read them, and to say what is wrong with each value, would take too long. */
const MAX_BODY_LEVELS = 32;
const MAX_BODY_VALUES = { anonymous: 30_000, proven: 100_000 };
const MAX_BODY_MEMBERS = 10_000;

/**
 * Serves a table of routes; a request that no route is for is left to `next`, or answered with 404. It needs no express, which costs more
 * than most reads do. `senders` names the caller that limits count a request without a credential for.
 */
export function createRegistryListener(registry: Registry, routes: readonly Route[], senders: Senders): WebListener {
  const served = { registry, match: createMatcher(routes), recent: new RecentReplies(), senders };
  return (request, response, next) => {
    void serveRoute(served, request, response, next).catch((error: unknown) => {
      registry.log.error({ err: error }, 'a registry request failed unexpectedly');
      response.destroy();
    });
  };
}

/** The state that all requests to a table of routes share. */
type Served = {
  readonly registry: Registry;
  readonly match: ReturnType<typeof createMatcher>;
  readonly recent: RecentReplies;
  readonly senders: Senders;
};

async function serveRoute(
  { registry, match, recent, senders }: Served,
  request: IncomingMessage,
  response: ServerResponse,
  next: (() => void) | undefined,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  try {
    const ip = senders.addressOf(request);
    const before = method === 'GET' || method === 'HEAD' ? recent.find(url) : undefined;
    if (before !== undefined) {
      requireServed(registry, before.route, response);
      await registry.limits.takeStranger('stranger_calls', ip);
      return await writeReply(
        response,
        await fitReply(before.reply, before.route, request),
        method === 'HEAD',
        request,
      );
    }
    const [path, search] = splitOnce(url, '?');
    const matched = match(method, path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
    if ('route' in matched) {
      const asked = { params: matched.params, search, ip };
      const exchange = { request, response, bodies: senders.bodies };
      const reply = await answerRoute(registry, matched.route, asked, exchange);
      recent.add(url, matched.route, reply);
      await writeReply(response, await fitReply(reply, matched.route, request), method === 'HEAD', request);
    } else if (matched.allowed.length === 0 && next !== undefined) {
      next();
    } else {
      await registry.limits.takeStranger('stranger_calls', ip);
      if (method !== 'OPTIONS' || matched.allowed.length === 0) throw notServed(matched.allowed, path, response);
      await writeReply(response, { status: 204, empty: true, headers: preflight(matched.allowed) }, false, request);
    }
  } catch (error) {
    const { status, headers, body } = toProblemReply(error, writeChallenge(registry, error));
    if (status === 500) registry.log.error({ err: error }, 'a registry request failed unexpectedly');
    if (response.headersSent) response.destroy();
    else await writeReply(response, { status, headers, json: body }, method === 'HEAD', request);
  }
}

async function answerRoute(
  registry: Registry,
  route: Route,
  { ip, params, search }: Pick<RouteCall<unknown, unknown>, 'ip' | 'params'> & { readonly search: string },
  exchange: BodyExchange,
): Promise<Reply> {
  const { request, response } = exchange;
  requireServed(registry, route, response);
  const { authorization } = request.headers;
  // A balancer asks as often as it likes.
  const caller = HEALTH_PATHS.has(route.path) ? ANONYMOUS : await admit(registry, route, { authorization, ip });
  await countRequest(registry.limits, route.limits ?? [], caller, ip);
  const countBytes = async (bytes: number): Promise<void> => {
    if (caller.kind === 'anonymous') await registry.limits.takeStranger('stranger_bytes', ip, bytes);
  };
  const query = route.query === undefined ? undefined : parseInput(route.query, parseQuery(search), 'query');
  const body =
    route.body === undefined
      ? undefined
      : parseInput(route.body, await readContent(route, exchange, countBytes), 'body');
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

/** Refuses what a mirror does not serve, or not yet. Throws method_not_allowed or unavailable. */
function requireServed(registry: Registry, route: Route, response: ServerResponse): void {
  showLag(registry, response);
  if (registry.mirrors !== undefined && isWrite(route)) throw readOnly(registry.mirrors, response);
  if (!registry.replication.isWhole && route.tag !== TAGS.about && route.auth !== 'admin') throw notWhole();
}

/** Says in the header of a mirror's answer how many seconds it is behind its primary; not before it was ever in step. */
function showLag({ replication }: Registry, response: ServerResponse): void {
  const lagMs = replication.lag()?.lag_ms ?? null;
  if (lagMs !== null) response.setHeader(LAG_HEADER, Math.round(lagMs / SECOND_MS));
}

/** Whether a route changes what the registry holds, which a mirror does not. */
function isWrite({ method, auth }: Pick<Route, 'method' | 'auth'>): boolean {
  return method !== 'GET' && auth !== 'none' && auth !== 'optional';
}

/** A request's proof of its sender. */
export type Proof = { readonly authorization: string | undefined; readonly ip: string };

/** Returns the caller, where a route of that `auth` admits it; who proves nobody is counted by address. Throws 401, 403 or 429. */
export async function admit(
  registry: Registry,
  { auth }: Pick<Route, 'auth'>,
  { authorization, ip }: Proof,
): Promise<RegistryCaller> {
  const shown = auth === 'none' ? undefined : authorization;
  const token = /^Bearer +(\S+) *$/i.exec(shown ?? '')?.[1];
  const caller = (token === undefined ? undefined : await registry.identify(token)) ?? ANONYMOUS;
  if (caller.kind === 'anonymous')
    await registry.limits.takeStranger(shown === undefined ? 'stranger_calls' : 'stranger_failures', ip);
  if (auth === 'none' || auth === 'optional') return caller;
  if (caller.kind === 'anonymous') throw refuseCredential(registry, authorization);
  if (auth === 'member') return asMember(caller);
  if (auth === 'admin' && !isModerator(caller)) {
    throw new RegistryProblem('forbidden', 'This needs the standing of a moderator or admin.', {
      suggestion: 'Ask the operator of this registry; roles are given with "registry key new --role".',
    });
  }
  return caller;
}

function refuseCredential(registry: Registry, authorization: string | undefined): RegistryProblem {
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

/** Returns the challenge of a denied call, from which a client learns where tokens come from (RFC 6750 and 9728). */
function writeChallenge(registry: Registry, error: unknown): string {
  const metadata = `resource_metadata="${registry.baseUrl()}${API_RESOURCE_PATH}"`;
  const isInvalid = error instanceof RegistryProblem && error.code === 'invalid_token';
  return `Bearer realm="registry", ${isInvalid ? 'error="invalid_token", ' : ''}${metadata}`;
}

function parseInput(schema: z.ZodType, value: unknown, where: 'query' | 'body'): unknown {
  const read = schema.safeParse(value, PLAIN);
  if (read.success) return read.data;
  throw invalidRequest(read.error.issues, where);
}

async function readContent(
  route: Route,
  exchange: BodyExchange,
  countBytes: (bytes: number) => Promise<void>,
): Promise<unknown> {
  const wanted = route.form === true ? FORM : JSON_BODY;
  if (!wanted.pattern.test(exchange.request.headers['content-type'] ?? wanted.type)) {
    throw new RegistryProblem('unsupported_media_type', `The body has to be ${wanted.type}.`, {
      suggestion: `Send Content-Type: ${wanted.type}.`,
    });
  }
  const maxBytes = route.maxBodyBytes ?? MAX_BODY_BYTES;
  const bytes = await readBytes(exchange, maxBytes);
  if (typeof bytes === 'string') throw refuseBody(bytes, maxBytes);
  await countBytes(bytes.length);
  return route.form === true ? parseQuery(bytes.toString('utf8')) : parseBody(bytes, maxValues(route));
}

function refuseBody(why: Unread, maxBytes: number): RegistryProblem {
  if (why === 'encoded') {
    return new RegistryProblem('unsupported_media_type', 'The body is compressed or otherwise encoded.', {
      suggestion: 'Send it as it is, without Content-Encoding.',
    });
  }
  if (why === 'too_large') {
    return new RegistryProblem('payload_too_large', `The body is larger than ${maxBytes} bytes.`, {
      suggestion: 'Send less in one request.',
    });
  }
  if (why === 'cut_off')
    return new RegistryProblem('invalid_request', 'The connection ended before the body did.', {
      field: '',
      suggestion: 'Send the request again.',
    });
  return new RegistryProblem('unavailable', 'Too many large requests are in hand just now.', {
    suggestion: 'Send this one again in a moment.',
  });
}

const JSON_BODY = { type: 'application/json', pattern: /^application\/(?:[\w.-]+\+)?json\b/i } as const;
const FORM = { type: 'application/x-www-form-urlencoded', pattern: /^application\/x-www-form-urlencoded\b/i } as const;

function maxValues({ auth }: Route): number {
  return auth === 'none' || auth === 'optional' ? MAX_BODY_VALUES.anonymous : MAX_BODY_VALUES.proven;
}

async function parseBody(bytes: Buffer, values: number): Promise<unknown> {
  const bounds = { levels: MAX_BODY_LEVELS, values, members: MAX_BODY_MEMBERS };
  const read = await readJsonInSlices(bytes, bounds);
  if (read.ok) return read.value;
  if (read.exceeded === undefined) {
    throw new RegistryProblem('invalid_request', 'The body is not valid JSON in UTF-8.', {
      field: '',
      suggestion: 'Send one JSON object, in UTF-8.',
    });
  }
  const { fault, suggestion } = explainExcess(read.exceeded, bounds);
  const code = read.exceeded === 'levels' ? 'invalid_request' : 'payload_too_large';
  throw new RegistryProblem(code, `The body ${fault}.`, { field: '', suggestion });
}

function notServed(allowed: readonly string[], path: string, response: ServerResponse): RegistryProblem {
  if (allowed.length === 0) {
    return new RegistryProblem('not_found', `Nothing is served at ${path.slice(0, 200)}.`, {
      suggestion: 'GET /api lists what is; /docs describes it for people, /openapi/registry.yaml for programs.',
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

/** Seconds after which a mirror that begins is worth asking again. */
const BEGIN_RETRY_SECONDS = 5;

function notWhole(): RegistryProblem {
  return new RegistryProblem('unavailable', 'This mirror has not read all of its primary yet.', {
    retryAfter: BEGIN_RETRY_SECONDS,
    suggestion: 'Send the request again in a moment, or to the primary.',
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

/** Reads are for pages of every origin: no credential of a browser is looked at. Names and values by turns. */
const OPEN = ['access-control-allow-origin', '*', 'x-content-type-options', 'nosniff'] as const;

async function writeReply(
  response: ServerResponse,
  reply: FittedReply,
  isHead: boolean,
  request: IncomingMessage,
): Promise<void> {
  // A body that nobody read would be taken for the next request.
  if (!request.readableEnded) request.resume();
  const { status = 200 } = reply;
  if ('empty' in reply) return void response.writeHead(status, headerLines(reply.headers)).end();
  const lines = headerLines(reply.headers, 'json' in reply ? 'application/json' : reply.type);
  if ('stream' in reply) return writeStream(response.writeHead(status, lines), reply.stream, isHead);
  const body = bodyOf(reply);
  lines.push('content-length', String(Buffer.byteLength(body)));
  response.writeHead(status, lines).end(isHead ? undefined : body);
}

/** Returns names and values by turns: node writes a list as it is, and copies an object first. */
function headerLines(headers: Reply['headers'], type?: string): string[] {
  const lines: string[] = [...OPEN];
  for (const [name, value] of Object.entries(headers ?? {})) lines.push(name, value);
  if (type !== undefined) lines.push('content-type', type);
  return lines;
}

function bodyOf(reply: Exclude<FittedReply, { stream: unknown } | { empty: true }>): string | Uint8Array {
  if ('bytes' in reply) return reply.bytes;
  return 'json' in reply ? JSON.stringify(reply.json) : reply.text;
}

async function writeStream(
  response: ServerResponse,
  stream: AsyncIterable<string | Uint8Array>,
  isHead: boolean,
): Promise<void> {
  if (isHead) response.end();
  else {
    // A quiet feed has nothing to write for a while, and whoever asked is to know that it is heard.
    response.flushHeaders();
    await writePieces(response, stream);
  }
}

function splitOnce(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
