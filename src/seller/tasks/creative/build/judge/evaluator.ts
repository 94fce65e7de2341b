import { FEATURES } from '../../../../../creative/features/features.js';
import { TaskError } from '../../../../../protocol/errors.js';
import type { App, Call } from '../../../../context.js';
import { meetsRequirements, rankByFeatures } from '../../../../domain/creative/evaluation.js';
import { checkCredentials } from '../../../pipeline/arguments/credentials.js';
import { canNameLocal } from '../../../pipeline/order-context.js';
import { measureManifest } from '../../features/measure.js';
import type { Evaluator, EvaluatorArgument } from './input.js';
import { acceptAgent, openRemoteJudge } from './remote-judge.js';

/** The evaluator of this agent: the features of get_creative_features. */
const HOUSE_EVALUATOR = 'creative_features';

const FORMS = ['evaluator_id', 'agent_url', 'exemplars'] as const;

type EvaluatorContext = { readonly app: App; readonly call: Call };

/**
 * Returns the evaluator that a call names. Throws CREDENTIAL_IN_ARGS, INVALID_REQUEST, UNSUPPORTED_FEATURE, REFERENCE_NOT_FOUND, and
 * EVALUATOR_AGENT_NOT_ACCEPTED for an agent that no seller here accepts as a verifier.
 */
export function openEvaluator(context: EvaluatorContext, asked: EvaluatorArgument): Evaluator {
  checkCredentials(asked, 'evaluator');
  checkForm(asked);
  const agentUrl = asked.agent_url ?? asked.feature_agent?.agent_url;
  if (agentUrl !== undefined) {
    const field = asked.agent_url === undefined ? 'evaluator.feature_agent.agent_url' : 'evaluator.agent_url';
    acceptAgent(context, agentUrl, field);
    return askAgent(context, asked, agentUrl);
  }
  checkFeatures(asked);
  const { evaluator_id: id, rank_by, feature_requirement } = asked;
  return {
    evaluate: async (manifest) => ({ features: (await measureManifest(context, manifest, FEATURES)).results }),
    accepts: (evaluation) => meetsRequirements(evaluation, feature_requirement),
    rank: (group, measured) => rankByFeatures(group, rank_by, measured),
    advice: () => (id === HOUSE_EVALUATOR ? [] : [unknownEvaluator()]),
  };
}

function askAgent({ app, call }: EvaluatorContext, asked: EvaluatorArgument, url: string): Evaluator {
  const agent = { url, local: canNameLocal(app, call) };
  const tenant = call.seller.tenant.path;
  const logFailure = (): void => app.log.warn({ tenant, url }, 'an evaluator failed; creatives were not judged');
  return openRemoteJudge({ outbound: app.renderer().outbound, agent, logFailure }, asked);
}

function unknownEvaluator(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'There is no such evaluator; the one of this agent judged instead.', {
    field: 'evaluator.evaluator_id',
    suggestion: `Use "${HOUSE_EVALUATOR}".`,
    details: { accepted_values: [HOUSE_EVALUATOR] },
  });
}

function checkForm(asked: EvaluatorArgument): void {
  if (asked.exemplars !== undefined) {
    throw new TaskError('UNSUPPORTED_FEATURE', 'Nothing is learned from examples here.', {
      field: 'evaluator.exemplars',
      suggestion: `Send evaluator_id "${HOUSE_EVALUATOR}" with rank_by, or the agent_url of a judge that knows the examples.`,
    });
  }
  const given = FORMS.filter((name) => asked[name] !== undefined);
  if (given.length !== 1) {
    throw new TaskError('INVALID_REQUEST', 'An evaluator is named in exactly one way.', {
      field: 'evaluator',
      suggestion: `Send one of evaluator_id "${HOUSE_EVALUATOR}" and agent_url.`,
    });
  }
  const { agent_url: judge, feature_agent: measuring } = asked;
  if (judge === undefined || measuring === undefined || judge === measuring.agent_url) return;
  throw new TaskError('INVALID_REQUEST', 'Two agents cannot both measure the creatives.', {
    field: 'evaluator.feature_agent.agent_url',
    suggestion: 'Name the same agent, or leave one of agent_url and feature_agent out.',
  });
}

/** Checks that only what is measured here is required, and that what is ranked by has an order. */
function checkFeatures({ feature_requirement: required = [], rank_by: keys = [] }: EvaluatorArgument): void {
  const named = [
    ...required.map(({ feature_id }, index) => ({
      feature_id,
      field: `feature_requirement[${index}]`,
      ordered: false,
    })),
    ...keys.map(({ feature_id }, index) => ({ feature_id, field: `rank_by[${index}]`, ordered: true })),
  ];
  for (const { feature_id, field, ordered } of named) {
    const feature = FEATURES.find((one) => one.feature_id === feature_id);
    const fitting = FEATURES.filter(({ type }) => !ordered || type !== 'categorical').map((one) => one.feature_id);
    if (fitting.includes(feature_id)) continue;
    const what = feature === undefined ? 'is not measured here' : 'has values without an order';
    throw new TaskError(feature === undefined ? 'REFERENCE_NOT_FOUND' : 'INVALID_REQUEST', `The feature ${what}.`, {
      field: `evaluator.${field}.feature_id`,
      suggestion: `Use some of ${fitting.join(', ')}; governance.creative_features of the capabilities describes them.`,
      details: { accepted_values: fitting },
    });
  }
}
