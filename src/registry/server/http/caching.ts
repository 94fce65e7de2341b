import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { HEALTH_PATHS } from '../../../platform/web/origin.js';
import type { Reply, Route } from './route.js';
import { etagOf } from './written-json.js';

/** An answer as it is written: a reply, or one that was compressed whole. */
export type FittedReply = Reply | (Omit<Reply, 'json'> & { readonly bytes: Uint8Array; readonly type: string });

/** Bytes below which compression costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1024;
const compress = promisify(gzip);

/**
 * Returns the answer of a public read as its caller takes it: 304 where the caller has it, compressed where the caller says so. Others
 * stay as they are.
 */
export async function fitReply(reply: Reply, route: Route, { headers, method }: IncomingMessage): Promise<FittedReply> {
  const isRead = method === 'GET' || method === 'HEAD';
  const isPublic = route.auth === 'none' || route.auth === 'optional';
  if (!isRead || !isPublic || HEALTH_PATHS.has(route.path) || 'empty' in reply || (reply.status ?? 200) !== 200)
    return reply;
  const vary = route.auth === 'optional' ? 'authorization, accept-encoding' : 'accept-encoding';
  const fitted: Record<string, string> = { 'cache-control': 'no-cache', ...reply.headers, vary };
  const isCompressed =
    asksForGzip(headers['accept-encoding']) && !('type' in reply && reply.type.startsWith('text/event-stream'));
  if ('stream' in reply) {
    if (!isCompressed) return { ...reply, headers: fitted };
    return { ...reply, stream: gzipPieces(reply.stream), headers: { ...fitted, 'content-encoding': 'gzip' } };
  }
  const text = 'json' in reply ? JSON.stringify(reply.json) : reply.text;
  const type = 'json' in reply ? 'application/json' : reply.type;
  if (fitted['cache-control'] !== 'no-store') {
    fitted.etag = 'etag' in reply && reply.etag !== undefined ? reply.etag : etagOf(text);
    if (hasTag(headers['if-none-match'], fitted.etag)) return { status: 304, empty: true, headers: fitted };
  }
  if (!isCompressed || text.length < MIN_COMPRESSED_BYTES) return { text, type, headers: fitted };
  return { bytes: await compress(text), type, headers: { ...fitted, 'content-encoding': 'gzip' } };
}

/** Whether If-None-Match names an ETag: a list, each weak or strong, or a star; they are compared weakly (RFC 9110, 13.1.2). */
export function hasTag(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  if (given.trim() === '*') return true;
  const bare = etag.replace(/^W\//, '');
  return given.match(/"[^"]*"/g)?.includes(bare) ?? false;
}

/** Whether Accept-Encoding asks for gzip, and not less than for the plain answer (RFC 9110, 12.5.3). */
function asksForGzip(accepted: string | undefined): boolean {
  if (accepted === undefined) return false;
  const weights = readWeights(accepted);
  const weight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return weight > 0 && weight >= (weights.get('identity') ?? 0);
}

/** Whether Accept-Encoding rules gzip out; a caller that says nothing takes anything. */
export function refusesGzip(accepted: string | undefined): boolean {
  return accepted !== undefined && !asksForGzip(accepted);
}

function readWeights(accepted: string): ReadonlyMap<string, number> {
  return new Map(
    accepted.split(',').map((one) => {
      const [name = '', ...parameters] = one.toLowerCase().split(';');
      const weight = /^\s*q=([\d.]+)\s*$/.exec(parameters.join(';'))?.[1];
      return [name.trim(), weight === undefined ? 1 : Number(weight)];
    }),
  );
}

/** Compresses as it goes, and no faster than it is read. */
export async function* gzipPieces(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createGzip();
  const feeding = (async () => {
    for await (const piece of pieces) {
      if (!stream.write(piece)) await new Promise((resume) => stream.once('drain', resume));
    }
    stream.end();
  })();
  feeding.catch((error: Error) => stream.destroy(error));
  for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
  await feeding;
}
