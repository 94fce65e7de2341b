/** A stack of what has to be closed: the last opened is closed first, each before the next. */
export class Closing {
  readonly #steps: (() => unknown)[] = [];
  #closed: Promise<void> | undefined;

  /** Adds how something that was just opened is closed. */
  add(close: () => unknown): void {
    this.#steps.push(close);
  }

  /** Closes everything, once, whatever fails on the way. Throws the first failure. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
