import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterUse } from '../../kit/after-use.js';
import { FAULTS } from './faults.js';

export type Json = Readonly<Record<string, unknown>>;

/** A request to the agent, as a fault may look at it. */
export type Asked = {
  readonly path: string;
  readonly httpMethod: string;
  readonly key: string | undefined;
  /** Of JSON-RPC; absent for what is none. */
  readonly id?: unknown;
  readonly method?: string;
  readonly task?: string;
  readonly args: Json;
};

/** An answer of the agent, before it is written. */
export type Given = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** What is wrong with an agent. Every part that is left out is as a sound agent has it. */
export type Fault = {
  /** The checks that have to find it, and no others may. */
  readonly finds: readonly string[];
  readonly declared?: (sound: Json) => Json;
  readonly tools?: (sound: readonly Json[]) => readonly Json[];
  /** The payload of a task. */
  readonly payload?: (asked: Asked, sound: Json) => Json;
  readonly answer?: (asked: Asked, sound: Given) => Given | 'hang up';
  /** A file by its path; undefined is 404. */
  readonly file?: (path: string, sound: Json | undefined) => Json | undefined;
  readonly delayMs?: (asked: Asked) => number;
};

/** The key that opens every agent of the server. */
export const KEY = 'key-of-a-buyer';

const TASKS: Readonly<Record<string, readonly string[]>> = {
  get_adcp_capabilities: [],
  get_products: ['brief'],
  list_creative_formats: [],
  list_accounts: [],
  sync_accounts: ['idempotency_key', 'accounts'],
  create_media_buy: ['idempotency_key', 'packages'],
  update_media_buy: ['idempotency_key', 'media_buy_id'],
  get_media_buys: [],
  get_media_buy_delivery: [],
};

/** A seller that keeps to the protocol in all that an assessment asks, or breaks it in the one place that its host name says. */
export async function startFaultyAgents() {
  const answers = new Map<string, { readonly request: string; readonly payload: Json }>();
  const others = new Map<string, string>();
  const server = createServer((request, response) => void serve(request, response, { answers, others }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterUse(async () => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ['sound', ...Object.keys(FAULTS)];
  const resolve = new Map(names.flatMap((name) => [agentHost(name), newsHost(name)].map((host) => [host, origin])));
  return {
    resolve,
    url: (name: string) => `https://${agentHost(name)}/mcp`,
    /** Has an agent break what another one breaks from now on. */
    become: (name: string, other: string) => others.set(name, other),
  };
}

const agentHost = (name: string): string => `${name}.agents.example`;
const newsHost = (name: string): string => `${name}.news.example`;

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { answers, others }: Pick<Serving, 'answers'> & { readonly others: ReadonlyMap<string, string> },
): Promise<void> {
  const [name = ''] = (request.headers.host ?? '').split('.');
  const fault: Fault = FAULTS[others.get(name) ?? name] ?? { finds: [] };
  const { pathname } = new URL(request.url ?? '/', 'http://host');
  const body = readJson(await text(request));
  const params = isObject(body?.params) ? body.params : {};
  const asked: Asked = {
    path: pathname,
    httpMethod: request.method ?? 'GET',
    key: request.headers.authorization?.replace('Bearer ', ''),
    ...(body !== undefined && { id: body.id, method: String(body.method) }),
    ...(typeof params.name === 'string' && { task: params.name }),
    args: isObject(params.arguments) ? params.arguments : params,
  };
  await sleep(fault.delayMs?.(asked) ?? 0);
  const sound = pathname === '/mcp' ? answerOf(asked, { name, fault, answers }) : fileOf(pathname, name, fault);
  const given = fault.answer?.(asked, sound) ?? sound;
  if (given === 'hang up') return void request.socket.destroy();
  const bytes =
    typeof given.body === 'string' ? given.body : given.body === undefined ? '' : JSON.stringify(given.body);
  response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers }).end(bytes);
}

type Serving = {
  readonly name: string;
  readonly fault: Fault;
  readonly answers: Map<string, { readonly request: string; readonly payload: Json }>;
};

function answerOf(asked: Asked, serving: Serving): Given {
  const { httpMethod, id, key, method, task } = asked;
  if (httpMethod === 'GET') return { status: 405, headers: { allow: 'POST' } };
  if (method === undefined) return rpc(400, null, { error: { code: -32700, message: 'Parse error' } });
  const isOpen = task === 'get_adcp_capabilities' || method !== 'tools/call';
  if (!isOpen && key !== KEY)
    return {
      ...rpc(401, id, { error: { code: -32001, message: 'Who are you?' } }),
      headers: { 'www-authenticate': 'Bearer realm="agents"' },
    };
  if (method === 'notifications/initialized') return { status: 202, headers: {} };
  if (method === 'initialize') {
    const serverInfo = { name: 'A seller', version: '1.0.0' };
    return rpc(200, id, { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } });
  }
  if (method === 'tools/list') return rpc(200, id, { result: { tools: serving.fault.tools?.(TOOLS) ?? TOOLS } });
  if (method !== 'tools/call') return rpc(200, id, { error: { code: -32601, message: 'Method not found' } });
  const sound = {
    ...payloadOf(asked, serving),
    ...(asked.args.context !== undefined && { context: asked.args.context }),
  };
  const payload = serving.fault.payload?.(asked, sound) ?? sound;
  const isError = 'adcp_error' in payload || 'errors' in payload;
  const content = [{ type: 'text', text: JSON.stringify(payload) }];
  return rpc(200, id, { result: { content, structuredContent: payload, ...(isError && { isError }) } });
}

