import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wav } from '../creative/probe/media-files.js';
import { BROWSER } from '../kit/browser.js';
import { type PreviewPages, servePreviews } from '../kit/preview-pages.js';

const EVENTS = ['impression', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];

describe.skipIf(BROWSER === undefined)('players of previews in a browser', () => {
  let browser: Browser;
  let pages: PreviewPages;

  beforeAll(async () => {
    pages = await servePreviews();
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  /** A tag around a second of silence, which measures all usual events but the midpoint. */
  async function addTag(): Promise<string> {
    const ref = await pages.addMedia({ bytes: wav(1), mime: 'audio/wav' });
    const url = 'https://cdn.example/a.wav';
    const { id } = await pages.add({
      format: {
        format_id: { agent_url: 'https://s.example', id: 'audio_tag' },
        name: 'Audio tag',
        type: 'audio',
        renders: [{ role: 'primary' }],
        assets: [],
      },
      manifest: { assets: { tag: { asset_type: 'daast', content: '<DAAST/>' } } },
      media: new Map([[url, ref]]),
      tags: new Map([
        [
          'tag',
          {
            url,
            events: EVENTS.filter((event) => event !== 'midpoint').map((event) => ({
              event,
              hosts: ['track.example'],
            })),
          },
        ],
      ]),
    });
    return id;
  }

  it('tell which events of the tag were reached, name the one that is not measured, and call nobody', async () => {
    const page = await (await browser.newContext()).newPage();
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(pages.base)) outside.push(request.url());
    });
    await page.goto(`${pages.base}/previews/${await addTag()}`);
    const rows = page.locator('[data-event]');
    expect(await rows.locator('th').allTextContents()).toEqual(EVENTS);
    expect(await rows.nth(3).innerText()).toContain('not measured');
    const played = () => page.locator('[data-played]').allTextContents();
    expect(await played()).toEqual(EVENTS.map(() => ''));
    const frame = page.frames().find((one) => one !== page.mainFrame());
    await frame?.evaluate('{ const media = document.querySelector("audio"); media.muted = true; media.play() }');
    await expect.poll(played).toEqual(EVENTS.map(() => 'reached in this player'));
    expect(outside).toEqual([]);
    await page.context().close();
  });

  it('show an upright film whole on a phone, and at real size as wide as one', async () => {
    const { id } = await pages.add({
      format: {
        format_id: { agent_url: 'https://s.example', id: 'story' },
        name: 'Story',
        type: 'video',
        renders: [{ role: 'primary', dimensions: { width: 1080, height: 1920 } }],
        assets: [],
      },
      manifest: { assets: { film: { asset_type: 'video', url: 'https://cdn.example/v.mp4' } } },
    });
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    await page.goto(`${pages.base}/previews/${id}`);
    const slot = page.locator('.handheld iframe.slot');
    const fitted = await slot.boundingBox();
    expect(fitted?.height).toBeLessThan(800);
    expect((fitted?.width ?? 0) / (fitted?.height ?? 1)).toBeCloseTo(9 / 16, 2);
    await page.click('text=Real size');
    const real = await slot.boundingBox();
    expect([Math.round(real?.width ?? 0), Math.round(real?.height ?? 0)]).toEqual([390, 693]);
    await page.context().close();
  });

  it('run no script but our own', async () => {
    const page = await (await browser.newContext()).newPage();
    const answer = await page.goto(`${pages.base}/previews/${await addTag()}/frame/0`);
    const policy = (await answer?.headerValue('content-security-policy')) ?? '';
    expect(policy).toMatch(/script-src 'sha256-[^ ']+';/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    await page.context().close();
  });
});
