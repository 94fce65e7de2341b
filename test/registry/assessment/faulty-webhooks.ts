import { randomBytes } from 'node:crypto';
import { signRequest } from '../../../src/platform/signing/sign.js';
import { ADCP, freshKey } from '../../platform/signing/context.js';
import type { Json } from './faulty-agent.js';

/** A webhook before it is sent. */
export type Webhook = {
  readonly kind: 'challenge' | 'task' | 'push';
  readonly url: string;
  readonly body: Json;
  readonly isSigned: boolean;
};

const KEY = freshKey('ed25519', 'webhooks-of-the-agent', 'webhook-signing');

/** The public key that every agent of the server signs webhooks with. */
export const WEBHOOK_JWK = KEY.publicJwk;

/** Posts a webhook, signed where it is to be, and returns the status of the answer. */
export async function sendWebhook({ body, isSigned, url }: Webhook): Promise<number> {
  const bytes = Buffer.from(JSON.stringify(body));
  const contentType = 'application/json';
  const nonce = randomBytes(16).toString('base64url');
  const options = { tag: ADCP.webhookTag, nowSeconds: Math.floor(Date.now() / 1000), nonce };
  const signed = isSigned ? signRequest({ method: 'POST', url, contentType, body: bytes }, KEY, options) : {};
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': contentType, ...signed },
    body: bytes,
  });
  return status;
}
