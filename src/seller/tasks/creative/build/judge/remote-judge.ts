import { canonicalUrl } from '../../../../../creative/formats/format-id.js';
import type { Manifest } from '../../../../../creative/formats/manifest.js';
import { monotonicMs } from '../../../../../platform/kernel/clock.js';
import { isObject } from '../../../../../platform/kernel/json/json.js';
import { callTool, type RemoteAgent } from '../../../../../platform/mcp/client/call.js';
import type { Outbound } from '../../../../../platform/net/fetch.js';
import { TaskError } from '../../../../../protocol/errors.js';
import type { App, Call } from '../../../../context.js';
import {
  type Evaluation,
  type MeasuredFeature,
  meetsRequirements,
  rankByFeatures,
} from '../../../../domain/creative/evaluation.js';
import type { Evaluator, EvaluatorArgument } from './input.js';

type JudgeContext = { readonly app: App; readonly call: Call };

/** Most creatives of one call that another agent is asked about. */
const MAX_CALLS = 40;
const MAX_RESULTS = 100;
const MAX_CHARS = 255;

/** Throws EVALUATOR_AGENT_NOT_ACCEPTED for an agent that no product of the seller, or of the sellers here that take its creatives, accepts as a verifier. */
export function acceptAgent({ app, call }: JudgeContext, agentUrl: string, field: string): void {
  const { url, tenant } = call.seller;
  const others = [...app.sellers().values()].filter(({ creativeAgents }) =>
    creativeAgents.some((agent) => agent.agent_url === url),
  );
  const products = [tenant, ...others.map((other) => other.tenant)].flatMap((one) => one.products);
  const accepted = new Set(
    products.flatMap(({ creative_policy: policy }) => policy?.accepted_verifiers?.map((one) => one.agent_url) ?? []),
  );
  if ([...accepted].some((one) => canonicalUrl(one) === canonicalUrl(agentUrl))) return;
  throw new TaskError('EVALUATOR_AGENT_NOT_ACCEPTED', 'No seller here lets this agent judge its creatives.', {
    field,
    suggestion:
      'Name an agent of accepted_verifiers in creative_policy of the products, or send evaluator_id "creative_features".',
    details: { accepted_verifiers: [...accepted] },
  });
}

/** The agent that judges, and the way to it. */
type JudgePorts = {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly agent: RemoteAgent;
  readonly logFailure: () => void;
};

/**
 * Returns an evaluator that asks an agent's get_creative_features about each creative. Once the agent has failed it is not asked again: the
 * creatives then are unjudged, none is dropped, and the advice says so.
 */
export function openRemoteJudge({ outbound, agent, logFailure }: JudgePorts, asked: EvaluatorArgument): Evaluator {
  const { feature_requirement: required, rank_by: keys, eval_budget: budget, feature_agent: pointer } = asked;
  const named = [...(required ?? []), ...(keys ?? []), ...(pointer === undefined ? [] : [pointer])];
  const ids = [...new Set(named.flatMap(({ feature_id }) => feature_id ?? []))];
  const most = Math.min(MAX_CALLS, budget?.max_calls ?? MAX_CALLS);
  const startedMs = monotonicMs();
  const spentSeconds = (): number => (monotonicMs() - startedMs) / 1000;
  let calls = 0;
  let advice: TaskError | undefined;
  return { evaluate, accepts, rank: (group, measured) => rankByFeatures(group, keys, measured), advice: listAdvice };

  async function evaluate(manifest: Manifest): Promise<Evaluation | undefined> {
    if (advice !== undefined) return undefined;
    if (calls >= most || (budget?.max_seconds !== undefined && calls > 0 && spentSeconds() > budget.max_seconds)) {
      advice = refuseSpent(calls);
      return undefined;
    }
    calls += 1;
    const beforeMs = monotonicMs();
    const question = { creative_manifest: manifest, feature_ids: ids.length === 0 ? undefined : ids };
    const answer = await callTool(outbound, agent, 'get_creative_features', question);
    if ('fault' in answer || answer.isError) {
      advice = refuseUnanswered('fault' in answer ? answer.fault : 'refused');
      logFailure();
      return undefined;
    }
    const seconds = Math.round(monotonicMs() - beforeMs) / 1000;
    const used = budget === undefined ? {} : { calls_used: 1, seconds_used: seconds };
    return { features: readResults(answer.payload.results), ...used };
  }

  function accepts(evaluation: Evaluation): boolean {
    return meetsRequirements(evaluation, required);
  }

  function listAdvice(): readonly TaskError[] {
    return advice === undefined ? [] : [advice];
  }
}

function refuseUnanswered(why: string): TaskError {
  return new TaskError(
    'SERVICE_UNAVAILABLE',
    `The evaluator gave no values (${why}); creatives come as they were built.`,
    {
      field: 'evaluator',
      suggestion: 'See to it that the agent answers get_creative_features for this one, then build again.',
    },
  );
}

function refuseSpent(calls: number): TaskError {
  return new TaskError('BUDGET_CAP_REACHED', `The evaluator was asked about ${calls} creatives and no more.`, {
    field: 'evaluator.eval_budget',
    suggestion: 'Raise eval_budget, or ask for fewer creatives.',
  });
}

/** Returns what an agent answered that is a value of a feature; the rest is a stranger's. */
function readResults(results: unknown): readonly MeasuredFeature[] {
  const rows = Array.isArray(results) ? results.slice(0, MAX_RESULTS).filter(isObject) : [];
  return rows.flatMap(({ feature_id, value, unit, confidence }) => {
    if (typeof feature_id !== 'string' || feature_id.length > MAX_CHARS || !isValue(value)) return [];
    return [
      {
        feature_id,
        value,
        unit: typeof unit === 'string' && unit.length <= MAX_CHARS ? unit : undefined,
        confidence: typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : undefined,
      },
    ];
  });
}

function isValue(value: unknown): value is MeasuredFeature['value'] {
  if (typeof value === 'string') return value.length <= MAX_CHARS;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}
