import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { isDeeperThan, isObject } from '../../../platform/kernel/json/json.js';
import { streamSink, writeMessage, writeRefusal } from '../../../platform/mcp/answer.js';
import {
  argumentsOf,
  chooseWriting,
  expectsNoAnswer,
  isRequest,
  Refusal,
  type Route,
  routeMessage,
  type Writing,
} from '../../../platform/mcp/request.js';
import type { Sink } from '../../../platform/mcp/transport.js';
import { TaskError } from '../../../protocol/errors.js';
import { negotiateRelease } from '../../../protocol/versions.js';
import type { App, Caller } from '../../context.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { addressee, answerFailure } from '../../tasks/pipeline/receive.js';
import { type Denial, type Edge, receive } from '../arrival.js';
import { type Proof, unauthorized } from '../auth.js';
import { authInfoOf, callResult, isPublic, type TenantMcp } from './server.js';

/** Deepest nesting of a message that is looked at. */
const MAX_DEPTH = 64;
/** Most messages in one batch of the older revisions. */
const MAX_BATCH = 50;

/** What serving one tenant's endpoint takes. */
export type Endpoint = { readonly seller: Seller; readonly mcp: TenantMcp };

/** Answers one HTTP request to a tenant's MCP endpoint; never throws. */
export async function serveMcp(
  edge: Edge,
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { app } = edge;
  let writing: Writing = 'json';
  try {
    if (request.method !== 'POST')
      throw new Refusal(405, -32000, 'Method not allowed: this endpoint is stateless, use POST.');
    writing = chooseWriting(request.headers.accept);
    const arrived = await receive(edge, endpoint.seller, request, response);
    if ('denial' in arrived) return writeDenial(app, endpoint.seller, response, arrived.denial);
    const { proof, body } = arrived;
    if (Array.isArray(body)) await serveBatch(app, endpoint, proof, request, response, writing, body);
    else await serveOne(app, endpoint, proof, request, response, writing, body);
  } catch (error) {
    if (!(error instanceof Refusal)) app.log.error({ err: error }, 'an MCP request failed unexpectedly');
    writeRefusal(response, error instanceof Refusal ? error : new Refusal(500, -32603, 'Internal error'));
  }
}

async function serveOne(
  app: App,
  endpoint: Endpoint,
  proof: Proof,
  request: IncomingMessage,
  response: ServerResponse,
  writing: Writing,
  message: unknown,
): Promise<void> {
  const deep = isDeeperThan(message, MAX_DEPTH);
  const caller = admit(endpoint.seller, proof, message);
  if (caller === undefined) return writeUnauthorized(app, endpoint.seller, proof, response, message);
  if (isObject(message) && deep) return writeMessage(response, writing, tooDeep(app, caller, message));
  if (expectsNoAnswer(message)) return void response.writeHead(202).end();
  const route = routeMessage(request, message);
  if (!isRequest(message)) throw new Refusal(400, -32600, 'Invalid Request: send one JSON-RPC 2.0 request.');
  if (route.era === 'legacy' && message.method === 'tools/call') {
    // The older revisions have nothing around a task call that the SDK's server would add, and it is half of what a call costs.
    const result = await endpoint.mcp.call(caller, message.params);
    return writeMessage(response, writing, { jsonrpc: '2.0', id: message.id, result });
  }
  const sink = streamSink(response, writing, route);
  response.on('close', dispatch(endpoint, caller, route, message, sink));
}

