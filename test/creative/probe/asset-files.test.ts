import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaName } from '../../../src/creative/preview/media.js';
import type { MediaFile } from '../../../src/creative/preview/ports.js';
import { type AssetFiles, fileFault, openAssetFiles } from '../../../src/creative/probe/asset-files.js';
import { createOutbound, type Outbound } from '../../../src/platform/net/fetch.js';
import { asTaskError, TaskError } from '../../../src/protocol/errors.js';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';

const BASE = 'https://seller.example';
const MAX = 1000;

let cdn: AssetServer;
let outbound: Outbound;
/** Copies that this server made. */
const copies = new Map<string, MediaFile>();
const media = { find: async (name: string) => copies.get(name) };

beforeAll(async () => {
  outbound = createOutbound({ development: true });
  cdn = await serveAssets({
    '/small': Buffer.alloc(MAX, 1),
    '/large': (_request, response) => void response.setHeader('content-length', 5000).end(Buffer.alloc(5000, 2)),
    '/unsized': (_request, response) => {
      response.write(Buffer.alloc(800, 3));
      response.end(Buffer.alloc(800, 3));
    },
    '/gone': (_request, response) => void response.writeHead(410).end(),
  });
});

afterAll(async () => {
  await outbound.close();
});

function open(local = true): AssetFiles {
  return openAssetFiles({ outbound, media, baseUrl: BASE, local, maxBytes: MAX });
}

const failure = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error,
  );

describe('the files of one call', () => {
  it('are fetched once each, also when they are asked for at once, and anew for another call', async () => {
    const from = cdn.asked.length;
    const files = open();
    const [one, two] = await Promise.all([files.readWhole(cdn.url('/small')), files.read(cdn.url('/small'))]);
    expect([one.length, two]).toEqual([MAX, { bytes: one, whole: true, size: MAX }]);
    await files.readWhole(cdn.url('/small'));
    expect(cdn.asked.slice(from)).toEqual(['/small']);
    await open().readWhole(cdn.url('/small'));
    expect(cdn.asked.slice(from)).toEqual(['/small', '/small']);
  });

  it('that are too large are read in part, and their size is told as far as it is known', async () => {
    const files = open();
    const large = await files.read(cdn.url('/large'));
    expect([large.whole, large.size]).toEqual([false, 5000]);
    const unsized = await files.read(cdn.url('/unsized'));
    expect([unsized.whole, unsized.size]).toEqual([false, MAX + 1]);
    const error = await failure(files.readWhole(cdn.url('/large')));
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      extras: { details: { reason: 'too_large', max_bytes: MAX } },
    });
  });

  it('that this server made itself come from its store, not over the network', async () => {
    const bytes = Buffer.from('a picture of our own');
    const picture = { bytes, mime: 'image/png' };
    const name = mediaName('key', picture) ?? expect.fail();
    copies.set(name, picture);
    expect(Buffer.from(await open(false).readWhole(`${BASE}/previews/media/${name}`))).toEqual(bytes);
    const strange = await failure(open(false).readWhole(`${BASE}/previews/media/${'0'.repeat(64)}.png`));
    expect(fileFault(strange)).toBe('later');
  });

  it('in data URLs are decoded, in either form', async () => {
    const files = open();
    expect(String(await files.readWhole('data:image/png;base64,aGVsbG8='))).toBe('hello');
    expect(String(await files.readWhole('data:text/plain,a%20b'))).toBe('a b');
    for (const url of ['data:,%E0%A4%A', 'data:image/png;base64,%%%', 'data:nothing'])
      expect(await failure(files.readWhole(url))).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('are so many, and no more', async () => {
    const files = open();
    const from = cdn.asked.length;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, at) => files.read(cdn.url(`/small?${at}`))),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(300);
    expect(cdn.asked.length - from).toBe(250);
  });
});

describe('why there is no file', () => {
  it.each([
    ['https://nobody.invalid/', 'later'],
    ['http://127.0.0.1:1/', 'later'],
    ['/gone', 'later'],
    ['http://10.0.0.1/', 'wrong'],
    ['file:///etc/passwd', 'wrong'],
    ['https://me:pw@cdn.example/', 'wrong'],
    ['not a url', 'wrong'],
  ])('%s', async (address, wanted) => {
    const error = await failure(open().readWhole(address.startsWith('/') ? cdn.url(address) : address));
    expect(asTaskError(error)).toBeInstanceOf(TaskError);
    expect(fileFault(error)).toBe(wanted);
  });

  it('a fault of our own is of nobody else', () => {
    const error = new Error('a bug');
    expect(fileFault(error)).toBeUndefined();
  });
});
