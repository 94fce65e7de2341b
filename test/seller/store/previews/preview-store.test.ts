import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { copyMedia, mediaName } from '../../../../src/creative/preview/media.js';
import { buildPreview, type PreviewModel } from '../../../../src/creative/preview/model.js';
import { buildSheet } from '../../../../src/creative/preview/page/sheet.js';
import type { StoredPreview } from '../../../../src/creative/preview/ports.js';
import { openAssetFiles } from '../../../../src/creative/probe/asset-files.js';
import type { Probed } from '../../../../src/creative/probe/types.js';
import { DAY_MS, HOUR_MS } from '../../../../src/platform/kernel/clock.js';
import { createOutbound } from '../../../../src/platform/net/fetch.js';
import { TaskError } from '../../../../src/protocol/errors.js';
import { quotasOf } from '../../../../src/seller/domain/retention/quotas.js';
import { takeOverMedia } from '../../../../src/seller/store/previews/earlier-media.js';
import { SellerPreviews } from '../../../../src/seller/store/previews/preview-store.js';
import type { Store } from '../../../../src/seller/store/store.js';
import { temporaryFolder } from '../../../kit/surroundings.js';
import { freshFile, openTestStore } from '../fixture.js';

const TIMES = { nowMs: 1_700_000_000_000, lifetimeMs: HOUR_MS };
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const OWNER = 'tenant/buyer';
const MANY = { count: 1000, bytes: 1024 ** 2 };
let file: string;

beforeEach(() => {
  file = freshFile();
});

type Limits = { readonly all?: typeof MANY; readonly perOwner?: typeof MANY; readonly secret?: string };

/** The previews in the file of this test, and the store below them; each call is a start of the server. */
async function openPreviews({ all: most = MANY, perOwner = MANY, secret = 'a secret' }: Limits = {}) {
  const store = await openTestStore(file);
  const quotas = { ...quotasOf({ previews: perOwner.count }), previewBytes: perOwner.bytes };
  const all = new SellerPreviews(store, { secret: () => secret, quotas, all: most });
  return { all, store, media: all.media, prune: (nowMs: number) => all.prune(nowMs), ...all.previews };
}

const usage = (store: Store, owner = '') => store.read.previews.usage(owner);

