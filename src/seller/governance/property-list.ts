import { isObject } from '../../platform/kernel/json/json.js';
import { callTool, type RemoteAgent } from '../../platform/mcp/client/call.js';
import type { Outbound } from '../../platform/net/fetch.js';

/** A property list at the agent that keeps it. */
export type PropertyListRef = {
  readonly agent_url: string;
  readonly list_id: string;
  readonly auth_token?: string;
};

/** Identifiers that are web domains. */
const DOMAIN_TYPES: ReadonlySet<unknown> = new Set(['domain', 'subdomain']);

/**
 * The domains on a property list, in lower case, where they are the whole list. Undefined where that cannot be told: the agent does
 * not answer, the list is longer than one page, or names apps and devices too.
 */
export async function fetchListedDomains(
  outbound: Pick<Outbound, 'fetch'>,
  { agent_url: url, list_id, auth_token }: PropertyListRef,
  local: boolean,
): Promise<readonly string[] | undefined> {
  const agent: RemoteAgent = { url, local, ...(auth_token === undefined ? {} : { credentials: auth_token }) };
  const answer = await callTool(outbound, agent, 'get_property_list', { list_id, resolve: true });
  if ('fault' in answer || answer.isError) return undefined;
  const { identifiers, pagination } = answer.payload;
  if (!Array.isArray(identifiers) || (isObject(pagination) && pagination.has_more === true)) return undefined;
  const domains = identifiers.map((one: unknown) =>
    isObject(one) && DOMAIN_TYPES.has(one.type) && typeof one.value === 'string' ? one.value.toLowerCase() : undefined,
  );
  return domains.every((domain) => domain !== undefined) ? domains : undefined;
}
