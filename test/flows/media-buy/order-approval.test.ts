import { describe, expect, test } from 'vitest';
import { moveTask } from '../../../src/seller/domain/task/task.js';
import { type Booted, boot } from '../../kit/boot.js';
import {
  createRequest,
  createRequestByKey,
  creative,
  freshKey,
  KIT_TOKEN,
  packageRequest,
  SANDBOX_ACCOUNT,
  succeeded,
  updateRequest,
} from '../../kit/buyer.js';
import { type Operator, operatorOf } from '../../kit/operator.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import {
  addLivePrincipal,
  LIVE_ACCOUNT,
  LIVE_TOKEN,
  shippedTenant,
  tenantsFolder,
  writeTenant,
} from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const HOUR = 3_600_000;
const OVER_500 = { budget_over: { amount: 500, currency: 'USD' } };

/** A seller that asks a person as these rules say. */
const selling = (...approvals: readonly object[]): Promise<Booted> =>
  boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals })) });

/** The answer of a call that has to wait. */
async function submitted(server: Booted, tool: string, request: object, token?: string): Promise<Payload> {
  const payload = succeeded(await server.call(tool, request, token === undefined ? {} : { token }));
  expect(payload.status).toBe('submitted');
  return payload;
}

async function poll(server: Booted, taskId: string, more: object = {}): Promise<Payload> {
  return succeeded(await server.call('get_task_status', { task_id: taskId, ...more }));
}

async function decide(operator: Operator, taskId: string, decision: object) {
  const answer = await operator.post(`/approvals/${taskId}`, decision);
  return { status: answer.status, body: answer.json() as Readonly<Record<string, unknown>> };
}

const APPROVE = { decision: 'approve' };
const REJECT = { decision: 'reject', reason: 'Too much for one week.' };

/** How many buys the caller has, in whatever state. */
async function buys(server: Booted): Promise<number> {
  const every = ['pending_creatives', 'pending_start', 'active', 'paused', 'completed', 'rejected', 'canceled'];
  const { media_buys } = succeeded(await server.call('get_media_buys', { status_filter: every }));
  return media_buys.length;
}

