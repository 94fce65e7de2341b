import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, packageRequest, succeeded, updateRequest } from '../../kit/buyer.js';
import { shippedTenant } from '../../kit/tenants.js';

const closers: (() => void)[] = [];

afterAll(() => {
  for (const close of closers) close();
});

/** An agent that keeps property lists by their ids, and what it was asked with. */
async function listAgent(lists: Readonly<Record<string, object>>) {
  const tokens: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      tokens.push(request.headers.authorization);
      const { params } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        params: { arguments: { list_id: string } };
      };
      const structuredContent = lists[params.arguments.list_id];
      const result = structuredContent === undefined ? { isError: true, structuredContent: {} } : { structuredContent };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, tokens };
}

const domains = (...values: readonly string[]) => ({
  list: {},
  identifiers: values.map((value) => ({ type: 'domain', value })),
});

/** A publisher that the shipped test product runs on. */
const [PUBLISHER = ''] = shippedTenant()
  .products.filter((one) => one.product_id === 'test-product')
  .flatMap((one) => one.publisher_properties as readonly { readonly publisher_domain: string }[])
  .map((selector) => selector.publisher_domain);

const TOKEN = 'token-of-the-list-0123456789';

describe('a package with a property list', () => {
  const LISTS = {
    ours: domains('elsewhere.example', PUBLISHER.toUpperCase()),
    below: domains(`news.${PUBLISHER}`),
    none: domains('elsewhere.example', `not-${PUBLISHER}`),
    empty: domains(),
    long: { ...domains('elsewhere.example'), pagination: { has_more: true } },
    apps: { list: {}, identifiers: [{ type: 'ios_bundle', value: 'com.example' }] },
    unresolved: { list: {} },
  };

  test.each([
    ['that holds a publisher of the product', 'ours', true],
    ['that holds a part of one', 'below', true],
    ['that holds others only', 'none', false],
    ['that holds nothing', 'empty', false],
    ['of which only a page is known', 'long', true],
    ['of apps, which cannot be judged', 'apps', true],
    ['that is not resolved', 'unresolved', true],
    ['that the agent does not have', 'nothing-of-that-name', true],
  ])('%s', async (_what, list_id, isBought) => {
    const server = await boot();
    const agent = await listAgent(LISTS);
    const property_list = { agent_url: agent.url, list_id, auth_token: TOKEN };
    const targeting_overlay = { property_list };
    const field = 'packages[0].targeting_overlay.property_list';
    const bare = succeeded(await server.call('create_media_buy', createRequest()));
    const packages = [{ package_id: bare.packages[0]?.package_id, targeting_overlay }];
    const answers = [
      await server.call('create_media_buy', createRequest({ packages: [packageRequest({ targeting_overlay })] })),
      await server.call('update_media_buy', updateRequest(bare.media_buy_id, { packages })),
    ];
    for (const { payload, isError } of answers) {
      expect(isError).toBe(!isBought);
      if (isError)
        expect(payload.errors[0]).toMatchObject({
          code: 'PRODUCT_UNAVAILABLE',
          field,
          suggestion: expect.stringContaining(PUBLISHER),
        });
      expect(JSON.stringify(payload)).not.toContain(TOKEN);
    }
    const { media_buys } = succeeded(await server.call('get_media_buys', { status_filter: ['active'] }));
    const kept = media_buys.map(
      (buy) => (buy.packages[0] as { targeting_overlay?: object } | undefined)?.targeting_overlay,
    );
    const shown = { property_list: { agent_url: agent.url, list_id } };
    expect(kept).toEqual(isBought ? [shown, shown] : [undefined]);
    expect(agent.tokens).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  });

  test('at an agent that is away is kept as it is, and swapped for another one', async () => {
    const server = await boot();
    const list = (list_id: string) => ({ agent_url: 'https://lists.example/mcp', list_id });
    const first = { property_list: list('one'), collection_list: list('two'), collection_list_exclude: list('three') };
    const bought = succeeded(
      await server.call(
        'create_media_buy',
        createRequest({ packages: [packageRequest({ targeting_overlay: first })] }),
      ),
    );
    expect(bought.packages[0]).toMatchObject({ targeting_overlay: first });
    const second = { property_list: list('four') };
    const packages = [{ package_id: bought.packages[0]?.package_id, targeting_overlay: second }];
    const changed = succeeded(await server.call('update_media_buy', updateRequest(bought.media_buy_id, { packages })));
    expect(changed.affected_packages[0]).toHaveProperty('targeting_overlay', second);
  });
});
