import {
  type AuthInfo,
  type JSONRPCRequest,
  Server,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { McpRefusal } from './refusal.js';
import { MODERN_REVISION, type Route } from './request.js';
import { createEdgeTransport, type Sink } from './transport.js';

/** A server of the modern era. The SDK keeps the era in this field and sets it by its own handshake, which a stateless edge does not have. */
class ModernServer extends Server {
  constructor(...options: ConstructorParameters<typeof Server>) {
    super(...options);
    this._negotiatedProtocolVersion = MODERN_REVISION;
  }
}

/** The part of an endpoint that answers requests, whichever era they are of. */
type ServedTools<Caller> = {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  /** The tools as `tools/list` shows them: a list, or one that is written already. */
  readonly listTools: (caller: Caller) => object;
  readonly callTool: (caller: Caller, params: unknown) => Promise<Readonly<Record<string, unknown>>>;
};

/** Two MCP servers of one endpoint, one per era of the protocol, each connected once for the life of the process. */
export type McpServers<Caller> = {
  /** Hands a request to the server of its era; the result cancels it. */
  readonly request: (route: Route, message: JSONRPCRequest, caller: Caller, sink: Sink) => () => void;
};

/** Connects the servers of an endpoint. */
export async function connectServers<Caller>(endpoint: ServedTools<Caller>): Promise<McpServers<Caller>> {
  const { name, version, instructions } = endpoint;
  const options = { capabilities: { tools: {} }, instructions };
  const legacy = new Server({ name, version }, options);
  const modern = new ModernServer(
    { name, version },
    { ...options, supportedProtocolVersions: [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS] },
  );
  const transports = { legacy: createEdgeTransport(), modern: createEdgeTransport() };
  const answer = async (
    { method, params }: JSONRPCRequest,
    context: ServerContext,
  ): Promise<Record<string, unknown>> => {
    const caller = callerOf<Caller>(context);
    if (method === 'tools/list') return { tools: endpoint.listTools(caller) };
    if (method === 'tools/call') return endpoint.callTool(caller, params);
    throw new McpRefusal(404, -32601, 'Method not found');
  };
  legacy.fallbackRequestHandler = answer;
  modern.fallbackRequestHandler = answer;
  await legacy.connect(transports.legacy);
  await modern.connect(transports.modern);
  return {
    request: (route, message, caller, sink) => {
      const authInfo: AuthInfo = { token: '', clientId: '', scopes: [], extra: { caller } };
      if (route.era === 'legacy') return transports.legacy.request(message, { authInfo }, sink);
      return transports.modern.request(message, { authInfo, classification: route.classification }, sink);
    },
  };
}

/** Returns the caller from the member in which it travels through the SDK, which keeps that one for authentication. */
function callerOf<Caller>(context: ServerContext): Caller {
  return context.http?.authInfo?.extra?.caller as Caller;
}
