import { describe, expect, test } from 'vitest';
import type { AdServerAdapter } from '../../../src/seller/adserver/port/adapter.js';
import type { LiveOrder } from '../../../src/seller/domain/booking/live-order.js';
import { ABLE, adServerWith, rowsOf, sellThroughAdServer } from '../../kit/ad-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, packageRequest, succeeded } from '../../kit/buyer.js';
import { type Shopper, shopper } from '../../kit/shopper.js';
import { addLivePrincipal, LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** An ad server that remembers what it was told; `fail` decides which bookings it refuses. */
function spy(fail: (buy: LiveOrder) => boolean = () => false) {
  const booked: LiveOrder[] = [];
  const asked: string[] = [];
  const adServer = adServerWith({
    book: async (buy) => {
      if (fail(buy)) throw new Error('the ad server is down');
      booked.push(buy);
      return undefined;
    },
    delivery: async (request) => {
      asked.push(...request.orders.map(({ order }) => order.media_buy_id));
      return { kind: 'rows', rows: rowsOf(request, () => ({ impressions: 4242, spend: 42 })) };
    },
  });
  /** `mb_1@2` for every order that arrived, each once: the port may be told twice. */
  const orders = (): readonly string[] =>
    [...new Set(booked.map((buy) => `${buy.media_buy_id}@${buy.revision}`))].sort();
  return { adServer, orders, asked };
}

async function open(adServer: AdServerAdapter): Promise<{ server: Booted; live: Shopper }> {
  const server = await boot({ adServer, tenants: tenantsFolder(sellThroughAdServer) });
  return { server, live: shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } }) };
}

describe('the ad server', () => {
  test('gets every live buy and every change of one, and never a sandbox one', async () => {
    const { adServer, orders, asked } = spy();
    const { server, live } = await open(adServer);
    const sandbox = [shopper(server, 'first'), shopper(server, 'second'), shopper(server, 'kit')];
    const own = { brand: { domain: 'live-brand.example' }, operator: 'live-brand.example', sandbox: true };
    const real = await live.create();
    succeeded(
      await live.call('sync_accounts', { idempotency_key: freshKey(), accounts: [{ ...own, billing: 'operator' }] }),
    );
    const tried = await live.create({ account: own });
    expect([real.sandbox, tried.sandbox]).toEqual([false, true]);
    for (const one of sandbox) {
      const { media_buy_id: id } = await one.create();
      await one.update(id, { paused: true });
      await one.update(id, { canceled: true });
      await one.delivered(id);
    }
    await server.server().tick();
    expect(orders()).toEqual([`${real.media_buy_id}@1`]);

    await live.update(real.media_buy_id, { packages: [{ package_id: real.packages[0]?.package_id, budget: 5000 }] });
    await server.server().tick();
    await live.update(real.media_buy_id, { canceled: true });
    await live.update(tried.media_buy_id, { account: own, canceled: true });
    await server.server().tick();
    // That it started by its confirmation is in the order that was booked.
    expect(orders()).toEqual([1, 3, 4].map((revision) => `${real.media_buy_id}@${revision}`));
    // The delivery of a live buy is read; nothing asks for that of a sandbox buy.
    expect(new Set(asked)).toEqual(new Set([real.media_buy_id]));
  });

  test('a sandbox principal cannot make its buy live, whatever its request says', async () => {
    const { adServer, orders } = spy();
    const { server } = await open(adServer);
    const one = shopper(server, 'first');
    const brand = { domain: 'sly.example' };
    const bought = await one.create({ account: { brand, operator: 'sly.example', sandbox: false }, sandbox: false });
    expect(bought.sandbox).toBe(true);
    await server.server().tick();
    expect(orders()).toEqual([]);
  });

  test('reports on live buys on a schedule, never in a read; the house simulator on the others', async () => {
    const { adServer, asked } = spy();
    const { server, live } = await open(adServer);
    const real = await live.create();
    const one = shopper(server, 'first');
    const play = await one.create();
    await server.server().tick();
    server.clock.advance(3 * DAY);
    expect((await live.delivered(real.media_buy_id)).totals).toMatchObject({ impressions: 4242 });
    await server.server().tick();
    const told = asked.length;
    // Today has only begun.
    expect((await live.delivered(real.media_buy_id)).totals).toMatchObject({ impressions: 3 * 4242, spend: 126 });
    expect((await one.delivered(play.media_buy_id)).totals.impressions).not.toBe(4242);
    expect([asked.length, new Set(asked)]).toEqual([told, new Set([real.media_buy_id])]);
  });

  test('that fails is told again until it takes the order, and other orders do not wait', async () => {
    let down = true;
    const { adServer, orders } = spy((buy) => down && buy.packages.some((line) => line.budget === 666));
    const { server, live } = await open(adServer);
    const unlucky = await live.create({ packages: [packageRequest({ budget: 666 })] });
    const lucky = await live.create();
    await server.server().tick();
    await server.server().tick();
    expect(orders()).toEqual([`${lucky.media_buy_id}@1`]);
    expect(server.log.some((line) => line.level === 'warn' && line.text.includes(unlucky.media_buy_id))).toBe(true);
    expect(await live.read(unlucky.media_buy_id)).toMatchObject({ status: 'pending_start', revision: 1 });
    down = false;
    server.clock.advance(MINUTE);
    await server.server().tick();
    expect(await live.read(unlucky.media_buy_id)).toMatchObject({ status: 'active', revision: 2 });
    expect(orders()).toEqual([unlucky.media_buy_id, lucky.media_buy_id].map((id) => `${id}@1`).sort());
  });

  test('hears of an order that waited through a restart', async () => {
    let down = true;
    const { adServer, orders } = spy(() => down);
    const { server, live } = await open(adServer);
    const { media_buy_id: id } = await live.create();
    await server.server().tick();
    down = false;
    server.clock.advance(MINUTE);
    await server.restart();
    await server.server().tick();
    expect(orders()).toEqual([`${id}@1`]);
  });

  test('hears of what the clock did to an order', async () => {
    const { adServer, orders } = spy();
    const { server, live } = await open(adServer);
    const { media_buy_id: id } = await live.create({ start_time: '2030-01-05T00:00:00Z' });
    await server.server().tick();
    server.clock.advance(5 * DAY);
    await server.server().tick();
    server.clock.advance(60 * DAY);
    await server.server().tick();
    expect(orders()).toEqual([1, 2, 3].map((revision) => `${id}@${revision}`));
  });
});

