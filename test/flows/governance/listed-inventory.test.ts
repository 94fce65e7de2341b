import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, freshKey, packageRequest, succeeded, updateRequest } from '../../kit/buyer.js';
import { settle } from '../../kit/events.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { PROJECT } from '../../kit/surroundings.js';
import { sandboxToken, shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const DAY = 86_400_000;
const GOVERNANCE = { tenant: 'governance', token: sandboxToken('governance') };
const PROMISED = 'northlight_preroll';
/** What the product has a day, by its file. */
const A_DAY = 640_000;
const PRICE = 19;
const END = '2030-01-11T00:00:00Z';

/** The shipped tenants; three quarters of the promised product run on the site, a quarter in the app. */
function tenants(): string {
  const folder = tenantsFolder();
  cpSync(path.join(PROJECT, 'tenants'), folder, { recursive: true });
  const sales = shippedTenant();
  for (const product of sales.products) {
    if (product.product_id !== PROMISED) continue;
    const { targeting, ...inventory } = product.inventory as Readonly<Record<string, object>>;
    const property_list = { northlight_news: 0.75, northlight_app: 0.25 };
    product.inventory = { ...inventory, targeting: { ...targeting, property_list } };
  }
  writeTenant(folder, sales);
  return folder;
}

const properties = (...property_ids: readonly string[]) => ({
  base_properties: [{ selection_type: 'publisher_ids', publisher_domain: 'northlight.example', property_ids }],
});

type Bought = Payload & {
  readonly health: string;
  readonly impairments: readonly { readonly reason: string; readonly resource_id: string }[];
};

/** A buyer whose package is promised impressions of a product, by a list of the governance agent beside its seller. */
async function begin() {
  const server = await boot({ tenants: tenants() });
  const named = { idempotency_key: freshKey(), name: 'Ours', ...properties('northlight_news', 'northlight_app') };
  const made = succeeded(await server.call('create_property_list', named, GOVERNANCE));
  const { list_id } = made.list as unknown as { readonly list_id: string };
  const property_list = { agent_url: server.url('governance'), list_id, auth_token: made.auth_token };
  const line = { product_id: PROMISED, pricing_option_id: 'cpm_fixed' };
  const order = async (impressions: number, targeting_overlay?: object) => {
    const packages = [packageRequest({ ...line, budget: (impressions / 1000) * PRICE, targeting_overlay })];
    return server.call('create_media_buy', createRequest({ start_time: 'asap', end_time: END, packages }), {
      version: '3.1',
    });
  };
  return {
    server,
    order,
    property_list,
    read: async (id: string): Promise<Bought> => {
      const asked = { media_buy_ids: [id] };
      const { media_buys } = succeeded(await server.call('get_media_buys', asked, { version: '3.1' }));
      if (hasSchemas('3.1'))
        expect(schemaJudge('3.1')('media-buy/get-media-buys-response', { status: 'completed', media_buys })).toEqual(
          [],
        );
      return media_buys[0] as unknown as Bought;
    },
    /** The list holds something else, and the seller reads it again. */
    follow: async (...ids: readonly string[]) => {
      const change = { idempotency_key: freshKey(), list_id, ...properties(...ids) };
      succeeded(await server.call('update_property_list', change, GOVERNANCE));
      server.clock.advance(1.01 * DAY);
      await settle(server);
    },
    /** What all buys hold together on each day. */
    held: async (id: string): Promise<readonly number[]> => {
      const { read } = server.server().app.store;
      const [hold] = await read.inventory.heldBy(id);
      const scope = hold?.scope ?? '';
      const days = await read.inventory.days({ scope, product_id: PROMISED }, 0, Date.parse(END));
      return [...days.values()];
    },
  };
}

test('a list that grows narrower gives back what does not fit any more, and what others buy of it is not sold twice when the list is wide again', async () => {
  const { follow, held, order, property_list, read, server } = await begin();
  const { media_buy_id } = succeeded(await order(4_000_000, { property_list }));
  const refused = await order(4_000_000);
  expect(refused.payload.errors[0]).toMatchObject({ code: 'PRODUCT_UNAVAILABLE' });

  await follow('northlight_app');
  const narrowed = await read(media_buy_id);
  expect(narrowed).toMatchObject({
    health: 'impaired',
    impairments: [{ resource_type: 'property', resource_id: property_list.list_id }],
  });
  expect(narrowed.impairments[0]?.reason).toMatch(/room for \d+ impressions, \d+ fewer than were sold/);

  const other = succeeded(await order(4_000_000));
  await follow('northlight_news', 'northlight_app');
  const widened = await read(media_buy_id);
  expect(widened).toMatchObject({ health: 'impaired' });
  expect(widened.impairments).toHaveLength(1);
  const missing = (bought: Bought) => Number(/(\d+) fewer/.exec(bought.impairments[0]?.reason ?? '')?.[1]);
  expect(missing(widened)).toBeLessThan(missing(narrowed));
  for (const amount of await held(media_buy_id)) expect(amount).toBeLessThanOrEqual(A_DAY);

  succeeded(await server.call('update_media_buy', updateRequest(other.media_buy_id, { canceled: true })));
  await follow('northlight_news', 'northlight_app');
  expect(await read(media_buy_id)).toMatchObject({ health: 'ok' });
});

test('a list that changes within what was sold holds the same amount on other days, and impairs nothing', async () => {
  const { follow, held, order, property_list, read } = await begin();
  const { media_buy_id } = succeeded(await order(1_000_000, { property_list }));
  const before = await held(media_buy_id);
  await follow('northlight_app');
  expect(await read(media_buy_id)).toMatchObject({ health: 'ok' });
  const after = await held(media_buy_id);
  const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
  expect(sum(after)).toBeCloseTo(sum(before), -1);
  for (const amount of after.slice(2)) expect(amount).toBeLessThanOrEqual(A_DAY / 4);
});
