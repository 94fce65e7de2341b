import { type Clock, MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import { exceededBound } from '../../../platform/kernel/json/bounds.js';
import { isObject, readJson } from '../../../platform/kernel/json/json.js';
import { eventTexts, toolPayload } from '../../../platform/mcp/client/answers.js';
import { McpClient } from '../../../platform/mcp/client/client.js';
import type { Fetched, FetchOptions, Outbound } from '../../../platform/net/fetch.js';
import { FetchError, fetchReason } from '../../../platform/net/fetch-error.js';
import {
  type Answered,
  type Exchange,
  type Gathered,
  type JsonObject,
  type ReadDocument,
  SENT_CONTEXT,
  type SeenResponse,
  type TaskAnswer,
} from '../evidence.js';
import { findSightings, type Sighting } from '../sightings.js';

/** The bounds of one assessment. */
export type AssessmentBounds = {
  readonly maxRequests: number;
  /** Bytes of all answers together. */
  readonly maxBytes: number;
  /** Milliseconds for all of it. */
  readonly timeoutMs: number;
};

/** The usual bounds: an agent with every page of it takes some 50 requests. */
export const ASSESSMENT_BOUNDS: AssessmentBounds = {
  maxRequests: 120,
  maxBytes: 32 * 1024 * 1024,
  timeoutMs: 2 * MINUTE_MS,
};

/** Most bytes of one answer, and milliseconds for one request. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 15 * SECOND_MS;
/** Bounds of an answer's JSON: a megabyte of brackets would be read for a tenth of a second. */
const ANSWER_BOUNDS = { levels: 64, values: 200_000 };

/** The end of what an assessment may ask. It says nothing of the agent, whose last answer may be cut off by it. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** The requests of one assessment over the guarded fetch, which end with its bounds. */
export class RequestBudget {
  readonly #outbound: Pick<Outbound, 'fetch'>;
  readonly #clock: Clock;
  readonly #bounds: AssessmentBounds;
  readonly #deadline: number;
  #requests = 0;
  #bytes = 0;
  #limited: Gathered['limited'] = { count: 0, retryAfter: undefined };
  readonly #sightings: Sighting[] = [];
  readonly #responses: SeenResponse[] = [];

  constructor(outbound: Pick<Outbound, 'fetch'>, clock: Clock, bounds: AssessmentBounds) {
    this.#outbound = outbound;
    this.#clock = clock;
    this.#bounds = bounds;
    this.#deadline = clock.now() + bounds.timeoutMs;
  }

  /** What has been sent and read by now. */
  get spent(): { readonly requests: number; readonly bytes: number } {
    return { requests: this.#requests, bytes: this.#bytes };
  }

  /** Returns how many answers were 429 by now, and when the first of them says to come again. */
  get limited(): Gathered['limited'] {
    return this.#limited;
  }

  /** Returns what the answers showed by now that they may not. */
  get sightings(): readonly Sighting[] {
    return this.#sightings;
  }

  /** Returns the responses of MCP by now. */
  get responses(): readonly SeenResponse[] {
    return this.#responses;
  }

  /** Books a response of MCP. */
  note(response: SeenResponse): void {
    this.#responses.push(response);
  }

  /** Whether a bound was reached, so that the rest was not asked. */
  get isOver(): boolean {
    return this.#requests >= this.#bounds.maxRequests || this.timeLeftMs === 0 || this.#bytesLeft === 0;
  }

  /** Milliseconds that the next request may take. */
  get timeLeftMs(): number {
    return Math.max(0, Math.min(REQUEST_TIMEOUT_MS, this.#deadline - this.#clock.now()));
  }

  get #bytesLeft(): number {
    return Math.max(0, this.#bounds.maxBytes - this.#bytes);
  }

  /** Sends one request. Throws FetchError, and BudgetSpent where a bound is reached. */
  async send(url: string, options: FetchOptions): Promise<Fetched> {
    if (this.isOver) throw new BudgetSpent();
    this.#requests += 1;
    const answer = await this.#sendWithin(url, options);
    this.#bytes += answer.bytes.byteLength;
    if (this.#sightings.length < MAX_SIGHTINGS)
      this.#sightings.push(...findSightings(answer.bytes, describeRequest(url, options), keyOf(options)));
    if (answer.status === 429) {
      const { count, retryAfter } = this.#limited;
      this.#limited = { count: count + 1, retryAfter: count === 0 ? answer.headers['retry-after'] : retryAfter };
    }
    return answer;
  }

  async #sendWithin(url: string, options: FetchOptions): Promise<Fetched> {
    const maxBytes = Math.min(options.maxBytes, this.#bytesLeft);
    const timeoutMs = Math.min(options.timeoutMs, this.timeLeftMs);
    try {
      return await this.#outbound.fetch(url, { ...options, timeoutMs, maxBytes });
    } catch (error) {
      const reason = fetchReason(error);
      const isLate = reason === 'timeout' && timeoutMs < options.timeoutMs;
      const isOverfull = reason === 'too_large' && maxBytes < options.maxBytes;
      throw isLate || isOverfull ? new BudgetSpent() : error;
    }
  }
}

/** Most things that are told of that no answer may show. */
const MAX_SIGHTINGS = 20;

/** Returns the key that a request was sent with. */
function keyOf({ headers = {} }: FetchOptions): string | undefined {
  const [, sent] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return typeof sent === 'string' ? sent.replace(/^Bearer /i, '') : undefined;
}

/** Returns a request in words: its method of JSON-RPC and the task, or its path. */
function describeRequest(url: string, { body, method = 'GET' }: FetchOptions): string {
  const message = typeof body === 'string' ? readJson(new TextEncoder().encode(body)) : undefined;
  const { pathname } = new URL(url);
  if (!isObject(message) || typeof message.method !== 'string') return `${method} ${pathname}`;
  const task = isObject(message.params) && typeof message.params.name === 'string' ? ` ${message.params.name}` : '';
  return `${message.method}${task}`;
}

/** The address of the agent, and what it is asked with. */
export type WireOptions = {
  readonly budget: RequestBudget;
  readonly clock: Clock;
  readonly url: string;
  readonly local: boolean;
  readonly credentials?: string | undefined;
  /** The revision of MCP that `initialize` asks for. */
  readonly revision?: string;
};

/** A line to an agent over MCP that keeps what came back as it came: status, headers and message. */
export class Wire {
  readonly #options: WireOptions;
  readonly #client: McpClient;
  #last: Answered | undefined;

  constructor(options: WireOptions) {
    this.#options = options;
    const { credentials, local, revision, url } = options;
    this.#client = new McpClient({
      outbound: { fetch: (at, request) => this.#send(at, request) },
      url,
      credentials,
      local,
      revision,
      maxBytes: MAX_ANSWER_BYTES,
      timeLeftMs: () => REQUEST_TIMEOUT_MS,
    });
  }

  /** Sends `initialize`; what is sent later belongs to the session that it opened. */
  introduce(): Promise<Exchange> {
    return this.#exchange(() => this.#client.initialize(), 'initialize');
  }

  /** Sends the notice that the session begins. */
  confirm(): Promise<Exchange> {
    return this.#exchange(async () => ({ ok: false, fault: await this.#client.confirm() }));
  }

  /** Sends one request. */
  request(method: string, params: object = {}): Promise<Exchange> {
    const task = 'name' in params && typeof params.name === 'string' ? ` ${params.name}` : '';
    return this.#exchange(() => this.#client.request(method, params), `${method}${task}`);
  }

  /** Calls a task, with the context that its answer has to hold. */
  async call(task: string, args: object = {}): Promise<TaskAnswer> {
    const exchange = await this.request('tools/call', { name: task, arguments: { context: SENT_CONTEXT, ...args } });
    const result = exchange.ok && isObject(exchange.message?.result) ? exchange.message.result : undefined;
    const payload = result && toolPayload(result);
    return { task, exchange, ...(payload !== undefined && { payload }), isError: result?.isError === true };
  }

  /** Sends a body of one's own to the endpoint, or asks it without one. */
  raw(method: 'GET' | 'POST', body?: string): Promise<Exchange> {
    return this.#post({ method, body, timeoutMs: STREAM_TIMEOUT_MS, overflow: 'cut' });
  }

  /** Sends a message of JSON-RPC that is none of MCP. */
  async rpc(message: JsonObject, headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: RPC_ID, ...message });
    const exchange = await this.#post({ method: 'POST', body, headers, timeoutMs: REQUEST_TIMEOUT_MS });
    const isStray = exchange.ok && exchange.message?.id !== undefined && exchange.message.id !== RPC_ID;
    return { ...exchange, ...(isStray && { isStray }) };
  }

  #post({ body, headers: more, ...request }: Omit<FetchOptions, 'maxBytes'>): Promise<Exchange> {
    const { credentials, local, url } = this.#options;
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(credentials !== undefined && { authorization: `Bearer ${credentials}` }),
      ...more,
    };
    const options = { ...request, headers, local, maxRedirects: 0, maxBytes: MAX_ANSWER_BYTES };
    return this.#exchange(() => this.#send(url, { ...options, ...(body !== undefined && { body }) }));
  }

  async #exchange(send: () => Promise<unknown>, request?: string): Promise<Exchange> {
    this.#last = undefined;
    try {
      const reply = await send();
      const fault = isObject(reply) && isObject(reply.fault) ? reply.fault : undefined;
      if (fault?.kind === 'fetch') throw new FetchError(fault.reason as FetchError['reason']);
      const answered = this.#answered(fault?.kind === 'not_mcp');
      if (request !== undefined) this.#note(request, answered);
      return answered;
    } catch (error) {
      const reason = fetchReason(error);
      if (reason === undefined) throw error;
      return { ok: false, reason };
    }
  }

  /** Returns what came last; a message that the client did not take for its answer is under another id. */
  #answered(isForeign: boolean): Exchange {
    if (this.#last === undefined) return { ok: false, reason: 'timeout' };
    const isStray = isForeign && this.#last.message !== undefined;
    return { ...this.#last, ...(isStray && { isStray }) };
  }

  #note(request: string, exchange: Exchange): void {
    if (!exchange.ok || exchange.status >= 300 || exchange.message === undefined) return;
    const { headers, isStray = false, message, tookMs } = exchange;
    const { id, jsonrpc } = message;
    const isDouble = 'result' in message && 'error' in message;
    const type = headers['content-type'] ?? '';
    this.#options.budget.note({ request, type, jsonrpc, id, isStray, isDouble, tookMs });
  }

  async #send(url: string, options: FetchOptions): Promise<Fetched> {
    const began = this.#options.clock.now();
    const answer = await this.#options.budget.send(url, options);
    const { bytes, headers, status } = answer;
    refuseExcess(bytes);
    const message = readMessage(answer);
    this.#last = {
      ok: true,
      status,
      headers,
      ...(message !== undefined && { message }),
      bytes: bytes.byteLength,
      tookMs: this.#options.clock.now() - began,
    };
    return answer;
  }
}

