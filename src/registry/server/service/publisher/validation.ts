import { isoTime } from '../../../../platform/kernel/clock.js';
import { isDeeperThan, readJson } from '../../../../platform/kernel/json/json.js';
import { meantAuthorization } from '../../../adagents/agents.js';
import { adagentsUrl } from '../../../adagents/discovery.js';
import { type Finding, isValid } from '../../../documents/finding.js';
import { publisherDomain } from '../../../model/domains.js';
import type { DiscoveredFile, FileSummary } from '../../crawl/files/jobs.js';
import { discoverAgent } from '../agent/probe.js';
import { RegistryProblem } from '../problem.js';
import type { Registry } from '../registry.js';

/** The findings on a file, as the public validator writes them. */
export type Validation = {
  readonly valid: boolean;
  readonly errors: readonly { readonly field: string; readonly message: string; readonly severity: 'error' }[];
  readonly warnings: readonly { readonly field: string; readonly message: string; readonly suggestion: string }[];
  readonly domain: string;
  readonly url: string;
};

/** A domain's file as it is served, judged. */
type ValidatedDomain = {
  readonly domain: string;
  readonly found: boolean;
  readonly validation: Validation;
  /** The first agents that it names, and whether they answer. */
  readonly agent_cards?: readonly object[];
};

/** The content of a file to write. */
export type AdagentsInput = {
  readonly authorized_agents: readonly Readonly<Record<string, unknown>>[];
  readonly include_schema?: boolean;
  readonly include_timestamp?: boolean;
  readonly properties?: readonly unknown[];
  readonly catalog_etag?: string;
  readonly formats?: readonly unknown[];
  readonly placements?: readonly unknown[];
  readonly placement_tags?: Readonly<Record<string, unknown>>;
};

/** Bytes and levels of a file that is shown beside its findings. */
const MAX_SHOWN_BYTES = 256 * 1024;
const MAX_SHOWN_LEVELS = 64;
const SCHEMA = 'https://adcontextprotocol.org/schemas/v3/adagents.json';

type Read = {
  readonly discovery: DiscoveredFile<FileSummary>;
  readonly status: number | undefined;
  readonly bytes: Uint8Array | undefined;
};

/** Reads a domain's file as it is served now. Throws unavailable when it takes too long. */
async function readNow(registry: Registry, domain: string): Promise<Read> {
  const name = publisherDomain(domain);
  const read = await registry.lookups.run(`adagents:${name}`, async (): Promise<Read> => {
    let last: { readonly status: number; readonly bytes: Uint8Array } | undefined;
    const job = { kind: 'summary', domain: name, nowMs: registry.clock.now(), local: registry.isDevelopment } as const;
    const discovery = await registry.files.run(job, (_request, { bytes, status }) => {
      last = { bytes, status };
    });
    return { discovery, status: last?.status, bytes: last?.bytes };
  });
  if (read !== undefined) return read;
  throw new RegistryProblem('unavailable', 'The file could not be read in time.', {
    field: 'domain',
    retryAfter: 5,
    suggestion: 'Try again in a few seconds.',
  });
}

/** Validates a domain's adagents.json, and calls the first agents that it names. */
export async function validateAdagents(registry: Registry, domain: string): Promise<ValidatedDomain> {
  const { bytes, discovery, status } = await readNow(registry, domain);
  const { effective, publisherDomain: name } = discovery;
  const cards = await Promise.all((effective?.agents ?? []).map((url) => agentCard(registry, url)));
  const isShown = bytes !== undefined && bytes.length <= MAX_SHOWN_BYTES;
  const validation = {
    ...validationOf(
      isShown || bytes === undefined ? discovery.findings : [...discovery.findings, notShown(discovery)],
      name,
      effective !== undefined,
    ),
    ...(effective === undefined ? withReason(discovery) : {}),
    status_code: status,
    response_bytes: bytes?.length,
    raw_data: isShown ? parseFile(bytes) : undefined,
    resolved_url: effective?.url,
    discovery_method: effective?.method ?? 'direct',
    manager_domain: effective?.managerDomain,
  };
  return {
    domain: name,
    found: effective !== undefined || status === 200,
    validation,
    agent_cards: cards.length > 0 ? cards : undefined,
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
      oauth_required: isLocked || undefined,
    };
  }
}

