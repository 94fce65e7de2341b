import { describe, expect, test } from 'vitest';
import type { ContractAdServer } from '../../../src/seller/adserver/contract/ad-server.js';
import { readOrders, recordBooking } from '../../../src/seller/tasks/order/orders.js';
import { afterUse } from '../../kit/after-use.js';
import { boot } from '../../kit/boot.js';
import { packageRequest } from '../../kit/buyer.js';
import { localConsole } from '../../kit/console.js';
import { startGamContract } from '../../kit/gam/contract.js';
import { startKevelContract } from '../../kit/kevel/contract.js';
import { shopper } from '../../kit/shopper.js';
import { approveCreative, sellOneProduct } from '../../kit/sold-through.js';
import { BOOT_TIME } from '../../kit/surroundings.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An ad server as the flow below takes it, with the hosts that its adapter asks. */
type Network = Pick<ContractAdServer, 'lines' | 'deliver' | 'removeByHand'> & {
  readonly resolve: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly product: Readonly<Record<string, unknown>>;
};

async function openKevel(): Promise<Network> {
  const kevel = await startKevelContract();
  afterUse(() => kevel.stop());
  return { ...kevel, settings: { ...kevel.settings(kevel.url), requests_per_second: 50 }, resolve: {} };
}

async function openGam(now: () => number): Promise<Network> {
  const gam = await startGamContract(now);
  return { ...gam, settings: gam.settings(gam.url), resolve: Object.fromEntries(gam.fake.resolve) };
}

/** A seller that sells through a network, and a clock for both. */
async function open(openNetwork: (now: () => number) => Promise<Network>) {
  const time = { now: () => Date.parse(BOOT_TIME) };
  const network = await openNetwork(() => time.now());
  const tenants = tenantsFolder((tenant) => {
    sellOneProduct(tenant, network);
    tenant.outbound = { resolve: network.resolve };
  });
  const server = await boot({ tenants });
  time.now = () => server.clock.now();
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
  /** Lets some time pass, and what the clock brings about with it. */
  const pass = async (ms: number): Promise<void> => {
    server.clock.advance(ms);
    await server.server().tick();
  };
  const lineOf = async (packageId: string) =>
    (await network.lines()).find(({ package_id }) => package_id === packageId) ?? expect.fail();
  /** Whether packages deliver, as their buyer reads it. */
  const snapshots = async (id: string) => {
    const { packages } = await live.read(id, { include_snapshot: true });
    return packages.map(({ snapshot }) => snapshot?.delivery_status);
  };
  return { network, server, live, pass, lineOf, snapshots };
}

describe.each([
  ['Kevel', openKevel],
  ['Google Ad Manager', openGam],
] as const)('a line that somebody deletes in %s', async (_name, openNetwork) => {
  const { network, server, live, pass, lineOf, snapshots } = await open(openNetwork);
  const { app } = server.server();

  test('is seen by the operator within a minute with what to do, and its buyer reads that it does not deliver', async () => {
    const { media_buy_id: id, packages } = await live.create({ packages: [packageRequest(), packageRequest()] });
    const [first = '', second = ''] = packages.map(({ package_id }) => package_id);
    await pass(0);
    await live.sync({ banner: [first, second] });
    await approveCreative(server, id, 'banner');
    await pass(MINUTE);
    const row = { creative_id: 'banner', date: BOOT_TIME.slice(0, 10), impressions: 4000 };
    for (const line of [first, second]) await network.deliver(await lineOf(line), row);
    for (let half = 0; half < 3; half += 1) await pass(HOUR / 2);
    expect(await snapshots(id)).toEqual(['delivering', 'delivering']);
    expect(await readOrders(app)).toEqual({ orders: [] });
    const deleted = await lineOf(first);
    await network.removeByHand(deleted);
    await pass(MINUTE);
    const [order] = (await readOrders(app)).orders;
    expect(order).toMatchObject({ media_buy_id: id, trouble: expect.stringContaining(`${first}: state missing`) });
    expect(order?.todo).toContain('What was deleted is not made again: restore it there, or cancel its package');
    const told = await localConsole(server);
    for (const page of ['/console', `/console/buys/${id}`])
      expect((await told.get(page)).text).toContain(`${first}: state missing, booked running`);
    // The buy goes on, with what was delivered; what was deleted does not.
    expect(await snapshots(id)).toEqual(['not_delivering', 'delivering']);
    expect(await live.read(id)).toMatchObject({ status: 'active' });
    const { by_package, totals } = await live.delivered(id);
    expect(totals.impressions).toBe(8000);
    expect(by_package.map(({ delivery_status }) => delivery_status)).toEqual([undefined, 'delivering']);

    await live.update(id, { packages: [{ package_id: second, budget: 2000 }] });
    await pass(MINUTE);
    expect((await network.lines()).filter(({ package_id }) => package_id === first)).toEqual([]);
    expect(await lineOf(second)).toMatchObject({ goal: 400_000 });
    expect((await readOrders(app)).orders).toMatchObject([
      { media_buy_id: id, trouble: expect.stringContaining(`${deleted.id} of ${first}`) },
    ]);
    // Somebody carries it out elsewhere, and the list of troubles is empty.
    expect((await recordBooking(app, id, {})).todo).toContain('delivery import');
    await pass(5 * MINUTE);
    expect((await readOrders(app)).orders).toEqual([]);
  });
});