async function serveBatch(
  app: App,
  endpoint: Endpoint,
  proof: Proof,
  request: IncomingMessage,
  response: ServerResponse,
  writing: Writing,
  messages: readonly unknown[],
): Promise<void> {
  if (messages.length === 0 || messages.length > MAX_BATCH)
    throw new Refusal(400, -32600, `Invalid Request: a batch holds 1 to ${MAX_BATCH} messages.`);
  if (!messages.every((message) => isRequest(message) || expectsNoAnswer(message)))
    throw new Refusal(400, -32600, 'Invalid Request: every entry of a batch must be a JSON-RPC 2.0 message.');
  if (isDeeperThan(messages, MAX_DEPTH))
    throw new Refusal(400, -32600, `Invalid Request: nested more than ${MAX_DEPTH} levels deep.`);
  const callers = messages.map((message) => admit(endpoint.seller, proof, message));
  const refused = callers.indexOf(undefined);
  if (refused >= 0) return writeUnauthorized(app, endpoint.seller, proof, response, messages[refused]);
  const answers = await Promise.all(
    messages.map((message, index) => {
      const caller = callers[index];
      if (!isRequest(message) || caller === undefined) return undefined;
      const route = routeMessage(request, message);
      return new Promise<JSONRPCMessage>((answer) => {
        response.on('close', dispatch(endpoint, caller, route, message, { notify: () => undefined, answer }));
      });
    }),
  );
  const written = answers.filter((answer) => answer !== undefined);
  if (written.length === 0) response.writeHead(202).end();
  else writeMessage(response, writing, written);
}

/** The caller of a message: its principal, or nobody where a public tool is called; undefined when it must be turned away. */
function admit(seller: Seller, proof: Proof, message: unknown): Caller | undefined {
  if (proof.kind === 'principal') return { seller, principal: proof.principal };
  if (proof.kind === 'invalid' || seller.tenant.publicTools.length === 0 || !isObject(message)) return undefined;
  if (message.method !== 'tools/call') return { seller, principal: undefined };
  const name = isObject(message.params) ? message.params.name : undefined;
  return typeof name === 'string' && isPublic(seller, name) ? { seller, principal: undefined } : undefined;
}

function dispatch({ mcp }: Endpoint, caller: Caller, route: Route, message: JSONRPCRequest, sink: Sink): () => void {
  const authInfo = authInfoOf(caller);
  if (route.era === 'legacy') return mcp.legacy.request(message, { authInfo }, sink);
  return mcp.modern.request(message, { authInfo, classification: route.classification }, sink);
}

function writeUnauthorized(app: App, seller: Seller, proof: Proof, response: ServerResponse, message: unknown): void {
  if (proof.kind === 'principal') throw new Error('a proven caller is not unauthorized');
  const { error, challenge } = unauthorized(proof);
  writeDenial(app, seller, response, { error, challenge: [challenge], message });
}

/** 401 with the challenges; its body is a failed answer, for clients that read bodies only (spec 2, Authentication 3). */
function writeDenial(app: App, seller: Seller, response: ServerResponse, { error, challenge, message }: Denial): void {
  const caller: Caller = { seller, principal: undefined };
  const answered = isDeeperThan(message, MAX_DEPTH) ? undefined : message;
  const args = argumentsOf(answered);
  response.setHeader('www-authenticate', challenge);
  const to = { ...addressee(caller, args), release: releaseOf(seller, args) };
  const answer = answerFailure({ app, caller, to }, error);
  writeMessage(response, 'json', { jsonrpc: '2.0', id: idOf(answered), result: callResult(answer) }, 401);
}

function releaseOf(seller: Seller, args: Readonly<Record<string, unknown>>) {
  try {
    return negotiateRelease(args, seller.names);
  } catch {
    return '3.0' as const;
  }
}

function tooDeep(app: App, caller: Caller, message: Readonly<Record<string, unknown>>): object {
  const error = new TaskError('INVALID_REQUEST', `The request is nested more than ${MAX_DEPTH} levels deep.`, {
    field: 'arguments',
    suggestion: 'Flatten the arguments; no task needs more than a dozen levels.',
  });
  const { context } = argumentsOf(message);
  const to = addressee(caller, isDeeperThan(context, MAX_DEPTH) ? {} : { context });
  return { jsonrpc: '2.0', id: idOf(message), result: callResult(answerFailure({ app, caller, to }, error)) };
}

function idOf(message: unknown): unknown {
  const id = isObject(message) ? message.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
