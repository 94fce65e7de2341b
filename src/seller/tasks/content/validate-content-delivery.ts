import { z } from 'zod';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { TaskError } from '../../../protocol/errors.js';
import { listFeatures, StandardJudge } from '../../domain/content/judge.js';
import { isDecidable } from '../../domain/content/rules.js';
import { type ContentStandard, standardNotFound } from '../../domain/content/standard.js';
import { dateTime, envelopeFields } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_LISTS, query } from '../pipeline/tool.js';
import { standardsId } from './content-shapes.js';
import { findSecondJudge } from './judges.js';

const record = z.looseObject({
  record_id: z.string().min(1).max(255),
  media_buy_id: z.string().max(255).optional(),
  timestamp: dateTime.optional(),
  artifact: z.looseObject({}),
  country: z.string().max(8).optional(),
  channel: z.string().max(64).optional(),
});

const input = z.looseObject({
  standards_id: standardsId,
  records: z
    .array(record)
    .min(1)
    .max(10_000)
    .meta({ brief: true, description: '[{record_id, artifact, country, channel}]' }),
  feature_ids: z.array(z.string().min(1).max(255)).min(1).max(100).optional(),
  include_passed: z.boolean().optional(),
  ...envelopeFields,
});

/** Most records of a call that a language model may be asked about. */
const MAX_MODEL_RECORDS = 20;

/** Most judgements of a call, one per record and policy. */
const MAX_JUDGEMENTS = 50_000;

/** validate_content_delivery: what a standard says of each record of delivery. */
export const validateContentDelivery = query({
  name: 'validate_content_delivery',
  title: 'Hold delivery against content standards',
  description:
    'Judges what ads were delivered beside, record by record, such as those of get_media_buy_artifacts; what fails and what could not be decided has its reasons.',
  kinds: ['governance'],
  input,
  maxValues: MAX_VALUES_OF_LISTS,
  run: async ({ app, call, args, db }) => {
    const standard = await db.contentStandards.find(call.owner, args.standards_id);
    if (standard === undefined) throw standardNotFound();
    const { records, feature_ids: featureIds, include_passed: includePassed = true } = args;
    checkFeatures(standard, featureIds);
    if (records.length * standard.policies.length > MAX_JUDGEMENTS) throw tooManyJudgements(standard);
    const second = await findSecondJudge(app, call, standard);
    if (second !== undefined && records.length > MAX_MODEL_RECORDS && !standard.policies.every(isDecidable))
      throw tooManyRecords();
    const judge = new StandardJudge(standard, { nowMs: call.now.ms, featureIds, second });
    const pace = startPace();
    const results: object[] = [];
    let passed = 0;
    for (const { record_id, artifact, country, channel } of records) {
      const { verdict, features } = await judge.judge({ artifact, country, channel });
      if (verdict === 'pass') passed += 1;
      if (verdict === 'fail' || includePassed) results.push({ record_id, verdict, features });
      if (pace.isDue()) await pace.rest();
    }
    const summary = { total_records: records.length, passed_records: passed, failed_records: records.length - passed };
    return { summary, results };
  },
});

function checkFeatures({ policies }: ContentStandard, asked: readonly string[] = []): void {
  const features = new Set(policies.flatMap(listFeatures));
  const at = asked.findIndex((id) => !features.has(id));
  if (at < 0) return;
  throw new TaskError('INVALID_REQUEST', 'No policy of this standard has this feature.', {
    field: `feature_ids[${at}]`,
    suggestion: `Features of this standard: ${[...features].slice(0, 20).join(', ')}. Or leave feature_ids out for all of them.`,
  });
}

function tooManyJudgements({ policies }: ContentStandard): TaskError {
  const most = Math.floor(MAX_JUDGEMENTS / policies.length);
  return new TaskError(
    'INVALID_REQUEST',
    `Of a standard of ${policies.length} policies a call takes ${most} records.`,
    {
      field: 'records',
      suggestion: `Send ${most} records at a time.`,
    },
  );
}

function tooManyRecords(): TaskError {
  return new TaskError('INVALID_REQUEST', `A language model judges at most ${MAX_MODEL_RECORDS} records of a call.`, {
    field: 'records',
    suggestion: `Send ${MAX_MODEL_RECORDS} records at a time, or give every policy ext.content_rules, which need no model.`,
  });
}
