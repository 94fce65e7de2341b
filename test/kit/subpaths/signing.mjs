import { generateKeyPairSync } from 'node:crypto';
import { createMemoryNonces, createVerifier, NO_REVOCATION, NONCE_LIMITS, signRequest } from 'seller-agent/signing';

/** Signs a webhook and verifies it. */
const { privateKey } = generateKeyPairSync('ed25519');
const { kty, crv, x } = privateKey.export({ format: 'jwk' });
const base = { kid: 'key-1', kty, crv, x, alg: 'EdDSA', use: 'sig', key_ops: ['verify'] };
const publicJwk = { ...base, adcp_use: 'request-signing' };
const key = { kid: 'key-1', alg: 'ed25519', purpose: 'request-signing', privateKey, publicJwk };
const tag = 'adcp/webhook-signing/v1';
const nowSeconds = 1_800_000_000;
const body = Buffer.from('{"idempotency_key":"0123456789abcdef"}');
const message = { method: 'POST', url: 'https://buyer.example/hooks', contentType: 'application/json', body };
const signed = signRequest(message, key, { tag, nowSeconds, nonce: 'KXYnfEfJ0PBRZXQyVXfVQA' });
const verify = createVerifier({
  profile: 'webhook',
  names: { acceptedWebhookTags: [tag], acceptedRequestTags: [], keyUses: ['adcp_use'] },
  keys: () => ({
    kind: 'found',
    jwk: publicJwk,
    signer: 'https://seller.example/mcp',
    source: 'https://seller.example',
  }),
  nonces: createMemoryNonces(NONCE_LIMITS.webhook),
  revocation: NO_REVOCATION,
  now: () => nowSeconds,
});
const headers = { 'content-type': 'application/json', ...signed };
const { ok, signer } = await verify({ method: 'POST', url: message.url, headers, body });
process.stdout.write(JSON.stringify({ ok, signer }));
