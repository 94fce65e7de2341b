import type { IncomingMessage } from 'node:http';
import {
  classifyInboundRequest,
  isJSONRPCRequest,
  isJsonContentType,
  type JSONRPCRequest,
  type MessageClassification,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { explainExcess, type JsonBounds } from '../kernel/json/bounds.js';
import { isObject } from '../kernel/json/json.js';
import { readJsonInSlices } from '../kernel/json/slices.js';
import { findRepeatedMember } from '../kernel/json/strict-json.js';
import { type BodyExchange, readBytes, type Unread } from '../web/body.js';
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

/** Reads a body of at most `maxBytes`. Throws 415, 413, 503 or 400 without reading on. */
export async function readBody(exchange: BodyExchange, maxBytes: number): Promise<Buffer> {
  const bytes = await readBytes(exchange, maxBytes);
  if (typeof bytes === 'string') throw refuseBody(bytes, maxBytes);
  return bytes;
}

function refuseBody(why: Unread, maxBytes: number): McpRefusal {
  if (why === 'encoded')
    return new McpRefusal(415, -32000, 'Unsupported Media Type: send the body uncompressed, without Content-Encoding.');
  if (why === 'too_large') return new McpRefusal(413, -32000, `The request body is larger than ${maxBytes} bytes.`);
  if (why === 'cut_off') return new McpRefusal(400, -32700, 'The connection ended before the body did.');
  return new McpRefusal(503, -32000, 'Too many large requests are in hand just now; send this one again in a moment.');
}

/** A body that was read, with its bytes and the levels and values of its JSON. */
export type ReadBody = {
  readonly body: unknown;
  readonly bytes: number;
  readonly levels: number;
  readonly values: number;
};

/** Parses a body within bounds. Throws the JSON-RPC parse error, and the refusal of a body that exceeds them. */
export async function parseBody(bytes: Buffer, bounds: JsonBounds): Promise<ReadBody> {
  const read = await readJsonInSlices(bytes, bounds);
  if (read.ok) {
    if (await read.hasRepeatedNames()) throw await repeatsName(bytes);
    return { body: read.value, bytes: bytes.length, levels: read.levels, values: read.values };
  }
  if (read.exceeded === undefined)
    throw new McpRefusal(400, -32700, 'Parse error: the body is not valid JSON in UTF-8.');
  const { fault, suggestion } = explainExcess(read.exceeded, bounds);
  throw new McpRefusal(400, -32600, `Invalid Request: the body ${fault}.`, {
    code: 'INVALID_REQUEST',
    field: 'params.arguments',
    suggestion,
  });
}

/** Returns the refusal of a body that names a member twice, of which one reader takes the first and another the last. */
async function repeatsName(bytes: Buffer): Promise<McpRefusal> {
  const field = await findRepeatedMember(bytes);
  return new McpRefusal(400, -32700, `Parse error: the body has ${field} twice, and only one of them can count.`, {
    code: 'INVALID_REQUEST',
    field,
    suggestion: 'Name each member of an object once.',
  });
}

/** Whether a message is a JSON-RPC 2.0 request. The SDK's own guard reads a usual message to its end, and its server does so again. */
export function isRequest(message: unknown): message is JSONRPCRequest {
  if (!isObject(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return false;
  const { jsonrpc: _version, method: _method, id, params, ...others } = message;
  if (typeof id !== 'string' && !Number.isInteger(id)) return false;
  if (params !== undefined && !isObject(params)) return false;
  // The SDK's server answers only what its guard lets pass, so that anything unusual is shown to the guard.
  const isUsual = params?._meta === undefined && Object.keys(others).length === 0;
  return isUsual || isJSONRPCRequest(message);
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

/** The era whose server a message is for. */
export type Route =
  | { readonly era: 'legacy' }
  | { readonly era: 'modern'; readonly classification: MessageClassification };

/** The MCP revision whose requests carry their own envelope; older ones begin with `initialize`. */
export const MODERN_REVISION = '2026-07-28';

/** The member of a request's envelope that names its revision. */
export const VERSION_META = 'io.modelcontextprotocol/protocolVersion';

/** Decides the era by the message and its headers. Throws a refusal for a revision nobody speaks or headers that contradict the body. */
export function routeMessage(request: IncomingMessage, message: unknown): Route {
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = request.headers;
  const headers: EnvelopeHeaders = {
    revision: textOrNone(version),
    method: textOrNone(method),
    name: textOrNone(name),
  };
  const isOlder = headers.revision === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(headers.revision);
  if (isOlder && method === undefined && !carriesEnvelope(message)) return LEGACY;
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body: message,
    protocolVersionHeader: headers.revision,
    mcpMethodHeader: headers.method,
    mcpNameHeader: headers.name,
  });
  if (outcome.kind === 'reject') throw new McpRefusal(outcome.httpStatus, outcome.code, outcome.message, outcome.data);
  if (outcome.kind === 'legacy') {
    if (isOlder) return LEGACY;
    throw new McpRefusal(
      400,
      -32000,
      `Bad Request: unsupported MCP protocol version (supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')})`,
    );
  }
  const { revision } = outcome.classification;
  if (revision !== undefined && revision !== MODERN_REVISION) {
    throw new McpRefusal(400, -32022, 'Unsupported protocol version.', {
      supported: [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS],
      requested: revision,
    });
  }
  if (outcome.messageKind === 'request') requireHeaders(outcome.message, headers);
  return { era: 'modern', classification: outcome.classification };
}

const LEGACY: Route = { era: 'legacy' };

type EnvelopeHeaders = Readonly<Record<'revision' | 'method' | 'name', string | undefined>>;

function textOrNone(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

function carriesEnvelope(message: unknown): boolean {
  if (!isObject(message) || !isObject(message.params)) return false;
  return isObject(message.params._meta) && VERSION_META in message.params._meta;
}

/** The member of its parameters that a method of the modern revision says in the header Mcp-Name too. */
const NAMED_BY: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** Requires the headers that the modern revision wants beside the envelope: version, method and, where the method has one, its name. */
function requireHeaders(message: { method: string; params?: unknown }, headers: EnvelopeHeaders): void {
  const member = NAMED_BY.get(message.method);
  const missing = missingHeader(headers, member !== undefined);
  if (missing !== undefined) throw new McpRefusal(400, -32020, `Bad Request: the required ${missing} header is absent`);
  if (member === undefined || !isObject(message.params)) return;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(headers.name ?? '')?.[1];
  const named = encoded === undefined ? headers.name : Buffer.from(encoded, 'base64').toString('utf8');
  if (typeof message.params[member] === 'string' && named !== message.params[member])
    throw new McpRefusal(400, -32020, `Bad Request: the Mcp-Name header says another ${NAMES[member]} than the body`);
}

const NAMES = { name: 'name', uri: 'URI' } as const;

function missingHeader({ revision, method, name }: EnvelopeHeaders, hasName: boolean): string | undefined {
  if (revision === undefined) return 'MCP-Protocol-Version';
  if (method === undefined) return 'Mcp-Method';
  return hasName && name === undefined ? 'Mcp-Name' : undefined;
}
