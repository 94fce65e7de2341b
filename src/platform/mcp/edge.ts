import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { startPace } from '../kernel/event-loop.js';
import { isDeeperThan, isObject, toAsciiJson } from '../kernel/json/json.js';
import type { Log } from '../kernel/log.js';
import { streamSink, writeBatch, writeMessage, writeRefusal } from './answer.js';
import { beginSession } from './apps.js';
import { AWAITED_METHOD, answerAwaited } from './awaited.js';
import { clientOfHeaders } from './client-side.js';
import { type ClientSide, type McpMethods, methodsOf, type Served } from './methods.js';
import { McpRefusal, rpcErrorOf } from './refusal.js';
import { chooseWriting, expectsNoAnswer, isRequest, type Route, routeMessage, type Writing } from './request.js';
import { connectServers, type McpServers } from './servers.js';
import type { Sink } from './transport.js';

/** A request that is turned away for who sent it: the HTTP status, its challenges and other headers, and a JSON-RPC message. */
export type Denial = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly message: object;
};

/** A body that was read, with the product's proof of its sender. */
export type Arrival<Proof> = { readonly proof: Proof; readonly body: unknown } | { readonly denial: Denial };

/** The caller of a message; or, where it is not dispatched, its denial or the answer that it gets instead. */
export type Admission<Caller> = { readonly caller: Caller } | { readonly denial: Denial } | { readonly answer: object };

/** The product's side of an endpoint that speaks MCP: what it is called, who may call, and what it answers. */
export type McpEndpoint<Proof, Caller> = Served<Caller> & {
  readonly name: string;
  readonly version: string;
  /** For the model that reads it. */
  readonly instructions: string;
  readonly log: Log;
  /** The bounds of a batch of the older revisions; no batch is taken without them. */
  readonly batch?: { readonly maxMessages: number; readonly maxDepth: number };
  readonly admit: (proof: Proof, message: unknown) => Admission<Caller> | Promise<Admission<Caller>>;
};

/** One request in HTTP, while it is answered. */
type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly writing: Writing;
};

/** The edge of one endpoint: HTTP rules, admission, dispatch by era, answer. Made once and used for the life of the endpoint. */
export class McpEdge<Proof, Caller> {
  readonly #endpoint: McpEndpoint<Proof, Caller>;
  readonly #methods: McpMethods<Caller>;
  readonly #servers: McpServers<Caller>;

  private constructor(endpoint: McpEndpoint<Proof, Caller>, methods: McpMethods<Caller>, servers: McpServers<Caller>) {
    this.#endpoint = endpoint;
    this.#methods = methods;
    this.#servers = servers;
  }

  /** Connects the servers of an endpoint. */
  static async open<Proof, Caller>(endpoint: McpEndpoint<Proof, Caller>): Promise<McpEdge<Proof, Caller>> {
    const methods = methodsOf(endpoint);
    return new McpEdge(endpoint, methods, await connectServers(endpoint, methods));
  }

  /** Answers one HTTP request, whose body \`read\` reads; never rejects. */
  async serve(request: IncomingMessage, response: ServerResponse, read: () => Promise<Arrival<Proof>>): Promise<void> {
    try {
      if (request.method !== 'POST')
        throw new McpRefusal(405, -32000, 'Method not allowed: this endpoint is stateless, use POST.');
      const exchange = { request, response, writing: chooseWriting(request.headers.accept) };
      const arrival = await read();
      if ('denial' in arrival) writeDenial(response, arrival.denial);
      else if (Array.isArray(arrival.body)) await this.#answerBatch(exchange, arrival.proof, arrival.body);
      else await this.#answerOne(exchange, arrival.proof, arrival.body);
    } catch (error) {
      if (!(error instanceof McpRefusal))
        this.#endpoint.log.error({ err: error }, 'an MCP request failed unexpectedly');
      writeRefusal(response, error instanceof McpRefusal ? error : new McpRefusal(500, -32603, 'Internal error'));
    }
  }

  async #answerOne({ request, response, writing }: Exchange, proof: Proof, message: unknown): Promise<void> {
    const admission = await this.#endpoint.admit(proof, message);
    if ('denial' in admission) return writeDenial(response, admission.denial);
    if ('answer' in admission) return writeMessage(response, writing, admission.answer);
    if (expectsNoAnswer(message)) return void response.writeHead(202).end();
    const route = routeMessage(request, message);
    if (!isRequest(message)) throw new McpRefusal(400, -32600, 'Invalid Request: send one JSON-RPC 2.0 request.');
    if (route.era === 'legacy' && this.#endpoint.hasApps) beginSession(message, response);
    const client = clientOfHeaders(request);
    const { tasks } = this.#endpoint;
    if (
      route.era === 'legacy' &&
      message.method === AWAITED_METHOD &&
      tasks !== undefined &&
      client?.tasks !== undefined
    )
      return answerAwaited(tasks.awaitResult, { caller: admission.caller, message, response, writing });
    const answer = this.#findDirect(route, message, client);
    if (answer !== undefined) return writeMessage(response, writing, await answer(admission.caller));
    this.#dispatch(response, { route, caller: admission.caller, message }, streamSink(response, writing, route));
  }

