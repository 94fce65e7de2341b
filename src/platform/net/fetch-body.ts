import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SECOND_MS } from '../kernel/clock.js';
import { callAfter } from '../kernel/loop.js';
import { FetchError } from './fetch-error.js';

/** The bounds of a body, and where it goes. */
type BodyOptions = {
  readonly method?: string | undefined;
  readonly maxBytes: number;
  readonly overflow?: 'refuse' | 'cut' | undefined;
  readonly sink?: ((chunk: Buffer) => void | Promise<void>) | undefined;
  readonly isWhole?: ((part: Buffer, headers: Readonly<Record<string, string>>) => Promise<boolean>) | undefined;
};

/** Milliseconds in which a body may end of which no more is needed, so that its connection serves again. */
const ENDING_MS = SECOND_MS;

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

const NOTHING = Buffer.alloc(0);

/** Reads a body up to its bound, and never more than one chunk beyond it. Throws FetchError. */
export async function readFetchedBody(
  body: Readable,
  headers: Readonly<Record<string, string>>,
  options: BodyOptions,
): Promise<Buffer> {
  const { isWhole, maxBytes, overflow = 'refuse', sink } = options;
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (overflow === 'refuse' && Number(headers['content-length'] ?? 0) > maxBytes && options.method !== 'HEAD') {
    body.destroy();
    throw new FetchError('too_large');
  }
  if (headers['content-length'] === '0') {
    body.resume();
    return NOTHING;
  }
  const source = coding === 'identity' || coding === '' ? body : decodeBody(body, coding);
  const chunks: Buffer[] = [];
  let size = 0;
  let isEnough = false;
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (sink === undefined) chunks.push(chunk);
      else if (size <= maxBytes) await sink(chunk);
      isEnough = size <= maxBytes && (await isWhole?.(chunk, headers)) === true;
      if (isEnough) break;
      if (size <= maxBytes) continue;
      if (overflow === 'refuse') throw new FetchError('too_large');
      break;
    }
  } finally {
    if (isEnough) letEnd(source, body);
    else closeBody(source, body);
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** Passes over the rest of a body for a while, then closes it. */
function letEnd(source: Readable, body: Readable): void {
  const cancel = callAfter(ENDING_MS, () => closeBody(source, body));
  source.once('close', cancel);
  source.on('error', () => undefined);
  source.resume();
}

function closeBody(source: Readable, body: Readable): void {
  source.destroy();
  body.destroy();
}

function decodeBody(body: Readable, coding: string): Readable {
  const open = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (open === undefined) {
    body.destroy();
    throw new FetchError('broken_answer');
  }
  const decoder = open();
  body.on('error', (error) => decoder.destroy(error));
  body.pipe(decoder);
  return decoder;
}
