import type { KeyObject } from 'node:crypto';
import type { Algorithm } from '../algorithms.js';

/**
 * The purposes of a key of ours. Verifiers of release 3.0 want the second for webhooks, and everyone else takes the first; the third signs
 * the contexts of a governance agent alone, the fourth the answers of a brand agent to claims, and the fifth the badges of a registry.
 */
export const PURPOSES = [
  'request-signing',
  'webhook-signing',
  'governance-signing',
  'response-signing',
  'badge-signing',
] as const;

/** The purpose of a key. */
export type Purpose = (typeof PURPOSES)[number];

/** A member of a JWK that says what the key is for, such as `adcp_use`. */
export type KeyUse = `${string}_use`;

/** A public key as a JWKS publishes it. The purpose is a member per name of the protocol: `adcp_use`, `proto_use`. */
export type PublicJwk = {
  readonly kid: string;
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y?: string;
  readonly alg: string;
  readonly use: 'sig';
  readonly key_ops: readonly ['verify'];
  readonly [use: KeyUse]: string;
};

/** A public key as a publisher's adagents.json pins it; a revoked one stays for a day with the instant. */
export type KeyPin = PublicJwk & { readonly revoked_at?: string };

/** A key that signs, with its published form. */
export type SigningKey = {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly purpose: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: PublicJwk;
};
