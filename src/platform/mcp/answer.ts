import type { ServerResponse } from 'node:http';
import { toJson } from '../kernel/json/json.js';
import type { Route } from './era.js';
import { type McpRefusal, rpcErrorOf } from './refusal.js';
import type { Writing } from './request.js';
import type { Sink } from './transport.js';

/** HTTP statuses by which the modern revision says the protocol's own errors too. */
const MODERN_STATUS: Readonly<Record<number, number>> = {
  [-32601]: 404,
  [-32602]: 400,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

/** Returns a sink that writes to a response: a stream of events where the client reads one, else the one answer. */
export function streamSink(response: ServerResponse, writing: Writing, route: Route): Sink {
  return {
    notify: (message) => {
      if (writing !== 'events' || response.writableEnded) return;
      if (!response.headersSent) response.writeHead(200, EVENT_HEADERS);
      response.write(asEvent(toJson(message)));
    },
    answer: (message) => {
      const code = 'error' in message ? message.error.code : undefined;
      const status = route.era === 'modern' && code !== undefined ? (MODERN_STATUS[code] ?? 200) : 200;
      writeMessage(response, writing, message, status);
    },
  };
}

const EVENT_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

function asEvent(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

/** Writes an answer and ends the response; nothing when the client is gone. */
export function writeMessage(response: ServerResponse, writing: Writing, message: object, status = 200): void {
  if (response.writableEnded || response.destroyed) return;
  const json = toJson(message);
  const body = writing === 'events' ? asEvent(json) : json;
  if (!response.headersSent) {
    const headers = writing === 'events' ? EVENT_HEADERS : { 'content-type': 'application/json' };
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  }
  response.end(body);
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
