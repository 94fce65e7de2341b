import { isoTime, MINUTE_MS } from '../../../../platform/kernel/clock.js';
import { startPace, yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import { Piecemeal } from '../../../../platform/kernel/json/pieces.js';
import { adagentsUrl } from '../../../adagents/discovery.js';
import { canonicalAgentUrl } from '../../../model/agent-url.js';
import { isSameSite, publisherDomain, registrableDomain, typedDomain } from '../../../model/domains.js';
import type { AuthorizationRecord, BrandRecord, PropertyRecord, PublisherRecord } from '../../../model/records.js';
import { maySee, type RegistryCaller } from '../../auth/caller.js';
import type { CrawlState } from '../../crawl/records.js';
import type { ServerReader } from '../../store/server-store.js';
import { describeMember, readMemberAgents } from '../agent/catalog.js';
import { Inventory, type Places } from '../agent/inventory/inventory.js';
import { entryKey, type PropertyEntry } from '../records.js';
import type { Registry } from '../registry.js';
import { type BrandOffer, offerOf } from './operator-documents.js';
import { isPublisherWide } from './product-authorization.js';
import { readAuthorizationPages, readPropertyPages } from './record-pages.js';

/** Most agents of a publisher that are rolled up (facts 1.3), and most of its properties that are listed. */
const ROLLUP_CAP = 50;
const MOST_PROPERTIES = 10_000;
/** Most agents of an operator, and most publishers that trust one of them. */
const MOST_AGENTS = 100;
const MOST_TRUSTING = 500;
const CHUNK = 500;

/** Which agents of an operator are wanted; only what the caller may see is ever shown (facts 1.3). */
export const SCOPES = ['public', 'member', 'private', 'all'] as const;
export type OperatorScope = (typeof SCOPES)[number];

const SCOPE_VISIBILITIES: Readonly<Record<OperatorScope, readonly string[]>> = {
  public: ['public'],
  member: ['public', 'members_only'],
  private: ['private'],
  all: ['public', 'members_only', 'private'],
};

/** What a publisher has and whom it authorizes (spec 1, GET /api/registry/publisher); its properties are read while they are written. */
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
    properties_total: () => (inventory.size > MOST_PROPERTIES ? inventory.size : undefined),
    ...(brand === undefined ? {} : { brand: shownBrand(brand) }),
    formats: state?.formats ?? [],
    ...(withPlacements && { placements: publisher?.placements ?? [] }),
    authorized_agents: async () => {
      const rolled = await rollUp(read, name, inventory);
      agents = rolled.total;
      return [
        ...rolled.agents,
        ...claims.map(({ authorized_for, url }) => ({
          url,
          ...(authorized_for === undefined ? {} : { authorized_for }),
          source: 'agent_claim',
        })),
      ];
    },
    rollup_truncated: () => (agents > ROLLUP_CAP ? { cap: ROLLUP_CAP, total_agents: agents } : undefined),
    auto_crawl_triggered: false,
  });
}

/** The first of a publisher's properties as they are shown, or what its brand.json declares. All of them go into the inventory. */
async function* shownProperties(
  registry: Registry,
  domain: string,
  brand: BrandRecord | undefined,
  inventory: Inventory,
): AsyncGenerator<readonly object[]> {
  for await (const page of readPropertyPages(registry.store.read, domain)) {
    const room = MOST_PROPERTIES - inventory.size;
    const active = page.filter((record) => inventory.add(record));
    if (room > 0) yield active.slice(0, room).map(shownProperty);
  }
  if (inventory.size > 0) return;
  const { properties } = await offerOf(registry, brand);
  yield properties.map((property) => declaredProperty(property, domain));
}

/** An agent of a publisher, with what its rows cover. */
type Rolled = { readonly first: AuthorizationRecord; readonly covered: Places; isWide: boolean };

