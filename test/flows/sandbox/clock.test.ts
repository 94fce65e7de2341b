import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, KIT_TOKEN, packageRequest, succeeded } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { pass } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { startReceiver } from '../../kit/receiver.js';
import { shopper } from '../../kit/shopper.js';
import { addLivePrincipal, SHIPPED_PATHS, tenantsFolder } from '../../kit/tenants.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Clock = { readonly tenant: string; readonly principal: string; readonly now: string; readonly ahead_ms: number };

/** Turns a sandbox's clock on as the operator does. */
async function advance(server: Booted, advance_ms: number, whose: object = { tenant: 'sales', principal: 'sandbox' }) {
  const answer = await operatorOf(server).post('/clock', { advance_ms, ...whose });
  return { status: answer.status, body: answer.json() as { clocks: readonly Clock[]; code?: string; error?: string } };
}

const clocks = async (server: Booted) =>
  ((await operatorOf(server).get('/clock')).json() as { clocks: readonly Clock[] }).clocks;

/** A flight of ten days, from in two days on. */
const FLIGHT = { start_time: '2030-01-03T00:00:00Z', end_time: '2030-01-13T00:00:00Z' };

describe('a sandbox’s clock', () => {
  test('moves its buys, delivery and reports, and nobody else’s', async () => {
    const server = await boot();
    const receiver = await startReceiver();
    const [one, two] = [shopper(server), shopper(server, 'second')];
    const reporting_webhook = { url: `${receiver.url}/reports`, reporting_frequency: 'daily' };
    const push_notification_config = { url: `${receiver.url}/buy`, operation_id: 'op-1' };
    const mine = await one.create({ ...FLIGHT, reporting_webhook, push_notification_config });
    const theirs = await two.create(FLIGHT);
    expect(await advance(server, 3 * DAY)).toEqual({
      status: 200,
      body: {
        clocks: [{ tenant: 'sales', principal: 'sandbox', now: '2030-01-04T00:00:00Z', ahead_ms: 3 * DAY }],
      },
    });
    const read = await one.read(mine.media_buy_id);
    expect(read).toMatchObject({ status: 'active', revision: 2 });
    expect(read.history?.[0]).toMatchObject({ action: 'activated', timestamp: FLIGHT.start_time });
    const delivered = await one.delivered(mine.media_buy_id);
    expect(delivered.totals.impressions).toBeGreaterThan(0);
    expect((await two.read(theirs.media_buy_id)).status).toBe('pending_start');
    expect((await two.delivered(theirs.media_buy_id)).totals.impressions).toBe(0);

    await advance(server, 30 * DAY);
    expect((await one.read(mine.media_buy_id)).status).toBe('completed');
    const final = await one.delivered(mine.media_buy_id);
    expect(final).toMatchObject({ is_final: true });
    await pass(server, 10 * 60_000, 10_000);
    const reports = receiver.posts.filter(({ path }) => path === '/reports').map(({ json }) => json.result as object);
    const kinds = reports.map((report) => (report as { notification_type: string }).notification_type);
    expect(kinds.filter((kind) => kind === 'scheduled').length).toBeGreaterThanOrEqual(9);
    expect(kinds.at(-1)).toBe('final');
    expect(reports.at(-1)).toMatchObject({ media_buy_deliveries: [{ totals: final.totals }] });
    const states = receiver.posts.filter(({ path }) => path === '/buy').map(({ json }) => json.result);
    expect(states.at(-1)).toMatchObject({ media_buy_status: 'completed' });
    expect((await two.read(theirs.media_buy_id)).status).toBe('pending_start');
  });

  test('goes on where it was after a restart, and what was made in its time stays in order', async () => {
    const server = await boot();
    const one = shopper(server);
    await advance(server, 5 * DAY);
    await server.restart();
    expect(await clocks(server)).toEqual([
      { tenant: 'sales', principal: 'sandbox', now: '2030-01-06T00:00:00Z', ahead_ms: 5 * DAY },
    ]);
    const bought = await one.create({ end_time: '2030-01-08T00:00:00Z' });
    expect(bought.confirmed_at).toBe('2030-01-06T00:00:00Z');
    server.clock.advance(2 * DAY);
    await server.server().tick();
    expect((await one.read(bought.media_buy_id)).status).toBe('completed');
    expect(server.log).toEqual([]);
  });

  test('decides what nobody decided in time', async () => {
    const approvals = [{ budget_over: { amount: 500, currency: 'USD' }, timeout_hours: 48, on_timeout: 'reject' }];
    const server = await boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals })) });
    const { task_id } = succeeded(await server.call('create_media_buy', createRequest()));
    await advance(server, 47 * HOUR);
    expect(succeeded(await server.call('get_task_status', { task_id })).status).toBe('submitted');
    await advance(server, HOUR);
    expect(succeeded(await server.call('get_task_status', { task_id })).status).toBe('rejected');
  });

  test('lets keys expire and products end', async () => {
    const ending = tenantsFolder(({ products }) =>
      Object.assign(products[0] ?? {}, { expires_at: '2030-01-02T00:00:00Z' }),
    );
    const server = await boot({ tenants: ending });
    const one = shopper(server);
    const request = createRequest({ packages: [packageRequest({ product_id: 'test-product' })] });
    succeeded(await one.call('create_media_buy', request));
    const ids = async (token: string) =>
      succeeded(await server.call('get_products', { buying_mode: 'wholesale' }, { token })).products.map(
        (product) => product.product_id,
      );
    const before = await ids('sandbox-token');
    await advance(server, 2 * DAY);
    expect(await one.refused('create_media_buy', request)).toBe('IDEMPOTENCY_EXPIRED');
    expect((await ids('sandbox-token')).length).toBe(before.length - 1);
    expect(await ids('sandbox-token-2')).toEqual(before);
  });

  test('is turned for every tenant and the first sandbox principal where nobody is named, and for a test kit', async () => {
    const server = await boot();
    const all = await advance(server, DAY, {});
    expect(all.body.clocks.map(({ tenant }) => tenant).sort()).toEqual(SHIPPED_PATHS);
    expect(new Set(all.body.clocks.map(({ principal }) => principal))).toEqual(new Set(['sandbox']));
    await advance(server, DAY, { tenant: 'sales', principal: KIT_TOKEN });
    const { media_buy_id } = await shopper(server, 'kit').create();
    await controllerOf(server).arrange('simulate_delivery', { media_buy_id, impressions: 7 });
    const { daily_breakdown } =
      (await shopper(server, 'kit').delivered(media_buy_id, { include_package_daily_breakdown: true })).by_package[0] ??
      {};
    expect(daily_breakdown?.find((day) => day.impressions === 7)?.date).toBe('2030-01-01');
  });

  test.each([
    ['a live principal', { advance_ms: DAY, tenant: 'sales', principal: 'live' }, 403, 'PERMISSION_DENIED'],
    ['nobody', { advance_ms: DAY, principal: 'nobody' }, 404, 'REFERENCE_NOT_FOUND'],
    ['no tenant', { advance_ms: DAY, tenant: 'nowhere' }, 404, 'REFERENCE_NOT_FOUND'],
    ['time back', { advance_ms: -DAY }, 400, 'INVALID_REQUEST'],
    ['no time', { advance_ms: 'soon' }, 400, 'INVALID_REQUEST'],
  ])('refuses %s', async (_what, body, status, code) => {
    const server = await boot({ tenants: tenantsFolder(addLivePrincipal) });
    const answer = await operatorOf(server).post('/clock', body);
    expect([answer.status, answer.json()]).toMatchObject([status, { code }]);
    expect(await clocks(server)).toEqual([]);
  });
});
