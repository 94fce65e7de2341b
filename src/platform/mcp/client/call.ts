import { SECOND_MS } from '../../kernel/clock.js';
import type { Outbound } from '../../net/fetch.js';
import { HEADER_TOKEN } from '../../net/url.js';
import { toolPayload } from './answers.js';
import { McpClient, type McpFault, type McpReply } from './client.js';

/** The address of another agent, which a caller chose, and the credentials that it is shown. */
export type RemoteAgent = {
  readonly url: string;
  readonly credentials?: string;
  /** Development mode, sandbox callers only: plain http and loopback. */
  readonly local: boolean;
};

/** The tool's answer, or the reason why there is none. */
type RemoteAnswer =
  | { readonly payload: Readonly<Record<string, unknown>>; readonly isError: boolean }
  | { readonly fault: 'unreachable' | 'unauthorized' | 'no_answer' };

const TIMEOUT_MS = 5 * SECOND_MS;
const MAX_ANSWER_BYTES = 256 * 1024;

/** Statuses of a server that takes calls only within a session. */
const WANTS_SESSION: ReadonlySet<number> = new Set([400, 404, 409]);

/**
 * Calls one tool of another agent over MCP: at once, and where the server wants a session, within one.
 * Never rejects for what the other side does.
 */
export async function callTool(
  outbound: Pick<Outbound, 'fetch'>,
  agent: RemoteAgent,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<RemoteAnswer> {
  // What no header can carry opens nothing, however often it is tried.
  if (agent.credentials !== undefined && !HEADER_TOKEN.test(agent.credentials)) return { fault: 'unauthorized' };
  const client = new McpClient({ ...agent, outbound, maxBytes: MAX_ANSWER_BYTES, timeLeftMs: () => TIMEOUT_MS });
  const call = (): Promise<McpReply> => client.request('tools/call', { name, arguments: args });
  const first = await call();
  if (first.ok || first.fault.kind !== 'status' || !WANTS_SESSION.has(first.fault.status)) return readAnswer(first);
  await client.initialize();
  if (!client.hasSession) return readAnswer(first);
  // A server may refuse the notice and take the call all the same.
  await client.confirm();
  return readAnswer(await call());
}

function readAnswer(reply: McpReply): RemoteAnswer {
  if (!reply.ok) return { fault: reasonOf(reply.fault) };
  const payload = toolPayload(reply.result);
  return payload === undefined ? { fault: 'no_answer' } : { payload, isError: reply.result.isError === true };
}

function reasonOf(fault: McpFault): Extract<RemoteAnswer, { fault: string }>['fault'] {
  if (fault.kind === 'fetch') return 'unreachable';
  if (fault.kind !== 'status') return 'no_answer';
  if (fault.status === 401 || fault.status === 403) return 'unauthorized';
  return fault.status >= 500 ? 'unreachable' : 'no_answer';
}
