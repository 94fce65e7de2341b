import { z } from 'zod';
import { withoutUndefined } from '../../../platform/kernel/json/json.js';
import { errorObject } from '../../../protocol/envelope.js';
import { taskErrorOrThrow } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import { type Claim, checkClaim, judgeClaim } from '../../domain/brand/claims.js';
import { envelopeFields } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { claimFields } from './claim-shapes.js';
import { houseOf } from './get-brand-identity.js';
import { signAnswer } from './signed-answer.js';

const MAX_CLAIMS = 100;

const input = z.looseObject({
  claims: z
    .array(z.looseObject(claimFields).meta({ brief: true, description: '{claim_type, claim}' }))
    .min(1)
    .max(MAX_CLAIMS),
  ...envelopeFields,
});

/** verify_brand_claims: many claims in one signed answer, in their order; what is wrong with one is said in its place. */
export const verifyBrandClaims = query({
  name: 'verify_brand_claims',
  title: 'Verify many claims about a brand',
  description: `Up to ${MAX_CLAIMS} claims as verify_brand_claim takes them; results are in their order, and signed together.`,
  kinds: ['brand'],
  input,
  run: async ({ app, call, args }) => {
    const results = args.claims.map((claim, index) => answerClaim(call, claim, `claims[${index}].`));
    const { claims, context } = args;
    return signAnswer(app, call, {
      task: 'verify_brand_claims',
      question: { claims },
      response: context === undefined ? { results } : { results, context },
    });
  },
});

function answerClaim(call: Call, claim: Claim, path: string): object {
  try {
    checkClaim(claim, path);
    const verdict = judgeClaim(houseOf(call.seller).claims, claim, call.now.ms);
    return withoutUndefined(verdict);
  } catch (error) {
    return JSON.parse(JSON.stringify({ error: errorObject(taskErrorOrThrow(error), call.to.release) }));
  }
}
