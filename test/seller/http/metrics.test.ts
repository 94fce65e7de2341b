import { describe, expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';
import { readSamples as samples } from '../../kit/metrics.js';
import { operatorOf } from '../../kit/operator.js';
import { SHIPPED, tenantsFolder } from '../../kit/tenants.js';

/** Tables whose dead rows are told. */
const HOT_TABLES = 5;

describe('/metrics', () => {
  it('tells the process, the store, webhooks and tasks, and nothing of a registry where none is configured', async () => {
    const server = await boot();
    const { call } = server;
    const before = await samples(server);
    expect(before.get('seller_agent_tenants')).toBe(SHIPPED.length);
    expect(before.get('seller_agent_webhooks{state="pending"}')).toBe(0);
    expect(before.get('seller_agent_webhooks{state="dead"}')).toBe(0);
    expect(before.get('process_start_time_seconds')).toBeGreaterThan(0);
    expect([...before.keys()].filter((name) => /registry|unauthorized|tasks_waiting/.test(name))).toEqual([]);
    succeeded(await call('create_media_buy', createRequest()));
    const after = await samples(server);
    expect(after.get('seller_agent_store_transactions_total')).toBeGreaterThan(
      before.get('seller_agent_store_transactions_total') ?? 0,
    );
    expect(after.get('seller_agent_store_retries_total')).toBeGreaterThanOrEqual(0);
  });

  it('counts what waits for a person, by kind, and stops when it was decided', async () => {
    const tenants = tenantsFolder((tenant) => {
      tenant.approvals = [{ tasks: ['create_media_buy'] }];
    });
    const server = await boot({ tenants });
    const waiting = async () => (await samples(server)).get('seller_agent_tasks_waiting{task_type="create_media_buy"}');
    const { status, task_id } = succeeded(await server.call('create_media_buy', createRequest()));
    expect([status, await waiting()]).toEqual(['submitted', 1]);
    await operatorOf(server).post(`/approvals/${task_id}`, { decision: 'approve' });
    expect(await waiting()).toBeUndefined();
  });

  it('counts calls by tenant, task and code, replays, and requests that were turned away', async () => {
    const server = await boot();
    const request = createRequest();
    succeeded(await server.call('create_media_buy', request));
    succeeded(await server.call('create_media_buy', request));
    await server.call('create_media_buy', { ...request, end_time: '2031-01-01T00:00:00Z' });
    await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { authorization: 'Bearer wrong' });
    await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { host: 'evil.example' });
    const found = await samples(server);
    const task = 'tenant="sales",task="create_media_buy"';
    expect([
      found.get(`seller_agent_calls_total{${task},code="ok"}`),
      found.get(`seller_agent_calls_total{${task},code="IDEMPOTENCY_CONFLICT"}`),
      found.get(`seller_agent_replays_total{${task}}`),
      found.get(`seller_agent_call_seconds_count{${task}}`),
      found.get('seller_agent_requests_refused_total{status="401",code="AUTH_INVALID"}'),
      found.get('seller_agent_requests_refused_total{status="403",code="FORBIDDEN_HOST"}'),
      found.get('seller_agent_build_info{version="0.0.0-test"}'),
      found.get('seller_agent_reload_successful'),
    ]).toEqual([2, 1, 1, 3, 1, 1, 1, 1]);
  });

  it('counts the webhooks that are still sent, and the age of the oldest', async () => {
    const server = await boot();
    const { call, clock } = server;
    const url = 'http://127.0.0.1:1/webhooks';
    const push_notification_config = { url, operation_id: 'op-1' };
    succeeded(
      await call('create_media_buy', createRequest({ push_notification_config, start_time: '2030-01-03T00:00:00Z' })),
    );
    clock.advance(1000);
    await server.server().tick();
    clock.advance(60_000);
    const found = await samples(server);
    expect(found.get('seller_agent_webhooks{state="pending"}')).toBeGreaterThan(0);
    expect(found.get('seller_agent_webhook_oldest_pending_seconds')).toBeGreaterThanOrEqual(60);
    await expect
      .poll(async () => (await samples(server)).get('seller_agent_webhook_attempts_total{result="connection_error"}'))
      .toBeGreaterThan(0);
  });

  const isShared = process.env.TEST_ENGINE === 'postgres';
  it(`tells ${isShared ? 'the connections, dead rows and oldest state of the database' : 'nothing of a database server, where a file is the store'}`, async () => {
    const server = await boot();
    succeeded(await server.call('create_media_buy', createRequest()));
    const names = [...(await samples(server)).entries()].filter(([name]) => name.includes('_database_'));
    if (!isShared) return expect(names).toEqual([]);
    // The database tells its statistics a moment later.
    await expect
      .poll(async () => [...(await samples(server)).keys()].filter((name) => name.includes('_dead_rows')).length)
      .toBe(HOT_TABLES);
    const found = await samples(server);
    expect(found.get('seller_agent_database_connections{state="idle"}')).toBeGreaterThan(0);
    expect(found.get('seller_agent_database_connections{state="waiting"}')).toBeGreaterThanOrEqual(0);
    expect(found.get('seller_agent_database_oldest_xmin_age')).toBeGreaterThanOrEqual(0);
  });
});
