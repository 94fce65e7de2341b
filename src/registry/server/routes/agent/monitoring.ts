import { z } from 'zod';
import { isoTime } from '../../../../platform/kernel/clock.js';
import { canonicalAgentUrl } from '../../../model/agent-url.js';
import {
  beginAssessments,
  changeAssessments,
  describeMonitoring,
  endAssessments,
  notAssessed,
} from '../../assessment/consent.js';
import { type AssessmentRun, type AssessmentState, INTERVAL_HOURS, MAX_RUNS } from '../../assessment/records.js';
import { asMember, type RegistryCaller } from '../../auth/caller.js';
import { problemsOf } from '../../http/answers.js';
import { ok, type Route, type RouteSpec, route } from '../../http/route.js';
import { integer } from '../../openapi/fields.js';
import { TAGS } from '../../openapi/tags.js';
import { refuseMember } from '../../service/blocks/holds.js';
import { RegistryProblem } from '../../service/problem.js';
import type { Registry } from '../../service/registry.js';

const AGENT = '/api/registry/agents/{encodedUrl}';
const monitoring = z.looseObject({
  monitoring_paused: z.boolean(),
  check_interval_hours: z.int(),
  monitoring_paused_at: z.string().nullable(),
});
const run = z.looseObject({
  id: z.string(),
  overall_status: z.string(),
  headline: z.string(),
  tested_at: z.string(),
  triggered_by: z.string(),
});

/** Returns a change of one's own agent. */
function ownRoute<Body extends z.ZodType>(
  spec: Pick<RouteSpec<z.ZodUndefined, Body>, 'method' | 'operation_id' | 'summary' | 'body'> & {
    readonly path: string;
    readonly answer: z.ZodType;
    readonly apply: (registry: Registry, agentUrl: string, body: z.output<Body>) => Promise<object>;
  },
): Route {
  const { answer, apply, path, ...rest } = spec;
  return route<z.ZodUndefined, Body>({
    ...rest,
    path: `${AGENT}/${path}`,
    tag: TAGS.standing,
    auth: 'member',
    limits: spec.method === 'GET' ? [] : ['save'],
    answers: { 200: { description: 'As it is now.', body: answer }, ...problemsOf(400, 401, 403, 404, 429) },
    run: async ({ registry, caller, params, body }) =>
      ok(await apply(registry, await ownAgent(registry, caller, params.encodedUrl ?? ''), body)),
  });
}

