import { describe, expect, test } from 'vitest';
import { boot } from '../kit/boot.js';
import {
  createRequest,
  creative,
  freshKey,
  packageRequest,
  SANDBOX_ACCOUNT,
  succeeded,
  updateRequest,
} from '../kit/buyer.js';
import { packageIds, type Shopper, shopper } from '../kit/shopper.js';
import { shippedTenant, tenantsFolder, writeTenant } from '../kit/tenants.js';

const DAY = 86_400_000;

/** All pages of get_media_buys: the ids of each page. */
async function pages(one: Shopper, args: object, max_results: number): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = { max_results, ...(cursor === undefined ? {} : { cursor }) };
    const { media_buys, pagination } = succeeded(await one.call('get_media_buys', { ...args, pagination: page }));
    found.push(media_buys.map((buy) => buy.media_buy_id));
    expect(pagination.has_more).toBe(pagination.cursor !== undefined);
    cursor = pagination.cursor;
  } while (cursor !== undefined);
  return found;
}

describe('pages', () => {
  test('of buys come newest first, without gaps and repetitions', async () => {
    const one = shopper(await boot());
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.push((await one.create()).media_buy_id);
    const newest = made.toReversed();
    expect(await pages(one, {}, 2)).toEqual([newest.slice(0, 2), newest.slice(2, 4), newest.slice(4)]);
    expect(await pages(one, {}, 5)).toEqual([newest]);
    expect(await pages(one, { media_buy_ids: made.slice(1, 4) }, 2)).toEqual([[made[3], made[2]], [made[1]]]);
  });

  test('do not shift when a buy is made while they are turned', async () => {
    const one = shopper(await boot());
    const made: string[] = [];
    for (let count = 0; count < 4; count += 1) made.push((await one.create()).media_buy_id);
    const first = succeeded(await one.call('get_media_buys', { pagination: { max_results: 2 } }));
    await one.create();
    const { cursor } = first.pagination;
    const second = succeeded(await one.call('get_media_buys', { pagination: { max_results: 2, cursor } }));
    expect(second.media_buys.map((buy) => buy.media_buy_id)).toEqual([made[1], made[0]]);
  });

  test('a cursor of one buyer is refused for another one', async () => {
    const server = await boot();
    const [one, two] = [shopper(server, 'first'), shopper(server, 'second')];
    for (let count = 0; count < 3; count += 1) await one.create();
    const { pagination } = succeeded(await one.call('get_media_buys', { pagination: { max_results: 1 } }));
    const stolen = await two.call('get_media_buys', { pagination });
    expect(stolen.payload.errors).toMatchObject([{ code: 'INVALID_REQUEST', field: 'pagination.cursor' }]);
  });

  test('of products and formats hold each once', async () => {
    const server = await boot();
    const walk = async (tool: string, list: 'products' | 'formats'): Promise<readonly string[]> => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = { max_results: 5, ...(cursor === undefined ? {} : { cursor }) };
        const payload = succeeded(await server.call(tool, { pagination: page }));
        ids.push(...payload[list].map((row) => ('product_id' in row ? row.product_id : row.format_id.id)));
        cursor = payload.pagination.cursor;
      } while (cursor !== undefined);
      return ids;
    };
    const products = await walk('get_products', 'products');
    expect(products.length).toBeGreaterThanOrEqual(12);
    expect(new Set(products).size).toBe(products.length);
    const formats = await walk('list_creative_formats', 'formats');
    expect(new Set(formats).size).toBe(formats.length);
    const sold = succeeded(await server.call('get_products')).products.flatMap((product) => product.format_ids);
    expect(new Set(sold.map((format) => format.id))).toEqual(new Set(formats));
  });

  test('of the library count exactly', async () => {
    const one = shopper(await boot());
    await one.sync({ a: [], b: [], c: [] });
    const first = succeeded(await one.call('list_creatives', { pagination: { max_results: 2 } }));
    expect(first).toMatchObject({
      query_summary: { total_matching: 3, returned: 2 },
      pagination: { has_more: true, total_count: 3 },
    });
    const { cursor } = first.pagination;
    const rest = succeeded(await one.call('list_creatives', { pagination: { max_results: 2, cursor } }));
    expect(rest).toMatchObject({ query_summary: { total_matching: 3, returned: 1 }, pagination: { has_more: false } });
    expect(rest.pagination).not.toHaveProperty('cursor');
    const all = [...first.creatives, ...rest.creatives].map((one) => one.creative_id);
    expect(all.sort()).toEqual(['a', 'b', 'c']);
  });

  test('of the library follow the order that was asked for, packages included', async () => {
    const one = shopper(await boot());
    const bought = await one.create({ packages: [packageRequest(), packageRequest({ budget: 700 })] });
    const [first = '', second = ''] = bought.packages.map(({ package_id }) => package_id);
    await one.sync({ idle: [], busy: [first, second], used: [first] });
    const seen = async (direction: string) => {
      const ids: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const pagination = { max_results: 1, ...(cursor === undefined ? {} : { cursor }) };
        const sort = { field: 'assignment_count', direction };
        const page = succeeded(await one.call('list_creatives', { sort, pagination }));
        ids.push(...page.creatives.map(({ creative_id }) => creative_id));
        if (!page.pagination.has_more) return ids;
        cursor = page.pagination.cursor;
      }
    };
    expect(await seen('desc')).toEqual(['busy', 'used', 'idle']);
    expect(await seen('asc')).toEqual(['idle', 'used', 'busy']);
  });
});

