import { HOUR_MS } from '../../platform/kernel/clock.js';
import { callAfter } from '../../platform/kernel/loop.js';
import { TaskError } from '../../protocol/errors.js';
import type { Seller } from '../domain/tenant/seller.js';

/** Most streams at once, of one principal and of the process. */
const MAX_STREAMS_PER_PRINCIPAL = 128;
const MAX_STREAMS = 1024;
/** How long a stream lasts, ms: whoever wants to hear more subscribes again. */
const MAX_STREAM_MS = HOUR_MS;
const RETRY_AFTER_SECONDS = 10;

/** A stream that may be written, until `gone` aborts: its reader is gone, its time is over, or its seller is not served as it was. */
export type TaskStream = {
  readonly gone: AbortSignal;
  /** Ends the stream, if it has not ended. */
  readonly end: () => void;
};

/** The streams that are open in this process, within their bounds. A stream keeps no events: they follow from the store. */
export class TaskStreams {
  readonly #open = new Map<TaskStream, { readonly owner: string; readonly seller: Seller }>();
  readonly #byOwner = new Map<string, number>();
  #isClosed = false;

  /** Opens a stream of an owner at a seller. Throws RATE_LIMITED where it has as many as it may. */
  open(owner: string, seller: Seller): TaskStream {
    const open = this.#byOwner.get(owner) ?? 0;
    if (open >= MAX_STREAMS_PER_PRINCIPAL || this.#open.size >= MAX_STREAMS) throw tooMany();
    const ending = new AbortController();
    const end = (): void => {
      if (this.#remove(stream)) ending.abort();
      forget();
    };
    const forget = callAfter(MAX_STREAM_MS, end);
    const stream: TaskStream = { gone: ending.signal, end };
    this.#open.set(stream, { owner, seller });
    this.#byOwner.set(owner, open + 1);
    if (this.#isClosed) end();
    return stream;
  }

  /** Ends the streams of sellers that are served no longer as they were: who may call there has to be asked anew. */
  retain(sellers: Iterable<Seller>): void {
    const served = new Set(sellers);
    for (const [stream, { seller }] of [...this.#open]) if (!served.has(seller)) stream.end();
  }

  /** Ends every stream, and each that is opened later. */
  close(): void {
    this.#isClosed = true;
    this.retain([]);
  }

  #remove(stream: TaskStream): boolean {
    const owner = this.#open.get(stream)?.owner;
    if (owner === undefined) return false;
    this.#open.delete(stream);
    const left = (this.#byOwner.get(owner) ?? 0) - 1;
    if (left > 0) this.#byOwner.set(owner, left);
    else this.#byOwner.delete(owner);
    return true;
  }
}

function tooMany(): TaskError {
  return new TaskError('RATE_LIMITED', 'Too many streams are open at once.', {
    retryAfter: RETRY_AFTER_SECONDS,
    suggestion: 'Close one that is not needed, ask tasks/get, or register a webhook.',
    details: { limit: MAX_STREAMS_PER_PRINCIPAL, scope: 'account' },
  });
}
