import type { App, Call } from '../context.js';
import type { Desk } from '../domain/order.js';
import { checkCallbackUrl } from '../kernel/callback-url.js';
import { TaskError } from '../kernel/errors.js';

/** What an order of this call is judged against. */
export function deskOf(app: App, call: Call): Desk {
  const { seller, principal, now } = call;
  return {
    products: seller.products,
    formatOwner: seller.formatOwner,
    creativeRequirement: (principal ?? seller.tenant).policies.creative_requirement,
    ids: app.ids,
    now,
  };
}

/** Callback settings that this seller cannot serve yet, and what a buyer does instead. */
const UNSERVED = {
  reporting_webhook: 'Poll get_media_buy_delivery; no product here offers reporting webhooks.',
  artifact_webhook: 'Leave artifact_webhook out; this seller does not offer it.',
} as const;

/** The callback settings of a create or update. Throws for an address that would never be called and for what is not offered. */
export function readCallbacks(
  app: App,
  call: Call,
  args: { readonly push_notification_config?: { readonly url: string } | undefined } & Readonly<
    Record<string, unknown>
  >,
): Readonly<Record<string, unknown>> {
  for (const [field, suggestion] of Object.entries(UNSERVED)) {
    if (args[field] !== undefined)
      throw new TaskError('UNSUPPORTED_FEATURE', 'This seller does not offer this callback.', { field, suggestion });
  }
  const { push_notification_config: config } = args;
  if (config === undefined) return {};
  const local = app.development && call.principal?.sandbox === true;
  checkCallbackUrl(config.url, 'push_notification_config.url', { local });
  return { push_notification_config: config };
}
