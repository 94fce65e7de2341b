import type { ServerResponse } from 'node:http';
import { toJson } from '../kernel/json/json.js';
import type { Refusal, Route, Writing } from './request.js';
import type { Sink } from './transport.js';

/** Errors of the protocol itself that the modern revision also says in the HTTP status. */
const MODERN_STATUS: Readonly<Record<number, number>> = {
  [-32601]: 404,
  [-32602]: 400,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

/** Writes what a server says about one request: a stream of events where the client reads one, else its one answer. */
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

/** Writes a refusal as the JSON-RPC error that it is. */
export function writeRefusal(response: ServerResponse, { status, rpcCode, message, data }: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (status === 405) response.setHeader('allow', 'POST');
  const error = { code: rpcCode, message, ...(data === undefined ? {} : { data }) };
  writeMessage(response, 'json', { jsonrpc: '2.0', error, id: null }, status);
}
