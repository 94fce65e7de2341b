import { startPace } from '../../../../platform/kernel/event-loop.js';
import { Piecemeal } from '../../../../platform/kernel/json/pieces.js';
import { canonicalAgentUrl } from '../../../model/agent-url.js';
import { isSameSite, publisherDomain, registrableDomain, typedDomain } from '../../../model/domains.js';
import { effectiveSpan, isInEffect, isOpenGrant } from '../../../model/grants.js';
import type { AuthorizationRecord } from '../../../model/records.js';
import { canSee, type RegistryCaller } from '../../auth/caller.js';
import { describeMember, readMemberAgents } from '../agent/catalog.js';
import type { Registry } from '../registry.js';

/** Agents of an operator, and most publishers that trust one of them. */
const MAX_AGENTS = 100;
const MAX_TRUSTING = 500;

/** The agents of an operator that are asked for; only what the caller may see is ever shown. */
export const SCOPES = ['public', 'member', 'private', 'all'] as const;
export type OperatorScope = (typeof SCOPES)[number];

const SCOPE_VISIBILITIES: Readonly<Record<OperatorScope, readonly string[]>> = {
  public: ['public'],
  member: ['public', 'members_only'],
  private: ['private'],
  all: ['public', 'members_only', 'private'],
};

/** Returns the agents that a domain operates, with the publishers that trust them. */
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
  const byUrl = new Map<string, OperatedAgent>();
  let member: object | null = null;
  for await (const agent of readMemberAgents(registry)) {
    if (pace.isDue()) await pace.rest();
    if (!isServedAt(agent.agent_url, name, site)) continue;
    if (!wanted.includes(agent.visibility) || !canSee(caller, agent.visibility, agent.org_id)) continue;
    const organization = await read.organization.find(agent.org_id);
    if (organization !== undefined) member ??= describeMember(organization);
    byUrl.set(agent.agent_url, { url: agent.agent_url, name: agent.name, type: agent.type });
    if (byUrl.size >= MAX_AGENTS) break;
  }
  const brand = wanted.includes('public') ? await read.brand.find(name) : undefined;
  const { agents } = await registry.operatorDocuments.readOffer(brand);
  for (const { canonicalUrl, id, type, url } of agents) {
    if (byUrl.size >= MAX_AGENTS) break;
    // What a member keeps to itself is not told by way of its brand.json either.
    const isEnrolled = (await read.member_agent.find(canonicalUrl)) !== undefined;
    if (!isEnrolled && !byUrl.has(canonicalUrl)) byUrl.set(canonicalUrl, { url, name: id, type });
    if (pace.isDue()) await pace.rest();
  }
  return new Piecemeal({ domain: name, member, agents: trustedAgents(registry, byUrl) });
}

type OperatedAgent = { readonly url: string; readonly name: string; readonly type: string };

/** Reads agents one by one, each with the publishers that trust it just now. */
async function* trustedAgents(
  { clock, index, store }: Registry,
  agents: ReadonlyMap<string, OperatedAgent>,
): AsyncGenerator<readonly object[]> {
  const pace = startPace();
  for (const [canonical, agent] of agents) {
    const nowMs = clock.now();
    const byPublisher = new Map<string, AuthorizationRecord>();
    for (const row of await store.read.authorization.ofAgent(canonical, '', MAX_TRUSTING)) {
      const isClaim = row.evidence === 'agent_claim' && isInEffect(effectiveSpan(row), nowMs);
      const isTrusted =
        isClaim || (isOpenGrant(row, nowMs) && index.publisher(row.publisher_domain)?.standing === 'open');
      if (isTrusted) byPublisher.set(row.publisher_domain, row);
      if (pace.isDue()) await pace.rest();
    }
    const authorized_by = [...byPublisher.values()].map(({ authorized_for, evidence, publisher_domain }) => ({
      publisher_domain,
      authorized_for: authorized_for ?? undefined,
      source: evidence === 'agent_claim' ? 'agent_claim' : 'adagents_json',
    }));
    yield [{ ...agent, authorized_by }];
  }
}

function isServedAt(agentUrl: string, domain: string, site: string): boolean {
  const host = typedDomain(new URL(canonicalAgentUrl(agentUrl) ?? agentUrl).hostname);
  return host !== undefined && (host === domain || isSameSite(host, site));
}