function rpc(status: number, id: unknown, rest: Json): Given {
  return { status, headers: {}, body: { jsonrpc: '2.0', id, ...rest } };
}

const TOOLS: readonly Json[] = Object.entries(TASKS).map(([name, required]) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries([...required, 'context'].map((member) => [member, {}])),
    ...(required.length > 0 && { required }),
  },
}));

function payloadOf({ args, task = '' }: Asked, serving: Serving): Json {
  if (!(task in TASKS)) return failure('INVALID_REQUEST', `Unknown tool: ${task}`, 'name');
  if (task === 'get_adcp_capabilities') return capabilitiesOf(args, serving);
  const { buying_mode, pagination } = args;
  if (buying_mode !== undefined && buying_mode !== 'brief')
    return failure('INVALID_REQUEST', 'No such mode.', 'buying_mode');
  if (isObject(pagination) && pagination.cursor !== undefined)
    return failure('INVALID_REQUEST', 'No such cursor.', 'pagination.cursor');
  if (task !== 'sync_accounts') return { status: 'completed', items: [] };
  const { context: _context, idempotency_key: key, ...rest } = args;
  if (typeof key !== 'string') return failure('INVALID_REQUEST', 'A key is missing.', 'idempotency_key');
  const before = serving.answers.get(key);
  const request = JSON.stringify(rest);
  if (before !== undefined && before.request !== request)
    return failure('IDEMPOTENCY_CONFLICT', 'Another request.', 'idempotency_key');
  if (before !== undefined) return { ...before.payload, replayed: true };
  const payload = { status: 'completed', accounts: [{ account_id: `acc_${serving.answers.size}`, action: 'created' }] };
  serving.answers.set(key, { request, payload });
  return payload;
}

function capabilitiesOf(args: Json, { fault, name }: Serving): Json {
  if (args.adcp_major_version === 99) return failure('VERSION_UNSUPPORTED', 'No such release.', 'adcp_major_version');
  const sound: Json = {
    status: 'completed',
    adcp: {
      major_versions: [3],
      supported_versions: ['3.0', '3.1'],
      idempotency: { supported: true, replay_ttl_seconds: 86_400 },
    },
    supported_protocols: ['media_buy'],
    account: { supported_billing: ['operator'], sandbox: true },
    media_buy: { reporting_delivery_methods: ['webhook'], portfolio: { publisher_domains: [newsHost(name)] } },
    webhook_signing: { supported: true, profile: 'adcp/webhook-signing/v1', algorithms: ['ed25519'] },
    specialisms: ['sales-guaranteed'],
    ...(args.adcp_version !== undefined && { adcp_version: args.adcp_version }),
  };
  return fault.declared?.(sound) ?? sound;
}

/** A failed answer as the protocol has it. */
export function failure(code: string, message: string, field: string): Json {
  const error = { code, message, recovery: 'correctable', field, suggestion: 'Correct it and send it again.' };
  return { status: 'failed', adcp_error: error, errors: [error] };
}

function fileOf(pathname: string, name: string, fault: Fault): Given {
  const url = `https://${agentHost(name)}/mcp`;
  const key = { kid: 'one', kty: 'OKP', crv: 'Ed25519', x: 'qHvS4kNbBg', use: 'sig', adcp_use: 'request-signing' };
  const scope = { authorized_for: 'all', authorization_type: 'publisher_properties' };
  const selectors = [{ publisher_domain: newsHost(name), selection_type: 'all' }];
  const files: Readonly<Record<string, Json>> = {
    '/.well-known/brand.json': {
      version: '1.0',
      agents: [{ type: 'sales', id: 'sales', url, jwks_uri: url.replace('/mcp', '/.well-known/jwks.json') }],
    },
    '/.well-known/jwks.json': { keys: [key] },
    '/.well-known/adagents.json': { authorized_agents: [{ url, ...scope, publisher_properties: selectors }] },
  };
  const sound = files[pathname];
  const json = fault.file === undefined ? sound : fault.file(pathname, sound);
  return json === undefined ? { status: 404, headers: {} } : { status: 200, headers: {}, body: json };
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readJson(source: string): Json | undefined {
  try {
    return JSON.parse(source) as Json;
  } catch {
    return undefined;
  }
}
