import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { KeyUse } from '../../../protocol/names.js';
import { ALGORITHMS, type Algorithm } from '../algorithms.js';
import { readBytes } from '../digest.js';
import type { PublicJwk, SigningKey } from './jwk.js';
import type { KeyRow } from './key-life.js';

/** The numbers of a key pair, base64url, as a JWK names them. */
export type KeyPair = Required<Pick<KeyRow, 'x' | 'd'>> & Pick<KeyRow, 'y'>;

/** A fresh key pair from the system's random source. */
export function generatePair(alg: Algorithm): KeyPair {
  const { privateKey } =
    alg === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y, d = '' } = privateKey.export({ format: 'jwk' });
  return { x, ...(y === undefined ? {} : { y }), d };
}

/** The ed25519 pair of a seed (base64url, 32 bytes). Undefined when it is none. */
export async function pairOfSeed(seed: string): Promise<KeyPair | undefined> {
  const bytes = readBytes(seed);
  if (bytes?.length !== 32) return undefined;
  const { getPublicKeyAsync } = await import('@noble/ed25519');
  const x = Buffer.from(await getPublicKeyAsync(bytes)).toString('base64url');
  return { x, d: bytes.toString('base64url') };
}

/** A row as a key that signs. Throws when its numbers are no key, or it has no private part. */
export function openKey(row: KeyRow, keyUses: readonly KeyUse[]): SigningKey {
  const { alg, d, kid, purpose } = row;
  if (d === undefined) throw new TypeError('the key has no private part');
  const privateKey = createPrivateKey({ key: { ...numbersOf(row), d }, format: 'jwk' });
  return { kid, alg, purpose, privateKey, publicJwk: publicJwk(row, keyUses) };
}

/** What a JWKS publishes of a row: every name of the protocol says the purpose (facts 2.4). */
export function publicJwk(row: KeyRow, keyUses: readonly KeyUse[]): PublicJwk {
  const { alg, kid, purpose, x, y } = row;
  const uses = Object.fromEntries(keyUses.map((name) => [name, purpose])) as Record<KeyUse, string>;
  const numbers = { x, ...(y === undefined ? {} : { y }) };
  return { kid, ...ALGORITHMS[alg].jwk, ...numbers, use: 'sig', key_ops: ['verify'], ...uses };
}

/** Whether the private part belongs to what is published: what it signs verifies with the public numbers alone. */
export function isPair({ alg, privateKey }: Pick<SigningKey, 'alg' | 'privateKey'>, row: KeyRow): boolean {
  const base = Buffer.from(`self-check of ${row.kid}`);
  return ALGORITHMS[alg].verify(base, publicKeyOf(row), ALGORITHMS[alg].sign(base, privateKey));
}

/** The public numbers of a row as a key. Throws when they are none. */
export function publicKeyOf(row: KeyRow): KeyObject {
  return createPublicKey({ key: numbersOf(row), format: 'jwk' });
}

function numbersOf({ alg, x, y }: KeyRow): JsonWebKey {
  const { kty, crv } = ALGORITHMS[alg].jwk;
  return { kty, crv, x, ...(y === undefined ? {} : { y }) };
}