/** The id of messages that are none of MCP. */
const RPC_ID = 1;
/** A stream that a GET opens does not end by itself. */
const STREAM_TIMEOUT_MS = 2 * SECOND_MS;

/** Throws FetchError for JSON that would take long to read. */
function refuseExcess(bytes: Uint8Array): void {
  if (exceededBound(bytes, ANSWER_BOUNDS) !== undefined) throw new FetchError('too_large');
}

function readMessage(answer: Fetched): JsonObject | undefined {
  const texts = eventTexts(answer) ?? [answer.bytes];
  return texts
    .map(readJson)
    .filter(isObject)
    .find((message) => 'result' in message || 'error' in message);
}

/** Reads a JSON document without credentials. */
export async function readDocument(
  { budget, clock, local }: Pick<WireOptions, 'budget' | 'clock' | 'local'>,
  url: string,
): Promise<ReadDocument> {
  const began = clock.now();
  try {
    const { bytes, headers, status } = await budget.send(url, {
      headers: { accept: 'application/json' },
      local,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: REQUEST_TIMEOUT_MS,
    });
    refuseExcess(bytes);
    const json = readJson(bytes);
    const exchange = { ok: true, status, headers, bytes: bytes.byteLength, tookMs: clock.now() - began } as const;
    return { url, exchange, ...(isObject(json) && { json }) };
  } catch (error) {
    const reason = fetchReason(error);
    if (reason === undefined) throw error;
    return { url, exchange: { ok: false, reason } };
  }
}
