import { isObject } from '../../kernel/json/json.js';
import { fetchReason, type Outbound } from '../../net/fetch.js';
import { responseTo, toolPayload } from './answers.js';

/** Where another agent is, and what it is shown. The URL was chosen by a caller, so the guarded way out is the only one. */
export type RemoteAgent = {
  readonly url: string;
  readonly credentials?: string;
  /** Development mode, sandbox callers only: plain http and loopback. */
  readonly local: boolean;
};

/** What became of a call: the tool's answer, or why there is none. */
export type RemoteAnswer =
  | { readonly payload: Readonly<Record<string, unknown>>; readonly isError: boolean }
  | { readonly fault: 'unreachable' | 'unauthorized' | 'no_answer' };

const CALL_ID = 1;
const PROTOCOL_REVISION = '2025-06-18';
const TIMEOUT_MS = 5000;
const MAX_BYTES = 256 * 1024;

/** What a server answers that takes calls only within a session that was begun before. */
const WANTS_SESSION: ReadonlySet<number> = new Set([400, 404, 409]);

/**
 * Calls one tool of another agent over MCP (Streamable HTTP): at once, and where the server wants a session, within one.
 * Never throws for what the other side does.
 */
export async function callTool(
  outbound: Pick<Outbound, 'fetch'>,
  agent: RemoteAgent,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<RemoteAnswer> {
  const call = { jsonrpc: '2.0', id: CALL_ID, method: 'tools/call', params: { name, arguments: args } };
  const at = (session: string | undefined, message: object): Promise<Posted> => post(outbound, agent, session, message);
  const first = await at(undefined, call);
  if (!WANTS_SESSION.has(first?.status ?? 0)) return read(first);
  const hello = await at(undefined, {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: PROTOCOL_REVISION,
      capabilities: {},
      clientInfo: { name: 'seller-agent', version: '1' },
    },
  });
  const session = hello?.headers['mcp-session-id'];
  if (hello?.status !== 200 || session === undefined) return read(first);
  await at(session, { jsonrpc: '2.0', method: 'notifications/initialized' });
  return read(await at(session, call));
}

type Posted = Awaited<ReturnType<Outbound['fetch']>> | undefined;

async function post(
  outbound: Pick<Outbound, 'fetch'>,
  { url, credentials, local }: RemoteAgent,
  session: string | undefined,
  message: object,
): Promise<Posted> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(credentials === undefined ? {} : { authorization: `Bearer ${credentials}` }),
    'mcp-protocol-version': PROTOCOL_REVISION,
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  };
  const body = JSON.stringify(message);
  try {
    return await outbound.fetch(url, {
      method: 'POST',
      headers,
      body,
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      local,
    });
  } catch (error) {
    if (fetchReason(error) === undefined) throw error;
    return undefined;
  }
}

function read(posted: Posted): RemoteAnswer {
  if (posted === undefined) return { fault: 'unreachable' };
  const { status } = posted;
  if (status === 401 || status === 403) return { fault: 'unauthorized' };
  if (status !== 200) return { fault: status >= 500 ? 'unreachable' : 'no_answer' };
  const result = responseTo(posted, CALL_ID)?.result;
  if (!isObject(result)) return { fault: 'no_answer' };
  const payload = toolPayload(result);
  return payload === undefined ? { fault: 'no_answer' } : { payload, isError: result.isError === true };
}
