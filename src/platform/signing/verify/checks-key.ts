import { createPublicKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ALGORITHMS, isAlgorithm } from '../algorithms.js';
import { signatureBase } from '../base.js';
import { sha256 } from '../digest.js';
import { readByteMembers } from '../fields.js';
import { canonicalAuthority, canonicalTargetUri, type TargetUri, targetUriReason } from '../target-uri.js';
import type { Attempt } from './attempt.js';
import { known } from './attempt.js';
import type { Failure, Profile } from './codes.js';
import { readStrictJson } from './duplicate-keys.js';
import type { HeaderReader, ReceivedRequest } from './received.js';

const PURPOSES_BY_PROFILE: Readonly<Record<Profile, readonly string[]>> = {
  webhook: ['request-signing', 'webhook-signing'],
  request: ['request-signing'],
};

/** Step 7: the keyid leads to a key that a known agent publishes. */
export async function findKey(at: Attempt): Promise<Failure | undefined> {
  const found = await at.options.keys(known(at.parameters).keyid, at.request);
  if (found.kind === 'found') at.found = found;
  else return found.kind === 'unknown' ? 'signature_key_unknown' : found.failure;
  return undefined;
}

/** Step 8: the key is for verifying, for this purpose, and of the algorithm that signed. */
export function checkPurpose(at: Attempt): Failure | undefined {
  const { profile, names, purposes = PURPOSES_BY_PROFILE[profile] } = at.options;
  const { jwk } = known(at.found);
  const alg = known(at.parameters).alg;
  const members: Readonly<Record<string, unknown>> = { ...jwk };
  const uses = names.keyUses.map((name) => members[name]).filter((use) => use !== undefined);
  const expected = isAlgorithm(alg) ? ALGORITHMS[alg].jwk : undefined;
  const isFit =
    expected !== undefined &&
    members.kid === known(at.parameters).keyid &&
    members.use === 'sig' &&
    Array.isArray(members.key_ops) &&
    members.key_ops.includes('verify') &&
    uses.length > 0 &&
    uses.every((use) => typeof use === 'string' && purposes.includes(use)) &&
    members.kty === expected.kty &&
    members.crv === expected.crv &&
    members.alg === expected.alg;
  const publicKey = isFit ? importKey(jwk) : undefined;
  if (publicKey === undefined) return 'signature_key_purpose_invalid';
  at.publicKey = publicKey;
  return undefined;
}

/** Step 9: the list of revoked keys is fresh and the key is not on it. */
export async function checkRevocation(at: Attempt): Promise<Failure | undefined> {
  const answer = await at.options.revocation.check(
    { source: known(at.found).source, keyid: known(at.parameters).keyid },
    at.nowSeconds,
  );
  if (answer === 'revoked') return 'signature_key_revoked';
  return answer === 'stale' ? 'signature_revocation_stale' : undefined;
}

/** Step 9a: the key has room for one more nonce. Before anything is computed with it. */
export async function checkRate({ options, found, parameters, nowSeconds }: Attempt): Promise<Failure | undefined> {
  const share = { source: known(found).source, keyid: known(parameters).keyid };
  return (await options.nonces.isFull(share, nowSeconds)) ? 'signature_rate_abuse' : undefined;
}

/** Step 10: the URL is the one that was called, and the signature fits. */
export function checkSignature(at: Attempt): Failure | undefined {
  const { request, header } = at;
  const { components, received, signature } = known(at.fields);
  const target = readTarget(request, header);
  if (target === undefined) return 'target_uri_malformed';
  const derived: Readonly<Record<string, string>> = {
    '@method': request.method.toUpperCase(),
    '@target-uri': target.uri,
    '@authority': target.authority,
  };
  const values = components.map((name) => [name, derived[name] ?? header(name) ?? ''] as const);
  const { alg } = known(at.parameters);
  const base = Buffer.from(signatureBase(values, received));
  return isAlgorithm(alg) && ALGORITHMS[alg].verify(base, known(at.publicKey), signature)
    ? undefined
    : 'signature_invalid';
}

/** The canonical target, where the Host header (or `:authority`), if there is one, names the same. */
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

/** Step 11: the body is the one that was digested. */
export function checkDigest({ fields, header, request }: Attempt): Failure | undefined {
  if (!known(fields).components.includes('content-digest')) return undefined;
  const given = readByteMembers(header('content-digest') ?? '')?.get('sha-256');
  const actual = sha256(request.body);
  const isSame = given !== undefined && given.length === actual.length && timingSafeEqual(given, actual);
  return isSame ? undefined : 'signature_digest_mismatch';
}

/** Steps 12 and 13: the nonce is new, and is kept until the signature has expired, clocks apart. */
export async function claimNonce({
  options,
  found,
  parameters,
  nowSeconds,
  maxSkewSeconds,
}: Attempt): Promise<Failure | undefined> {
  const { keyid, nonce, expires } = known(parameters);
  const use = { source: known(found).source, keyid, nonce };
  const claim = await options.nonces.claim(use, expires + maxSkewSeconds, nowSeconds);
  if (claim === 'seen') return 'signature_replayed';
  return claim === 'full' ? 'signature_rate_abuse' : undefined;
}

/** Step 14, after the nonce is spent: the body is JSON that every parser reads the same way. */
export function checkBody(at: Attempt): Failure | undefined {
  if (at.request.body.length === 0) return undefined;
  const read = readStrictJson(at.request.body);
  if (read.ok) return undefined;
  at.repeatedNames = read.names;
  return 'body_malformed';
}

const imported = new WeakMap<object, KeyObject>();

/** The key of a JWK; undefined when its numbers are no key. Keys that were fetched once are read once. */
function importKey(jwk: object): KeyObject | undefined {
  const before = imported.get(jwk);
  if (before !== undefined) return before;
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    imported.set(jwk, key);
    return key;
  } catch {
    return undefined;
  }
}
