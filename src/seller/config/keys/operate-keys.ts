import { isoTime } from '../../../platform/kernel/clock.js';
import { ConfigError } from '../../../platform/kernel/errors.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { JsonFile } from '../json-file.js';
import { addKey, expireKey, removeKey } from './principal-keys.js';

/** An operation on the keys of a principal. A key is named by the beginning of its hash, or by its environment variable. */
export type KeyOperation =
  | {
      readonly operation: 'new';
      readonly tenant: string;
      readonly principal: string;
      readonly sandbox?: boolean | undefined;
    }
  | { readonly operation: 'revoke'; readonly tenant: string; readonly principal: string; readonly key: string }
  | {
      readonly operation: 'expire';
      readonly tenant: string;
      readonly principal: string;
      readonly key: string;
      readonly expires_at: string;
    };

/** The result of an operation on keys; a key is there where one was made, and nowhere after that. */
export type OperatedKeys = {
  readonly tenant: string;
  readonly file: string;
  readonly key?: string | undefined;
  readonly sandbox?: boolean | undefined;
};

/** The tenant files as keys are changed in them, and where time and randomness come from. */
export type KeyFiles = {
  /** Writes what `change` makes of a tenant's file, where that can be served; returns the file. */
  readonly edit: (tenant: string, change: (json: JsonFile) => string) => Promise<string>;
  readonly nowIso: () => string;
  readonly randomKey: () => string;
};

/** Makes, revokes or expires a key of a principal in its tenant's file. Throws a TaskError that says why not. */
export async function operatePrincipalKeys(files: KeyFiles, asked: unknown): Promise<OperatedKeys> {
  const operation = readOperation(asked);
  const { principal: principalId } = operation;
  const tenant = operation.tenant.replace(/^\/|\/$|\.json$/g, '');
  let made: { readonly key: string; readonly isSandbox: boolean } | undefined;
  const change = (json: JsonFile): string => {
    if (operation.operation === 'revoke') return removeKey(json, { principalId, key: operation.key }, files.nowIso());
    if (operation.operation === 'expire')
      return expireKey(json, { principalId, key: operation.key }, operation.expires_at);
    const added = addKey(json, { principalId, sandbox: operation.sandbox, randomKey: files.randomKey });
    made = added;
    return added.text;
  };
  try {
    const file = await files.edit(tenant, change);
    return { tenant, file, key: made?.key, sandbox: made?.isSandbox };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [first] = error.problems;
    throw new TaskError('INVALID_REQUEST', `It is not done: ${first?.message ?? error.message}.`, {
      suggestion: first?.fix,
    });
  }
}

const KEY = /^[A-Za-z0-9_]{1,128}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

function readOperation(asked: unknown): KeyOperation {
  const { expires_at, key, operation, principal, sandbox, tenant } = isObject(asked) ? asked : {};
  if (typeof tenant !== 'string' || typeof principal !== 'string')
    throw refused('A key belongs to a principal of a tenant.', 'Name both.');
  if (operation === 'new') return { operation, tenant, principal, sandbox: sandbox === true };
  if (typeof key !== 'string' || !KEY.test(key))
    throw refused('The key is not named.', 'Name it by the beginning of its hash, or by its environment variable.');
  if (operation === 'revoke') return { operation, tenant, principal, key };
  if (operation === 'expire') return { operation, tenant, principal, key, expires_at: readInstant(expires_at) };
  throw refused('Unknown operation.', 'Send {"operation": "new" | "revoke" | "expire"}.');
}

/** Reads an instant; a day alone is its beginning in UTC. */
function readInstant(given: unknown): string {
  const text = typeof given === 'string' ? given : '';
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (INSTANT.test(instant) && !Number.isNaN(Date.parse(instant))) return isoTime(Date.parse(instant));
  throw refused(
    'When the key expires cannot be read.',
    'Write a day such as 2026-12-31, or an instant with its offset.',
  );
}

function refused(message: string, suggestion: string): TaskError {
  return new TaskError('INVALID_REQUEST', message, { suggestion });
}
