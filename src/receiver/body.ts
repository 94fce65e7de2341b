import type { Readable } from 'node:stream';
import type { Clock } from '../platform/kernel/clock.js';

/** Bounds of the bodies that a receiver reads. */
export type BodyLimits = {
  /** Of one body. */
  readonly maxBodyBytes: number;
  /** Of all bodies that are being read or verified, together. */
  readonly maxReadingBytes: number;
  /** From the headers to the last byte. */
  readonly bodyTimeoutMs: number;
};

/** The reason that there is no body: it is too large, is sent too slowly, has no room beside the others, or its sender hung up. */
type BodyFault = 'too_large' | 'too_slow' | 'no_room' | 'gone';

/** A body, whose room is taken until it is released, or the reason that there is none. */
type ReadBody =
  | { readonly ok: true; readonly bytes: Buffer; readonly release: () => void }
  | { readonly ok: false; readonly fault: BodyFault };

/** How many times the largest body is discarded before the connection is cut. */
const MAX_DISCARDED_BODIES = 8;

type Deadline = { readonly until: number; readonly end: () => void };

/** Reads bodies of strangers: never more than the limits allow, and none forever. Its owner has to call `expire` now and then. */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #clock: Clock;
  readonly #deadlines = new Set<Deadline>();
  #takenBytes = 0;

  constructor(limits: BodyLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Reads a body. Throws TypeError for one that was read before. */
  async read(request: Readable): Promise<ReadBody> {
    if (request.readableEnded) throw new TypeError('the body was read before it came to the receiver');
    const { maxBodyBytes, maxReadingBytes } = this.#limits;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const release = (): void => {
      this.#takenBytes -= bytes;
      bytes = 0;
    };
    return new Promise((resolve) => {
      const refuse = (fault: BodyFault): void => {
        request.off('data', take);
        chunks.length = 0;
        release();
        resolve({ ok: false, fault });
        if (fault !== 'gone') this.discard(request);
      };
      const take = (chunk: Buffer): void => {
        if (bytes + chunk.length > maxBodyBytes) refuse('too_large');
        else if (this.#takenBytes + chunk.length > maxReadingBytes) refuse('no_room');
        else {
          chunks.push(chunk);
          bytes += chunk.length;
          this.#takenBytes += chunk.length;
        }
      };
      const cancelDeadline = this.#setDeadline(request, () => refuse('too_slow'));
      request.on('data', take);
      request.on('error', () => undefined);
      request.once('end', () => {
        cancelDeadline();
        resolve({ ok: true, bytes: Buffer.concat(chunks), release });
      });
      request.once('close', () => {
        if (!request.readableEnded) refuse('gone');
      });
    });
  }

  /** Discards the bytes that are still sent, so that the sender gets to read its answer. */
  discard(request: Readable): void {
    const maxBytes = this.#limits.maxBodyBytes * MAX_DISCARDED_BODIES;
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) request.destroy();
    });
    request.on('error', () => undefined);
    this.#setDeadline(request, () => request.destroy());
  }

  /** Ends the bodies whose time is over. */
  expire(): void {
    const now = this.#clock.now();
    for (const deadline of this.#deadlines) {
      if (now < deadline.until) continue;
      this.#deadlines.delete(deadline);
      deadline.end();
    }
  }

  /** Calls `end` when the time for a body is over before the body is; returns a function that cancels this. */
  #setDeadline(request: Readable, end: () => void): () => void {
    const deadline: Deadline = { until: this.#clock.now() + this.#limits.bodyTimeoutMs, end };
    const cancel = (): void => void this.#deadlines.delete(deadline);
    this.#deadlines.add(deadline);
    request.once('close', cancel);
    return cancel;
  }
}
