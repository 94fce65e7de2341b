import { isObject } from '../../kernel/json/json.js';
import { readStrictJson } from '../../kernel/json/strict-json.js';
import { eventTexts } from '../../mcp/client/answers.js';
import type { Outbound } from '../../net/fetch.js';
import { fetchReason } from '../../net/fetch-error.js';
import { DOCUMENT_TIMEOUT_MS } from './documents.js';

/** The part of an agent's capabilities that leads to its keys. */
export type Identity = {
  readonly brandJsonUrl: string | undefined;
  /** Origins of its keys by purpose, such as `webhook_signing`. */
  readonly keyOrigins: Readonly<Record<string, unknown>>;
  /** The purposes that it says it signs for. */
  readonly signsFor: readonly string[];
};

const MAX_BYTES = 64 * 1024;

/**
 * Asks an agent for its capabilities with one stateless MCP call and reads its identity. Undefined when there is no answer to read:
 * the agent is down, wants a session or a credential, or is none.
 */
export async function readIdentity(
  outbound: Pick<Outbound, 'fetch'>,
  agentUrl: string,
  capabilitiesTool: string,
  local: boolean,
): Promise<Identity | undefined> {
  const params = { name: capabilitiesTool, arguments: {} };
  try {
    const answer = await outbound.fetch(agentUrl, {
      method: 'POST',
      maxBytes: MAX_BYTES,
      timeoutMs: DOCUMENT_TIMEOUT_MS,
      local,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const read = readStrictJson(eventTexts(answer)?.at(-1) ?? answer.bytes);
    const result = answer.status === 200 && read.ok ? objectMember(read.value, 'result') : {};
    return isObject(result.structuredContent) && result.isError !== true
      ? decodeIdentity(result.structuredContent)
      : undefined;
  } catch (error) {
    if (fetchReason(error) === undefined) throw error;
    return undefined;
  }
}

/** Returns the identity in an answer of the capabilities task. */
function decodeIdentity(capabilities: Readonly<Record<string, unknown>>): Identity {
  const identity = objectMember(capabilities, 'identity');
  const keyOrigins = objectMember(identity, 'key_origins');
  const requests = objectMember(capabilities, 'request_signing');
  const hasSignedRequests = [requests.supported_for, requests.required_for].some(
    (list) => Array.isArray(list) && list.length > 0,
  );
  const hasSignedWebhooks = objectMember(capabilities, 'webhook_signing').supported === true;
  return {
    brandJsonUrl: typeof identity.brand_json_url === 'string' ? identity.brand_json_url : undefined,
    keyOrigins,
    signsFor: [
      ...new Set([
        ...(hasSignedRequests ? ['request_signing'] : []),
        ...(hasSignedWebhooks ? ['webhook_signing'] : []),
        ...Object.keys(keyOrigins),
      ]),
    ],
  };
}

function objectMember(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(member) ? member : {};
}
