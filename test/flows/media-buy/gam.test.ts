import { expect, test, vi } from 'vitest';
import { sellThroughAdServer } from '../../kit/ad-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { packageRequest } from '../../kit/buyer.js';
import { GAM_SETTINGS } from '../../kit/gam/order.js';
import { startFakeGam } from '../../kit/gam/server.js';
import { shopper } from '../../kit/shopper.js';
import { BOOT_TIME } from '../../kit/surroundings.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';

const STEP_MS = 5000;

test('a tenant file alone sends live orders to Google Ad Manager, through its faults, and its buyer sees what is there', async () => {
  const time = { now: () => Date.parse(BOOT_TIME) };
  const fake = await startFakeGam(() => time.now());
  fake.state.network.timeZone = 'UTC';
  const tenants = tenantsFolder((tenant) => {
    sellThroughAdServer(tenant);
    tenant.fulfillment = undefined;
    tenant.ad_server = { ...GAM_SETTINGS, time_zone: 'UTC', service_account: { env: 'GAM_KEY' } };
    tenant.outbound = { resolve: Object.fromEntries(fake.resolve) };
    tenant.proposals = [];
    tenant.products = tenant.products.slice(0, 1);
    for (const product of tenant.products) {
      const { ages: _ages, signals: _signals, ...inventory } = product.inventory as Record<string, unknown>;
      product.inventory = {
        ...inventory,
        targeting: { geo_countries: true, frequency_cap: true, daypart_targets: true },
      };
      product.adapter = { ad_units: ['1001'], sizes: ['300x250'] };
      const available_metrics = ['impressions', 'spend', 'clicks'];
      product.reporting_capabilities = { ...(product.reporting_capabilities as object), available_metrics };
    }
  });
  const server = await boot({ tenants, env: { GAM_KEY: JSON.stringify(fake.account) } });
  time.now = () => server.clock.now();
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
  fake.fail(/POST .*lineItems$/, 'reset after');
  const bought = await live.create({ packages: [packageRequest({ budget: 1000 })] });
  // The server's own rounds book it: one that is called beside them would be a second process without a lease.
  await becomes(server, () => [...fake.state.orders.values()].map(({ status }) => status), ['APPROVED']);
  expect([fake.state.orders.size, fake.state.lines.size]).toEqual([1, 1]);
  await becomes(server, async () => typeof (await live.read(bought.media_buy_id)).confirmed_at, 'string');
  await live.update(bought.media_buy_id, { canceled: true });
  await becomes(server, () => [...fake.state.lines.values()].map(({ isArchived }) => isArchived), [true]);
}, 120_000);

/** Lets the server's clock go on until something is so. */
async function becomes(server: Booted, read: () => unknown, wanted: unknown): Promise<void> {
  await vi.waitFor(
    async () => {
      server.clock.advance(STEP_MS);
      expect(await read()).toEqual(wanted);
    },
    { timeout: 30_000, interval: 500 },
  );
}
