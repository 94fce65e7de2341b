import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import { readArtifact } from '../../domain/content/artifact.js';
import { type Judgement, StandardJudge } from '../../domain/content/judge.js';
import { standardNotFound } from '../../domain/content/standard.js';
import { envelopeFields, keyField } from '../pipeline/shapes.js';
import { mutation } from '../pipeline/tool.js';
import { artifact, standardsId } from './content-shapes.js';
import { findSecondJudge } from './judges.js';

const input = z.looseObject({ ...keyField, standards_id: standardsId, artifact, ...envelopeFields });

/** calibrate_content: what a standard says of one artifact, with the reasons. It is answered once per key: what it costs is a model's time. */
export const calibrateContent = mutation({
  name: 'calibrate_content',
  title: 'Try content standards on an artifact',
  description:
    'Judges one artifact and gives the reason per policy. What cannot be decided is unevaluated, and an artifact with such a policy that must be met fails as record:undecided. Next: update_content_standards.',
  kinds: ['governance'],
  input,
  prepare: async ({ app, call, args, db }): Promise<Judgement> => {
    const standard = await db.contentStandards.find(call.owner, args.standards_id);
    if (standard === undefined) throw standardNotFound();
    const fault = readArtifact(args.artifact);
    if (typeof fault === 'string')
      throw new TaskError('INVALID_REQUEST', fault, {
        field: 'artifact',
        suggestion: 'Send property_rid, artifact_id and the assets, each with its content or URL.',
      });
    const second = await findSecondJudge(app, call, standard);
    return new StandardJudge(standard, { nowMs: call.now.ms, second }).judge({ artifact: args.artifact });
  },
  run: async ({ prepared }) => ({ ...prepared }),
});
