import { createHash, createHmac, hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { InputError } from './errors.js';
import { startPace } from './event-loop.js';
import { hasMoreValues } from './json/json.js';

/**
 * Returns the SHA-256 (base64url) of the RFC 8785 canonical form of a JSON value: equal for equal values, whatever the order of their keys.
 * Throws INVALID_REQUEST for what JSON can spell and not carry: infinite numbers, halves of surrogate pairs.
 */
export function canonicalHash(value: unknown): string {
  return hash('sha256', canonicalText(value), 'base64url');
}

/** Returns what `canonicalHash` does of a value that was read from JSON, giving way to the event loop in between. Rejects as that throws. */
export async function canonicalHashInSlices(value: unknown): Promise<string> {
  // Most requests are small, and slices cost several times one run over all of it (bench row create_media_buy).
  if (!hasMoreValues(value, MAX_WHOLE_MEMBERS)) return canonicalHash(value);
  const pace = startPace();
  const sum = createHash('sha256');
  let text = '';
  for (const piece of canonicalPieces(value)) {
    text += piece;
    if (text.length < PIECE_CHARACTERS) continue;
    sum.update(text);
    text = '';
    if (pace.isDue()) await pace.rest();
  }
  return sum.update(text).digest('base64url');
}

/** Characters of what is hashed at once, about. */
const PIECE_CHARACTERS = 16 * 1024;
/** Most members of a list or object without further ones in it that is written at once. */
const MAX_WHOLE_MEMBERS = 1000;

/** A list or object that is being written: its values and, for an object, their names in canonical order. */
type Open = { readonly values: readonly unknown[]; readonly names: readonly string[] | undefined; next: number };

/** Writes the canonical form piece by piece. Nothing recurses but what is flat. */
function* canonicalPieces(root: unknown): Generator<string> {
  const opened: Open[] = [];
  let value = root;
  for (;;) {
    if (isNested(value)) {
      opened.push(openContainer(value));
      yield Array.isArray(value) ? '[' : '{';
    } else yield canonicalText(value);
    let inner = opened.at(-1);
    while (inner !== undefined && inner.next === inner.values.length) {
      yield inner.names === undefined ? ']' : '}';
      opened.pop();
      inner = opened.at(-1);
    }
    if (inner === undefined) return;
    const comma = inner.next === 0 ? '' : ',';
    yield inner.names === undefined ? comma : `${comma}${canonicalText(inner.names[inner.next])}:`;
    value = inner.values[inner.next];
    inner.next += 1;
  }
}

function openContainer(value: object): Open {
  if (Array.isArray(value)) return { values: value.map((item) => item ?? null), names: undefined, next: 0 };
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return { values: members.map(([, member]) => member), names: members.map(([name]) => name), next: 0 };
}

/** Whether a value is a list or object that is not written at once: one that is long, or holds others. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return values.length > MAX_WHOLE_MEMBERS || values.some((one) => typeof one === 'object' && one !== null);
}

/** Returns a JSON value in its RFC 8785 canonical form. Throws as `canonicalHash` does. */
export function canonicalText(value: unknown): string {
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

/** Returns 132 bits of a text's HMAC-SHA-256, base64url: only who has the key can tell the text's. */
export function keyedDigest(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
}

/** Returns the SHA-256 of a text, lower-case hex: the form in which an API key is stored. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}
