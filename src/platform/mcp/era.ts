import type { IncomingMessage } from 'node:http';
import {
  classifyInboundRequest,
  type MessageClassification,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isObject } from '../kernel/json/json.js';
import { McpRefusal } from './refusal.js';

/** The era whose server a message is for. */
export type Route =
  | { readonly era: 'legacy' }
  | { readonly era: 'modern'; readonly classification: MessageClassification };

/** The MCP revision whose requests carry their own envelope; older ones begin with `initialize`. */
export const MODERN_REVISION = '2026-07-28';

const VERSION_META = 'io.modelcontextprotocol/protocolVersion';

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
    ...(headers.revision !== undefined && { protocolVersionHeader: headers.revision }),
    ...(headers.method !== undefined && { mcpMethodHeader: headers.method }),
    ...(headers.name !== undefined && { mcpNameHeader: headers.name }),
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

/** Requires the headers that the modern revision wants beside the envelope: version, method and, for a tool, its name. */
function requireHeaders(message: { method: string; params?: unknown }, headers: EnvelopeHeaders): void {
  const isToolCall = message.method === 'tools/call';
  const missing = missingHeader(headers, isToolCall);
  if (missing !== undefined) throw new McpRefusal(400, -32020, `Bad Request: the required ${missing} header is absent`);
  if (!isToolCall || !isObject(message.params)) return;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(headers.name ?? '')?.[1];
  const named = encoded === undefined ? headers.name : Buffer.from(encoded, 'base64').toString('utf8');
  if (typeof message.params.name === 'string' && named !== message.params.name)
    throw new McpRefusal(400, -32020, 'Bad Request: the Mcp-Name header names another tool than the body');
}

function missingHeader({ revision, method, name }: EnvelopeHeaders, isToolCall: boolean): string | undefined {
  if (revision === undefined) return 'MCP-Protocol-Version';
  if (method === undefined) return 'Mcp-Method';
  return isToolCall && name === undefined ? 'Mcp-Name' : undefined;
}
