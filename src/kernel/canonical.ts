import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** SHA-256 (base64url) of the RFC 8785 canonical form of a JSON value: equal for equal values, whatever the order of their keys. */
export function canonicalHash(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? 'undefined')
    .digest('base64url');
}

/** 132 bits of a text's SHA-256, base64url: short enough for an index, long enough to be the text's own. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** SHA-256 of a text, lower-case hex: how an API key is kept. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
