import { finished, PassThrough, type Readable } from 'node:stream';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { isObject } from '../../platform/kernel/json/json.js';
import { SESSION_HEADER } from '../../platform/mcp/apps.js';
import { AWAITED_METHOD } from '../../platform/mcp/awaited.js';
import { VERSION_META } from '../../platform/mcp/request.js';
import type { BridgeTarget } from './target.js';

/** Requests of one client that are in hand at once. */
const MAX_IN_HAND = 64;

/** The code of JSON-RPC for what the bridge itself has to refuse. */
const BRIDGE_FAILURE = -32000;

/** Carries the requests of a client on standard input to an endpoint, each in a POST of its own, and the answers back to standard output. */
export class StdioBridge {
  readonly #target: BridgeTarget;
  /** Ends when what was read is answered, which closes the transport; standard input ends before. */
  readonly #input = new PassThrough();
  readonly #transport = new StdioServerTransport(this.#input);
  readonly #inHand = new Map<JSONRPCRequest['id'], InHand>();
  readonly #answering = new Set<Promise<void>>();
  /** Settles when the client was greeted: what it sends at once after its greeting is of the session and revision that it gets. */
  #greeting: Promise<unknown> = Promise.resolve();
  /** What the endpoint gave the client to repeat with each request; it says what the client can do. */
  #session: string | undefined;
  /** The older revision that the endpoint agreed to, which each further request names. */
  #revision: string | undefined;

  constructor(target: BridgeTarget) {
    this.#target = target;
  }

