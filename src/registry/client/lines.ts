import { RegistryError } from './error.js';

/** Longest line that is read; a row of a registry has some hundred characters. */
const MAX_CHARACTERS = 1024 * 1024;

/** Reads an answer into `sink` until `signal` aborts. Rejects for what is no answer. */
type ReadInto = (sink: (chunk: Buffer) => Promise<void> | undefined, signal: AbortSignal) => Promise<unknown>;

/**
 * Yields the lines of an answer as they come, without their ends; no faster than they are taken, so that an answer of any size is held in
 * pieces. Who stops early, or aborts `stopping`, ends the answer. Throws what `read` rejects with, and `too_large` for a line without
 * end.
 */
export async function* eachLine(
  read: ReadInto,
  stopping = new AbortController(),
): AsyncGenerator<string, void, undefined> {
  const queue = new LineQueue(stopping);
  const reading = read((chunk) => queue.take(chunk), stopping.signal)
    .catch((error: unknown) => queue.fail(error))
    .finally(() => queue.close());
  try {
    yield* queue.lines();
  } finally {
    stopping.abort();
    queue.resume();
    await reading;
  }
}

/** The lines that have come and are not taken yet; whoever brings more of them waits until they are. */
class LineQueue {
  readonly #stopping: AbortController;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #lines: string[] = [];
  #isClosed = false;
  #failure: unknown;
  #wake = (): void => undefined;
  #resume = (): void => undefined;

  constructor(stopping: AbortController) {
    this.#stopping = stopping;
  }

  /** Takes a chunk; resolves once its lines are taken. */
  take(chunk: Buffer): Promise<void> | undefined {
    const parts = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#rest = parts.pop() ?? '';
    this.#lines.push(...parts);
    if (this.#rest.length > MAX_CHARACTERS) {
      this.#failure = new RegistryError('the registry sent a line without end', { status: 0, code: 'too_large' });
      this.#stopping.abort();
    }
    if (parts.length === 0) return undefined;
    this.#wake();
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  /** Notes why the answer ended; the first reason counts. */
  fail(error: unknown): void {
    this.#failure ??= error;
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  resume(): void {
    this.#resume();
  }

  /** Yields lines as they come, until the answer is over. Throws why it ended, if it failed. */
  async *lines(): AsyncGenerator<string, void, undefined> {
    while (!this.#isClosed || this.#lines.length > 0) {
      if (this.#lines.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const taken = this.#lines;
      this.#lines = [];
      yield* taken;
      this.#resume();
    }
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#rest !== '') yield this.#rest;
  }
}
