import { z } from 'zod';
import { packageNotFound } from '../../domain/media-buy/change/change.js';
import { makeFlight, readTime } from '../../domain/media-buy/flight.js';
import { findCreative } from '../creative/library/assign-creative.js';
import { accountRef, amount, dateTime, endTime, envelopeFields, keyField } from '../pipeline/shapes.js';
import { mutation } from '../pipeline/tool.js';
import { findMediaBuy } from './find-media-buy.js';

const METRICS = [
  'overall_performance',
  'conversion_rate',
  'brand_lift',
  'click_through_rate',
  'completion_rate',
  'viewability',
  'brand_safety',
  'cost_efficiency',
] as const;
const SOURCES = ['buyer_attribution', 'third_party_measurement', 'platform_analytics', 'verification_partner'] as const;

const input = z.looseObject({
  ...keyField,
  media_buy_id: z.string().min(1).max(255),
  account: accountRef.optional(),
  measurement_period: z.looseObject({ start: dateTime, end: endTime }),
  performance_index: amount.describe('1.0 is as expected, 1.2 is 20 % better'),
  package_id: z.string().max(255).optional(),
  creative_id: z.string().max(255).optional(),
  metric_type: z.enum(METRICS).optional().meta({ unlisted: true }),
  feedback_source: z.enum(SOURCES).optional().meta({ unlisted: true }),
  ...envelopeFields,
});

/** provide_performance_feedback: what the buyer measured, kept with the buy. */
export const providePerformanceFeedback = mutation({
  name: 'provide_performance_feedback',
  title: 'Report how a buy performs',
  description: 'Tells how a media buy or package performed by your own measurement.',
  kinds: ['sales'],
  input,
  account: { use: 'read_buys', required: false },
  run: async ({ call, args, db, scope }) => {
    const buy = await findMediaBuy(db, scope, args.media_buy_id);
    if (args.package_id !== undefined && !buy.packages.some((line) => line.package_id === args.package_id))
      throw packageNotFound('package_id');
    if (args.creative_id !== undefined)
      await findCreative({ db, call }, buy.account_id, args.creative_id, 'creative_id');
    const { start, end } = args.measurement_period;
    makeFlight(
      readTime(start, 'measurement_period.start'),
      readTime(end, 'measurement_period.end'),
      'measurement_period.end',
    );
    const { idempotency_key: _key, context: _context, ...feedback } = args;
    await db.mediaBuys.addFeedback(call.owner, buy.media_buy_id, call.now.ms, feedback);
    return { success: true, sandbox: buy.sandbox };
  },
});
