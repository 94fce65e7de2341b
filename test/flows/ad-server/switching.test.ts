import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { AdServerLine } from '../../../src/seller/adserver/contract/ad-server.js';
import { startExampleServer } from '../../../src/seller/adserver/contract/example-server.js';
import { recordDelivery } from '../../../src/seller/tasks/order/deliveries.js';
import { readOrders, recordBooking } from '../../../src/seller/tasks/order/orders.js';
import { afterUse } from '../../kit/after-use.js';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { startGamContract } from '../../kit/gam/contract.js';
import { startKevelContract } from '../../kit/kevel/contract.js';
import { operatorOf } from '../../kit/operator.js';
import { type Shopper, shopper } from '../../kit/shopper.js';
import { approveCreative, type SoldThrough, sellOneProduct, sendOrders } from '../../kit/sold-through.js';
import { BOOT_TIME, PROJECT } from '../../kit/surroundings.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';

const STEP_MS = 15_000;
const HOUR_MS = 3_600_000;

type Line = Pick<AdServerLine, 'state' | 'goal' | 'creative_ids'>;

/** Where orders go: what the tenant file says of it, what it has of a buy, and how it delivers. */
type Network = SoldThrough & {
  readonly lines: (mediaBuyId: string) => Promise<readonly Line[]>;
  readonly deliver: (server: Booted, packageId: string, impressions: number) => Promise<void>;
  /** Accepts an order, or a change of one, that waits for a person; returns its buy. Without it, nobody is waited for. */
  readonly accept?: () => Promise<string>;
};

const today = (server: Booted): string => new Date(server.clock.now()).toISOString().slice(0, 10);

async function exampleNetwork(): Promise<Network> {
  const example = await startExampleServer();
  afterUse(() => example.stop());
  const lines = async (id: string) => (await example.lines()).filter(({ media_buy_id }) => media_buy_id === id);
  return {
    settings: {
      ...example.settings(example.url),
      adapter: path.join(PROJECT, 'examples/ad-server-adapter.mjs'),
    },
    product: example.product,
    lines,
    deliver: async (server, packageId, impressions) => {
      const line = (await example.lines()).find(({ package_id }) => package_id === packageId) ?? expect.fail();
      await example.deliver(line, { creative_id: 'banner', date: today(server), impressions });
    },
  };
}

async function kevelNetwork(): Promise<Network & { readonly calls: readonly string[] }> {
  const kevel = await startKevelContract();
  afterUse(() => kevel.stop());
  return {
    calls: kevel.fake.calls,
    settings: { ...kevel.settings(kevel.url), requests_per_second: 50 },
    product: kevel.product,
    lines: async (id) => (await kevel.lines()).filter(({ media_buy_id }) => media_buy_id === id),
    deliver: async (server, packageId, impressions) => {
      const line = (await kevel.lines()).find(({ package_id }) => package_id === packageId) ?? expect.fail();
      await kevel.deliver(line, { creative_id: 'banner', date: today(server), impressions });
    },
  };
}

async function gamNetwork(now: () => number) {
  const gam = await startGamContract(now);
  const network: Network = {
    settings: { ...gam.settings(gam.url), service_account: { env: 'GAM_KEY' } },
    product: gam.product,
    lines: async (id) => (await gam.lines()).filter(({ media_buy_id }) => media_buy_id === id),
    deliver: async (server, packageId, impressions) => {
      const line = (await gam.lines()).find(({ package_id }) => package_id === packageId) ?? expect.fail();
      await gam.deliver(line, { creative_id: 'banner', date: today(server), impressions });
    },
  };
  return { fake: gam.fake, network };
}

/** People who accept orders, book again what `orders` lists, and write what was delivered by hand. */
function people(server: Booted): Network {
  const booked = new Map<string, Line>();
  const { app } = server.server();
  const operator = operatorOf(server);
  const readLine = async (id: string): Promise<Line> => {
    const { buy } = (await app.store.read.mediaBuys.findAnywhere(id)) ?? expect.fail();
    const goal = (Number(buy.packages[0]?.budget) / 5) * 1000;
    const states = { canceled: 'ended', paused: 'paused' } as const;
    const state = buy.status === 'canceled' || buy.status === 'paused' ? states[buy.status] : 'running';
    return { goal, state, creative_ids: [] };
  };
  return {
    settings: { adapter: 'manual' },
    accept: async () => {
      const [waiting] = await operator.waiting();
      const decision = { decision: 'approve', order_id: 'BY-HAND' };
      const answer = await operator.post(`/approvals/${waiting?.id}`, decision);
      expect(answer.status).toBe(200);
      const { media_buys = [] } = answer.json() as {
        readonly media_buys?: readonly { readonly media_buy_id: string }[];
      };
      const id = media_buys[0]?.media_buy_id ?? '';
      if (id !== '') booked.set(id, await readLine(id));
      return id;
    },
    lines: async (id) => {
      const listed = (await readOrders(app)).orders.find(({ media_buy_id }) => media_buy_id === id);
      if (listed !== undefined) {
        booked.set(id, await readLine(id));
        await recordBooking(app, id, { revision: listed.revision });
      }
      // Creatives are no term of the order: whoever traffics it reads them where its buy is shown.
      const assigned = await app.store.read.creatives.assignedTo([id]);
      const line = booked.get(id) ?? expect.fail();
      return [{ ...line, creative_ids: assigned.map(({ creative_id }) => creative_id) }];
    },
    deliver: async (_server, package_id, impressions) => {
      const row = { package_id, date: today(server), creative_id: 'banner', impressions, spend: impressions / 200 };
      const { rows } = await recordDelivery(app, { rows: [row] });
      expect(rows).toEqual([{ action: 'created' }]);
    },
  };
}

