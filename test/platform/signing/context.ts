import type { Algorithm } from '../../../src/platform/signing/algorithms.js';
import type { SigningKey } from '../../../src/platform/signing/keys/jwk.js';
import { generatePair, openKey } from '../../../src/platform/signing/keys/key-pair.js';
import { type SignableRequest, type SignOptions, signRequest } from '../../../src/platform/signing/sign.js';
import type { Profile } from '../../../src/platform/signing/verify/codes.js';
import { createMemoryNonces } from '../../../src/platform/signing/verify/nonces.js';
import type { ReceivedRequest } from '../../../src/platform/signing/verify/received.js';
import { NO_REVOCATION } from '../../../src/platform/signing/verify/revocation.js';
import type { KeyLookup, VerifierOptions } from '../../../src/platform/signing/verify/verification.js';
import { protocolNames } from '../../../src/protocol/names.js';

/** What the tests of this room sign at: unix seconds. */
export const NOW = 1_893_456_000;

/** The names that the tests of this room speak. */
export const ADCP = protocolNames('adcp');

/** A nonce as one comes from outside. */
export const NONCE_TEXT = 'KXYnfEfJ0PBRZXQyVXfVQA';

/** A fresh key, as the key ring would hold it; also of purposes that the ring has no keys for. */
export function freshKey(alg: Algorithm, kid = `test-${alg}`, purpose = 'request-signing'): SigningKey {
  const row = { kid, alg, purpose: 'request-signing', state: 'active', created_at: '2030-01-01T00:00:00Z' } as const;
  const key = openKey({ ...row, ...generatePair(alg) }, ADCP.keyUses);
  return { ...key, purpose, publicJwk: { ...key.publicJwk, adcp_use: purpose, proto_use: purpose } };
}

/** A request as a webhook is. */
export function webhook(body = '{"idempotency_key":"k"}', url = 'https://buyer.example/hooks?a=1') {
  return { method: 'POST', url, contentType: 'application/json', body: Buffer.from(body) } as const;
}

/** Signs a request and hands it over as it would arrive. */
export function arrived(
  request: SignableRequest,
  key: SigningKey,
  options: Partial<SignOptions> = {},
  headers: Readonly<Record<string, string>> = {},
): ReceivedRequest {
  const signed = signRequest(request, key, { tag: ADCP.webhookTag, nowSeconds: NOW, nonce: NONCE_TEXT, ...options });
  const type = request.contentType === undefined ? {} : { 'content-type': request.contentType };
  return {
    method: request.method,
    url: request.url,
    headers: { ...type, ...signed, ...headers },
    body: request.body ?? Buffer.alloc(0),
  };
}

/** The keys port over a list of keys, all of one agent. */
export function keysOf(...jwks: readonly object[]): (keyid: string) => KeyLookup {
  return (keyid) => {
    const jwk = jwks.find((one) => (one as { kid?: unknown }).kid === keyid);
    if (jwk === undefined) return { kind: 'unknown' };
    return { kind: 'found', jwk, signer: 'https://seller.example/mcp', source: 'https://seller.example/jwks.json' };
  };
}

/** Options of a verifier whose state is empty. */
export function verifierOptions(profile: Profile, jwks: readonly object[]): VerifierOptions {
  return {
    profile,
    names: ADCP,
    keys: keysOf(...jwks),
    nonces: createMemoryNonces({ perKey: 10, total: 20 }),
    revocation: NO_REVOCATION,
    now: () => NOW,
  };
}
