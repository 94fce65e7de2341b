import { isoTime } from '../../kernel/clock.js';
import { readAdagents } from '../adagents.js';
import { type AdagentsDiscovery, adagentsUrl, discoverAdagents } from '../adagents-discovery.js';
import { publisherDomain } from '../domains.js';
import { type Finding, isValid } from '../finding.js';
import { walkSteps } from '../walk.js';
import { discoverAgent } from './probe.js';
import { RegistryProblem } from './problem.js';
import type { Registry } from './registry.js';

/** What is wrong with a file, as the public validator writes it (facts 2.2). */
export type Validation = {
  readonly valid: boolean;
  readonly errors: readonly { readonly field: string; readonly message: string; readonly severity: 'error' }[];
  readonly warnings: readonly { readonly field: string; readonly message: string; readonly suggestion: string }[];
  readonly domain: string;
  readonly url: string;
};

/** A domain's file as it is served, judged (facts 1.4). */
export type ValidatedDomain = {
  readonly domain: string;
  readonly found: boolean;
  readonly validation: Validation;
  /** The first agents that it names, and whether they answer. */
  readonly agent_cards?: readonly object[];
};

/** What a file is made of (spec 1, POST /api/adagents/create). */
export type AdagentsWish = {
  readonly authorized_agents: readonly Readonly<Record<string, unknown>>[];
  readonly include_schema?: boolean;
  readonly include_timestamp?: boolean;
  readonly properties?: readonly unknown[];
  readonly catalog_etag?: string;
  readonly formats?: readonly unknown[];
  readonly placements?: readonly unknown[];
  readonly placement_tags?: Readonly<Record<string, unknown>>;
};

/** Most agents of a file that are called to see whether they answer. */
const MOST_CARDS = 5;
const SCHEMA = 'https://adcontextprotocol.org/schemas/v3/adagents.json';

type Read = {
  readonly discovery: AdagentsDiscovery;
  readonly status: number | undefined;
  readonly bytes: Uint8Array | undefined;
};

/** Reads a domain's file as it is served now. Throws unavailable when it takes too long. */
async function readNow(registry: Registry, domain: string): Promise<Read> {
  const name = publisherDomain(domain);
  const found = await registry.live.run(`adagents:${name}`, async (): Promise<Read> => {
    let last: { readonly status: number; readonly bytes: Uint8Array } | undefined;
    const local = registry.isDevelopment;
    const steps = discoverAdagents(name, { nowMs: registry.clock.now(), local });
    const discovery = await walkSteps(steps, registry.outbound, {
      local,
      seen: (_request, { bytes, status }) => {
        last = { bytes, status };
      },
    });
    return { discovery, status: last?.status, bytes: last?.bytes };
  });
  if (found !== undefined) return found;
  throw new RegistryProblem('unavailable', 'The file could not be read in time.', {
    field: 'domain',
    retryAfter: 5,
    suggestion: 'Try again in a few seconds.',
  });
}

/** Validates a domain's adagents.json, and calls the first agents that it names (spec 1, POST /api/adagents/validate). */
export async function validateAdagents(registry: Registry, domain: string): Promise<ValidatedDomain> {
  const { bytes, discovery, status } = await readNow(registry, domain);
  const { effective, publisherDomain: name } = discovery;
  const agents = [...new Set((effective?.file.agents ?? []).map(({ url }) => url))].slice(0, MOST_CARDS);
  const cards = await Promise.all(agents.map((url) => agentCard(registry, url)));
  const validation = {
    ...validationOf(discovery.findings, name, effective !== undefined),
    ...(effective === undefined ? withReason(discovery) : {}),
    ...(status === undefined ? {} : { status_code: status }),
    ...(bytes === undefined ? {} : { response_bytes: bytes.length, raw_data: parsed(bytes) }),
    ...(effective === undefined ? {} : { resolved_url: effective.url }),
    discovery_method: effective?.method ?? 'direct',
    ...(effective?.managerDomain === undefined ? {} : { manager_domain: effective.managerDomain }),
  };
  return {
    domain: name,
    found: effective !== undefined || status === 200,
    validation,
    ...(cards.length > 0 && { agent_cards: cards }),
  };
}

