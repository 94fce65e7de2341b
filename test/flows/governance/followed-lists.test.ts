import { cpSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, freshKey, packageRequest, succeeded, updateRequest } from '../../kit/buyer.js';
import { settle, verifierOf } from '../../kit/events.js';
import { startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { PROJECT } from '../../kit/surroundings.js';
import { sandboxToken, shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const DAY = 86_400_000;
const GOVERNANCE = { tenant: 'governance', token: sandboxToken('governance') };

/** The shipped tenants and publishers; the test product runs on two properties, a quarter of it on the second. */
function tenants(): string {
  const folder = tenantsFolder();
  cpSync(path.join(PROJECT, 'tenants'), folder, { recursive: true });
  const sales = shippedTenant();
  for (const product of sales.products) {
    if (product.product_id !== 'test-product') continue;
    const property_ids = ['northlight_news', 'northlight_money'];
    product.publisher_properties = [{ publisher_domain: 'northlight.example', selection_type: 'by_id', property_ids }];
    const { targeting, ...inventory } = product.inventory as Readonly<Record<string, object>>;
    const property_list = { northlight_news: 0.75, northlight_money: 0.25 };
    product.inventory = { ...inventory, targeting: { ...targeting, property_list } };
  }
  writeTenant(folder, sales);
  return folder;
}

/** A source of a list: properties of the publisher by their ids. */
const properties = (...property_ids: readonly string[]) => ({
  base_properties: [{ selection_type: 'publisher_ids', publisher_domain: 'northlight.example', property_ids }],
});

/** A buy as get_media_buys shows it. */
type Bought = Omit<Payload, 'history' | 'revision'> & {
  readonly revision: number;
  readonly history: readonly Readonly<Record<string, unknown>>[];
};

type Story = {
  readonly server: Booted;
  readonly list: Readonly<Record<string, unknown>>;
  readonly update: (rules: object) => Promise<void>;
  readonly buy: () => Promise<Bought>;
  /** Impressions of all days until now. */
  readonly delivered: () => Promise<number>;
};

/** A buy whose package targets a list of the governance agent beside its seller. */
async function begin(rules: object, more: object = {}): Promise<Story & { readonly bought: Payload }> {
  const server = await boot({ tenants: tenants() });
  const args = { idempotency_key: freshKey(), name: 'Ours', ...rules, ...more };
  const made = succeeded(await server.call('create_property_list', args, GOVERNANCE));
  const { list_id } = made.list as unknown as { readonly list_id: string };
  const list = { agent_url: server.url('governance'), list_id, auth_token: made.auth_token };
  const line = { pricing_option_id: 'auction', bid_price: 9, pacing: 'asap', budget: 1_000_000 };
  const packages = [packageRequest({ ...line, targeting_overlay: { property_list: list } })];
  const order = createRequest({ end_time: '2030-01-31T00:00:00Z', packages });
  const bought = succeeded(await server.call('create_media_buy', order, { version: '3.1' }));
  const media_buy_ids = [bought.media_buy_id];
  return {
    server,
    list,
    bought,
    update: async (changed) => {
      const change = { idempotency_key: freshKey(), list_id, ...changed };
      succeeded(await server.call('update_property_list', change, GOVERNANCE));
    },
    buy: async (): Promise<Bought> => {
      const asked = { media_buy_ids, include_history: 100 };
      const { media_buys } = succeeded(await server.call('get_media_buys', asked, { version: '3.1' }));
      return media_buys[0] as unknown as Bought;
    },
    delivered: async () => {
      const { media_buy_deliveries } = succeeded(await server.call('get_media_buy_delivery', { media_buy_ids }));
      return media_buy_deliveries[0]?.totals.impressions ?? 0;
    },
  };
}

/** Impressions of the coming days, after what is due now is done. */
async function impressionsOf({ delivered, server }: Story, days: number): Promise<number> {
  await settle(server);
  const before = await delivered();
  server.clock.advance(days * DAY);
  return (await delivered()) - before;
}

describe('a buy that targets a property list', () => {
  test('delivers by the list, and follows it when it has changed and its reading is not good any more', async () => {
    const hook = await startReceiver();
    const story = await begin(properties('northlight_news', 'northlight_money'), { webhook_url: `${hook.url}/lists` });
    const { bought, buy, list, server, update } = story;
    const whole = await impressionsOf(story, 0.5);
    const { revision } = await buy();
    await update(properties('northlight_money'));
    await settle(server);
    expect(hook.posts.map(({ json }) => json.change_summary)).toEqual([
      { properties_added: 0, properties_removed: 1, total_properties: 1 },
    ]);
    expect(await (await verifierOf(server))(hook.posts[0] as (typeof hook.posts)[number], hook.url)).toMatchObject({
      ok: true,
    });
    // The reading of the purchase is good for a day.
    expect((await impressionsOf(story, 0.5)) / whole).toBeCloseTo(1, 2);
    server.clock.advance(DAY / 100);
    expect((await impressionsOf(story, 0.5)) / whole).toBeCloseTo(0.25, 2);
    const followed = await buy();
    expect(followed).toMatchObject({ revision: revision + 1, health: 'ok' });
    expect(followed.history).toContainEqual(
      expect.objectContaining({
        revision: revision + 1,
        actor: 'seller',
        action: 'updated_targeting',
        package_id: bought.packages[0]?.package_id,
        summary: expect.stringContaining('leave 25% of the product, 100% before'),
      }),
    );
    if (hasSchemas('3.1'))
      expect(
        schemaJudge('3.1')('media-buy/get-media-buys-response', { status: 'completed', media_buys: [followed] }),
      ).toEqual([]);
    expect(JSON.stringify(followed)).not.toContain(String(list.auth_token));
  });

  test('is impaired while the list leaves nothing of its product, and mended when it does again', async () => {
    const story = await begin(properties('northlight_news', 'northlight_money'));
    const { buy, list, server, update } = story;
    await update(properties('northlight_home'));
    server.clock.advance(1.01 * DAY);
    expect(await impressionsOf(story, 1)).toBe(0);
    const impairments = [{ resource_type: 'property', resource_id: list.list_id, transition: { to: 'depublished' } }];
    expect(await buy()).toMatchObject({ health: 'impaired', impairments });
    await update(properties('northlight_news'));
    server.clock.advance(0.01 * DAY);
    expect(await impressionsOf(story, 1)).toBeGreaterThan(0);
    expect(await buy()).toMatchObject({ health: 'ok' });
  });

  test('stays as it is while the list cannot be read, and its history says so, once', async () => {
    const story = await begin(properties('northlight_money'));
    const { buy, list, server } = story;
    const before = await impressionsOf(story, 0.5);
    const gone = { idempotency_key: freshKey(), list_id: list.list_id };
    succeeded(await server.call('delete_property_list', gone, GOVERNANCE));
    server.clock.advance(DAY);
    await settle(server);
    server.clock.advance(DAY / 10);
    expect((await impressionsOf(story, 0.5)) / before).toBeCloseTo(1, 1);
    const told = (await buy()).history.filter(({ action }) => action === 'list_unreadable');
    expect(told).toMatchObject([{ actor: 'seller', summary: expect.stringContaining('stays in force') }]);
  });

  test('keeps the list’s token where a change names the list without it, and follows no list that is replaced', async () => {
    const { bought, buy, list, server } = await begin(properties('northlight_money'));
    const { auth_token: _token, ...named } = list;
    const change = (property_list?: object) => {
      const targeting_overlay = property_list === undefined ? {} : { property_list };
      const packages = [{ package_id: bought.packages[0]?.package_id, targeting_overlay }];
      return server.call('update_media_buy', updateRequest(bought.media_buy_id, { packages }));
    };
    succeeded(await change(named));
    const { payload } = await change({ ...named, list_id: 'another' });
    expect(payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND' });
    const { revision } = succeeded(await change());
    expect(await server.server().app.store.read.followedLists.ofBuy(bought.media_buy_id)).toEqual([]);
    server.clock.advance(2 * DAY);
    await settle(server);
    expect(await buy()).toMatchObject({ revision });
  });
});

describe('get_products with a property list', () => {
  test('lists the products that run on what is on it, from a reading that is good for a day', async () => {
    const { list, server, update } = await begin(properties('northlight_money'));
    const find = async (property_list: object) => {
      const answer = succeeded(
        await server.call('get_products', { buying_mode: 'wholesale', property_list }, { version: '3.1' }),
      );
      expect(answer.property_list_applied).toBe(true);
      return answer.products as unknown as readonly { product_id: string; property_targeting_allowed?: boolean }[];
    };
    const found = await find(list);
    expect(found).toContainEqual(
      expect.objectContaining({ product_id: 'test-product', property_targeting_allowed: true }),
    );
    const { products } = succeeded(await server.call('get_products', { buying_mode: 'wholesale' }));
    expect(found.length).toBeLessThan((products as unknown as readonly object[]).length);
    await update(properties('northlight_home'));
    expect(await find(list)).toEqual(found);
    server.clock.advance(1.01 * DAY);
    expect((await find(list)).map(({ product_id }) => product_id)).not.toContain('test-product');
  });

  test('of an agent that does not answer is refused with its field', async () => {
    const server = await boot();
    const property_list = { agent_url: 'http://127.0.0.1:9/mcp', list_id: 'ours' };
    const { payload } = await server.call('get_products', { buying_mode: 'wholesale', property_list });
    expect(payload.errors[0]).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      field: 'property_list',
      recovery: 'transient',
    });
  });
});
