import type { Evidence, EvidenceName, Gathered, Subject } from './evidence.js';

/**
 * How much a fault weighs: an `error` breaks what the protocol demands, a `warning` what it recommends, a `note` is worth knowing and
 * no fault.
 */
export type Severity = 'error' | 'warning' | 'note';

/** Where the protocol says so, in public. */
export type Reference = { readonly name: string; readonly url: string };

/**
 * A judge's objections, a sentence each; none where all is well. `not_applicable` where the rule is about other agents.
 */
export type Verdict = readonly string[] | 'not_applicable';

/** A row of the table of checks. */
export type Check = {
  /** Its area and its name, such as `auth.challenge`. */
  readonly id: string;
  readonly severity: Severity;
  readonly needs: readonly EvidenceName[];
  /** The rule, as the protocol has it. */
  readonly rule: string;
  readonly reference: Reference;
  /** What to do about a fault. */
  readonly fix: string;
  readonly judge: (evidence: Evidence) => Verdict;
};

/** A row as it is written down: `judge` is given the evidence that it needs. */
type CheckSpec<Need extends EvidenceName> = Omit<Check, 'judge' | 'needs'> & {
  readonly needs: readonly Need[];
  readonly judge: (evidence: Subject & Partial<Gathered> & Pick<Gathered, Need>) => Verdict;
};

/** Writes a check down, so that its judge knows the types of its evidence. */
export function check<Need extends EvidenceName>(spec: CheckSpec<Need>): Check {
  // A judge runs only once all that it needs is there.
  return spec as Check;
}

/** Returns the sentences whose condition holds. */
export function faultsOf(...faults: readonly (readonly [isFault: boolean, seen: string])[]): readonly string[] {
  return faults.flatMap(([isFault, seen]) => (isFault ? [seen] : []));
}

/** The public documents that rules refer to. */
export const REFERENCES = {
  transport: {
    name: 'MCP, Streamable HTTP',
    url: 'https://modelcontextprotocol.io/specification/2025-06-18/basic/transports',
  },
  lifecycle: {
    name: 'MCP, Lifecycle',
    url: 'https://modelcontextprotocol.io/specification/2025-06-18/basic/lifecycle',
  },
  ping: {
    name: 'MCP, Ping',
    url: 'https://modelcontextprotocol.io/specification/2025-06-18/basic/utilities/ping',
  },
  tools: { name: 'MCP, Tools', url: 'https://modelcontextprotocol.io/specification/2025-06-18/server/tools' },
  authorization: {
    name: 'MCP, Authorization',
    url: 'https://modelcontextprotocol.io/specification/2025-06-18/basic/authorization',
  },
  agentCard: {
    name: 'A2A, “The Agent Card”',
    url: 'https://a2a-protocol.org/latest/specification/#8-agent-discovery-the-agent-card',
  },
  a2a: { name: 'A2A, “Protocol operations”', url: 'https://a2a-protocol.org/latest/specification/' },
  a2aVersions: { name: 'A2A, “Versioning”', url: 'https://a2a-protocol.org/latest/specification/#36-versioning' },
  jsonRpc: { name: 'JSON-RPC 2.0', url: 'https://www.jsonrpc.org/specification' },
  challenge: { name: 'RFC 9110, 15.5.2', url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2' },
  resourceMetadata: { name: 'RFC 9728', url: 'https://www.rfc-editor.org/rfc/rfc9728' },
  issuerMetadata: { name: 'RFC 8414', url: 'https://www.rfc-editor.org/rfc/rfc8414' },
  limits: { name: 'RFC 6585, 4', url: 'https://www.rfc-editor.org/rfc/rfc6585#section-4' },
  jwk: { name: 'RFC 7517', url: 'https://www.rfc-editor.org/rfc/rfc7517' },
  security: { name: 'AdCP, “Security”', url: 'https://docs.adcontextprotocol.org' },
  capabilities: { name: 'AdCP, “get_adcp_capabilities”', url: 'https://docs.adcontextprotocol.org' },
  versioning: { name: 'AdCP, “Versioning”', url: 'https://docs.adcontextprotocol.org' },
  schemas: { name: 'AdCP, the public schemas', url: 'https://docs.adcontextprotocol.org' },
  pagination: { name: 'AdCP, “Pagination”', url: 'https://docs.adcontextprotocol.org' },
  errors: { name: 'AdCP, “Error handling”', url: 'https://docs.adcontextprotocol.org' },
  envelope: { name: 'AdCP, “Context and envelope”', url: 'https://docs.adcontextprotocol.org' },
  idempotency: { name: 'AdCP, “Idempotency”', url: 'https://docs.adcontextprotocol.org' },
  webhooks: { name: 'AdCP, “Push notifications”', url: 'https://docs.adcontextprotocol.org' },
  adagents: { name: 'AdCP, “adagents.json”', url: 'https://docs.adcontextprotocol.org' },
  brand: { name: 'AdCP, “brand.json”', url: 'https://docs.adcontextprotocol.org' },
} as const satisfies Readonly<Record<string, Reference>>;
