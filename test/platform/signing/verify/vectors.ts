import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Algorithm } from '../../../../src/platform/signing/algorithms.js';
import type { PublicJwk, SigningKey } from '../../../../src/platform/signing/keys/jwk.js';
import type { ReceivedRequest } from '../../../../src/platform/signing/verify/received.js';
import { PROJECT } from '../../../kit/surroundings.js';

const FOLDER = path.join(PROJECT, 'node_modules/@adcp/sdk/compliance/cache/3.0.6/test-vectors');

/** One published vector: a request, the keys and the state of the verifier, and what has to come out. */
export type Vector = {
  readonly file: string;
  readonly name: string;
  readonly reference_now: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly jwks_ref?: readonly string[];
  readonly jwks_override?: Readonly<Record<string, unknown>>;
  readonly verifier_capability?: {
    readonly covers_content_digest: 'required' | 'forbidden' | 'either';
    readonly required_for: readonly string[];
  };
  readonly test_harness_state?: {
    readonly replay_cache_entries?: readonly { readonly keyid: string; readonly nonce: string }[];
    readonly revoked_kids?: readonly string[];
    readonly revocation_list?: { readonly revoked_kids: readonly string[] };
    readonly per_keyid_cap_filled_for?: string;
    readonly replay_cache_per_keyid_cap_hit?: { readonly keyid: string };
    readonly revocation_list_stale_seconds?: number;
  };
  readonly expected_signature_base?: string;
  readonly expected_outcome: { readonly success: boolean; readonly error_code?: string };
};

/** The vectors of a set, in the order of their files. */
export function vectors(set: 'webhook-signing' | 'request-signing', kind: 'positive' | 'negative'): readonly Vector[] {
  const folder = path.join(FOLDER, set, kind);
  return readdirSync(folder)
    .sort()
    .map((file) => ({ file, ...(JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Omit<Vector, 'file'>) }));
}

/** A key of a set, with the private part that the vectors publish. */
export type VectorKey = PublicJwk & { readonly _private_d_for_test_only: string };

/** The keys of a set. */
export function vectorKeys(set: 'webhook-signing' | 'request-signing'): readonly VectorKey[] {
  const file = JSON.parse(readFileSync(path.join(FOLDER, set, 'keys.json'), 'utf8')) as { keys: VectorKey[] };
  return file.keys;
}

/** A published key as one that signs. */
export function signingKeyOf(key: VectorKey): SigningKey {
  const { _private_d_for_test_only: d, ...publicJwk } = key;
  const { kty, crv, x, y } = publicJwk;
  const alg: Algorithm = key.alg === 'EdDSA' ? 'ed25519' : 'ecdsa-p256-sha256';
  const jwk: JsonWebKey = { kty, crv, x, d, ...(y === undefined ? {} : { y }) };
  return {
    kid: key.kid,
    alg,
    purpose: key.adcp_use ?? '',
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
    publicJwk,
  };
}

/** The request of a vector as it arrives. */
export function received({ request }: Vector): ReceivedRequest {
  const { method, url, headers, body } = request;
  return { method, url, headers, body: Buffer.from(body) };
}

/** The canonicalisation cases. */
export type UrlCase = {
  readonly name: string;
  readonly input_url: string;
  readonly expected_target_uri?: string;
  readonly expected_authority?: string;
  readonly reject?: boolean;
};

/** Every case of canonicalization.json. */
export function urlCases(): readonly UrlCase[] {
  const file = path.join(FOLDER, 'request-signing/canonicalization.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: UrlCase[] }).cases;
}