describe('without ids get_media_buys shows', () => {
  test('the active buys alone, unless other states are named', async () => {
    const one = shopper(await boot());
    const active = (await one.create()).media_buy_id;
    const later = (await one.create({ start_time: '2030-01-10T00:00:00Z' })).media_buy_id;
    const ended = (await one.create()).media_buy_id;
    await one.update(ended, { canceled: true });
    const shown = async (args: object) => {
      const { media_buys } = succeeded(await one.call('get_media_buys', args));
      return media_buys.map((buy) => buy.media_buy_id);
    };
    expect(await shown({})).toEqual([active]);
    expect(await shown({ status_filter: 'pending_start' })).toEqual([later]);
    expect(await shown({ status_filter: ['canceled', 'active'] })).toEqual([ended, active]);
    expect(await shown({ media_buy_ids: [ended, later] })).toEqual([ended, later]);
    expect(await shown({ media_buy_ids: [ended, later], status_filter: 'canceled' })).toEqual([ended]);
    expect(await shown({ media_buy_ids: [] })).toEqual([]);
  });

  test('those of one account when it is named', async () => {
    const one = shopper(await boot());
    const other = { brand: { domain: 'other.example' }, operator: 'other.example' };
    const mine = (await one.create()).media_buy_id;
    const theirs = (await one.create({ account: other })).media_buy_id;
    const shown = async (args: object) =>
      succeeded(await one.call('get_media_buys', args)).media_buys.map((buy) => buy.media_buy_id);
    expect(await shown({})).toEqual([theirs, mine]);
    expect(await shown({ account: { account_id: SANDBOX_ACCOUNT } })).toEqual([mine]);
    expect(await shown({ account: other })).toEqual([theirs]);
    expect(await shown({ account: { ...other, operator: 'nobody.example' } })).toEqual([]);
  });

  test('unknown ids as an advisory beside the others', async () => {
    const one = shopper(await boot());
    const { media_buy_id: id } = await one.create();
    const payload = succeeded(await one.call('get_media_buys', { media_buy_ids: ['mb_nobody', id] }));
    expect(payload.media_buys.map((buy) => buy.media_buy_id)).toEqual([id]);
    expect(payload.errors).toMatchObject([{ code: 'MEDIA_BUY_NOT_FOUND', field: 'media_buy_ids[0]' }]);
    const filtered = { media_buy_ids: ['mb_nobody', id], status_filter: 'canceled' };
    const none = succeeded(await one.call('get_media_buys', filtered));
    expect(none).toMatchObject({ media_buys: [], errors: [{ field: 'media_buy_ids[0]' }] });
    expect(none.errors).toHaveLength(1);
  });

  test.each(['get_media_buys', 'get_media_buy_delivery', 'get_creative_delivery'])(
    "a foreign buy's id in %s exactly as one that does not exist",
    async (tool) => {
      const server = await boot();
      const { media_buy_id: id } = await shopper(server, 'first').create();
      const two = shopper(server, 'second');
      const foreign = succeeded(await two.call(tool, { media_buy_ids: [id] }));
      expect(foreign.errors).toMatchObject([{ code: 'MEDIA_BUY_NOT_FOUND', field: 'media_buy_ids[0]' }]);
      expect(foreign).toEqual(succeeded(await two.call(tool, { media_buy_ids: ['mb_nobody'] })));
    },
  );
});

