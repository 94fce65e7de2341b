/** A nonce under the key that it was used with. `source` is where the key is published, so that two signers may use one keyid. */
export type NonceUse = { readonly source: string; readonly keyid: string; readonly nonce: string };

/**
 * A memory of nonces. One store serves every endpoint that a signer can reach; several processes share one.
 * A store never forgets a live nonce to make room.
 */
export type NonceStore = {
  /** Whether the key has used up its share, or everyone together theirs. */
  readonly isFull: (key: Omit<NonceUse, 'nonce'>, nowSeconds: number) => boolean | Promise<boolean>;
  /** Remembers a nonce until `untilSeconds`, unless it was claimed before or there is no room; in one step, so that two requests cannot both be first. */
  readonly claim: (use: NonceUse, untilSeconds: number, nowSeconds: number) => NonceClaim | Promise<NonceClaim>;
};

/** The outcome of a claim. */
export type NonceClaim = 'claimed' | 'seen' | 'full';

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

/** Seconds of one bucket: nonces are forgotten by the bucket. */
const BUCKET_SECONDS = 30;

/** Makes a nonce store in memory: enough for one process that may forget its nonces when it ends. */
export function createMemoryNonces(limits: NonceLimits): NonceStore {
  const keys = new Map<string, KeyNonces>();
  let total = 0;
  let prunedBucket = 0;

  function prune(nowSeconds: number): void {
    const present = Math.floor(nowSeconds / BUCKET_SECONDS);
    if (present <= prunedBucket) return;
    prunedBucket = present;
    for (const [key, nonces] of keys) {
      total -= nonces.forget(present);
      if (nonces.size() === 0) keys.delete(key);
    }
  }

  const nameOf = ({ source, keyid }: Omit<NonceUse, 'nonce'>): string => JSON.stringify([source, keyid]);
  const isFull = (nonces: KeyNonces | undefined): boolean =>
    total >= limits.total || (nonces?.size() ?? 0) >= limits.perKey;

  return {
    isFull: (key, nowSeconds) => {
      prune(nowSeconds);
      return isFull(keys.get(nameOf(key)));
    },
    claim: (use, untilSeconds, nowSeconds) => {
      prune(nowSeconds);
      const name = nameOf(use);
      const nonces = keys.get(name) ?? createKeyNonces();
      if (nonces.has(use.nonce)) return 'seen';
      if (isFull(nonces)) return 'full';
      nonces.add(use.nonce, Math.floor(untilSeconds / BUCKET_SECONDS));
      keys.set(name, nonces);
      total += 1;
      return 'claimed';
    },
  };
}

type KeyNonces = {
  readonly has: (nonce: string) => boolean;
  readonly add: (nonce: string, bucket: number) => void;
  /** Forgets the buckets before `present`, and returns how many nonces that were. */
  readonly forget: (present: number) => number;
  readonly size: () => number;
};

function createKeyNonces(): KeyNonces {
  const buckets = new Map<number, Set<string>>();
  let size = 0;
  return {
    has: (nonce) => {
      for (const bucket of buckets.values()) if (bucket.has(nonce)) return true;
      return false;
    },
    add: (nonce, bucket) => {
      const nonces = buckets.get(bucket);
      if (nonces === undefined) buckets.set(bucket, new Set([nonce]));
      else nonces.add(nonce);
      size += 1;
    },
    forget: (present) => {
      const before = size;
      for (const [bucket, nonces] of buckets) {
        if (bucket >= present) continue;
        size -= nonces.size;
        buckets.delete(bucket);
      }
      return before - size;
    },
    size: () => size,
  };
}
