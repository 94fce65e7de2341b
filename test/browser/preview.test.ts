import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { houseFormats } from '../../src/creative/formats/catalog/catalog.js';
import { buildPreview, type PreviewModel } from '../../src/creative/preview/model.js';
import { buildSheet } from '../../src/creative/preview/page/sheet.js';

import { buildPreviewAnswer } from '../../src/creative/preview/preview.js';
import { HOUR_MS } from '../../src/platform/kernel/clock.js';
import { createSignedLinks } from '../../src/platform/web/signed-link.js';
import { previewRoutes } from '../../src/seller/http/previews.js';
import { SellerPreviews } from '../../src/seller/store/previews/preview-store.js';
import { openStore } from '../../src/seller/store/store.js';
import { BROWSER, SHOTS } from '../kit/browser.js';

const SIZES = [
  [300, 250],
  [728, 90],
  [320, 50],
] as const;
/** What advertiser markup tries, and what it wrote down about it. */
const PROBE = (tracker: string): string => `<h1>{CITY}</h1><a id="out" href="https://shop.example/">out</a><script>
  const tries = {
    cookie: () => document.cookie, storage: () => localStorage.length, session: () => sessionStorage.length,
    parent: () => parent.document.title, top: () => top.document.title, where: () => parent.location.href, leave: () => { top.location = 'https://evil.example/' },
    popup: () => { if (open('https://evil.example/') === null) throw new Error('blocked') },
  };
  window.got = { origin: self.origin };
  for (const [name, attempt] of Object.entries(tries)) { try { attempt(); got[name] = 'allowed' } catch (error) { got[name] = error.name } }
  got.fetch = 'waiting'; fetch('${tracker}/f').then(() => { got.fetch = 'allowed' }, () => { got.fetch = 'blocked' });
  const image = new Image(); got.image = 'waiting'; image.onload = () => { got.image = 'allowed' }; image.onerror = () => { got.image = 'blocked' };
  image.src = '${tracker}/i.gif';
</script>`;

type Rect = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** The step of the sheet's grid, and the distance of its cards. */
const STEP_PX = 20;

/** A place above a card where it would have room too; undefined where there is none. */
function findHole(card: Rect, others: readonly Rect[], width: number): readonly number[] | undefined {
  const first = Math.min(card.top, ...others.map(({ top }) => top));
  const [wide, tall] = [card.right - card.left, card.bottom - card.top];
  const isBeside = (one: Rect, left: number, top: number): boolean =>
    one.left - STEP_PX >= left + wide ||
    one.right + STEP_PX <= left ||
    one.top - STEP_PX >= top + tall ||
    one.bottom + STEP_PX <= top;
  for (let top = first; top <= card.top - STEP_PX; top += STEP_PX) {
    for (let left = STEP_PX; left + wide <= width - 2 * STEP_PX; left += STEP_PX)
      if (others.every((one) => isBeside(one, left, top))) return [left, top];
  }
  return undefined;
}

/** More creatives than load before the page is there. */
const LONG_SHEET = 40;

