import {
  type AuthInfo,
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCRequest,
  Server,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isObject } from '../kernel/json/json.js';
import { canShowApps } from './apps.js';
import { type ClientSide, capabilitiesOf, type McpMethods, type Served } from './methods.js';
import { McpRefusal } from './refusal.js';
import { MODERN_REVISION, type Route } from './request.js';
import { declaresTasks, noTasksExtension, type TaskRevision, taskRevisionOf } from './tasks.js';
import { createEdgeTransport, type Sink } from './transport.js';

/** A server of the modern era. The SDK keeps the era in this field and sets it by its own handshake, which a stateless edge does not have. */
class ModernServer extends Server {
  constructor(...options: ConstructorParameters<typeof Server>) {
    super(...options);
    this._negotiatedProtocolVersion = MODERN_REVISION;
  }
}

/** The part of an endpoint that answers requests, whichever era they are of. */
type ServedEndpoint<Caller> = Served<Caller> & {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
};

/** The MCP servers of one endpoint, by what each era of the protocol declares, each connected once for the life of the process. */
export type McpServers<Caller> = {
  /** Hands a request to the server of its era; the result cancels it. */
  readonly request: (route: Route, message: JSONRPCRequest, caller: Caller, sink: Sink) => () => void;
};

/** Connects the servers of an endpoint to its methods. */
export async function connectServers<Caller>(
  endpoint: ServedEndpoint<Caller>,
  methods: McpMethods<Caller>,
): Promise<McpServers<Caller>> {
  const { name, version, instructions } = endpoint;
  const declare = (revision: TaskRevision | undefined) => ({
    capabilities: capabilitiesOf(endpoint, revision),
    instructions,
  });
  const older = new Server({ name, version }, declare(undefined));
  const legacy = new Server({ name, version }, declare('2025-11-25'));
  const modern = new ModernServer(
    { name, version },
    { ...declare(MODERN_REVISION), supportedProtocolVersions: [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS] },
  );
  const transports = { older: createEdgeTransport(), legacy: createEdgeTransport(), modern: createEdgeTransport() };
  const answer = answerBy(endpoint, methods);
  for (const server of [older, legacy, modern]) server.fallbackRequestHandler = answer;
  // The SDK passes on these two, whose names the extension took over from an older revision, only so.
  for (const method of Object.keys(endpoint.tasks?.methods[MODERN_REVISION] ?? {}))
    modern.setRequestHandler(method, { params: AS_SENT }, (params, context) => answer({ method, params }, context));
  await older.connect(transports.older);
  await legacy.connect(transports.legacy);
  await modern.connect(transports.modern);
  return {
    request: (route, message, caller, sink) => {
      const carried: Carried<Caller> = { caller, begin: sink.begin };
      const authInfo: AuthInfo = { token: '', clientId: '', scopes: [], extra: carried };
      if (route.era === 'legacy') return transports[serverOf(message)].request(message, { authInfo }, sink);
      return transports.modern.request(message, { authInfo, classification: route.classification }, sink);
    },
  };
}

/** Returns what answers a message by its method, of the table or of the tasks extension. Throws McpRefusal. */
function answerBy<Caller>({ tasks }: ServedEndpoint<Caller>, methods: McpMethods<Caller>) {
  return async (
    { method, params }: { readonly method: string; readonly params?: unknown },
    context: ServerContext,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const client = clientOf(context);
    const ofTasks = tasks?.methods[MODERN_REVISION][method];
    if (ofTasks !== undefined && client !== undefined && client.tasks === undefined) throw noTasksExtension();
    const run = methods.get(method) ?? (client === undefined ? undefined : ofTasks);
    if (run === undefined) throw new McpRefusal(404, -32601, 'Method not found');
    const { begin, caller } = carriedBy<Caller>(context);
    begin();
    return run(caller, params, client);
  };
}

/**
 * Returns the server of the older revisions for a message. The handshake is answered with tasks where the revision has them and the client
 * declares them: programs that do not wait for the task's end where they expect `submitted`.
 */
function serverOf({ method, params }: JSONRPCRequest): 'older' | 'legacy' {
  if (method !== 'initialize') return 'legacy';
  const revision = taskRevisionOf(params?.protocolVersion, SUPPORTED_PROTOCOL_VERSIONS);
  const { capabilities } = params ?? {};
  return revision !== undefined && isObject(capabilities) && isObject(capabilities.tasks) ? 'legacy' : 'older';
}

/** The parameters of a method, which is answered by who looks at them. */
const AS_SENT = {
  '~standard': {
    version: 1,
    vendor: 'seller-agent',
    validate: (value: unknown) => ({ value: isObject(value) ? value : {} }),
  },
} as const;

/** Returns what a client of the newest revision says of itself with each request; undefined for those of older ones, which say it once. */
function clientOf({ mcpReq }: ServerContext): ClientSide | undefined {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY];
  if (!isObject(declared)) return undefined;
  const { elicitation } = declared;
  // A client that names no mode means forms.
  const canAsk = isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined);
  return {
    canAsk,
    canShowApps: canShowApps(declared),
    tasks: declaresTasks(declared) ? MODERN_REVISION : undefined,
    answers: mcpReq.inputResponses,
    state: mcpReq.requestState(),
  };
}

/** The caller that travels with a request through the SDK, in its member for authentication. */
type Carried<Caller> = { readonly caller: Caller; readonly begin: () => void };

function carriedBy<Caller>(context: ServerContext): Carried<Caller> {
  return context.http?.authInfo?.extra as Carried<Caller>;
}