function model(text: string, media?: { file: string; mime: string; bytes: number }): PreviewModel {
  const url = 'https://cdn.example/a.png';
  const image = { asset_type: 'image', url, width: 1, height: 1 } as const;
  return buildPreview({
    idKey: 'key',
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

function stored(text: string, media?: Parameters<typeof model>[1]): Extract<StoredPreview, { kind: 'preview' }> {
  return { kind: 'preview', model: model(text, media) };
}

describe('a stored preview', () => {
  it('is found again, also after a restart, until it expires; then it is expired for a week, then unknown', async () => {
    const one = stored('one');
    const sheet: StoredPreview = { kind: 'sheet', sheet: buildSheet('key', [{ preview: one.model.id }]) };
    const until = TIMES.nowMs + HOUR_MS;
    expect(await (await openPreviews()).save(OWNER, [one, sheet], TIMES)).toEqual([until, until]);
    const { store, find, prune } = await openPreviews();
    expect((await store.read.previews.find(one.model.id))?.body).toContain('"content":"one"');
    expect(await find(one.model.id, until - 1)).toEqual({ state: 'live', preview: one, expiresAtMs: until });
    expect(await find(sheet.sheet.id, until - 1)).toEqual({ state: 'live', preview: sheet, expiresAtMs: until });
    expect(await find(one.model.id, until)).toEqual({ state: 'expired' });
    expect(await prune(until)).toBe(2);
    expect(await prune(until)).toBe(0);
    expect(await store.read.previews.find(one.model.id)).toMatchObject({ body: '', size: 0 });
    expect(await (await openPreviews()).find(one.model.id, until)).toEqual({ state: 'expired' });
    expect(await prune(until + 7 * DAY_MS)).toBe(0);
    expect(await find(one.model.id, until)).toEqual({ state: 'unknown' });
    expect(await usage(store)).toEqual({ count: 0, bytes: 0 });
    expect(await usage(store, OWNER)).toEqual({ count: 0, bytes: 0 });
  });

  it('costs nothing when it is stored again with half its lifetime left, and is prolonged after', async () => {
    const { store, save, prune } = await openPreviews();
    const one = stored('one');
    const [first] = await save(OWNER, [one, one], TIMES);
    const { commits } = store.stats();
    expect(await save(OWNER, [one], { ...TIMES, nowMs: TIMES.nowMs + HOUR_MS / 3 })).toEqual([first]);
    expect(store.stats().commits).toBe(commits);
    const late = TIMES.nowMs + (HOUR_MS * 2) / 3;
    expect(await save(OWNER, [one], { ...TIMES, nowMs: late })).toEqual([late + HOUR_MS]);
    expect((await usage(store, OWNER)).count).toBe(1);
    const gone = TIMES.nowMs + 5 * HOUR_MS;
    await prune(gone);
    expect(await save(OWNER, [one], { ...TIMES, nowMs: gone })).toEqual([gone + HOUR_MS]);
    expect((await (await openPreviews()).find(one.model.id, gone)).state).toBe('live');
  });

  it('is one of 50 that share one transaction', async () => {
    const { store, save } = await openPreviews();
    const all = Array.from({ length: 50 }, (_, at) => stored(`number ${at}`));
    const { transactions } = store.stats();
    expect(new Set(await save(OWNER, all, TIMES)).size).toBe(1);
    expect(store.stats().transactions).toBe(transactions + 1);
    expect((await usage(store)).count).toBe(50);
  });

  it('is not lost when previews are written and pruned at once', async () => {
    const { store, save, prune } = await openPreviews();
    const all = Array.from({ length: 40 }, (_, at) => stored(`number ${at}`));
    await save(OWNER, all, TIMES);
    const later = { ...TIMES, nowMs: TIMES.nowMs + HOUR_MS };
    await Promise.all([prune(later.nowMs), ...all.map((one) => save(OWNER, [one], later)), prune(later.nowMs)]);
    const reopened = await openPreviews();
    for (const one of all) expect((await reopened.find(one.model.id, later.nowMs)).state).toBe('live');
    expect((await usage(store, OWNER)).count).toBe(40);
  });
});

describe('media files', () => {
  it('are stored under the hash of their bytes, once, as long as a preview needs them', async () => {
    const { store, media, save } = await openPreviews();
    const files = [
      { bytes: PNG, mime: 'image/png' },
      { bytes: PNG, mime: 'image/png' },
      { bytes: PNG, mime: 'text/html' },
    ];
    const [ref, again, other] = await media.save(OWNER, files, TIMES);
    expect(ref).toEqual(again);
    expect(other).toEqual({ missing: 'Files of this type are not shown in previews.' });
    if (ref === undefined || !('file' in ref)) throw new Error('the file is not stored');
    expect(await usage(store)).toEqual({ count: 1, bytes: PNG.length });
    await save(OWNER, [stored('one', ref)], { ...TIMES, lifetimeMs: 2 * HOUR_MS });
    const reopened = await openPreviews();
    await reopened.prune(TIMES.nowMs + HOUR_MS + 1);
    const found = await reopened.media.find(ref.file);
    expect([found?.mime, Buffer.from(found?.bytes ?? [])]).toEqual(['image/png', PNG]);
    await reopened.prune(TIMES.nowMs + 2 * HOUR_MS);
    expect(await reopened.media.find(ref.file)).toBeUndefined();
    expect(await usage(reopened.store)).toEqual({ count: 0, bytes: 0 });
  });

  it.each(['..', '../../etc/passwd', 'a/b', '', `${'a'.repeat(22)}.tmp`, `..%2f${'a'.repeat(18)}`])(
    'are not found under %s, and neither is a preview',
    async (id) => {
      const { find, media } = await openPreviews();
      expect(await find(id, 0)).toEqual({ state: 'unknown' });
      expect(await media.find(id)).toBeUndefined();
    },
  );

  it('are served as long as they were promised, also after a restart and without a preview', async () => {
    const times = { ...TIMES, lifetimeMs: 30 * DAY_MS };
    const [ref] = await (await openPreviews()).media.save(OWNER, [{ bytes: PNG, mime: 'image/png' }], times);
    if (ref === undefined || !('file' in ref)) throw new Error('the file is not stored');
    const { media, prune } = await openPreviews();
    await prune(TIMES.nowMs + 29 * DAY_MS);
    expect(await media.find(ref.file)).toBeDefined();
    await media.save(OWNER, [{ bytes: PNG, mime: 'image/png' }], { ...times, nowMs: TIMES.nowMs + 29 * DAY_MS });
    const later = await openPreviews();
    await later.prune(TIMES.nowMs + 58 * DAY_MS);
    expect(await later.media.find(ref.file)).toBeDefined();
    await later.prune(TIMES.nowMs + 59 * DAY_MS);
    expect(await later.media.find(ref.file)).toBeUndefined();
    expect(await usage(later.store)).toEqual({ count: 0, bytes: 0 });
  });

  it('of an earlier version are taken over from its folder, which goes', async () => {
    const folder = temporaryFolder();
    const name = mediaName('of another time', { bytes: PNG, mime: 'image/png' }) ?? expect.fail();
    mkdirSync(path.join(folder, 'media'));
    writeFileSync(path.join(folder, 'media', name), PNG);
    const { all, media } = await openPreviews();
    await takeOverMedia(folder, all, TIMES);
    expect(Buffer.from((await media.find(name))?.bytes ?? [])).toEqual(PNG);
    expect(existsSync(folder)).toBe(false);
    await takeOverMedia(folder, all, TIMES);
  });
});

describe('a full store', () => {
  it.each([
    ['in all', 'SERVICE_UNAVAILABLE', { all: { count: 10, bytes: 3000 } }],
    ['of one owner', 'RATE_LIMITED', { perOwner: { count: 10, bytes: 3000 } }],
    ['in number', 'SERVICE_UNAVAILABLE', { all: { count: 1, bytes: 1_000_000 } }],
    ['in number of one owner', 'RATE_LIMITED', { perOwner: { count: 1, bytes: 1_000_000 } }],
  ])(
    '%s takes nothing new, gives up nothing that is promised, and makes room of what expired',
    async (_, code, limits) => {
      const { save, find } = await openPreviews(limits);
      const big = stored('x'.repeat(1800));
      await save(OWNER, [big], TIMES);
      const refused: unknown = await save(OWNER, [stored('y'.repeat(1800))], TIMES).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(TaskError);
      expect((refused as TaskError).code).toBe(code);
      expect((await find(big.model.id, TIMES.nowMs)).state).toBe('live');
      const later = { ...TIMES, nowMs: TIMES.nowMs + HOUR_MS };
      expect(await save(OWNER, [stored('y'.repeat(1800))], later)).toEqual([later.nowMs + HOUR_MS]);
      expect((await find(big.model.id, later.nowMs)).state).toBe('expired');
    },
  );

  it('of one owner leaves room for another', async () => {
    const { save } = await openPreviews({ perOwner: { count: 1, bytes: 1_000_000 } });
    await save(OWNER, [stored('one')], TIMES);
    await expect(save(OWNER, [stored('two')], TIMES)).rejects.toThrow(
      'more than the 1 previews that one buyer may have stored',
    );
    await expect(save('tenant/other', [stored('two')], TIMES)).resolves.toHaveLength(1);
  });
});

describe('the media files of an owner', () => {
  const files = [{ bytes: Buffer.concat([PNG, Buffer.alloc(2000)]), mime: 'image/png' }];

  it('count for its quota, whoever else has the same file, and leave room for another', async () => {
    const { store, media, prune } = await openPreviews({ perOwner: { count: 10, bytes: 3000 } });
    await media.save(OWNER, files, TIMES);
    await media.save(OWNER, files, TIMES);
    expect(await usage(store, OWNER)).toEqual({ count: 1, bytes: 2008 });
    const more = [{ bytes: Buffer.concat([PNG, Buffer.alloc(2001)]), mime: 'image/png' }];
    const refused: unknown = await media.save(OWNER, more, TIMES).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'RATE_LIMITED',
      extras: { details: { quota: 'preview_bytes', limit: 3000 } },
    });
    await media.save('tenant/other', files, TIMES);
    expect(await usage(store, 'tenant/other')).toEqual({ count: 1, bytes: 2008 });
    expect(await usage(store)).toEqual({ count: 2, bytes: 4016 });
    await prune(TIMES.nowMs + HOUR_MS);
    expect(await usage(store, OWNER)).toEqual({ count: 0, bytes: 0 });
    await media.save(OWNER, more, { ...TIMES, nowMs: TIMES.nowMs + HOUR_MS });
  });

  it('have names, as previews have ids, that nobody else can compute from what is in them', async () => {
    const { all, media } = await openPreviews();
    const own = await media.save(OWNER, files, TIMES);
    expect(await (await openPreviews()).media.save(OWNER, files, TIMES)).toEqual(own);
    const names = [own, await media.save('tenant/other', files, TIMES)];
    names.push(await (await openPreviews({ secret: 'of another installation' })).media.save(OWNER, files, TIMES));
    expect(new Set(names.map(([ref]) => (ref !== undefined && 'file' in ref ? ref.file : ''))).size).toBe(3);
    expect((await openPreviews()).idKey(OWNER)).toBe(all.previews.idKey(OWNER));
    expect(all.previews.idKey('tenant/other')).not.toBe(all.previews.idKey(OWNER));
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
    const { store, media } = await openPreviews();
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
      media,
      baseUrl: 'https://s.example',
      local: false,
      maxBytes: 1000,
    });
    const copies = await copyMedia(urls, { owner: OWNER, files, store: media, times: TIMES, probe });
    await outbound.close();
    server.close();
    const outcomes = urls
      .map((url) => copies.get(url))
      .map((ref) => (ref === undefined || 'file' in ref ? ref?.mime : ref.missing));
    expect(outcomes).toEqual([
      'image/png',
      'image/png',
      'image/png',
      'The data URL cannot be read.',
      'This is no media file.',
      'The server answered 404.',
      'The file is larger than 1000 B.',
      'The address could not be fetched: it is not https.',
      'The address could not be fetched: it is not https.',
      'The address could not be fetched: it is not an absolute URL.',
    ]);
    expect(asked.filter((url) => url === '/a.png')).toHaveLength(1);
    expect((await usage(store)).count).toBe(1);
  });
});
