import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/platform/kernel/clock.js';
import { mp3, mp3Frames, mp4 } from '../creative/probe/media-files.js';
import { serveAppHost } from '../kit/app-host/serve.js';
import { serveAssets } from '../kit/asset-server.js';
import { listAxeFaults } from '../kit/axe.js';
import { type Booted, boot } from '../kit/boot.js';
import { BROWSER, SHOTS } from '../kit/browser.js';
import { createRequest, succeeded } from '../kit/buyer.js';
import { FFMPEG, makeMedia } from '../kit/ffmpeg.js';
import { banner, picture, rendererClient } from '../kit/renderer.js';
import { tenantsFolder } from '../kit/tenants.js';

type Shown = { readonly tool: string; readonly args: object; readonly theme?: 'light' | 'dark' };

describe.skipIf(BROWSER === undefined)('an app, in a host made of the package’s own bridge', () => {
  let browser: Browser;
  let server: Booted;
  let address: string;

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    server = await boot({ ids: 'system' });
    address = await serveAppHost();
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  /** Opens a host that is connected to a tenant; whatever its console says is a fault. */
  async function openHost(tenant = 'sales', width = 760, mode = 'auto', at = server): Promise<Page> {
    const page = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage();
    page.on('console', (message) => {
      // The endpoint keeps no sessions, so that a client of the older revisions asks for its stream in vain.
      if (message.type() === 'error' && !message.text().includes('405')) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(address);
    await page.evaluate(`connectHost('${at.url(tenant)}', 'sandbox-token', '${mode}')`);
    return page;
  }

  const faults: string[] = [];

  async function showApp(page: Page, { args, theme = 'light', tool }: Shown): Promise<Frame> {
    const before = page.frames();
    await page.evaluate(`host.show(${JSON.stringify({ tool, args, theme })})`);
    // The app that was shown before may still be there for a moment.
    const shown = () => page.frames().find((one) => one.parentFrame() !== null && !before.includes(one));
    await expect.poll(shown).toBeDefined();
    const frame = shown();
    if (frame === undefined) throw new Error('No app is shown');
    await frame.locator('h1').waitFor();
    return frame;
  }

  /** Takes a picture, and looks for what nobody may be kept out by: at the width and in the theme that the app has. */
  async function look(page: Page, frame: Frame, name: string): Promise<void> {
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 760, height });
    await page.screenshot({ path: path.join(SHOTS, `app-${name}.png`) });
    expect(await listAxeFaults(frame)).toEqual([]);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await frame.evaluate<number>(overflow)).toBe(0);
    expect(faults).toEqual([]);
  }

  const BRIEF = {
    brief: '20,000 USD for outdoor gear: connected TV sports and display, in March 2027',
    buying_mode: 'brief',
    brand: { domain: 'acme-outdoor.example' },
  };

  it('shows the products of a running tenant as cards, in light and dark, on a screen of any size', async () => {
    const page = await openHost();
    const frame = await showApp(page, { tool: 'get_products', args: BRIEF });
    await look(page, frame, 'products');
    await page.evaluate(`host.setTheme('dark')`);
    await expect.poll(() => frame.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(18, 22, 27)');
    await look(page, frame, 'products-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, frame, 'products-phone');
    await page.context().close();
  });

  it('sells a product once, after its order was reviewed', async () => {
    const page = await openHost('sales', 760, 'legacy');
    const frame = await showApp(page, { tool: 'get_products', args: BRIEF });
    await frame.getByRole('button', { name: 'Buy Northlight run of site, display and video' }).press('Enter');
    await frame.getByLabel('Budget, USD').fill('1000');
    await frame.getByLabel('Last day').fill('2030-06-30');
    await look(page, frame, 'order');
    await frame.getByRole('button', { name: 'Review the order' }).click();
    await look(page, frame, 'review');
    await frame.getByRole('button', { name: 'Buy for $1,000' }).press('Enter');
    await frame.getByText('Active', { exact: true }).waitFor();
    await look(page, frame, 'receipt');
    const { media_buys } = succeeded(await server.call('get_media_buys', {}));
    expect(media_buys).toHaveLength(1);
    await page.context().close();
  });

  it('books one order where the answer to the first press was lost and the button is pressed again', async () => {
    const bought = async () => succeeded(await server.call('get_media_buys', {})).media_buys as readonly unknown[];
    const before = (await bought()).length;
    const page = await openHost();
    const frame = await showApp(page, { tool: 'get_products', args: BRIEF });
    await frame.getByRole('button', { name: 'Buy Northlight run of site, display and video' }).click();
    await frame.getByLabel('Budget, USD').fill('400');
    await frame.getByLabel('Last day').fill('2030-06-30');
    await frame.getByRole('button', { name: 'Review the order' }).click();
    await page.evaluate(`host.loseAnswer('create_media_buy')`);
    await frame.getByRole('button', { name: 'Buy for $400' }).click();
    await frame.getByText('Press again: the same order is never booked twice.').waitFor();
    expect(await bought()).toHaveLength(before + 1);
    await frame.getByRole('button', { name: 'Buy for $400' }).click();
    await frame.getByText('Active', { exact: true }).waitFor();
    expect(await bought()).toHaveLength(before + 1);
    const orders = await page.evaluate<{ arguments: { idempotency_key: string } }[]>(
      `host.said.called.filter(({ name }) => name === 'create_media_buy')`,
    );
    expect(orders).toHaveLength(2);
    expect(new Set(orders.map((order) => order.arguments.idempotency_key)).size).toBe(1);
    await page.context().close();
  });

  it('shows a catalog that is longer than a page to its end, each product once', async () => {
    const page = await openHost();
    const args = { buying_mode: 'wholesale', pagination: { max_results: 5 } };
    const { pagination, products } = succeeded(
      await server.call('get_products', { buying_mode: 'wholesale', pagination: { max_results: 50 } }),
    ) as { pagination?: { has_more?: boolean }; products: readonly { name: string }[] };
    expect(pagination?.has_more ?? false).toBe(false);
    const frame = await showApp(page, { tool: 'get_products', args });
    const names = () => frame.locator('.card h2').allTextContents();
    const more = frame.getByRole('button', { name: 'More products' });
    await look(page, frame, 'products-page');
    for (let shown = 5; shown < products.length; shown += 5) {
      await expect.poll(names).toHaveLength(shown);
      await more.press('Enter');
    }
    await expect.poll(names).toEqual(products.map(({ name }) => name));
    expect(await more.isVisible()).toBe(false);
    await page.context().close();
  });

  it('has the seller refine a plan by its sliders, and shows what it answers', async () => {
    const page = await openHost();
    const frame = await showApp(page, { tool: 'get_products', args: { ...BRIEF, account: SANDBOX, brief: PLANNED } });
    const plan = frame.getByRole('article').first();
    const slider = plan.getByRole('slider').first();
    const before = Number(await slider.inputValue());
    await look(page, frame, 'plans');
    await slider.press('ArrowRight');
    await plan.getByText(/^Set .+ from \d+% to \d+% of the budget\.$/).waitFor();
    const sliders = await plan.getByRole('slider').all();
    const shares = await Promise.all(sliders.map(async (one) => Number(await one.inputValue())));
    expect(shares[0]).toBe(before + 1);
    expect(shares.slice(0, -1).reduce((sum, share) => sum + share)).toBe(100);
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, frame, 'plans-phone');
    await page.context().close();
  });

  it('has the seller hold a draft of a plan before it sells it', async () => {
    const page = await openHost();
    const args = { buying_mode: 'brief', brief: DRAFTED, brand: BRIEF.brand, account: SANDBOX };
    const frame = await showApp(page, { tool: 'get_products', args });
    const plan = frame.getByRole('article').filter({ hasText: 'Premium video, reserved' });
    expect(await plan.getByRole('button', { name: 'Buy this plan' }).count()).toBe(0);
    await plan.getByRole('button', { name: 'Hold this plan' }).press('Enter');
    await plan.getByText(/^Prices are held until /).waitFor();
    expect(await plan.getByRole('slider').first().isDisabled()).toBe(true);
    await look(page, frame, 'plan-held');
    await plan.getByRole('button', { name: 'Buy this plan' }).press('Enter');
    await plan.getByLabel('Last day').fill('2030-06-30');
    await plan.getByRole('button', { name: 'Review the order' }).click();
    await plan.getByRole('button', { name: /^Buy for / }).press('Enter');
    await plan.getByRole('region', { name: 'Order' }).locator('code').waitFor();
    expect(await plan.getByRole('region', { name: 'Order' }).locator('code').textContent()).toMatch(/^mb_/);
    await page.context().close();
  });

  it('shows what was booked, and the chart of its delivery as it grows', async () => {
    const page = await openHost();
    const args = createRequest({ start_time: 'asap', end_time: '2030-01-31T00:00:00Z' });
    const bought = await showApp(page, { tool: 'create_media_buy', args });
    server.clock.advance(3 * DAY_MS);
    await bought.getByRole('button', { name: 'Show delivery' }).press('Enter');
    await bought.getByRole('img', { name: 'Impressions over time' }).waitFor();
    await look(page, bought, 'booked');
    const shown = await showApp(page, {
      tool: 'get_media_buy_delivery',
      args: { include_package_daily_breakdown: true },
    });
    await look(page, shown, 'delivery');
    const impressions = shown.locator('.tiles dd').first();
    const first = await impressions.textContent();
    server.clock.advance(DAY_MS);
    await shown.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => impressions.textContent()).not.toBe(first);
    await page.evaluate(`host.setTheme('dark')`);
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, shown, 'delivery-dark-phone');
    await page.context().close();
  });

  it('shows creatives as they are, without a network of its own', async () => {
    const built = await server.call('build_creative', BUILD(server), { tenant: 'creative' });
    const { creative_manifest } = succeeded(built);
    const page = await openHost('creative');
    const single = { request_type: 'single', creative_manifest };
    const frame = await showApp(page, { tool: 'preview_creative', args: single });
    const creative = frame.frameLocator('iframe[title^="Creative"]').getByRole('img');
    await expect.poll(() => creative.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth)).toBe(300);
    await look(page, frame, 'previews');
    await frame.getByRole('button', { name: 'Open', exact: true }).click();
    await expect
      .poll(() => page.evaluate<string[]>('host.said.opened'))
      .toEqual([expect.stringContaining('/previews/')]);
    await page.context().close();
  });

  it('shows a batch of pictures, sound and video side by side, plays both, and says of what failed why', async () => {
    const film = await moving();
    const { url } = await serveAssets({ '/a.png': await picture(300, 250), '/spot.mp3': SPOT, '/film.mp4': film });
    const { format } = rendererClient(server);
    const [audio, video] = [format('audio_standard_15s'), format('video_standard_15s')];
    const asset = (type: string, file: string) => ({ asset_type: type, url: url(file), duration_ms: 15_000 });
    const inputs = [{ name: 'Day' }, { name: 'Night' }];
    const requests = [
      { creative_manifest: banner(format('display_300x250_image'), url('/a.png')), inputs },
      {
        creative_manifest: {
          format_id: audio,
          name: 'Spring spot',
          assets: { audio_file: asset('audio', '/spot.mp3') },
        },
      },
      {
        creative_manifest: { format_id: video, assets: { video_file: asset('video', '/film.mp4') } },
        output_format: 'url',
      },
      { creative_manifest: { format_id: video, name: 'No film', assets: {} } },
    ];
    const page = await openHost('creative');
    const frame = await showApp(page, { tool: 'preview_creative', args: { request_type: 'batch', requests } });
    expect(await frame.locator('h1').textContent()).toBe('4 previews, 1 failed');
    expect(await frame.locator('.card h2').allTextContents()).toEqual([
      'display_300x250_image, Day',
      'display_300x250_image, Night',
      'Spring spot',
      'video_standard_15s',
      'No film',
    ]);
    expect(await frame.locator('.card').last().textContent()).toContain('required asset video_file is missing');
    const night = frame.frameLocator('iframe[title$="Night"]').getByRole('img');
    await expect.poll(() => night.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth)).toBe(300);
    const player = (title: string, tag: string) =>
      frame.frameLocator(`iframe[title="Creative: ${title}"]`).locator(tag);
    const secondsOf = (title: string, tag: string) =>
      player(title, tag).evaluate((media) => Math.round((media as unknown as { duration: number }).duration));
    await expect.poll(() => secondsOf('Spring spot', 'audio')).toBe(15);
    if (FFMPEG !== undefined) {
      const movie = player('video_standard_15s', 'video');
      await expect.poll(() => secondsOf('video_standard_15s', 'video')).toBe(15);
      await movie.press('Space');
      await expect
        .poll(() => movie.evaluate((media) => (media as unknown as { currentTime: number }).currentTime))
        .toBeGreaterThan(0);
    }
    await look(page, frame, 'previews-batch');
    expect(await listCut(frame)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => listCut(frame)).toEqual([]);
    await look(page, frame, 'previews-batch-phone');
    await frame.getByRole('button', { name: 'Open the page' }).click();
    await expect.poll(() => page.evaluate<string[]>('host.said.opened')).toEqual([expect.stringContaining('/sheet/')]);
    await page.context().close();
  });

  it('has an insertion order read, signed by name and accepted with the plan that it is of', async () => {
    const text = 'The advertiser pays what was delivered.\nCancellation up to 14 days before the start.';
    const strict = await boot({
      ids: 'system',
      tenants: tenantsFolder((tenant) => {
        tenant.insertion_orders = { text, payment_terms: 'net_30', signing_url: 'https://sign.example/io' };
      }),
    });
    const page = await openHost('sales', 760, 'auto', strict);
    const frame = await showApp(page, { tool: 'get_products', args: { ...BRIEF, account: SANDBOX, brief: PLANNED } });
    const name = await frame.locator('.plan h2').first().textContent();
    const plan = frame
      .getByRole('article')
      .filter({ hasText: name ?? '' })
      .first();
    await plan.getByRole('button', { name: 'Hold this plan' }).press('Enter');
    await plan.getByRole('button', { name: 'Buy this plan' }).press('Enter');
    expect(await plan.getByLabel('Last day').count()).toBe(0);
    await plan.getByRole('button', { name: 'Review the order' }).press('Enter');
    const order = plan.getByRole('region', { name: 'Insertion order' });
    expect(await order.locator('blockquote').innerText()).toBe(text);
    await look(page, frame, 'insertion-order');
    await order.getByRole('button', { name: 'Sign it' }).click();
    await expect.poll(() => page.evaluate('host.said.opened')).toEqual(['https://sign.example/io']);
    const buy = plan.getByRole('button', { name: /^Buy for / });
    await buy.press('Enter');
    expect(succeeded(await strict.call('get_media_buys', {})).media_buys).toEqual([]);
    await order.getByLabel('Number of the signature').fill('sig-1');
    await order.getByLabel('Your name').fill('Ada, Acme Outdoor');
    await order.getByRole('checkbox').press('Space');
    await page.evaluate(`host.loseAnswer('create_media_buy')`);
    await buy.press('Enter');
    await plan.getByText('Press again: the same order is never booked twice.').waitFor();
    await buy.press('Enter');
    await plan.getByText(/^Insertion order io_.*, accepted by Ada, Acme Outdoor$/).waitFor();
    await look(page, frame, 'insertion-order-accepted');
    const { media_buys } = succeeded(await strict.call('get_media_buys', {}));
    expect(media_buys).toMatchObject([{ io_acceptance: { signatory: 'Ada, Acme Outdoor', signature_id: 'sig-1' } }]);
    await page.context().close();
    await strict.close();
  });
});

