import type { NonceStore } from '../../../platform/signing/verify/nonces.js';
import type { Revocation } from '../../../platform/signing/verify/revocation.js';
import type { KeyLookup } from '../../../platform/signing/verify/verification.js';
import { demoPrincipal } from '../../domain/tenant/callers.js';
import type { Principal } from '../../domain/tenant/principal.js';
import type { Seller } from '../../domain/tenant/seller.js';

/**
 * The public halves of the keys that the published request-signing vectors are signed with. Their private halves are published too,
 * so whoever signs with them proves nothing: they are known in development mode alone, as one sandbox principal.
 */
const KEYS = [
  {
    kid: 'test-ed25519-2026',
    purpose: 'request-signing',
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    x: 'gWUqzATUcUco5Q8fZZXn8aWwb7DQbYGBiqUzLiSDDJo',
  },
  {
    kid: 'test-es256-2026',
    purpose: 'request-signing',
    kty: 'EC',
    crv: 'P-256',
    alg: 'ES256',
    x: 'vGSQmjzPN1txgDY-oBb108gMsRETA9J5IPxqlBczQOY',
    y: 'JGIbsHoOnHLL_LFqGYUW43BYDAqGYrNRZUylkE7rqSU',
  },
  {
    kid: 'test-gov-2026',
    purpose: 'governance-signing',
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    x: 'rkUcKP5oMd7YjV4yy5mVS5S8fA3LDXcf5jk1P1_52EA',
  },
  {
    kid: 'test-revoked-2026',
    purpose: 'request-signing',
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    x: 'r8wqMpVCLKzLSRNBtNmI1g71pPzQcwkATJHcyHK1lXg',
  },
] as const;

/** The source under which the keys count as published, for each tenant apart: what one is sent fills no memory of another. */
const SOURCE = 'request-signing test kit of ';
/** The one that counts as revoked there. */
const REVOKED = 'test-revoked-2026';

/** Who signs with them, as a verifier names it; no URL, so that no configured agent is called the same. */
export const KIT_SIGNER = 'request-signing test kit';

/** Signatures with one key in so many seconds; a real counterparty has a million. */
const KIT_RATE = { perKey: 100, windowSeconds: 60 };

/** Returns the key of a test kit, with the purpose under each of the tenant's names for it. */
export function kitKey({ names, tenant }: Seller, keyid: string): KeyLookup {
  const row = KEYS.find(({ kid }) => kid === keyid);
  if (row === undefined) return { kind: 'unknown' };
  const { purpose, ...members } = row;
  const uses = Object.fromEntries(names.keyUses.map((use) => [use, purpose]));
  const jwk = { ...members, use: 'sig', key_ops: ['verify'], ...uses };
  return { kind: 'found', jwk, signer: KIT_SIGNER, source: `${SOURCE}${tenant.path}` };
}

/** Returns the sandbox principal that calls signed by a test kit are made by. */
export function kitPrincipal(seller: Seller): Principal | undefined {
  return demoPrincipal(seller, 'demo-request-signing-v1');
}

/** Revocation of the test kit's keys. A counterparty revokes a key by taking it out of its JWKS. */
export const KIT_REVOCATION: Revocation = {
  check: ({ source, keyid }) => (source.startsWith(SOURCE) && keyid === REVOKED ? 'revoked' : 'valid'),
};

/** Returns a memory of nonces that takes fewer of the test kit: so many of one key in so many seconds. */
export function withKitRate(memory: NonceStore): NonceStore {
  const claimed = new Map<string, readonly number[]>();
  const nameOf = ({ source, keyid }: Key): string => `${source} ${keyid}`;
  const recent = (key: Key, nowSeconds: number): readonly number[] =>
    (claimed.get(nameOf(key)) ?? []).filter((second) => second > nowSeconds - KIT_RATE.windowSeconds);
  const isOver = (key: Key, nowSeconds: number): boolean => recent(key, nowSeconds).length >= KIT_RATE.perKey;
  return {
    isFull: (key, nowSeconds) => isOver(key, nowSeconds) || memory.isFull(key, nowSeconds),
    claim: (use, untilSeconds, nowSeconds) => {
      if (!use.source.startsWith(SOURCE)) return memory.claim(use, untilSeconds, nowSeconds);
      if (isOver(use, nowSeconds)) return 'full';
      claimed.set(nameOf(use), [...recent(use, nowSeconds), nowSeconds]);
      return memory.claim(use, untilSeconds, nowSeconds);
    },
  };
}

type Key = Parameters<NonceStore['isFull']>[0];
