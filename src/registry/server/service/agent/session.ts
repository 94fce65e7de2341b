import { SECOND_MS } from '../../../../platform/kernel/clock.js';
import { oversteps } from '../../../../platform/kernel/json/bounds.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import { responseTo, toolPayload } from '../../../../platform/mcp/client/answers.js';
import { type Fetched, type FetchReason, fetchReason, type Outbound } from '../../../../platform/net/fetch.js';

/** Why an agent gave no answer to a call. */
export type AgentFault = FetchReason | 'auth_required' | 'rate_limited' | 'http_error' | 'not_mcp' | 'tool_error';

/** What came of a call: the result, or why there is none in words that are safe to show. */
export type AgentAnswer<T = Readonly<Record<string, unknown>>> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: AgentFault; readonly message: string };

/** What an agent says of itself when a session begins. */
export type AgentIdentity = { readonly name?: string; readonly version?: string; readonly instructions?: string };

/** One tool as an agent lists it. */
export type AgentTool = { readonly name: string; readonly description: string };

/** A conversation with an agent over MCP, as far as a registry needs one: it asks, and never acts. */
export type AgentSession = {
  readonly identity: AgentIdentity;
  /** Milliseconds until the first answer. */
  readonly responseMs: number;
  readonly tools: () => Promise<AgentAnswer<readonly AgentTool[]>>;
  /** Calls a task; answers its structured content. */
  readonly call: (tool: string, args: object) => Promise<AgentAnswer>;
};

/** How an agent is reached. */
export type AgentCallOptions = {
  readonly outbound: Outbound;
  readonly now: () => number;
  /** Instant, in milliseconds, by which everything has to be done. */
  readonly deadline: number;
  /** Lets http and loopback through, in development mode only. */
  readonly local?: boolean;
};

/** Most bytes of one answer of an agent (facts 1.4). */
const MOST_BYTES = 1024 * 1024;
/** What an answer may hold: a megabyte of brackets would be read for a tenth of a second. */
const ANSWER_BOUNDS = { levels: 64, values: 200_000 };
/** Most tools that are taken from a list, and most pages of it. */
const MOST_TOOLS = 500;
const MOST_PAGES = 5;
/** The revision of MCP that is spoken; servers answer with theirs. */
const REVISION = '2025-06-18';
const SHORTEST_MS = SECOND_MS / 10;
/** The statuses that tell why by themselves. */
const STATUS_FAULTS: Readonly<Record<number, AgentFault>> = {
  401: 'auth_required',
  403: 'auth_required',
  429: 'rate_limited',
};

const SAYS: Readonly<Partial<Record<AgentFault, string>>> = {
  auth_required: 'The agent wants credentials for this.',
  rate_limited: 'The agent is asked too often just now.',
  not_mcp: 'What answers there does not speak MCP.',
  timeout: 'The agent did not answer in time.',
  too_large: 'The answer of the agent is too large.',
  private_address: 'The address does not lead to the public internet.',
  not_https: 'The address is not https.',
  not_a_url: 'This is not an absolute URL.',
};

/** The failure of a call as an answer. */
export function agentFault(fault: AgentFault, message?: string): Extract<AgentAnswer, { ok: false }> {
  return { ok: false, fault, message: message ?? SAYS[fault] ?? 'The agent could not be reached.' };
}

