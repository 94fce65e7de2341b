import { z } from 'zod';
import type { Manifest } from '../../../../../creative/formats/manifest.js';
import type { TaskError } from '../../../../../protocol/errors.js';
import type { Evaluation } from '../../../../domain/creative/evaluation.js';

const featureId = z.string().min(1).max(255);

/** How a buyer wants the creatives of a call judged. Its forms are told apart by `openEvaluator`. */
export const evaluatorInput = z.looseObject({
  evaluator_id: z.string().min(1).max(255).optional(),
  agent_url: z.string().min(1).max(2048).optional(),
  exemplars: z.unknown().optional(),
  feature_agent: z.looseObject({ agent_url: z.string().min(1).max(2048), feature_id: featureId.optional() }).optional(),
  feature_requirement: z
    .array(
      z.looseObject({
        feature_id: featureId,
        min_value: z.number().optional(),
        max_value: z.number().optional(),
        allowed_values: z.array(z.unknown()).min(1).max(100).optional(),
        if_not_covered: z.enum(['exclude', 'include']).optional(),
        policy_id: z.string().max(255).optional(),
      }),
    )
    .min(1)
    .max(50)
    .optional(),
  rank_by: z
    .array(z.looseObject({ feature_id: featureId, direction: z.enum(['maximize', 'minimize']).optional() }))
    .min(1)
    .max(50)
    .optional(),
  eval_budget: z
    .looseObject({ max_calls: z.int().min(1).optional(), max_seconds: z.number().min(0).optional() })
    .optional(),
});
export type EvaluatorArgument = z.output<typeof evaluatorInput>;

/** Judges the creatives of one call. */
export type Evaluator = {
  /** Returns what a creative measures; undefined where nobody could tell. */
  readonly evaluate: (manifest: Manifest) => Promise<Evaluation | undefined>;
  /** Whether a creative is what the buyer requires. */
  readonly accepts: (evaluation: Evaluation) => boolean;
  /** Returns the creatives of a group with their ranks, the best first. */
  readonly rank: <One extends { readonly evaluation?: Evaluation | undefined }>(
    group: readonly One[],
    measured: number,
  ) => readonly One[];
  /** Returns what a buyer should know of how they were judged; no failure. */
  readonly advice: () => readonly TaskError[];
};
