import { isObject } from '../../../../platform/kernel/json/json.js';
import { toolPayload } from '../../../../platform/mcp/client/answers.js';
import { McpClient, type McpFault, type McpReply } from '../../../../platform/mcp/client/client.js';
import type { Outbound } from '../../../../platform/net/fetch.js';
import type { FetchReason } from '../../../../platform/net/fetch-error.js';

/** Why an agent gave no answer to a call. */
export type AgentFault = FetchReason | 'auth_required' | 'rate_limited' | 'http_error' | 'not_mcp' | 'tool_error';

/** The result of a call, or the reason why there is none in words that are safe to show. */
export type AgentAnswer<T = Readonly<Record<string, unknown>>> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: AgentFault; readonly message: string };

/** An agent's own introduction when a session begins. */
export type AgentIdentity = { readonly name?: string; readonly version?: string; readonly instructions?: string };

/** One tool as an agent lists it. */
export type AgentTool = { readonly name: string; readonly description: string };

/** A conversation with an agent over MCP, as far as a registry needs one: it asks, and never acts. */
type AgentSession = {
  readonly identity: AgentIdentity;
  /** Milliseconds until the first answer. */
  readonly responseMs: number;
  readonly tools: () => Promise<AgentAnswer<readonly AgentTool[]>>;
  /** Calls a task; answers its structured content. */
  readonly call: (tool: string, args: object) => Promise<AgentAnswer>;
};

/** The means and the time to reach an agent. */
export type AgentCallOptions = {
  readonly outbound: Outbound;
  readonly now: () => number;
  /** Instant, in milliseconds, by which everything has to be done. */
  readonly deadline: number;
  /** Lets http and loopback through, in development mode only. */
  readonly local?: boolean;
};

/** Bytes of one answer of an agent. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Bounds of an answer's JSON: a megabyte of brackets would be read for a tenth of a second. */
const ANSWER_BOUNDS = { levels: 64, values: 200_000 };
/** Tools that are taken from a list. */
const MAX_TOOLS = 500;
/** Pages of a list that are asked for. */
const MAX_PAGES = 5;
/** The statuses that tell why by themselves. */
const STATUS_FAULTS: Readonly<Record<number, AgentFault>> = {
  401: 'auth_required',
  403: 'auth_required',
  429: 'rate_limited',
};

const FAULT_MESSAGES: Readonly<Partial<Record<AgentFault, string>>> = {
  auth_required: 'The agent wants credentials for this.',
  rate_limited: 'The agent is asked too often just now.',
  not_mcp: 'What answers there does not speak MCP.',
  tool_error: 'The agent answers with an error.',
  http_error: 'The agent answers with an HTTP error.',
  insecure: 'The certificate of the agent is not valid.',
  unresolved: 'The host of the agent does not resolve.',
  timeout: 'The agent did not answer in time.',
  too_large: 'The answer of the agent is too large.',
  private_address: 'The address does not lead to the public internet.',
  not_https: 'The address is not https.',
  not_a_url: 'This is not an absolute URL.',
};

const FAULT_FIXES: Readonly<Partial<Record<AgentFault, string>>> = {
  auth_required: 'Let the agent answer get_adcp_capabilities to whoever asks.',
  rate_limited: 'Let the agent answer a visit a day; it is tried again.',
  not_mcp: 'Enroll the URL of the MCP endpoint itself.',
  timeout: 'Look into the agent: a visit waits for 20 seconds.',
  too_large: 'Answer in pages; a registry reads a megabyte of an answer.',
  tool_error: 'Call get_adcp_capabilities yourself, and see what it answers.',
  insecure: 'Serve a certificate that is valid for the host.',
  unresolved: 'Check the spelling of the host and its DNS records.',
};

/** Returns why an agent could not be visited, and what to do. */
export function explainFault(fault: string | undefined): { readonly message: string; readonly fix: string } {
  const code = fault as AgentFault;
  return {
    message: FAULT_MESSAGES[code] ?? 'The agent could not be reached.',
    fix: FAULT_FIXES[code] ?? 'Check that the agent is up, and reachable from the public internet.',
  };
}

/** Returns the failure of a call as its answer. */
function agentFault(fault: AgentFault, message?: string): Extract<AgentAnswer, { ok: false }> {
  return { ok: false, fault, message: message ?? FAULT_MESSAGES[fault] ?? 'The agent could not be reached.' };
}

/** Begins a session with the agent at `url`, through the guarded fetch. Never rejects for what the agent does. */
export async function openAgentSession(url: string, options: AgentCallOptions): Promise<AgentAnswer<AgentSession>> {
  const { outbound, now, deadline, local = false } = options;
  const client = new McpClient({
    outbound,
    url,
    local,
    maxBytes: MAX_ANSWER_BYTES,
    bounds: ANSWER_BOUNDS,
    timeLeftMs: () => deadline - now(),
  });
  const began = now();
  const introduction = await client.initialize();
  const responseMs = now() - began;
  if (!introduction.ok) return agentAnswer(introduction);
  const refused = await client.confirm();
  // A server without sessions may refuse a notice that it has no use for.
  if (refused !== undefined && !isPlainStatus(refused)) return agentAnswer({ ok: false, fault: refused });
  const { serverInfo, instructions } = introduction.result;
  return {
    ok: true,
    value: {
      identity: readIdentity(serverInfo, instructions),
      responseMs,
      tools: () => listTools(client),
      call: async (name, args) => {
        const answer = agentAnswer(await client.request('tools/call', { name, arguments: args }));
        return answer.ok ? readTask(answer.value) : answer;
      },
    },
  };
}

async function listTools(client: McpClient): Promise<AgentAnswer<readonly AgentTool[]>> {
  const tools: AgentTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page += 1) {
    const listed = await client.request('tools/list', cursor === undefined ? {} : { cursor });
    if (!listed.ok) return agentAnswer(listed);
    tools.push(...readTools(listed.result.tools));
    cursor = listed.result.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return { ok: true, value: tools.slice(0, MAX_TOOLS) };
}

/** Whether a fault is a status that tells nothing by itself. */
function isPlainStatus(fault: McpFault): boolean {
  return fault.kind === 'status' && STATUS_FAULTS[fault.status] === undefined;
}

function agentAnswer(reply: Extract<McpReply, { ok: false }>): Extract<AgentAnswer, { ok: false }>;
function agentAnswer(reply: McpReply): AgentAnswer;
function agentAnswer(reply: McpReply): AgentAnswer {
  if (reply.ok) return { ok: true, value: reply.result };
  const { fault } = reply;
  if (fault.kind === 'fetch') return agentFault(fault.reason);
  if (fault.kind === 'not_mcp') return agentFault('not_mcp');
  if (fault.kind === 'rpc_error') return agentFault('tool_error', 'The agent refused the call.');
  const statusFault = STATUS_FAULTS[fault.status];
  return statusFault === undefined
    ? agentFault('http_error', `The agent answered ${fault.status}.`)
    : agentFault(statusFault);
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

/** Returns the code of a failed task, wherever the release of the agent puts it. */
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