describe('an order that a person has to approve', () => {
  test('waits as a task, and is bought when it is approved; its key answers the same all the time', async () => {
    const server = await selling(OVER_500);
    const operator = operatorOf(server);
    const request = createRequest({ context: { trace: 'é-1' }, po_number: 'PO-7' });
    const answer = await submitted(server, 'create_media_buy', request);
    expect(answer).toEqual({
      status: 'submitted',
      task_id: expect.stringMatching(/^task_/),
      message: expect.stringMatching(/2030-01-03T00:00:00Z.*get_task_status/),
      estimated_completion: '2030-01-03T00:00:00Z',
      sandbox: true,
      idempotency_key: request.idempotency_key,
      context: { trace: 'é-1' },
    });
    const { task_id } = answer;
    expect(await buys(server)).toBe(0);
    expect(await poll(server, task_id, { include_result: true })).toMatchObject({ status: 'submitted' });
    expect(await submitted(server, 'create_media_buy', request)).toEqual({ ...answer, replayed: true });

    expect(await operator.waiting()).toMatchObject([
      {
        kind: 'task',
        id: task_id,
        tenant: 'sales',
        principal: 'sandbox',
        account_id: SANDBOX_ACCOUNT,
        what: 'Buy 1 package for 1,000 USD for acme-outdoor.example, 1 to 31 Jan 2030',
        because: 'the budget is over 500 USD',
        since: '2030-01-01T00:00:00Z',
        acts_at: '2030-01-03T00:00:00Z',
        on_timeout: 'reject',
      },
    ]);
    server.clock.advance(5 * HOUR);
    const decided = await decide(operator, task_id, APPROVE);
    expect(decided).toMatchObject({ status: 200, body: { status: 'completed', media_buys: [{ status: 'active' }] } });
    expect(await operator.waiting()).toEqual([]);

    const polled = await poll(server, task_id, { include_result: true });
    expect(polled).toMatchObject({
      status: 'completed',
      task_type: 'create_media_buy',
      protocol: 'media-buy',
      created_at: '2030-01-01T00:00:00Z',
      completed_at: '2030-01-01T05:00:00Z',
      has_webhook: false,
      result: {
        status: 'active',
        revision: 1,
        confirmed_at: '2030-01-01T05:00:00Z',
        start_time: '2030-01-01T05:00:00Z',
      },
    });
    expect(await poll(server, task_id)).not.toHaveProperty('result');
    const buy = await shopper(server).read(polled.result?.media_buy_id ?? '');
    expect(buy).toMatchObject({ status: 'active', total_budget: 1000, po_number: 'PO-7' });
    expect(await buys(server)).toBe(1);
    expect(await submitted(server, 'create_media_buy', request)).toEqual({ ...answer, replayed: true });
    expect((await decide(operator, task_id, REJECT)).body).toMatchObject({ code: 'INVALID_STATE' });
  });

  test('is not bought when it is rejected, and the buyer reads why', async () => {
    const server = await selling(OVER_500);
    const { task_id } = await submitted(server, 'create_media_buy', createRequest());
    const decided = await decide(operatorOf(server), task_id, REJECT);
    expect(decided).toMatchObject({ status: 200, body: { status: 'rejected', media_buys: [] } });
    expect(await poll(server, task_id, { include_result: true })).toMatchObject({
      status: 'rejected',
      message: expect.stringContaining(REJECT.reason),
      error: { code: 'PERMISSION_DENIED', recovery: 'correctable', suggestion: expect.any(String) },
    });
    expect(await buys(server)).toBe(0);
    expect(await decide(operatorOf(server), task_id, APPROVE)).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE' },
    });
  });

  test('that is under the limit is bought at once, by the same seller', async () => {
    const server = await selling(OVER_500);
    const bought = succeeded(
      await server.call('create_media_buy', createRequest({ packages: [packageRequest({ budget: 500 })] })),
    );
    expect(bought.status).toBe('active');
    expect(await operatorOf(server).waiting()).toEqual([]);
  });

  test.each([
    ['an unknown product', { packages: [packageRequest({ product_id: 'nonexistent' })] }, 'PRODUCT_NOT_FOUND'],
    ['a start that passed', { start_time: '2029-01-01T00:00:00Z' }, 'INVALID_REQUEST'],
    ['an unknown account', { account: { account_id: 'acct_nobody' } }, 'ACCOUNT_NOT_FOUND'],
    [
      'a callback that would never be called',
      { push_notification_config: { url: 'https://10.0.0.1/' } },
      'INVALID_REQUEST',
    ],
    ['no packages', { packages: [] }, 'INVALID_REQUEST'],
  ])('with %s is refused at once, and nobody is asked', async (_what, changes, code) => {
    const server = await selling({});
    const { payload, isError } = await server.call('create_media_buy', createRequest(changes));
    expect(isError).toBe(true);
    expect(payload.code).toBe(code);
    expect(await operatorOf(server).waiting()).toEqual([]);
    expect(succeeded(await server.call('list_tasks')).tasks).toEqual([]);
  });

  test('frees its key when it is refused', async () => {
    const server = await selling({});
    const idempotency_key = freshKey();
    const bad = createRequest({ idempotency_key, end_time: '2029-01-01T00:00:00Z' });
    expect((await server.call('create_media_buy', bad)).isError).toBe(true);
    await submitted(server, 'create_media_buy', createRequest({ idempotency_key }));
  });

  test('brings its creatives along, whose check comes with the approval', async () => {
    const server = await selling({});
    const kit = shopper(server, 'kit');
    const request = createRequestByKey({ packages: [packageRequest({ creatives: [creative('banner')] })] });
    const { task_id } = await submitted(server, 'create_media_buy', request, KIT_TOKEN);
    const listed = async () => succeeded(await kit.call('list_creatives')).creatives.map((one) => one.creative_id);
    expect(await listed()).toEqual([]);
    expect(await decide(operatorOf(server), task_id, APPROVE)).toMatchObject({ body: { status: 'completed' } });
    expect(await listed()).toEqual(['banner']);
  });

  test('opens its buyer’s account at once, which is what it is approved for', async () => {
    const server = await selling({});
    const account = { brand: { domain: 'new.example' }, operator: 'new.example' };
    const { task_id } = await submitted(server, 'create_media_buy', createRequest({ account }));
    const opened = succeeded(await server.call('list_accounts', { account })).accounts[0]?.account_id;
    expect(opened).toBeTruthy();
    expect((await operatorOf(server).waiting())[0]?.account_id).toBe(opened);
    await decide(operatorOf(server), task_id, APPROVE);
    const { result } = await poll(server, task_id, { include_result: true });
    const { media_buys } = succeeded(await server.call('get_media_buys', { media_buy_ids: [result?.media_buy_id] }));
    expect(media_buys[0]).toMatchObject({ account: { account_id: opened } });
  });

  test('of a live buyer waits like one of a sandbox', async () => {
    const tenants = tenantsFolder((tenant) => {
      addLivePrincipal(tenant);
      Object.assign(tenant, { approvals: [{ principals: ['live'] }] });
    });
    const server = await boot({ tenants });
    const request = createRequest({ account: { account_id: LIVE_ACCOUNT } });
    const { task_id, sandbox } = await submitted(server, 'create_media_buy', request, LIVE_TOKEN);
    expect(sandbox).toBe(false);
    await decide(operatorOf(server), task_id, APPROVE);
    const polled = await server.call('tasks_get', { task_id, include_result: true }, { token: LIVE_TOKEN });
    expect(polled.payload).toMatchObject({ status: 'completed', result: { sandbox: false } });
    expect(succeeded(await server.call('create_media_buy', createRequest())).status).toBe('active');
  });

  test('is decided once, whoever is first', async () => {
    const server = await selling({});
    const { task_id } = await submitted(server, 'create_media_buy', createRequest());
    const operator = operatorOf(server);
    const decisions = [APPROVE, REJECT, APPROVE, REJECT, APPROVE].map((body) => decide(operator, task_id, body));
    const answers = await Promise.all(decisions);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const { status } = await poll(server, task_id);
    expect(await buys(server)).toBe(status === 'completed' ? 1 : 0);
    expect(answers.find((answer) => answer.status === 200)?.body.status).toBe(status);
  });
});

