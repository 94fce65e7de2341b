import path from 'node:path';
import { expect, test } from 'vitest';
import { startExampleServer } from '../../../src/seller/adserver/contract/example-server.js';
import type { LiveOrder } from '../../../src/seller/domain/booking/live-order.js';
import { adServerWith, sellThroughAdServer } from '../../kit/ad-server.js';
import { afterUse } from '../../kit/after-use.js';
import { boot } from '../../kit/boot.js';
import { packageRequest } from '../../kit/buyer.js';
import { localConsole } from '../../kit/console.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { approveOrder, selling } from '../../kit/selling.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import { sellOneProduct } from '../../kit/sold-through.js';
import { PROJECT } from '../../kit/surroundings.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, type TenantDraft, tenantsFolder } from '../../kit/tenants.js';

const DEAL = {
  ...{ dsp: 'dsp.example', bidfloor: 12, bidfloorcur: 'USD', at: 3, wseat: ['seat-7'] },
  wadomain: ['acme-outdoor.example'],
};
const OPEN_DEAL = { ...DEAL, dsp: 'other-dsp.example', wseat: undefined };

/** Sells every product with a fixed price of 12 USD as deals in two DSPs; the live buyer has a seat in one of them. */
function sellDeals(tenant: TenantDraft): void {
  tenant.proposals = undefined;
  for (const product of tenant.products) {
    product.deal = { dsps: [DEAL.dsp, OPEN_DEAL.dsp] };
    product.pricing_options = [
      { pricing_option_id: 'cpm_usd', pricing_model: 'cpm', currency: 'USD', fixed_price: 12 },
    ];
  }
  for (const principal of tenant.principals) if (principal.id === 'live') principal.seats = { [DEAL.dsp]: ['seat-7'] };
}

const order = () => ({
  packages: [packageRequest({ budget: 1000, pricing_option_id: 'cpm_usd', ext: { mine: 1 } })],
});

test('a deal has its terms when it is sold and its id once a person entered it, in every answer about the package', async () => {
  const { live, operator, server } = await selling('manual', sellDeals);
  await live.create(order());
  const id = await approveOrder(operator);
  const [line = ''] = packageIds(await live.read(id));
  const shown = async () => (await live.read(id)).packages[0]?.ext;
  expect(await shown()).toEqual({ mine: 1, seller_agent: { deals: [DEAL, OPEN_DEAL].map(present) } });

  const enter = async (deals: object) => (await operator.post(`/orders/${id}/ids`, { deals })).json();
  expect(await enter({ [`${line}@nobody.example`]: 'D-1' })).toMatchObject({ code: 'REFERENCE_NOT_FOUND' });
  expect(await enter({ [`${line}@dsp.example`]: 'D-1' })).toMatchObject({ deals: { [`${line}@dsp.example`]: 'D-1' } });
  const client = await localConsole(server);
  await client.post(`/console/buys/${id}/ids`, { [`deal_${line}@other-dsp.example`]: 'D-2' });
  const deals = [present({ ...DEAL, id: 'D-1' }), present({ ...OPEN_DEAL, id: 'D-2' })];
  expect(await shown()).toEqual({ mine: 1, seller_agent: { deals } });
  expect((await live.delivered(id)).by_package[0]?.ext).toEqual({ seller_agent: { deals } });
  expect((await operator.get(`/sheets/${id}`)).json()).toMatchObject({ sheets: [{ packages: [{ deals }] }] });

  for (const [release, version] of [
    ['3.0', '3.0'],
    ['3.1', '3.1'],
  ] as const) {
    if (!hasSchemas(release)) continue;
    for (const [tool, schema] of [
      ['get_media_buys', 'media-buy/get-media-buys-response'],
      ['get_media_buy_delivery', 'media-buy/get-media-buy-delivery-response'],
    ] as const) {
      const { payload } = await server.call(tool, { media_buy_ids: [id] }, { token: LIVE_TOKEN, version });
      expect(schemaJudge(release)(schema, payload), `${tool} of ${release}`).toEqual([]);
      expect(JSON.stringify(payload)).toContain('"D-1"');
    }
  }
});

test('an adapter gets the deals of a package to make, and its buyer the ids that it answers', async () => {
  const booked: LiveOrder[] = [];
  const adServer = adServerWith({
    book: async (buy) => {
      booked.push(buy);
      const deals = buy.packages.flatMap(({ deals = [], package_id }) =>
        deals.map(({ dsp }) => [`${package_id}@${dsp}`, `SSP-${dsp}`] as const),
      );
      return { order: 'O-1', deals: Object.fromEntries(deals) };
    },
  });
  const tenants = tenantsFolder((tenant) => {
    sellThroughAdServer(tenant);
    sellDeals(tenant);
  });
  const server = await boot({ adServer, tenants });
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
  const { media_buy_id: id = '' } = await live.create(order());
  await server.server().tick();
  expect(booked[0]?.packages[0]?.deals).toEqual([DEAL, OPEN_DEAL].map((deal) => ({ id: undefined, ...deal })));
  expect((await live.read(id)).packages[0]).toMatchObject({
    ext: { seller_agent: { deals: [{ id: 'SSP-dsp.example' }, { id: 'SSP-other-dsp.example' }] } },
  });
});

test('an SSP has the deals of a package, made by the adapter of the documents; their buyer reads their ids, in delivery too', async () => {
  const ssp = await startExampleServer();
  afterUse(() => ssp.stop());
  const settings = { ...ssp.settings(ssp.url), adapter: path.join(PROJECT, 'examples/deal-adapter.mjs') };
  const tenants = tenantsFolder((tenant) => {
    sellOneProduct(tenant, { settings, product: ssp.product });
    sellDeals(tenant);
  });
  const server = await boot({ tenants });
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
  const { media_buy_id: id = '' } = await live.create(order());
  await server.server().tick();
  const made = (await ssp.deals?.()) ?? [];
  expect(made).toMatchObject([
    { media_buy_id: id, dsp: 'dsp.example', bidfloor: 12, at: 3, wseat: ['seat-7'], state: 'running' },
    { media_buy_id: id, dsp: 'other-dsp.example', state: 'running' },
  ]);
  const deals = [present({ ...DEAL, id: made[0]?.id }), present({ ...OPEN_DEAL, id: made[1]?.id })];
  expect((await live.read(id)).packages[0]?.ext).toEqual({ mine: 1, seller_agent: { deals } });
  expect((await live.delivered(id)).by_package[0]?.ext).toEqual({ seller_agent: { deals } });
  await live.update(id, { canceled: true });
  await server.server().tick();
  expect((await ssp.deals?.())?.map(({ state }) => state)).toEqual(['ended', 'ended']);
});

/** Returns a value as it goes over the wire. */
function present<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
