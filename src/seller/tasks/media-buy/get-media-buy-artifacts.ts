import { z } from 'zod';
import { HOUR_MS } from '../../../platform/kernel/clock.js';
import { bindList, type Page, type PageInfo, readPage, writeCursor } from '../../../platform/kernel/cursor.js';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { TaskError } from '../../../protocol/errors.js';
import { contentSampling, deliveredHours, sampleHours } from '../../adserver/content-sampler.js';
import type { Window } from '../../adserver/delivered.js';
import type { App, Call } from '../../context.js';
import type { ContentRecord } from '../../domain/content/records.js';
import { readTime } from '../../domain/media-buy/flight.js';
import { simulatedMark } from '../../domain/media-buy/fulfillment.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { accountRef, dateTime, endTime, envelopeFields } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { checkContentRecords } from './content-sampling.js';
import { findMediaBuy } from './find-media-buy.js';

const input = z.looseObject({
  account: accountRef.optional(),
  media_buy_id: z.string().min(1).max(255),
  package_ids: z.array(z.string().min(1).max(255)).min(1).max(1000).optional(),
  failures_only: z.boolean().optional(),
  time_range: z.looseObject({ start: dateTime.optional(), end: endTime.optional() }).optional(),
  pagination: z
    .looseObject({ max_results: z.int().min(1).max(10_000).optional(), cursor: z.string().max(512).optional() })
    .optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** Most records of an answer; a page may be asked for with more. */
const MAX_RECORDS = 1000;
/** So many hours of packages are looked at for a page. */
const MAX_PACKAGE_HOURS = 4000;
/** Positions in a list: those of an hour follow those of the hour before. */
const POSITIONS_AN_HOUR = 100_000;

/** get_media_buy_artifacts: samples of the content that a buy's ads ran beside. */
export const getMediaBuyArtifacts = query({
  name: 'get_media_buy_artifacts',
  title: 'Content beside ads',
  description:
    'Samples of the content that ran beside the ads of a media buy, hour by hour, for validate_content_delivery of a governance agent.',
  kinds: ['sales'],
  // Programs call it, and tools/list is full.
  listed: () => false,
  input,
  account: { use: 'read_buys', required: false },
  run: async ({ app, call, args, db, scope }) => {
    const buy = await findMediaBuy(db, scope, args.media_buy_id);
    checkContentRecords(app, buy, 'media_buy_id');
    const packageIds = readPackages(buy, args.package_ids);
    const range = readRange(args, call.now.ms);
    const list = bindList('artifacts', scope, args.media_buy_id, args.package_ids, args.failures_only, args.time_range);
    const { limit, after } = readPage(list, args.pagination);
    const page = { limit: Math.min(args.pagination === undefined ? MAX_RECORDS : limit, MAX_RECORDS), after };
    const wanted = (record: ContentRecord): boolean =>
      // Nothing here judges content, so that nothing failed.
      args.failures_only !== true && packageIds.has(record.package_id) && isWithin(record, range);
    const hours = deliveredHours(buy, range);
    const records = await readRecords(app, call, buy, { hours, page, wanted });
    const cursor = records.next === undefined ? undefined : writeCursor(list, records.next);
    const info: PageInfo = cursor === undefined ? { has_more: false } : { has_more: true, cursor };
    const deliveries = await countDeliveries(app, buy, hours, packageIds);
    const isAll = cursor === undefined && after === undefined && args.failures_only !== true;
    return {
      media_buy_id: buy.media_buy_id,
      artifacts: records.records.map((record) => ({ ...record, local_verdict: 'unevaluated' })),
      collection_info: {
        total_deliveries: deliveries,
        total_collected: isAll ? records.records.length : undefined,
        returned_count: records.records.length,
        effective_rate: isAll && deliveries > 0 ? records.records.length / deliveries : undefined,
      },
      pagination: info,
      sandbox: call.principal?.sandbox ?? false,
      ext: simulatedMark(buy),
    };
  },
});

function readPackages({ packages }: MediaBuy, asked: readonly string[] | undefined): ReadonlySet<string> {
  const own = new Set(packages.map(({ package_id }) => package_id));
  const at = asked?.findIndex((id) => !own.has(id)) ?? -1;
  if (at >= 0)
    throw new TaskError('PACKAGE_NOT_FOUND', 'This media buy has no such package.', {
      field: `package_ids[${at}]`,
      suggestion: 'Send ids of the packages that get_media_buys shows.',
    });
  return asked === undefined ? own : new Set(asked);
}

function readRange({ time_range: range = {} }: Input, nowMs: number): Window {
  const fromMs = range.start === undefined ? 0 : readTime(range.start, 'time_range.start');
  const toMs = range.end === undefined ? nowMs : readTime(range.end, 'time_range.end');
  if (toMs <= fromMs)
    throw new TaskError('INVALID_REQUEST', 'The time range ends before it starts.', {
      field: 'time_range.end',
      suggestion: 'Send an end that is later than the start.',
    });
  return { fromMs, toMs: Math.min(toMs, nowMs) };
}

function isWithin({ timestamp }: ContentRecord, { fromMs, toMs }: Window): boolean {
  const at = Date.parse(timestamp);
  return fromMs <= at && at < toMs;
}

type Reading = {
  readonly hours: Window;
  readonly page: Page;
  readonly wanted: (record: ContentRecord) => boolean;
};
type RecordsPage = { readonly records: readonly ContentRecord[]; readonly next?: number | undefined };

/** Reads the records of a page, and after which position the next one begins; undefined where there is none. */
async function readRecords(
  app: App,
  call: Call,
  buy: MediaBuy,
  { hours, page, wanted }: Reading,
): Promise<RecordsPage> {
  const { limit, after = -1 } = page;
  const fromMs = Math.max(hours.fromMs, Math.floor((after + 1) / POSITIONS_AN_HOUR) * HOUR_MS);
  const mostHours = Math.max(1, Math.floor(MAX_PACKAGE_HOURS / buy.packages.length));
  const toMs = Math.min(hours.toMs, fromMs + mostHours * HOUR_MS);
  const records: ContentRecord[] = [];
  const pace = startPace();
  let last = 0;
  for await (const hour of sampleHours(app.booking, buy, { fromMs, toMs }, contentSampling(call.seller, buy))) {
    for (const [index, record] of hour.records.entries()) {
      const position = (hour.fromMs / HOUR_MS) * POSITIONS_AN_HOUR + index;
      if (position <= after || !wanted(record)) continue;
      if (records.length === limit) return { records, next: last };
      records.push(record);
      last = position;
    }
    if (pace.isDue()) await pace.rest();
  }
  return { records, next: toMs < hours.toMs ? (toMs / HOUR_MS) * POSITIONS_AN_HOUR - 1 : undefined };
}

async function countDeliveries(app: App, buy: MediaBuy, hours: Window, ids: ReadonlySet<string>): Promise<number> {
  if (hours.toMs <= hours.fromMs) return 0;
  const deliveries = await app.booking.delivery(buy, hours, false);
  return deliveries.reduce((sum, { package_id, metrics }) => sum + (ids.has(package_id) ? metrics.impressions : 0), 0);
}