describe.skipIf(BROWSER === undefined)('preview pages in a browser', () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let base: string;
  let markup: PreviewModel;
  let leaver: PreviewModel;
  let outsider: Server;
  let tracker: string;
  const tracked: string[] = [];
  let banners: readonly PreviewModel[];
  let sheetId: string;
  let longSheetId: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'previews-'));
    mkdirSync(SHOTS, { recursive: true });
    const store = openStore(path.join(folder, 'store.db'));
    const { previews, media } = new SellerPreviews(store, { secret: () => 'secret' });
    const times = { nowMs: 0, lifetimeMs: HOUR_MS };
    const formats = new Map(
      houseFormats('https://s.example/creative/mcp').map((format) => [format.format_id.id, format]),
    );
    const inputs = [
      { name: 'Paris', macros: { CITY: 'Paris' } },
      { name: 'Oslo', macros: { CITY: 'Oslo' } },
    ];
    const bytes = await Promise.all(SIZES.map(([width, height]) => picture(width, height)));
    const refs = await media.save(
      'owner',
      bytes.map((each) => ({ bytes: each, mime: 'image/png' })),
      times,
    );
    banners = SIZES.map(([width, height], at) => {
      const format = formats.get(`display_${width}x${height}_image`);
      const [url, ref] = [`https://cdn.example/${at}.png`, refs[at]];
      if (format === undefined || ref === undefined) throw new Error('the banner is not kept');
      const assets = {
        banner_image: { asset_type: 'image', url, width, height },
        click_url: { asset_type: 'url', url: 'https://shop.example/?c={CITY}' },
      } as const;
      return buildPreview({
        idKey: 'key',
        name: 'Spring sale',
        format,
        manifest: { assets },
        media: new Map([[url, ref]]),
        inputs,
      });
    });
    // A server that nothing in a preview may reach, not even by leaving.
    outsider = createServer((request, response) => {
      tracked.push(request.url ?? '');
      response.end();
    });
    tracker = await listening(outsider);
    const made = (content: string): PreviewModel =>
      buildPreview({
        idKey: 'key',
        format: {
          format_id: { agent_url: 'https://s.example', id: 'html_300x250' },
          name: 'HTML5 300x250',
          type: 'display',
          renders: [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
          assets: [],
        },
        manifest: { assets: { markup: { asset_type: 'html', content } } },
        inputs,
      });
    markup = made(PROBE(tracker));
    leaver =
      made(`<meta http-equiv="refresh" content="0;url=${tracker}/m"><script>location.href = '${tracker}/l'</script>
      <form action="${tracker}/s"></form><script>document.forms[0].submit()</script><link rel="stylesheet" href="${tracker}/c.css">
      <iframe src="${tracker}/i"></iframe><object data="${tracker}/o"></object><script src="${tracker}/j.js"></script>`);
    const all = [...banners, markup];
    const sheet = buildSheet(
      'key',
      all.map(({ id }) => ({ preview: id })),
      'Spring sale',
    );
    sheetId = sheet.id;
    const many = Array.from({ length: LONG_SHEET }, () => ({ preview: all[0]?.id ?? '' }));
    const longSheet = buildSheet('key', many, 'All of the campaign');
    longSheetId = longSheet.id;
    await previews.save(
      'owner',
      [
        ...[...all, leaver].map((model) => ({ kind: 'preview', model }) as const),
        { kind: 'sheet', sheet },
        { kind: 'sheet', sheet: longSheet },
      ],
      times,
    );
    const app = express();
    app.use(
      previewRoutes({
        previews,
        media,
        shareLinks: createSignedLinks('preview', () => 'secret'),
        clock: { now: () => 0 },
      }),
    );
    app.get('/embed', (_request, response) => void response.send(embedding()));
    server = createServer(app);
    base = await listening(server);
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    server?.closeAllConnections();
    outsider?.close();
    outsider?.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page of a team of its own: the banner at its exact size, and HTML that was handed out. */
  function embedding(): string {
    const [answer] = buildPreviewAnswer(markup, { baseUrl: base, outputFormat: 'html' });
    const srcdoc = (answer?.preview_html ?? '').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return `<!doctype html><iframe id="page" width="300" height="250" style="border:0" sandbox="allow-scripts" src="/previews/${banners[0]?.id}"></iframe>
      <iframe id="html" width="300" height="250" sandbox="allow-scripts" srcdoc="${srcdoc}"></iframe>`;
  }

  /** A page, the hosts outside that it asked for, and what its own scripts complained of. */
  async function open(place: string, viewport = { width: 1360, height: 900 }, colorScheme: 'light' | 'dark' = 'light') {
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const outside: string[] = [];
    const faults: string[] = [];
    page.on('requestfinished', (request) => {
      if (!request.url().startsWith(base) && request.url().startsWith('http')) outside.push(request.url());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${base}${place}`, { waitUntil: 'networkidle' });
    return { page, outside, faults };
  }

  async function markupFrame(page: Page): Promise<Frame> {
    await expect.poll(() => page.frames().filter((frame) => frame.url() === 'about:srcdoc').length).toBeGreaterThan(0);
    const frames = page.frames().filter((frame) => frame.url() === 'about:srcdoc');
    const last = frames.at(-1);
    if (last === undefined) throw new Error('there is no advertiser markup');
    return last;
  }

  async function shot(page: Page, name: string): Promise<void> {
    const file = path.join(SHOTS, `${name}.png`);
    await page.screenshot({ path: file, fullPage: true });
    expect(statSync(file).size).toBeGreaterThan(5000);
  }

  it('the single page shows the creative in its exact size, and switches variants without leaving', async () => {
    const { page, outside, faults } = await open(`/previews/${banners[0]?.id}`);
    const box = await page.locator('iframe.slot').boundingBox();
    expect([box?.width, box?.height]).toEqual([300, 250]);
    const image = page.frameLocator('iframe.slot').locator('img');
    expect(await image.evaluate((element: { naturalWidth: number }) => element.naturalWidth)).toBe(300);
    expect(await page.locator('[data-panel] a:visible').getAttribute('href')).toBe('https://shop.example/?c=Paris');
    await shot(page, 'single');
    await page.click('text=Oslo');
    expect(await page.locator('[data-panel] a:visible').getAttribute('href')).toBe('https://shop.example/?c=Oslo');
    expect(await page.locator('iframe.slot').getAttribute('src')).toBe(`${banners[0]?.id}/frame/1`);
    expect(page.url()).toBe(`${base}/previews/${banners[0]?.id}?v=1`);
    expect([outside, faults]).toEqual([[], []]);
    await page.context().close();
  });

  it('advertiser markup has no origin, reaches nothing and goes nowhere', async () => {
    const { page } = await open(`/previews/${markup.id}?v=1`);
    const frame = await markupFrame(page);
    const read = () => frame.evaluate('window.got') as Promise<Record<string, string>>;
    await expect.poll(async () => Object.values(await read())).not.toContain('waiting');
    expect(await read()).toEqual({
      origin: 'null',
      cookie: 'SecurityError',
      storage: 'SecurityError',
      session: 'SecurityError',
      parent: 'SecurityError',
      top: 'SecurityError',
      where: 'SecurityError',
      leave: 'SecurityError',
      popup: 'Error',
      fetch: 'blocked',
      image: 'blocked',
    });
    expect(await frame.locator('h1').textContent()).toBe('Oslo');
    await frame.click('#out');
    expect(await frame.locator('h1').textContent()).toBe('Oslo');
    expect(page.url()).toContain(markup.id);
    expect(page.context().pages()).toHaveLength(1);
    await page.context().close();
    expect(tracked).toEqual([]);
  });

  it('advertiser markup that wants to leave, or to bring others in, stays alone', async () => {
    const { page } = await open(`/previews/${leaver.id}`);
    await page.waitForTimeout(500);
    expect(page.url()).toContain(leaver.id);
    await page.context().close();
    expect(tracked).toEqual([]);
  });

  it('a frame opened by itself is in its sandbox too', async () => {
    const { page } = await open(`/previews/${markup.id}/frame/0`);
    expect(await page.evaluate('self.origin')).toBe('null');
    const got = (await (await markupFrame(page)).evaluate('window.got')) as Record<string, string>;
    expect([got.origin, got.storage, got.parent]).toEqual(['null', 'SecurityError', 'SecurityError']);
    await page.context().close();
  });

  it('the sheet shows all sizes side by side and leads to their pages', async () => {
    const { page, outside, faults } = await open(`/previews/sheet/${sheetId}`);
    const boxes = await page
      .locator('iframe.slot')
      .evaluateAll((frames) => frames.map((frame) => [frame.offsetWidth, frame.offsetHeight]));
    expect(boxes).toEqual([...SIZES.map((size) => [...size]), [300, 250]]);
    await shot(page, 'sheet');
    await page.click('text=Leaderboard 728x90');
    expect(page.url()).toBe(`${base}/previews/${banners[1]?.id}`);
    expect([outside, faults]).toEqual([[], []]);
    await page.context().close();
  });

  it('the sheet leaves no hole that another creative of it would fill, and prints each whole', async () => {
    const { page, faults } = await open(`/previews/sheet/${sheetId}`);
    const measure = async (): Promise<readonly Rect[]> =>
      page.locator('article.card').evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().toJSON()));
    const cards = await measure();
    for (const card of cards)
      expect(
        findHole(
          card,
          cards.filter((other) => other !== card),
          1360,
        ),
      ).toBeUndefined();
    await page.emulateMedia({ media: 'print' });
    // A4 at 96 pixels an inch.
    await page.setViewportSize({ width: 794, height: 1123 });
    for (const { right } of await measure()) expect(right).toBeLessThanOrEqual(794);
    const breaks = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('article.card')].map((one) => getComputedStyle(one).breakInside)",
    );
    expect(new Set(breaks)).toEqual(new Set(['avoid']));
    // A body's color that has to stand for the whole frame is not printed: it has its own root behind it.
    const markup = page
      .frames()
      .filter((frame) => frame.url() === 'about:srcdoc' && frame.parentFrame() !== page.mainFrame());
    const printed = await Promise.all(
      markup.map((frame) =>
        frame.evaluate<readonly unknown[]>(
          'const { backgroundColor, printColorAdjust } = getComputedStyle(document.documentElement); [backgroundColor, printColorAdjust, document.body.offsetHeight >= innerHeight]',
        ),
      ),
    );
    expect(printed.length).toBeGreaterThan(0);
    for (const one of printed) expect(one).toEqual(['rgb(255, 255, 255)', 'exact', true]);
    expect((await page.pdf({ format: 'A4', printBackground: true })).length).toBeGreaterThan(10_000);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('a long sheet loads what is below the screen too, so that it prints whole', async () => {
    const { page, faults } = await open(`/previews/sheet/${longSheetId}`);
    const countDrawn = (): number =>
      page.frames().filter((frame) => frame.parentFrame() === page.mainFrame() && frame.url().includes('/frame/'))
        .length;
    await expect.poll(countDrawn).toBe(LONG_SHEET);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('at real size devices are as large as their screens, and the creative is not scaled', async () => {
    const { page, faults } = await open(`/previews/${banners[2]?.id}`);
    expect(await page.locator('.device-size').textContent()).toBe('on a phone of 390 × 844');
    await page.click('text=Real size');
    const phone = await page.locator('.phone').evaluate((one) => [one.clientWidth, one.clientHeight]);
    expect(phone).toEqual([390, 844]);
    await shot(page, 'real-phone');
    await page.goto(`${base}/previews/${banners[0]?.id}`);
    await page.click('text=Real size');
    expect(await page.locator('.browser').evaluate((one) => one.clientWidth)).toBe(1280);
    expect(await page.locator('iframe.slot').boundingBox()).toMatchObject({ width: 300, height: 250 });
    await shot(page, 'real-laptop');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('the link to send on leads to the creative alone', async () => {
    const { page, faults } = await open(`/previews/${markup.id}?v=1`);
    await page.click('text=Link to send on');
    await page.waitForURL(/\/shared\//);
    expect(await page.locator('aside').count()).toBe(0);
    expect(await (await markupFrame(page)).locator('h1').textContent()).toBe('Paris');
    await page.click('text=Oslo');
    await expect.poll(async () => (await markupFrame(page)).locator('h1').textContent()).toBe('Oslo');
    await shot(page, 'shared');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('on a phone nothing is wider than the screen, in the dark too', async () => {
    for (const [name, place] of [
      ['single-phone', `/previews/${banners[1]?.id}`],
      ['sheet-phone', `/previews/sheet/${sheetId}`],
    ] as const) {
      const { page } = await open(place, { width: 390, height: 844 }, 'dark');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await shot(page, name);
      await page.context().close();
    }
  });

  it('a page framed at the size of its slot shows the creative alone, and HTML that was handed out stands by itself', async () => {
    const { page } = await open('/embed');
    const framed = page.frameLocator('#page');
    expect(await framed.locator('h1').isVisible()).toBe(false);
    expect(await framed.locator('iframe.slot').boundingBox()).toMatchObject({ width: 300, height: 250 });
    const got = (await (await markupFrame(page)).evaluate('window.got')) as Record<string, string>;
    expect([got.origin, got.parent]).toEqual(['null', 'SecurityError']);
    await page.context().close();
  });
});

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function picture(width: number, height: number): Promise<Buffer> {
  const ground = { create: { width, height, channels: 3, background: '#1f6f54' } } as const;
  return sharp(ground).png().toBuffer();
}
