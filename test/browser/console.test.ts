import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatePortalLinks } from '../../src/seller/tasks/people/portal-links.js';
import { listAxeFaults } from '../kit/axe.js';
import { ARE_SHOTS_ASKED_FOR, BROWSER, SHOTS } from '../kit/browser.js';
import { bootMorning, type Morning } from '../kit/morning.js';
import { FAILING_PUBLISHER } from '../kit/served-registry.js';
import { PROJECT } from '../kit/surroundings.js';

const WIDTHS = [390, 820, 1440];
const SCHEMES = ['light', 'dark'] as const;
/** Counts the parts of a page that it asks for by itself and does not show yet. */
const MISSING_PARTS = `document.querySelectorAll('[hx-trigger="load"]:not(:has(.shown)), .htmx-request').length`;

describe.skipIf(BROWSER === undefined)('the console, in a browser', () => {
  let browser: Browser;
  let morning: Morning;
  /** A product that is sold, and the portal of the buyer. */
  let product: string;
  let portal: string;

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    morning = await bootMorning();
    const { app } = morning.server.server();
    [product = ''] = app.sellers().get('sales')?.products.keys() ?? [];
    const made = { operation: 'new', tenant: 'sales', principal: 'sandbox' };
    portal = String((await operatePortalLinks(app, 'a test', made)).url);
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });

  afterAll(() => browser?.close());

  /** A page of somebody who was let in by the one-time link, and what the browser says against it. */
  async function enter(options: BrowserContextOptions = {}): Promise<{ page: Page; faults: string[]; origin: string }> {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })).newPage();
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    const link = morning.server.server().signInLink();
    await page.goto(link);
    return { page, faults, origin: new URL(link).origin };
  }

  /** Every page that is looked at, by its name. */
  const pages = (): Readonly<Record<string, string>> => ({
    today: '/console',
    approvals: '/console/approvals',
    approval: `/console/approvals/${morning.waiting[0]}`,
    buys: '/console/buys',
    buy: `/console/buys/${morning.buys[0]}`,
    creatives: '/console/creatives',
    creative: '/console/creatives/1',
    webhooks: '/console/webhooks',
    webhook: `/console/webhooks/${morning.events[0]}`,
    delivery: '/console/delivery',
    products: '/console/products?brief=video+for+hikers+in+the+US',
    product: `/console/products/sales/${product}`,
    buyers: '/console/buyers',
    'portal-links': '/console/buyers/links',
    portal,
    'portal-buy': `${portal}/buys/${morning.buys[0]}`,
    'portal-creatives': `${portal}/creatives`,
    'portal-webhooks': `${portal}/webhooks`,
    registry: '/console/registry',
    'registry-review': `/console/registry/reviews/${morning.registry.reviewId}`,
    'registry-members': '/console/registry/members',
    'registry-member': `/console/registry/members/${morning.registry.organizationId}`,
    'registry-publishers': '/console/registry/publishers',
    'registry-publisher': `/console/registry/publishers/${FAILING_PUBLISHER}`,
    requests: '/console/requests',
    audit: '/console/audit',
    nothing: '/console/nothing-of-this-name',
  });

  it.each(WIDTHS.flatMap((width) => SCHEMES.map((colorScheme) => ({ width, colorScheme }))))(
    'shows every screen without a fault at $width pixels, $colorScheme',
    async ({ width, colorScheme }) => {
      const { page, faults, origin } = await enter({ viewport: { width, height: 900 }, colorScheme });
      const found: string[] = [];
      for (const [name, route] of Object.entries(pages())) {
        await page.goto(new URL(route, origin).href);
        await expect.poll(() => page.evaluate(MISSING_PARTS), { interval: 20 }).toBe(0);
        if (ARE_SHOTS_ASKED_FOR)
          await page.screenshot({
            path: path.join(SHOTS, `console-${name}-${width}-${colorScheme}.png`),
            fullPage: true,
          });
        found.push(...(await listAxeFaults(page)).map((fault) => `${name}: ${fault}`));
        const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (wider > 0) found.push(`${name} is ${wider} pixels wider than the window`);
      }
      await page.context().close();
      expect(found).toEqual([]);
      expect(faults.filter((text) => !text.includes('status of 404'))).toEqual([]);
    },
    240_000,
  );

  it('breaks a word of 200 letters, whatever has it, before a page gets wider than a phone', async () => {
    const { page, origin } = await enter({ viewport: { width: 390, height: 844 } });
    const wider: string[] = [];
    for (const name of ['buy', 'buys', 'approval', 'approvals', 'creatives', 'creative']) {
      await page.goto(`${origin}${pages()[name]}`);
      await expect.poll(() => page.evaluate(MISSING_PARTS), { interval: 20 }).toBe(0);
      const pixels = await page.evaluate<number>(`{
        for (const one of document.querySelectorAll('main :is(h1, h2, p, li, li div, dd, figcaption, td, td b, td small)'))
          for (const node of one.childNodes) if (node.nodeType === 3 && /[a-z]{3}/i.test(node.data)) node.data = 'W'.repeat(200);
        document.documentElement.scrollWidth - innerWidth
      }`);
      if (pixels > 0) wider.push(`${name}: ${pixels}`);
    }
    expect(wider).toEqual([]);
    await page.context().close();
  });

  it.runIf(process.env.UPDATE_DOCS === '1')('takes the pictures of docs/console.md', async () => {
    const wide = { width: 1440, height: 1100 };
    const pictures = [
      ['today', '/console', wide],
      ['approval', `/console/approvals/${morning.waiting[0]}`, wide],
      ['buy', `/console/buys/${morning.buys[0]}`, wide],
      ['phone', '/console/approvals', { width: 390, height: 844 }],
    ] as const;
    for (const [name, route, viewport] of pictures) {
      const { page, origin } = await enter({ viewport });
      await page.goto(`${origin}${route}`, { waitUntil: 'networkidle' });
      const width = Math.min(viewport.width, 1080);
      const webp = await sharp(await page.screenshot())
        .resize({ width })
        .webp({ quality: 78 })
        .toBuffer();
      writeFileSync(path.join(PROJECT, 'docs', `console-${name}.webp`), webp);
      await page.context().close();
    }
  });

  /** Presses Tab until what has the focus has a text in it. */
  async function tabTo(page: Page, text: string): Promise<void> {
    for (let pressed = 0; pressed < 60; pressed += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<string>('document.activeElement?.textContent ?? ""');
      if (focused.trim() === text) return;
    }
    throw new Error(`"${text}" cannot be reached with the keyboard`);
  }

  it('takes a decision from somebody who has a keyboard alone', async () => {
    const { page } = await enter();
    await tabTo(page, 'Skip to the content');
    await page.keyboard.press('Enter');
    const order = page.getByRole('link', { name: /for 48,000 USD/ });
    await tabTo(page, (await order.textContent()) ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your decision' }).waitFor();
    await tabTo(page, 'Approve');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('status').textContent()).toMatch(/^Approved: .* The media buy is mb_/);
    await page.context().close();
  });

  it('has what was typed into a form again when it is refused', async () => {
    const { origin, page } = await enter();
    await page.goto(`${origin}/console/webhooks`);
    await page.locator('[name=since]').fill('yesterday');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.waitForSelector('.notice.problem');
    expect(await page.locator('[name=since]').inputValue()).toBe('yesterday');
    await page.reload();
    expect(await page.locator('[name=since]').inputValue()).not.toBe('yesterday');
    await page.context().close();
  });

  it('keeps a filter in the address, from where it is opened again, and in the export', async () => {
    const { origin, page } = await enter();
    await page.goto(`${origin}/console/audit`, { waitUntil: 'networkidle' });
    await page.getByLabel('Action').fill('nobody.did');
    await page.waitForURL(/action=nobody\.did/);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    expect((await readFile(await (await download).path(), 'utf8')).trim().split('\n')).toHaveLength(1);
    await page.reload();
    expect(await page.getByLabel('Action').inputValue()).toBe('nobody.did');
    await page.context().close();
  });

  it('rejects several at once after it was asked, without scripts too', async () => {
    const { origin, page } = await enter({ javaScriptEnabled: false });
    await page.goto(`${origin}/console/approvals`);
    for (const box of await page.getByRole('checkbox', { name: /Creative (boots|bikes)/ }).all()) await box.check();
    await page.getByLabel(/Reason for a rejection/).fill('Blank pictures.');
    await page.getByRole('button', { name: 'Reject the chosen' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Reject 2 requests?');
    await page.getByRole('button', { name: 'Reject all 2' }).click();
    expect(await page.getByRole('status').textContent()).toBe('2 requests rejected.');
    await page.context().close();
  });
});
