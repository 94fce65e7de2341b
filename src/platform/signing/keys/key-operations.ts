import { InputError } from '../../kernel/errors.js';
import { isObject } from '../../kernel/json/json.js';
import { type Algorithm, isAlgorithm } from '../algorithms.js';
import { PURPOSES, type Purpose } from './jwk.js';
import { checkKeys, type KeyCheck } from './key-check.js';
import type { KeyRing, KeySummary } from './key-ring.js';

/** An operation on the signing keys that the operator asks for. Which members count depends on the operation. */
export type KeyOperation = {
  readonly operation: keyof typeof OPERATIONS;
  readonly purpose?: Purpose | undefined;
  readonly alg?: Algorithm | undefined;
  readonly seed?: string | undefined;
  readonly kid?: string | undefined;
  /** At once, for an emergency. */
  readonly now?: boolean | undefined;
};

/** The answer to an operation: the keys that it was about, without private parts, or the checks. */
export type KeyAnswer = { readonly keys: readonly KeySummary[] } | { readonly checks: readonly KeyCheck[] };

/** The purposes of a seller's keys; those of a registry are its own. */
const OPERATED = PURPOSES.filter((purpose) => purpose !== 'badge-signing');

const OPERATIONS = {
  list: async (ring) => ({ keys: ring.list() }),
  generate: async (ring, { purpose, alg, seed }) => ({ keys: [await ring.generate({ purpose, alg, seed })] }),
  rotate: async (ring, { purpose, alg, seed, now }) => ({ keys: [await ring.rotate({ purpose, alg, seed, now })] }),
  retire: async (ring, { kid = '', now }) => ({ keys: [await ring.retire(kid, now)] }),
  verify: async (ring) => ({ checks: await checkKeys(ring.rows()) }),
} as const satisfies Record<string, (ring: KeyRing, request: Omit<KeyOperation, 'operation'>) => Promise<KeyAnswer>>;

/** Carries out an operation. Throws INVALID_REQUEST for what is none, and what the ring throws. */
export function operateKeys(ring: KeyRing, operation: KeyOperation): Promise<KeyAnswer> {
  return OPERATIONS[operation.operation](ring, operation);
}

/** Reads an operation as it comes in. Throws INVALID_REQUEST with `field`. */
export function readKeyOperation(value: unknown): KeyOperation {
  const given = isObject(value) ? value : {};
  const { operation, purpose, alg, seed, kid, now } = given;
  return {
    operation: oneOf('operation', operation, isOperation, Object.keys(OPERATIONS)),
    purpose: purpose === undefined ? undefined : oneOf('purpose', purpose, isPurpose, OPERATED),
    alg: alg === undefined ? undefined : oneOf('alg', alg, isAlgorithmName, ['ed25519', 'ecdsa-p256-sha256']),
    seed: typeof seed === 'string' ? seed : undefined,
    kid: typeof kid === 'string' ? kid : undefined,
    now: now === true,
  };
}

function oneOf<Value extends string>(
  field: string,
  value: unknown,
  isOne: (text: unknown) => text is Value,
  names: readonly string[],
): Value {
  if (isOne(value)) return value;
  throw new InputError('INVALID_REQUEST', `Unknown ${field}.`, {
    field,
    suggestion: `Use one of: ${names.join(', ')}.`,
  });
}

function isOperation(value: unknown): value is keyof typeof OPERATIONS {
  return typeof value === 'string' && Object.hasOwn(OPERATIONS, value);
}

function isPurpose(value: unknown): value is Purpose {
  return (OPERATED as readonly unknown[]).includes(value);
}

function isAlgorithmName(value: unknown): value is Algorithm {
  return typeof value === 'string' && isAlgorithm(value);
}
