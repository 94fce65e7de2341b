import { sha256Hex } from '../../../platform/kernel/canonical.js';

/** A JSON answer that is written once and given often. */
export type WrittenJson = { readonly text: string; readonly etag: string };

/** Returns a JSON value as the answer of a public read. */
export function writeJson(value: object): WrittenJson {
  const text = JSON.stringify(value);
  return { text, etag: etagOf(text) };
}

/** Returns the ETag of a text: weak, the same for both encodings (RFC 9110, 8.8.3). */
export function etagOf(text: string): string {
  return `W/"${sha256Hex(text).slice(0, 32)}"`;
}
