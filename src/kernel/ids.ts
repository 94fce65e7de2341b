import { randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Where new identifiers and secrets come from. Tests may count instead. */
export type Ids = {
  /** A new identifier such as `mb_0198…`: the prefix and a UUID v7, so later ones sort after earlier ones. */
  readonly next: (prefix: string) => string;
  /** 32 unguessable bytes, base64url. */
  readonly secret: () => string;
};

const pool = new Uint8Array(8192);
let taken = pool.length;

/** 16 random bytes; the system is asked for 512 times as many at once, since every call of it has its price. */
function random16(): Uint8Array {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += 16;
  return pool.subarray(taken - 16, taken);
}

/** Identifiers from the system's random source. */
export const systemIds: Ids = {
  next: (prefix) => `${prefix}_${v7({ random: random16() }).replaceAll('-', '')}`,
  secret: () => randomBytes(32).toString('base64url'),
};
