import type { KeyObject } from 'node:crypto';
import type { Algorithm } from '../algorithms.js';

/** What a key of ours may be for. Verifiers of 3.0 want the second for webhooks; everyone else takes the first (facts 7, row 3). */
export const PURPOSES = ['request-signing', 'webhook-signing'] as const;

/** A purpose of the list. */
export type Purpose = (typeof PURPOSES)[number];

/** A public key as a JWKS publishes it. The purpose stands in a member per name of the protocol: `adcp_use`, `proto_use`. */
export type PublicJwk = {
  readonly kid: string;
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y?: string;
  readonly alg: string;
  readonly use: 'sig';
  readonly key_ops: readonly ['verify'];
  readonly [use: `${string}_use`]: string;
};

/** A public key as a publisher's adagents.json pins it; a revoked one stays for a day with the instant. */
export type KeyPin = PublicJwk & { readonly revoked_at?: string };

/** A key that signs, with what is published of it. */
export type SigningKey = {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly purpose: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: PublicJwk;
};