/** Returns a domain's file in numbers. */
export async function validatePublisherSummary(registry: Registry, domain: string) {
  const { discovery } = await readNow(registry, domain);
  const { effective, findings, fix, message, publisherDomain: name } = discovery;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  return {
    valid: effective !== undefined && errors.length === 0,
    domain: name,
    url: effective?.url ?? adagentsUrl(name),
    discovery_method: effective?.method ?? 'direct',
    manager_domain: effective?.managerDomain,
    agent_count: effective?.agent_count ?? 0,
    property_count: effective?.property_count ?? 0,
    property_type_counts: effective?.property_type_counts ?? {},
    tag_count: effective?.tag_count ?? 0,
    errors: [...(effective === undefined ? [`${message} ${fix}`] : []), ...errors.map(sentence)],
    warnings: warnings.map(sentence),
    issues: { errors: errors.map(issueOf), warnings: warnings.map(suggestionOf) },
  };
}

/**
 * Writes an adagents.json of what it should say. Throws invalid_request with all findings for one
 * that readers would not take.
 */
export async function createAdagents(registry: Registry, input: AdagentsInput): Promise<object> {
  const { include_schema = true, include_timestamp = true, authorized_agents, ...catalog } = input;
  const nowMs = registry.clock.now();
  const file = {
    $schema: include_schema ? SCHEMA : undefined,
    ...catalog,
    authorized_agents: authorized_agents.map(withAuthorizationType),
    last_updated: include_timestamp ? isoTime(nowMs) : undefined,
  };
  const text = JSON.stringify(file, null, 2);
  const local = registry.isDevelopment;
  const findings = await registry.files.run({ kind: 'draft', domain: DRAFT_DOMAIN, nowMs, local, text });
  const validation = { ...validationOf(findings, DRAFT_DOMAIN, true), discovery_method: 'direct' };
  if (isValid(findings)) return { success: true, adagents_json: text, validation };
  const [first] = findings;
  throw new RegistryProblem('invalid_request', first === undefined ? 'The file is not valid.' : sentence(first), {
    field: first?.pointer ?? '',
    suggestion: first?.fix ?? 'Correct what the validation lists.',
    details: { success: false, validation, timestamp: isoTime(nowMs) },
  });
}

/** Returns an entry with the kind of authorization that readers of a file need, and that callers may leave out. */
function withAuthorizationType(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const meant = entry.authorization_type === undefined ? meantAuthorization(entry) : undefined;
  return meant === undefined ? entry : { ...entry, authorization_type: meant };
}

/** The domain of a file that has none yet. */
const DRAFT_DOMAIN = 'publisher.example';

function validationOf(findings: readonly Finding[], domain: string, isThere: boolean): Validation {
  return {
    valid: isThere && isValid(findings),
    errors: findings.filter(({ severity }) => severity === 'error').map(issueOf),
    warnings: findings.filter(({ severity }) => severity === 'warning').map(suggestionOf),
    domain,
    url: adagentsUrl(domain),
  };
}

/** Says that the file itself is left out of the answer. */
function notShown({ effective, publisherDomain: name }: DiscoveredFile<FileSummary>): Finding {
  return {
    file: effective?.url ?? adagentsUrl(name),
    pointer: '',
    severity: 'warning',
    keyword: 'truncated',
    message: `the file is larger than ${MAX_SHOWN_BYTES} bytes and is not repeated in raw_data; all of it was validated`,
    fix: 'Read it at its own address.',
  };
}

function withReason({ findings, fix, message }: DiscoveredFile<FileSummary>): Pick<Validation, 'errors'> {
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

function parseFile(bytes: Uint8Array): unknown {
  const value = readJson(bytes);
  // What nests deeper than any reader follows cannot be written again either.
  return isDeeperThan(value, MAX_SHOWN_LEVELS) ? undefined : value;
}
