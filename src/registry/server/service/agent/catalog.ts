import { startPace, yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import type { AgentRecord } from '../../../model/records.js';
import { canSee, type RegistryCaller } from '../../auth/caller.js';
import type { Visit } from '../../crawl/records.js';
import { listOpenDomains } from '../publisher/open-domains.js';
import type { MemberAgent, Organization } from '../records.js';
import type { Registry } from '../registry.js';
import { type StatementFilters, statementTest } from './filters.js';
import { type AgentReading, describeCapabilities } from './reading.js';
import { describeHealth } from './visit.js';

/** The filters of the catalog, and what each agent is shown with. */
type CatalogQuery = StatementFilters & {
  readonly health?: boolean;
  readonly capabilities?: boolean;
  readonly properties?: boolean;
  readonly compliance?: boolean;
  readonly verification_mode?: readonly string[];
  readonly verified?: boolean;
};

/** An agent of the catalog in the members of the wire, with what was asked for beside. */
export type CatalogAgent = Readonly<Record<string, unknown>> & { readonly url: string };

const CHUNK = 500;
/** Agents that are handed on together. */
const MAX_CHUNK_AGENTS = 20;
/** Publishers that an agent is listed with. */
const MAX_PUBLISHERS = 100;
const TIER_LABELS: Readonly<Record<Organization['tier'], string>> = { basic: 'Member', api: 'API member' };

/** Returns the member that enrolled an agent, as the wire shows it. */
export function describeMember({ slug, name, tier }: Organization): object {
  return {
    slug,
    display_name: name,
    membership_tier: tier,
    membership_tier_label: TIER_LABELS[tier],
    is_founding_member: false,
  };
}

/**
 * Returns the agents that members have enrolled and the caller may see, some at a time: with all that may be added, the list is longer
 * than what should be in memory at once. Throws invalid_request, at once, for filters that no agent can meet.
 */
export function listAgents(
  registry: Registry,
  caller: RegistryCaller,
  query: CatalogQuery,
): AsyncIterable<readonly CatalogAgent[]> {
  const statement = statementTest(query);
  return wantedAgents(registry, caller, { ...query, type: statement?.type ?? query.type, isMet: statement?.isMet });
}

/** A query of the catalog, with the test of an agent's own statements where there is one. */
type Wanted = CatalogQuery & { readonly isMet: ((reading: AgentReading | undefined) => boolean) | undefined };

async function* wantedAgents(
  registry: Registry,
  caller: RegistryCaller,
  asked: Wanted,
): AsyncGenerator<readonly CatalogAgent[]> {
  const pace = startPace();
  let agents: CatalogAgent[] = [];
  // What an agent said of itself is long, and most lists do without.
  const needsVisit = asked.health === true || asked.capabilities === true || asked.isMet !== undefined;
  const organizations = new Map<string, Organization | undefined>();
  for await (const agent of readMemberAgents(registry)) {
    if (pace.isDue()) await pace.rest();
    if (!canSee(caller, agent.visibility, agent.org_id)) continue;
    // The cheap question first: to read what an agent said takes longer than all others together.
    if (asked.type !== undefined && agent.type !== asked.type) continue;
    const [visit, record] = await Promise.all([
      needsVisit ? registry.store.read.crawl.findVisit(agent.agent_url) : undefined,
      registry.store.read.agent.find(agent.agent_url),
    ]);
    if (!isWanted(visit, record, asked)) continue;
    if (!organizations.has(agent.org_id)) {
      organizations.set(agent.org_id, await registry.store.read.organization.find(agent.org_id));
    }
    const facts = { organization: organizations.get(agent.org_id), visit, record };
    agents.push(await shownAgent(registry, agent, facts, asked));
    if (agents.length < MAX_CHUNK_AGENTS) continue;
    yield agents;
    agents = [];
  }
  if (agents.length > 0) yield agents;
}

/** Reads every agent that a member has enrolled. */
export async function* readMemberAgents({ store }: Pick<Registry, 'store'>): AsyncGenerator<MemberAgent> {
  for (let after = ''; ; ) {
    const page = await store.read.member_agent.page(after, CHUNK);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < CHUNK) return;
    after = last.agent_url;
    await yieldToEventLoop();
  }
}

function isWanted(visit: Visit | undefined, record: AgentRecord | undefined, query: Wanted): boolean {
  const badges = record?.badges ?? [];
  if (query.verified === true && badges.length === 0) return false;
  const modes: ReadonlySet<string> = new Set(badges.flatMap(({ verification_modes = ['spec'] }) => verification_modes));
  if (!(query.verification_mode ?? []).every((mode) => modes.has(mode))) return false;
  return query.isMet === undefined || query.isMet(visit?.reading);
}

/** The stored facts of an agent beside its enrollment. */
type AgentFacts = {
  readonly organization: Organization | undefined;
  readonly visit: Visit | undefined;
  readonly record: AgentRecord | undefined;
};

async function shownAgent(
  registry: Registry,
  agent: MemberAgent,
  { organization, visit, record }: AgentFacts,
  query: CatalogQuery,
): Promise<CatalogAgent> {
  const { agent_url, contact, name, protocol, description } = agent;
  return {
    url: agent_url,
    name,
    type: agent.type,
    protocol,
    description,
    ...(protocol === 'mcp' && { mcp_endpoint: agent_url }),
    contact: { name: contact?.name ?? '', email: contact?.email ?? '', website: contact?.website ?? '' },
    added_date: agent.added_date,
    visibility: agent.visibility,
    ...(organization !== undefined && { member: describeMember(organization) }),
    ...(query.health === true && visit !== undefined && { health: describeHealth(visit), stats: statsOf(record) }),
    ...(query.capabilities === true &&
      visit?.reading !== undefined && { capabilities: describeCapabilities(visit.reading) }),
    ...(query.properties === true && agent.type === 'sales' && (await propertiesOf(registry, agent_url, record))),
    ...(query.compliance === true && { compliance: complianceOf(record) }),
  };
}

function statsOf(record: AgentRecord | undefined): object {
  return {
    property_count: record?.property_count ?? 0,
    publisher_count: record?.publisher_count ?? 0,
    creative_formats: record?.format_ids.length ?? 0,
  };
}

async function propertiesOf(registry: Registry, url: string, record: AgentRecord | undefined): Promise<object> {
  const tally = await registry.store.read.crawl.findTotals(url);
  return {
    publisher_domains: await listOpenDomains(registry, url, MAX_PUBLISHERS),
    property_summary: {
      total_count: record?.property_count ?? 0,
      count_by_type: tally?.property_types ?? {},
      tags: record?.tags ?? [],
      publisher_count: record?.publisher_count ?? 0,
    },
  };
}

/** Returns the compliance of an agent. */
function complianceOf(record: AgentRecord | undefined): object {
  const { badges = [], compliance } = record ?? {};
  return {
    status: compliance?.status ?? 'unknown',
    lifecycle_stage: 'production',
    tracks: compliance?.tracks ?? {},
    streak_days: 0,
    last_checked_at: compliance?.last_checked_at ?? null,
    headline: compliance?.headline ?? null,
    monitoring_paused: false,
    check_interval_hours: 24,
    verified: badges.length > 0,
    verified_roles: badges.map(({ role }) => role),
    verification_modes: [...new Set(badges.flatMap(({ verification_modes = ['spec'] }) => verification_modes))],
  };
}
