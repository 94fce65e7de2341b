import { toJson } from '../../../platform/kernel/json/json.js';
import type { AssignedCreative } from '../../domain/creative/creative.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { packageWire } from '../../domain/media-buy/wire.js';
import { CHANNEL_FIELDS, type ChannelField } from '../delivery/channel.js';
import { CONTEXT_MEMBERS } from './buy-events.js';

/** The largest body that is sent: many receivers take no more. */
export const MAX_EVENT_BYTES = 256 * 1024;
/** The longest context of a request that registers a webhook; the rest of a body is for what it tells. */
export const MAX_ECHOED_CONTEXT_BYTES = MAX_EVENT_BYTES / 2;

/** Room for the envelope, its token and the members of a buy that are no list. */
const ENVELOPE_BYTES = 12 * 1024;
/** A package's row in a report, and each metric that was asked for. */
const REPORT_ROW_BYTES = 1024;
const METRIC_BYTES = 128;

/** Returns about how many bytes the largest event to one of a buy's registrations has, as the buy is now; 0 without that registration. */
function largestEventBytes(buy: MediaBuy, field: ChannelField, assigned: readonly AssignedCreative[]): number {
  const config = buy.callbacks[field] as Readonly<Record<string, unknown>> | undefined;
  // Content is sent in batches of a bounded size, without a context.
  if (config === undefined || field === 'artifact_webhook') return 0;
  const context = buy.callbacks[CONTEXT_MEMBERS[field]];
  const envelope = ENVELOPE_BYTES + (typeof context === 'string' ? Buffer.byteLength(context) : 0);
  if (field === 'push_notification_config')
    return envelope + Buffer.byteLength(toJson(buy.packages.map((line) => packageWire(line, assigned, buy))));
  const { requested_metrics: metrics } = config;
  const perPackage = REPORT_ROW_BYTES + METRIC_BYTES * (Array.isArray(metrics) ? metrics.length : 0);
  return envelope + perPackage * buy.packages.length;
}

/** Returns the registration of a buy whose events could be larger than receivers take; undefined where there is none. */
export function findOversized(buy: MediaBuy, assigned: readonly AssignedCreative[]): ChannelField | undefined {
  return CHANNEL_FIELDS.find((field) => largestEventBytes(buy, field, assigned) > MAX_EVENT_BYTES);
}
