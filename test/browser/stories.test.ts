import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { init } from '../../src/commands/init/init.js';
import { systemIds } from '../../src/platform/kernel/ids.js';
import { readApprovals } from '../../src/seller/http/operator/operations.js';
import { type Booted, boot } from '../kit/boot.js';
import { BROWSER, SHOTS } from '../kit/browser.js';
import { createRequest, packageRequest, SANDBOX_ACCOUNT_2 } from '../kit/buyer.js';
import { bootMorning, type Morning } from '../kit/morning.js';
import { PROJECT, temporaryFolder } from '../kit/surroundings.js';

/** How many decisions wait on the morning of the story. */
const WAITING = 20;

/** The three stories of docs/three-stories.md, step by step as they are written there. */
describe.skipIf(BROWSER === undefined)('a story of docs/three-stories.md', () => {
  let browser: Browser;
  let morning: Morning;

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    morning = await bootMorning();
    const { server } = morning;
    const { app } = server.server();
    for (let budget = 6000; (await readApprovals(app)).approvals.length < WAITING; budget += 500)
      await server.call('create_media_buy', createRequest({ packages: [packageRequest({ budget })] }));
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });

  afterAll(() => browser?.close());

  async function enter(server: Booted): Promise<Page> {
    const page = await (await browser.newContext({ viewport: { width: 1200, height: 780 } })).newPage();
    await page.goto(server.server().signInLink(), { waitUntil: 'networkidle' });
    return page;
  }

  /** Takes the picture of a step; into the documents where they are written anew. */
  async function picture(page: Page, name: string): Promise<void> {
    await page.waitForLoadState('networkidle');
    const png = await page.screenshot();
    const webp = await sharp(png).webp({ quality: 78 }).toBuffer();
    const folder = process.env.UPDATE_DOCS ? path.join(PROJECT, 'docs') : SHOTS;
    writeFileSync(path.join(folder, `story-${name}.webp`), webp);
  }

  const heading = (page: Page): Promise<string | null> => page.getByRole('heading', { level: 1 }).textContent();

  it('of ad operations: twenty approvals and one failing endpoint are done before the first meeting', async () => {
    const page = await enter(morning.server);
    await page.getByRole('heading', { name: `Approvals: ${WAITING} waiting` }).waitFor();
    await page.getByRole('heading', { name: 'Webhooks: 1 failing endpoint' }).waitFor();
    await picture(page, 'today');

    await page.getByRole('link', { name: 'Approvals', exact: false }).first().click();
    await page.getByRole('link', { name: /for 48,000 USD/ }).click();
    await page.getByRole('heading', { name: 'Your decision' }).waitFor();
    await picture(page, 'approval');
    await page.getByLabel(/Reason for a rejection/).fill('Bicycles are sold out to another brand this month.');
    await page.getByRole('button', { name: 'Reject', exact: true }).click();

    await page.goto(new URL('/console/approvals', page.url()).href);
    await page.getByLabel('Choose all').check();
    await page.getByRole('button', { name: 'Approve the chosen' }).click();
    expect(await heading(page)).toBe(`Approve ${WAITING - 1} requests?`);
    await page.getByRole('button', { name: `Approve all ${WAITING - 1}` }).click();
    expect(await page.getByRole('status').textContent()).toBe(`${WAITING - 1} requests approved.`);

    await page.getByRole('link', { name: 'Today' }).click();
    await page
      .getByRole('region', { name: 'Endpoints that do not take their events' })
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('region', { name: 'Events, newest first' }).getByRole('link').first().click();
    await page.getByText('404', { exact: true }).first().waitFor();
    await picture(page, 'webhook');
    morning.failing.always(200);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It waits to be sent again.').waitFor();
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator('.lead .badge').textContent();
      })
      .toBe('delivered');
    await page.context().close();
  });

  it('of an engineer: what is left to do before going live is on one page', async () => {
    const directory = temporaryFolder();
    const choices = {
      kinds: ['sales'] as const,
      name: 'Northlight',
      domain: 'northlight.example',
      products: undefined,
      hasOauth: false,
    };
    await init({ ...choices, directory, cwd: directory, randomKey: systemIds.secret });
    const server = await boot({ tenants: path.join(directory, 'tenants') });
    const page = await enter(server);
    const goLive = page.getByRole('heading', { name: /Going live: \d of \d done/ });
    await goLive.scrollIntoViewIfNeeded();
    await picture(page, 'go-live');
    expect(await page.locator('.checks .is-open').count()).toBeGreaterThan(0);
    await page.context().close();
  });

  it('of an SRE: why the calls of one buyer fail is found in three clicks', async () => {
    const { server } = morning;
    for (let at = 0; at < 3; at += 1)
      await server.call(
        'create_media_buy',
        createRequest({
          account: { account_id: SANDBOX_ACCOUNT_2 },
          packages: [packageRequest({ pricing_option_id: 'cpm_of_last_year' })],
        }),
        { token: 'sandbox-token-2' },
      );
    const page = await enter(server);
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByLabel('Buyer').fill('sandbox-2');
    await page.getByLabel('Answers').selectOption('yes');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('region', { name: 'Calls, newest first' }).getByRole('link').first().click();
    await page.getByText('cpm_of_last_year').first().waitFor();
    await picture(page, 'request');
    expect(await page.locator('#answer').locator('..').locator('..').textContent()).toContain(
      'packages[0].pricing_option_id',
    );
    await page.context().close();
  });
});
