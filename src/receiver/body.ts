import type { IncomingMessage } from 'node:http';
import type { Clock } from '../platform/kernel/clock.js';

/** Bounds of what a receiver reads. */
export type BodyLimits = {
  /** Of one body. */
  readonly maxBodyBytes: number;
  /** Of all bodies that are being read or verified, together. */
  readonly maxReadingBytes: number;
  /** From the headers to the last byte. */
  readonly bodyTimeoutMs: number;
};

/** Why there is no body: it is too large, comes too slowly, has no room beside the others, or its sender hung up. */
export type BodyFault = 'too_large' | 'too_slow' | 'no_room' | 'gone';

/** A body, whose room is taken until it is released, or why there is none. */
export type ReadBody =
  | { readonly ok: true; readonly bytes: Buffer; readonly release: () => void }
  | { readonly ok: false; readonly fault: BodyFault };

/** Reads bodies of strangers: never more than the limits allow, and none for ever. */
export type BodyReader = {
  readonly read: (request: IncomingMessage) => Promise<ReadBody>;
  /** Throws away what still comes, so that the sender gets to read its answer. */
  readonly discard: (request: IncomingMessage) => void;
  /** Ends what has had its time. */
  readonly expire: () => void;
};

/** How many times the largest body is thrown away before the connection is cut. */
const MOST_DISCARDED = 8;

type Reading = { readonly until: number; readonly end: () => void };

/** A reader of bodies. Somebody has to call `expire` now and then. */
export function createBodyReader(limits: BodyLimits, clock: Clock): BodyReader {
  const { maxBodyBytes, maxReadingBytes, bodyTimeoutMs } = limits;
  const readings = new Set<Reading>();
  let taken = 0;

  /** Calls `end` when the time for a body is over before the body is; answers what calls it off. */
  function limitTime(request: IncomingMessage, end: () => void): () => void {
    const reading: Reading = { until: clock.now() + bodyTimeoutMs, end };
    const callOff = (): void => void readings.delete(reading);
    readings.add(reading);
    request.once('close', callOff);
    return callOff;
  }

  function discard(request: IncomingMessage): void {
    let seen = 0;
    request.on('data', (chunk: Buffer) => {
      seen += chunk.length;
      if (seen > maxBodyBytes * MOST_DISCARDED) request.destroy();
    });
    request.on('error', () => undefined);
    limitTime(request, () => request.destroy());
  }

  async function read(request: IncomingMessage): Promise<ReadBody> {
    if (request.readableEnded) throw new TypeError('the body was read before it came to the receiver');
    const chunks: Buffer[] = [];
    let bytes = 0;
    const release = (): void => {
      taken -= bytes;
      bytes = 0;
    };
    return new Promise((resolve) => {
      const refuse = (fault: BodyFault): void => {
        request.off('data', take);
        chunks.length = 0;
        release();
        resolve({ ok: false, fault });
        if (fault !== 'gone') discard(request);
      };
      const take = (chunk: Buffer): void => {
        if (bytes + chunk.length > maxBodyBytes) refuse('too_large');
        else if (taken + chunk.length > maxReadingBytes) refuse('no_room');
        else {
          chunks.push(chunk);
          bytes += chunk.length;
          taken += chunk.length;
        }
      };
      const stopTimer = limitTime(request, () => refuse('too_slow'));
      request.on('data', take);
      request.on('error', () => undefined);
      request.once('end', () => {
        stopTimer();
        resolve({ ok: true, bytes: Buffer.concat(chunks), release });
      });
      request.once('close', () => {
        if (!request.readableEnded) refuse('gone');
      });
    });
  }

  return {
    read,
    discard,
    expire: () => {
      const now = clock.now();
      for (const reading of readings) {
        if (now < reading.until) continue;
        readings.delete(reading);
        reading.end();
      }
    },
  };
}
