import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { type Clock, HOUR_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';

/** How long a link that nobody opened holds, and how many hold at a time. */
const LIFE_MS = 24 * HOUR_MS;
const MAX_LINKS = 16;

/** Links by which the machine's own user signs in without a password: each holds once. They end with the process. */
export class OneTimeLinks {
  readonly #ids: Pick<Ids, 'secret'>;
  readonly #clock: Clock;
  /** When each ends (ms), by the digest of its secret; the oldest first. */
  readonly #ends = new Map<string, number>();

  constructor(ids: Pick<Ids, 'secret'>, clock: Clock) {
    this.#ids = ids;
    this.#clock = clock;
  }

  /** Returns the secret of a fresh link. */
  issue(): string {
    const secret = this.#ids.secret();
    this.#ends.set(sha256Hex(secret), this.#clock.now() + LIFE_MS);
    for (const digest of this.#ends.keys()) if (this.#ends.size > MAX_LINKS) this.#ends.delete(digest);
    return secret;
  }

  /** Returns whether a secret holds; it does not any more. */
  take(secret: string): boolean {
    const digest = sha256Hex(secret);
    const endMs = this.#ends.get(digest);
    this.#ends.delete(digest);
    return endMs !== undefined && this.#clock.now() < endMs;
  }
}
