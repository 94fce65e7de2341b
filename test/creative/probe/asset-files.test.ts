import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPreviewStore, type PreviewStore } from '../../../src/creative/preview/store/store.js';
import {
  type AssetFiles,
  isOutOfReach,
  isUnavailable,
  openAssetFiles,
} from '../../../src/creative/probe/asset-files.js';
import { HOUR_MS } from '../../../src/platform/kernel/clock.js';
import { createOutbound, type Outbound } from '../../../src/platform/net/fetch.js';
import { asTaskError, TaskError } from '../../../src/protocol/errors.js';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';

const BASE = 'https://seller.example';
const MAX = 1000;

let cdn: AssetServer;
let outbound: Outbound;
let folder: string;
let previews: PreviewStore;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'previews-'));
  previews = openPreviewStore({ folder });
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
  rmSync(folder, { recursive: true, force: true });
});

function open(local = true): AssetFiles {
  return openAssetFiles({ outbound, previews, baseUrl: BASE, local, maxBytes: MAX });
}

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
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
    const [kept] = await previews.keepMedia([{ bytes, mime: 'image/png' }], { nowMs: 0, lifetimeMs: HOUR_MS });
    if (kept === undefined || !('file' in kept)) throw new Error('the picture is not kept');
    expect(Buffer.from(await open(false).readWhole(`${BASE}/previews/media/${kept.file}`))).toEqual(bytes);
    const strange = await failure(open(false).readWhole(`${BASE}/previews/media/${'0'.repeat(64)}.png`));
    expect(isOutOfReach(strange)).toBe(true);
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
    ['https://nobody.invalid/', { outOfReach: true, unavailable: true }],
    ['http://127.0.0.1:1/', { outOfReach: true, unavailable: true }],
    ['/gone', { outOfReach: false, unavailable: true }],
    ['http://10.0.0.1/', { outOfReach: false, unavailable: false }],
    ['file:///etc/passwd', { outOfReach: false, unavailable: false }],
    ['https://me:pw@cdn.example/', { outOfReach: false, unavailable: false }],
    ['not a url', { outOfReach: false, unavailable: false }],
  ])('%s', async (address, wanted) => {
    const error = await failure(open().readWhole(address.startsWith('/') ? cdn.url(address) : address));
    expect(asTaskError(error)).toBeInstanceOf(TaskError);
    expect({ outOfReach: isOutOfReach(error), unavailable: isUnavailable(error) }).toEqual(wanted);
  });

  it('a fault of our own is neither', () => {
    const error = new Error('a bug');
    expect([isOutOfReach(error), isUnavailable(error)]).toEqual([false, false]);
  });
});
