import type { IncomingMessage, ServerResponse } from 'node:http';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { type Admission, type Arrival, calledTool, type Denial, McpEdge } from '../../../platform/mcp/edge.js';
import { McpRefusal } from '../../../platform/mcp/refusal.js';
import { messageId, parseBody, readBody, requireJson } from '../../../platform/mcp/request.js';
import type { Senders } from '../../../platform/web/body.js';
import type { RegistryCaller } from '../auth/caller.js';
import { admit, type Proof } from '../http/listener.js';
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

type Caller = { readonly caller: RegistryCaller; readonly ip: string };

type Tools = ReadonlyMap<string, RegistryTool>;

/** Opens /mcp: the reads of the registry as tools, with the tokens and the visibility of the REST API. */
export async function openRegistryMcp(
  registry: Registry,
  routes: readonly Route[],
  senders: Senders,
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
    return edge.serve(request, response, () => readMessage(registry, request, response, senders));
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
  registry: Registry,
  request: IncomingMessage,
  response: ServerResponse,
  { addressOf, bodies }: Senders,
): Promise<Arrival<Proof>> {
  requireJson(request);
  const bytes = await readBody({ request, response, bodies }, MAX_BODY_BYTES);
  const { authorization } = request.headers;
  const ip = addressOf(request);
  // Whoever shows a credential is counted by it: as a member, or as a failure.
  if (authorization === undefined) await countBytes(registry, response, ip, bytes.length);
  const { body } = await parseBody(bytes, MESSAGE_BOUNDS);
  return { proof: { authorization, ip }, body };
}

/** Counts the bytes of a body by its address. Throws 429. */
async function countBytes(registry: Registry, response: ServerResponse, ip: string, bytes: number): Promise<void> {
  try {
    await registry.limits.takeStranger('stranger_bytes', ip, bytes);
  } catch (error) {
    if (!(error instanceof RegistryProblem)) throw error;
    const { body, headers, status } = toProblemReply(error, '');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    throw new McpRefusal(status, -32000, error.message, body);
  }
}

/** Admits the sender of a message: a token has to be good where one is sent, and a tool that needs one over REST needs one here. */
async function admitCaller(
  registry: Registry,
  tools: Tools,
  proof: Proof,
  message: unknown,
): Promise<Admission<Caller>> {
  const wanted = tools.get(calledTool(message) ?? '')?.route.auth ?? 'none';
  const isOpen = wanted === 'none' || wanted === 'optional';
  const open = proof.authorization === undefined ? 'none' : 'bearer';
  try {
    const caller = await admit(registry, { auth: isOpen ? open : wanted }, proof);
    return { caller: { caller, ip: proof.ip } };
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
