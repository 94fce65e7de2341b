import type { IncomingMessage, ServerResponse } from 'node:http';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { exceededBound } from '../../../platform/kernel/json/bounds.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { type Admission, type Arrival, calledTool, type Denial, McpEdge } from '../../../platform/mcp/edge.js';
import { McpRefusal } from '../../../platform/mcp/refusal.js';
import { messageId, parseBody, readBody, requireJson } from '../../../platform/mcp/request.js';
import type { ClientAddress } from '../../../platform/net/client-address.js';
import { ANONYMOUS, type RegistryCaller } from '../auth/caller.js';
import { admit } from '../http/listener.js';
import { toProblemReply } from '../http/problems.js';
import type { Route } from '../http/route.js';
import { RegistryProblem } from '../service/problem.js';
import type { Registry } from '../service/registry.js';
import { callTool, listTools, type PublishedTool, publishTool, type RegistryTool } from './tools.js';

/** Answers one request to /mcp; never rejects. */
export type RegistryMcp = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const MAX_BODY_BYTES = 256 * 1024;
/** Messages beyond these are refused before they are read; what reads them looks at each value, more than once. */
const MESSAGE_BOUNDS = { levels: 32, values: 15_000 };
const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

const OVERSTEPS = {
  levels: `nested more than ${MESSAGE_BOUNDS.levels} levels deep`,
  values: `more than ${MESSAGE_BOUNDS.values} values; send less in one call`,
} as const;

/** The credential of a request, not looked at yet, and the address that it came from. */
type Proof = { readonly authorization: string | undefined; readonly ip: string };

type Caller = { readonly caller: RegistryCaller; readonly ip: string };

type Tools = ReadonlyMap<string, RegistryTool>;

/** Opens /mcp: the reads of the registry as tools, with the tokens and the visibility of the REST API. */
export async function openRegistryMcp(
  registry: Registry,
  routes: readonly Route[],
  addressOf: ClientAddress,
): Promise<RegistryMcp> {
  const tools = listTools(routes);
  const published = await publishAll(tools);
  const edge = await McpEdge.open<Proof, Caller>({
    name: 'seller-agent registry',
    version: registry.version,
    instructions:
      'A registry of brands, publishers and agents. resolve_brand and resolve_property say who a domain is; validate_property_authorization says whether an agent may sell something.',
    log: registry.log,
    admit: (proof, message) => admitCaller(registry, tools, proof, message),
    listTools: () => published,
    callTool: async ({ caller, ip }, params) => {
      const { name, arguments: args = {} } = isObject(params) ? params : {};
      const tool = typeof name === 'string' ? tools.get(name) : undefined;
      if (tool === undefined) throw new McpRefusal(400, -32602, 'Unknown tool: tools/list shows them.');
      return callTool(registry, tool, caller, isObject(args) ? args : {}, ip);
    },
  });
  return (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    return edge.serve(request, response, () => readMessage(request, response, addressOf));
  };
}

async function publishAll(tools: Tools): Promise<readonly PublishedTool[]> {
  const published: PublishedTool[] = [];
  const pace = startPace();
  for (const tool of tools.values()) {
    published.push(publishTool(tool));
    if (pace.isDue()) await pace.rest();
  }
  return published;
}

async function readMessage(
  request: IncomingMessage,
  response: ServerResponse,
  addressOf: ClientAddress,
): Promise<Arrival<Proof>> {
  requireJson(request);
  const bytes = await readBody(request, response, MAX_BODY_BYTES);
  const overstepped = exceededBound(bytes, MESSAGE_BOUNDS);
  if (overstepped !== undefined) throw new McpRefusal(400, -32600, `Invalid Request: ${OVERSTEPS[overstepped]}.`);
  const { authorization } = request.headers;
  return { proof: { authorization, ip: addressOf(request) }, body: parseBody(bytes) };
}

/** Admits the sender of a message: a token has to be good where one is sent, and a tool that needs one over REST needs one here. */
async function admitCaller(
  registry: Registry,
  tools: Tools,
  { authorization, ip }: Proof,
  message: unknown,
): Promise<Admission<Caller>> {
  const wanted = tools.get(calledTool(message) ?? '')?.route.auth ?? 'none';
  const isOpen = wanted === 'none' || wanted === 'optional';
  if (isOpen && authorization === undefined) return { caller: { caller: ANONYMOUS, ip } };
  try {
    return { caller: { caller: await admit(registry, { auth: isOpen ? 'bearer' : wanted }, authorization), ip } };
  } catch (error) {
    if (!(error instanceof RegistryProblem)) throw error;
    return { denial: denialOf(registry, error, message) };
  }
}

function denialOf(registry: Registry, problem: RegistryProblem, message: unknown): Denial {
  const fault = problem.code === 'invalid_token' ? 'error="invalid_token", ' : '';
  const challenge = `Bearer realm="registry", ${fault}resource_metadata="${registry.baseUrl()}${METADATA_PATH}"`;
  const { body, headers, status } = toProblemReply(problem, challenge);
  const error = { code: -32001, message: problem.message, data: body };
  return { status, headers, message: { jsonrpc: '2.0', id: messageId(message), error } };
}
