import { randomBytes, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';

/** The source of new identifiers and secrets. Tests may count instead. */
export type Ids = {
  /** A new identifier such as `mb_0198…`: the prefix and a UUID v7, so later ones sort after earlier ones. */
  readonly next: (prefix: string) => string;
  /** A random UUID v4: the key of an event, which nobody may guess. */
  readonly uuid: () => string;
  /** A UUID v7 of its own: later ones sort after earlier ones. */
  readonly uuid7: () => string;
  /** 32 unguessable bytes, base64url. */
  readonly secret: () => string;
};

/** Random bytes are fetched for many identifiers and secrets at once: a fetch costs more than all else about one. */
const POOL_BYTES = 4096;

class RandomPool {
  #pool = randomBytes(POOL_BYTES);
  #used = 0;

  /** Returns bytes of the pool, each given out once. */
  take(bytes: number): Buffer {
    if (this.#used + bytes > POOL_BYTES) {
      this.#pool = randomBytes(POOL_BYTES);
      this.#used = 0;
    }
    this.#used += bytes;
    return this.#pool.subarray(this.#used - bytes, this.#used);
  }
}

class SystemIds implements Ids {
  readonly #random: RandomPool;
  #last = { ms: 0, sequence: 0 };

  constructor(random: RandomPool) {
    this.#random = random;
  }

  readonly next = (prefix: string): string => `${prefix}_${this.#nextUuid7().replaceAll('-', '')}`;

  readonly uuid = (): string => randomUUID();

  readonly uuid7 = (): string => this.#nextUuid7();

  readonly secret = (): string => this.#random.take(32).toString('base64url');

  /** Returns a UUID v7 that sorts after all before it: within a millisecond the sequence counts up. */
  #nextUuid7(): string {
    const bytes = this.#random.take(16);
    const before = this.#last;
    const ms = Math.max(Date.now(), before.ms);
    this.#last = ms > before.ms ? { ms, sequence: bytes.readUInt32BE(6) >>> 1 } : { ms, sequence: before.sequence + 1 };
    if (this.#last.sequence > MAX_SEQUENCE) this.#last = { ms: ms + 1, sequence: 0 };
    return v7({ random: bytes, msecs: this.#last.ms, seq: this.#last.sequence });
  }
}

const MAX_SEQUENCE = 0xffffffff;
const random = new RandomPool();

/** Returns unguessable bytes that are given out once: keys and nonces of ciphers, which nothing may count. */
export function freshBytes(bytes: number): Buffer {
  return Buffer.from(random.take(bytes));
}

/** Identifiers from the system's random source. */
export const systemIds: Ids = new SystemIds(random);

/**
 * Returns a UUID v7 of `nowMs` that sorts after `last`, also when the clock was set back since; so that a log in the order of its
 * identifiers is a log in the order of its writes.
 */
export function uuidAfter(last: string | undefined, nowMs: number): string {
  const bytes = random.take(16);
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
