import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterUse } from '../kit/after-use.js';
import { listAxeFaults } from '../kit/axe.js';
import { type Booted, boot } from '../kit/boot.js';
import { BROWSER, SHOTS } from '../kit/browser.js';
import { RememberingClient } from '../kit/oauth.js';
import { tenantsFolder } from '../kit/tenants.js';

describe.skipIf(BROWSER === undefined)('signing in by OAuth, in a browser', () => {
  let browser: Browser;
  let server: Booted;
  let callback: string;

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    server = await boot({ ids: 'system', tenants: tenantsFolder((tenant) => Object.assign(tenant, { oauth: {} })) });
    const assistant = createServer((_request, response) => response.end('You may close this page.'));
    assistant.listen(0, '127.0.0.1');
    await once(assistant, 'listening');
    afterUse(() => assistant.close());
    callback = `http://127.0.0.1:${(assistant.address() as AddressInfo).port}/callback`;
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  const client = () => new Client({ name: 'test', version: '1' });
  const open = (provider: RememberingClient) =>
    new StreamableHTTPClientTransport(new URL(server.url()), { authProvider: provider });

  it('a person adds the address, allows it with a key, and their assistant finds products and buys nothing', async () => {
    const provider = new RememberingClient(undefined, undefined, callback);
    const transport = open(provider);
    await expect(client().connect(transport)).rejects.toThrow('Unauthorized');

    const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    await page.goto(String(provider.sentTo));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Let Test assistant use');
    expect(await listAxeFaults(page)).toEqual([]);
    const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate<number>(width)).toBe(0);
    await page.screenshot({ path: path.join(SHOTS, 'oauth-consent.png'), fullPage: true });

    await page.getByLabel('Look only').check();
    await page.getByLabel('Your access key').fill('not-a-key');
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('This is no access key');
    await page.getByLabel('Look only').check();
    await page.getByLabel('Your access key').fill('sandbox-token');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL((url) => url.href.startsWith(callback));
    await transport.finishAuth(new URL(page.url()).searchParams.get('code') ?? '');

    const connected = client();
    await connected.connect(open(provider));
    const products = await connected.callTool({
      name: 'get_products',
      arguments: { brief: 'video', buying_mode: 'brief' },
    });
    expect(products.isError).not.toBe(true);
    expect(provider.saved?.scope).toBe('read');
    const page2 = { url: server.url(), token: provider.saved?.access_token };
    const listed = await page.evaluate<number, typeof page2>(callFromPage, page2);
    expect(listed).toBeGreaterThan(5);
    await connected.close();
  });
});

/** Runs in a page of another origin: lists the tools of an endpoint. */
async function callFromPage({
  token,
  url,
}: {
  readonly token: string | undefined;
  readonly url: string;
}): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result } = (await answer.json()) as { result: { tools: readonly object[] } };
  return result.tools.length;
}
