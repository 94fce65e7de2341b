import { ALGORITHMS } from './algorithms.js';
import type { SigningKey } from './keys/jwk.js';

/** Returns claims as a compact JWS (RFC 7515), signed with a key whose `kid` its header names; `typ` says what the token is. */
export function signJws(claims: Readonly<Record<string, unknown>>, key: SigningKey, typ: string): string {
  const { jwk, sign } = ALGORITHMS[key.alg];
  const signed = [{ alg: jwk.alg, typ, kid: key.kid }, claims].map(encodePart).join('.');
  return `${signed}.${sign(Buffer.from(signed), key.privateKey).toString('base64url')}`;
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
