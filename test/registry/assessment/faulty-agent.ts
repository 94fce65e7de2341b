import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenLocally } from '../../kit/listen.js';
import { FAULTS, UNUSUAL } from './faults.js';
import { answerA2a, cardOf, type Pushes, taskOf } from './faulty-a2a.js';
import { sendWebhook, WEBHOOK_JWK, type Webhook } from './faulty-webhooks.js';

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
  /** An answer of A2A. */
  readonly a2a?: (asked: Asked, sound: Given) => Given;
  /** A webhook; undefined is not sent, and a list one after the other. */
  readonly webhook?: (sound: Webhook) => Webhook | readonly Webhook[] | undefined;
  /** What is sent where a webhook was answered 503; undefined is not sent again. */
  readonly again?: (sound: Webhook) => Webhook | undefined;
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
  comply_test_controller: ['scenario'],
};

/** A seller that keeps to the protocol in all that an assessment asks, or breaks it in the one place that its host name says. */
export async function startFaultyAgents() {
  const memory: Memory = { answers: new Map(), arms: new Map(), held: new Map(), pushes: new Map(), tasks: new Map() };
  const others = new Map<string, string>();
  const server = createServer((request, response) => void serve(request, response, { memory, others }));
  const origin = await listenLocally(server);
  const names = ['sound', ...Object.keys(FAULTS), ...Object.keys(UNUSUAL)];
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

/** What the agents remember; an id of a task is the caller's, and unique. */
type Memory = {
  readonly answers: Map<string, { readonly request: string; readonly payload: Json }>;
  /** The id of the task that the next search is submitted under, by agent. */
  readonly arms: Map<string, string>;
  /** The arguments of a search that was submitted, by the id of its task. */
  readonly held: Map<string, Json>;
  readonly pushes: Pushes;
  /** What Tasks of A2A hold, by their id. */
  readonly tasks: Map<string, Json>;
};

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { memory, others }: Pick<Serving, 'memory'> & { readonly others: ReadonlyMap<string, string> },
): Promise<void> {
  const [name = ''] = (request.headers.host ?? '').split('.');
  const fault: Fault = FAULTS[others.get(name) ?? name] ?? UNUSUAL[name] ?? { finds: [] };
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
  const version = request.headers['a2a-version']?.toString();
  const given = give(asked, { name, fault, memory, webhooks: [] }, version);
  for (const webhook of given.webhooks) {
    const sent = fault.webhook === undefined ? webhook : fault.webhook(webhook);
    for (const one of sent === undefined ? [] : [sent].flat()) {
      const status = await sendWebhook(one);
      const again = fault.again === undefined ? one : fault.again(one);
      if (status === 503 && again !== undefined) await sendWebhook(again);
    }
  }
  if (given.answer === 'hang up') return void request.socket.destroy();
  const { body: content, headers, status } = given.answer;
  const bytes = typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes);
}

/** What is answered, and the webhooks that go out before. */
function give(asked: Asked, serving: Serving, version: string | undefined) {
  const { fault, memory, name, webhooks } = serving;
  if (asked.path === '/a2a') {
    const sound = answerA2a(asked, version, (one) => payloadOf(one, serving), memory);
    return { webhooks, answer: fault.a2a?.(asked, sound) ?? sound };
  }
  const sound = asked.path === '/mcp' ? answerOf(asked, serving) : fileOf(asked.path, name, fault);
  return { webhooks, answer: fault.answer?.(asked, sound) ?? sound };
}

