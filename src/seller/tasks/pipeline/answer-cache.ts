import { Cache } from '../../../platform/kernel/cache.js';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import type { Seller } from '../../domain/tenant/seller.js';

/** The bounds of one cache, for all tenants and callers together. */
const MAX_ENTRIES = 1024;
const MAX_BYTES = 32 * 1024 * 1024;

/** Bytes of an entry beside its answer: a digest, and the objects around. */
const ENTRY_BYTES = 200;

type Entry<Answer> = { readonly answer: Answer; readonly untilMs: number };

/**
 * Answers that follow from a tenant's files, for the next caller who asks the same: buyers poll a catalog far more often than it changes.
 * An edit of the files makes a new seller, which has no answers yet; an answer ends when a product goes off sale.
 */
export class AnswerCache<Answer> {
  readonly #entries: Cache<string, Entry<Answer>>;
  readonly #sellers = new WeakMap<Seller, number>();
  #lastSeller = 0;

  /** `sizeOf` tells about how many bytes an answer takes. */
  constructor(sizeOf: (answer: Answer) => number) {
    this.#entries = new Cache({
      maxEntries: MAX_ENTRIES,
      maxBytes: MAX_BYTES,
      sizeOf: ({ answer }) => ENTRY_BYTES + sizeOf(answer),
    });
  }

  /** Returns the answer of a seller to a question, which is all that the answer depends on beside the seller; made where there is none. */
  async getOrMake(
    seller: Seller,
    question: readonly unknown[],
    nowMs: number,
    make: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const key = sha256Hex(JSON.stringify([this.#numberOf(seller), ...question]));
    const entry = this.#entries.get(key);
    if (entry !== undefined && nowMs < entry.untilMs) return entry.answer;
    const answer = await make();
    this.#entries.set(key, { answer, untilMs: nextExpiryMs(seller, nowMs) });
    return answer;
  }

  #numberOf(seller: Seller): number {
    const number = this.#sellers.get(seller);
    if (number !== undefined) return number;
    this.#lastSeller += 1;
    this.#sellers.set(seller, this.#lastSeller);
    return this.#lastSeller;
  }
}

/** Returns when the next product goes off sale. */
function nextExpiryMs({ tenant }: Seller, nowMs: number): number {
  const expiries = tenant.products.map((product) => Date.parse(product.expires_at ?? ''));
  return Math.min(Number.POSITIVE_INFINITY, ...expiries.filter((expiry) => expiry > nowMs));
}
