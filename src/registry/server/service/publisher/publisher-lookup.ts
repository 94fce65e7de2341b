import { isoTime } from '../../../../platform/kernel/clock.js';
import { startPace } from '../../../../platform/kernel/event-loop.js';
import { Piecemeal } from '../../../../platform/kernel/json/pieces.js';
import { adagentsUrl } from '../../../adagents/discovery.js';
import { publisherDomain } from '../../../model/domains.js';
import type { AuthorizationRecord, BrandRecord, PropertyRecord, PublisherRecord } from '../../../model/records.js';
import type { CrawlState } from '../../crawl/records.js';
import type { BitSet } from '../agent/bit-set.js';
import { Inventory } from '../agent/inventory/inventory.js';
import { entryKey, type PropertyEntry } from '../records.js';
import type { Registry } from '../registry.js';
import type { BrandOffer } from './operator-documents.js';
import { isPublisherWide } from './product-authorization.js';
import { readGrantPages, readPropertyPages } from './record-pages.js';

/** Agents of a publisher that are rolled up, and most of its properties that are listed. */
const ROLLUP_CAP = 50;
const MAX_PROPERTIES = 10_000;

/** Returns a publisher's properties and the agents that it authorizes; the properties are read while they are written. */
export async function lookupPublisher(registry: Registry, domain: string, withPlacements: boolean): Promise<Piecemeal> {
  const { read } = registry.store;
  const name = publisherDomain(domain);
  const [publisher, state, brand, entry] = await Promise.all([
    read.publisher.find(name),
    read.crawl.findState(name),
    read.brand.find(name),
    read.entry.find(entryKey('property', name)),
  ]);
  const isHosted = entry?.review_status === 'approved';
  const claims =
    isHosted && publisher?.adagents_valid !== true ? (entry.content as PropertyEntry).authorized_agents : [];
  const inventory = new Inventory();
  let agents = 0;
  return new Piecemeal({
    domain: name,
    member: null,
    adagents_valid: state === undefined ? (publisher?.adagents_valid ?? null) : publisher?.adagents_valid === true,
    discovery_method: publisher?.adagents_valid === true ? (publisher.discovery_method ?? null) : null,
    manager_domain: publisher?.manager_domain ?? null,
    hosting: hostingOf(name, publisher, state),
    files: {
      adagents_json: { status: fileStatus(publisher, state, isHosted), expected_url: adagentsUrl(name) },
      brand_json:
        brand?.brand_json === undefined ? { status: 'unknown' } : { status: 'present', name: brand.brand_name },
    },
    properties: shownProperties(registry, name, brand, inventory),
    properties_total: () => (inventory.size > MAX_PROPERTIES ? inventory.size : undefined),
    brand: brand === undefined ? undefined : shownBrand(brand),
    formats: state?.formats ?? [],
    placements: withPlacements ? (publisher?.placements ?? []) : undefined,
    authorized_agents: async () => {
      const rolled = await rollUp(registry, name, inventory);
      agents = rolled.total;
      return [
        ...rolled.agents,
        ...claims.map(({ authorized_for, url }) => ({
          url,
          authorized_for,
          source: 'agent_claim',
        })),
      ];
    },
    rollup_truncated: () => (agents > ROLLUP_CAP ? { cap: ROLLUP_CAP, total_agents: agents } : undefined),
    auto_crawl_triggered: false,
  });
}

/**
 * Yields the first of a publisher's properties as they are shown, or what its brand.json declares. All of them go into
 * the inventory.
 */
async function* shownProperties(
  registry: Registry,
  domain: string,
  brand: BrandRecord | undefined,
  inventory: Inventory,
): AsyncGenerator<readonly object[]> {
  for await (const page of readPropertyPages(registry.store.read, domain)) {
    const room = MAX_PROPERTIES - inventory.size;
    const active = page.filter((record) => inventory.add(record));
    if (room > 0) yield active.slice(0, room).map(shownProperty);
  }
  if (inventory.size > 0) return;
  const { properties } = await registry.operatorDocuments.readOffer(brand);
  yield properties.map((property) => declaredProperty(property, domain));
}

