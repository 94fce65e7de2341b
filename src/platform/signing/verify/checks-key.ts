import { createPublicKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { readStrictJsonInSlices } from '../../kernel/json/strict-json.js';
import { ALGORITHMS, isAlgorithm } from '../algorithms.js';
import { sha256 } from '../digest.js';
import { signatureBase } from '../signature-base.js';
import { readByteMembers } from '../signature-fields.js';
import { canonicalAuthority, canonicalTargetUri, type TargetUri, targetUriReason } from '../target-uri.js';
import type { Failure } from './codes.js';
import { PROFILE_RULES } from './profiles.js';
import type { HeaderReader, ReceivedRequest } from './received.js';
import { requireStep, type Verification } from './verification.js';

/** Finds the key that the keyid leads to, among those that an expected agent publishes (step 7). */
export async function findKey(verification: Verification): Promise<Failure | undefined> {
  const lookup = await verification.options.keys(requireStep(verification.parameters).keyid, verification.request);
  if (lookup.kind === 'unknown') return 'signature_key_unknown';
  if (lookup.kind === 'refused') return lookup.failure;
  verification.key = lookup;
  return undefined;
}

/** Checks that the key is for verifying, for this purpose, and of the algorithm that signed (step 8). */
export function checkPurpose(verification: Verification): Failure | undefined {
  const { profile, names, purposes = PROFILE_RULES[profile].purposes } = verification.options;
  const { jwk } = requireStep(verification.key);
  const alg = requireStep(verification.parameters).alg;
  const members: Readonly<Record<string, unknown>> = { ...jwk };
  const uses = names.keyUses.map((name) => members[name]).filter((use) => use !== undefined);
  const expected = isAlgorithm(alg) ? ALGORITHMS[alg].jwk : undefined;
  const isFit =
    expected !== undefined &&
    members.kid === requireStep(verification.parameters).keyid &&
    members.use === 'sig' &&
    Array.isArray(members.key_ops) &&
    members.key_ops.includes('verify') &&
    uses.length > 0 &&
    uses.every((use) => typeof use === 'string' && purposes.includes(use)) &&
    members.kty === expected.kty &&
    members.crv === expected.crv &&
    members.alg === expected.alg;
  const publicKey = isFit ? verification.importKey(jwk) : undefined;
  if (publicKey === undefined) return 'signature_key_purpose_invalid';
  verification.publicKey = publicKey;
  return undefined;
}

/** Checks that the list of revoked keys is fresh, and that the key is not in it (step 9). */
export async function checkRevocation(verification: Verification): Promise<Failure | undefined> {
  const answer = await verification.options.revocation.check(
    { source: requireStep(verification.key).source, keyid: requireStep(verification.parameters).keyid },
    verification.nowSeconds,
  );
  if (answer === 'revoked') return 'signature_key_revoked';
  return answer === 'stale' ? 'signature_revocation_stale' : undefined;
}

/** Checks that the key has room for one more nonce, before anything is computed with it (step 9a). */
export async function checkRate({ options, key, parameters, nowSeconds }: Verification): Promise<Failure | undefined> {
  const share = { source: requireStep(key).source, keyid: requireStep(parameters).keyid };
  return (await options.nonces.isFull(share, nowSeconds)) ? 'signature_rate_abuse' : undefined;
}

/** Checks that the URL is the one that was called, and that the signature fits (step 10). */
export function checkSignature(verification: Verification): Failure | undefined {
  const { request, header } = verification;
  const { components, received, signature } = requireStep(verification.signatureFields);
  const target = readTarget(request, header);
  if (target === undefined) return 'target_uri_malformed';
  const derived: Readonly<Record<string, string>> = {
    '@method': request.method.toUpperCase(),
    '@target-uri': target.uri,
    '@authority': target.authority,
  };
  const values = components.map((name) => [name, derived[name] ?? header(name) ?? ''] as const);
  const { alg } = requireStep(verification.parameters);
  const base = Buffer.from(signatureBase(values, received));
  return isAlgorithm(alg) && ALGORITHMS[alg].verify(base, requireStep(verification.publicKey), signature)
    ? undefined
    : 'signature_invalid';
}

/** Returns the canonical target, undefined where the Host header or `:authority` names another host. */
function readTarget(request: ReceivedRequest, header: HeaderReader): TargetUri | undefined {
  try {
    const target = canonicalTargetUri(request.url);
    const scheme = target.uri.slice(0, target.uri.indexOf(':'));
    const hosts = [header(':authority'), header('host')].filter((host) => host !== undefined);
    return hosts.every((host) => canonicalAuthority(scheme, host) === target.authority) ? target : undefined;
  } catch (error) {
    if (targetUriReason(error) !== undefined) return undefined;
    throw error;
  }
}

/** Checks that the body is the one that was digested (step 11). */
export function checkDigest({ signatureFields, header, request }: Verification): Failure | undefined {
  if (!requireStep(signatureFields).components.includes('content-digest')) return undefined;
  const given = readByteMembers(header('content-digest') ?? '')?.get('sha-256');
  const actual = sha256(request.body);
  const isSame = given !== undefined && given.length === actual.length && timingSafeEqual(given, actual);
  return isSame ? undefined : 'signature_digest_mismatch';
}

/** Steps 12 and 13: the nonce is new, and is remembered until the signature has expired, clocks apart. */
export async function claimNonce({
  options,
  key,
  parameters,
  nowSeconds,
  maxSkewSeconds,
}: Verification): Promise<Failure | undefined> {
  const { keyid, nonce, expires } = requireStep(parameters);
  const use = { source: requireStep(key).source, keyid, nonce };
  const claim = await options.nonces.claim(use, expires + maxSkewSeconds, nowSeconds);
  if (claim === 'seen') return 'signature_replayed';
  return claim === 'full' ? 'signature_rate_abuse' : undefined;
}

/** Most values of a signed body: who receives more bounds its bodies before they are verified. */
const MAX_SIGNED_VALUES = 2_000_000;

/** Checks, after the nonce is spent, that the body is JSON that every parser reads alike (step 14). */
export async function checkBody(verification: Verification): Promise<Failure | undefined> {
  const { body } = verification.request;
  if (body.length === 0) return undefined;
  const read = await readStrictJsonInSlices(Buffer.from(body.buffer, body.byteOffset, body.length), MAX_SIGNED_VALUES);
  if (read.ok) return undefined;
  verification.repeatedNames = read.names;
  return 'body_malformed';
}

/** The keys of JWKs, each imported once for as long as its JWK is in memory. */
export class ImportedKeys {
  readonly #keys = new WeakMap<object, KeyObject>();

  /** Returns the key of a JWK, undefined when its numbers are no key. */
  import(jwk: object): KeyObject | undefined {
    const cached = this.#keys.get(jwk);
    if (cached !== undefined) return cached;
    try {
      const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
      this.#keys.set(jwk, key);
      return key;
    } catch {
      return undefined;
    }
  }
}
