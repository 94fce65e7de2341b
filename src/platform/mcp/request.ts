import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJSONRPCRequest, isJsonContentType, type JSONRPCRequest } from '@modelcontextprotocol/server';
import { isObject } from '../kernel/json/json.js';
import { readBytes } from '../web/body.js';
import { McpRefusal } from './refusal.js';

/** The form of an answer: one JSON body, or a stream of events. */
export type Writing = 'json' | 'events';

/** Returns the form that an Accept header asks for. Throws 406 when it names neither. */
export function chooseWriting(header: string | undefined): Writing {
  const accept = header?.trim().toLowerCase() ?? '';
  if (accept === '') return 'json';
  if (accept.includes('text/event-stream')) return 'events';
  if (accept.includes('application/json') || accept.includes('*/*') || accept.includes('application/*')) return 'json';
  throw new McpRefusal(406, -32000, 'Not Acceptable: Accept must name application/json, text/event-stream or both.');
}

/** Refuses a body whose Content-Type is not JSON. Throws 415. */
export function requireJson(request: IncomingMessage): void {
  if (!isJsonContentType(request.headers['content-type']))
    throw new McpRefusal(415, -32000, 'Unsupported Media Type: Content-Type must be application/json.');
}

/** Reads a body of at most `maxBytes`. Throws 413 without reading on. */
export async function readBody(request: IncomingMessage, response: ServerResponse, maxBytes: number): Promise<Buffer> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes !== undefined) return bytes;
  // What was not read cannot be followed by another request on this connection.
  response.setHeader('connection', 'close');
  throw new McpRefusal(413, -32000, `The request body is larger than ${maxBytes} bytes.`);
}

/** Parses a body. Throws the JSON-RPC parse error. */
export function parseBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new McpRefusal(400, -32700, 'Parse error: the body is not valid JSON.');
  }
}

/** Whether a message is a JSON-RPC 2.0 request. The SDK's own guard reads a usual message to its end, and its server does so again. */
export function isRequest(message: unknown): message is JSONRPCRequest {
  if (!isObject(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return false;
  const { jsonrpc: _version, method: _method, id, params, ...others } = message;
  if (typeof id !== 'string' && !Number.isInteger(id)) return false;
  if (params !== undefined && !isObject(params)) return false;
  // The SDK's server answers only what its guard lets pass, so that anything unusual is shown to the guard.
  const usual = params?._meta === undefined && Object.keys(others).length === 0;
  return usual || isJSONRPCRequest(message);
}

/** Returns the arguments of a tool call; empty where a message has none. */
export function argumentsOf(message: unknown): Readonly<Record<string, unknown>> {
  const params = isObject(message) && isObject(message.params) ? message.params : {};
  return isObject(params.arguments) ? params.arguments : {};
}

/** Whether a message is a notification, or the client's answer to a request: taken, and not answered. */
export function expectsNoAnswer(message: unknown): boolean {
  if (!isObject(message) || message.jsonrpc !== '2.0') return false;
  if (typeof message.method === 'string') return message.id === undefined;
  return message.id !== undefined && ('result' in message || 'error' in message);
}

/** Returns the id of a message as its answer repeats it; null where it has none. */
export function messageId(message: unknown): string | number | null {
  const id = isObject(message) ? message.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
