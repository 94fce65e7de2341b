import { hostKind } from '../../platform/net/address.js';
import { isExampleHost, isUrl } from '../../platform/net/url.js';
import { TaskError } from '../../protocol/errors.js';
import type { FormatId } from './format.js';
import { canonicalUrl, parseFormatId, resolveFormatId } from './format-id.js';

/** The public agent of the trade's standard formats, whose ids the house has too. */
const REFERENCE_AGENT = 'https://creative.adcontextprotocol.org';

const MAX_NAMED_AGENTS = 10;

/**
 * The agents whose formats may be named, by the address that they are compared by and by each as it is written; each with the `agent_url`
 * of its formats here.
 */
export type FormatAgents = ReadonlyMap<string, string>;

/** The formats that references are read against: own ids, and those of other agents. */
export type FormatReferences = {
  /** The agent that owns the house formats, and all ids of the catalog. */
  readonly owner: string;
  readonly ids: ReadonlySet<string>;
  readonly agents: FormatAgents;
  /** Whether any name that is reserved for examples passes for an agent: in a sandbox, where buyers try out their documents. */
  readonly examples: boolean;
};

/** Returns the agents that a seller knows: every address of ours, the reference agent, then `others` as they are named. */
export function listFormatAgents(owner: string, ours: Iterable<string>, others: Iterable<string>): FormatAgents {
  const rows = [
    [owner, owner],
    ...Array.from(ours, (url) => [url, owner]),
    ...Array.from([REFERENCE_AGENT, ...others], (url) => [url, url]),
  ] as const;
  // Of two rows with one address the first counts.
  const agents = new Map(rows.toReversed().map(([url, agent]) => [addressOf(url), agent]));
  for (const [url] of rows) agents.set(url, agents.get(addressOf(url)) ?? url);
  return agents;
}

/**
 * Reads a reference to a format: an id of ours becomes ours, an agent gets the address that it is known by. Throws INVALID_FORMAT_ID
 * for what is no reference, and REFERENCE_NOT_FOUND at `agent_url` for an agent that nobody here knows.
 */
export function readFormatId(value: unknown, field: string, references: FormatReferences): FormatId {
  const ref = parseFormatId(value, field);
  const { owner, ids, agents, examples } = references;
  const agent_url = agents.get(ref.agent_url) ?? agents.get(addressOf(ref.agent_url));
  if (agent_url !== undefined) return resolveFormatId({ ...ref, agent_url }, owner, ids);
  if (examples && isUrl(ref.agent_url) && isExampleHost(ref.agent_url)) return resolveFormatId(ref, owner, ids);
  const named = [...new Set([owner, ...agents.values()])].slice(0, MAX_NAMED_AGENTS);
  throw new TaskError('REFERENCE_NOT_FOUND', 'Formats of this agent are not known here.', {
    field: `${field}.agent_url`,
    suggestion: `Send a format_id from list_creative_formats or a product's format_ids. Formats of these agents are known: ${named.join(', ')}.`,
  });
}

/** Returns what two addresses of one agent have in common: with `/mcp` or without, this machine by whatever name. */
function addressOf(agentUrl: string): string {
  const bare = canonicalUrl(agentUrl).replace(/\/mcp$/, '');
  if (!isUrl(bare)) return bare;
  const url = new URL(bare);
  return hostKind(url.hostname) === 'loopback' ? bare.replace(url.hostname, 'localhost') : bare;
}
