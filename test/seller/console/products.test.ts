import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { succeeded } from '../../kit/buyer.js';
import { type ConsoleClient, consoleAs, localConsole } from '../../kit/console.js';
import { tenantsFolder } from '../../kit/tenants.js';

const PAGE = '/console/products/sales/test-product';

/** A seller whose file has a remark of its people in the product that is changed. */
async function withProduct() {
  const tenants = tenantsFolder((tenant) => {
    for (const product of tenant.products)
      if (product.product_id === 'test-product') product.$comment = 'ask Mia before the price goes below 4';
  });
  const server = await boot({ tenants });
  const file = path.join(tenants, 'sales.json');
  return { server, file, read: () => readFileSync(file, 'utf8'), client: await localConsole(server) };
}

async function versionOf(client: ConsoleClient): Promise<string> {
  return /name="version" value="([0-9a-f]{64})"/.exec((await client.get(PAGE)).text)?.[1] ?? '';
}

describe('a product in the console', () => {
  test('is changed in the tenant file, where remarks and everything else stay, and is sold like that at once', async () => {
    const { client, read, server } = await withProduct();
    const before = read();
    const fields = { 'field.name': 'Morning banner', 'field.price.default': '6.5' };
    await client.post(PAGE, { kind: 'fields', version: await versionOf(client), ...fields });
    const after = read();
    const changed = after.split('\n').filter((line, at) => line !== before.split('\n')[at]);
    expect(changed.map((line) => line.trim())).toEqual(['"name": "Morning banner",', expect.stringContaining('6.5')]);
    expect(after).toContain('ask Mia before the price goes below 4');
    const { products } = succeeded(await server.call('get_products', { buying_mode: 'wholesale' }));
    const sold = products.find(({ product_id }) => product_id === 'test-product');
    expect(sold).toMatchObject({ name: 'Morning banner' });
    const [entry] = await server.server().app.store.read.audit.about('sales/test-product', 1);
    expect(entry).toMatchObject({ action: 'product.edit', phase: 'done', actor: 'local operator' });
  });

  test('is not changed by the second of two people who looked at the same version, and the page says so', async () => {
    const { client, read } = await withProduct();
    const version = await versionOf(client);
    await client.post(PAGE, { kind: 'fields', version, 'field.name': 'By the first' });
    await client.post(PAGE, { kind: 'fields', version, 'field.name': 'By the second' });
    expect(read()).toContain('By the first');
    expect(read()).not.toContain('By the second');
    expect((await client.get(PAGE)).text).toContain('Somebody changed this product meanwhile');
  });

  test('is not changed to what cannot be served, and the refusal names the field', async () => {
    const { client, read } = await withProduct();
    const before = read();
    const refusals = [
      [{ kind: 'fields', 'field.price.default': 'six' }, 'price.default is a number'],
      [{ kind: 'text', text: '{ "product_id": "test-product"' }, 'In line 1'],
      [{ kind: 'text', text: '{ "product_id": "another" }' }, 'The id of a product stays'],
      [{ kind: 'text', text: '{ "product_id": "test-product", "description": "x" }' }, 'Nothing was changed. name: '],
      [{ kind: 'text', text: '[]' }, 'A product is an object'],
    ] as const;
    for (const [fields, says] of refusals) {
      await client.post(PAGE, { version: await versionOf(client), ...fields });
      expect((await client.get(PAGE)).text).toContain(says);
    }
    expect(read()).toBe(before);
  });

  test('is changed as a whole by its text, as it stands in the file', async () => {
    const { client, file, read } = await withProduct();
    const { text } = await client.get(PAGE);
    const shown = /<textarea name="text"[^>]*>([\s\S]*?)<\/textarea>/.exec(text)?.[1] ?? '';
    const written = shown
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'");
    expect(read()).toContain(written);
    const changed = written.replace('ask Mia', 'ask Noor').replaceAll('\n', '\r\n');
    await client.post(PAGE, { kind: 'text', version: await versionOf(client), text: changed });
    expect(read()).toBe(read().replaceAll('\r\n', '\n'));
    expect(read()).toContain('ask Noor before');
    writeFileSync(file, read().replace('ask Noor', 'ask Ada'));
    expect((await client.get(PAGE)).text).toContain('ask Ada');
  });

  test('is looked at, and not changed, by who is no admin', async () => {
    const { client, read, server } = await withProduct();
    const before = read();
    const operator = await consoleAs(server, 'operate');
    expect((await operator.get(PAGE)).text).not.toContain('Save');
    const answer = await operator.post(PAGE, { kind: 'fields', version: await versionOf(client), 'field.name': 'X' });
    expect(answer.status).toBe(403);
    expect(read()).toBe(before);
  });
});
