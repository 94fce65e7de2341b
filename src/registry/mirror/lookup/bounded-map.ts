/** Remembers values by key, at most so many and so many bytes of them; all are forgotten when it is full. */
export class BoundedMap<Key, Value> {
  readonly #values = new Map<Key, Value>();
  readonly #maxCount: number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxCount: number, maxBytes: number) {
    this.#maxCount = maxCount;
    this.#maxBytes = maxBytes;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  /** Remembers a value of so many bytes, or roughly so many. */
  set(key: Key, value: Value, bytes: number): void {
    if (this.#values.size >= this.#maxCount || this.#bytes + bytes > this.#maxBytes) this.clear();
    this.#values.set(key, value);
    this.#bytes += bytes;
  }

  delete(key: Key): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
    this.#bytes = 0;
  }
}
