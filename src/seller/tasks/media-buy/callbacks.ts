import { z } from 'zod';
import { MINUTE_MS } from '../../../platform/kernel/clock.js';
import { isObject, toJson } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import { CONTENT_FREQUENCIES } from '../../domain/content/records.js';
import type { AssignedCreative } from '../../domain/creative/creative.js';
import { IMPLICIT_METRICS } from '../../domain/delivery/reported-metrics.js';
import { findReporting, isTerminal, type MediaBuy } from '../../domain/media-buy/media-buy.js';
import { REPORTING_FREQUENCIES, type ReportingFrequency } from '../../domain/media-buy/reporting.js';
import type { Product } from '../../domain/product/product.js';
import type { Writer } from '../../store/store.js';
import { CHANNEL_FIELDS, readChannel } from '../../webhooks/delivery/channel.js';
import { type Callbacks, CONTEXT_MEMBERS } from '../../webhooks/events/buy-events.js';
import { findOversized, MAX_EVENT_BYTES } from '../../webhooks/events/event-size.js';
import { channelsOf } from '../../webhooks/events/registration.js';
import { canNameLocal } from '../pipeline/order-context.js';
import { judgeRegistration } from '../pipeline/registration.js';
import { pushNotificationConfig } from '../pipeline/shapes.js';
import { checkContentRecords } from './content-sampling.js';

/** The registration for delivery reports. */
const reportingWebhook = z.looseObject({
  url: z.string().min(1).max(2048),
  token: z.string().min(16).max(4096).optional(),
  authentication: z.unknown().optional(),
  reporting_frequency: z.enum(REPORTING_FREQUENCIES),
  requested_metrics: z.array(z.string().max(64)).max(100).optional(),
});

/** The registration for what ads run beside. */
export const artifactWebhook = z.looseObject({
  url: z.string().min(1).max(2048),
  token: z.string().min(16).max(4096).optional(),
  authentication: z.unknown().optional(),
  delivery_mode: z.enum(['realtime', 'batched']),
  batch_frequency: z.enum(CONTENT_FREQUENCIES).optional(),
  sampling_rate: z.number().min(0).max(1).optional(),
});

/** The registrations that a buy can be given. */
export const callbackFields = {
  push_notification_config: pushNotificationConfig.optional(),
  reporting_webhook: reportingWebhook.optional(),
};
const fields = z.looseObject(callbackFields);

/** Registrations as a create or update brings them. */
type CallbackArguments = z.output<typeof fields> & {
  readonly artifact_webhook?: z.output<typeof artifactWebhook> | undefined;
};

/** Whether a request registers anything. */
export function registersCallbacks(args: CallbackArguments): boolean {
  return CHANNEL_FIELDS.some((field) => args[field] !== undefined);
}

/** Reads the registrations of a create or update, each with the context that its events echo. Throws for an address that would never be called. */
export function readCallbacks(app: App, call: Call, args: CallbackArguments): Callbacks {
  if (!registersCallbacks(args)) return {};
  const policy = call.seller.tenant.webhooks.registration;
  const local = canNameLocal(app, call);
  const configs = CHANNEL_FIELDS.flatMap((field) => {
    const config = args[field];
    if (config === undefined) return [];
    readChannel(config, { field, mutating: true, policy, local });
    const { context } = call.to;
    return [
      [field, config],
      [CONTEXT_MEMBERS[field], context === undefined ? null : toJson(context)],
    ];
  });
  return { ...Object.fromEntries(configs), release: call.to.release };
}

/** Judges the registrations for reports and content of a call; that for its events is judged with the call, as of every task. */
export async function judgeReporting(app: App, call: Call, args: CallbackArguments): Promise<void> {
  for (const field of ['reporting_webhook', 'artifact_webhook'] as const) {
    const config = args[field];
    if (config !== undefined) await judgeRegistration(app, call, { field, config, mutating: true });
  }
}

/** A call in its transaction. */
type CallbackContext = { readonly app: App; readonly call: Call; readonly db: Writer };

/** Begins to push the content that was asked for. Throws UNSUPPORTED_FEATURE where nobody records it, or not as it was asked for. */
export async function beginContent({ app, call, db }: CallbackContext, buy: MediaBuy, given: Callbacks): Promise<void> {
  const config = given.artifact_webhook;
  if (config === undefined) return;
  checkContentRecords(app, buy, 'artifact_webhook');
  if (config.delivery_mode === 'realtime')
    throw new TaskError('UNSUPPORTED_FEATURE', 'Content is known here once its hour is over.', {
      field: 'artifact_webhook.delivery_mode',
      suggestion: 'Send delivery_mode "batched" with batch_frequency "hourly" or "daily".',
    });
  const frequency = CONTENT_FREQUENCIES.find((one) => one === config.batch_frequency);
  if (frequency === undefined)
    throw new TaskError('INVALID_REQUEST', 'Batches need a frequency.', {
      field: 'artifact_webhook.batch_frequency',
      suggestion: 'Send batch_frequency "hourly" or "daily".',
    });
  await app.contentPushes.start(db, call.owner, buy, frequency);
}