/** Whether an agent that a file names answers. */
async function agentCard(registry: Registry, url: string): Promise<object> {
  const began = registry.clock.now();
  try {
    const card_data = await discoverAgent(registry, url);
    const response_time_ms = registry.clock.now() - began;
    return { agent_url: url, valid: true, errors: [], card_data, card_endpoint: url, response_time_ms };
  } catch (error) {
    if (!(error instanceof RegistryProblem)) throw error;
    const isLocked = error.extras.details?.reason === 'auth_required';
    return {
      agent_url: url,
      valid: false,
      errors: [error.message],
      response_time_ms: registry.clock.now() - began,
      ...(isLocked && { oauth_required: true }),
    };
  }
}

/** A domain's file in numbers (spec 1, GET /api/public/validate-publisher). */
export async function validatePublisherSummary(registry: Registry, domain: string): Promise<object> {
  const { discovery } = await readNow(registry, domain);
  const { effective, findings, fix, message, publisherDomain: name } = discovery;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  const properties = effective?.file.properties ?? [];
  const types = new Map<string, number>();
  for (const { property_type } of properties) types.set(property_type, (types.get(property_type) ?? 0) + 1);
  return {
    valid: effective !== undefined && errors.length === 0,
    domain: name,
    url: effective?.url ?? adagentsUrl(name),
    discovery_method: effective?.method ?? 'direct',
    ...(effective?.managerDomain === undefined ? {} : { manager_domain: effective.managerDomain }),
    agent_count: new Set(effective?.file.agents.map(({ canonicalUrl }) => canonicalUrl)).size,
    property_count: properties.length,
    property_type_counts: Object.fromEntries(types),
    tag_count: new Set(properties.flatMap(({ tags }) => tags)).size,
    errors: [...(effective === undefined ? [`${message} ${fix}`] : []), ...errors.map(sentence)],
    warnings: warnings.map(sentence),
    issues: { errors: errors.map(issueOf), warnings: warnings.map(suggestionOf) },
  };
}

/**
 * Writes an adagents.json of what it should say (spec 1, POST /api/adagents/create). Throws invalid_request with all findings for one
 * that readers would not take.
 */
export function createAdagents(registry: Registry, wish: AdagentsWish): object {
  const { include_schema = true, include_timestamp = true, authorized_agents, ...catalogue } = wish;
  const nowMs = registry.clock.now();
  const file = {
    ...(include_schema && { $schema: SCHEMA }),
    ...catalogue,
    authorized_agents,
    ...(include_timestamp && { last_updated: isoTime(nowMs) }),
  };
  const text = JSON.stringify(file, null, 2);
  const { findings } = readAdagents(text, {
    file: 'adagents.json',
    domain: DRAFT_DOMAIN,
    nowMs,
    local: registry.isDevelopment,
  });
  const validation = { ...validationOf(findings, DRAFT_DOMAIN, true), discovery_method: 'direct' };
  if (isValid(findings)) return { success: true, adagents_json: text, validation };
  const [first] = findings;
  throw new RegistryProblem('invalid_request', first === undefined ? 'The file is not valid.' : sentence(first), {
    ...(first === undefined ? {} : { field: first.pointer, suggestion: first.fix }),
    details: { success: false, validation, timestamp: isoTime(nowMs) },
  });
}

/** Whose a file is that has no domain yet. */
const DRAFT_DOMAIN = 'publisher.example';

function validationOf(findings: readonly Finding[], domain: string, isFound: boolean): Validation {
  return {
    valid: isFound && isValid(findings),
    errors: findings.filter(({ severity }) => severity === 'error').map(issueOf),
    warnings: findings.filter(({ severity }) => severity === 'warning').map(suggestionOf),
    domain,
    url: adagentsUrl(domain),
  };
}

function withReason({ findings, fix, message }: AdagentsDiscovery): Pick<Validation, 'errors'> {
  const errors = findings.filter(({ severity }) => severity === 'error').map(issueOf);
  return { errors: [{ field: 'domain', message: `${message} ${fix}`, severity: 'error' }, ...errors] };
}

function issueOf({ message, pointer }: Finding): Validation['errors'][number] {
  return { field: pointer, message, severity: 'error' };
}

function suggestionOf({ fix, message, pointer }: Finding): Validation['warnings'][number] {
  return { field: pointer, message, suggestion: fix };
}

function sentence({ message, pointer }: Finding): string {
  return pointer === '' ? message : `${pointer}: ${message}`;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
