import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPreview, type PreviewModel } from '../../../src/creative/preview/model.js';
import { buildSheet } from '../../../src/creative/preview/page/sheet.js';
import { HOUR_MS } from '../../../src/platform/kernel/clock.js';
import { createSignedLinks } from '../../../src/platform/web/signed-link.js';
import { previewRoutes } from '../../../src/seller/http/previews.js';
import { SellerPreviews } from '../../../src/seller/store/previews/preview-store.js';
import { openStore, type Store } from '../../../src/seller/store/store.js';
import { send } from '../../kit/http.js';

const START = 1_700_000_000_000;
let now = START;
let folder: string;
let store: Store;
let server: Server;
let base: string;
let preview: PreviewModel;
let sheetId: string;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), '.previews-'));
  store = openStore(path.join(folder, 'store.db'));
  const { previews, media } = new SellerPreviews(store, { secret: () => 'secret' });
  const times = { nowMs: START, lifetimeMs: HOUR_MS };
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const [ref] = await media.save('owner', [{ bytes: svg, mime: 'image/svg+xml' }], times);
  if (ref === undefined || !('file' in ref)) throw new Error('the file is not kept');
  file = ref.file;
  const format_id = { agent_url: 'https://s.example', id: 'html_300x250' };
  preview = buildPreview({
    idKey: 'key',
    format: {
      format_id,
      name: 'HTML',
      type: 'display',
      renders: [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
      assets: [],
    },
    manifest: { assets: { markup: { asset_type: 'html', content: '<p>{CITY}</p>' } } },
    inputs: [
      { name: 'Paris', macros: { CITY: 'Paris' } },
      { name: 'Oslo', macros: { CITY: 'Oslo' } },
    ],
  });
  const sheet = buildSheet('key', [{ preview: preview.id }]);
  sheetId = sheet.id;
  await previews.save(
    'owner',
    [
      { kind: 'preview', model: preview },
      { kind: 'sheet', sheet },
    ],
    times,
  );
  const app = express();
  app.use(
    previewRoutes({
      previews,
      media,
      shareLinks: createSignedLinks('preview', () => 'secret'),
      clock: { now: () => now },
    }),
  );
  server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/previews`;
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
  void store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('what is served', () => {
  it('pages, sheets and frames, each with its policy', async () => {
    const page = await send(`${base}/${preview.id}?v=1`);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors \*$/);
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect(page.text).toContain(`src="${preview.id}/frame/1"`);
    const sheet = await send(`${base}/sheet/${sheetId}`);
    expect([sheet.status, sheet.text.includes(`src="../${preview.id}/frame/0"`)]).toEqual([200, true]);
    const frame = await send(`${base}/${preview.id}/frame/1`);
    expect([frame.status, frame.text.includes('Oslo')]).toEqual([200, true]);
    expect(frame.headers['content-security-policy']).toMatch(/sandbox allow-scripts$/);
    expect(frame.headers['content-security-policy']).not.toContain('allow-same-origin');
  });

  it('shared pages and sheets, which show the creative alone and lead to shared pages alone, until their link expires', async () => {
    const shared = async (page: string): Promise<string> => {
      const { text } = await send(`${base}/${page}`);
      return /href="(?:\.\.\/)?(shared\/[^"]+)" data-share/.exec(text)?.[1] ?? '';
    };
    const link = await shared(preview.id);
    const page = await send(`${base}/${link}?v=1`);
    expect([page.status, page.text.includes('<aside>'), page.text.includes(preview.id)]).toEqual([200, false, false]);
    const frame = /src="\.\.\/(shared\/[^"]+\/frame\/1)"/.exec(page.text)?.[1];
    expect((await send(`${base}/${frame}`)).text).toContain('Oslo');
    const sheetLink = await shared(`sheet/${sheetId}`);
    const sheet = await send(`${base}/${sheetLink}`);
    expect([sheet.status, sheet.text.includes(preview.id)]).toEqual([200, false]);
    expect(sheet.text).toContain('href="../../shared/');
    const forged = link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const wrong of [forged, `${link}x`, sheetLink.replace('sheet/', ''), link.replace('shared/', 'shared/sheet/')])
      expect((await send(`${base}/${wrong}`)).status).toBe(404);
    now = START + HOUR_MS;
    const [gone, goneFrame] = [await send(`${base}/${link}`), await send(`${base}/${frame}`)];
    now = START;
    expect([gone.status, goneFrame.status]).toEqual([410, 410]);
    expect(gone.text).toContain('This link has expired');
  });

  it('style and script for good, under the hash of their content', async () => {
    const { text } = await send(`${base}/${preview.id}`);
    const names = [...text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(names).toHaveLength(2);
    for (const name of names) {
      const got = await send(`${base}/${name}`);
      expect([got.status, got.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(got.headers['content-type']).toMatch(name.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
    }
  });

  it('media by their type, also in part, and as documents without any power', async () => {
    const got = await send(`${base}/media/${file}`);
    expect([got.status, got.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(got.headers['content-security-policy']).toContain('sandbox');
    const part = await send(`${base}/media/${file}`, { headers: { range: 'bytes=0-3' } });
    expect([part.status, part.text]).toEqual([206, '<svg']);
  });

  it('everything says what it is and nothing of where it was seen', async () => {
    for (const place of [
      `/${preview.id}`,
      `/sheet/${sheetId}`,
      `/${preview.id}/frame/0`,
      `/media/${file}`,
      '/nothing',
    ]) {
      const { headers } = await send(`${base}${place}`);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
  });
});

describe('what is not there', () => {
  it.each([
    `/${'x'.repeat(22)}`,
    '/short',
    '/..%2f..%2fetc%2fpasswd',
    '/media/..%2f..%2frecords',
    `/media/${'a'.repeat(64)}.png`,
    '/assets/preview.css',
    '/assets/..%2fpreview.css',
    `/sheet/${'x'.repeat(22)}`,
    '/sheet/a/b/c',
  ])('%s answers 404 with a page for people, styled', async (place) => {
    const got = await send(`${base}${place}`);
    expect([got.status, got.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(got.text).toContain('There is no such preview');
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(got.text) ?? [];
    expect((await send(new URL(style, `${base}${place}`).href)).status).toBe(200);
  });

  it('a frame beyond the last, a preview as a sheet, and a path with a slash at its end', async () => {
    for (const place of [
      `/${preview.id}/frame/2`,
      `/${preview.id}/frame/x`,
      `/sheet/${preview.id}`,
      `/${sheetId}`,
      `/${preview.id}/`,
    ]) {
      expect((await send(`${base}${place}`)).status).toBe(404);
    }
  });

  it('what expired answers 410', async () => {
    now = START + HOUR_MS;
    for (const place of [`/${preview.id}`, `/${preview.id}/frame/0`, `/sheet/${sheetId}`]) {
      const got = await send(`${base}${place}`);
      expect([got.status, got.text.includes('This preview has expired')]).toEqual([410, true]);
    }
    now = START;
  });
});