/** Refuses a buy whose events could be larger than receivers take. Throws INVALID_REQUEST with the registration. */
export function checkEventSize(buy: MediaBuy, assigned: readonly AssignedCreative[]): void {
  const field = findOversized(buy, assigned);
  if (field === undefined) return;
  throw new TaskError('INVALID_REQUEST', `${field}: its events would be larger than ${MAX_EVENT_BYTES} bytes.`, {
    field,
    suggestion: `A context and ${buy.packages.length} packages are in each: send a shorter context, or spread the packages over several buys.`,
  });
}

type OwnedBuy = { readonly owner: string; readonly buy: MediaBuy };

/** Redirects events that wait for a buy's registrations to those that were given in their place. */
export async function redirectCallbacks(
  app: App,
  tx: Writer,
  { owner, buy }: OwnedBuy,
  given: Callbacks,
): Promise<void> {
  const channels = channelsOf(buy);
  for (const field of CHANNEL_FIELDS) {
    const channel = channels[field];
    if (given[field] !== undefined && channel !== undefined)
      await app.outbox.readdress(tx, { owner, mediaBuyId: buy.media_buy_id, field, channel });
  }
}

/** Begins the reports that were asked for. Throws UNSUPPORTED_FEATURE for a frequency or metric that a product does not have. */
export async function beginReports({ app, call, db }: CallbackContext, buy: MediaBuy, given: Callbacks): Promise<void> {
  if (given.reporting_webhook === undefined || isTerminal(buy.status)) return;
  const frequency = given.reporting_webhook.reporting_frequency as ReportingFrequency;
  const sold = buy.packages.flatMap((line) => {
    const reporting_capabilities = findReporting(line, call.seller.products);
    return reporting_capabilities === undefined ? [] : { product_id: line.product_id, reporting_capabilities };
  });
  const unable = sold.find((offer) => !reports(offer, frequency));
  if (unable !== undefined) throw notReported(unable, frequency);
  checkMetrics(given.reporting_webhook.requested_metrics as readonly string[] | undefined, sold);
  const minutes = sold.map(({ reporting_capabilities: able }) => able.expected_delay_minutes);
  await app.reports.start(db, call.owner, buy, { frequency, delay_ms: Math.max(0, ...minutes) * MINUTE_MS });
}

/** Refuses packages whose product cannot make the reports that a buy has registered for. Throws UNSUPPORTED_FEATURE with the package's field. */
export function checkAddedReports(
  { callbacks }: Pick<MediaBuy, 'callbacks'>,
  added: readonly { readonly product_id: string }[],
  { seller }: Call,
): void {
  const registered = callbacks.reporting_webhook;
  if (!isObject(registered)) return;
  const frequency = registered.reporting_frequency as ReportingFrequency;
  for (const [index, { product_id }] of added.entries()) {
    const product = seller.products.get(product_id);
    if (product === undefined || reports(product, frequency)) continue;
    throw notReported(product, frequency, `new_packages[${index}].product_id`);
  }
}

/** The terms of a product on its reports. */
type ReportedOffer = Pick<Product, 'product_id' | 'reporting_capabilities'>;

function reports({ reporting_capabilities: able }: ReportedOffer, frequency: ReportingFrequency): boolean {
  return able.supports_webhooks && able.available_reporting_frequencies.some((one) => one === frequency);
}

function notReported(
  { product_id, reporting_capabilities: able }: ReportedOffer,
  frequency: ReportingFrequency,
  field = 'reporting_webhook.reporting_frequency',
): TaskError {
  const offered = able.supports_webhooks ? able.available_reporting_frequencies.join(', ') : 'none';
  return new TaskError('UNSUPPORTED_FEATURE', `The product ${product_id} has no ${frequency} reports by webhook.`, {
    field,
    suggestion: `Frequencies of this product: ${offered}. Or leave reporting_webhook out and poll get_media_buy_delivery.`,
  });
}

/** Refuses metrics that no product of the buy reports: they would be missing without a word. */
function checkMetrics(asked: readonly string[] = [], products: readonly ReportedOffer[]): void {
  const reported = new Set<string>([
    ...IMPLICIT_METRICS,
    ...products.flatMap((product) => product.reporting_capabilities.available_metrics),
  ]);
  const at = asked.findIndex((metric) => !reported.has(metric));
  if (at < 0) return;
  throw new TaskError('UNSUPPORTED_FEATURE', 'No product of this media buy reports this metric.', {
    field: `reporting_webhook.requested_metrics[${at}]`,
    suggestion: `Metrics of these products: ${[...reported].join(', ')}. Or leave requested_metrics out to get them all.`,
  });
}
