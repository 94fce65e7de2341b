import { type KeyObject, type SignKeyObjectInput, sign, verify } from 'node:crypto';

type AlgorithmRow = {
  /** The members of every JWK of the algorithm (RFC 8037, RFC 7518). */
  readonly jwk: { readonly kty: string; readonly crv: string; readonly alg: string };
  readonly sign: (base: Uint8Array, key: KeyObject) => Buffer;
  /** Signs in a thread of the pool, so that the event loop goes on. */
  readonly signInThread: (base: Uint8Array, key: KeyObject) => Promise<Buffer>;
  readonly verify: (base: Uint8Array, key: KeyObject, signature: Uint8Array) => boolean;
};

/** The name of an algorithm. */
export type Algorithm = 'ed25519' | 'ecdsa-p256-sha256';

const SIGNATURE_BYTES = 64;

/** The algorithms of both profiles, by their name in `alg`; signatures are 64 bytes, of P-256 raw r and s. */
export const ALGORITHMS: Readonly<Record<Algorithm, AlgorithmRow>> = {
  ed25519: {
    jwk: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' },
    sign: (base, key) => sign(null, base, key),
    signInThread: (base, key) => signInThread(null, base, key),
    verify: (base, key, signature) => signature.length === SIGNATURE_BYTES && verify(null, base, key, signature),
  },
  'ecdsa-p256-sha256': {
    jwk: { kty: 'EC', crv: 'P-256', alg: 'ES256' },
    sign: (base, key) => sign('sha256', base, { key, dsaEncoding: 'ieee-p1363' }),
    signInThread: (base, key) => signInThread('sha256', base, { key, dsaEncoding: 'ieee-p1363' }),
    verify: (base, key, signature) =>
      signature.length === SIGNATURE_BYTES && verify('sha256', base, { key, dsaEncoding: 'ieee-p1363' }, signature),
  },
};

function signInThread(digest: string | null, base: Uint8Array, key: KeyObject | SignKeyObjectInput): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign(digest, base, key, (error, signature) => (error === null ? resolve(signature) : reject(error)));
  });
}

/** Whether a signature's `alg` is one of the table. */
export function isAlgorithm(name: string): name is Algorithm {
  return Object.hasOwn(ALGORITHMS, name);
}