describe('what an approval finds', () => {
  test('a start that passed meanwhile begins now', async () => {
    const server = await selling({});
    const packages = [packageRequest({ start_time: '2030-01-01T02:00:00Z', end_time: '2030-01-20T00:00:00Z' })];
    const request = createRequest({ start_time: '2030-01-01T01:00:00Z', packages });
    const { task_id } = await submitted(server, 'create_media_buy', request);
    server.clock.advance(30 * HOUR);
    await decide(operatorOf(server), task_id, APPROVE);
    const { result } = await poll(server, task_id, { include_result: true });
    expect(result).toMatchObject({
      status: 'active',
      start_time: '2030-01-02T06:00:00Z',
      packages: [{ start_time: '2030-01-02T06:00:00Z', end_time: '2030-01-20T00:00:00Z' }],
    });
  });

  test('a flight that is over is refused, as the order would be now', async () => {
    const server = await selling({});
    const { task_id } = await submitted(
      server,
      'create_media_buy',
      createRequest({ end_time: '2030-01-02T00:00:00Z' }),
    );
    server.clock.advance(30 * HOUR);
    const decided = await decide(operatorOf(server), task_id, APPROVE);
    expect(decided).toMatchObject({ status: 200, body: { status: 'failed', reason: expect.any(String) } });
    expect(await poll(server, task_id)).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_REQUEST', field: 'end_time', suggestion: expect.any(String) },
    });
    expect(await buys(server)).toBe(0);
  });

  test('a product that is no longer sold is refused', async () => {
    const folder = tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] }));
    const server = await boot({ tenants: folder });
    const { task_id } = await submitted(server, 'create_media_buy', createRequest());
    const tenant = shippedTenant();
    tenant.products = tenant.products.filter(({ product_id }) => product_id !== 'test-product');
    writeTenant(folder, tenant);
    await server.server().reload();
    expect(await decide(operatorOf(server), task_id, APPROVE)).toMatchObject({ body: { status: 'failed' } });
    expect(await poll(server, task_id)).toMatchObject({ error: { code: 'PRODUCT_NOT_FOUND' } });
  });

  test('a buyer whose access ended is refused', async () => {
    const folder = tenantsFolder((tenant) => {
      addLivePrincipal(tenant);
      Object.assign(tenant, { approvals: [{}] });
    });
    const server = await boot({ tenants: folder });
    const request = createRequest({ account: { account_id: LIVE_ACCOUNT } });
    const { task_id } = await submitted(server, 'create_media_buy', request, LIVE_TOKEN);
    writeTenant(folder, shippedTenant());
    await server.server().reload();
    expect(await decide(operatorOf(server), task_id, APPROVE)).toMatchObject({
      body: { status: 'failed', reason: expect.stringMatching(/no longer/) },
    });
  });
});

