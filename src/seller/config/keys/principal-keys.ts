import type { JSONPath } from 'jsonc-parser';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { type Draft, draftsAt, isDraft, keysOf, type Located, textAt } from '../draft.js';
import type { JsonFile } from '../json-file.js';
import { appendAt, draftOf, fileRefusal, replaceAt } from './edit-json.js';

/** Whom a new key is for. */
type NewKey = {
  readonly principalId: string;
  /** The principal that is made when it is missing is a sandbox one. */
  readonly sandbox?: boolean | undefined;
  /** Unguessable text; randomness is the caller's. */
  readonly randomKey: () => string;
};

/** A key of a principal: the beginning of its hash, or the name of the environment variable that holds it. */
type KeyName = { readonly principalId: string; readonly key: string };

const PRINCIPAL_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Fewest digits of a hash that name a key. */
const MIN_DIGITS = 8;

/** A tenant file with a fresh key of a principal, and the key, which nothing else holds. */
type WithNewKey = { readonly text: string; readonly key: string; readonly isSandbox: boolean };

/** Adds a fresh key to a principal, which is made if missing; only its hash goes into the file. Throws ConfigError. */
export function addKey(json: JsonFile, wanted: NewKey): WithNewKey {
  const existing = findPrincipal(json, wanted.principalId);
  const isSandbox = existing === undefined ? wanted.sandbox === true : existing.draft.sandbox === true;
  refuseBadPrincipal(json.file, wanted, existing?.draft);
  const key = `${isSandbox ? 'sandbox' : 'live'}-${wanted.randomKey()}`;
  const hash = { sha256: sha256Hex(key) };
  const text =
    existing === undefined
      ? appendAt(json, ['principals'], { id: wanted.principalId, sandbox: isSandbox || undefined, key: hash })
      : withKey(json, [...existing.path, 'key'], existing.draft.key, hash);
  return { text, key, isSandbox };
}

/** Returns a tenant file in which a key opens nothing from an instant (ISO 8601) on. Throws ConfigError where there is no such key. */
export function expireKey(json: JsonFile, name: KeyName, expiresAt: string): string {
  return replaceAt(json, [...findKey(json, name).key.path, 'expires_at'], expiresAt);
}

/**
 * Returns a tenant file without a key. The last credential of a principal stays as one that has expired at `now` (ISO 8601): a principal
 * without any is refused. Throws ConfigError where there is no such key.
 */
export function removeKey(json: JsonFile, name: KeyName, now: string): string {
  const { key, principal } = findKey(json, name);
  const isOnlyKey = keysOf(principal).length === 1;
  const hasOther = principal.draft.public_token !== undefined || principal.draft.signer !== undefined;
  if (!isOnlyKey) return replaceAt(json, [...key.path], undefined);
  return hasOther ? replaceAt(json, [...principal.path, 'key'], undefined) : expireKey(json, name, now);
}

function findPrincipal(json: JsonFile, id: string): Located | undefined {
  return draftsAt(draftOf(json), 'principals').find(({ draft }) => draft.id === id);
}

function findKey(json: JsonFile, { key: name, principalId }: KeyName) {
  const principal = findPrincipal(json, principalId);
  if (principal === undefined) {
    const fix = '"keys list" shows who may call.';
    throw fileRefusal(json.file, '/principals', `there is no principal "${principalId}"`, fix);
  }
  const named = keysOf(principal).filter(
    ({ draft }) =>
      textAt(draft, 'env') === name || (name.length >= MIN_DIGITS && textAt(draft, 'sha256')?.startsWith(name)),
  );
  const [key] = named;
  if (key === undefined || named.length > 1) {
    const message = `"${name}" names ${named.length === 0 ? 'no key' : 'several keys'} of "${principalId}"`;
    const fix = `Name it by the first ${MIN_DIGITS} digits of its hash or by its environment variable; "keys list" shows them.`;
    throw fileRefusal(json.file, '/principals', message, fix);
  }
  return { principal, key };
}

function withKey(json: JsonFile, path: JSONPath, held: unknown, hash: Draft): string {
  if (Array.isArray(held)) return appendAt(json, path, hash);
  return replaceAt(json, path, isDraft(held) ? [held, hash] : hash);
}

function refuseBadPrincipal(file: string, { principalId, sandbox }: NewKey, existing: Draft | undefined): void {
  if (!PRINCIPAL_ID.test(principalId)) {
    const fix = 'Use letters, digits, ".", "_" and "-", starting with a letter or digit.';
    throw fileRefusal(file, '/principals', `"${principalId}" cannot be the id of a principal`, fix);
  }
  if (sandbox === true && existing !== undefined && existing.sandbox !== true) {
    const fix = 'Leave --sandbox out, or choose another id for a sandbox principal.';
    throw fileRefusal(file, '/principals', `"${principalId}" exists and is a live principal`, fix);
  }
}