  /** Begins to read, and resolves once what the client sent before it closed its end is answered, or it reads no more. */
  async run(input: Readable, onError: (text: string) => void): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#transport.onclose = resolve;
    });
    this.#transport.onerror = ({ message }) => onError(`A message on standard input was not understood: ${message}`);
    this.#transport.onmessage = (message) => {
      const answering = this.#take(message).finally(() => this.#answering.delete(answering));
      this.#answering.add(answering);
    };
    await this.#transport.start();
    input.pipe(this.#input, { end: false });
    finished(input, { writable: false }, () => void this.#finish());
    await closed;
    input.unpipe(this.#input).pause();
    for (const { abort } of this.#inHand.values()) abort.abort();
  }

  /** Answers what was read, the last line also without an end, and closes. */
  async #finish(): Promise<void> {
    await new Promise((resolve) => this.#input.write('\n', resolve));
    // A task may go on for days.
    for (const { abort, isAwaited } of this.#inHand.values()) if (isAwaited) abort.abort(INPUT_ENDED);
    await Promise.all(this.#answering);
    this.#input.end();
  }

  /** Reads no further. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Takes a message of the client; never rejects. The endpoint is stateless, so that notifications but a cancellation mean nothing to it. */
  async #take(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return;
    if (!('id' in message)) {
      if (message.method === 'notifications/cancelled') this.#cancel(message.params?.requestId);
      return;
    }
    const answer = await this.#answer(message);
    // A client that is gone reads nothing.
    if (answer !== undefined) await this.#transport.send(answer).catch(() => undefined);
  }

  #cancel(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#inHand.get(id)?.abort.abort();
  }

  /** Returns the answer of the endpoint, or the bridge's own failure; undefined for what was cancelled. */
  async #answer(request: JSONRPCRequest): Promise<JSONRPCMessage | undefined> {
    const { id } = request;
    if (this.#inHand.size >= MAX_IN_HAND)
      return writeFailure(
        id,
        `More than ${MAX_IN_HAND} requests are in hand; send this one again when one was answered.`,
      );
    const abort = new AbortController();
    this.#inHand.set(id, { abort, isAwaited: request.method === AWAITED_METHOD });
    try {
      if (request.method !== 'initialize') {
        await this.#greeting;
        return await this.#post(request, abort.signal);
      }
      const greeted = this.#post(request, abort.signal);
      this.#greeting = greeted.catch(() => undefined);
      return await greeted;
    } catch (error) {
      if (abort.signal.reason === INPUT_ENDED) return writeFailure(id, INPUT_ENDED);
      return abort.signal.aborted ? undefined : writeFailure(id, explainSilence(this.#target.url, error));
    } finally {
      this.#inHand.delete(id);
    }
  }

  async #post(request: JSONRPCRequest, signal: AbortSignal): Promise<JSONRPCMessage> {
    const posted = { request, session: this.#session, revision: this.#revision };
    const { answer, session } = await postMessage(this.#target, posted, signal);
    this.#session = session ?? this.#session;
    if (request.method === 'initialize') this.#revision = revisionIn(answer);
    return answer;
  }
}

/** A request that is being answered; an awaited one may take as long as its task. */
type InHand = { readonly abort: AbortController; readonly isAwaited: boolean };

const INPUT_ENDED = 'The input ended before the task did. Start again, and ask for its result or its state.';

/** Returns the revision that the answer to a handshake agrees to. */
function revisionIn(answer: JSONRPCMessage): string | undefined {
  const result = 'result' in answer ? answer.result : undefined;
  return isObject(result) && typeof result.protocolVersion === 'string' ? result.protocolVersion : undefined;
}

/** A request, and the session and the older revision that it belongs to. */
type Posted = {
  readonly request: JSONRPCRequest;
  readonly session: string | undefined;
  readonly revision: string | undefined;
};

type Answered = { readonly answer: JSONRPCMessage; readonly session?: string | undefined };

async function postMessage({ key, url }: BridgeTarget, posted: Posted, signal: AbortSignal): Promise<Answered> {
  const { request } = posted;
  const response = await fetch(url, {
    method: 'POST',
    headers: headersOf(posted, key),
    body: JSON.stringify(request),
    // A key goes to the address that was named, and to no other.
    redirect: 'error',
    signal,
  });
  const answer = parseLine(lastMessage(await response.text()));
  if (!isObject(answer) || answer.jsonrpc !== '2.0')
    return {
      answer: writeFailure(request.id, `${url} answered ${response.status} and no MCP; its path ends in /mcp.`),
    };
  // The answer to a stranger has the form of a tool's, which no other method may be answered with.
  if (response.status === 401 && request.method !== 'tools/call')
    return {
      answer: writeFailure(request.id, `${url} does not take this key. Ask its seller for one that is valid there.`),
    };
  const begun = response.headers.get(SESSION_HEADER) ?? undefined;
  return { answer: { ...answer, id: request.id } as JSONRPCMessage, session: begun };
}

/** Returns the last message of a stream of events, the answer; a text that is no stream as it is. */
function lastMessage(text: string): string {
  const data = text.split('\n').filter((line) => line.startsWith(EVENT_DATA));
  return data.at(-1)?.slice(EVENT_DATA.length) ?? text;
}

const EVENT_DATA = 'data: ';

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the headers of a request: the newest revision wants its envelope to be said in them too. https://modelcontextprotocol.io/specification */
function headersOf(
  { request: { method, params }, revision: older, session }: Posted,
  key: string | undefined,
): Headers {
  // Who speaks over standard input is an assistant on a desk: its answers are those for language models.
  const headers = new Headers({
    'content-type': 'application/json',
    // A stream is kept alive while what is waited for goes on.
    accept: method === AWAITED_METHOD ? 'text/event-stream' : 'application/json',
    prefer: 'return=minimal',
  });
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
  if (session !== undefined) headers.set(SESSION_HEADER, session);
  const revision = isObject(params?._meta) ? params._meta[VERSION_META] : undefined;
  if (typeof revision !== 'string') {
    if (older !== undefined && method !== 'initialize') headers.set('mcp-protocol-version', older);
    return headers;
  }
  headers.set('mcp-protocol-version', revision);
  headers.set('mcp-method', method);
  const name = method === 'resources/read' ? params?.uri : params?.name;
  if (typeof name === 'string') headers.set('mcp-name', headerText(name));
  return headers;
}

function headerText(text: string): string {
  return /^[!-~]+$/.test(text) ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

function explainSilence(url: string, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `${url} does not answer: ${cause instanceof Error ? cause.message : String(cause)}. Check the address, and that the server runs.`;
}

function writeFailure(id: JSONRPCRequest['id'], message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: BRIDGE_FAILURE, message } };
}