/** What each of a publisher's first agents may sell of the properties that it lists, and how many agents there are. */
async function rollUp(
  read: ServerReader,
  domain: string,
  inventory: Inventory,
): Promise<{ readonly agents: readonly object[]; readonly total: number }> {
  const pace = startPace();
  const byAgent = new Map<string, Rolled>();
  const others = new Set<string>();
  for await (const page of readAuthorizationPages(read, domain)) {
    for (const row of page) {
      const url = row.agent_url_canonical;
      let own = byAgent.get(url);
      if (own === undefined && byAgent.size < ROLLUP_CAP) {
        own = { first: row, covered: inventory.none(), isWide: false };
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
      ...(authorized_for == null ? {} : { authorized_for }),
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
  const mode = isRedirected ? 'self_redirected' : isValid ? 'self' : isServed ? 'self_invalid' : 'none';
  return {
    mode,
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

/** What a brand.json declares where there is no adagents.json (facts 3.3). */
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
    ...(relationship === 'owned' ? {} : { delegation_type: relationship }),
  };
}

function shownBrand({ brand_manifest, brand_name }: BrandRecord): object {
  const { description, logos } = brand_manifest ?? {};
  const [logo] = Array.isArray(logos) ? (logos as readonly { readonly url?: unknown }[]) : [];
  return {
    name: brand_name,
    ...(typeof description === 'string' && { description }),
    ...(typeof logo?.url === 'string' && { logo_url: logo.url }),
  };
}

/** Agents that a domain operates, with the publishers that trust them (spec 1, GET /api/registry/operator). */
export async function lookupOperator(
  registry: Registry,
  caller: RegistryCaller,
  domain: string,
  scope: OperatorScope,
): Promise<Piecemeal> {
  const { read } = registry.store;
  const pace = startPace();
  const name = publisherDomain(domain);
  const site = registrableDomain(name) ?? name;
  const wanted = SCOPE_VISIBILITIES[scope];
  const found = new Map<string, OperatedAgent>();
  let member: object | null = null;
  for await (const agent of readMemberAgents(registry)) {
    if (pace.isDue()) await pace.rest();
    if (!isServedAt(agent.agent_url, name, site)) continue;
    if (!wanted.includes(agent.visibility) || !maySee(caller, agent.visibility, agent.org_id)) continue;
    const organization = await read.organization.find(agent.org_id);
    if (organization !== undefined) member ??= describeMember(organization);
    found.set(agent.agent_url, { url: agent.agent_url, name: agent.name, type: agent.type });
    if (found.size >= MOST_AGENTS) break;
  }
  const brand = wanted.includes('public') ? await read.brand.find(name) : undefined;
  const { agents } = await offerOf(registry, brand);
  for (const { canonicalUrl, id, type, url } of agents) {
    if (found.size >= MOST_AGENTS) break;
    // What a member keeps to itself is not told by way of its brand.json either.
    const isEnrolled = (await read.member_agent.find(canonicalUrl)) !== undefined;
    if (!isEnrolled && !found.has(canonicalUrl)) found.set(canonicalUrl, { url, name: id, type });
    if (pace.isDue()) await pace.rest();
  }
  return new Piecemeal({ domain: name, member, agents: trustedAgents(read, found) });
}

type OperatedAgent = { readonly url: string; readonly name: string; readonly type: string };

/** Agents one by one, each with the publishers that trust it. */
async function* trustedAgents(
  read: ServerReader,
  agents: ReadonlyMap<string, OperatedAgent>,
): AsyncGenerator<readonly object[]> {
  for (const [canonical, agent] of agents) {
    const rows = await read.authorization.ofAgent(canonical, '', MOST_TRUSTING);
    const byPublisher = new Map(rows.map((row) => [row.publisher_domain, row]));
    const authorized_by = [...byPublisher.values()].map(({ authorized_for, evidence, publisher_domain }) => ({
      publisher_domain,
      ...(authorized_for === null ? {} : { authorized_for }),
      source: evidence === 'agent_claim' ? 'agent_claim' : 'adagents_json',
    }));
    yield [{ ...agent, authorized_by }];
  }
}

function isServedAt(agentUrl: string, domain: string, site: string): boolean {
  const host = typedDomain(new URL(canonicalAgentUrl(agentUrl) ?? agentUrl).hostname);
  return host !== undefined && (host === domain || isSameSite(host, site));
}

/** Every publisher whose file was read, by domain, some hundreds at a time (spec 1, GET /api/registry/publishers). */
export async function* readPublishers({ store }: Registry): AsyncGenerator<readonly object[]> {
  for (let after = ''; ; ) {
    const page = await store.read.publisher.page(after, CHUNK);
    if (page.length > 0) {
      // The whole record: this is what a mirror starts from.
      yield page.map((record) => ({
        agent_count: 0,
        ...record,
        has_valid_adagents: record.adagents_valid === true,
      }));
    }
    const last = page.at(-1);
    if (last === undefined || page.length < CHUNK) return;
    after = last.domain;
    await yieldToEventLoop();
  }
}

/** How much the registry knows (spec 1, GET /api/registry/stats; facts 1.3), and how its crawler is doing. */
export async function registryStats(registry: Registry): Promise<object> {
  const { crawler, index, profiles, store } = registry;
  const { read } = store;
  const { authorizations, identifiers, properties } = index.stats();
  const [agents, publishers, members, entries, crawl] = await Promise.all([
    (await profiles.index()).size(),
    read.publisher.count(),
    read.member_agent.count(),
    read.entry.countByScope('property'),
    crawler.stats(),
  ]);
  return {
    registered_agents: members,
    registered_publishers: entries,
    discovered_agents: agents,
    discovered_publishers: publishers,
    // The index holds those that stand; the rows hold stale ones too.
    discovered_properties: properties,
    identifiers,
    authorizations,
    authorizations_by_source: { adagents_json: authorizations, agent_claim: 0 },
    properties_by_type: await typesOf(registry),
    crawler: crawl,
  };
}

/** Properties by their kind: what all agents sell together would count one property once for each of them. */
async function typesOf({ clock, store }: Registry): Promise<Readonly<Record<string, number>>> {
  const known = countedTypes.get(store);
  if (known !== undefined && clock.now() - known.at < COUNTS_LAST_MS) return known.counts;
  const counts = new Map<string, number>();
  for (let after = '', read = 0; read < MOST_COUNTED; ) {
    const page = await store.read.property.page(after, CHUNK);
    for (const { property_type, status } of page) {
      if (status === 'active') counts.set(property_type, (counts.get(property_type) ?? 0) + 1);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < CHUNK) break;
    after = last.property_rid;
    read += page.length;
    await yieldToEventLoop();
  }
  const found = Object.fromEntries(counts);
  countedTypes.set(store, { at: clock.now(), counts: found });
  return found;
}

type Counted = { readonly at: number; readonly counts: Readonly<Record<string, number>> };
const countedTypes = new WeakMap<Registry['store'], Counted>();
/** Counting reads rows, and anybody may ask. */
const COUNTS_LAST_MS = MINUTE_MS;

/** Properties that are counted by kind; of a larger registry a sample in the order of their rids. */
const MOST_COUNTED = 20_000;
