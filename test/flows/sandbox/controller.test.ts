import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequestByKey, freshKey, KIT_TOKEN, packageRequest, succeeded } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { pass } from '../../kit/events.js';
import { startReceiver } from '../../kit/receiver.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import { addLivePrincipal, LIVE_TOKEN, SHIPPED, tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const TOOL = 'comply_test_controller';
const kit = { token: KIT_TOKEN };

/** The first of a list. */
function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined || list.length !== 1) throw new Error(`not one, but ${list.length}`);
  return first;
}

describe('who may', () => {
  test('a live principal finds it in no list, and is answered by it that nothing real is arranged', async () => {
    const server = await boot({ tenants: tenantsFolder(addLivePrincipal) });
    const listed = async (token: string) => {
      const answer = await server.raw(
        { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        { authorization: `Bearer ${token}` },
      );
      const { result } = answer.json() as { result: { tools: readonly { name: string }[] } };
      return result.tools.map((tool) => tool.name);
    };
    expect(await listed(KIT_TOKEN)).toContain(TOOL);
    expect(await listed(LIVE_TOKEN)).not.toContain(TOOL);
    const context = { correlation_id: 'gate' };
    for (const scenario of ['list_scenarios', 'force_media_buy_status', 'no_such_scenario']) {
      const args = { scenario, params: { media_buy_id: 'mb', status: 'active' }, account: { sandbox: true }, context };
      const { payload, isError } = await server.call(TOOL, args, { token: LIVE_TOKEN, version: '3.1' });
      expect(isError).toBe(false);
      expect(payload).toMatchObject({ success: false, error: 'FORBIDDEN', error_detail: expect.any(String), context });
      expect(payload).not.toHaveProperty('scenarios');
    }
    const capabilities = async (token: string) =>
      succeeded(await server.call('get_adcp_capabilities', {}, { token })).compliance_testing;
    expect(await capabilities(LIVE_TOKEN)).toBeUndefined();
    expect(await capabilities(KIT_TOKEN)).toEqual({
      scenarios: [
        'force_creative_status',
        'force_account_status',
        'force_media_buy_status',
        'simulate_delivery',
        'simulate_budget_spend',
      ],
    });
  });

  test('a test kit that the tenant file calls live is one in development mode, where others go on in the sandbox', async () => {
    const server = await boot();
    for (const tenant of SHIPPED) {
      const live = controllerOf(server, { tenant, token: 'demo-acme-outdoor-live-v1' });
      expect(await live.run('list_scenarios')).toMatchObject({ success: false, error: 'FORBIDDEN' });
      expect(await controllerOf(server, { tenant }).run('list_scenarios')).toMatchObject({ success: true });
    }
    const bought = await server.call('create_media_buy', createRequestByKey(), { token: 'demo-acme-outdoor-live-v1' });
    expect(bought.payload.errors).toMatchObject([{ code: 'ACCOUNT_SETUP_REQUIRED' }]);
  });

  /** Those that move a thing find none where there can be none; the others are not known there. */
  test.each([
    ['signals', 'seed_product', 'UNKNOWN_SCENARIO'],
    ['signals', 'seed_creative', 'UNKNOWN_SCENARIO'],
    ['signals', 'force_get_products_arm', 'UNKNOWN_SCENARIO'],
    ['signals', 'force_media_buy_status', 'NOT_FOUND'],
    ['creative', 'seed_media_buy', 'UNKNOWN_SCENARIO'],
    ['creative', 'simulate_budget_spend', 'UNKNOWN_SCENARIO'],
    ['creative', 'simulate_delivery', 'NOT_FOUND'],
    ['sales', 'force_get_signals_arm', 'UNKNOWN_SCENARIO'],
    ['brand', 'force_creative_purge', 'NOT_FOUND'],
  ])('%s does not list %s, and answers %s', async (tenant, scenario, error) => {
    const { run } = controllerOf(await boot(), { tenant });
    expect((await run('list_scenarios')).scenarios).not.toContain(scenario);
    const ids = { product_id: 'x', creative_id: 'x', media_buy_id: 'x', status: 'active', spend_percentage: 1 };
    expect(await run(scenario, { ...ids, arm: 'submitted', task_id: 'x' })).toMatchObject({ success: false, error });
  });

  test('what capabilities declare to 3.1 is what list_scenarios names, and all of it is known', async () => {
    const server = await boot();
    for (const tenant of ['sales', 'creative', 'signals']) {
      const controller = controllerOf(server, { tenant });
      const { scenarios = [] } = await controller.run('list_scenarios');
      const declared = succeeded(await server.call('get_adcp_capabilities', {}, { ...kit, tenant, version: '3.1' }));
      expect(declared.compliance_testing).toEqual({ scenarios });
      for (const scenario of scenarios)
        expect([scenario, (await controller.run(scenario, {})).error]).toEqual([scenario, 'INVALID_PARAMS']);
    }
  });
});

describe('what is wrong is said', () => {
  const context = { correlation_id: 'c-1' };
  test.each([
    ['a scenario that nobody knows', 'nonexistent_scenario', {}, {}, 'UNKNOWN_SCENARIO', 'scenario'],
    ['parameters that are missing', 'force_creative_status', {}, {}, 'INVALID_PARAMS', 'params.creative_id'],
    ['parameters left out', 'force_media_buy_status', undefined, {}, 'INVALID_PARAMS', 'params.media_buy_id'],
    [
      'a state that is none',
      'force_account_status',
      { account_id: 'a', status: 'frozen' },
      {},
      'INVALID_PARAMS',
      'params.status',
    ],
    [
      'a creative of nobody',
      'force_creative_status',
      { creative_id: 'x', status: 'approved' },
      {},
      'NOT_FOUND',
      'params.creative_id',
    ],
    [
      'a session, which nobody opens here',
      'force_session_status',
      { session_id: 's', status: 'terminated' },
      {},
      'UNKNOWN_SCENARIO',
      'scenario',
    ],
    ['a task of nobody', 'force_task_completion', { task_id: 't', result: {} }, {}, 'NOT_FOUND', 'params.task_id'],
    ['a live account', 'list_accounts', {}, { account: { sandbox: false } }, 'FORBIDDEN', 'account.sandbox'],
    [
      'an arm without its task',
      'force_create_media_buy_arm',
      { arm: 'submitted' },
      {},
      'INVALID_PARAMS',
      'params.task_id',
    ],
    [
      'a task with the other arm',
      'force_create_media_buy_arm',
      { arm: 'input-required', task_id: 't' },
      {},
      'INVALID_PARAMS',
      'params.task_id',
    ],
    [
      'a price of no product',
      'seed_pricing_option',
      { product_id: 'nobody', pricing_option_id: 'p' },
      {},
      'NOT_FOUND',
      'params.product_id',
    ],
    [
      'a fixture of the wrong type',
      'seed_product',
      { product_id: 'p', fixture: { channels: 'ctv' } },
      {},
      'INVALID_PARAMS',
      'params.fixture.channels',
    ],
    [
      'a fixture without end',
      'seed_plan',
      { plan_id: 'p', fixture: { objectives: 'x'.repeat(20_000) } },
      {},
      'INVALID_PARAMS',
      'params.fixture',
    ],
    [
      'spend of nothing',
      'simulate_budget_spend',
      { spend_percentage: 50 },
      {},
      'INVALID_PARAMS',
      'params.media_buy_id',
    ],
  ])('%s', async (_what, scenario, params, more, error, field) => {
    const server = await boot();
    const answer = await controllerOf(server).run(scenario, params, { context, ...more });
    expect(answer).toMatchObject({ success: false, error, field, context });
    expect(answer.error_detail).toMatch(/\S\. \w/);
  });
});

describe('force', () => {
  test('a buy moves as its seller would move it, by the table, and tells its buyer', async () => {
    const server = await boot();
    const receiver = await startReceiver();
    const { arrange, run } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    const { media_buy_id } = await buyer.create({ push_notification_config: { url: receiver.url, operation_id: 'o' } });
    const force = (status: string, more: object = {}) =>
      arrange('force_media_buy_status', { media_buy_id, status, ...more });
    expect(await force('active')).toMatchObject({ previous_state: 'pending_creatives', current_state: 'active' });
    expect(await force('active')).toMatchObject({ previous_state: 'active', current_state: 'active' });
    await force('paused');
    server.clock.advance(60_000);
    expect(await buyer.read(media_buy_id)).toMatchObject({ status: 'paused', revision: 3 });
    expect(await run('force_media_buy_status', { media_buy_id, status: 'rejected' })).toMatchObject({
      success: false,
      error: 'INVALID_TRANSITION',
      current_state: 'paused',
    });
    await force('completed');
    expect(await run('force_media_buy_status', { media_buy_id, status: 'active' })).toMatchObject({
      error: 'INVALID_TRANSITION',
      current_state: 'completed',
    });
    const read = await buyer.read(media_buy_id);
    expect(read).toMatchObject({ status: 'completed', valid_actions: [] });
    expect(read.history?.map(({ action, actor }) => [action, actor])).toEqual([
      ['completed', 'seller'],
      ['paused', 'seller'],
      ['activated', 'seller'],
      ['created', 'buyer'],
    ]);
    await pass(server, 60_000, 5_000);
    expect(receiver.posts.length).toBeGreaterThan(0);
    expect(receiver.posts.at(-1)?.json).toMatchObject({ result: { media_buy_id, media_buy_status: 'completed' } });
  });

  test('a rejected buy says why', async () => {
    const server = await boot();
    const buyer = shopper(server, 'kit');
    const { media_buy_id } = await buyer.create();
    const rejection_reason = 'Brand safety.';
    await controllerOf(server).arrange('force_media_buy_status', {
      media_buy_id,
      status: 'rejected',
      rejection_reason,
    });
    expect(await buyer.read(media_buy_id)).toMatchObject({ status: 'rejected', rejection_reason });
  });

  test('a creative is rejected as by a person: the buy that holds it follows', async () => {
    const server = await boot();
    const { arrange, run } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    const bought = await buyer.create();
    await buyer.sync({ banner: [...packageIds(bought)] });
    expect((await buyer.read(bought.media_buy_id)).status).toBe('active');
    const archived = { creative_id: 'banner', status: 'archived' };
    expect(await run('force_creative_status', archived)).toMatchObject({ error: 'INVALID_TRANSITION' });
    const rejected = { creative_id: 'banner', status: 'rejected', rejection_reason: 'Too loud.' };
    expect(await arrange('force_creative_status', rejected)).toMatchObject({ previous_state: 'approved' });
    const { creatives } = succeeded(await buyer.call('list_creatives'));
    expect(only(creatives)).toMatchObject({ status: 'rejected', rejection_reason: 'Too loud.' });
    const read = await buyer.read(bought.media_buy_id);
    expect(only(read.packages).creative_approvals).toMatchObject([{ approval_status: 'rejected' }]);
    expect(await run('force_creative_status', { creative_id: 'banner', status: 'approved' })).toMatchObject({
      error: 'INVALID_TRANSITION',
      current_state: 'rejected',
    });
  });

  test('a suspended account buys nothing until it is active again', async () => {
    const server = await boot();
    const { arrange, run } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    const account = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
    const synced = succeeded(
      await buyer.call('sync_accounts', {
        idempotency_key: freshKey(),
        accounts: [{ ...account, billing: 'operator' }],
      }),
    );
    const { account_id } = only(synced.accounts);
    const force = (status: string) => arrange('force_account_status', { account_id, status });
    expect(await force('suspended')).toMatchObject({ previous_state: 'active', current_state: 'suspended' });
    expect(await buyer.refused('create_media_buy', createRequestByKey())).toBe('ACCOUNT_SUSPENDED');
    expect(await run('force_account_status', { account_id, status: 'payment_required' })).toMatchObject({
      error: 'INVALID_TRANSITION',
      current_state: 'suspended',
    });
    await force('active');
    await buyer.create();
  });
});

describe('an answer that was ordered', () => {
  const order = { arm: 'submitted', task_id: 'task_ordered', message: 'Awaiting the signature.' };

  test('is given once, waits as a task, and is completed with the result that the buyer is told', async () => {
    const server = await boot();
    const receiver = await startReceiver();
    const { arrange, run } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    expect((await arrange('force_create_media_buy_arm', order)).forced).toEqual({
      arm: 'submitted',
      task_id: 'task_ordered',
    });
    const wrong = createRequestByKey({ packages: [packageRequest({ budget: -1 })] });
    expect((await buyer.call('create_media_buy', wrong)).isError).toBe(true);
    await server.restart();
    const request = createRequestByKey({
      push_notification_config: { url: receiver.url, operation_id: 'o-1' },
      context: { a: 1 },
    });
    const submitted = succeeded(await buyer.call('create_media_buy', request));
    expect(submitted).toMatchObject({ status: 'submitted', task_id: 'task_ordered', message: order.message });
    expect(submitted).not.toHaveProperty('media_buy_id');
    expect(submitted).not.toHaveProperty('packages');
    expect(succeeded(await buyer.call('create_media_buy', request))).toEqual({ ...submitted, replayed: true });
    expect((await buyer.create()).status).toBe('pending_creatives');
    expect(succeeded(await buyer.call('get_task_status', { task_id: 'task_ordered' })).status).toBe('submitted');
    expect((await server.call('get_task_status', { task_id: 'task_ordered' })).payload.code).toBe(
      'REFERENCE_NOT_FOUND',
    );

    const result = { media_buy_id: 'mb_ordered', packages: [{ package_id: 'line-1' }], seller_note: 'as signed' };
    expect(await run('force_task_completion', { task_id: 'task_ordered', result: { packages: [] } })).toMatchObject({
      error: 'INVALID_PARAMS',
      field: 'params.result',
    });
    expect(await arrange('force_task_completion', { task_id: 'task_ordered', result })).toMatchObject({
      previous_state: 'submitted',
      current_state: 'completed',
    });
    const polled = succeeded(await buyer.call('get_task_status', { task_id: 'task_ordered', include_result: true }));
    expect(polled).toMatchObject({ status: 'completed', result });
    expect(await buyer.read('mb_ordered')).toMatchObject({
      media_buy_id: 'mb_ordered',
      packages: [{ package_id: 'line-1', product_id: 'test-product' }],
    });
    await buyer.sync({ banner: ['line-1'] });
    expect((await buyer.read('mb_ordered')).status).toBe('active');
    await pass(server, 60_000, 5_000);
    const event = receiver.posts.find(({ json }) => json.task_id === 'task_ordered');
    expect(event?.json).toMatchObject({ status: 'completed', operation_id: 'o-1', context: { a: 1 }, result });
    expect(await run('force_task_completion', { task_id: 'task_ordered', result })).toMatchObject({
      error: 'INVALID_TRANSITION',
      current_state: 'completed',
    });
  });

  test('is for the account that the order names', async () => {
    const server = await boot();
    const buyer = shopper(server, 'kit');
    const [mine, other] = ['acme-outdoor.example', 'other.example'].map((domain) => ({
      account: { brand: { domain }, operator: 'pinnacle-agency.example' },
    }));
    await buyer.create(other);
    await buyer.create(mine);
    const { run } = controllerOf(server);
    expect((await run('force_create_media_buy_arm', order, mine)).success).toBe(true);
    expect((await buyer.create(other)).status).toBe('pending_creatives');
    expect((await buyer.create(mine)).status).toBe('submitted');
    expect((await buyer.create(mine)).status).toBe('pending_creatives');
  });

  test('may ask the buyer for something instead, and books nothing', async () => {
    const server = await boot();
    const buyer = shopper(server, 'kit');
    const { arrange } = controllerOf(server);
    await arrange('force_create_media_buy_arm', { arm: 'input-required', message: 'Confirm the budget.' });
    const answer = succeeded(await buyer.call('create_media_buy', createRequestByKey()));
    expect(answer).toMatchObject({ status: 'input-required', message: 'Confirm the budget.' });
    expect(answer).not.toHaveProperty('media_buy_id');
    const { media_buys } = succeeded(await buyer.call('get_media_buys', { status_filter: ['pending_creatives'] }));
    expect(media_buys).toEqual([]);
  });

  test('is nobody else’s: another principal’s call is answered as ever', async () => {
    const server = await boot();
    await controllerOf(server).arrange('force_create_media_buy_arm', order);
    expect((await shopper(server).create()).status).toBe('active');
    const taken = await controllerOf(server, { token: 'sandbox-token' }).run('force_create_media_buy_arm', order);
    expect(taken.success).toBe(true);
    await shopper(server, 'kit').call('create_media_buy', createRequestByKey());
    const late = await controllerOf(server, { token: 'sandbox-token' }).run('force_create_media_buy_arm', order);
    expect(late).toMatchObject({ error: 'INVALID_PARAMS', field: 'params.task_id' });
  });

  test('get_products is answered by a task too, but never for the whole catalog', async () => {
    const server = await boot();
    const { arrange, run } = controllerOf(server, { version: '3.1' });
    const call = async (name: string, args: object) =>
      succeeded(await server.call(name, args, { ...kit, version: '3.1' }));
    await arrange('force_get_products_arm', { arm: 'submitted', task_id: 't-1', message: 'Being put together.' });
    expect((await call('get_products', { buying_mode: 'wholesale' })).status).toBe('completed');
    const submitted = await call('get_products', { brief: 'ctv' });
    expect(submitted).toMatchObject({ status: 'submitted', task_id: 't-1', message: 'Being put together.' });
    expect((await call('get_products', { brief: 'ctv' })).status).toBe('completed');
    const wrong = { task_id: 't-1', result: { rows: 1 } };
    expect(await run('force_task_completion', wrong)).toMatchObject({
      error: 'INVALID_PARAMS',
      field: 'params.result',
    });
    const result = { products: [] };
    await arrange('force_task_completion', { task_id: 't-1', result });
    const polled = await call('get_task_status', { task_id: 't-1', include_result: true });
    expect(polled).toMatchObject({ status: 'completed', task_type: 'get_products', result });
  });

  test('that failed is told as failed', async () => {
    const server = await boot();
    const buyer = shopper(server, 'kit');
    const { arrange } = controllerOf(server);
    await arrange('force_create_media_buy_arm', order);
    await buyer.call('create_media_buy', createRequestByKey());
    const result = { errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'Sold out.' }] };
    expect(await arrange('force_task_completion', { task_id: 'task_ordered', result })).toMatchObject({
      current_state: 'failed',
    });
    expect(succeeded(await buyer.call('get_task_status', { task_id: 'task_ordered' })).status).toBe('failed');
  });
});

