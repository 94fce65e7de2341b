import { SECOND_MS } from '../../../platform/kernel/clock.js';
import type { App } from '../../context.js';
import {
  methodDemand,
  type RequestSigning,
  SIGNED_METHODS,
  signatureDemand,
} from '../../domain/tenant/request-signing.js';
import { BRAND_JSON_PATH, type Seller } from '../../domain/tenant/seller.js';
import type { WebhookSettings } from '../../domain/tenant/tenant.js';
import { SCHEDULE } from '../../webhooks/delivery/schedule.js';
import { WINDOWS, windowMs } from '../../webhooks/events/buy-events.js';
import { type Tool, toolName } from '../pipeline/tool.js';

/** Returns the blocks of the capabilities about signatures; `offered` are the tenant's tasks. */
export function signingBlocks(
  app: App,
  seller: Seller,
  offered: readonly Tool[],
): Readonly<Record<string, object | undefined>> {
  const { requestSigning: requests, webhooks } = seller.tenant;
  const algorithms = app.keys.algorithms();
  const signed = [
    ...(requests.supported ? ['request_signing'] : []),
    ...(algorithms.length > 0 ? ['webhook_signing'] : []),
  ];
  return {
    request_signing: requestSigning(seller, offered),
    webhook_signing:
      algorithms.length === 0
        ? { supported: false }
        : {
            supported: true,
            profile: seller.names.webhookTag,
            algorithms,
            legacy_hmac_fallback: webhooks.registration.legacyWebhooks,
            delivery_retry_horizon_seconds: SCHEDULE.horizonMs / SECOND_MS,
            coalescence_window_seconds: coalescenceWindows(webhooks),
          },
    identity: signed.length === 0 ? undefined : identity(seller, signed),
  };
}

/** Returns for how long changes of each kind are gathered into one event, in seconds. The protocol has no member of its own for it. */
function coalescenceWindows({ windowsMs }: WebhookSettings): Readonly<Record<string, number>> {
  const kinds = Object.keys(WINDOWS) as (keyof typeof WINDOWS)[];
  return Object.fromEntries(kinds.map((kind) => [kind, windowMs(kind, windowsMs) / SECOND_MS]));
}

/** Returns the block on signed calls. Tasks that the tenant does not offer are judged by the same lists and not named. */
function requestSigning({ names, tenant }: Seller, offered: readonly Tool[]): object {
  const { supported, covers_content_digest } = tenant.requestSigning;
  if (!supported) return { supported };
  const listed = offered.map((tool) => {
    const name = toolName(tool, names);
    return { kind: tool.kind, name, demand: signatureDemand(tenant.requestSigning, name) };
  });
  const named = (isMeant: (row: (typeof listed)[number]) => boolean): readonly string[] =>
    listed.filter(isMeant).map(({ name }) => name);
  return {
    supported,
    covers_content_digest,
    required_for: named(({ demand }) => demand === 'required'),
    warn_for: named(({ demand }) => demand === 'forgiven'),
    // Any call may be signed; signing is worth its while where something changes.
    supported_for: named(({ demand, kind }) => kind === 'mutation' || demand !== 'none'),
    ...methodRules(tenant.requestSigning),
  };
}

/** Returns the rules for methods of JSON-RPC, whatever they call; of those that change something a signature is worth its while. */
function methodRules(rules: RequestSigning): object {
  const { protocol_methods_required_for, protocol_methods_warn_for } = rules;
  return {
    protocol_methods_required_for,
    protocol_methods_warn_for,
    protocol_methods_supported_for: SIGNED_METHODS.filter(
      (method) => method === 'tasks/cancel' || methodDemand(rules, method) !== 'none',
    ),
  };
}

/** Returns the block on where the keys of this host are; it names brand.json only on an https address. */
function identity({ baseUrl }: Seller, signed: readonly string[]): object {
  const { origin, protocol } = new URL(baseUrl);
  return {
    brand_json_url: protocol === 'https:' ? `${baseUrl}${BRAND_JSON_PATH}` : undefined,
    key_origins: Object.fromEntries(signed.map((surface) => [surface, origin])),
  };
}
