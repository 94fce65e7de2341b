import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveAssets } from '../kit/asset-server.js';
import { boot } from '../kit/boot.js';
import { BROWSER, SHOTS } from '../kit/browser.js';
import { banner, picture, type RendererClient, type RendererPayload, rendererClient } from '../kit/renderer.js';

const IDS = ['display_300x250_image', 'display_728x90_image', 'display_320x50_image'] as const;
const BRAND = {
  name: 'Acme Outdoor',
  url: 'https://acme-outdoor.example',
  colors: { primary: '#1b4332', secondary: '#f4a259' },
};
const LONG = {
  name: 'The Harbourside Oak and Linen Furniture Company',
  colors: { primary: '#5b3a29', secondary: '#e9d8a6' },
};

describe.skipIf(BROWSER === undefined)('what a renderer makes, in a browser', () => {
  let browser: Browser;
  let renderer: RendererClient;

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    renderer = rendererClient(await boot());
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });

  afterAll(() => browser?.close());

  function build(
    message: string,
    brand_manifest: object,
    ids: readonly string[],
    more: object = {},
  ): Promise<RendererPayload> {
    return renderer.must('build_creative', {
      message,
      creative_manifest: { assets: { promoted_offerings: { brand_manifest } } },
      target_format_ids: ids.map(renderer.format),
      ...more,
    });
  }

  /** A page, and every fault that it or anything in it had: scripts, and files that did not come. */
  async function open(
    url: string,
    viewport = { width: 1360, height: 900 },
  ): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('requestfailed', (request) => faults.push(request.url()));
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    return { page, faults };
  }

  async function shot(page: Page, name: string): Promise<void> {
    const file = path.join(SHOTS, `renderer-${name}.png`);
    await page.screenshot({ path: file, fullPage: true });
    expect(statSync(file).size).toBeGreaterThan(5000);
  }

  it('a sentence and a brand become three ads, each on its page and all on one sheet', async () => {
    const { creative_manifests } = await build('Spring sale: 20% off trail running shoes, free shipping', BRAND, IDS);
    const requests = creative_manifests.map((creative_manifest) => ({ creative_manifest }));
    const answer = await renderer.must('preview_creative', { request_type: 'batch', output_format: 'url', requests });

    const sheet = await open(answer.sheet_url);
    const boxes = await sheet.page
      .locator('iframe.slot')
      .evaluateAll((frames) => frames.map((frame) => [frame.offsetWidth, frame.offsetHeight]));
    expect(boxes).toEqual([
      [300, 250],
      [728, 90],
      [320, 50],
    ]);
    await shot(sheet.page, 'sheet');
    await sheet.page.locator('.card a').first().click();
    await sheet.page.waitForLoadState('networkidle');
    const image = sheet.page.frameLocator('iframe.slot').locator('img');
    expect(await image.evaluate((element: { naturalWidth: number }) => element.naturalWidth)).toBe(300);
    expect(await sheet.page.locator('.panel a:visible:not([data-share])').getAttribute('href')).toBe(
      'https://acme-outdoor.example/',
    );
    await shot(sheet.page, 'single');
    expect(sheet.faults).toEqual([]);
    await sheet.page.context().close();
  });

  it('variants are switched without leaving, back and forth', async () => {
    const inputs = [
      { name: 'Desktop, Berlin', macros: { CITY: 'Berlin', DEVICE_TYPE: 'desktop' } },
      { name: 'Phone, Oslo', macros: { CITY: 'Oslo', DEVICE_TYPE: 'mobile' } },
    ];
    const html_creative = { asset_type: 'html', content: '<h1 id="city">{CITY}</h1><p>{DEVICE_TYPE}</p>' };
    const click_url = { asset_type: 'url', url: 'https://shop.example/?city={CITY}' };
    const { interactive_url } = await renderer.preview(
      { format_id: renderer.format('display_300x250_html'), assets: { html_creative, click_url } },
      { inputs },
    );
    const { page, faults } = await open(interactive_url);
    const city = (): Promise<string | null> =>
      page.frameLocator('iframe.slot').frameLocator('iframe').locator('#city').textContent();
    expect(await city()).toBe('Berlin');
    await page.click('text=Phone, Oslo');
    await expect.poll(city).toBe('Oslo');
    expect(await page.locator('.panel a:visible:not([data-share])').getAttribute('href')).toBe(
      'https://shop.example/?city=Oslo',
    );
    // The variant says what it is seen on.
    expect(await page.locator('.device').getAttribute('class')).toBe('device phone');
    await shot(page, 'variant');
    await page.click('text=Desktop, Berlin');
    await expect.poll(city).toBe('Berlin');
    expect(await page.locator('.device').getAttribute('class')).toBe('device browser');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('creatives that carry words show them whole: HTML of every size, whatever the message', async () => {
    const ids = [
      'display_300x250_html',
      'display_728x90_html',
      'display_320x50_html',
      'display_160x600_html',
      'display_970x250_html',
    ];
    for (const [message, brand] of [
      ['Spring sale: 20% off trail running shoes, free shipping', BRAND],
      [
        `Solid oak, oiled by hand and delivered to the room of your choice. ${'We make furniture that lasts. '.repeat(20)}`,
        LONG,
      ],
      ['Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft', BRAND],
    ] as const) {
      const { creative_manifests } = await build(message, brand, ids);
      for (const { format_id, assets } of creative_manifests) {
        const [, width = 0, height = 0] = /(\d+)x(\d+)/.exec(format_id.id)?.map(Number) ?? [];
        const context = await browser.newContext({ viewport: { width, height } });
        const page = await context.newPage();
        await page.setContent(assets.html_creative?.content ?? '');
        expect([format_id.id, await page.evaluate(OVERFLOWS)]).toEqual([format_id.id, []]);
        await context.close();
      }
    }
  });

  it('all kinds of creatives on one sheet, with what could not be shown', async () => {
    const cdn = await serveAssets({ '/photo.png': await picture(1200, 628, '#7fb2e5') });
    const text = (content: string): object => ({ asset_type: 'text', content });
    const photo = { asset_type: 'image', url: cdn.url('/photo.png'), width: 1200, height: 628 };
    const click_url = { asset_type: 'url', url: 'https://acme-outdoor.example/' };
    const { creative_manifests } = await build('Spring sale: 20% off trail running shoes', BRAND, [
      'display_160x600_image',
      'display_970x250_html',
    ]);
    const requests = [
      ...creative_manifests.map((creative_manifest) => ({ creative_manifest })),
      {
        creative_manifest: {
          format_id: renderer.format('native_content'),
          assets: {
            headline: text('Find your trail this summer'),
            body: text('Waterproof boots that are light enough to forget.'),
            disclosure: text('Sponsored'),
            thumbnail: photo,
            click_url,
          },
        },
      },
      { creative_manifest: banner(renderer.format(IDS[0]), 'https://nobody.invalid/a.png') },
      {
        creative_manifest: {
          format_id: renderer.format('video_30s'),
          assets: { video: { asset_type: 'video', url: 'https://nobody.invalid/a.mp4' } },
        },
      },
      { creative_manifest: banner(renderer.format(IDS[0]), cdn.url('/photo.png')) },
    ];
    const answer = await renderer.must('preview_creative', { request_type: 'batch', output_format: 'url', requests });
    expect(answer.results.map(({ success }) => success)).toEqual([true, true, true, true, true, false]);
    // High enough for all of them: frames below the fold are not loaded.
    const { page, faults } = await open(answer.sheet_url, { width: 1360, height: 1600 });
    expect(await page.locator('.card').count()).toBe(6);
    await expect
      .poll(() => page.frameLocator('iframe.slot >> nth=-1').locator('.box').textContent())
      .toContain('does not resolve');
    expect(await page.locator('.card.failed').textContent()).toContain('1200 px wide');
    await shot(page, 'kinds');
    expect(faults).toEqual([]);
    const native = await open(answer.results[2]?.response?.previews[0]?.preview_url ?? '');
    await shot(native.page, 'native');
    const missing = await open(answer.results[3]?.response?.previews[0]?.preview_url ?? '');
    expect(await missing.page.frameLocator('iframe.slot').locator('.box').textContent()).toContain('does not resolve');
    await shot(missing.page, 'missing');
    for (const one of [page, native.page, missing.page]) await one.context().close();
  });
});

/** Elements with words of their own that are wider or higher than they may be, or that leave the page. */
const OVERFLOWS = `[...document.querySelectorAll('body *')].filter((element) => {
  const words = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
  if (!words || getComputedStyle(element).position === 'static' && element.closest('svg')) return false;
  const box = element.getBoundingClientRect();
  const outside = box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
  return outside || element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
}).map((element) => element.outerHTML.slice(0, 200))`;
