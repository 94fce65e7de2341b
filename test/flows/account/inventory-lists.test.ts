import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, packageRequest, succeeded, updateRequest } from '../../kit/buyer.js';
import { listAgent } from '../../kit/list-agent.js';
import { shippedTenant, tenantsFolder } from '../../kit/tenants.js';

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
    long: { ...domains(PUBLISHER), pagination: { has_more: true } },
    apps: { list: {}, identifiers: [{ type: 'ios_bundle', value: 'com.example' }] },
    unresolved: { list: {} },
  };

  test.each([
    ['that holds a publisher of the product', 'ours', undefined],
    ['that holds only a part of one', 'below', 'PRODUCT_UNAVAILABLE'],
    ['that holds others only', 'none', 'PRODUCT_UNAVAILABLE'],
    ['that holds nothing', 'empty', 'PRODUCT_UNAVAILABLE'],
    ['of which only a page is known', 'long', 'UNSUPPORTED_FEATURE'],
    ['of apps, where the product has none', 'apps', 'PRODUCT_UNAVAILABLE'],
    ['that is not resolved', 'unresolved', 'REFERENCE_NOT_FOUND'],
    ['that the agent does not have', 'nothing-of-that-name', 'REFERENCE_NOT_FOUND'],
  ])('%s', async (_what, list_id, code) => {
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
      expect(isError).toBe(code !== undefined);
      if (isError) expect(payload.errors[0]).toMatchObject({ code, field });
      if (code === 'PRODUCT_UNAVAILABLE') expect(payload.errors[0]?.suggestion).toContain(PUBLISHER);
      expect(JSON.stringify(payload)).not.toContain(TOKEN);
    }
    const { media_buys } = succeeded(await server.call('get_media_buys', { status_filter: ['active'] }));
    const bought = media_buys.map(
      (buy) => (buy.packages[0] as { targeting_overlay?: object } | undefined)?.targeting_overlay,
    );
    const shown = { property_list: { agent_url: agent.url, list_id } };
    expect(bought).toEqual(code === undefined ? [shown, shown] : [undefined]);
    expect(agent.tokens).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  });

  test('of an agent that does not answer is refused for now', async () => {
    const server = await boot();
    const property_list = { agent_url: 'http://127.0.0.1:9/mcp', list_id: 'ours' };
    const order = createRequest({ packages: [packageRequest({ targeting_overlay: { property_list } })] });
    const { payload } = await server.call('create_media_buy', order);
    expect(payload.errors).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', recovery: 'transient' }]);
  });

  test('at a name of examples is kept as it is in a sandbox, and swapped for another one', async () => {
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

describe('lists narrow what is delivered and held', () => {
  /** The test product, of which two collections are known, and a part of whose supply is on its publisher's site. */
  const tenants = () =>
    tenantsFolder((tenant) => {
      for (const product of tenant.products) {
        if (product.product_id !== 'test-product') continue;
        const { targeting, ...inventory } = product.inventory as Readonly<Record<string, object>>;
        const parts = {
          property_list: { [PUBLISHER]: 0.25 },
          collection_list: { 'The Morning Run': 0.1, rid_night: 0.3 },
        };
        product.inventory = { ...inventory, targeting: { ...targeting, ...parts } };
      }
    });
  const collections = (...names: readonly string[]) => ({ list: {}, collections: names.map((name) => ({ name })) });
  const night = { list: {}, collections: [{ name: 'Late Night', collection_rid: 'RID_NIGHT' }] };
  const pages = (request: { readonly pagination?: { readonly cursor?: string } }) =>
    request.pagination?.cursor === undefined
      ? { ...collections('Others'), pagination: { has_more: true, cursor: 'two' } }
      : collections('the morning run');

  test.each<readonly [what: string, dimension: string, list: object, share: number]>([
    ['a property', 'property_list', domains(PUBLISHER), 0.25],
    ['a collection by its name', 'collection_list', collections('The Morning Run'), 0.1],
    ['a collection by its id', 'collection_list', night, 0.3],
    ['both', 'collection_list', { list: {}, collections: [{ name: 'the morning run' }, ...night.collections] }, 0.4],
    ['a collection of the second page', 'collection_list', pages, 0.1],
    ['all but a collection', 'collection_list_exclude', night, 0.7],
  ])('to %s', async (_what, dimension, list, share) => {
    const agent = await listAgent({ mine: list });
    const deliver = async (targeting_overlay?: object) => {
      const server = await boot({ tenants: tenants() });
      const line = { pricing_option_id: 'auction', bid_price: 9, pacing: 'asap', budget: 1_000_000 };
      const packages = [packageRequest({ ...line, targeting_overlay })];
      const order = createRequest({ end_time: '2030-01-11T00:00:00Z', packages });
      const bought = succeeded(await server.call('create_media_buy', order));
      expect(bought.packages[0]).not.toHaveProperty('listed');
      server.clock.advance(10 * 86_400_000);
      const args = { media_buy_ids: [bought.media_buy_id] };
      const { media_buy_deliveries } = succeeded(await server.call('get_media_buy_delivery', args));
      await server.close();
      return media_buy_deliveries[0]?.totals.impressions ?? 0;
    };
    const narrowed = await deliver({ [dimension]: { agent_url: agent.url, list_id: 'mine' } });
    expect(narrowed / (await deliver())).toBeCloseTo(share, 4);
  });
});
