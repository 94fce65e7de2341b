/** A nonce under the key that it was used with. `source` is where the key is published, so that two signers may use one keyid. */
type NonceUse = { readonly source: string; readonly keyid: string; readonly nonce: string };

/**
 * A memory of nonces, one for every endpoint that a signer can reach and for all processes that share them. A live nonce is never
 * forgotten to make room.
 */
export type NonceStore = {
  /** Whether the key has used up its share, or everyone together theirs. */
  readonly isFull: (key: Omit<NonceUse, 'nonce'>, nowSeconds: number) => boolean | Promise<boolean>;
  /** Remembers a nonce until `untilSeconds`, unless it was claimed before or there is no room; in one step, so that two requests cannot both be first. */
  readonly claim: (use: NonceUse, untilSeconds: number, nowSeconds: number) => NonceClaim | Promise<NonceClaim>;
};

/** The outcome of a claim. */
type NonceClaim = 'claimed' | 'seen' | 'full';

/** Bounds of a store in memory. */
export type NonceLimits = {
  /** Live nonces of one key. */
  readonly perKey: number;
  /** Live nonces of all keys. */
  readonly total: number;
};

/** Live nonces of one key as each profile allows, and at most ten million of all keys. */
export const NONCE_LIMITS = {
  webhook: { perKey: 100_000, total: 10_000_000 },
  request: { perKey: 1_000_000, total: 10_000_000 },
} as const satisfies Record<string, NonceLimits>;

/** Seconds of one bucket: nonces are forgotten by the bucket, whatever keys they are of, so that none is walked through. */
const BUCKET_SECONDS = 30;

/** Makes a nonce store in memory: enough for one process that may forget its nonces when it ends. */
export function createMemoryNonces(limits: NonceLimits): NonceStore {
  return new MemoryNonces(limits);
}

/** The nonces that end in the same half minute, by key. */
type Bucket = { readonly keys: Map<string, Set<string>>; size: number };

class MemoryNonces implements NonceStore {
  readonly #limits: NonceLimits;
  readonly #buckets = new Map<number, Bucket>();
  #total = 0;

  constructor(limits: NonceLimits) {
    this.#limits = limits;
  }

  isFull(key: Omit<NonceUse, 'nonce'>, nowSeconds: number): boolean {
    this.#forget(nowSeconds);
    return this.#isFull(this.#noncesOf(nameKey(key)));
  }

  claim(use: NonceUse, untilSeconds: number, nowSeconds: number): NonceClaim {
    this.#forget(nowSeconds);
    const name = nameKey(use);
    const nonces = this.#noncesOf(name);
    if (nonces.some((bucket) => bucket.has(use.nonce))) return 'seen';
    if (this.#isFull(nonces)) return 'full';
    this.#add(name, use.nonce, Math.floor(untilSeconds / BUCKET_SECONDS));
    return 'claimed';
  }

  #forget(nowSeconds: number): void {
    const present = Math.floor(nowSeconds / BUCKET_SECONDS);
    for (const [number, { size }] of this.#buckets) {
      if (number >= present) continue;
      this.#total -= size;
      this.#buckets.delete(number);
    }
  }

  #noncesOf(name: string): readonly Set<string>[] {
    return Array.from(this.#buckets.values(), ({ keys }) => keys.get(name)).filter((nonces) => nonces !== undefined);
  }

  #isFull(nonces: readonly Set<string>[]): boolean {
    const { perKey, total } = this.#limits;
    return this.#total >= total || nonces.reduce((sum, { size }) => sum + size, 0) >= perKey;
  }

  #add(name: string, nonce: string, number: number): void {
    const bucket = this.#buckets.get(number) ?? { keys: new Map<string, Set<string>>(), size: 0 };
    this.#buckets.set(number, bucket);
    const nonces = bucket.keys.get(name);
    if (nonces === undefined) bucket.keys.set(name, new Set([nonce]));
    else nonces.add(nonce);
    bucket.size += 1;
    this.#total += 1;
  }
}

function nameKey({ source, keyid }: Omit<NonceUse, 'nonce'>): string {
  return JSON.stringify([source, keyid]);
}
