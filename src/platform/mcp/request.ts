import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  classifyInboundRequest,
  isJSONRPCRequest,
  isJsonContentType,
  type JSONRPCRequest,
  type MessageClassification,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isObject } from '../kernel/json/json.js';
import { readBytes } from '../web/body.js';

/** A refusal before any task is looked at: HTTP status, JSON-RPC code and a sentence. */
export class Refusal extends Error {
  readonly status: number;
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(status: number, rpcCode: number, message: string, data?: unknown) {
    super(message);
    this.status = status;
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

/** How an answer is written: one JSON body, or a stream of events. */
export type Writing = 'json' | 'events';

/** Which form the Accept header asks for (spec 2, Transport). Throws 406 when it names neither. */
export function chooseWriting(header: string | undefined): Writing {
  const accept = header?.trim().toLowerCase() ?? '';
  if (accept === '') return 'json';
  if (accept.includes('text/event-stream')) return 'events';
  if (accept.includes('application/json') || accept.includes('*/*') || accept.includes('application/*')) return 'json';
  throw new Refusal(406, -32000, 'Not Acceptable: Accept must name application/json, text/event-stream or both.');
}

/** Refuses a body that is no JSON by its own words. Throws 415. */
export function requireJson(request: IncomingMessage): void {
  if (!isJsonContentType(request.headers['content-type']))
    throw new Refusal(415, -32000, 'Unsupported Media Type: Content-Type must be application/json.');
}

/** Reads a body of at most `maxBytes`. Throws 413 without reading on. */
export async function readBody(request: IncomingMessage, response: ServerResponse, maxBytes: number): Promise<Buffer> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes !== undefined) return bytes;
  // What was not read cannot be followed by another request on this connection.
  response.setHeader('connection', 'close');
  throw new Refusal(413, -32000, `The request body is larger than ${maxBytes} bytes.`);
}

/** Parses a body. Throws the JSON-RPC parse error. */
export function parseBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refusal(400, -32700, 'Parse error: the body is not valid JSON.');
  }
}

/** Whether a message is a JSON-RPC 2.0 request. The SDK's own guards read the whole message; its server reads it again anyway. */
export function isRequest(message: unknown): message is JSONRPCRequest {
  if (!isObject(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return false;
  const { jsonrpc: _version, method: _method, id, params, ...others } = message;
  if (typeof id !== 'string' && !Number.isInteger(id)) return false;
  if (params !== undefined && !isObject(params)) return false;
  // What the SDK's server would not read it would not answer either: anything unusual is shown to its own guard.
  const usual = params?._meta === undefined && Object.keys(others).length === 0;
  return usual || isJSONRPCRequest(message);
}

/** The arguments of a task call; empty where a message has none. */
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

/** Which era's server a message is for. */
export type Route =
  | { readonly era: 'legacy' }
  | { readonly era: 'modern'; readonly classification: MessageClassification };

/** The MCP revision whose requests carry their own envelope; older ones begin with `initialize`. */
export const MODERN_REVISION = '2026-07-28';

const VERSION_META = 'io.modelcontextprotocol/protocolVersion';

/** Decides the era by the message and its headers. Throws a refusal for a revision nobody speaks or headers that contradict the body. */
export function routeMessage(request: IncomingMessage, message: unknown): Route {
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = request.headers;
  const revision = typeof version === 'string' ? version : undefined;
  const carriesEnvelope =
    isObject(message) &&
    isObject(message.params) &&
    isObject(message.params._meta) &&
    VERSION_META in message.params._meta;
  if (
    !carriesEnvelope &&
    method === undefined &&
    (revision === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(revision))
  )
    return { era: 'legacy' };
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body: message,
    ...(revision === undefined ? {} : { protocolVersionHeader: revision }),
    ...(typeof method === 'string' ? { mcpMethodHeader: method } : {}),
    ...(typeof name === 'string' ? { mcpNameHeader: name } : {}),
  });
  if (outcome.kind === 'reject') throw new Refusal(outcome.httpStatus, outcome.code, outcome.message, outcome.data);
  if (outcome.kind === 'legacy') {
    if (revision === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) return { era: 'legacy' };
    throw new Refusal(
      400,
      -32000,
      `Bad Request: unsupported MCP protocol version (supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')})`,
    );
  }
  if (outcome.classification.revision !== undefined && outcome.classification.revision !== MODERN_REVISION) {
    throw new Refusal(400, -32022, 'Unsupported protocol version.', {
      supported: [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS],
      requested: outcome.classification.revision,
    });
  }
  if (outcome.messageKind === 'request') requireHeaders(outcome.message, { version: revision, method, name });
  return { era: 'modern', classification: outcome.classification };
}

/** The modern revision wants the version, the method and (for a tool) its name in headers too. */
function requireHeaders(
  message: { method: string; params?: unknown },
  headers: Record<'version' | 'method' | 'name', unknown>,
): void {
  const missing =
    headers.version === undefined
      ? 'MCP-Protocol-Version'
      : headers.method === undefined
        ? 'Mcp-Method'
        : message.method === 'tools/call' && headers.name === undefined
          ? 'Mcp-Name'
          : undefined;
  if (missing !== undefined) throw new Refusal(400, -32020, `Bad Request: the required ${missing} header is absent`);
  if (message.method !== 'tools/call' || !isObject(message.params)) return;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(String(headers.name))?.[1];
  const named = encoded === undefined ? headers.name : Buffer.from(encoded, 'base64').toString('utf8');
  if (typeof message.params.name === 'string' && named !== message.params.name)
    throw new Refusal(400, -32020, 'Bad Request: the Mcp-Name header names another tool than the body');
}
