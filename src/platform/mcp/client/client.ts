import type { JsonBounds } from '../../kernel/json/bounds.js';
import { isObject } from '../../kernel/json/json.js';
import type { Fetched, Outbound } from '../../net/fetch.js';
import { type FetchReason, fetchReason } from '../../net/fetch-error.js';
import { readResponse } from './answers.js';
import { ResponseWatch } from './response-watch.js';

/** The address of an MCP server, and the bounds of what is read of it. Only the guarded fetch reaches it. */
type McpClientOptions = {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly url: string;
  /** Sent as a bearer token. */
  readonly credentials?: string | undefined;
  /** Development mode only: plain http and loopback. */
  readonly local?: boolean;
  /** The revision of MCP to ask for; the newest that this client speaks unless given. */
  readonly revision?: string | undefined;
  /** Most bytes of one answer. */
  readonly maxBytes: number;
  /** Bounds of an answer's JSON; none unless set. */
  readonly bounds?: JsonBounds;
  /** Milliseconds that the next exchange may take. */
  readonly timeLeftMs: () => number;
};

/** The reason of a missing result: nothing came over the network, a status that is no success, no JSON-RPC, or an error in it. */
export type McpFault =
  | { readonly kind: 'fetch'; readonly reason: FetchReason }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'not_mcp' }
  | { readonly kind: 'rpc_error' };

/** The result of a request, or the fault instead of one. */
export type McpReply =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly fault: McpFault };

/** The revision of MCP that is asked for; a server answers with its own. */
const PROTOCOL_REVISION = '2025-06-18';
/** Less time than this is none. */
const MIN_TIME_MS = 100;

/** A request of JSON-RPC, or a notification, which has no id. */
type RpcMessage = { readonly jsonrpc: '2.0'; readonly method: string; readonly params?: object; readonly id?: number };

type Posted =
  | { readonly ok: true; readonly answer: Fetched; readonly watch?: ResponseWatch }
  | { readonly ok: false; readonly fault: McpFault };

/**
 * One client's side of MCP over Streamable HTTP, whose answers are JSON or a stream of events. Requests may be sent at once, or after
 * `initialize`, within the session that a server opens then. Never rejects for what the other side does.
 */
export class McpClient {
  readonly #options: McpClientOptions;
  #headers: Readonly<Record<string, string>>;
  #sessionId: string | undefined;
  #lastId = 0;

  constructor(options: McpClientOptions) {
    this.#options = options;
    this.#headers = headersFor(options.credentials, PROTOCOL_REVISION);
  }

  /** Whether the server has opened a session. */
  get hasSession(): boolean {
    return this.#sessionId !== undefined;
  }

  /** Introduces the client; the result is the server's introduction. What is sent later belongs to the session that it opened. */
  async initialize(): Promise<McpReply> {
    const asked = this.#options.revision ?? PROTOCOL_REVISION;
    const params = {
      protocolVersion: asked,
      capabilities: {},
      clientInfo: { name: 'seller-agent', version: '1' },
    };
    const posted = await this.#post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    if (!posted.ok) return posted;
    const reply = await this.#readReply(posted, 0);
    const revision = reply.ok ? reply.result.protocolVersion : undefined;
    this.#sessionId = posted.answer.headers['mcp-session-id'];
    this.#headers = {
      ...headersFor(this.#options.credentials, typeof revision === 'string' ? revision : asked),
      ...(this.#sessionId !== undefined && { 'mcp-session-id': this.#sessionId }),
    };
    return reply;
  }

  /** Tells the server that the session may begin. Returns the fault of a server that refuses to hear it. */
  async confirm(): Promise<McpFault | undefined> {
    const posted = await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return posted.ok ? undefined : posted.fault;
  }

  /** Sends one request, such as `tools/list`. */
  async request(method: string, params: object): Promise<McpReply> {
    this.#lastId += 1;
    const id = this.#lastId;
    const posted = await this.#post({ jsonrpc: '2.0', id, method, params });
    return posted.ok ? this.#readReply(posted, id) : posted;
  }

  async #readReply({ answer, watch }: Extract<Posted, { ok: true }>, id: number): Promise<McpReply> {
    const { exceeded, response } = watch?.reading ?? (await readResponse(answer, id, this.#options.bounds));
    if (exceeded !== undefined) return notFetched('too_large');
    if (isObject(response?.result)) return { ok: true, result: response.result };
    return { ok: false, fault: { kind: response === undefined ? 'not_mcp' : 'rpc_error' } };
  }

  async #post(message: RpcMessage): Promise<Posted> {
    const { bounds, outbound, url, local = false, maxBytes, timeLeftMs } = this.#options;
    const timeoutMs = timeLeftMs();
    if (timeoutMs < MIN_TIME_MS) return notFetched('timeout');
    const watch = message.id === undefined ? undefined : new ResponseWatch(message.id, bounds);
    try {
      const body = JSON.stringify(message);
      const answer = await outbound.fetch(url, {
        method: 'POST',
        headers: this.#headers,
        body,
        maxBytes,
        timeoutMs,
        local,
        isWhole: watch && ((part, headers) => watch.take(part, headers)),
      });
      const { status } = answer;
      return status >= 200 && status < 300
        ? { ok: true, answer, watch }
        : { ok: false, fault: { kind: 'status', status } };
    } catch (error) {
      const reason = fetchReason(error);
      if (reason === undefined) throw error;
      return notFetched(reason);
    }
  }
}

function headersFor(credentials: string | undefined, revision: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(credentials !== undefined && { authorization: `Bearer ${credentials}` }),
    'mcp-protocol-version': revision,
  };
}

function notFetched(reason: FetchReason): Extract<Posted, { ok: false }> {
  return { ok: false, fault: { kind: 'fetch', reason } };
}
