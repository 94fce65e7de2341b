import { z } from 'zod';
import type { WebhookSettings } from '../../domain/tenant/tenant.js';
import { object } from './shapes.js';

function seconds(most: number, usual: number, what: string) {
  return z.number().min(0).max(most).optional().describe(`${what}; ${usual} seconds unless set, at most ${most}.`);
}

/** How a tenant takes registrations and delivers events. Longer windows than the protocol allows are refused. */
export const webhookSchema = object({
  legacy_webhooks: z
    .boolean()
    .default(true)
    .describe(
      'Whether HMAC-SHA256 and bearer tokens are taken instead of signatures; they leave the protocol with 4.0.',
    ),
  bearer_for_changes: z
    .boolean()
    .default(false)
    .describe('Whether a bearer token is enough for tasks that change something; it protects no bytes.'),
  require_operation_id: z.boolean().default(false).describe('Whether a registration without operation_id is refused.'),
  signature_reject: z
    .enum(['retry', 'bounded', 'stop'])
    .default('retry')
    .describe('After a 401 that names a signature code: retry on schedule, twice more, or give the event up.'),
  on_gone: z
    .enum(['stop', 'pause'])
    .default('stop')
    .describe('After a 410: give the event up, or pause the address until another one is registered.'),
  gather_seconds: object({
    impairment: seconds(300, 30, 'Impairments that can wait'),
    urgent_impairment: seconds(60, 0, 'Impairments that touch fraud, safety or consent'),
    media_buy: seconds(300, 2, 'Changes of a media buy'),
  })
    .prefault({})
    .describe('How long near changes are gathered into one event.'),
});

/** Returns the settings of a file as the tenant holds them. */
export function buildWebhooks(file: z.output<typeof webhookSchema>): WebhookSettings {
  return {
    registration: {
      legacyWebhooks: file.legacy_webhooks,
      bearerForChanges: file.bearer_for_changes,
      requireOperationId: file.require_operation_id,
    },
    signatureReject: file.signature_reject,
    onGone: file.on_gone,
    windowsMs: Object.fromEntries(
      Object.entries(file.gather_seconds).flatMap(([kind, value]) =>
        typeof value === 'number' ? [[kind, value * 1000]] : [],
      ),
    ),
  };
}