describe('simulate', () => {
  const numbers = { impressions: 5001, clicks: 150, reported_spend: { amount: 250.01, currency: 'USD' } };

  test('delivery shows in the report, by package and day, adds up, and uses no budget', async () => {
    const server = await boot();
    const buyer = shopper(server, 'kit');
    const { arrange, run } = controllerOf(server);
    const { media_buy_id } = await buyer.create({
      packages: [packageRequest({ budget: 1000 }), packageRequest({ budget: 500, context: { line: 2 } })],
    });
    expect(await arrange('simulate_delivery', { media_buy_id, ...numbers })).toMatchObject({
      simulated: numbers,
      cumulative: numbers,
    });
    const delivered = await buyer.delivered(media_buy_id, { include_package_daily_breakdown: true });
    expect(delivered.totals).toMatchObject({ impressions: 5001, clicks: 150, spend: 250.01 });
    expect(delivered.by_package.map(({ impressions, spend }) => [impressions, spend])).toEqual([
      [3334, 166.67],
      [1667, 83.34],
    ]);
    const days = delivered.by_package.flatMap((line) => line.daily_breakdown ?? []);
    expect(days.reduce((sum, day) => sum + day.impressions, 0)).toBe(5001);
    expect(
      await arrange('simulate_delivery', { media_buy_id, impressions: 9, reach: 4000, frequency: 1.2 }),
    ).toMatchObject({
      cumulative: { impressions: 5010, clicks: 150, reach: 4000 },
    });
    const after = await buyer.delivered(media_buy_id);
    expect(after.totals).toMatchObject({ impressions: 5010, reach: 4000, frequency: 1.2, reach_unit: 'individuals' });
    expect((await buyer.read(media_buy_id)).revision).toBe(1);
    const euros = { media_buy_id, reported_spend: { amount: 1, currency: 'EUR' } };
    expect(await run('simulate_delivery', euros)).toMatchObject({
      error: 'INVALID_PARAMS',
      field: 'params.reported_spend.currency',
    });
  });

  test('money that is too little to be booked is refused', async () => {
    const server = await boot();
    const { media_buy_id } = await shopper(server, 'kit').create();
    const { run } = controllerOf(server);
    const spend = { media_buy_id, reported_spend: { amount: 0.004, currency: 'USD' } };
    expect(await run('simulate_delivery', spend)).toMatchObject({
      error: 'INVALID_PARAMS',
      field: 'params.reported_spend.amount',
    });
    expect(await run('simulate_budget_spend', { media_buy_id, spend_percentage: 0.0001 })).toMatchObject({
      error: 'INVALID_PARAMS',
      field: 'params.spend_percentage',
    });
  });

  test('spend uses the budget up: the simulator stops where it ends', async () => {
    const server = await boot();
    const buyer = shopper(server, { token: 'sandbox-token', account: { account_id: 'acct_sandbox' } });
    const { arrange } = controllerOf(server, { token: 'sandbox-token' });
    const { media_buy_id } = await buyer.create({ packages: [packageRequest({ budget: 1000 })] });
    server.clock.advance(3 * 86_400_000);
    const before = await buyer.delivered(media_buy_id);
    expect(before.totals.spend).toBeGreaterThan(0);
    expect(await arrange('simulate_budget_spend', { media_buy_id, spend_percentage: 95 })).toMatchObject({
      simulated: {
        spend_percentage: 95,
        computed_spend: { amount: 950, currency: 'USD' },
        budget: { amount: 1000, currency: 'USD' },
      },
    });
    expect((await buyer.delivered(media_buy_id)).totals.spend).toBe(950);
    await arrange('simulate_budget_spend', { media_buy_id, spend_percentage: 10 });
    expect((await buyer.delivered(media_buy_id)).totals.spend).toBe(950);
    server.clock.advance(86_400_000);
    const next = (await buyer.delivered(media_buy_id)).totals;
    expect(next.spend).toBeGreaterThan(950);
    expect(next.spend).toBeLessThan(960);
    await arrange('simulate_budget_spend', { media_buy_id, spend_percentage: 100 });
    const spent = await buyer.delivered(media_buy_id);
    expect(spent.totals.spend).toBe(1000);
    expect(spent.by_package[0]).toMatchObject({ delivery_status: 'budget_exhausted' });
    server.clock.advance(5 * 86_400_000);
    expect((await buyer.delivered(media_buy_id)).totals).toEqual(spent.totals);
  });

  test('spend of an account is spend of each of its buys', async () => {
    const server = await boot();
    const buyer = shopper(server);
    const { arrange, run } = controllerOf(server, { token: 'sandbox-token' });
    const [one, two] = [await buyer.create(), await buyer.create()];
    expect(await arrange('simulate_budget_spend', { account_id: 'acct_sandbox', spend_percentage: 100 })).toMatchObject(
      { simulated: { budget: { amount: 2000 } } },
    );
    for (const { media_buy_id } of [one, two]) expect((await buyer.delivered(media_buy_id)).totals.spend).toBe(1000);
    expect(await run('simulate_budget_spend', { account_id: 'nobody', spend_percentage: 1 })).toMatchObject({
      error: 'NOT_FOUND',
    });
  });
});

