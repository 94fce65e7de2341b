/** Queues by name: what is under the same name runs one after the other, in the order in which it came. */
export class NamedQueues {
  readonly #last = new Map<string, Promise<void>>();

  /** Returns the outcome of `action`, which runs once everybody before it is done. */
  async run<T>(name: string | undefined, action: () => Promise<T>): Promise<T> {
    if (name === undefined) return action();
    const outcome = (this.#last.get(name) ?? Promise.resolve()).then(action);
    const end = outcome.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(name, end);
    try {
      return await outcome;
    } finally {
      if (this.#last.get(name) === end) this.#last.delete(name);
    }
  }
}