/** Runs what the clock brings about, as the loops of the server do beside it, until something is so. */
async function becomes(server: Booted, read: () => Promise<unknown>, wanted: unknown, stepMs = STEP_MS): Promise<void> {
  await vi.waitFor(
    async () => {
      server.clock.advance(stepMs);
      await server.server().tick();
      expect(await read()).toMatchObject(wanted as object);
    },
    { timeout: 60_000, interval: 10 },
  );
}

/** A buy from its order to its end: its buyer and the network see the same at every step. */
async function tellStory(server: Booted, live: Shopper, { accept, deliver, lines }: Network): Promise<void> {
  const answer = await live.create();
  const id = accept === undefined ? answer.media_buy_id : await accept();
  const { package_id } = (await live.read(id)).packages[0] ?? expect.fail();
  await becomes(server, () => lines(id), [{ goal: 200_000 }]);
  await becomes(server, () => live.read(id), { status: 'active', confirmed_at: expect.any(String) });

  await live.sync({ banner: [package_id] });
  await approveCreative(server, id, 'banner');
  await becomes(server, () => lines(id), [{ creative_ids: ['banner'], state: 'running' }]);

  await live.update(id, { paused: true });
  await becomes(server, () => lines(id), [{ state: 'paused' }]);
  expect(await live.read(id)).toMatchObject({ status: 'paused' });
  await live.update(id, { paused: false });
  await becomes(server, () => lines(id), [{ state: 'running' }]);

  const changed = await live.update(id, { packages: [{ package_id, budget: 2000 }] });
  if (changed.status === 'submitted') await accept?.();
  await becomes(server, () => lines(id), [{ goal: 400_000, state: 'running' }]);

  await deliver(server, package_id, 4000);
  const totals = { impressions: 4000, spend: 20 };
  await becomes(server, async () => (await live.delivered(id)).totals, totals, HOUR_MS / 2);
  // What was booked is what is there.
  expect(await server.server().app.store.read.orderInspections.drifted(10)).toEqual([]);

  await live.update(id, { canceled: true });
  await becomes(server, () => lines(id), [{ state: 'ended' }]);
  expect(await live.read(id)).toMatchObject({ status: 'canceled' });
  expect((await live.delivered(id)).totals).toMatchObject(totals);
}

describe('one tenant file', { timeout: 300_000 }, async () => {
  const time = { now: () => Date.parse(BOOT_TIME) };
  const { fake, network: gam } = await gamNetwork(() => time.now());
  const kevel = await kevelNetwork();
  const tenant = shippedTenant();
  sellOneProduct(tenant, { settings: { adapter: 'manual' } });
  tenant.outbound = { resolve: Object.fromEntries(fake.resolve) };
  const folder = tenantsFolder();
  writeTenant(folder, tenant);
  const server = await boot({ tenants: folder, env: { GAM_KEY: JSON.stringify(fake.account) } });
  time.now = () => server.clock.now();
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });

  async function switchTo(network: Network): Promise<void> {
    sendOrders(tenant, network);
    writeTenant(folder, tenant);
    await server.server().reload();
  }

  test.each([
    ['people', async () => people(server)],
    ['the example adapter', exampleNetwork],
    ['Kevel', async () => kevel],
    ['Google Ad Manager', async () => gam],
  ] as const)('switches a running tenant to %s, and the same story passes there', async (_name, open) => {
    const network = await open();
    await switchTo(network);
    await tellStory(server, live, network);
  });

  test('sends no sandbox order to Kevel, whatever a sandbox buyer tries', async () => {
    await switchTo(kevel);
    const before = kevel.calls.length;
    const brand = { domain: 'sly.example' };
    const account = { brand, operator: 'sly.example', sandbox: false };
    const sandbox = shopper(server, 'first');
    const bought = [await sandbox.create(), await sandbox.create({ account, sandbox: false })];
    const own = { brand: { domain: 'live-brand.example' }, operator: 'live-brand.example', sandbox: true };
    succeeded(
      await live.call('sync_accounts', { idempotency_key: freshKey(), accounts: [{ ...own, billing: 'operator' }] }),
    );
    bought.push(await live.create({ account: own }));
    expect(bought.map((buy) => buy.sandbox)).toEqual([true, true, true]);
    const [first] = bought;
    await sandbox.update(first?.media_buy_id ?? '', { paused: true });
    await sandbox.update(first?.media_buy_id ?? '', { canceled: true });
    await sandbox.delivered(first?.media_buy_id ?? '');
    // An order of money that comes after them is there: the rounds in which they could have gone out have been.
    const real = await live.create();
    await becomes(server, () => kevel.lines(real.media_buy_id), [{ goal: 200_000 }]);
    for (const { media_buy_id } of bought) expect(await kevel.lines(media_buy_id)).toEqual([]);
    expect(kevel.calls.length).toBeGreaterThan(before);
    expect(await Promise.all(bought.map(({ media_buy_id }) => bookingOf(server, media_buy_id)))).toEqual(
      bought.map(() => undefined),
    );
  });
});

function bookingOf(server: Booted, id: string) {
  return server.server().app.store.read.orderBookings.find(id);
}