/** Creatives of which a part is outside the area of their card. */
const listCut = (frame: Frame): Promise<readonly string[]> =>
  frame.evaluate(`[...document.querySelectorAll('.creative iframe')].filter((creative) => {
    const [drawn, area] = [creative, creative.parentElement].map((one) => one.getBoundingClientRect());
    return drawn.left < area.left - 0.5 || drawn.right > area.right + 0.5;
  }).map(({ title }) => title)`);

/** Fifteen seconds of sound. */
const SPOT = mp3(mp3Frames(15));

/** Fifteen seconds of video; without ffmpeg a file that only says so. */
async function moving(): Promise<Buffer> {
  if (FFMPEG === undefined) return mp4({ seconds: 15 });
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=1280x720:rate=25:duration=15', '-pix_fmt', 'yuv420p'];
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=220:duration=15'];
  return makeMedia('film.mp4', [
    ...picture.slice(0, 4),
    ...sound,
    ...picture.slice(4),
    '-preset',
    'ultrafast',
    '-crf',
    '40',
  ]);
}

const SANDBOX = { account_id: 'acct_sandbox' };
const DRAFTED = '100,000 USD for premium video: prime time drama and pre-roll in the US, January 2030';
const PLANNED = '20,000 USD for outdoor gear: connected TV sports and display';

const BUILD = (server: Booted) => ({
  idempotency_key: 'build-for-the-app-of-previews',
  message: 'Spring sale: 20% off trail running shoes',
  brand: { domain: 'acme-outdoor.example' },
  target_format_id: { agent_url: server.url('creative'), id: 'display_300x250_image' },
});
