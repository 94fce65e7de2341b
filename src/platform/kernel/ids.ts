import { randomBytes, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';

/** Where new identifiers and secrets come from. Tests may count instead. */
export type Ids = {
  /** A new identifier such as `mb_0198…`: the prefix and a UUID v7, so later ones sort after earlier ones. */
  readonly next: (prefix: string) => string;
  /** A random UUID v4: the key of an event, which nobody may guess. */
  readonly uuid: () => string;
  /** 32 unguessable bytes, base64url. */
  readonly secret: () => string;
};

/** Identifiers from the system's random source. */
export const systemIds: Ids = {
  next: (prefix) => `${prefix}_${later().replaceAll('-', '')}`,
  uuid: () => randomUUID(),
  secret: () => random(32).toString('base64url'),
};

/** Random bytes are fetched for many identifiers and secrets at once: a fetch costs more than all else about one. */
const POOL_BYTES = 4096;
let pool = randomBytes(POOL_BYTES);
let used = 0;
let last = { ms: 0, sequence: 0 };

/** Bytes of the pool, each given out once. */
function random(bytes: number): Buffer {
  if (used + bytes > POOL_BYTES) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += bytes;
  return pool.subarray(used - bytes, used);
}

/** A UUID v7 that sorts after all before it: within a millisecond the sequence counts up. */
function later(): string {
  const bytes = random(16);
  const ms = Math.max(Date.now(), last.ms);
  last = ms > last.ms ? { ms, sequence: bytes.readUInt32BE(6) >>> 1 } : { ms, sequence: last.sequence + 1 };
  if (last.sequence > MAX_SEQUENCE) last = { ms: ms + 1, sequence: 0 };
  return v7({ random: bytes, msecs: last.ms, seq: last.sequence });
}

/**
 * A UUID v7 of `nowMs` that sorts after `last`, also when the clock was turned back since; so that a log in the order of its
 * identifiers is a log in the order of its writes.
 */
export function uuidAfter(last: string | undefined, nowMs: number): string {
  const bytes = random(16);
  const before = last === undefined ? undefined : readUuid(last);
  if (before === undefined || nowMs > before.ms) {
    return v7({ random: bytes, msecs: nowMs, seq: bytes.readUInt32BE(6) >>> 1 });
  }
  const isFull = before.sequence === MAX_SEQUENCE;
  return v7({ random: bytes, msecs: before.ms + Number(isFull), seq: isFull ? 0 : before.sequence + 1 });
}

/** Whether a text is a UUID v7 in the spelling that is written here. */
export function isUuid7(text: string): boolean {
  return UUID7.test(text);
}

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Milliseconds and sequence of a UUID v7 that was made here. */
function readUuid(uuid: string): { readonly ms: number; readonly sequence: number } {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const low = bytes.readUInt32BE(6);
  const high = ((low >>> 16) & 0x0fff) * 2 ** 20;
  return { ms: bytes.readUIntBE(0, 6), sequence: high + ((low & 0x3fff) << 6) + (bytes.readUInt8(10) >>> 2) };
}

const MAX_SEQUENCE = 0xffffffff;
