import { TaskError } from '../../../protocol/errors.js';
import { readArtifact } from '../../domain/content/artifact.js';
import { isDecidable } from '../../domain/content/rules.js';
import type { ContentStandard } from '../../domain/content/standard.js';
import type { Tenant } from '../../domain/tenant/tenant.js';

/** Refuses exemplars that could never be held against an artifact. Throws INVALID_REQUEST with the field. */
export function checkExemplars({ calibration_exemplars: exemplars = {} }: ContentStandard): void {
  for (const kind of ['pass', 'fail'] as const)
    for (const [index, given] of (exemplars[kind] ?? []).entries()) {
      const artifact = readArtifact(given);
      if (typeof artifact === 'string')
        throw new TaskError('INVALID_REQUEST', artifact, {
          field: `calibration_exemplars.${kind}[${index}]`,
          suggestion: 'Send a whole artifact: property_rid, artifact_id and its assets.',
        });
    }
}

/** Returns what tells a buyer beforehand which policies will be undecided, unless a language model is asked; undefined where none. */
export function noteUndecidable({ policies }: ContentStandard, { llm }: Tenant): object | undefined {
  const open = policies.filter(
    (policy) => !isDecidable(policy) && (llm === undefined || policy.requires_human_review === true),
  );
  if (open.length === 0) return undefined;
  return {
    content_rules: {
      undecidable_policy_ids: open.map(({ policy_id }) => policy_id),
      note: 'This agent cannot find that content meets these policies: where they must be met, content fails as undecided. Give them ext.content_rules, or send the content as an exemplar.',
    },
  };
}
