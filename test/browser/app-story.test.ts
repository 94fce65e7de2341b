import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/platform/kernel/clock.js';
import { serveAppHost } from '../kit/app-host/serve.js';
import { type Booted, boot } from '../kit/boot.js';
import { BROWSER, SHOTS } from '../kit/browser.js';
import { RememberingClient } from '../kit/oauth.js';
import { operatorOf } from '../kit/operator.js';
import { PROJECT } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';

/** The story of docs/models.md, "A campaign in a browser", step by step as it is written there. */
describe.skipIf(BROWSER === undefined)('a campaign in a browser', () => {
  let browser: Browser;
  let server: Booted;
  let address: string;

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    const approvals = [{ budget_over: { amount: 500, currency: 'USD' }, timeout_hours: 120 }];
    server = await boot({
      ids: 'system',
      tenants: tenantsFolder((tenant) => Object.assign(tenant, { oauth: {}, approvals })),
    });
    address = await serveAppHost();
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  async function picture(page: Page, name: string): Promise<void> {
    const webp = await sharp(await page.screenshot())
      .webp({ quality: 78 })
      .toBuffer();
    const folder = process.env.UPDATE_DOCS ? path.join(PROJECT, 'docs') : SHOTS;
    writeFileSync(path.join(folder, `app-${name}.webp`), webp);
  }

  /** Adds the address to a client, and lets it look and buy on the page that its user is sent to. */
  async function consent(page: Page): Promise<RememberingClient> {
    const provider = new RememberingClient(undefined, undefined, `${address}callback`);
    const transport = new StreamableHTTPClientTransport(new URL(server.url()), { authProvider: provider });
    await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow('Unauthorized');
    await page.goto(String(provider.sentTo));
    await page.getByRole('radio', { name: /buy/i }).first().check();
    await page.getByLabel('Most it may commit in a day').fill('5000');
    await page.getByLabel('Your access key').fill('sandbox-token');
    await picture(page, 'consent');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL((url) => url.href.startsWith(address));
    await transport.finishAuth(new URL(page.url()).searchParams.get('code') ?? '');
    return provider;
  }

  /** Connects the page with the client's token, which the client renews first where it has expired. */
  async function connect(page: Page, provider: RememberingClient): Promise<void> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url()), { authProvider: provider }));
    await client.close();
    await page.goto(address);
    await page.evaluate(`connectHost('${server.url()}', '${provider.saved?.access_token}', 'auto')`);
  }

  async function show(page: Page, tool: string, args: object): Promise<Frame> {
    await page.evaluate(`host.show(${JSON.stringify({ tool, args, theme: 'light' })})`);
    const frame = page.frames()[1];
    if (frame === undefined) throw new Error('No app is shown');
    await frame.locator('h1').waitFor();
    return frame;
  }

  it('is allowed, found, bought, approved and watched', async () => {
    const page = await (await browser.newContext({ viewport: { width: 760, height: 900 } })).newPage();
    const provider = await consent(page);
    await connect(page, provider);
    const account = { account_id: 'acct_sandbox' };
    const brand = { domain: 'acme-outdoor.example' };
    const brief = '20,000 USD for outdoor gear: connected TV sports and display';
    const frame = await show(page, 'get_products', { brief, buying_mode: 'brief', brand, account });
    await picture(page, 'plans');
    await frame.getByRole('button', { name: 'Buy Northlight run of site, display and video' }).click();
    await frame.getByLabel('Budget, USD').fill('1000');
    await frame.getByLabel('Last day').fill('2030-01-31');
    await frame.getByRole('button', { name: 'Review the order' }).click();
    await frame.getByRole('button', { name: 'Buy for $1,000' }).scrollIntoViewIfNeeded();
    await picture(page, 'review');
    await frame.getByRole('button', { name: 'Buy for $1,000' }).click();
    await frame.getByText('Submitted', { exact: true }).waitFor();
    expect(await frame.locator('.receipt').innerText()).toMatch(/has to approve this first; it is decided by \S+\.\n/);
    expect(await frame.locator('.receipt').innerText()).not.toContain('get_task_status');

    const [waiting] = await operatorOf(server).waiting();
    const person = await (await browser.newContext({ viewport: { width: 760, height: 900 } })).newPage();
    await person.goto(String(waiting?.link));
    await person.getByRole('button', { name: 'Approve' }).first().click();
    await person.context().close();

    await frame.getByRole('button', { name: 'Check again' }).click();
    await frame.getByText('Active', { exact: true }).waitFor();
    server.clock.advance(5 * DAY_MS);
    await connect(page, provider);
    const delivery = await show(page, 'get_media_buy_delivery', { include_package_daily_breakdown: true });
    await delivery.getByRole('img', { name: 'Impressions over time' }).waitFor();
    await picture(page, 'delivery');
    expect(await delivery.locator('.tiles dd').first().textContent()).not.toBe('0');
    await page.context().close();
  });
});
