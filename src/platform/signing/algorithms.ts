import { type KeyObject, type SignKeyObjectInput, sign, verify } from 'node:crypto';

type AlgorithmRow = {
  /** What a JWK of the algorithm says of itself (RFC 8037, RFC 7518). */
  readonly jwk: { readonly kty: string; readonly crv: string; readonly alg: string };
  readonly sign: (base: Uint8Array, key: KeyObject) => Buffer;
  /** The same in a thread beside this one. */
  readonly signAside: (base: Uint8Array, key: KeyObject) => Promise<Buffer>;
  readonly verify: (base: Uint8Array, key: KeyObject, signature: Uint8Array) => boolean;
};

const SIGNATURE_BYTES = 64;

/** The algorithms of both profiles, by their name in `alg`; signatures are 64 bytes, of P-256 raw r and s (facts 2.1). */
export const ALGORITHMS = {
  ed25519: {
    jwk: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' },
    sign: (base, key) => sign(null, base, key),
    signAside: (base, key) => signAside(null, base, key),
    verify: (base, key, signature) => signature.length === SIGNATURE_BYTES && verify(null, base, key, signature),
  },
  'ecdsa-p256-sha256': {
    jwk: { kty: 'EC', crv: 'P-256', alg: 'ES256' },
    sign: (base, key) => sign('sha256', base, { key, dsaEncoding: 'ieee-p1363' }),
    signAside: (base, key) => signAside('sha256', base, { key, dsaEncoding: 'ieee-p1363' }),
    verify: (base, key, signature) =>
      signature.length === SIGNATURE_BYTES && verify('sha256', base, { key, dsaEncoding: 'ieee-p1363' }, signature),
  },
} as const satisfies Record<string, AlgorithmRow>;

function signAside(digest: string | null, base: Uint8Array, key: KeyObject | SignKeyObjectInput): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign(digest, base, key, (error, signature) => (error === null ? resolve(signature) : reject(error)));
  });
}

/** A name of the table. */
export type Algorithm = keyof typeof ALGORITHMS;

/** Whether a signature's `alg` is one of the table. */
export function isAlgorithm(name: string): name is Algorithm {
  return Object.hasOwn(ALGORITHMS, name);
}