type Serving = {
  readonly name: string;
  readonly fault: Fault;
  readonly memory: Memory;
  /** Those that the request brings about. */
  readonly webhooks: Webhook[];
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
  if (method === 'ping') return rpc(200, id, { result: {} });
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
  if (isObject(pagination) && pagination.cursor === 'the-second')
    return { status: 'completed', formats: FORMATS.slice(1), pagination: { has_more: false } };
  if (isObject(pagination) && pagination.cursor !== undefined)
    return failure('INVALID_REQUEST', 'No such cursor.', 'pagination.cursor');
  if (task === 'comply_test_controller') return arrange(args, serving);
  if (task === 'get_products') return search(args, serving);
  if (task !== 'sync_accounts') return read(task, isObject(pagination));
  const { context: _context, idempotency_key: key, ...rest } = args;
  if (typeof key !== 'string' || key.length < 16)
    return failure('INVALID_REQUEST', 'A key is missing.', 'idempotency_key');
  challenge(args, serving);
  const { answers } = serving.memory;
  const before = answers.get(key);
  const request = JSON.stringify(rest);
  if (before !== undefined && before.request !== request)
    return failure('IDEMPOTENCY_CONFLICT', 'Another request.', 'idempotency_key');
  if (before !== undefined) return { ...before.payload, replayed: true };
  const payload = { status: 'completed', accounts: [{ account_id: `acc_${answers.size}`, action: 'created' }] };
  answers.set(key, { request, payload });
  return payload;
}

const FORMATS = ['display_300x250', 'display_728x90'].map((id) => ({
  format_id: { agent_url: 'https://creative.example/mcp', id },
  name: id,
}));

/** Answers a read; pages, which are asked for one item each, are those of the formats. */
function read(task: string, isPaged: boolean): Json {
  const sound = { status: 'completed', replayed: false };
  if (task === 'list_creative_formats' && isPaged)
    return { ...sound, formats: FORMATS.slice(0, 1), pagination: { has_more: true, cursor: 'the-second' } };
  const day = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' };
  const lists: Readonly<Record<string, Json>> = {
    list_creative_formats: { formats: FORMATS },
    list_accounts: { accounts: [{ account_id: 'acc_1', name: 'An account', status: 'active' }] },
    get_media_buys: { media_buys: [] },
    get_media_buy_delivery: { reporting_period: day, currency: 'USD', media_buy_deliveries: [] },
  };
  return { ...sound, ...lists[task] };
}

/** Challenges the addresses that an account subscribes with. */
function challenge({ accounts }: Json, { webhooks }: Serving): void {
  const [account] = (accounts as readonly Json[] | undefined) ?? [];
  const configs = (account?.notification_configs as readonly Json[] | undefined) ?? [];
  for (const { subscriber_id, url } of configs) {
    const body = { type: 'webhook.challenge', challenge: 'c'.repeat(40), subscriber_id };
    webhooks.push({ kind: 'challenge', url: String(url), body, isSigned: true });
  }
}

/** Answers a search, or submits it where that was ordered. */
function search(args: Json, { memory: { arms, held }, name }: Serving): Json {
  const taskId = arms.get(name);
  if (taskId === undefined) return { status: 'completed', products: [productOf(name)], ...marked(args) };
  arms.delete(name);
  held.set(taskId, args);
  return { status: 'submitted', task_id: taskId };
}

/** Answers about a sandbox account say so. */
function marked({ account }: Json): Json {
  return isObject(account) && account.sandbox === true ? { sandbox: true } : {};
}

function productOf(name: string): Json {
  return {
    product_id: 'front-page',
    name: 'Front page',
    description: 'The front page, for a day.',
    publisher_properties: [{ publisher_domain: newsHost(name), selection_type: 'all' }],
    delivery_type: 'guaranteed',
    pricing_options: [{ pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'USD', fixed_price: 12 }],
    reporting_capabilities: { available_metrics: ['impressions'] },
  };
}

/** Does what the controller of tests is asked for. */
function arrange({ params, scenario }: Json, serving: Serving): Json {
  const given = isObject(params) ? params : {};
  const taskId = String(given.task_id);
  const { memory, name } = serving;
  if (scenario === 'list_scenarios')
    return { success: true, scenarios: ['force_get_products_arm', 'force_task_completion'] };
  if (scenario === 'force_get_products_arm') {
    memory.arms.set(name, taskId);
    return { success: true, forced: { arm: given.arm, task_id: taskId } };
  }
  end(taskId, given.result, serving);
  return { success: true, previous_state: 'submitted', current_state: 'completed' };
}