/** Begins a session with the agent at `url`, through the guarded way out. Never rejects for what the agent does. */
export async function openAgentSession(url: string, options: AgentCallOptions): Promise<AgentAnswer<AgentSession>> {
  const { now } = options;
  const began = now();
  let lastId = 0;
  let session: Readonly<Record<string, string>> = {};

  async function ask(method: string, params: object): Promise<AgentAnswer> {
    lastId += 1;
    const sent = await post(url, { jsonrpc: '2.0', id: lastId, method, params }, session, options);
    return sent.ok ? readResult(sent.value, lastId) : sent;
  }

  const client = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'seller-agent', version: '1' } };
  const opened = await post(
    url,
    { jsonrpc: '2.0', id: 0, method: 'initialize', params: client },
    { 'mcp-protocol-version': REVISION },
    options,
  );
  if (!opened.ok) return opened;
  const responseMs = now() - began;
  const greeting = readResult(opened.value, 0);
  if (!greeting.ok) return greeting;
  const { protocolVersion, serverInfo, instructions } = greeting.value;
  const id = opened.value.headers['mcp-session-id'];
  session = {
    'mcp-protocol-version': typeof protocolVersion === 'string' ? protocolVersion : REVISION,
    ...(id === undefined ? {} : { 'mcp-session-id': id }),
  };
  const ready = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session, options);
  // A server without sessions may refuse what it has no use for.
  if (!ready.ok && ready.fault !== 'http_error') return ready;

  return {
    ok: true,
    value: {
      identity: readIdentity(serverInfo, instructions),
      responseMs,
      tools: async () => {
        const found: AgentTool[] = [];
        let cursor: unknown;
        for (let page = 0; page < MOST_PAGES && found.length < MOST_TOOLS; page += 1) {
          const listed = await ask('tools/list', cursor === undefined ? {} : { cursor });
          if (!listed.ok) return listed;
          found.push(...readTools(listed.value.tools));
          cursor = listed.value.nextCursor;
          if (typeof cursor !== 'string') break;
        }
        return { ok: true, value: found.slice(0, MOST_TOOLS) };
      },
      call: async (name, args) => {
        const answer = await ask('tools/call', { name, arguments: args });
        return answer.ok ? readTask(answer.value) : answer;
      },
    },
  };
}

async function post(
  url: string,
  message: object,
  headers: Readonly<Record<string, string>>,
  { outbound, now, deadline, local = false }: AgentCallOptions,
): Promise<AgentAnswer<Fetched>> {
  const left = deadline - now();
  if (left < SHORTEST_MS) return agentFault('timeout');
  try {
    const answer = await outbound.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(message),
      maxBytes: MOST_BYTES,
      timeoutMs: left,
      local,
    });
    if (oversteps(answer.bytes, ANSWER_BOUNDS) !== undefined) return agentFault('too_large');
    if (answer.status >= 200 && answer.status < 300) return { ok: true, value: answer };
    const fault = STATUS_FAULTS[answer.status];
    return fault === undefined ? agentFault('http_error', `The agent answered ${answer.status}.`) : agentFault(fault);
  } catch (error) {
    const reason = fetchReason(error);
    if (reason === undefined) throw error;
    return agentFault(reason);
  }
}

function readResult(answer: Fetched, id: number): AgentAnswer {
  const response = responseTo(answer, id);
  if (isObject(response?.result)) return { ok: true, value: response.result };
  return response === undefined ? agentFault('not_mcp') : agentFault('tool_error', 'The agent refused the call.');
}

function readTask(result: Readonly<Record<string, unknown>>): AgentAnswer {
  const value = toolPayload(result);
  if (result.isError === true) {
    const code = errorCode(value);
    return code !== undefined && /AUTH|UNAUTHORIZED/.test(code)
      ? agentFault('auth_required')
      : agentFault('tool_error', 'The agent answered with an error.');
  }
  return value === undefined ? agentFault('not_mcp') : { ok: true, value };
}

/** The code of a failed task, wherever the release of the agent puts it. */
function errorCode(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  for (const one of [...Object.values(value), ...(Array.isArray(value.errors) ? (value.errors as unknown[]) : [])]) {
    if (isObject(one) && typeof one.code === 'string') return one.code;
  }
  return undefined;
}

function readIdentity(serverInfo: unknown, instructions: unknown): AgentIdentity {
  const info = isObject(serverInfo) ? serverInfo : {};
  return {
    ...(typeof info.name === 'string' ? { name: info.name.slice(0, 255) } : {}),
    ...(typeof info.version === 'string' ? { version: info.version.slice(0, 64) } : {}),
    ...(typeof instructions === 'string' ? { instructions: instructions.slice(0, 2000) } : {}),
  };
}

function readTools(list: unknown): readonly AgentTool[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((tool: unknown) => {
    if (!isObject(tool) || typeof tool.name !== 'string') return [];
    const description = typeof tool.description === 'string' ? tool.description.slice(0, 2000) : '';
    return [{ name: tool.name.slice(0, 128), description }];
  });
}