describe('times of the library are compared as times', () => {
  test('whatever their offset', async () => {
    const server = await boot();
    const one = shopper(server);
    await one.sync({ old: [] });
    server.clock.advance(2 * DAY);
    await one.sync({ young: [] });
    const shown = async (filters: object) =>
      succeeded(await one.call('list_creatives', { filters })).creatives.map((each) => each.creative_id);
    expect(await shown({ created_after: '2030-01-02T00:00:00Z' })).toEqual(['young']);
    expect(await shown({ created_before: '2030-01-02T00:00:00Z' })).toEqual(['old']);
    // 23:00 on the 2nd in Los Angeles is 07:00 on the 3rd in UTC: the young one came at 00:00.
    expect(await shown({ created_after: '2030-01-02T23:00:00-08:00' })).toEqual([]);
    expect(await shown({ created_after: '2030-01-03T05:00:00+08:00' })).toEqual(['young']);
    expect(await shown({ created_after: '2030-01-02T23:59:59.500Z' })).toEqual(['young']);
  });
});

describe('two buyers of one seller', () => {
  test('see, change and count nothing of each other', async () => {
    const server = await boot();
    const [one, two] = [shopper(server, 'first'), shopper(server, 'second')];
    const mine = await one.create();
    const theirs = await two.create();
    await one.sync({ banner: [] });
    const [foreign] = packageIds(theirs);

    const shown = async (who: Shopper) =>
      succeeded(await who.call('get_media_buys')).media_buys.map((buy) => buy.media_buy_id);
    expect(await shown(one)).toEqual([mine.media_buy_id]);
    expect(await shown(two)).toEqual([theirs.media_buy_id]);
    const byId = { media_buy_ids: [theirs.media_buy_id] };
    expect(succeeded(await one.call('get_media_buys', byId)).media_buys).toEqual([]);
    expect(succeeded(await one.call('get_media_buy_delivery', byId)).media_buy_deliveries).toEqual([]);
    expect(succeeded(await two.call('list_creatives')).creatives).toEqual([]);
    expect(succeeded(await two.call('list_accounts')).accounts.map((account) => account.account_id)).toEqual([
      'acct_sandbox_2',
    ]);
    expect(await one.refused('update_media_buy', updateRequest(theirs.media_buy_id, { canceled: true }))).toBe(
      'MEDIA_BUY_NOT_FOUND',
    );
    const stranger = { packages: [{ package_id: foreign, paused: true }] };
    expect(await one.refused('update_media_buy', updateRequest(mine.media_buy_id, stranger))).toBe('PACKAGE_NOT_FOUND');
    const assignment = { creative_assignments: [{ creative_id: 'banner' }] };
    const order = createRequest({ account: { account_id: 'acct_sandbox_2' }, packages: [packageRequest(assignment)] });
    expect(await two.refused('create_media_buy', order)).toBe('CREATIVE_NOT_FOUND');
    expect((await two.read(theirs.media_buy_id)).revision).toBe(1);
  });

  test('may use the same key for different things', async () => {
    const server = await boot();
    const [one, two] = [shopper(server, 'first'), shopper(server, 'second')];
    const idempotency_key = freshKey();
    const mine = await one.create({ idempotency_key });
    const theirs = await two.create({ idempotency_key, packages: [packageRequest({ budget: 77 })] });
    expect(theirs.replayed ?? false).toBe(false);
    expect(theirs.media_buy_id).not.toBe(mine.media_buy_id);
    expect((await one.create({ idempotency_key })).media_buy_id).toBe(mine.media_buy_id);
  });

  test('may give their creatives the same names', async () => {
    const server = await boot();
    const [one, two] = [shopper(server, 'first'), shopper(server, 'second')];
    await one.sync({ banner: [] }, { creatives: [creative('banner', { name: 'Mine' })] });
    const { creatives } = await two.sync({ banner: [] }, { creatives: [creative('banner', { name: 'Theirs' })] });
    expect(creatives).toMatchObject([{ action: 'created' }]);
    const library = succeeded(await one.call('list_creatives')).creatives;
    expect(library).toMatchObject([{ name: 'Mine' }]);
  });
});

