import {
  type JSONRPCRequest,
  Server,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { MODERN_REVISION } from './request.js';
import { createEdgeTransport, type EdgeTransport } from './transport.js';

/** A server of the modern era. The SDK keeps the era in this field and sets it by its own handshake, which a stateless edge does not have. */
class ModernServer extends Server {
  constructor(...options: ConstructorParameters<typeof Server>) {
    super(...options);
    this._negotiatedProtocolVersion = MODERN_REVISION;
  }
}

/** What answers the requests of a server, whichever era they are of. */
export type McpHandler = (request: JSONRPCRequest, context: ServerContext) => Promise<Record<string, unknown>>;

/** Two MCP servers, one per era of the protocol, each connected once for the life of the process. */
export type McpServers = { readonly legacy: EdgeTransport; readonly modern: EdgeTransport };

/** Connects the servers of an endpoint. */
export async function connectServers(
  info: { readonly name: string; readonly version: string },
  options: { readonly capabilities: { readonly tools: object }; readonly instructions: string },
  handler: McpHandler,
): Promise<McpServers> {
  const legacy = new Server(info, options);
  const modern = new ModernServer(info, {
    ...options,
    supportedProtocolVersions: [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS],
  });
  const transports = { legacy: createEdgeTransport(), modern: createEdgeTransport() };
  legacy.fallbackRequestHandler = handler;
  modern.fallbackRequestHandler = handler;
  await legacy.connect(transports.legacy);
  await modern.connect(transports.modern);
  return transports;
}