describe('seed', () => {
  test('products and prices are found, bought and gone for everybody else', async () => {
    const server = await boot();
    const { arrange } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    const fixture = { delivery_type: 'guaranteed', channels: ['video'], format_ids: [{ id: 'video_30s' }] };
    await arrange('seed_product', { product_id: 'sports_q2', fixture });
    await arrange('seed_pricing_option', {
      product_id: 'sports_q2',
      pricing_option_id: 'cpm_guaranteed',
      fixture: { pricing_model: 'cpm', currency: 'USD', fixed_price: 18 },
    });
    await arrange('seed_pricing_option', {
      product_id: 'test-product',
      pricing_option_id: 'mine',
      fixture: { fixed_price: 3 },
    });
    const find = async (token: string) => {
      const { products } = succeeded(await server.call('get_products', { buying_mode: 'wholesale' }, { token }));
      return new Map(products.map((product) => [product.product_id, product]));
    };
    const mine = await find(KIT_TOKEN);
    expect(mine.get('sports_q2')).toMatchObject({
      channels: ['olv'],
      delivery_type: 'guaranteed',
      pricing_options: [{ pricing_option_id: 'cpm_guaranteed', fixed_price: 18 }],
    });
    expect(mine.get('test-product')?.pricing_options.map((option) => option.pricing_option_id)).toContain('mine');
    const theirs = await find('sandbox-token');
    expect(theirs.has('sports_q2')).toBe(false);
    expect(theirs.get('test-product')?.pricing_options.map((option) => option.pricing_option_id)).not.toContain('mine');
    const { format_ids = [] } = mine.get('sports_q2') ?? {};
    const { formats } = succeeded(await buyer.call('list_creative_formats', { format_ids }));
    expect(format_ids[0]?.id).toBe('video_30s');
    expect(formats.map((format) => format.format_id.id).sort()).toEqual(format_ids.map((format) => format.id).sort());
    const line = packageRequest({ product_id: 'sports_q2', pricing_option_id: 'cpm_guaranteed', budget: 900 });
    await server.restart();
    const bought = await buyer.create({ packages: [line] });
    expect(bought.packages).toMatchObject([{ product_id: 'sports_q2', budget: 900 }]);
    expect(await shopper(server).refused('create_media_buy', createRequestByKey({ packages: [line] }))).toBe(
      'PRODUCT_NOT_FOUND',
    );
  });

  test('an account that nobody opened shows the fixtures alone', async () => {
    const server = await boot();
    const { arrange } = controllerOf(server);
    const account = { account_id: 'acct_nobody' };
    const read = async (tool: string, args: object = {}): Promise<Payload> =>
      succeeded(await server.call(tool, { account, ...args }, kit));
    expect((await server.call('list_creatives', { account }, kit)).payload.code).toBe('ACCOUNT_NOT_FOUND');
    await shopper(server, 'kit').sync({ banner: [] });
    for (const n of [1, 2, 3]) {
      await arrange('seed_creative', {
        creative_id: `hero_${n}`,
        fixture: { status: 'approved', format_id: { id: 'display_static' } },
      });
    }
    for (const n of [1, 2])
      await arrange('seed_creative_format', { format_id: `format_${n}`, fixture: { name: `F ${n}`, type: 'display' } });
    const first = await read('list_creatives', { pagination: { max_results: 2 } });
    expect(first.query_summary).toMatchObject({ total_matching: 3, returned: 2 });
    const rest = await read('list_creatives', { pagination: { max_results: 2, cursor: first.pagination.cursor } });
    expect(rest.creatives).toHaveLength(1);
    expect(rest.pagination).toEqual({ has_more: false, total_count: 3 });
    const { formats } = await read('list_creative_formats');
    expect(formats.map((format) => format.format_id.id)).toEqual(['format_1', 'format_2']);
    expect((await read('get_products', { buying_mode: 'wholesale' })).products).toEqual([]);
    const own = succeeded(await server.call('list_creatives', {}, kit));
    expect(own.creatives).toHaveLength(4);
  });

  test('buys stand as their fixtures say, and begin anew when they are seeded again', async () => {
    const server = await boot();
    const { arrange, run } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    for (const status of [
      'pending_creatives',
      'pending_start',
      'active',
      'paused',
      'completed',
      'rejected',
      'canceled',
    ]) {
      const start =
        status === 'pending_start' ? { start_time: '2030-02-01T00:00:00Z', end_time: '2030-03-01T00:00:00Z' } : {};
      await arrange('seed_media_buy', {
        media_buy_id: `seeded_${status}`,
        fixture: { status, currency: 'USD', ...start },
      });
      expect(await buyer.read(`seeded_${status}`)).toMatchObject({ status, currency: 'USD' });
    }
    const fixture = {
      status: 'active',
      budget: { total: 40_000, currency: 'USD' },
      flight: { start: '2026-04-01T00:00:00Z', end: '2026-06-30T23:59:59Z' },
      packages: [{ package_id: 'line-a', product_id: 'test-product' }, { package_id: 'line-b' }],
    };
    await arrange('seed_media_buy', { media_buy_id: 'q2', fixture });
    const read = await buyer.read('q2');
    expect(read).toMatchObject({ status: 'active', total_budget: 40_000, revision: 1 });
    expect(packageIds(read)).toEqual(['line-a', 'line-b']);
    await buyer.update('q2', { packages: [{ package_id: 'line-b', paused: true }] });
    await arrange('force_media_buy_status', { media_buy_id: 'q2', status: 'canceled' });
    await arrange('seed_media_buy', { media_buy_id: 'q2', fixture });
    expect(await buyer.read('q2')).toMatchObject({ status: 'active', revision: 4 });
    server.clock.advance(2 * 86_400_000);
    expect((await buyer.delivered('q2')).totals.impressions).toBeGreaterThan(0);
    const theirs = await controllerOf(server, { token: 'sandbox-token' }).run('seed_media_buy', { media_buy_id: 'q2' });
    expect(theirs).toMatchObject({ error: 'INVALID_PARAMS', field: 'params.media_buy_id' });
    expect(
      await run('seed_media_buy', { media_buy_id: 'w', fixture: { packages: [{ product_id: 'nobody' }] } }),
    ).toMatchObject({ error: 'NOT_FOUND' });
  });

  test('a buy of a product that is sold by the day costs what its own flight costs, and no more', async () => {
    const server = await boot();
    const { arrange } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    const days = (end: string) => ({ start_time: '2030-02-01T00:00:00Z', end_time: `2030-02-${end}T00:00:00Z` });
    const packages = [{ product_id: 'northlight_homepage_takeover', pricing_option_id: 'day_flat' }];
    await arrange('seed_media_buy', {
      media_buy_id: 'day',
      fixture: { packages, ...days('02'), status: 'pending_start' },
    });
    expect(await buyer.read('day')).toMatchObject({ total_budget: 18_000 });
    const named = { packages, ...days('05'), status: 'pending_start', total_budget: 72_000 };
    await arrange('seed_media_buy', { media_buy_id: 'days', fixture: named });
    expect(await buyer.read('days')).toMatchObject({ total_budget: 72_000 });
  });

  test('accounts, plans, and a creative that is named before anybody sent it', async () => {
    const server = await boot();
    const { arrange, run } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    const named = createRequestByKey({
      packages: [packageRequest({ creative_assignments: [{ creative_id: 'to_come' }] })],
    });
    expect(await buyer.refused('create_media_buy', named)).toBe('CREATIVE_NOT_FOUND');
    await arrange('seed_plan', { plan_id: 'plan_1', fixture: { objectives: 'More' } });
    expect((await buyer.create({ packages: named.packages })).status).toBe('active');
    await arrange('seed_account', {
      account_id: 'acct_seeded',
      fixture: { status: 'suspended', operator: 'ops.example' },
    });
    const account = { account_id: 'acct_seeded' };
    expect(await buyer.refused('create_media_buy', createRequestByKey({ account }))).toBe('ACCOUNT_SUSPENDED');
    const twice = { account_id: 'acct_other', fixture: { operator: 'ops.example' } };
    expect(await run('seed_account', twice)).toMatchObject({ error: 'INVALID_PARAMS' });
  });
});

