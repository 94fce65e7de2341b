import { randomUUID } from 'node:crypto';
import type { Answer, Payload } from './wire.js';

/** A key for one intended change. */
export function freshKey(): string {
  return randomUUID();
}

/** The account that the shipped tenant gives to `sandbox-token`. */
export const SANDBOX_ACCOUNT = 'acct_sandbox';

/** The account that the shipped tenant gives to `sandbox-token-2`. */
export const SANDBOX_ACCOUNT_2 = 'acct_sandbox_2';

/** A bearer of a public test kit: a sandbox principal of its own, whose packages need creatives. */
export const KIT_TOKEN = 'demo-acme-outdoor-v1';

/** A package that the shipped tenant sells at once; `changes` replace or add fields. */
export function packageRequest(changes: object = {}): Record<string, unknown> {
  return { product_id: 'test-product', pricing_option_id: 'default', budget: 1000, ...changes };
}

/** A valid create_media_buy of the shipped tenant with a fresh key: one package, at once, to the end of January 2030. */
export function createRequest(changes: object = {}): Record<string, unknown> {
  return {
    idempotency_key: freshKey(),
    account: { account_id: SANDBOX_ACCOUNT },
    brand: { domain: 'acme-outdoor.example' },
    start_time: 'asap',
    end_time: '2030-01-31T00:00:00Z',
    packages: [packageRequest()],
    ...changes,
  };
}

/** A create request of a principal whose account opens by brand and operator, such as `KIT_TOKEN`. */
export function createRequestByKey(changes: object = {}): Record<string, unknown> {
  return createRequest({
    account: { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' },
    ...changes,
  });
}

/** An update of a buy with a fresh key. */
export function updateRequest(mediaBuyId: string, changes: object = {}): Record<string, unknown> {
  return {
    idempotency_key: freshKey(),
    account: { account_id: SANDBOX_ACCOUNT },
    media_buy_id: mediaBuyId,
    ...changes,
  };
}

/** A banner that fits the shipped tenant's test product. */
export function creative(creativeId: string, changes: object = {}): Record<string, unknown> {
  return {
    creative_id: creativeId,
    name: `Banner ${creativeId}`,
    format_id: { agent_url: 'https://creative.adcontextprotocol.org', id: 'display_300x250_image' },
    assets: {
      banner_image: { asset_type: 'image', url: 'https://cdn.example/banner.png', width: 300, height: 250 },
      click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/' },
    },
    ...changes,
  };
}

/** The payload of an answer that must not have failed. Throws with the error otherwise. */
export function succeeded({ payload, isError, status }: Answer): Payload {
  if (isError) throw new Error(`the call failed (HTTP ${status}): ${JSON.stringify(payload.errors)}`);
  return payload;
}
