import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildPreview, type PreviewModel } from '../../../../src/creative/preview/model.js';
import { buildSheet } from '../../../../src/creative/preview/page/sheet.js';

import { copyMedia } from '../../../../src/creative/preview/store/media.js';
import {
  openPreviewStore,
  type PreviewStore,
  type StoredPreview,
} from '../../../../src/creative/preview/store/store.js';
import { openAssetFiles } from '../../../../src/creative/probe/asset-files.js';
import type { Probed } from '../../../../src/creative/probe/types.js';
import { DAY_MS, HOUR_MS } from '../../../../src/platform/kernel/clock.js';
import { createOutbound } from '../../../../src/platform/net/fetch.js';
import { TaskError } from '../../../../src/protocol/errors.js';

const TIMES = { nowMs: 1_700_000_000_000, lifetimeMs: HOUR_MS };
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'previews-'));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  rmSync(folder, { recursive: true, force: true });
});

const opened: PreviewStore[] = [];

function openStore(maxBytes?: number): PreviewStore {
  const store = openPreviewStore({ folder, ...(maxBytes === undefined ? {} : { maxBytes }) });
  opened.push(store);
  return store;
}

/** Everything that the records say, in whatever file it stands. */
function recordsText(): string {
  const records = path.join(folder, 'records');
  return readdirSync(records)
    .map((file) => readFileSync(path.join(records, file), 'utf8'))
    .join('');
}

function model(text: string, media?: { file: string; mime: string; bytes: number }): PreviewModel {
  const url = 'https://cdn.example/a.png';
  const image = { asset_type: 'image', url, width: 1, height: 1 } as const;
  return buildPreview({
    format: {
      format_id: { agent_url: 'https://s.example', id: 'x' },
      name: 'X',
      type: 'display',
      renders: [],
      assets: [],
    },
    manifest: { assets: { text: { asset_type: 'text', content: text }, ...(media === undefined ? {} : { image }) } },
    media: new Map(media === undefined ? [] : [[url, media]]),
  });
}

function kept(text: string, media?: Parameters<typeof model>[1]): Extract<StoredPreview, { kind: 'preview' }> {
  return { kind: 'preview', model: model(text, media) };
}