describe('on every tenant', () => {
  test.each(['sales', 'creative', 'signals'])(
    '%s answers the three questions that a test begins with',
    async (tenant) => {
      const server: Booted = await boot();
      const { run } = controllerOf(server, { tenant });
      expect((await run('list_scenarios')).success).toBe(true);
      expect(await run('force_creative_status', {})).toMatchObject({ error: 'INVALID_PARAMS' });
      expect(await run('force_creative_status', { creative_id: 'x', status: 'approved' })).toMatchObject({
        error: 'NOT_FOUND',
      });
    },
  );
});

describe('an audience', () => {
  const ACCOUNT = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
  const people = Array.from({ length: 20 }, (_, at) => ({
    external_id: `p${at}`,
    hashed_email: at.toString(16).padStart(64, '0'),
  }));

  /** The state of the caller's audience, as sync_audiences lists it. */
  async function open(token = KIT_TOKEN): Promise<{ server: Booted; read: () => Promise<Payload | undefined> }> {
    const server = await boot();
    const sync = async (more: object) =>
      succeeded(
        await server.call('sync_audiences', { idempotency_key: freshKey(), account: ACCOUNT, ...more }, { token }),
      ).audiences as unknown as readonly Payload[];
    await sync({ audiences: [{ audience_id: 'crm', add: people }] });
    return { server, read: async () => (await sync({}))[0] };
  }

  const force = (server: Booted, status: string, more: object = {}) =>
    controllerOf(server).run('force_audience_status', { audience_id: 'crm', status, ...more });

  test('is put in each state by the table of moves, says so, and is targeted in one of them alone', async () => {
    const { server, read } = await open();
    const order = async () => {
      const packages = [{ ...packageRequest(), targeting_overlay: { audience_include: ['crm'] } }];
      const { payload, isError } = await server.call(
        'create_media_buy',
        createRequestByKey({ account: ACCOUNT, packages }),
        kit,
      );
      return isError ? payload.errors?.[0]?.code : 'bought';
    };
    expect(await read()).toMatchObject({ status: 'ready' });
    expect(await order()).toBe('bought');
    expect(await force(server, 'processing')).toMatchObject({ previous_state: 'ready', current_state: 'processing' });
    expect(await read()).not.toHaveProperty('matched_count');
    expect(await order()).toBe('INVALID_STATE');
    await force(server, 'too_small');
    const small = await read();
    expect(small).toMatchObject({ status: 'too_small' });
    expect(Number(small?.minimum_size)).toBeGreaterThan(Number(small?.matched_count));
    expect(await order()).toBe('AUDIENCE_TOO_SMALL');
    await force(server, 'suspended', { reason_code: 'consent_expired', reason_detail: 'Consent lapsed.' });
    expect(await read()).toMatchObject({
      status: 'suspended',
      reason_code: 'consent_expired',
      reason: 'Consent lapsed.',
    });
    expect(await order()).toBe('INVALID_STATE');
    expect(await force(server, 'too_small')).toMatchObject({ error: 'INVALID_TRANSITION', current_state: 'suspended' });
    await force(server, 'ready');
    expect(await read()).toMatchObject({ status: 'ready' });
    expect(await order()).toBe('bought');
  });

  test('that is suspended impairs the buy that targets it until it is ready again, and no upload lifts that', async () => {
    const { server, read } = await open();
    const buyer = shopper(server, 'kit');
    const packages = [{ ...packageRequest(), targeting_overlay: { audience_include: ['crm'] } }];
    const { media_buy_id } = succeeded(
      await server.call('create_media_buy', createRequestByKey({ account: ACCOUNT, packages }), kit),
    );
    await controllerOf(server).arrange('force_media_buy_status', { media_buy_id, status: 'active' });
    await force(server, 'suspended', { reason_code: 'consent_expired' });
    const impaired: object = await buyer.read(media_buy_id);
    expect(impaired).toMatchObject({
      impairments: [{ resource_type: 'audience', resource_id: 'crm', reason_code: 'consent_expired' }],
    });
    const again = { idempotency_key: freshKey(), account: ACCOUNT, audiences: [{ audience_id: 'crm', add: people }] };
    await server.call('sync_audiences', again, kit);
    expect(await read()).toMatchObject({ status: 'suspended' });
    await force(server, 'ready');
    const restored: object = await buyer.read(media_buy_id);
    expect(restored).toMatchObject({ impairments: [] });
  });

  test('of another principal is not there to be forced', async () => {
    const { server, read } = await open();
    const other = controllerOf(server, { token: 'demo-somebody-else-v1' });
    const params = { audience_id: 'crm', status: 'suspended' };
    expect(await other.run('force_audience_status', params)).toMatchObject({ error: 'NOT_FOUND' });
    expect(await read()).toMatchObject({ status: 'ready' });
  });
});

