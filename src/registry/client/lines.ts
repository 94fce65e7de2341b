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
  const decoder = new TextDecoder();
  let rest = '';
  let lines: string[] = [];
  let isOver = false;
  let failure: unknown;
  let wake = (): void => undefined;
  let resume = (): void => undefined;

  function take(chunk: Buffer): Promise<void> | undefined {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    if (rest.length > MAX_CHARACTERS) {
      failure = new RegistryError('the registry sent a line without end', { status: 0, code: 'too_large' });
      stopping.abort();
    }
    if (parts.length === 0) return undefined;
    wake();
    return new Promise((resolve) => {
      resume = resolve;
    });
  }

  const reading = read(take, stopping.signal)
    .catch((error: unknown) => {
      failure ??= error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  try {
    while (!isOver || lines.length > 0) {
      if (lines.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const taken = lines;
      lines = [];
      yield* taken;
      resume();
    }
    if (failure !== undefined) throw failure;
    if (rest !== '') yield rest;
  } finally {
    stopping.abort();
    resume();
    await reading;
  }
}
