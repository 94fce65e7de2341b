import { isDeepStrictEqual } from 'node:util';
import { canonicalAgentUrl } from '../../../model/agent-url.js';
import type { AgentRecord, Compliance, VerificationMode } from '../../../model/records.js';
import type { ServerWriter } from '../../store/server-store.js';
import { appendChange } from '../feed/feed.js';
import { RegistryProblem } from '../problem.js';
import type { Registry } from '../registry.js';
import { revokeBadge } from './revoked.js';

/** The parts of the registry that give badges. */
type BadgeContext = Pick<Registry, 'clock' | 'ids' | 'store'>;

/** A badge as it is given; without specialisms it is taken away. */
type BadgeInput = {
  readonly url: string;
  readonly role: string;
  readonly adcp_version: string;
  readonly verified_specialisms: readonly string[];
  readonly verification_modes: readonly VerificationMode[];
  readonly reason: string;
};

/**
 * Gives or takes a badge, and appends the event; one that is held as it is given stays. What was signed of a badge that is taken or
 * changed counts no more. Throws not_found for an agent that nobody knows.
 */
export async function setBadge(registry: BadgeContext, badge: BadgeInput, actor: string): Promise<void> {
  await registry.store.transact(async (tx) => {
    const { agent, agent_url } = await knownAgent(tx, badge.url);
    await changeBadge(registry, tx, { ...badge, agent, agent_url, actor });
  });
}

/** A badge of an agent that is known, and who gives or takes it. */
type BadgeChange = Omit<BadgeInput, 'url'> & {
  readonly agent: AgentRecord | undefined;
  readonly agent_url: string;
  readonly actor: string;
};

/** Gives or takes a badge in a transaction, see `setBadge`. */
async function changeBadge({ clock, ids }: BadgeContext, tx: ServerWriter, change: BadgeChange): Promise<void> {
  const { actor, adcp_version, agent, agent_url, reason, role, verification_modes, verified_specialisms } = change;
  const isEarned = verified_specialisms.length > 0;
  const held = agent?.badges?.find((one) => one.role === role);
  const given = { role, adcp_version, verified_specialisms, verification_modes };
  if (isEarned && held?.badge_id !== undefined) {
    const { badge_id: _id, earned_at: _at, ...content } = held;
    if (isDeepStrictEqual(content, given)) return;
  }
  if (held !== undefined)
    await revokeBadge(tx, clock, { agentUrl: agent_url, badge: held, reason: isEarned ? 'replaced' : reason });
  await appendChange(tx, clock, {
    event_type: isEarned ? 'agent.verification_earned' : 'agent.verification_lost',
    entity_id: agent_url,
    payload: { agent_url, ...(isEarned ? { ...given, badge_id: ids.uuid() } : { role, reason }) },
    actor,
  });
}

/** Sets the compliance of an agent, and appends the event. Throws not_found for an agent that nobody knows. */
export async function setCompliance(
  { clock, store }: BadgeContext,
  url: string,
  compliance: Compliance,
  actor: string,
): Promise<void> {
  await store.transact(async (tx) => {
    const { agent, agent_url } = await knownAgent(tx, url);
    const previous_status = agent?.compliance?.status ?? 'unknown';
    await appendChange(tx, clock, {
      event_type: 'agent.compliance_changed',
      entity_id: agent_url,
      payload: { agent_url, ...compliance, previous_status, current_status: compliance.status },
      actor,
    });
  });
}

async function knownAgent(
  tx: ServerWriter,
  url: string,
): Promise<{ readonly agent: AgentRecord | undefined; readonly agent_url: string }> {
  const agent_url = canonicalAgentUrl(url);
  if (agent_url === undefined)
    throw new RegistryProblem('invalid_request', 'url: is not the URL of an agent', {
      field: '/url',
      suggestion: 'Send the absolute https URL that buyers call, such as https://ads.example/mcp.',
    });
  const agent = await tx.agent.find(agent_url);
  if (agent === undefined && (await tx.member_agent.find(agent_url)) === undefined)
    throw new RegistryProblem('not_found', 'There is no such agent.', {
      field: '/url',
      suggestion: 'Check the spelling; it is matched exactly.',
    });
  return { agent, agent_url };
}