describe('a seeded signal', () => {
  const at = (token: string) => ({ tenant: 'signals', token });
  const FIXTURE = { name: 'Seeded hikers', description: 'People who hike at dawn.', coverage_percentage: 3 };

  test('is found and activated by whoever seeded it, and by nobody else', async () => {
    const server = await boot();
    const params = { signal_agent_segment_id: 'seeded_hikers', fixture: FIXTURE };
    await controllerOf(server, at(KIT_TOKEN)).arrange('seed_signal', params);
    const namesFor = async (token: string) => {
      const request = { signal_spec: 'Seeded hikers at dawn' };
      const { signals } = succeeded(await server.call('get_signals', request, at(token)));
      return (signals as readonly Payload[]).map((one) => one.signal_agent_segment_id);
    };
    expect(await namesFor(KIT_TOKEN)).toContain('seeded_hikers');
    expect(await namesFor('demo-somebody-else-v1')).not.toContain('seeded_hikers');
    const activation = () => ({
      idempotency_key: freshKey(),
      signal_agent_segment_id: 'seeded_hikers',
      pricing_option_id: 'default',
      destinations: [{ type: 'agent', agent_url: 'https://sales.example/mcp' }],
    });
    const activated = succeeded(await server.call('activate_signal', activation(), at(KIT_TOKEN)));
    expect(activated.deployments).toMatchObject([{ is_live: true }]);
    const { payload } = await server.call('activate_signal', activation(), at('demo-somebody-else-v1'));
    expect(JSON.stringify(payload.errors)).toContain('NOT_FOUND');
  });

  test.each([
    ['an id that is none', { signal_agent_segment_id: 'no id' }, 'params.signal_agent_segment_id'],
    ['a coverage beyond everybody', { fixture: { coverage_percentage: 101 } }, 'params.fixture.coverage_percentage'],
  ])('is refused with %s', async (_what, changes, field) => {
    const server = await boot();
    const params = { signal_agent_segment_id: 's', ...changes };
    expect(await controllerOf(server, at(KIT_TOKEN)).run('seed_signal', params)).toMatchObject({
      error: 'INVALID_PARAMS',
      field,
    });
  });
});
