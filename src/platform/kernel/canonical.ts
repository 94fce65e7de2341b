import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { InputError } from './errors.js';

/**
 * Returns the SHA-256 (base64url) of the RFC 8785 canonical form of a JSON value: equal for equal values, whatever the order of their keys.
 * Throws INVALID_REQUEST for what JSON can spell and not carry: infinite numbers, halves of surrogate pairs.
 */
export function canonicalHash(value: unknown): string {
  return hash('sha256', canonicalText(value), 'base64url');
}

function canonicalText(value: unknown): string {
  try {
    return canonicalize(value) ?? 'undefined';
  } catch {
    throw new InputError('INVALID_REQUEST', 'The arguments hold a number or text that JSON cannot carry.', {
      field: 'arguments',
      suggestion: 'Send finite numbers, and text without halves of surrogate pairs.',
    });
  }
}

/** Returns 132 bits of a text's SHA-256, base64url: short enough for an index, long enough to be the text's own. */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Returns the SHA-256 of a text, lower-case hex: the form in which an API key is stored. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}
