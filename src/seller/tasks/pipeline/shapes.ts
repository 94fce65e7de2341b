import { z } from 'zod';
import { DAY_MS, isoTime, parseDay } from '../../../platform/kernel/clock.js';
import { HOST_NAME } from '../../../platform/net/url.js';
import { MEDIA_CHANNELS } from '../../../protocol/media-channel.js';
import { MEDIA_BUY_STATUSES } from '../../domain/media-buy/media-buy.js';

/** The versions of a wholesale feed that a buyer has. */
export const feedConditions = {
  if_wholesale_feed_version: z.string().max(255).optional().meta({ unlisted: true }),
  if_pricing_version: z.string().max(255).optional().meta({ unlisted: true }),
};

/** A country, ISO 3166-1 alpha-2. */
export const country = z.string().regex(/^[A-Z]{2}$/);

/** The brand an ad is for. */
export const brandRef = z
  .looseObject({
    domain: z.string().regex(HOST_NAME).max(253),
    brand_id: z.string().max(128).optional(),
    industries: z.array(z.string().max(128)).max(50).optional(),
  })
  .meta({ brief: true, description: '{domain}' });

/** Metrics of vendors that products have to report, each by the vendor, the metric or both. */
export const vendorMetricPins = z
  .array(
    z.looseObject({
      vendor: z.looseObject({ domain: z.string().min(1).max(253) }).optional(),
      metric_id: z.string().min(1).max(64).optional(),
    }),
  )
  .max(100);

/** The forms of an account, for whoever has none yet. */
export const ACCOUNT_FORMS = '{account_id} or {brand: {domain}, operator}';

/** An account, by id or by brand and operator. Which of the two it is, is judged by `accountRef`. */
export const accountRef = z
  .looseObject({
    account_id: z.string().min(1).max(255).optional(),
    brand: brandRef.optional(),
    operator: z.string().regex(HOST_NAME).max(253).optional(),
    sandbox: z.boolean().optional(),
  })
  .meta({ brief: true, description: ACCOUNT_FORMS, short: '{account_id}' });

/** The reference of an account that its caller has synced. */
export const syncedAccountRef = accountRef.meta({ brief: true, description: '{account_id}' });
export type AccountArgument = z.output<typeof accountRef>;

/** A page of a list. */
export const pagination = z
  .looseObject({
    max_results: z.int().min(1).max(100).optional(),
    cursor: z.string().max(512).optional(),
  })
  .meta({ brief: true, description: '{max_results, cursor}', short: '{cursor}' });

/** A format reference; its shape is judged by the domain, so that a wrong one is INVALID_FORMAT_ID. */
export const formatId = z.unknown().meta({ type: 'object', brief: true, description: '{agent_url, id}' });

/** Money and counts: finite and not negative. */
export const amount = z.number().min(0).max(1e15);

const time = z.string().min(1).max(64);
/** A date-time with offset, or a day, which begins in UTC; read by the domain, so that a naive one gets its own explanation. */
export const dateTime = time.overwrite((text) => instantOfDay(text, 0));
/** A date-time with offset, or the last day of something, which ends with that day in UTC. */
export const endTime = time.overwrite((text) => instantOfDay(text, DAY_MS));
export const day = z.iso.date();

/** `asap`, a date-time, or `{type: "date", date}`. */
export const startTime = z
  .union([
    z.string().min(1).max(64),
    z.looseObject({ type: z.string().optional(), date: z.string().max(64).optional() }).meta({ brief: true }),
  ])
  .describe('"asap", a date-time with offset, or {type:"date",date}');

const buyStatus = z.enum(MEDIA_BUY_STATUSES);

/** The states of media buys that a list is narrowed to. */
export const statusFilter = z
  .union([buyStatus, z.array(buyStatus).min(1)])
  .meta({ brief: true, description: MEDIA_BUY_STATUSES.join(', ') });

/** Where the buyer wants to be called back. */
export const pushNotificationConfig = z.looseObject({
  url: z.string().min(1).max(2048),
  operation_id: z.string().max(255).optional(),
  token: z.string().min(16).max(4096).optional(),
  authentication: z.unknown().optional(),
});

/** A channel of the protocol. */
export const channel = z.enum(MEDIA_CHANNELS);

/** The fields that every task takes beside its own. Publishing them keeps clients from stripping them. */
export const envelopeFields = {
  context: z.looseObject({}).optional(),
  ext: z.looseObject({}).optional(),
};

/** What an order on an account under governance carries. */
export const governanceFields = {
  plan_id: z.string().min(1).max(255).optional(),
  governance_context: z.string().min(1).max(4096).optional(),
};

/** The fields that every changing task takes. */
export const keyField = {
  idempotency_key: z.string().describe('UUID'),
};

function instantOfDay(text: string, afterMs: number): string {
  const startMs = parseDay(text);
  return startMs === undefined ? text : isoTime(startMs + afterMs);
}
