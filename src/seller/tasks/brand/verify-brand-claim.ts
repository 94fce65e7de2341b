import { z } from 'zod';
import { withoutUndefined } from '../../../platform/kernel/json/json.js';
import { checkClaim, judgeClaim } from '../../domain/brand/claims.js';
import { envelopeFields } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { claimFields } from './claim-shapes.js';
import { houseOf } from './get-brand-identity.js';
import { signAnswer } from './signed-answer.js';

const input = z.looseObject({ ...claimFields, ...envelopeFields });

/** verify_brand_claim: whether a brand, a house, a property or a trademark is the house's own, in a signed answer. */
export const verifyBrandClaim = query({
  name: 'verify_brand_claim',
  title: 'Verify a claim about a brand',
  description:
    'Whether a subsidiary, parent house, property or trademark is of this house; the answer is signed (signed_response). For many claims: verify_brand_claims.',
  kinds: ['brand'],
  input,
  run: async ({ app, call, args }) => {
    checkClaim(args, '');
    const { claim_type, status, details, context_note } = judgeClaim(houseOf(call.seller).claims, args, call.now.ms);
    const response = { claim_type, verification_status: status, details, context_note, context: args.context };
    const { claim } = args;
    return signAnswer(app, call, {
      task: 'verify_brand_claim',
      question: { claim_type, claim },
      response: withoutUndefined(response),
    });
  },
});