test('without one the house simulator serves live buys too', async () => {
  const server = await boot({ tenants: tenantsFolder(addLivePrincipal) });
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
  const { media_buy_id: id, sandbox } = await live.create();
  expect(sandbox).toBe(false);
  server.clock.advance(3 * DAY);
  expect((await live.delivered(id)).totals.impressions).toBeGreaterThan(0);
});

describe('an ad server that is asked before an order is accepted', () => {
  const request = (server: Booted, tool: string, args: object) =>
    server.call(
      tool,
      { idempotency_key: freshKey(), account: { account_id: LIVE_ACCOUNT }, ...args },
      { token: LIVE_TOKEN },
    );
  const order = (changes: object = {}) => ({
    brand: { domain: 'acme-outdoor.example' },
    start_time: 'asap',
    end_time: '2030-02-01T00:00:00Z',
    packages: [packageRequest(changes)],
  });

  test('refuses with the field of the request, or names its price; nothing is bought then', async () => {
    const asked: LiveOrder[] = [];
    const check: AdServerAdapter['check'] = async (checked) => {
      asked.push(checked);
      const [line] = checked.packages;
      if (line?.budget === 666)
        return {
          ...{ verdict: 'refused', package_id: line.package_id, field: 'budget', message: 'No such budget here.' },
          suggestion: 'Order 667.',
        };
      if (line?.budget === 777)
        return { verdict: 'priced', package_id: line.package_id, price: 12, message: 'It costs more than that.' };
      return { verdict: 'accepted' };
    };
    const { server, live } = await open(adServerWith({ check }));
    const refused = await request(server, 'create_media_buy', order({ budget: 666 }));
    expect(refused.payload.errors).toMatchObject([
      {
        code: 'TERMS_REJECTED',
        field: 'packages[0].budget',
        message: 'No such budget here.',
        suggestion: 'Order 667.',
      },
    ]);
    const priced = await request(server, 'create_media_buy', order({ budget: 777 }));
    expect(priced.payload.errors).toMatchObject([
      { code: 'TERMS_REJECTED', details: { reason: 'ad_server', price: 12, currency: 'USD' } },
    ]);
    const { media_buy_id, packages } = await live.create();
    await server.server().tick();
    const packageId = packages[0]?.package_id;
    const change = { media_buy_id, packages: [{ package_id: packageId, budget: 666 }] };
    expect((await request(server, 'update_media_buy', change)).payload.errors).toMatchObject([
      { code: 'TERMS_REJECTED', field: 'packages[0].budget' },
    ]);
    expect((await live.read(media_buy_id)).packages).toMatchObject([{ budget: 1000 }]);
    const told = asked.length;
    succeeded(await request(server, 'update_media_buy', { media_buy_id, paused: true }));
    expect(asked).toHaveLength(told);
  });

  test('and that does not answer is asked again by the buyer, unless its tenant sells without its word', async () => {
    const check: AdServerAdapter['check'] = async () => {
      throw new Error('the ad server is down');
    };
    const strict = await open(adServerWith({ check }));
    const refused = await request(strict.server, 'create_media_buy', order());
    expect(refused.payload.errors).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', recovery: 'transient' }]);
    const tenants = tenantsFolder((tenant) => {
      sellThroughAdServer(tenant);
      tenant.fulfillment = undefined;
      tenant.ad_server = { check: 'if_reachable' };
    });
    const lenient = await boot({ adServer: adServerWith({ check }), tenants });
    succeeded(await request(lenient, 'create_media_buy', order()));
  });

  test('is not asked for what it has not declared, nor for orders of a sandbox', async () => {
    const asked: string[] = [];
    const check: AdServerAdapter['check'] = async ({ media_buy_id }) => {
      asked.push(media_buy_id);
      return { verdict: 'accepted' };
    };
    const declaration = { ...ABLE, pacings: ['asap'] as const };
    const { server } = await open(adServerWith({ check, declaration }));
    const refused = await request(server, 'create_media_buy', order({ pacing: 'even' }));
    expect(refused.payload.errors).toMatchObject([{ code: 'TERMS_REJECTED', field: 'packages[0].pacing' }]);
    await shopper(server, 'first').create();
    expect(asked).toEqual([]);
  });
});
