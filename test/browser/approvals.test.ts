import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Booted, boot } from '../kit/boot.js';
import { BROWSER, SHOTS } from '../kit/browser.js';
import { createRequest, packageRequest, succeeded } from '../kit/buyer.js';
import { operatorOf } from '../kit/operator.js';
import { tenantsFolder } from '../kit/tenants.js';

describe.skipIf(BROWSER === undefined)('the page of an approval, in a browser', () => {
  let browser: Browser;
  let server: Booted;

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    server = await boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] })) });
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });

  afterAll(() => browser?.close());

  /** An order that waits, and its page. */
  async function open(options: BrowserContextOptions = {}) {
    const packages = [
      packageRequest({ budget: 12_500 }),
      packageRequest({ budget: 400, start_time: '2030-01-08T00:00:00Z' }),
    ];
    const request = createRequest({ start_time: '2030-01-05T09:30:00Z', packages });
    const { task_id } = succeeded(await server.call('create_media_buy', request));
    const waiting = (await operatorOf(server).waiting()).find(({ id }) => id === task_id);
    const page = await (await browser.newContext({ viewport: { width: 1000, height: 900 }, ...options })).newPage();
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(waiting?.link ?? '');
    return { page, faults, task_id };
  }

  async function shot(page: Page, name: string): Promise<void> {
    const file = path.join(SHOTS, `approval-${name}.png`);
    await page.screenshot({ path: file, fullPage: true });
    expect(statSync(file).size).toBeGreaterThan(5000);
  }

  /** What of the page is wider than the window. */
  const overflow = (page: Page): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  it('approves with a click, and says so', async () => {
    const { page, faults, task_id } = await open();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Approve this media buy?');
    expect(await page.getByRole('row').count()).toBe(3);
    await shot(page, 'order');
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await page.getByRole('status').textContent()).toContain('Approved');
    expect(await page.getByRole('button').count()).toBe(0);
    await shot(page, 'approved');
    await page.reload();
    expect(await page.getByRole('status').textContent()).toContain('Approved');
    const { payload } = await server.call('get_task_status', { task_id });
    expect(payload.status).toBe('completed');
    expect(faults).toEqual([]);
  });

  it('rejects with the keyboard alone, and wants a reason first', async () => {
    const { page, task_id } = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    expect(await overflow(page)).toBe(0);
    await shot(page, 'order-narrow-dark');
    await page.getByRole('button', { name: 'Reject' }).focus();
    await page.keyboard.press('Enter');
    expect((await server.call('get_task_status', { task_id })).payload.status).toBe('submitted');
    await page.getByLabel('Reason for a rejection').focus();
    await page.keyboard.type('Too much for one week.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').textContent()).toMatch(/Rejected.*Too much for one week\./s);
    expect((await server.call('get_task_status', { task_id })).payload.status).toBe('rejected');
    await shot(page, 'rejected-narrow-dark');
  });

  it('asks the buyer, and can still be decided', async () => {
    const { page, task_id } = await open();
    await page.getByLabel('Question to the buyer').fill('Which landing page is it for?');
    await page.getByRole('button', { name: 'Ask the buyer' }).click();
    expect(await page.getByRole('status').textContent()).toContain('Which landing page is it for?');
    expect(await page.getByRole('button').count()).toBe(2);
    await shot(page, 'asked');
    expect((await server.call('get_task_status', { task_id })).payload.status).toBe('input-required');
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await page.getByRole('status').textContent()).toContain('Approved');
  });

  it('says what was decided meanwhile to whoever clicks second', async () => {
    const { page, task_id } = await open();
    await operatorOf(server).post(`/approvals/${task_id}`, { decision: 'approve' });
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('nothing to decide');
    expect(await page.getByRole('status').textContent()).toContain('Approved');
    await shot(page, 'second');
  });
});
