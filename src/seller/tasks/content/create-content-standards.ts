import { z } from 'zod';
import {
  type ContentPolicy,
  type ContentStandard,
  checkStandard,
  type Exemplars,
} from '../../domain/content/standard.js';
import { envelopeFields, keyField } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation } from '../pipeline/tool.js';
import { calibrationExemplars, contentPolicies, contentScope } from './content-shapes.js';
import { checkExemplars, noteUndecidable } from './exemplars.js';

const input = z.looseObject({
  ...keyField,
  scope: contentScope,
  policies: contentPolicies,
  calibration_exemplars: calibrationExemplars.optional(),
  ...envelopeFields,
});

/** create_content_standards: what content a brand's ads may run beside. */
export const createContentStandards = mutation({
  name: 'create_content_standards',
  title: 'Create content standards',
  description:
    'Says what content ads may run beside: policies in words, each with rules that can be checked in ext.content_rules. The answer names those that this agent cannot decide. Next: calibrate_content.',
  kinds: ['governance'],
  input,
  maxValues: MAX_VALUES_OF_MANY,
  run: async ({ app, call, args, db }) => {
    const { scope, policies, calibration_exemplars } = args;
    const standard: ContentStandard = {
      standards_id: app.ids.next('std'),
      version: 1,
      scope,
      policies: policies as readonly ContentPolicy[],
      calibration_exemplars: calibration_exemplars as Exemplars | undefined,
    };
    checkExemplars(standard);
    checkStandard(standard);
    db.contentStandards.save(call.owner, standard);
    return { standards_id: standard.standards_id, ext: noteUndecidable(standard, call.seller.tenant) };
  },
});