  async #answerBatch(
    { request, response, writing }: Exchange,
    proof: Proof,
    messages: readonly unknown[],
  ): Promise<void> {
    const { admit, batch } = this.#endpoint;
    if (batch === undefined) throw new McpRefusal(400, -32600, 'Invalid Request: send one message, not a batch.');
    checkBatch(messages, batch);
    const admissions = await Promise.all(messages.map((message) => admit(proof, message)));
    const refused = admissions.find((admission) => 'denial' in admission);
    if (refused !== undefined) return writeDenial(response, refused.denial);
    const client = clientOfHeaders(request);
    const calls = messages.flatMap((message, index) => {
      const admission = admissions[index];
      if (!isRequest(message) || admission === undefined || 'denial' in admission) return [];
      return [{ message, admission, client, route: routeMessage(request, message) }];
    });
    if (calls.length === 0) return void response.writeHead(202).end();
    await writeBatch(
      response,
      writing,
      answersInOrder(calls, (call) => this.#answerInBatch(response, call)),
    );
  }

  /** Answers one call of a batch; never rejects, for the answers before it may be written already. */
  async #answerInBatch(
    response: ServerResponse,
    { admission, client, message, route }: BatchCall<Caller>,
  ): Promise<object> {
    if ('answer' in admission) return admission.answer;
    const { caller } = admission;
    try {
      const answer = this.#findDirect(route, message, client);
      if (answer !== undefined) return await answer(caller);
      return await new Promise<JSONRPCMessage>((answer) => {
        this.#dispatch(
          response,
          { route, caller, message },
          { begin: () => undefined, notify: () => undefined, answer },
        );
      });
    } catch (error) {
      this.#endpoint.log.error({ err: error }, 'a call of a batch failed unexpectedly');
      return { jsonrpc: '2.0', id: message.id, error: { code: -32603, message: 'Internal error' } };
    }
  }

  /** Hands a request to the SDK's server of its era, and cancels it there when the client goes. */
  #dispatch(response: ServerResponse, { route, caller, message }: Dispatched<Caller>, sink: Sink): void {
    response.on('close', this.#servers.request(route, message, caller, sink));
  }

  /**
   * Returns what answers a message of the older revisions past the SDK's server; undefined for what has to go there. Those revisions have
   * nothing around a result that the server would add, and the server is half of what a call costs: `get_products` and `tools_list` in
   * `npm run bench`.
   */
  #findDirect(
    route: Route,
    { id, method, params }: JSONRPCRequest,
    client: ClientSide | undefined,
  ): ((caller: Caller) => Promise<JSONRPCMessage>) | undefined {
    const ofTasks = client?.tasks === undefined ? undefined : this.#endpoint.tasks?.methods[client.tasks][method];
    const run = route.era === 'legacy' ? (this.#methods.get(method) ?? ofTasks) : undefined;
    if (run === undefined) return undefined;
    return async (caller) => {
      try {
        return { jsonrpc: '2.0', id, result: await run(caller, params, client) };
      } catch (error) {
        if (!(error instanceof McpRefusal)) throw error;
        return { jsonrpc: '2.0', id, error: rpcErrorOf(error) };
      }
    };
  }
}

/** A call of a batch whose sender is admitted, or that is answered already. */
type BatchCall<Caller> = {
  readonly message: JSONRPCRequest;
  readonly admission: Exclude<Admission<Caller>, { denial: Denial }>;
  readonly client: ClientSide | undefined;
  readonly route: Route;
};

/** Calls of a batch that run at once, and characters of an answer after which they run one by one: what is ready before it is read takes memory. */
const MAX_BATCH_WIDTH = 4;
const MAX_SMALL_CHARACTERS = 64 * 1024;

/** Runs calls a few at a time and yields their answers' text in order; it begins no further call while nobody takes the answers. */
async function* answersInOrder<Call>(
  calls: readonly Call[],
  run: (call: Call) => Promise<object>,
): AsyncGenerator<string> {
  const running: Promise<object>[] = [];
  const pace = startPace();
  let begun = 0;
  let width = 1;
  while (begun < calls.length || running.length > 0) {
    if (pace.isDue()) await pace.rest();
    for (const call of calls.slice(begun, begun + width - running.length)) {
      begun += 1;
      running.push(run(call));
    }
    const text = toAsciiJson(await running.shift());
    width = text.length > MAX_SMALL_CHARACTERS ? 1 : Math.min(MAX_BATCH_WIDTH, width + 1);
    yield text;
  }
}

type Dispatched<Caller> = { readonly route: Route; readonly caller: Caller; readonly message: JSONRPCRequest };

type BatchBounds = { readonly maxMessages: number; readonly maxDepth: number };

function checkBatch(messages: readonly unknown[], { maxMessages, maxDepth }: BatchBounds): void {
  if (messages.length === 0 || messages.length > maxMessages)
    throw new McpRefusal(400, -32600, `Invalid Request: a batch holds 1 to ${maxMessages} messages.`);
  if (!messages.every((message) => isRequest(message) || expectsNoAnswer(message)))
    throw new McpRefusal(400, -32600, 'Invalid Request: every entry of a batch must be a JSON-RPC 2.0 message.');
  if (isDeeperThan(messages, maxDepth))
    throw new McpRefusal(400, -32600, `Invalid Request: nested more than ${maxDepth} levels deep.`);
}

function writeDenial(response: ServerResponse, { status, headers, message }: Denial): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  writeMessage(response, 'json', message, status);
}

/** Returns the name of the tool that a message calls; undefined for another method of JSON-RPC, or a name that is no text. */
export function calledTool(message: unknown): string | undefined {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return undefined;
  return typeof message.params.name === 'string' ? message.params.name : undefined;
}
