/**
 * A reading that is asked for: its id, and a mark that is another one once an earlier reading says nothing any more.
 */
export type ToRead = { readonly id: string; readonly mark: string };

/** A value as it was read, and its mark at that time. */
type Reading<T> = { readonly mark: string; readonly value: T };

/** So many readings are kept; the one that was read longest ago goes first. */
const MAX_READINGS = 20_000;

/**
 * A store of readings that take a request each: some are read anew each time, what was never read or is out of date
 * first, then what was read longest ago.
 */
export class Readings<T> {
  readonly #most: number;
  /** By id, the one that was read longest ago first. */
  readonly #read = new Map<string, Reading<T>>();

  /** `most` are read at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns what was read of each id, now or before; nothing of those whose turn has not come. */
  async refresh(
    asked: readonly ToRead[],
    read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> {
    const marks = new Map(asked.map(({ id, mark }) => [id, mark]));
    const fresh = await read(this.#choose(marks));
    for (const [id, value] of fresh) {
      this.#read.delete(id);
      this.#read.set(id, { mark: marks.get(id) ?? '', value });
    }
    for (const id of this.#read.keys()) {
      if (this.#read.size <= MAX_READINGS) break;
      this.#read.delete(id);
    }
    return new Map(
      [...marks].flatMap(([id, mark]) => {
        const there = this.#read.get(id);
        return there?.mark === mark ? [[id, there.value] as const] : [];
      }),
    );
  }

  #choose(marks: ReadonlyMap<string, string>): readonly string[] {
    const isCurrent = (id: string): boolean => this.#read.get(id)?.mark === marks.get(id);
    const unread = [...marks.keys()].filter((id) => !isCurrent(id));
    if (unread.length >= this.#most) return unread.slice(0, this.#most);
    const oldest = [...this.#read.keys()].filter((id) => marks.has(id) && isCurrent(id));
    return [...unread, ...oldest].slice(0, this.#most);
  }
}
