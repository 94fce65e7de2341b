import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { ALGORITHMS, type Algorithm } from '../algorithms.js';
import { readBytes } from '../digest.js';
import type { KeyUse, PublicJwk, SigningKey } from './jwk.js';
import type { KeyRow } from './key-life.js';

/** The numbers of a key pair, base64url, as a JWK names them. */
type KeyPair = Required<Pick<KeyRow, 'x' | 'd'>> & Pick<KeyRow, 'y'>;

/** Generates a key pair from the system's random source. */
export function generatePair(alg: Algorithm): KeyPair {
  const { privateKey } =
    alg === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y, d = '' } = privateKey.export({ format: 'jwk' });
  return { x, ...(y === undefined ? {} : { y }), d };
}

/** Returns the ed25519 pair of a seed (base64url, 32 bytes), undefined when the text is no seed. */
export async function readSeed(seed: string): Promise<KeyPair | undefined> {
  const bytes = readBytes(seed);
  if (bytes?.length !== 32) return undefined;
  const { getPublicKeyAsync } = await import('@noble/ed25519');
  const x = Buffer.from(await getPublicKeyAsync(bytes)).toString('base64url');
  return { x, d: bytes.toString('base64url') };
}

/** Opens a row as a key that signs. Throws when its numbers are no key, or the row has no private part. */
export function openKey(row: KeyRow, keyUses: readonly KeyUse[]): SigningKey {
  const { alg, d, kid, purpose } = row;
  if (d === undefined) throw new TypeError('the key has no private part');
  const privateKey = createPrivateKey({ key: { ...publicNumbers(row), d }, format: 'jwk' });
  return { kid, alg, purpose, privateKey, publicJwk: publicJwk(row, keyUses) };
}

/** Returns the public form of a row for a JWKS: every name of the protocol says the purpose. */
export function publicJwk(row: KeyRow, keyUses: readonly KeyUse[]): PublicJwk {
  const { alg, kid, purpose, x, y } = row;
  const uses = Object.fromEntries(keyUses.map((name) => [name, purpose])) as Record<KeyUse, string>;
  const numbers = { x, ...(y === undefined ? {} : { y }) };
  return { kid, ...ALGORITHMS[alg].jwk, ...numbers, use: 'sig', key_ops: ['verify'], ...uses };
}

/** Whether the private part belongs to the published numbers: its signature verifies with these alone. */
export function isPair({ alg, privateKey }: Pick<SigningKey, 'alg' | 'privateKey'>, row: KeyRow): boolean {
  const base = Buffer.from(`self-check of ${row.kid}`);
  return ALGORITHMS[alg].verify(base, openPublicKey(row), ALGORITHMS[alg].sign(base, privateKey));
}

/** Returns the public numbers of a row as a key. Throws when they are none. */
export function openPublicKey(row: KeyRow): KeyObject {
  return createPublicKey({ key: publicNumbers(row), format: 'jwk' });
}

function publicNumbers({ alg, x, y }: KeyRow): JsonWebKey {
  const { kty, crv } = ALGORITHMS[alg].jwk;
  return { kty, crv, x, ...(y === undefined ? {} : { y }) };
}
