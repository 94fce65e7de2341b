import { startPace } from '../../../platform/kernel/event-loop.js';
import { publisherDomain } from '../../model/domains.js';
import type { PropertyRecord } from '../../model/records.js';
import type { Registry } from './registry.js';

/** Matches of each kind. */
const MAX_MATCHES = 5;
/** Properties that are looked through for a name, where too few publishers fit. */
const MAX_SCANNED_PROPERTIES = 5000;
/** Properties that are read at a time. */
const CHUNK = 25;

/** Brands, publishers and properties whose domain or name holds a text. */
export async function searchRegistry(registry: Registry, q: string): Promise<object> {
  const wanted = q.toLowerCase();
  const fits: Fits = (...texts) => texts.some((text) => text.toLowerCase().includes(wanted));
  const [brands, publishers] = await Promise.all([registry.listings.brands(), registry.listings.properties()]);
  const domains = await publishers.page((row) => fits(row.domain), 0, MAX_MATCHES);
  return {
    brands: await brands.page((row) => fits(row.domain, row.brand_name), 0, MAX_MATCHES),
    publishers: domains.map(({ domain, property_count, source }) => ({ domain, member: null, property_count, source })),
    properties: await findProperties(
      registry,
      domains.map(({ domain }) => domain),
      fits,
    ),
  };
}

type Fits = (...texts: readonly string[]) => boolean;

/** Returns properties of the publishers that were found, then those whose own name or identifier fits. */
async function findProperties({ store }: Registry, domains: readonly string[], fits: Fits): Promise<readonly object[]> {
  const matches = new Map<string, object>();
  const take = (record: PropertyRecord): boolean => {
    const { identifiers, name, property_id, property_rid, property_type: type, publisher_domain, status } = record;
    if (status === 'active' && fits(name, publisher_domain, ...identifiers.map(({ value }) => value))) {
      matches.set(property_rid, { property_rid, property_id, name, type, publisher_domain, identifiers });
    }
    return matches.size >= MAX_MATCHES;
  };
  for (const domain of domains) {
    if ((await store.read.property.ofPublisher(domain, '', MAX_MATCHES)).some(take)) return [...matches.values()];
  }
  const pace = startPace();
  for (let after = '', scanned = 0; scanned < MAX_SCANNED_PROPERTIES; ) {
    const page = await store.read.property.page(after, CHUNK);
    if (page.some(take)) break;
    const last = page.at(-1);
    if (last === undefined || page.length < CHUNK) break;
    after = last.property_rid;
    scanned += page.length;
    if (pace.isDue()) await pace.rest();
  }
  return [...matches.values()];
}

/** Files that a domain may be known to publish. */
export const MANIFEST_TYPES = ['brand.json', 'adagents.json'] as const;
type ManifestType = (typeof MANIFEST_TYPES)[number];

/** Returns where a domain's file stands, or the agent that answers in its place. */
export async function lookupManifest({ store }: Registry, domain: string, type: ManifestType): Promise<object> {
  const name = publisherDomain(domain);
  if (type === 'adagents.json') {
    const publisher = await store.read.publisher.find(name);
    if (publisher?.adagents_url === undefined) return { success: false, found: false };
    return reference({ manifest_url: publisher.adagents_url, isValid: publisher.adagents_valid === true });
  }
  const copy = await store.read.brand_copy.find(name);
  if (copy === undefined) return { success: false, found: false };
  const agentUrl = copy.variant === 'brand_agent' ? copy.brand.brand_agent_url : undefined;
  return reference({ manifest_url: copy.url, isValid: true, agentUrl });
}

function reference(record: {
  readonly manifest_url: string;
  readonly isValid: boolean;
  readonly agentUrl?: string;
}): object {
  const { agentUrl, isValid, manifest_url } = record;
  return {
    success: true,
    found: true,
    reference: {
      reference_type: agentUrl === undefined ? 'url' : 'agent',
      manifest_url,
      agent_url: agentUrl ?? null,
      agent_id: null,
      verification_status: isValid ? 'valid' : 'invalid',
    },
  };
}
