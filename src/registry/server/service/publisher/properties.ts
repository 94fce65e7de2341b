import { Piecemeal } from '../../../../platform/kernel/json/pieces.js';
import { type AdagentsDiscovery, adagentsUrl } from '../../../adagents/discovery.js';
import type { Finding } from '../../../documents/finding.js';
import { publisherDomain } from '../../../model/domains.js';
import type { ServerReader } from '../../store/server-store.js';
import { isBlocked } from '../blocks/find.js';
import { FAILURE_LASTS_MS, findLookupLimit, type LookupMiss, lookupTimeout } from '../lookups.js';
import { type Entry, entryKey, type PropertyEntry } from '../records.js';
import type { Registry } from '../registry.js';
import { readGrantPages, readPropertyPages } from './record-pages.js';

/** A publisher's properties as the wire says them, where they are at hand. */
type PropertyAnswer = {
  readonly publisher_domain: string;
  readonly source: 'adagents_json' | 'hosted' | 'discovered';
  readonly verified: boolean;
  readonly authorized_agents: readonly { readonly url: string; readonly authorized_for?: string }[];
  readonly properties: readonly Readonly<Record<string, unknown>>[];
  /** How many there are, where not all are listed. */
  readonly properties_total?: number;
  readonly contact?: PropertyEntry['contact'];
};

/** Agents that an answer lists. */
const MAX_AGENTS = 500;

/**
 * Resolves a publisher: its crawled file, what a member saved, or its file as it is served just now. Throws rate_limited and
 * publisher_lookup_timeout where it cannot be looked up.
 */
export async function resolvePublisher(
  registry: Registry,
  domain: string,
  ip: string,
): Promise<{ readonly answer?: Piecemeal; readonly miss?: LookupMiss }> {
  const name = publisherDomain(domain);
  const stored = await storedPublisher(registry, name);
  if (stored !== undefined) return { answer: stored };
  if (await isBlocked(registry.store.read, 'domain', name)) return {};
  const { limits, lookups, policy } = registry;
  if (!policy.liveLookups || registry.mirrors !== undefined) return {};
  const key = entryKey('property', name);
  const before = lookups.findMiss(key, FAILURE_LASTS_MS);
  if (before !== undefined) return { miss: before };
  const refused = await findLookupLimit(limits, ip);
  if (refused !== undefined) throw refused;
  const looked = await lookups.run(key, () => readLive(registry, name, key));
  if (looked === undefined) throw lookupTimeout(name);
  const { answer, miss } = looked;
  return { answer: answer ? new Piecemeal(answer) : undefined, miss };
}

/** Returns the known answers for many publishers, without a lookup on the internet: null for one that is not known. Each is read when it is written. */
export function storedPublishers(registry: Registry, domains: readonly string[]): Piecemeal {
  return new Piecemeal(
    Object.fromEntries(
      domains.map((domain) => [domain, async () => (await storedPublisher(registry, publisherDomain(domain))) ?? null]),
    ),
  );
}

/** Validates a domain's adagents.json, read now; returns findings as texts for the contract, and with pointers beside. */
export async function validatePublisherFile(
  registry: Registry,
  domain: string,
): Promise<Readonly<Record<string, unknown>>> {
  const name = publisherDomain(domain);
  const documents = new Map<string, number>();
  const job = { kind: 'summary', domain: name, nowMs: registry.clock.now(), local: false } as const;
  const discovery = await registry.files.run(job, ({ url }, { bytes }) => documents.set(url, bytes.length));
  const { effective, findings, message, fix } = discovery;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  const last = discovery.path.at(-1);
  const bytes = documents.get(effective?.url ?? last?.url ?? '');
  return {
    valid: effective !== undefined && errors.length === 0,
    domain: name,
    url: adagentsUrl(name),
    ...(effective === undefined ? {} : { resolved_url: effective.url, discovery_method: effective.method }),
    manager_domain: effective?.managerDomain,
    status_code: statusOf(discovery),
    response_bytes: bytes,
    errors: effective === undefined ? [`${message} ${fix}`, ...errors.map(sentence)] : errors.map(sentence),
    warnings: warnings.map(sentence),
    issues: { errors: errors.map(issueWire), warnings: warnings.map(issueWire) },
  };
}