/** An agent of a publisher, with what its rows cover. */
type Rolled = { readonly first: AuthorizationRecord; readonly covered: BitSet; isWide: boolean };

/** Returns how much of its listed properties each of a publisher's first agents may sell just now, and how many agents there are. */
async function rollUp(
  registry: Registry,
  domain: string,
  inventory: Inventory,
): Promise<{ readonly agents: readonly object[]; readonly total: number }> {
  const pace = startPace();
  const byAgent = new Map<string, Rolled>();
  const others = new Set<string>();
  for await (const page of readGrantPages(registry, domain)) {
    for (const row of page) {
      const url = row.agent_url_canonical;
      let own = byAgent.get(url);
      if (own === undefined && byAgent.size < ROLLUP_CAP) {
        own = { first: row, covered: inventory.emptySet(), isWide: false };
        byAgent.set(url, own);
      }
      if (own === undefined) others.add(url);
      else {
        inventory.cover(row, own.covered);
        own.isWide ||= isPublisherWide(row);
      }
      if (pace.isDue()) await pace.rest();
    }
  }
  const agents = [...byAgent.values()].map(
    ({ covered, first: { agent_url, authorized_for }, isWide: publisher_wide }) => ({
      url: agent_url,
      authorized_for: authorized_for ?? undefined,
      source: 'adagents_json',
      properties_authorized: covered.count(),
      properties_total: inventory.size,
      publisher_wide,
    }),
  );
  return { agents, total: byAgent.size + others.size };
}

function hostingOf(domain: string, publisher: PublisherRecord | undefined, state: CrawlState | undefined): object {
  const isValid = publisher?.adagents_valid === true;
  const resolved = isValid ? (publisher.adagents_url ?? null) : null;
  const isRedirected = isValid && publisher.discovery_method !== 'direct';
  const isServed = state !== undefined && state.reason !== 'not_found' && state.reason !== 'unresolved';
  const validMode = isRedirected ? 'self_redirected' : 'self';
  const invalidMode = isServed ? 'self_invalid' : 'none';
  return {
    mode: isValid ? validMode : invalidMode,
    expected_url: adagentsUrl(domain),
    resolved_url: resolved,
    last_validated:
      state === undefined || state.readAt === 0 ? (publisher?.last_validated ?? null) : isoTime(state.readAt),
    last_http_status: state?.served?.status ?? null,
    last_bytes: state?.served?.bytes ?? null,
    origin_verified_at: null,
    origin_last_checked_at: state === undefined ? null : isoTime(state.attemptedAt),
    ...(state !== undefined && !isValid && { reason: state.reason, message: state.message }),
  };
}

function fileStatus(publisher: PublisherRecord | undefined, state: CrawlState | undefined, isHosted: boolean): string {
  if (publisher?.adagents_valid === true) return 'valid';
  if (isHosted) return 'community';
  return state === undefined && publisher === undefined ? 'unknown' : 'invalid';
}

function shownProperty(record: PropertyRecord): object {
  const { identifiers, name, property_id, property_rid, property_type, source, tags } = record;
  return {
    id: property_id ?? property_rid,
    property_rid,
    type: property_type,
    name,
    identifiers,
    tags,
    source: source === 'authoritative' ? 'adagents_json' : 'community',
  };
}

/** Returns a property that a brand.json declares, for a publisher without an adagents.json. */
function declaredProperty(
  { identifier, relationship, type }: BrandOffer['properties'][number],
  domain: string,
): object {
  return {
    type,
    name: identifier,
    identifiers: [{ type: type === 'website' ? 'domain' : 'bundle_id', value: identifier }],
    tags: [],
    source: 'brand_json',
    publisher_domain: domain,
    delegation_type: relationship === 'owned' ? undefined : relationship,
  };
}

function shownBrand({ brand_manifest, brand_name }: BrandRecord): object {
  const { description, logos } = brand_manifest ?? {};
  const [logo] = Array.isArray(logos) ? (logos as readonly { readonly url?: unknown }[]) : [];
  return {
    name: brand_name,
    description: typeof description === 'string' ? description : undefined,
    logo_url: typeof logo?.url === 'string' ? logo.url : undefined,
  };
}