describe('when nobody decides', () => {
  test.each([
    ['reject', 'rejected', 0],
    ['approve', 'completed', 1],
  ] as const)('the rule does: %s', async (on_timeout, status, bought) => {
    const server = await selling({ timeout_hours: 6, on_timeout });
    const { task_id } = await submitted(server, 'create_media_buy', createRequest());
    server.clock.advance(6 * HOUR - 1);
    await server.server().tick();
    expect(await poll(server, task_id)).toMatchObject({ status: 'submitted' });
    server.clock.advance(1);
    await server.server().tick();
    expect(await poll(server, task_id)).toMatchObject({ status, completed_at: '2030-01-01T06:00:00Z' });
    expect(await buys(server)).toBe(bought);
    await server.server().tick();
    expect(await buys(server)).toBe(bought);
    expect((await decide(operatorOf(server), task_id, APPROVE)).status).toBe(409);
  });

  test('it does so for what fell due while the server was down, however many there are', async () => {
    const server = await selling({ timeout_hours: 1, on_timeout: 'approve' });
    const tasks = await Promise.all(
      Array.from({ length: 60 }, () => submitted(server, 'create_media_buy', createRequest())),
    );
    await server.close();
    server.clock.advance(10 * HOUR);
    await server.restart();
    await server.server().tick();
    const { query_summary } = succeeded(await server.call('list_tasks', { filters: { status: 'completed' } }));
    expect(query_summary.total_matching).toBe(tasks.length);
    expect(await operatorOf(server).waiting()).toEqual([]);
  });

  test('what is being worked on waits for no decision, and the clock takes none', async () => {
    const server = await selling({ timeout_hours: 1 });
    const { task_id } = await submitted(server, 'create_media_buy', createRequest());
    const { store } = server.server().app;
    await store.transact(async (tx) => {
      const task = await tx.tasks.findAnywhere(task_id);
      const result = { percentage: 40, current_step: 'signing' };
      if (task) await tx.tasks.replace(moveTask(task, { status: 'working', at: server.clock.iso(), result }));
    });
    expect(await poll(server, task_id)).toMatchObject({ status: 'working', progress: { percentage: 40 } });
    server.clock.advance(HOUR);
    await server.server().tick();
    expect(await operatorOf(server).waiting()).toEqual([]);
    expect(await poll(server, task_id)).toMatchObject({ status: 'working' });
    expect(await decide(operatorOf(server), task_id, APPROVE)).toMatchObject({ body: { status: 'completed' } });
  });

  test('what cannot be carried out for a fault of ours is tried again', async () => {
    const server = await selling({ timeout_hours: 1, on_timeout: 'approve' });
    const { task_id } = await submitted(server, 'create_media_buy', createRequest());
    const { lifecycle } = server.server().app;
    const { open } = lifecycle;
    Object.assign(lifecycle, { open: () => Promise.reject(new Error('the disk is full')) });
    server.clock.advance(HOUR);
    await server.server().tick();
    expect(await poll(server, task_id)).toMatchObject({ status: 'submitted' });
    expect(server.log.filter(({ text }) => text.includes('the disk is full'))).toHaveLength(1);
    await server.server().tick();
    expect(server.log.filter(({ text }) => text.includes('the disk is full'))).toHaveLength(1);
    Object.assign(lifecycle, { open });
    server.clock.advance(60_000);
    await server.server().tick();
    expect(await poll(server, task_id)).toMatchObject({ status: 'completed' });
    expect(await buys(server)).toBe(1);
  });
});

test('a restart loses neither what waits nor what was decided', async () => {
  const server = await selling({});
  const request = createRequest();
  const { task_id } = await submitted(server, 'create_media_buy', request);
  const other = await submitted(server, 'create_media_buy', createRequest());
  await decide(operatorOf(server), other.task_id, REJECT);
  await server.restart();
  expect(await poll(server, other.task_id)).toMatchObject({ status: 'rejected' });
  expect((await operatorOf(server).waiting()).map(({ id }) => id)).toEqual([task_id]);
  expect(await submitted(server, 'create_media_buy', request)).toMatchObject({ task_id, replayed: true });
  await decide(operatorOf(server), task_id, APPROVE);
  await server.restart();
  const { result } = await poll(server, task_id, { include_result: true });
  expect((await shopper(server).read(result?.media_buy_id ?? '')).status).toBe('active');
});

