import { type Clock, HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { takeBadge } from '../service/badges/give.js';
import { appendChange } from '../service/feed/feed.js';
import { RegistryProblem } from '../service/problem.js';
import type { ServerStore, ServerWriter } from '../store/server-store.js';
import { type AssessmentState, type AssessmentTrigger, INTERVAL_HOURS } from './records.js';

/** The actor of the events that assessments cause. */
export const ASSESSOR = 'pipeline:assessments';

/** The parts of a registry that the schedule of assessments needs. */
type ScheduleContext = { readonly clock: Clock; readonly store: ServerStore };

/** Has an agent be assessed from now on, where it was not already. */
export async function beginAssessments(tx: ServerWriter, clock: Clock, agent_url: string): Promise<void> {
  if ((await tx.crawl.findAssessment(agent_url)) !== undefined) return;
  const nowMs = clock.now();
  await tx.crawl.saveAssessment({
    agent_url,
    consentedAt: nowMs,
    dueAt: nowMs,
    intervalHours: INTERVAL_HOURS.usual,
    misses: 0,
    roles: [],
    runs: [],
  });
}

/** Ends the assessments of an agent, and takes back what they told of it: history, compliance and badges. */
export async function endAssessments(tx: ServerWriter, clock: Clock, agentUrl: string): Promise<void> {
  const state = await tx.crawl.findAssessment(agentUrl);
  if (state === undefined) return;
  await tx.crawl.dropAssessment(agentUrl);
  for (const role of state.roles)
    await takeBadge(tx, clock, { agent_url: agentUrl, role, reason: 'its assessments have ended', actor: ASSESSOR });
  const compliance = (await tx.agent.find(agentUrl))?.compliance;
  if (state.runs.length === 0 || compliance === undefined || compliance.status === 'unknown') return;
  await appendChange(tx, clock, {
    event_type: 'agent.compliance_changed',
    entity_id: agentUrl,
    payload: {
      agent_url: agentUrl,
      previous_status: compliance.status,
      current_status: 'unknown',
      tracks: {},
      storyboards_passing: 0,
      storyboards_total: 0,
      headline: 'The agent is assessed no more.',
    },
    actor: ASSESSOR,
  });
}

/** Changes when an agent is assessed. Throws not_found for one whose member has not consented. */
export async function changeAssessments(
  { clock, store }: ScheduleContext,
  agentUrl: string,
  change: { readonly paused?: boolean; readonly intervalHours?: number; readonly ask?: AssessmentTrigger },
): Promise<AssessmentState> {
  return store.transact(async (tx) => {
    const state = await tx.crawl.findAssessment(agentUrl);
    if (state === undefined) throw notAssessed(change.ask === 'operator' ? '/url' : 'encodedUrl');
    const { ask, intervalHours = state.intervalHours, paused } = change;
    const nowMs = clock.now();
    const [last] = state.runs;
    const nextMs = last === undefined ? nowMs : last.at + intervalHours * HOUR_MS;
    const pausedAt = paused === undefined ? state.pausedAt : pausedSince(paused, state, nowMs);
    const changed: AssessmentState = {
      ...state,
      intervalHours,
      pausedAt,
      dueAt: ask === undefined ? nextMs : nowMs,
      askedBy: ask ?? state.askedBy,
    };
    await tx.crawl.saveAssessment(changed);
    return changed;
  });
}

function pausedSince(isPaused: boolean, { pausedAt }: AssessmentState, nowMs: number): number | undefined {
  return isPaused ? (pausedAt ?? nowMs) : undefined;
}

/** Returns the refusal of what needs the consent of the member of an agent, which `field` of the request names. */
export function notAssessed(field: string): RegistryProblem {
  return new RegistryProblem('not_found', 'This agent is not assessed: its member has not consented.', {
    field,
    suggestion: 'Its member enrolls it with "assessments": true.',
  });
}

/** Returns how an agent is assessed, in the members of the wire. */
export function describeMonitoring({ intervalHours, pausedAt }: AssessmentState): object {
  return {
    monitoring_paused: pausedAt !== undefined,
    check_interval_hours: intervalHours,
    monitoring_paused_at: pausedAt === undefined ? null : isoTime(pausedAt),
  };
}
