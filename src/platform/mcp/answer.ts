import type { ServerResponse } from 'node:http';
import { SECOND_MS } from '../kernel/clock.js';
import { toAsciiJson, type Written } from '../kernel/json/json.js';
import { withFiller, writePieces } from '../web/pieces.js';
import { type McpRefusal, rpcErrorOf } from './refusal.js';
import type { Route, Writing } from './request.js';
import type { Sink } from './transport.js';

/** HTTP statuses by which the modern revision says the protocol's own errors too, of requests that nothing was begun of. */
const MODERN_STATUS: Readonly<Record<number, number>> = {
  [-32601]: 404,
  [-32602]: 400,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

/** Returns a sink that writes to a response: a stream of events where the client reads one, else the one answer. */
export function streamSink(response: ServerResponse, writing: Writing, route: Route): Sink {
  let hasBegun = false;
  return {
    begin: () => {
      hasBegun = true;
    },
    notify: (message) => {
      if (writing !== 'events' || response.writableEnded) return;
      if (!response.headersSent) response.writeHead(200, EVENT_HEADERS);
      response.write(asEvent(toAsciiJson(message)), 'latin1');
    },
    answer: (message) => {
      const code = 'error' in message ? message.error.code : undefined;
      const isProtocolError = route.era === 'modern' && !hasBegun && code !== undefined;
      const status = isProtocolError ? (MODERN_STATUS[code] ?? 200) : 200;
      writeMessage(response, writing, message, status);
    },
  };
}

const EVENT_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** A comment, which no client reads, and how often it is sent where nothing else is. */
const KEEP_ALIVE = ': keep-alive\n\n';
const KEEP_ALIVE_MS = 15 * SECOND_MS;

function asEvent(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

/** Writes an answer and ends the response; nothing when the client is gone. */
export function writeMessage(response: ServerResponse, writing: Writing, message: object, status = 200): void {
  if (response.writableEnded || response.destroyed) return;
  const json = toAsciiJson(message);
  const body = writing === 'events' ? asEvent(json) : json;
  if (!response.headersSent) {
    const headers = writing === 'events' ? EVENT_HEADERS : { 'content-type': 'application/json' };
    response.writeHead(status, { ...headers, 'content-length': body.length });
  }
  response.end(body, 'latin1');
}

/** Writes messages as events, as they come and no faster than the client takes them, with a comment when none has come for a while. */
export async function writeEvents(response: ServerResponse, messages: AsyncIterable<Written>): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(200, EVENT_HEADERS);
  await writePieces(response, withFiller(eventsOf(messages), KEEP_ALIVE, KEEP_ALIVE_MS));
}

async function* eventsOf(messages: AsyncIterable<Written>): AsyncGenerator<string> {
  for await (const message of messages) yield asEvent(message.ascii);
}

/** Writes the answers of a batch as they come, no faster than the client takes them; none is asked for when the client is gone. */
export async function writeBatch(
  response: ServerResponse,
  writing: Writing,
  answers: AsyncIterable<string>,
): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(200, writing === 'events' ? EVENT_HEADERS : { 'content-type': 'application/json' });
  await writePieces(response, batchPieces(writing, answers));
}

async function* batchPieces(writing: Writing, answers: AsyncIterable<string>): AsyncGenerator<string> {
  let mark = writing === 'events' ? 'event: message\ndata: [' : '[';
  for await (const answer of answers) {
    yield mark + answer;
    mark = ',';
  }
  yield writing === 'events' ? ']\n\n' : ']';
}

/** Writes a refusal as the JSON-RPC error that it is; a response that has begun breaks off. */
export function writeRefusal(response: ServerResponse, refusal: McpRefusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (refusal.status === 405) response.setHeader('allow', 'POST');
  writeMessage(response, 'json', { jsonrpc: '2.0', error: rpcErrorOf(refusal), id: null }, refusal.status);
}