describe('what is kept', () => {
  it('is found again, also after a restart, until it expires; then it is expired for a week, then unknown', async () => {
    const one = kept('one');
    const sheet: StoredPreview = { kind: 'sheet', sheet: buildSheet([{ preview: one.model.id }]) };
    const until = TIMES.nowMs + HOUR_MS;
    expect(await openStore().keep([one, sheet], TIMES)).toEqual([until, until]);
    expect(recordsText()).toContain('"content":"one"');
    const store = openStore();
    expect(await store.find(one.model.id, until - 1)).toEqual({ state: 'live', kept: one, expiresAtMs: until });
    expect(await store.find(sheet.sheet.id, until - 1)).toEqual({ state: 'live', kept: sheet, expiresAtMs: until });
    expect(await store.find(one.model.id, until)).toEqual({ state: 'expired' });
    expect(await store.prune(until)).toBe(2);
    expect(await store.prune(until)).toBe(0);
    expect(recordsText()).toContain(one.model.id);
    expect(recordsText()).not.toContain('"content":"one"');
    expect(await openStore().find(one.model.id, until)).toEqual({ state: 'expired' });
    expect(await store.prune(until + 7 * DAY_MS)).toBe(2);
    expect(await store.find(one.model.id, until)).toEqual({ state: 'unknown' });
    expect(await store.stats()).toEqual({ previews: 0, media: 0, bytes: 0 });
    expect(readdirSync(path.join(folder, 'records'))).toEqual([]);
  });

  it('the same preview again costs nothing while half its lifetime is left, and is prolonged after', async () => {
    const store = openStore();
    const one = kept('one');
    const [first] = await store.keep([one, one], TIMES);
    const text = recordsText();
    expect(text.match(/"content":"one"/g)).toHaveLength(1);
    expect(await store.keep([one], { ...TIMES, nowMs: TIMES.nowMs + HOUR_MS / 3 })).toEqual([first]);
    expect(recordsText()).toBe(text);
    const late = TIMES.nowMs + (HOUR_MS * 2) / 3;
    expect(await store.keep([one], { ...TIMES, nowMs: late })).toEqual([late + HOUR_MS]);
    const gone = TIMES.nowMs + 5 * HOUR_MS;
    await store.prune(gone);
    expect(await store.keep([one], { ...TIMES, nowMs: gone })).toEqual([gone + HOUR_MS]);
    expect((await openStore().find(one.model.id, gone)).state).toBe('live');
  });

  it('media lie under the hash of their bytes, once, as long as a preview needs them', async () => {
    const store = openStore();
    const files = [
      { bytes: PNG, mime: 'image/png' },
      { bytes: PNG, mime: 'image/png' },
      { bytes: PNG, mime: 'text/html' },
    ];
    const [ref, again, other] = await store.keepMedia(files, TIMES);
    expect(ref).toEqual(again);
    expect(other).toEqual({ missing: 'Files of this type are not shown in previews.' });
    if (ref === undefined || !('file' in ref)) throw new Error('the file is not kept');
    expect(readdirSync(path.join(folder, 'media'))).toEqual([ref.file]);
    await store.keep([kept('one', ref)], { ...TIMES, lifetimeMs: 2 * HOUR_MS });
    const reopened = openStore();
    await reopened.prune(TIMES.nowMs + HOUR_MS + 1);
    expect(await reopened.media(ref.file)).toEqual({ file: path.join(folder, 'media', ref.file), mime: 'image/png' });
    await reopened.prune(TIMES.nowMs + 2 * HOUR_MS);
    expect(await reopened.media(ref.file)).toBeUndefined();
    expect(readdirSync(path.join(folder, 'media'))).toEqual([]);
  });

  it.each(['..', '../../etc/passwd', 'a/b', '', `${'a'.repeat(22)}.tmp`, `..%2f${'a'.repeat(18)}`])(
    '%s is no id',
    async (id) => {
      const store = openStore();
      expect(await store.find(id, 0)).toEqual({ state: 'unknown' });
      expect(await store.media(id)).toBeUndefined();
    },
  );

  it('pictures are served as long as they were promised, also after a restart and without a preview', async () => {
    const [ref] = await openStore().keepMedia([{ bytes: PNG, mime: 'image/png' }], {
      ...TIMES,
      lifetimeMs: 30 * DAY_MS,
    });
    if (ref === undefined || !('file' in ref)) throw new Error('the file is not kept');
    const store = openStore();
    await store.prune(TIMES.nowMs + 29 * DAY_MS);
    expect(await store.media(ref.file)).toBeDefined();
    // Asked for again when less than half is left, it is promised anew.
    await store.keepMedia([{ bytes: PNG, mime: 'image/png' }], {
      nowMs: TIMES.nowMs + 29 * DAY_MS,
      lifetimeMs: 30 * DAY_MS,
    });
    const later = openStore();
    await later.prune(TIMES.nowMs + 58 * DAY_MS);
    expect(await later.media(ref.file)).toBeDefined();
    await later.prune(TIMES.nowMs + 59 * DAY_MS);
    expect(await later.media(ref.file)).toBeUndefined();
    await later.prune(TIMES.nowMs + 66 * DAY_MS);
    expect(await later.stats()).toEqual({ previews: 0, media: 0, bytes: 0 });
  });

  it('a full store takes nothing new, gives up nothing that is promised, and makes room of what expired', async () => {
    const store = openStore(3000);
    const big = kept('x'.repeat(1800));
    await store.keep([big], TIMES);
    const refused: unknown = await store.keep([kept('y'.repeat(1800))], TIMES).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TaskError);
    expect((refused as TaskError).code).toBe('SERVICE_UNAVAILABLE');
    expect((await store.find(big.model.id, TIMES.nowMs)).state).toBe('live');
    const later = { ...TIMES, nowMs: TIMES.nowMs + HOUR_MS };
    expect(await store.keep([kept('y'.repeat(1800))], later)).toEqual([later.nowMs + HOUR_MS]);
    expect((await store.find(big.model.id, later.nowMs)).state).toBe('expired');
  });

  it('writing and pruning at once lose nothing', async () => {
    const store = openStore();
    const all = Array.from({ length: 40 }, (_, at) => kept(`number ${at}`));
    await store.keep(all, TIMES);
    const later = { ...TIMES, nowMs: TIMES.nowMs + HOUR_MS };
    await Promise.all([
      store.prune(later.nowMs),
      ...all.map((one) => store.keep([one], later)),
      store.prune(later.nowMs),
    ]);
    const reopened = openStore();
    for (const one of all) expect((await reopened.find(one.model.id, later.nowMs)).state).toBe('live');
  });

  it('a batch of 50 is kept at once', async () => {
    const store = openStore();
    const all = Array.from({ length: 50 }, (_, at) => kept(`number ${at}`));
    expect(new Set(await store.keep(all, TIMES)).size).toBe(1);
    expect((await store.stats()).previews).toBe(50);
  });
});

describe('copies of media', () => {
  const probe = (bytes: Uint8Array): Probed =>
    PNG.equals(bytes)
      ? { ok: true, media: { kind: 'image', format: 'png', mime: 'image/png' } }
      : { ok: false, reason: 'unknown', message: 'This is no media file.' };

  it('come from the guarded fetch or a data URL, by their bytes; what fails says why', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/a.png') response.end(PNG);
      else if (request.url === '/page') response.setHeader('content-type', 'image/png').end('<html>');
      else if (request.url === '/big') response.end(Buffer.alloc(5000));
      else if (request.url === '/inside') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      else response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const outbound = createOutbound({ development: true, resolve: new Map([['cdn.example', origin]]) });
    const store = openStore();
    const urls = [
      'https://cdn.example/a.png',
      'https://cdn.example/a.png',
      `data:image/png;base64,${PNG.toString('base64')}`,
      'data:,%E0%A4%A',
      'https://cdn.example/page',
      'https://cdn.example/none',
      'https://cdn.example/big',
      'https://cdn.example/inside',
      'http://10.0.0.1/x.png',
      'not a url',
    ];
    const files = openAssetFiles({
      outbound,
      previews: store,
      baseUrl: 'https://s.example',
      local: false,
      maxBytes: 1000,
    });
    const copies = await copyMedia(urls, { files, store, times: TIMES, probe });
    await outbound.close();
    server.close();
    const told = urls
      .map((url) => copies.get(url))
      .map((ref) => (ref === undefined || 'file' in ref ? ref?.mime : ref.missing));
    expect(told).toEqual([
      'image/png',
      'image/png',
      'image/png',
      'The data URL cannot be read.',
      'This is no media file.',
      'The server answered 404.',
      'The file is larger than 1000 bytes.',
      'The address could not be fetched: it is not https.',
      'The address could not be fetched: it is not https.',
      'The address could not be fetched: it is not an absolute URL.',
    ]);
    expect(asked.filter((url) => url === '/a.png')).toHaveLength(1);
    expect((await store.stats()).media).toBe(1);
  });
});
