import { SECOND_MS } from '../../../platform/kernel/clock.js';
import type { App } from '../../context.js';
import { BRAND_JSON_PATH, type Seller } from '../../domain/tenant/seller.js';
import { SCHEDULE } from '../../webhooks/delivery/schedule.js';
import { type Tool, toolName } from '../pipeline/define.js';

/** The blocks of the capabilities about signatures; `offered` are the tenant's tasks. */
export function signingBlocks(app: App, seller: Seller, offered: readonly Tool[]): Readonly<Record<string, object>> {
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
          },
    ...(signed.length === 0 ? {} : { identity: identity(seller, signed) }),
  };
}

/** Returns the block on signed calls. Tasks that the tenant does not offer are judged by the same lists and not named. */
function requestSigning({ names, tenant }: Seller, offered: readonly Tool[]): object {
  const { supported, covers_content_digest, required_for, warn_for } = tenant.requestSigning;
  if (!supported) return { supported };
  const named = (isMeant: (tool: Tool, name: string) => boolean): readonly string[] =>
    offered.filter((tool) => isMeant(tool, toolName(tool, names))).map((tool) => toolName(tool, names));
  return {
    supported,
    covers_content_digest,
    required_for: named((_tool, name) => required_for.includes(name)),
    warn_for: named((_tool, name) => warn_for.includes(name)),
    // Any call may be signed; signing is worth its while where something changes.
    supported_for: named(
      ({ kind }, name) => kind === 'mutation' || required_for.includes(name) || warn_for.includes(name),
    ),
  };
}

/** Returns the block on where the keys of this host are; it names brand.json only on an https address. */
function identity({ baseUrl }: Seller, signed: readonly string[]): object {
  const { origin, protocol } = new URL(baseUrl);
  return {
    ...(protocol === 'https:' ? { brand_json_url: `${baseUrl}${BRAND_JSON_PATH}` } : {}),
    key_origins: Object.fromEntries(signed.map((surface) => [surface, origin])),
  };
}
