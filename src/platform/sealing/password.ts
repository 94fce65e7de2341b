import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { freshBytes } from '../kernel/ids.js';

/** Memory and time of one check: 32 MiB, and about 80 ms of a core, in a thread beside the event loop. */
const COST = { N: 2 ** 15, r: 8, p: 1 } as const;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** A verifier as it is stored: `scrypt$N$r$p$salt$key`, both base64url. */
const VERIFIER = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{16,64})\$([\w-]{43})$/;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Returns what a password is checked by later; the password does not follow from it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = freshBytes(SALT_BYTES);
  const { N, p, r } = COST;
  const key = await derive(password.normalize('NFKC'), salt, KEY_BYTES, { ...COST, maxmem: MAX_MEMORY_BYTES });
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Whether a password is the one of a verifier; without a verifier it takes as long and is false. */
export async function checkPassword(password: string, verifier: string | undefined): Promise<boolean> {
  const [, cost = COST.N, r = COST.r, p = COST.p, salt = '', key = ''] = VERIFIER.exec(verifier ?? '') ?? [];
  const options = { N: Number(cost), r: Number(r), p: Number(p), maxmem: MAX_MEMORY_BYTES };
  const actual = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), KEY_BYTES, options);
  const expected = Buffer.from(key, 'base64url');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
