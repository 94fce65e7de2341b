import type { IncomingHttpHeaders } from 'node:http';
import { sha256Hex } from '../../platform/kernel/canonical.js';
import { TaskError } from '../../protocol/errors.js';
import { demoPrincipal } from '../domain/tenant/callers.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { Principal } from '../domain/tenant/tenant.js';

/** What a request's headers prove: a principal, nothing, or less than nothing. `header` is the one that was looked at. */
export type Proof =
  | { readonly kind: 'principal'; readonly principal: Principal }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid'; readonly header: string };

/** Reads the bearer token from `Authorization`, or from the protocol's own header (spec 2, Authentication). */
export function authenticate(seller: Seller, headers: IncomingHttpHeaders, development: boolean): Proof {
  const found = readToken(seller, headers);
  if (found === undefined) return { kind: 'missing' };
  const principal = found.token === undefined ? undefined : principalOf(seller, found.token, development);
  return principal === undefined ? { kind: 'invalid', header: found.header } : { kind: 'principal', principal };
}

function readToken(
  seller: Seller,
  headers: IncomingHttpHeaders,
): { token: string | undefined; header: string } | undefined {
  const { authorization } = headers;
  if (authorization !== undefined)
    return { token: /^Bearer +(\S+) *$/i.exec(authorization)?.[1], header: 'authorization' };
  for (const header of seller.names.acceptedAuthHeaders) {
    const value = headers[header];
    if (typeof value === 'string' && value.trim() !== '')
      return { token: value.trim().replace(/^Bearer +/i, ''), header };
  }
  return undefined;
}

/** Tokens are compared by their SHA-256 alone, so the time an answer takes says nothing about a key. */
function principalOf(seller: Seller, token: string, development: boolean): Principal | undefined {
  const known = seller.principals.get(sha256Hex(token));
  return known ?? (development ? demoPrincipal(seller, token) : undefined);
}

/** What a request without a valid credential is told: the error of its body, and the challenge of its head. */
export type Unauthorized = { readonly error: TaskError; readonly challenge: string };

/** The error and challenge for a request without a valid credential (spec 2, Authentication 3; facts A.10). */
export function unauthorized(proof: Exclude<Proof, { kind: 'principal' }>): Unauthorized {
  if (proof.kind === 'missing') {
    return {
      error: new TaskError('AUTH_MISSING', 'This call needs a credential and no header carried one.', {
        suggestion: 'Send the header Authorization: Bearer <your API key>.',
      }),
      challenge: 'Bearer realm="seller-agent"',
    };
  }
  return {
    error: new TaskError('AUTH_INVALID', `The credential in the ${proof.header} header is not valid here.`, {
      suggestion:
        'Check the API key and the tenant it was made for; the header is Authorization: Bearer <your API key>.',
    }),
    challenge: 'Bearer realm="seller-agent", error="invalid_token"',
  };
}
