import { startPace, yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import type { AgentRecord } from '../../../model/records.js';
import { maySee, type RegistryCaller } from '../../auth/caller.js';
import type { Visit } from '../../crawl/records.js';
import { RegistryProblem } from '../problem.js';
import type { MemberAgent, Organization } from '../records.js';
import type { Registry } from '../registry.js';
import { type AgentType, describeCapabilities, type Metric, readMetrics } from './reading.js';
import { describeHealth } from './visit.js';

/** The filters of the catalog, and what each agent is shown with. */
type CatalogQuery = {
  readonly type?: AgentType;
  readonly health?: boolean;
  readonly capabilities?: boolean;
  readonly properties?: boolean;
  readonly compliance?: boolean;
  readonly metric_id?: readonly string[];
  readonly accreditation?: readonly string[];
  readonly q?: string;
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
 * The agents that members have enrolled and the caller may see, some at a time: with all that may
 * be added, the list is longer than what should be in memory at once. Filters of metrics imply measurement agents; one metric has to meet
 * all of them, each by one of its values. Throws invalid_request, at once, for a type that has no metrics.
 */
export function listAgents(
  registry: Registry,
  caller: RegistryCaller,
  query: CatalogQuery,
): AsyncIterable<readonly CatalogAgent[]> {
  return wantedAgents(registry, caller, readQuery(query));
}

async function* wantedAgents(
  registry: Registry,
  caller: RegistryCaller,
  asked: CatalogQuery,
): AsyncGenerator<readonly CatalogAgent[]> {
  const pace = startPace();
  let agents: CatalogAgent[] = [];
  // What an agent said of itself is long, and most lists do without.
  const needsVisit = asked.health === true || asked.capabilities === true || hasMetricFilter(asked);
  const organizations = new Map<string, Organization | undefined>();
  for await (const agent of readMemberAgents(registry)) {
    if (pace.isDue()) await pace.rest();
    if (!maySee(caller, agent.visibility, agent.org_id)) continue;
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
    agents.push(await shownAgent(registry, agent, organizations.get(agent.org_id), visit, record, asked));
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

function readQuery(query: CatalogQuery): CatalogQuery {
  const q = query.q === '' ? undefined : query.q;
  const { q: _empty, ...rest } = query;
  const asked = { ...rest, q };
  if (!hasMetricFilter(asked)) return asked;
  if (asked.type !== undefined && asked.type !== 'measurement') {
    throw new RegistryProblem('invalid_request', `type: ${asked.type} agents have no metrics to filter by`, {
      field: 'type',
      suggestion: 'Leave type out, or send type=measurement, with metric_id, accreditation and q.',
      details: { valid_values: ['measurement'] },
    });
  }
  return { ...asked, type: 'measurement' };
}

function hasMetricFilter({ accreditation = [], metric_id = [], q }: CatalogQuery): boolean {
  return accreditation.length > 0 || metric_id.length > 0 || q !== undefined;
}

function isWanted(visit: Visit | undefined, record: AgentRecord | undefined, query: CatalogQuery): boolean {
  const badges = record?.badges ?? [];
  if (query.verified === true && badges.length === 0) return false;
  const modes: ReadonlySet<string> = new Set(badges.flatMap(({ verification_modes = ['spec'] }) => verification_modes));
  if (!(query.verification_mode ?? []).every((mode) => modes.has(mode))) return false;
  if (!hasMetricFilter(query)) return true;
  return readMetrics(visit?.reading?.capabilities).some((metric) => meets(metric, query));
}

function meets(metric: Metric, { accreditation = [], metric_id = [], q = '' }: CatalogQuery): boolean {
  const bodies = (metric.accreditations ?? []).map(({ accrediting_body }) => accrediting_body);
  return (
    (metric_id.length === 0 || metric_id.includes(metric.metric_id)) &&
    (accreditation.length === 0 || bodies.some((body) => accreditation.includes(body))) &&
    metric.metric_id.toLowerCase().includes(q.toLowerCase())
  );
}

async function shownAgent(
  registry: Registry,
  agent: MemberAgent,
  organization: Organization | undefined,
  visit: Visit | undefined,
  record: AgentRecord | undefined,
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

async function propertiesOf({ store, index }: Registry, url: string, record: AgentRecord | undefined): Promise<object> {
  const tally = await store.read.crawl.findTotals(url);
  return {
    publisher_domains: index.domainsOf(url).slice(0, MAX_PUBLISHERS),
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