/** Assessments of agents on a schedule, and what their members have a say in. */
export const MONITORING_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: `${AGENT}/compliance/history`,
    operation_id: 'getAgentComplianceHistory',
    tag: TAGS.standing,
    summary: 'The assessments of an agent, the newest first.',
    auth: 'none',
    query: z.object({ limit: integer(`At most so many; ${MAX_RUNS} unless given.`, { min: 1, max: 100 }).optional() }),
    answers: {
      200: {
        description: 'None of an agent that is not assessed.',
        body: z.object({ agent_url: z.string(), runs: z.array(run), count: z.int() }),
      },
      ...problemsOf(400),
    },
    run: async ({ registry, params: { encodedUrl = '' }, query }) => {
      const state = await registry.store.read.crawl.findAssessment(agentKey(encodedUrl));
      const runs = (state?.runs ?? []).slice(0, query.limit ?? MAX_RUNS).map(shownRun);
      return ok({ agent_url: encodedUrl, runs, count: runs.length });
    },
  }),
  ownRoute({
    method: 'GET',
    path: 'monitoring/settings',
    operation_id: 'getAgentMonitoringSettings',
    summary: 'How often your agent is assessed, and whether it is.',
    answer: monitoring,
    apply: async ({ store }, url) => {
      const state = await store.read.crawl.findAssessment(url);
      if (state === undefined) throw notAssessed('encodedUrl');
      return describeMonitoring(state);
    },
  }),
  ownRoute({
    method: 'PUT',
    path: 'monitoring/pause',
    operation_id: 'updateAgentMonitoringPause',
    summary: 'Have the assessments of your agent rest, or go on.',
    body: z.object({ paused: z.boolean() }),
    answer: monitoring,
    apply: async (registry, url, { paused }) => describeMonitoring(await changeAssessments(registry, url, { paused })),
  }),
  ownRoute({
    method: 'PUT',
    path: 'monitoring/interval',
    operation_id: 'updateAgentMonitoringInterval',
    summary: `Set how many hours lie between two assessments of your agent, ${INTERVAL_HOURS.least} to ${INTERVAL_HOURS.most}.`,
    body: z.object({ interval_hours: z.int().min(INTERVAL_HOURS.least).max(INTERVAL_HOURS.most) }),
    answer: monitoring,
    apply: async (registry, url, { interval_hours: intervalHours }) =>
      describeMonitoring(await changeAssessments(registry, url, { intervalHours })),
  }),
  ownRoute({
    method: 'POST',
    path: 'monitoring/requeue',
    operation_id: 'requeueAgentForHeartbeat',
    summary: 'Have your agent be assessed with the next round.',
    answer: z.object({ requeued: z.boolean() }),
    apply: async (registry, url) => {
      await changeAssessments(registry, url, { ask: 'owner' });
      return { requeued: true };
    },
  }),
  ownRoute({
    method: 'PUT',
    path: 'compliance/opt-out',
    operation_id: 'updateAgentComplianceOptOut',
    summary: 'Withdraw your consent to the assessments of your agent, or give it.',
    body: z.object({ opt_out: z.boolean() }),
    answer: z.looseObject({ agent_url: z.string(), compliance_opt_out: z.boolean() }),
    apply: async ({ clock, store }, url, { opt_out }) => {
      await store.transact(async (tx) => {
        if (opt_out) await refuseMember(tx, url);
        await (opt_out ? endAssessments : beginAssessments)(tx, clock, url);
      });
      const [state, agent] = await Promise.all([
        store.read.crawl.findAssessment(url),
        store.read.member_agent.find(url),
      ]);
      const { added_date, updated_at } = agent ?? {
        added_date: isoTime(clock.now()),
        updated_at: isoTime(clock.now()),
      };
      return {
        agent_url: url,
        lifecycle_stage: 'production',
        compliance_opt_out: opt_out,
        ...(state === undefined ? NOT_MONITORED : describeMonitoring(state)),
        created_at: added_date,
        updated_at,
      };
    },
  }),
];

const NOT_MONITORED = {
  monitoring_paused: true,
  check_interval_hours: INTERVAL_HOURS.usual,
  monitoring_paused_at: null,
};

/** Returns the assessments that an agent's member has consented to, as the member is shown them; null where there is no consent. */
export function shownAssessments(state: AssessmentState | undefined): object | null {
  if (state === undefined) return null;
  const [last] = state.runs;
  return {
    consented_at: isoTime(state.consentedAt),
    ...describeMonitoring(state),
    next_at: state.pausedAt === undefined ? isoTime(state.dueAt) : null,
    last: last === undefined ? null : shownRun(last),
  };
}

function shownRun({ at, headline, id, release, status, tookMs, tracks, trigger }: AssessmentRun): object {
  const count = (outcome: string): number => Object.values(tracks).filter((one) => one === outcome).length;
  return {
    id,
    requested_compliance_target: null,
    adcp_version: release,
    overall_status: status,
    headline,
    tracks_passed: count('pass'),
    tracks_failed: count('fail'),
    tracks_skipped: count('skip'),
    tracks_partial: count('partial'),
    tracks_json: tracks,
    total_duration_ms: tookMs,
    triggered_by: trigger,
    tested_at: isoTime(at),
  };
}

async function ownAgent(registry: Registry, caller: RegistryCaller, url: string): Promise<string> {
  const key = agentKey(url);
  const agent = await registry.store.read.member_agent.find(key);
  if (agent?.org_id === asMember(caller).organization.org_id) return key;
  throw new RegistryProblem('not_found', 'You have enrolled no agent of this URL.', {
    field: 'encodedUrl',
    suggestion: 'Enrol it with POST /api/me/agents.',
  });
}

function agentKey(url: string): string {
  const key = canonicalAgentUrl(url);
  if (key !== undefined) return key;
  throw new RegistryProblem('invalid_request', 'encodedUrl: is not the URL of an agent', {
    field: 'encodedUrl',
    suggestion: 'Send the URL that buyers call, percent-encoded.',
  });
}