async function storedPublisher(registry: Registry, name: string): Promise<Piecemeal | undefined> {
  const { read } = registry.store;
  const publisher = await read.publisher.find(name);
  if (publisher?.adagents_valid === true) {
    return new Piecemeal({
      publisher_domain: name,
      source: 'adagents_json',
      verified: true,
      authorized_agents: () => namedAgents(registry, name),
      properties: ownProperties(read, name),
    });
  }
  const entry = await read.entry.find(entryKey('property', name));
  return entry?.review_status === 'approved' ? new Piecemeal(hostedAnswer(entry)) : undefined;
}

/** Returns the first agents that a publisher's file lets sell something just now. */
async function namedAgents(registry: Registry, domain: string): Promise<PropertyAnswer['authorized_agents']> {
  const agents = new Map<string, PropertyAnswer['authorized_agents'][number]>();
  for await (const page of readGrantPages(registry, domain)) {
    for (const { agent_url, agent_url_canonical, authorized_for } of page) {
      if (agents.size >= MAX_AGENTS && !agents.has(agent_url_canonical)) return [...agents.values()];
      agents.set(agent_url_canonical, {
        url: agent_url,
        authorized_for: authorized_for ?? undefined,
      });
    }
  }
  return [...agents.values()];
}

async function* ownProperties(read: ServerReader, domain: string): AsyncGenerator<readonly object[]> {
  for await (const page of readPropertyPages(read, domain)) {
    yield page
      .filter(({ status, source }) => status === 'active' && source === 'authoritative')
      .map((record) => ({
        id: record.property_id ?? record.property_rid,
        property_rid: record.property_rid,
        type: record.property_type,
        name: record.name,
        identifiers: record.identifiers,
        tags: record.tags,
      }));
  }
}

function hostedAnswer({ content, domain, id }: Entry): PropertyAnswer {
  // Entries of properties hold properties; the kind in the key says so.
  const { authorized_agents, contact, properties } = content as PropertyEntry;
  return {
    publisher_domain: domain,
    source: 'hosted',
    verified: false,
    authorized_agents,
    properties: properties.map((property, index) => ({
      id: `${id}_${index + 1}`,
      ...property,
      identifiers: property.identifiers ?? [{ type: 'domain', value: domain }],
      tags: property.tags ?? [],
    })),
    contact,
  };
}

async function readLive(
  registry: Registry,
  name: string,
  key: string,
): Promise<{ readonly answer?: PropertyAnswer; readonly miss?: LookupMiss }> {
  const { clock, files, lookups } = registry;
  const discovery = await files.run({ kind: 'offer', domain: name, nowMs: clock.now(), local: false });
  const { effective } = discovery;
  if (effective === undefined) {
    const status = statusOf(discovery);
    const miss = { status, errors: [`${discovery.message} ${discovery.fix}`] };
    lookups.rememberMiss(key, miss);
    return { miss };
  }
  const { authorized_agents, properties, properties_total } = effective;
  return {
    answer: {
      publisher_domain: name,
      source: 'adagents_json',
      verified: true,
      authorized_agents,
      properties,
      properties_total,
    },
  };
}

function statusOf({ path }: Pick<AdagentsDiscovery, 'path'>): number | undefined {
  const status = /^answered (\d{3})$/.exec(path.at(-1)?.says ?? '')?.[1];
  return status === undefined ? undefined : Number(status);
}

function sentence({ pointer, message }: Finding): string {
  return pointer === '' ? message : `${pointer}: ${message}`;
}

function issueWire({ pointer, message, fix, severity }: Finding): Readonly<Record<string, unknown>> {
  return { field: pointer, message, suggestion: fix, severity };
}
