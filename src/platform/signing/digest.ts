import { hash } from 'node:crypto';

/** How bytes are written: base64url without padding, as the profile says, or padded base64 as RFC 9530 does. */
export type ByteEncoding = 'base64url' | 'base64';

const URL_SAFE = /^[A-Za-z0-9_-]*$/;
const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Reads the text of a byte sequence: base64url without padding, or standard base64 with or without it.
 * Undefined for any other text: both alphabets in one, padding that does not fit, bits left over, a length that no bytes have.
 */
export function readBytes(text: string): Buffer | undefined {
  if (!URL_SAFE.test(text) && !STANDARD.test(text)) return undefined;
  const encoding = URL_SAFE.test(text) ? 'base64url' : 'base64';
  const bytes = Buffer.from(text, encoding);
  const bare = bytes.toString(encoding).replace(/=+$/, '');
  const padding = text.length - text.replace(/=+$/, '').length;
  return text.startsWith(bare) && text.length === bare.length + padding && (padding === 0 || text.length % 4 === 0)
    ? bytes
    : undefined;
}

/** The texts of byte sequences that are taken: any that `readBytes` reads, or padded standard base64 alone. */
export type AcceptedBytes = 'any' | 'base64';

/** Writes a byte sequence of a structured field: `:…:`. */
export function writeBytes(bytes: Uint8Array, encoding: ByteEncoding = 'base64url'): string {
  return `:${Buffer.from(bytes).toString(encoding)}:`;
}

/** Returns the Content-Digest header of a body: SHA-256 over its raw bytes (RFC 9530). */
export function contentDigest(body: Uint8Array, encoding: ByteEncoding = 'base64url'): string {
  return `sha-256=:${hash('sha256', body, encoding)}:`;
}

/** Returns the SHA-256 of raw bytes. */
export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}
