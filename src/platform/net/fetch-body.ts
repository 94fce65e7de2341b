import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchError } from './fetch-error.js';

/** The bounds of a body, and where it goes. */
type BodyOptions = {
  readonly method?: string | undefined;
  readonly maxBytes: number;
  readonly overflow?: 'refuse' | 'cut' | undefined;
  readonly sink?: ((chunk: Buffer) => void | Promise<void>) | undefined;
};

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
  const { maxBytes, overflow = 'refuse', sink } = options;
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
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (sink === undefined) chunks.push(chunk);
      else if (size <= maxBytes) await sink(chunk);
      if (size <= maxBytes) continue;
      if (overflow === 'refuse') throw new FetchError('too_large');
      break;
    }
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
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
