import { webcrypto } from 'node:crypto';
import {
  InMemoryReplayStore,
  InMemoryRevocationStore,
  StaticJwksResolver,
  verifyWebhookSignature,
} from '@adcp/sdk/signing/server';
import { verifyAsync } from '@noble/ed25519';
import { httpbis } from 'http-message-signatures';
import type { SigningKey } from '../../src/platform/signing/keys/jwk.js';
import { canonicalTargetUri } from '../../src/platform/signing/target-uri.js';
import type { ReceivedRequest } from '../../src/platform/signing/verify/received.js';

/** A public key as a JWKS has it. */
type PublicKey = { readonly kid: string; readonly alg: SigningKey['alg']; readonly x: string; readonly y?: string };

/** What was published or made of a key. */
type Jwk = Readonly<Record<string, unknown>>;

/** Reads a key of a JWKS. */
export function publicKeyOf({ kid, x, y, crv }: Jwk): PublicKey {
  const alg = crv === 'Ed25519' ? 'ed25519' : 'ecdsa-p256-sha256';
  return { kid: String(kid), alg, x: String(x), ...(y === undefined ? {} : { y: String(y) }) };
}

/** Whether `http-message-signatures`, with cryptography that shares nothing with ours, verifies a request. It knows no other time than the machine's. */
export async function verifiesByPackage(request: ReceivedRequest, keys: readonly PublicKey[]): Promise<boolean> {
  const verified = await httpbis.verifyMessage(
    {
      all: true,
      requiredParams: ['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'],
      requiredFields: ['@method', '@target-uri', '@authority', 'content-type', 'content-digest'],
      tolerance: 60,
      keyLookup: async ({ keyid }) => {
        const key = keys.find(({ kid }) => kid === keyid);
        return key === undefined
          ? null
          : { id: key.kid, algs: [key.alg], verify: (base, signature) => verifiesElsewhere(key, base, signature) };
      },
    },
    reencoded(request),
  );
  return verified === true;
}

/** What an implementation of RFC 9421 that knows only standard base64 and no canonical URLs can read. */
function reencoded({ headers, method, url }: ReceivedRequest) {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  const signature = String(lower.signature).replace(/^sig1=:(.*):$/, '$1');
  const standard = `sig1=:${Buffer.from(signature, 'base64url').toString('base64')}:`;
  const target = canonicalTargetUri(new URL(url).href).uri;
  return { method, url: target, headers: { ...lower, signature: standard, host: new URL(target).host } };
}

async function verifiesElsewhere({ alg, x, y }: PublicKey, base: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (alg === 'ed25519') return verifyAsync(signature, base, Buffer.from(x, 'base64url'), { zip215: false });
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const jwk = { kty: 'EC', crv: 'P-256', x, ...(y === undefined ? {} : { y }) };
  const publicKey = await webcrypto.subtle.importKey('jwk', jwk, curve, false, ['verify']);
  return webcrypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, publicKey, signature, base);
}

/** Returns a verifier of `@adcp/sdk` for webhooks with these keys, which remembers nonces; it throws for what it refuses. */
export function sdkVerifier(keys: readonly Jwk[]): (request: ReceivedRequest, nowSeconds: number) => Promise<string> {
  const jwks = new StaticJwksResolver(keys as never[]);
  const state = { replayStore: new InMemoryReplayStore(), revocationStore: new InMemoryRevocationStore() };
  return async ({ method, url, headers, body }, nowSeconds) => {
    const received = { method, url, headers: headers as Record<string, string>, body: Buffer.from(body) };
    const result = await verifyWebhookSignature(received as never, { jwks, now: () => nowSeconds, ...state });
    return result.status;
  };
}
