import type { Clock } from './clock.js';

/** The bounds of a cache. Both count, and whichever is reached first drops entries. */
type CacheOptions<Key, Value> = {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** Bytes that an entry counts for, key included; a rough figure will do. */
  readonly sizeOf: (value: Value, key: Key) => number;
  /** Milliseconds until an entry counts as absent, and the clock to tell by; entries stay for as long as there is room unless set. */
  readonly expiry?: { readonly ttlMs: number; readonly clock: Clock };
};

/** The figures of a cache since it was made. */
type CacheStats = {
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
  /** Entries dropped for want of room; those that expired or were deleted do not count. */
  readonly evictions: number;
};

/** An entry between its neighbors in the order of use. */
type Entry<Key, Value> = {
  readonly key: Key;
  readonly value: Value;
  readonly bytes: number;
  readonly untilMs: number;
  older: Entry<Key, Value> | undefined;
  newer: Entry<Key, Value> | undefined;
};

/**
 * Values that can be had again at any time, bounded in number and in bytes; the one that was not used for longest goes first.
 * A cache is a member of the object that owns it, made in a composition root and gone with its owner: never a variable of a module.
 *
 *     readonly #pages = new Cache<string, Page>({ maxEntries: 500, maxBytes: 8 * 1024 * 1024, sizeOf: (page) => page.html.length });
 *     return this.#pages.getOrMake(url, () => renderPage(url));
 *
 * A value larger than `maxBytes` is handed out and not kept. What is computed by waiting goes through `getOrLoad`, which loads a key once
 * however many ask for it meanwhile, and keeps no failure.
 */
export class Cache<Key, Value> {
  readonly #options: CacheOptions<Key, Value>;
  readonly #entries = new Map<Key, Entry<Key, Value>>();
  /** The ends of the order of use: to move an entry within the map would have it write its table anew again and again. */
  #oldest: Entry<Key, Value> | undefined;
  #newest: Entry<Key, Value> | undefined;
  readonly #loading = new Map<Key, Promise<Value>>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(options: CacheOptions<Key, Value>) {
    this.#options = options;
  }

  /** Returns the value of a key, and counts it as used; undefined where there is none. */
  get(key: Key): Value | undefined {
    return this.#use(key)?.value;
  }

  /** Keeps a value for `ttlMs` (the cache's own time to live unless given), and drops others until there is room for it. */
  set(key: Key, value: Value, ttlMs = this.#options.expiry?.ttlMs): void {
    this.delete(key);
    const { expiry, maxBytes, maxEntries, sizeOf } = this.#options;
    const bytes = sizeOf(value, key);
    if (bytes > maxBytes) return;
    const untilMs = expiry === undefined || ttlMs === undefined ? Number.POSITIVE_INFINITY : expiry.clock.now() + ttlMs;
    const entry: Entry<Key, Value> = { key, value, bytes, untilMs, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#append(entry);
    this.#bytes += bytes;
    while (this.#oldest !== undefined && (this.#entries.size > maxEntries || this.#bytes > maxBytes)) {
      this.delete(this.#oldest.key);
      this.#evictions += 1;
    }
  }

  /** Returns the value of a key, made now where there is none. */
  getOrMake(key: Key, make: () => Value): Value {
    const entry = this.#use(key);
    if (entry !== undefined) return entry.value;
    const value = make();
    this.set(key, value);
    return value;
  }

  /** Returns the value of a key, loaded where there is none. Rejects as `load` does; the next call loads again. */
  async getOrLoad(key: Key, load: () => Promise<Value>): Promise<Value> {
    const entry = this.#use(key);
    if (entry !== undefined) return entry.value;
    const pending = this.#loading.get(key);
    if (pending !== undefined) return pending;
    const loading = load()
      .then((value) => {
        if (this.#loading.get(key) === loading) this.set(key, value);
        return value;
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
      });
    this.#loading.set(key, loading);
    return loading;
  }

  /** Drops the entry of a key; a value that is being loaded is handed out and not kept. */
  delete(key: Key): void {
    this.#loading.delete(key);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#detach(entry);
    this.#bytes -= entry.bytes;
  }

  /** Drops every entry. */
  clear(): void {
    this.#loading.clear();
    this.#entries.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
    this.#bytes = 0;
  }

  /** Returns the figures now. */
  get stats(): CacheStats {
    return {
      entries: this.#entries.size,
      bytes: this.#bytes,
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
    };
  }

  #use(key: Key): Entry<Key, Value> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#isExpired(entry)) {
      if (entry !== undefined) this.delete(key);
      this.#misses += 1;
      return undefined;
    }
    this.#hits += 1;
    if (entry !== this.#newest) {
      this.#detach(entry);
      this.#append(entry);
    }
    return entry;
  }

  /** Makes an entry the one that was used last. */
  #append(entry: Entry<Key, Value>): void {
    entry.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  /** Takes an entry out of the order of use. */
  #detach(entry: Entry<Key, Value>): void {
    const { newer, older } = entry;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    entry.older = undefined;
    entry.newer = undefined;
  }

  #isExpired({ untilMs }: Entry<Key, Value>): boolean {
    return untilMs !== Number.POSITIVE_INFINITY && untilMs <= (this.#options.expiry?.clock.now() ?? 0);
  }
}

/** Bits of a filter for each key: with two hashes in two full filters, one key in 36 is taken for one that came before. */
const BITS_PER_KEY = 16;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Tells which keys came before, roughly: a cache that admits a key the second time is not emptied by many that come once. Two Bloom
 * filters of fixed size, of which the older is given up once the newer has `maxKeys` (TinyLFU's doorkeeper, https://arxiv.org/abs/1512.00727).
 */
export class Doorkeeper {
  readonly #maxKeys: number;
  readonly #mask: number;
  #newer: Uint32Array;
  #older: Uint32Array;
  #keys = 0;

  /** Takes the number of keys that it tells apart, a power of two. */
  constructor(maxKeys: number) {
    const bits = maxKeys * BITS_PER_KEY;
    this.#maxKeys = maxKeys;
    this.#mask = bits - 1;
    this.#newer = new Uint32Array(bits / 32);
    this.#older = new Uint32Array(bits / 32);
  }

  /** Whether a key came before, which counts as coming once. */
  admits(key: string): boolean {
    const hash = hashOf(key);
    const [first, second] = [hash & this.#mask, Math.imul(hash ^ (hash >>> 15), FNV_PRIME) & this.#mask];
    if (hasBits(this.#newer, first, second)) return true;
    const isAdmitted = hasBits(this.#older, first, second);
    if (this.#keys === this.#maxKeys) this.#startFilter();
    setBit(this.#newer, first);
    setBit(this.#newer, second);
    this.#keys += 1;
    return isAdmitted;
  }

  #startFilter(): void {
    [this.#newer, this.#older] = [this.#older, this.#newer];
    this.#newer.fill(0);
    this.#keys = 0;
  }
}

/** Returns the 32 bits of FNV-1a over the units of a text. */
function hashOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash;
}

function hasBits(bits: Uint32Array, first: number, second: number): boolean {
  return hasBit(bits, first) && hasBit(bits, second);
}

function hasBit(bits: Uint32Array, at: number): boolean {
  return ((bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0;
}

function setBit(bits: Uint32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
}
