import { isoTime } from '../../platform/kernel/clock.js';
import type { Reading } from '../documents/reading.js';

/** A public key that a publisher attests for an agent: a JWK without its private members. */
export type PinnedKey = {
  readonly kid: string;
  readonly kty: string;
  readonly revoked_at?: string;
  readonly [member: string]: unknown;
};

/** Members of a JWK that are nobody's business but the owner's. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
const PUBLIC_MEMBERS = ['alg', 'use', 'crv', 'x', 'y', 'n', 'e'] as const;

/** Reads a pinned signing key; undefined, and reported, when it is none. */
export function readPin(key: Reading): PinnedKey | undefined {
  refusePrivate(key);
  const kid = key.text('kid', { required: true });
  const kty = key.text('kty', { required: true });
  const revokedAt = key.instant('revoked_at');
  const members = PUBLIC_MEMBERS.map((name) => [name, key.text(name)] as const);
  if (kid === undefined || kty === undefined || !key.isUsable()) return undefined;
  return {
    ...Object.fromEntries(members.filter(([, value]) => value !== undefined)),
    kid,
    kty,
    ...(revokedAt === undefined ? {} : { revoked_at: isoTime(revokedAt) }),
  };
}

/** Checks an encryption key, which no authorization depends on. */
export function checkEncryptionKey(key: Reading): void {
  refusePrivate(key);
  key.text('kid', { required: true, max: 8 });
  key.choice('kty', ['OKP'], { required: true });
  key.choice('crv', ['X25519'], { required: true });
  key.choice('use', ['enc'], { required: true });
  key.text('x', { required: true });
}

function refusePrivate(key: Reading): void {
  const published = PRIVATE_MEMBERS.filter((name) => key.holds(name));
  if (published.length === 0) return;
  const fix = 'Remove it, and replace the key: everybody who read the file can sign with it.';
  key.fault(published[0] ?? '', 'private', `the private part of a key is published (${published.join(', ')})`, fix);
}