describe('two tenants of one host', () => {
  test('are two sellers: nothing of one shows at the other', async () => {
    const tenants = tenantsFolder();
    writeTenant(tenants, { ...shippedTenant(), name: 'Another seller' }, 'acme/sales');
    const server = await boot({ tenants });
    const bought = succeeded(await server.call('create_media_buy', createRequest(), { tenant: 'acme/sales' }));
    expect(succeeded(await server.call('get_media_buys')).media_buys).toEqual([]);
    const there = succeeded(await server.call('get_media_buys', {}, { tenant: 'acme/sales' }));
    expect(there.media_buys.map((buy) => buy.media_buy_id)).toEqual([bought.media_buy_id]);
    const late = await server.call('update_media_buy', updateRequest(bought.media_buy_id, { canceled: true }));
    expect(late.payload.code).toBe('MEDIA_BUY_NOT_FOUND');
  });
});

describe('an edit of the catalog', () => {
  test('changes what is offered, and nothing of what is sold', async () => {
    const tenants = tenantsFolder();
    const server = await boot({ tenants });
    const one = shopper(server);
    const old = await one.create();
    server.clock.advance(DAY);
    const before = await one.delivered(old.media_buy_id);

    const edited = shippedTenant();
    for (const product of edited.products)
      for (const option of product.pricing_options) if (option.fixed_price === 5) option.fixed_price = 50;
    writeTenant(tenants, edited);
    await server.server().reload();

    const { products } = succeeded(await one.call('get_products'));
    expect(products[0]?.pricing_options[0]).toMatchObject({ pricing_option_id: 'default', fixed_price: 50 });
    expect(await one.delivered(old.media_buy_id)).toEqual(before);
    const fresh = await one.create();
    server.clock.advance(10 * DAY);
    const [oldLine] = (await one.delivered(old.media_buy_id)).by_package;
    const [newLine] = (await one.delivered(fresh.media_buy_id)).by_package;
    expect([oldLine?.rate, newLine?.rate]).toEqual([5, 50]);
    expect(oldLine?.spend).toBeCloseTo(((oldLine?.impressions ?? 0) / 1000) * 5, 1);
    const [line] = packageIds(old);
    const raised = await one.update(old.media_buy_id, { packages: [{ package_id: line, budget: 1500 }] });
    expect(raised.total_budget).toBe(1500);
  });

  test('that takes a product away leaves its buys running and changeable', async () => {
    const tenants = tenantsFolder();
    const server = await boot({ tenants });
    const kit = shopper(server, 'kit');
    const bought = await kit.create();
    const edited = shippedTenant();
    edited.products = edited.products.filter((product) => product.product_id !== 'test-product');
    writeTenant(tenants, edited);
    await server.server().reload();
    expect(
      await kit.refused(
        'create_media_buy',
        createRequest({ account: { brand: { domain: 'a.example' }, operator: 'a.example' } }),
      ),
    ).toBe('PRODUCT_NOT_FOUND');
    const [line] = packageIds(bought);
    await kit.update(bought.media_buy_id, { packages: [{ package_id: line, budget: 1200 }] });
    const { creatives } = await kit.sync({ banner: [line ?? ''] });
    expect(creatives[0]).toMatchObject({ assigned_to: [line] });
    expect((await kit.read(bought.media_buy_id)).status).toBe('active');
  });
});
