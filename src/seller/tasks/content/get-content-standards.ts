import { z } from 'zod';
import { standardNotFound, standardWire } from '../../domain/content/standard.js';
import { envelopeFields } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { standardsId } from './content-shapes.js';

const input = z.looseObject({ standards_id: standardsId, ...envelopeFields });

/** get_content_standards: one standard, whole. */
export const getContentStandards = query({
  name: 'get_content_standards',
  title: 'Read content standards',
  description: 'One of your content standards, with its policies and exemplars.',
  kinds: ['governance'],
  input,
  run: async ({ call, args, db }) => {
    const standard = await db.contentStandards.find(call.owner, args.standards_id);
    if (standard === undefined) throw standardNotFound();
    return { ...standardWire(standard) };
  },
});
