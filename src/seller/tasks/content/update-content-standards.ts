import { z } from 'zod';
import {
  changeStandard,
  checkStandard,
  type StandardChanges,
  standardNotFound,
} from '../../domain/content/standard.js';
import { envelopeFields, keyField } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation } from '../pipeline/tool.js';
import { calibrationExemplars, changedScope, contentPolicies, standardsId } from './content-shapes.js';
import { checkExemplars, noteUndecidable } from './exemplars.js';

const input = z.looseObject({
  ...keyField,
  standards_id: standardsId,
  scope: changedScope.optional(),
  policies: contentPolicies.optional(),
  calibration_exemplars: calibrationExemplars.optional(),
  ...envelopeFields,
});

/** update_content_standards: the next version of a standard; what is judged from then on is judged by it. */
export const updateContentStandards = mutation({
  name: 'update_content_standards',
  title: 'Change content standards',
  description: 'Replaces the scope, the policies or the exemplars of content standards; what is left out stays.',
  kinds: ['governance'],
  input,
  maxValues: MAX_VALUES_OF_MANY,
  empty: { success: false },
  run: async ({ call, args, db }) => {
    const { standards_id } = args;
    const before = await db.contentStandards.find(call.owner, standards_id);
    if (before === undefined) throw standardNotFound();
    const standard = changeStandard(before, args as StandardChanges);
    checkExemplars(standard);
    checkStandard(standard);
    db.contentStandards.save(call.owner, standard);
    return { success: true, standards_id, ext: noteUndecidable(standard, call.seller.tenant) };
  },
});
