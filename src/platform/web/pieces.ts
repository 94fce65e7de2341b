import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

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
