import type { IncomingHttpHeaders } from 'node:http';
import { sha256Hex } from '../../platform/kernel/canonical.js';
import { TaskError } from '../../protocol/errors.js';
import { demoPrincipal } from '../domain/tenant/callers.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { Principal } from '../domain/tenant/tenant.js';

/** The proof in a request's headers: a principal, nothing, or less than nothing. `header` is the one that was looked at. */
export type Proof =
  | { readonly kind: 'principal'; readonly principal: Principal }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid'; readonly header: string };

/** Reads the bearer token from `Authorization`, or from the protocol's own header. */
export function authenticate(seller: Seller, headers: IncomingHttpHeaders, development: boolean): Proof {
  const carried = readToken(seller, headers);
  if (carried === undefined) return { kind: 'missing' };
  const principal = carried.token === undefined ? undefined : findPrincipal(seller, carried.token, development);
  return principal === undefined ? { kind: 'invalid', header: carried.header } : { kind: 'principal', principal };
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
function findPrincipal(seller: Seller, token: string, development: boolean): Principal | undefined {
  const principal = seller.principals.get(sha256Hex(token));
  return principal ?? (development ? demoPrincipal(seller, token) : undefined);
}

/** The answer to a request without a valid credential: the error of its body, and the challenge of its head. */
export type Unauthorized = { readonly error: TaskError; readonly challenge: string };

/** The error and challenge for a request without a valid credential. */
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
