import { createPublicKey } from 'node:crypto';
import { canonicalText } from '../kernel/canonical.js';
import { isObject } from '../kernel/json/json.js';
import { readStrictJson } from '../kernel/json/strict-json.js';
import { ALGORITHMS } from './algorithms.js';
import type { SigningKey } from './keys/jwk.js';

/** Returns claims as a compact JWS (RFC 7515), signed with a key whose `kid` its header names; `typ` says what the token is. */
export function signJws(claims: Readonly<Record<string, unknown>>, key: SigningKey, typ: string): string {
  const { jwk, sign } = ALGORITHMS[key.alg];
  const signed = [{ alg: jwk.alg, typ, kid: key.kid }, claims].map(encodePart).join('.');
  return `${signed}.${sign(Buffer.from(signed), key.privateKey).toString('base64url')}`;
}

/** A JWS whose payload stands decoded; what is signed is its RFC 8785 canonical form. */
type DecodedJws = {
  readonly protected: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly signature: string;
};

/** Returns claims as a JWS that shows them decoded, signed with a key whose `kid` its header names; `typ` says what the token is. */
export function signDecodedJws(claims: Readonly<Record<string, unknown>>, key: SigningKey, typ: string): DecodedJws {
  const { jwk, sign } = ALGORITHMS[key.alg];
  const header = encodePart({ alg: jwk.alg, typ, kid: key.kid });
  const payload = Buffer.from(canonicalText(claims)).toString('base64url');
  const signature = sign(Buffer.from(`${header}.${payload}`), key.privateKey).toString('base64url');
  return { protected: header, payload: claims, signature };
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** A compact JWS that was read and not verified. */
export type ReadJws = {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signed: Buffer;
  readonly signature: Buffer;
};

const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** Returns the parts of a compact JWS of JSON objects; undefined for any other text. */
export function readJws(text: string): ReadJws | undefined {
  const [, head = '', body = '', signature = ''] = COMPACT.exec(text) ?? [];
  const [header, claims] = [head, body].map((part) => readStrictJson(Buffer.from(part, 'base64url')));
  if (header?.ok !== true || claims?.ok !== true || !isObject(header.value) || !isObject(claims.value))
    return undefined;
  return {
    header: header.value,
    claims: claims.value,
    signed: Buffer.from(`${head}.${body}`),
    signature: Buffer.from(signature, 'base64url'),
  };
}

/** Whether a public JWK verifies a JWS; `alg` of its header, of the key and the key's own kind have to agree. No extension is understood. */
export function isSignedBy({ header, signed, signature }: ReadJws, jwk: Readonly<Record<string, unknown>>): boolean {
  if (header.crit !== undefined) return false;
  const row = Object.values(ALGORITHMS).find((one) => one.jwk.alg === header.alg);
  if (row === undefined || jwk.kty !== row.jwk.kty || jwk.crv !== row.jwk.crv) return false;
  if (jwk.alg !== undefined && jwk.alg !== row.jwk.alg) return false;
  try {
    return row.verify(signed, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  } catch {
    // Members that make no key.
    return false;
  }
}
