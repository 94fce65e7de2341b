import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mp3, mp4 } from '../creative/probe/media-files.js';
import { serveAssets } from '../kit/asset-server.js';
import { listAxeFaults } from '../kit/axe.js';
import { type Booted, boot } from '../kit/boot.js';
import { BROWSER, SHOTS } from '../kit/browser.js';
import { createRequest, succeeded } from '../kit/buyer.js';
import { runCommand } from '../kit/command-line.js';
import { operatorOf } from '../kit/operator.js';
import { bootRegistry } from '../kit/registry.js';
import { banner, picture, type RendererClient, rendererClient } from '../kit/renderer.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';

const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1360, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1360, height: 900 } },
  { name: 'phone', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

type Look = (typeof LOOKS)[number];

/** What is previewed. */
const KINDS = ['picture', 'missing', 'wide', 'markup', 'tag', 'film', 'sound', 'card'] as const;

const INPUTS = [
  { name: 'Oslo', macros: { CITY: 'Oslo', DEVICE_TYPE: 'desktop' } },
  { name: 'Paris', macros: { CITY: 'Paris', DEVICE_TYPE: 'mobile' } },
];

/** A tag of 30 seconds around a film, with some of the events that are usually measured. */
const vast = (
  film: string,
): string => `<VAST version="4.2"><Ad id="1"><InLine><AdSystem>x</AdSystem><AdTitle>Boots</AdTitle>
<Impression><![CDATA[https://track.example/i]]></Impression><Creatives><Creative><Linear><Duration>00:00:30</Duration><TrackingEvents>
<Tracking event="start"><![CDATA[https://track.example/s]]></Tracking></TrackingEvents><VideoClicks><ClickThrough><![CDATA[https://shop.example/]]></ClickThrough></VideoClicks>
<MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1920" height="1080"><![CDATA[${film}]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;

describe.skipIf(BROWSER === undefined)('what axe-core says of pages', () => {
  let browser: Browser;
  let server: Booted;
  let renderer: RendererClient;
  let cdn: string;

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    const assets = await serveAssets({
      '/banner.png': await picture(300, 250),
      '/wide.png': await picture(728, 90),
      '/film.mp4': mp4({ seconds: 30 }),
      '/song.mp3': mp3(1149),
    });
    cdn = assets.origin;
    server = await boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] })) });
    renderer = rendererClient(await boot());
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });

  afterAll(() => browser?.close());

  /** The faults of a page in each look, and of the documents of ours that stand in its frames. */
  async function judge(url: string, name: string, looks: readonly Look[] = LOOKS): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const { name: look, ...options } of looks) {
      const page = await (await browser.newContext(options)).newPage();
      await page.goto(url, { waitUntil: 'networkidle' });
      for (const frame of page.frames().filter((one) => one.url() !== 'about:srcdoc')) {
        faults.push(...(await listAxeFaults(frame)).map((fault) => `${name}, ${look}: ${fault}`));
      }
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.screenshot({ path: path.join(SHOTS, `axe-${name}-${look}.png`), fullPage: true });
      await page.context().close();
    }
    return faults;
  }

  const manifests = (): Readonly<Record<(typeof KINDS)[number], object>> => ({
    picture: banner(renderer.format('display_300x250_image'), `${cdn}/banner.png`),
    missing: banner(renderer.format('display_300x250_image'), `${cdn}/gone.png`),
    wide: {
      format_id: renderer.format('display_728x90_image'),
      assets: {
        banner_image: { asset_type: 'image', url: `${cdn}/wide.png`, width: 728, height: 90 },
        click_url: { asset_type: 'url', url: 'https://shop.example/?c={CITY}' },
      },
    },
    markup: {
      format_id: renderer.format('display_300x250_html'),
      assets: { html_creative: { asset_type: 'html', content: '<h1>Boots for {CITY}</h1>' } },
    },
    tag: {
      format_id: renderer.format('video_vast_30s'),
      assets: { vast_tag: { asset_type: 'vast', content: vast(`${cdn}/film.mp4`) } },
    },
    film: {
      format_id: renderer.format('video_30s'),
      assets: { video: { asset_type: 'video', url: `${cdn}/film.mp4` } },
    },
    sound: {
      format_id: renderer.format('audio_standard_30s'),
      assets: { audio_file: { asset_type: 'audio', url: `${cdn}/song.mp3` } },
    },
    card: {
      format_id: renderer.format('native_post'),
      assets: {
        headline: { asset_type: 'text', content: 'Boots' },
        body: { asset_type: 'text', content: 'Light, dry and sure-footed.' },
        image: { asset_type: 'image', url: `${cdn}/wide.png`, width: 728, height: 90 },
      },
    },
  });

  it.each(LOOKS)('nothing, of the sheet of previews of every kind and its frames: $name', async (look) => {
    const requests = Object.values(manifests()).map((creative_manifest) => ({ creative_manifest, inputs: INPUTS }));
    const { results, sheet_url } = await renderer.must('preview_creative', { request_type: 'batch', requests });
    expect(results.map(({ success, errors }) => (success ? '' : JSON.stringify(errors)))).toEqual(
      requests.map(() => ''),
    );
    expect(await judge(sheet_url, 'sheet', [look])).toEqual([]);
  });

  it.each(KINDS)('nothing, of the page of a preview and its frames: %s', async (kind) => {
    const requests = [{ creative_manifest: manifests()[kind], inputs: INPUTS }];
    const { results } = await renderer.must('preview_creative', { request_type: 'batch', requests });
    expect(await judge(results[0]?.response?.previews[0]?.preview_url ?? '', kind)).toEqual([]);
  });

  it('nothing, of a sheet that was sent on', async () => {
    const requests = [manifests().picture, manifests().wide].map((creative_manifest) => ({ creative_manifest }));
    const { share_url } = await renderer.must('preview_creative', { request_type: 'batch', requests });
    expect(await judge(share_url, 'shared-sheet')).toEqual([]);
  });

  it('nothing, of a preview that was sent on', async () => {
    const creative_manifest = manifests().picture;
    const { share_url } = await renderer.must('preview_creative', { request_type: 'single', creative_manifest });
    expect(await judge(share_url, 'shared')).toEqual([]);
  });

  it('nothing, of a page that says that there is none', async () => {
    expect(await judge(`${server.baseUrl}/previews/nothing`, 'unknown')).toEqual([]);
  });

  it('nothing, of the page of an approval', async () => {
    const { task_id } = succeeded(await server.call('create_media_buy', createRequest()));
    const waiting = (await operatorOf(server).waiting()).find(({ id }) => id === task_id);
    expect(await judge(waiting?.link ?? '', 'approval')).toEqual([]);
    await operatorOf(server).post(`/approvals/${task_id}`, { decision: 'approve' });
    expect(await judge(waiting?.link ?? '', 'approved')).toEqual([]);
    expect(await judge(`${waiting?.link}x`, 'no-approval')).toEqual([]);
  });

  it('nothing, of the page of the registry, which can be searched, and on which a call can be tried', async () => {
    const registry = await bootRegistry({ service: { policy: { ownership: 'off' } } });
    const { token } = await registry.member('acme');
    expect(await judge(`${registry.baseUrl}/docs`, 'registry')).toEqual([]);
    for (const { name: look, ...options } of [LOOKS[0], LOOKS[2]]) {
      const page = await (await browser.newContext(options)).newPage();
      const faults: string[] = [];
      const calls: string[] = [];
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await page.goto(`${registry.baseUrl}/docs`);
      const contents = page.getByText('Contents', { exact: true });
      if (await contents.isVisible()) await contents.click();
      await page.getByRole('navigation').getByRole('link', { name: 'GET resolveBrand', exact: true }).click();
      const read = page.getByRole('form', { name: 'Try resolveBrand', exact: true });
      await expect.poll(() => read.isVisible()).toBe(true);
      await read.getByLabel('domain').fill('<b>nobody</b>');
      await read.getByRole('button', { name: 'Send' }).click();
      await expect.poll(() => read.getByRole('status').textContent()).toMatch(/^400/);
      expect(await read.locator('[data-headers]').textContent()).toContain('content-type: application/json');
      expect(await read.locator('[data-answer]').textContent()).toContain('"error"');
      expect(await read.locator('[data-answer] *').count()).toBe(0);

      const search = page.getByRole('searchbox', { name: 'Search' });
      await search.fill('post crawl request');
      expect(await page.locator('article:visible').count()).toBeLessThan(6);
      await search.fill('format_option_id');
      expect(await page.locator('article:visible').count()).toBe(1);
      await page.evaluate("location.hash = 'getRegistryStats'");
      await expect.poll(() => page.locator('#getRegistryStats').isVisible()).toBe(true);
      expect(await search.inputValue()).toBe('');
      await search.fill('saveBrand');
      await page.locator('article:visible summary').first().click();
      await page.getByLabel('Key or access token').fill(token);
      const change = page.locator('form.try:visible');
      const body = change.getByLabel('Body, as JSON');
      expect(JSON.parse(await body.inputValue())).toEqual({ domain: 'acme.example', brand_name: '' });
      await body.fill('{"domain": "acme.example", "brand_name": "Acme"}');
      const sent = () => calls.filter((call) => call === 'POST /api/brands/save').length;
      await change.getByRole('button').first().dblclick();
      await expect.poll(() => change.getByRole('status').textContent()).toContain('Press once more');
      expect(sent()).toBe(0);
      await change.getByRole('button').first().click();
      await expect.poll(() => change.getByRole('status').textContent()).toMatch(/^20\d/);
      expect(sent()).toBe(1);
      expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
      expect(page.url()).not.toContain(token);

      expect(await listAxeFaults(page.mainFrame())).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
      await page.screenshot({ path: path.join(SHOTS, `registry-tried-${look}.png`), fullPage: true });
      await page.context().close();
    }
  });

  it('nothing, of the report of an agent', async () => {
    const cwd = temporaryFolder();
    await runCommand(['doctor', server.url(), '--html', 'report.html', '--key', 'no-such-key'], { cwd });
    expect(await judge(`file://${path.join(cwd, 'report.html')}`, 'doctor')).toEqual([]);
  });
});
