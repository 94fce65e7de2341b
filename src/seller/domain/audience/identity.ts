import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';

/** The hashed identifiers of a person; never in the clear. */
export const HASHED_IDENTIFIERS = ['hashed_email', 'hashed_phone'] as const;

/** The universal ids that are taken. */
export const UID_TYPES = ['rampid', 'id5', 'uid2', 'euid', 'pairid', 'maid', 'other'] as const;

/** One way to name a person. */
export type Identifier = {
  readonly type: (typeof HASHED_IDENTIFIERS)[number] | (typeof UID_TYPES)[number];
  readonly value: string;
};

/** The share of identifiers that the built-in user graph knows, per type, 0 to 1. */
const MATCH_RATES: Readonly<Record<Identifier['type'], number>> = {
  hashed_email: 0.62,
  hashed_phone: 0.48,
  rampid: 0.7,
  id5: 0.55,
  uid2: 0.66,
  euid: 0.6,
  pairid: 0.5,
  maid: 0.58,
  other: 0.2,
};

const SHA256 = /^[a-f0-9]{64}$/;
const MAX_VALUE_CHARS = 512;

/** Members under which people send what has to be hashed first. */
const CLEARTEXT = ['email', 'phone', 'phone_number', 'email_address'] as const;

/**
 * Whether the built-in user graph knows an identifier: the simulator's stand-in for the users of a publisher. The same identifier
 * is always known or never, and each type at its own rate.
 */
export function isMatchedIdentifier({ type, value }: Identifier): boolean {
  const point = Number.parseInt(sha256Hex(`${type}:${value}`).slice(0, 8), 16) / 0x1_0000_0000;
  return point < MATCH_RATES[type];
}

/**
 * Reads the identifiers of a person in a request. Throws VALIDATION_ERROR with the field for one in the clear or in another
 * form; the error never repeats a value.
 */
export function readIdentifiers(person: Readonly<Record<string, unknown>>, field: string): readonly Identifier[] {
  const open = CLEARTEXT.find((name) => person[name] !== undefined);
  if (open !== undefined)
    throw unreadableIdentifier(`${field}.${open}`, 'Personal data must not be sent in the clear.');
  const hashed = HASHED_IDENTIFIERS.flatMap((type): Identifier[] => {
    const value = person[type];
    if (value === undefined) return [];
    if (typeof value !== 'string' || !SHA256.test(value))
      throw unreadableIdentifier(`${field}.${type}`, 'This is not a lower-case SHA-256.');
    return [{ type, value }];
  });
  const { uids = [] } = person;
  if (!Array.isArray(uids)) throw unreadableIdentifier(`${field}.uids`, 'This is not a list.');
  return [...hashed, ...uids.map((uid: unknown, index) => readUid(uid, `${field}.uids[${index}]`))];
}

function readUid(uid: unknown, field: string): Identifier {
  const { type, value } = isObject(uid) ? uid : {};
  const uidType = UID_TYPES.find((one) => one === type);
  if (uidType === undefined) {
    throw new TaskError('VALIDATION_ERROR', 'This type of id is not taken.', {
      field: `${field}.type`,
      suggestion: `Send one of ${UID_TYPES.join(', ')}.`,
      details: { allowed_values: UID_TYPES },
    });
  }
  if (typeof value !== 'string' || value === '' || value.length > MAX_VALUE_CHARS)
    throw unreadableIdentifier(`${field}.value`, `An id is a text of 1 to ${MAX_VALUE_CHARS} characters.`);
  return { type: uidType, value };
}

function unreadableIdentifier(field: string, message: string): TaskError {
  return new TaskError('VALIDATION_ERROR', message, {
    field,
    suggestion:
      'Trim and lower-case emails, write phones as E.164, and send their SHA-256 in lower-case hex as hashed_email or hashed_phone; or send uids.',
  });
}
