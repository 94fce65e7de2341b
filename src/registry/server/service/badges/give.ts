import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../../platform/kernel/clock.js';
import type { Ids } from '../../../../platform/kernel/ids.js';
import { canonicalAgentUrl } from '../../../model/agent-url.js';
import type { AgentRecord, Compliance, VerificationMode } from '../../../model/records.js';
import type { ServerStore, ServerWriter } from '../../store/server-store.js';
import { appendChange } from '../feed/feed.js';
import { RegistryProblem } from '../problem.js';
import { revokeBadge } from './revoked.js';

/** The parts of the registry that give badges. */
type BadgeContext = { readonly clock: Clock; readonly ids: Ids; readonly store: ServerStore };

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
  const { clock, ids, store } = registry;
  await store.transact(async (tx) => {
    const { agent, agent_url } = await readAgent(tx, badge.url);
    await changeBadge(tx, { clock, newId: ids.uuid }, { ...badge, agent, agent_url, actor });
  });
}

/** A badge of an agent that is known, and who gives or takes it. */
type BadgeChange = Omit<BadgeInput, 'url'> & {
  readonly agent: AgentRecord | undefined;
  readonly agent_url: string;
  readonly actor: string;
};

/** Gives or takes a badge in a transaction, see `setBadge`. */
export async function changeBadge(
  tx: ServerWriter,
  { clock, newId }: { readonly clock: Clock; readonly newId: () => string },
  change: BadgeChange,
): Promise<void> {
  const { actor, adcp_version, agent, agent_url, reason, role, verification_modes, verified_specialisms } = change;
  const held = agent?.badges?.find((one) => one.role === role);
  if (verified_specialisms.length === 0) return takeBadge(tx, clock, { agent_url, role, reason, actor });
  const given = { role, adcp_version, verified_specialisms, verification_modes };
  if (held?.badge_id !== undefined) {
    const { badge_id: _id, earned_at: _at, ...content } = held;
    if (isDeepStrictEqual(content, given)) return;
  }
  if (held !== undefined) await revokeBadge(tx, clock, { agentUrl: agent_url, badge: held, reason: 'replaced' });
  await appendChange(tx, clock, {
    event_type: 'agent.verification_earned',
    entity_id: agent_url,
    payload: { agent_url, ...given, badge_id: newId() },
    actor,
  });
}

/** Which badge is taken, why and by whom. */
type TakenBadge = Readonly<Record<'agent_url' | 'role' | 'reason' | 'actor', string>>;

/** Takes a badge in a transaction, appends the event, and has nothing count that was signed of it. */
export async function takeBadge(
  tx: ServerWriter,
  clock: Clock,
  { actor, agent_url, reason, role }: TakenBadge,
): Promise<void> {
  const held = (await tx.agent.find(agent_url))?.badges?.find((one) => one.role === role);
  if (held !== undefined) await revokeBadge(tx, clock, { agentUrl: agent_url, badge: held, reason });
  await appendChange(tx, clock, {
    event_type: 'agent.verification_lost',
    entity_id: agent_url,
    payload: { agent_url, role, reason },
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
    const { agent, agent_url } = await readAgent(tx, url);
    const previous_status = agent?.compliance?.status ?? 'unknown';
    await appendChange(tx, clock, {
      event_type: 'agent.compliance_changed',
      entity_id: agent_url,
      payload: { agent_url, ...compliance, previous_status, current_status: compliance.status },
      actor,
    });
  });
}

async function readAgent(
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
