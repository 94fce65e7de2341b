import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownerKey } from '../../../src/seller/domain/tenant/principal.js';
import { type BootOptions, boot } from '../../kit/boot.js';
import { createRequest, packageRequest, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../../kit/buyer.js';
import { localConsole } from '../../kit/console.js';
import { shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';

/** A server with one buy that runs, and somebody at its console. */
async function withBuy(options: BootOptions = {}) {
  const server = await boot({ ids: 'system', ...options });
  const { media_buy_id } = succeeded(await server.call('create_media_buy', createRequest()));
  const read = async () =>
    succeeded(await server.call('get_media_buys', { media_buy_ids: [media_buy_id] })).media_buys[0];
  return { server, read, id: String(media_buy_id), client: await localConsole(server) };
}

describe('a buy in the console', () => {
  test('is asked about before it is paused in the name of its buyer, and paused then', async () => {
    const { client, id, read } = await withBuy();
    const asked = await client.post(`/console/buys/${id}/pause`, { revision: '1' });
    expect([asked.status, asked.text.includes('Pause this media buy?')]).toEqual([200, true]);
    expect((await read())?.status).toBe('active');
    await client.post(`/console/buys/${id}/pause`, { revision: '1', confirmed: 'yes' });
    expect((await read())?.status).toBe('paused');
    expect((await client.get(`/console/buys/${id}`)).text).toContain(`${id} is paused.`);
    expect((await client.get(`/console/buys/${id}`)).text).toContain('<b>paused</b> by the seller');
  });

  test('that is paused is told to its buyer by webhook, where the buyer’s own pause is told by its answer', async () => {
    const server = await boot({ ids: 'system' });
    const request = createRequest({
      push_notification_config: { url: 'https://buyer.example/hook', operation_id: 'op' },
    });
    const id = String(succeeded(await server.call('create_media_buy', request)).media_buy_id);
    const pending = async () => (await server.server().app.store.read.webhookLog.backlog()).pending;
    const client = await localConsole(server);
    expect(await pending()).toBe(0);
    await client.post(`/console/buys/${id}/pause`, { revision: '1', confirmed: 'yes' });
    expect(await pending()).toBe(1);
    succeeded(await server.call('update_media_buy', updateRequest(id, { paused: false })));
    expect(await pending()).toBe(0);
  });

  test('is stopped by the seller also while its account is suspended, when its buyer can change nothing', async () => {
    const { client, id, read, server } = await withBuy();
    const { store } = server.server().app;
    const owner = ownerKey('sales', 'sandbox');
    await store.transact(async (tx) => {
      const account = await tx.accounts.findById(owner, SANDBOX_ACCOUNT);
      if (account !== undefined) await tx.accounts.save(owner, { ...account, status: 'suspended' });
    });
    const asked = await server.call('update_media_buy', updateRequest(id, { paused: true }));
    expect(asked.payload).toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    expect(await read()).toMatchObject({ valid_actions: [], available_actions: [] });
    expect((await client.get(`/console/buys/${id}`)).text).toContain('Its buyer cannot change it');
    await client.post(`/console/buys/${id}/pause`, { revision: '1', confirmed: 'yes' });
    expect((await read())?.status).toBe('paused');
    await client.post(`/console/buys/${id}/resume`, { revision: '2', confirmed: 'yes' });
    expect((await read())?.status).toBe('paused');
    await client.post(`/console/buys/${id}/cancel`, { revision: '2', confirmed: 'yes' });
    expect((await read())?.status).toBe('canceled');
  });

  test('is stopped by the seller also once its buyer is no longer in the tenant file, and nothing else is done to it', async () => {
    const folder = tenantsFolder();
    const { client, id, server } = await withBuy({ tenants: folder });
    const { app } = server.server();
    const status = async () => (await app.store.read.mediaBuys.findAnywhere(id))?.buy.status;
    const tenant = shippedTenant();
    tenant.principals = tenant.principals.filter((one) => one.id !== 'sandbox');
    tenant.accounts = tenant.accounts.filter(({ principal }) => principal !== 'sandbox');
    writeTenant(folder, tenant);
    await server.server().reload();
    const { text } = await client.get(`/console/buys/${id}`);
    expect(text).toContain('no longer in the tenant’s file');
    expect(text).toContain(`/console/buys/${id}/pause`);
    await client.post(`/console/buys/${id}/pause`, { revision: '1', confirmed: 'yes' });
    expect(await status()).toBe('paused');
    expect((await client.get(`/console/buys/${id}`)).text).not.toContain(`/console/buys/${id}/resume`);
    await client.post(`/console/buys/${id}/resume`, { revision: '2', confirmed: 'yes' });
    expect(await status()).toBe('paused');
    await client.post(`/console/buys/${id}/cancel`, { revision: '2', confirmed: 'yes' });
    expect(await status()).toBe('canceled');
  });

  test('is stopped by the seller also once the file of its tenant is gone, which the log warns of, and nothing else is done to it', async () => {
    const folder = tenantsFolder();
    writeTenant(folder, { ...shippedTenant(), name: 'Another' }, 'another');
    const { client, id, server } = await withBuy({ tenants: folder });
    const { app } = server.server();
    const status = async () => (await app.store.read.mediaBuys.findAnywhere(id))?.buy.status;
    rmSync(path.join(folder, 'sales.json'));
    await server.server().reload();
    expect(server.log.filter(({ text }) => text.includes('"media_buys":1'))).toHaveLength(1);
    const { text } = await client.get(`/console/buys/${id}`);
    expect(text).toContain('has no file any more');
    expect(text).toContain(`/console/buys/${id}/cancel`);
    await client.post(`/console/buys/${id}/pause`, { revision: '1', confirmed: 'yes' });
    expect(await status()).toBe('paused');
    await client.post(`/console/buys/${id}/resume`, { revision: '2', confirmed: 'yes' });
    expect(await status()).toBe('paused');
    await client.post(`/console/buys/${id}/cancel`, { revision: '2', confirmed: 'yes' });
    expect(await status()).toBe('canceled');
    const today = await client.get('/console');
    expect([today.status, today.text.includes('sales.yaml')]).toEqual([200, false]);
    writeFileSync(path.join(folder, 'sales.yaml'), 'kinds: [sales]');
    await server.server().reload();
    expect((await client.get('/console')).text).toContain('sales.yaml: this file is not served');
    expect(server.log.filter(({ text }) => text.includes('this file is not served'))).toHaveLength(1);
  });

  test('is not changed by who looked at an older revision, and the page says so', async () => {
    const { client, id, read } = await withBuy();
    await client.post(`/console/buys/${id}/pause`, { revision: '7', confirmed: 'yes' });
    expect((await read())?.status).toBe('active');
    const { text } = await client.get(`/console/buys/${id}`);
    expect(text).toContain('role="alert"');
    expect(text).toContain('Somebody changed it meanwhile');
    expect(text).not.toContain('is paused.');
  });

  test('is found by its id, its advertiser and its state, and not by others', async () => {
    const { client, id } = await withBuy();
    for (const query of [`q=${id}`, 'q=ACME-outdoor', 'status=active', 'buyer=sales%23sandbox'])
      expect((await client.get(`/console/buys?${query}`)).text).toContain(id);
    for (const query of ['q=nobody.example', 'status=rejected', 'buyer=sales%23sandbox-2'])
      expect((await client.get(`/console/buys?${query}`)).text).not.toContain(id);
  });

  test.each([
    ['Übergröße-7', ['übergröße', 'Übergröße', 'größe-7']],
    ['ЗАКАЗ № 12', ['заказ', 'Заказ', 'ЗАКАЗ']],
    ['発注書-第12号', ['発注書', '第12号']],
    ['أمر شراء ٧٧', ['شراء']],
  ])('is found by its order number %s in whatever case, and its row names it', async (po_number, asked) => {
    const { client, server } = await withBuy();
    const { media_buy_id } = succeeded(await server.call('create_media_buy', createRequest({ po_number })));
    for (const text of asked) {
      const found = await client.get(`/console/buys?q=${encodeURIComponent(text)}`);
      expect([text, found.text.match(/mb_[0-9a-f]{32} · /g)]).toEqual([text, [`${media_buy_id} · `]]);
    }
    expect((await client.get('/console/buys')).text).toContain(po_number);
  });

  test('that people of the seller cancel names them and their reason', async () => {
    const { client, id, read } = await withBuy();
    const asked = await client.post(`/console/buys/${id}/cancel`, { revision: '1' });
    expect(asked.text).toContain('Reason, which the buyer reads');
    await client.post(`/console/buys/${id}/cancel`, { revision: '1', confirmed: 'yes', reason: 'The site is gone.' });
    expect(await read()).toMatchObject({ cancellation: { canceled_by: 'seller', reason: 'The site is gone.' } });
    expect((await client.get(`/console/buys/${id}`)).text).toContain('by the seller: The site is gone.');
  });
});

describe('a brief in the console', () => {
  test('finds what a buyer would find, with why', async () => {
    const { client, server } = await withBuy();
    const brief = 'video for hikers in the US';
    const { products } = succeeded(await server.call('get_products', { buying_mode: 'brief', brief }));
    const { text } = await client.get(`/console/products?tenant=sales&brief=${encodeURIComponent(brief)}`);
    expect(products.length).toBeGreaterThan(0);
    expect(text).toContain(`${products.length} found`);
    expect(text).toContain('Matches ');
  });

  test('names the demand that keeps each of the others out', async () => {
    const { client, server } = await withBuy();
    const brief = 'only guaranteed video in the US, no sports';
    const seller = server.server().app.sellers().get('sales');
    const out = [...(seller?.products.values() ?? [])].filter(({ delivery_type }) => delivery_type !== 'guaranteed');
    const { text } = await client.get(`/console/products?tenant=sales&brief=${encodeURIComponent(brief)}`);
    const rows = text.slice(text.indexOf('id="found"'), text.indexOf('id="catalog"')).split('<tr>');
    expect(out.length).toBeGreaterThan(0);
    for (const { product_id } of out)
      expect(rows.find((row) => row.includes(`<small>${product_id}</small>`))).toContain('only guaranteed');
  });
});

describe('what is exported', () => {
  test('has a line for each act, and no formula', async () => {
    const { client } = await withBuy();
    await client.post('/console/approvals/=1+1', { decision: 'approve' });
    const { headers, text } = await client.get('/console/audit/export');
    expect(headers['content-type']).toContain('text/csv');
    expect(text.split('\r\n')[0]).toBe('at,actor,action,subject,phase,detail');
    expect(text).toContain("approval.approve,'=1+1,refused");
  });
});

describe('delivery in the console', () => {
  test('is put together by product, buyer and day, and adds up to the same', async () => {
    const { server } = await withBuy();
    await server.call('create_media_buy', createRequest({ packages: [packageRequest({ budget: 500 })] }));
    server.clock.advance(3 * 86_400_000);
    await server.server().tick();
    const client = await localConsole(server);
    const spent = async (by: string) => {
      const { text } = await client.get(`/console/delivery?by=${by}`);
      const cells = [...text.matchAll(/data-label="Spent" class="number"><div>([\d,.]+) USD/g)];
      return cells.reduce((sum, [, amount = '']) => sum + Number(amount.replaceAll(',', '')), 0);
    };
    const all = await spent('buy');
    expect(all).toBeGreaterThan(0);
    for (const by of ['product', 'buyer', 'day']) expect(await spent(by)).toBeCloseTo(all, 0);
    expect((await client.get('/console/delivery?by=product')).text).toContain('test-product');
    expect((await client.get('/console/delivery?by=day')).text).toContain('2030-01-02');
  });

  test('is shown of every running buy, page by page, and exported of all of them', async () => {
    const server = await boot({ ids: 'system' });
    for (let index = 0; index < 52; index += 1)
      succeeded(
        await server.call('create_media_buy', createRequest({ end_time: `2030-02-${10 + (index % 9)}T00:00:00Z` })),
      );
    server.clock.advance(3 * 86_400_000);
    await server.server().tick();
    const client = await localConsole(server);
    const listed = (text: string) => [...text.matchAll(/href="\/console\/buys\/([\w-]+)"/g)].map(([, id]) => id);
    const first = (await client.get('/console/delivery')).text;
    const [, more = ''] = /class="more"><a class="button" href="([^"]+)"/.exec(first) ?? [];
    const second = (await client.get(more.replaceAll('&amp;', '&'))).text;
    expect([listed(first).length, listed(second).length]).toEqual([50, 2]);
    expect(new Set([...listed(first), ...listed(second)]).size).toBe(52);
    expect(second).not.toContain('class="more"');
    const { headers, text } = await client.get('/console/delivery/export');
    expect(headers['content-type']).toContain('text/csv');
    expect(
      new Set(
        text
          .split('\r\n')
          .slice(1, -1)
          .map((line) => line.split(',')[2]),
      ).size,
    ).toBe(52);
  });

  test('is narrowed to a buyer and to a product, of which the other packages of a buy are no part', async () => {
    const tenants = tenantsFolder(({ products }) => {
      const [product] = products;
      if (product !== undefined) products.push({ ...product, product_id: 'second-product', name: 'Second product' });
    });
    const server = await boot({ tenants, ids: 'system' });
    const packages = [
      packageRequest({ budget: 500 }),
      packageRequest({ product_id: 'second-product', budget: 40_000 }),
    ];
    succeeded(await server.call('create_media_buy', createRequest({ packages })));
    server.clock.advance(3 * 86_400_000);
    await server.server().tick();
    const client = await localConsole(server);
    const budgets = async (query: string) => {
      const { text } = await client.get(`/console/delivery?${query}`);
      return [...text.matchAll(/data-label="Budget" class="number"><div>([^<]+)</g)].map(([, budget]) => budget);
    };
    expect(await budgets('')).toEqual(['40,500 USD']);
    expect(await budgets('product=TEST-product')).toEqual(['500 USD']);
    expect(await budgets('product=no-such-product')).toEqual([]);
    expect(await budgets('buyer=sales%23sandbox')).toEqual(['40,500 USD']);
    expect(await budgets('buyer=sales%23sandbox-2')).toEqual([]);
    const { text } = await client.get('/console/delivery/export?by=product&product=test-product');
    const [head, line, ...rest] = text.split('\r\n');
    expect(head).toBe('product,currency,media_buys,impressions,spend,planned_so_far');
    expect(line).toMatch(/^test-product,USD,1,[1-9]\d*,/);
    expect(rest).toEqual(['']);
  });
});