describe('a change that a person has to approve', () => {
  /** A running buy of 1000, which nobody had to approve. */
  async function running() {
    const server = await selling({ tasks: ['update_media_buy'], budget_over: { amount: 1500, currency: 'USD' } });
    const bought = await shopper(server).create();
    return { server, id: bought.media_buy_id, line: packageIds(bought)[0] ?? '', operator: operatorOf(server) };
  }

  test('waits, and the buy stays as it is until then', async () => {
    const { server, id, line, operator } = await running();
    const input = updateRequest(id, { packages: [{ package_id: line, budget: 2000 }] });
    const { task_id } = await submitted(server, 'update_media_buy', input);
    expect(await shopper(server).read(id)).toMatchObject({ revision: 1, total_budget: 1000 });
    expect(await operator.waiting()).toMatchObject([
      { what: `Change 1 package of ${id} for acme-outdoor.example: 1,000 USD to 2,000 USD, 1 to 31 Jan 2030` },
    ]);
    expect(await decide(operator, task_id, APPROVE)).toMatchObject({
      body: { status: 'completed', media_buys: [{ media_buy_id: id, status: 'active' }] },
    });
    const polled = await poll(server, task_id, { include_result: true });
    expect(polled).toMatchObject({
      task_type: 'update_media_buy',
      result: { media_buy_id: id, revision: 2, affected_packages: [{ package_id: line, budget: 2000 }] },
    });
    const buy = await shopper(server).read(id);
    expect(buy).toMatchObject({ revision: 2, total_budget: 2000 });
    expect(buy.history?.[0]).toMatchObject({ revision: 2, actor: 'buyer' });
  });

  test('leaves the buy alone when it is rejected', async () => {
    const { server, id, line, operator } = await running();
    const input = updateRequest(id, { packages: [{ package_id: line, budget: 2000 }] });
    const { task_id } = await submitted(server, 'update_media_buy', input);
    await decide(operator, task_id, REJECT);
    expect(await shopper(server).read(id)).toMatchObject({ revision: 1, total_budget: 1000 });
  });

  test('is refused in the end when the buy has changed since the revision that it names', async () => {
    const { server, id, line, operator } = await running();
    const input = updateRequest(id, { revision: 1, packages: [{ package_id: line, budget: 2000 }] });
    const { task_id } = await submitted(server, 'update_media_buy', input);
    await shopper(server).update(id, { paused: true });
    expect(await decide(operator, task_id, APPROVE)).toMatchObject({ body: { status: 'failed' } });
    expect(await poll(server, task_id)).toMatchObject({ error: { code: 'CONFLICT', field: 'revision' } });
  });

  test('asks nobody where it asks nothing more of the seller', async () => {
    const { server, id, line } = await running();
    const buyer = shopper(server);
    expect((await buyer.update(id, { packages: [{ package_id: line, budget: 1500 }] })).revision).toBe(2);
    await submitted(server, 'update_media_buy', updateRequest(id, { packages: [{ package_id: line, budget: 1501 }] }));
    expect((await buyer.update(id, { packages: [{ package_id: line, budget: 900 }] })).revision).toBe(3);
    expect((await buyer.update(id, { paused: true })).revision).toBe(4);
    expect((await buyer.update(id, { canceled: true })).status).toBe('canceled');
  });

  test('is announced in the actions of 3.1', async () => {
    const { server, id } = await running();
    const { payload } = await server.call('get_media_buys', { media_buy_ids: [id] }, { version: '3.1' });
    const [buy] = payload.media_buys as unknown as readonly { available_actions: { action: string; mode: string }[] }[];
    const modes = new Map(buy?.available_actions.map(({ action, mode }) => [action, mode]));
    expect(modes.get('increase_budget')).toBe('conditional_self_serve');
    expect(modes.get('add_packages')).toBe('conditional_self_serve');
    expect(modes.get('decrease_budget')).toBe('self_serve');
    expect(modes.get('cancel')).toBe('self_serve');
  });
});
