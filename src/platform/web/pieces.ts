import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { settlesWithin } from '../kernel/loop.js';

/** Returns a signal that aborts when the caller is gone. */
export function goneWith(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}

/** Writes pieces no faster than the reader takes them and ends the response; a reader that is gone ends the source. */
export async function writePieces(response: ServerResponse, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const gone = goneWith(response);
  for await (const piece of pieces) {
    if (response.destroyed) break;
    // A reader that is gone is waited for no longer.
    if (!response.write(piece)) await once(response, 'drain', { signal: gone }).catch(() => undefined);
  }
  if (!response.destroyed) response.end();
}

/** Yields pieces as they come, and `filler` after each `everyMs` in which none has come: what is silent for long is cut off on the way. */
export async function* withFiller(
  pieces: AsyncIterator<string>,
  filler: string,
  everyMs: number,
): AsyncGenerator<string> {
  try {
    for (let next = pieces.next(); ; ) {
      if (!(await settlesWithin(next, everyMs))) yield filler;
      else {
        const { done, value } = await next;
        if (done === true) return;
        yield value;
        next = pieces.next();
      }
    }
  } finally {
    await pieces.return?.();
  }
}