/** Tells of the end of a task to both addresses that its call may have registered. */
function end(task_id: string, result: unknown, { memory: { held, pushes }, webhooks }: Serving): void {
  const { context, push_notification_config: registration } = held.get(task_id) ?? {};
  const told = { status: 'completed', task_id, task_type: 'get_products', timestamp: new Date().toISOString(), result };
  const idempotency_key = `webhook-of-${task_id}`;
  if (isObject(registration)) {
    const body = { idempotency_key, ...told, operation_id: registration.operation_id, context };
    webhooks.push({ kind: 'task', url: String(registration.url), body, isSigned: true });
  }
  const push = pushes.get(`a2a-${task_id}`);
  if (push === undefined) return;
  const task = taskOf({ status: 'completed', products: [] }, false, `a2a-${task_id}`);
  webhooks.push({ kind: 'push', url: push.url, body: { ...task, metadata: { idempotency_key } }, isSigned: true });
}

function capabilitiesOf(args: Json, { fault, name }: Serving): Json {
  if (args.adcp_major_version === 99)
    return failure('VERSION_UNSUPPORTED', 'No such release.', 'adcp_major_version', {
      supported_versions: ['3.0', '3.1'],
    });
  const sound: Json = {
    status: 'completed',
    adcp: {
      major_versions: [3],
      supported_versions: ['3.0', '3.1'],
      idempotency: { supported: true, replay_ttl_seconds: 86_400 },
    },
    supported_protocols: ['media_buy'],
    account: { supported_billing: ['operator'], sandbox: true },
    compliance_testing: { scenarios: ['simulate_delivery'] },
    identity: {
      brand_json_url: `https://${agentHost(name)}/.well-known/brand.json`,
      key_origins: { webhook_signing: `https://${agentHost(name)}` },
    },
    media_buy: {
      reporting_delivery_methods: ['webhook'],
      portfolio: { publisher_domains: [newsHost(name)], primary_countries: ['US'] },
    },
    request_signing: { supported: true, supported_for: ['create_media_buy'], required_for: ['create_media_buy'] },
    webhook_signing: { supported: true, profile: 'adcp/webhook-signing/v1', algorithms: ['ed25519'] },
    specialisms: ['sales-guaranteed'],
    ...(args.adcp_version !== undefined && { adcp_version: args.adcp_version }),
  };
  return fault.declared?.(sound) ?? sound;
}

/** A failed answer as the protocol has it. */
export function failure(code: string, message: string, field: string, details?: Json): Json {
  const error = { code, message, recovery: 'correctable', field, suggestion: 'Correct it and send it again.', details };
  return { status: 'failed', adcp_error: error, errors: [error] };
}

function fileOf(pathname: string, name: string, fault: Fault): Given {
  const url = `https://${agentHost(name)}/mcp`;
  const key = { ...WEBHOOK_JWK, kid: 'one' };
  const pins = [{ kid: key.kid, kty: key.kty, crv: key.crv, x: key.x }];
  const scope = { authorized_for: 'all', authorization_type: 'publisher_properties', signing_keys: pins };
  const selectors = [{ publisher_domain: newsHost(name), selection_type: 'all' }];
  const files: Readonly<Record<string, Json>> = {
    '/.well-known/brand.json': {
      version: '1.0',
      agents: [{ type: 'sales', id: 'sales', url, jwks_uri: url.replace('/mcp', '/.well-known/jwks.json') }],
    },
    '/.well-known/jwks.json': { keys: [key, WEBHOOK_JWK as Json] },
    '/.well-known/agent-card.json': cardOf(`https://${agentHost(name)}`, fault.tools?.(TOOLS) ?? TOOLS),
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
