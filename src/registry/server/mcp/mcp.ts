import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { oversteps } from '../../../platform/kernel/json/bounds.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { streamSink, writeMessage, writeRefusal } from '../../../platform/mcp/answer.js';
import {
  chooseWriting,
  expectsNoAnswer,
  isRequest,
  parseBody,
  Refusal,
  readBody,
  requireJson,
  routeMessage,
  type Writing,
} from '../../../platform/mcp/request.js';
import { connectServers, type McpHandler, type McpServers } from '../../../platform/mcp/servers.js';
import type { ClientAddress } from '../../../platform/net/client-address.js';
import { ANONYMOUS, type RegistryCaller } from '../auth/caller.js';
import { admit } from '../http/listener.js';
import { toProblemReply } from '../http/problems.js';
import type { Route } from '../http/route.js';
import { RegistryProblem } from '../service/problem.js';
import type { Registry } from '../service/registry.js';
import { callTool, type PublishedTool, publishTool, type RegistryTool, toolsOf } from './tools.js';

/** Answers one request to /mcp; never throws. */
export type RegistryMcp = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const MAX_BODY_BYTES = 256 * 1024;
/** Messages beyond these are refused before they are read; what reads them looks at each value, more than once. */
const MESSAGE_BOUNDS = { levels: 32, values: 15_000 };
const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

const OVERSTEPS = {
  levels: `nested more than ${MESSAGE_BOUNDS.levels} levels deep`,
  values: `more than ${MESSAGE_BOUNDS.values} values; send less in one call`,
} as const;

type Asker = { readonly caller: RegistryCaller; readonly ip: string };

/** Opens /mcp: the reads of the registry as tools, with the tokens and the visibility of the REST API. */
export async function openRegistryMcp(
  registry: Registry,
  routes: readonly Route[],
  addressOf: ClientAddress,
): Promise<RegistryMcp> {
  const tools = toolsOf(routes);
  const published: PublishedTool[] = [];
  const pace = startPace();
  for (const tool of tools.values()) {
    published.push(publishTool(tool));
    if (pace.isDue()) await pace.rest();
  }
  const handler: McpHandler = async (request, context) => {
    if (request.method === 'tools/list') return { tools: published };
    if (request.method !== 'tools/call') throw Object.assign(new Error('Method not found'), { code: -32601 });
    const { name, arguments: args = {} } = isObject(request.params) ? request.params : {};
    const tool = typeof name === 'string' ? tools.get(name) : undefined;
    if (tool === undefined) throw Object.assign(new Error('Unknown tool: tools/list shows them.'), { code: -32602 });
    const { caller, ip } = askerOf(context);
    return callTool(registry, tool, caller, isObject(args) ? args : {}, ip);
  };
  const servers = await connectServers(
    { name: 'seller-agent registry', version: registry.version },
    {
      capabilities: { tools: {} },
      instructions:
        'A registry of brands, publishers and agents. resolve_brand and resolve_property say who a domain is; validate_property_authorization says whether an agent may sell something.',
    },
    handler,
  );
  return async (request, response) => {
    try {
      await serve({ registry, tools, servers, addressOf }, request, response);
    } catch (error) {
      if (!(error instanceof Refusal)) registry.log.error({ err: error }, 'an MCP request failed unexpectedly');
      writeRefusal(response, error instanceof Refusal ? error : new Refusal(500, -32603, 'Internal error'));
    }
  };
}

type Served = {
  readonly registry: Registry;
  readonly tools: ReadonlyMap<string, RegistryTool>;
  readonly servers: McpServers;
  readonly addressOf: ClientAddress;
};

async function serve(
  { addressOf, registry, servers, tools }: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('access-control-allow-origin', '*');
  if (request.method !== 'POST')
    throw new Refusal(405, -32000, 'Method not allowed: this endpoint is stateless, use POST.');
  const writing: Writing = chooseWriting(request.headers.accept);
  requireJson(request);
  const bytes = await readBody(request, response, MAX_BODY_BYTES);
  const overstepped = oversteps(bytes, MESSAGE_BOUNDS);
  if (overstepped !== undefined) throw new Refusal(400, -32600, `Invalid Request: ${OVERSTEPS[overstepped]}.`);
  const message = parseBody(bytes);
  if (Array.isArray(message)) throw new Refusal(400, -32600, 'Invalid Request: send one message, not a batch.');
  let caller: RegistryCaller;
  try {
    caller = await callerOf(registry, tools, message, request.headers.authorization);
  } catch (error) {
    if (!(error instanceof RegistryProblem)) throw error;
    return writeDenial(registry, response, error, message);
  }
  if (expectsNoAnswer(message)) return void response.writeHead(202).end();
  const route = routeMessage(request, message);
  if (!isRequest(message)) throw new Refusal(400, -32600, 'Invalid Request: send one JSON-RPC 2.0 request.');
  const asker: Asker = { caller, ip: addressOf(request) };
  const authInfo: AuthInfo = { token: '', clientId: '', scopes: [], extra: { asker } };
  const sink = streamSink(response, writing, route);
  const cancel =
    route.era === 'legacy'
      ? servers.legacy.request(message, { authInfo }, sink)
      : servers.modern.request(message, { authInfo, classification: route.classification }, sink);
  response.on('close', cancel);
}

/** Who calls: a token has to be good where one is sent, and a tool that REST wants one for wants one here. */
async function callerOf(
  registry: Registry,
  tools: ReadonlyMap<string, RegistryTool>,
  message: unknown,
  authorization: string | undefined,
): Promise<RegistryCaller> {
  const params = isObject(message) && message.method === 'tools/call' && isObject(message.params) ? message.params : {};
  const tool = typeof params.name === 'string' ? tools.get(params.name) : undefined;
  const wanted = tool?.route.auth ?? 'none';
  if (authorization === undefined && (wanted === 'none' || wanted === 'optional')) return ANONYMOUS;
  return admit(registry, { auth: wanted === 'none' || wanted === 'optional' ? 'bearer' : wanted }, authorization);
}

function writeDenial(registry: Registry, response: ServerResponse, error: RegistryProblem, message: unknown): void {
  const isInvalid = error.code === 'invalid_token';
  const challenge = `Bearer realm="registry", ${isInvalid ? 'error="invalid_token", ' : ''}resource_metadata="${registry.baseUrl()}${METADATA_PATH}"`;
  const { body, headers, status } = toProblemReply(error, challenge);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const id =
    isObject(message) && (typeof message.id === 'string' || typeof message.id === 'number') ? message.id : null;
  writeMessage(
    response,
    'json',
    { jsonrpc: '2.0', id, error: { code: -32001, message: error.message, data: body } },
    status,
  );
}

function askerOf(context: ServerContext): Asker {
  return context.http?.authInfo?.extra?.asker as Asker;
}
