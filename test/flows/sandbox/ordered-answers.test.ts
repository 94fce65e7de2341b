import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequestByKey, freshKey, KIT_TOKEN, succeeded } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { shopper } from '../../kit/shopper.js';
import { HIGH_LTV, TRADE_DESK } from '../../kit/signals.js';

const SIGNALS = { tenant: 'signals', token: KIT_TOKEN, version: '3.1' } as const;

describe('a search for signals that was ordered to take its time', () => {
  test('waits as a task, once, and is completed with the signals; the whole catalog is never a task', async () => {
    const server = await boot();
    const { arrange, run } = controllerOf(server, { tenant: 'signals', version: '3.1' });
    const call = async (tool: string, args: object) => succeeded(await server.call(tool, args, SIGNALS));
    await arrange('force_get_signals_arm', { arm: 'submitted', task_id: 'sig-1', message: 'Being modelled.' });
    expect(await run('force_get_signals_arm', { arm: 'input-required' })).toMatchObject({ error: 'INVALID_PARAMS' });
    expect((await call('get_signals', { discovery_mode: 'wholesale' })).status).toBe('completed');
    const spec = { signal_spec: 'in-market EV buyers' };
    const submitted = await call('get_signals', spec);
    expect(submitted).toMatchObject({ status: 'submitted', task_id: 'sig-1', message: 'Being modelled.' });
    if (hasSchemas('3.1'))
      expect(schemaJudge('3.1')('signals/get-signals-async-response-submitted', submitted)).toEqual([]);
    expect((await call('get_signals', spec)).status).toBe('completed');
    const wrong = { task_id: 'sig-1', result: { rows: 1 } };
    expect(await run('force_task_completion', wrong)).toMatchObject({
      error: 'INVALID_PARAMS',
      field: 'params.result',
    });
    const result = { signals: [] };
    await arrange('force_task_completion', { task_id: 'sig-1', result });
    const polled = await call('get_task_status', { task_id: 'sig-1', include_result: true });
    expect(polled).toMatchObject({ status: 'completed', task_type: 'get_signals', result });
    expect((await call('list_tasks', {})).tasks).toMatchObject([{ task_id: 'sig-1', domain: 'signals' }]);
  });
});

describe('an outage that was ordered', () => {
  test('fails the next reading call of the task, that of its principal alone', async () => {
    const server = await boot();
    const { arrange } = controllerOf(server);
    const down = { tool: 'get_products', upstream_name: 'inventory-service' };
    expect(await arrange('force_upstream_unavailable', down)).toMatchObject({
      previous_state: 'available',
      current_state: 'unavailable',
    });
    await server.restart();
    const buyer = shopper(server, 'kit');
    succeeded(await buyer.call('list_creative_formats', {}));
    succeeded(await server.call('get_products', { brief: 'ctv' }));
    const { payload, isError } = await buyer.call('get_products', { brief: 'ctv' });
    expect(isError).toBe(true);
    expect(payload.errors[0]).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      recovery: 'transient',
      retry_after: 5,
      details: { upstream: { name: 'inventory-service' } },
      suggestion: expect.stringContaining('Retry'),
    });
    succeeded(await buyer.call('get_products', { brief: 'ctv' }));
  });

  test.each([
    ['get_products', 'products', {}, { brief: 'ctv' }, { brief: 'audio' }],
    ['list_creative_formats', 'formats', {}, {}, { type: 'video' }],
    ['get_signals', 'signals', SIGNALS, { signal_spec: 'in-market EV buyers' }, { signal_spec: 'parents' }],
  ])(
    'of %s answers a question that was answered before as it was then, and says that it is old',
    async (tool, field, of, asked, other) => {
      const server = await boot();
      const { arrange } = controllerOf(server, { ...of, version: '3.1' });
      const call = (args: object) => server.call(tool, args, { token: KIT_TOKEN, version: '3.1', ...of });
      const before = succeeded(await call(asked)) as unknown as Readonly<Record<string, readonly object[]>>;
      const down = { tool, upstream_name: 'inventory-service' };
      await arrange('force_upstream_unavailable', down);
      server.clock.advance(90_000);
      const { payload, isError } = await call(asked);
      expect(isError).toBe(false);
      expect(payload).toMatchObject({ status: 'completed', [field]: before[field] });
      expect(payload.errors).toMatchObject([
        {
          code: 'STALE_RESPONSE',
          recovery: 'transient',
          field,
          details: { served_from_cache: true, cache_age_seconds: 90, upstream: { name: 'inventory-service' } },
        },
      ]);
      expect(succeeded(await call(asked))).not.toHaveProperty('errors');
      await arrange('force_upstream_unavailable', down);
      expect((await call(other)).payload.code).toBe('SERVICE_UNAVAILABLE');
    },
  );

  test('leaves nothing of an order behind: the same request under the same key goes through afterwards', async () => {
    const server = await boot();
    const { arrange } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    const earlier = createRequestByKey();
    succeeded(await buyer.call('create_media_buy', earlier));
    await arrange('force_upstream_unavailable', { tool: 'create_media_buy' });
    expect(succeeded(await buyer.call('create_media_buy', earlier)).replayed).toBe(true);
    expect(await buyer.refused('create_media_buy', createRequestByKey({ packages: [] }))).not.toBe(
      'SERVICE_UNAVAILABLE',
    );
    const request = createRequestByKey();
    expect(await buyer.refused('create_media_buy', request)).toBe('SERVICE_UNAVAILABLE');
    const all = ['pending_creatives', 'pending_start', 'active'];
    const count = async () => succeeded(await buyer.call('get_media_buys', { status_filter: all })).media_buys.length;
    expect(await count()).toBe(1);
    expect(succeeded(await buyer.call('create_media_buy', request)).replayed).toBeUndefined();
    expect(await count()).toBe(2);
  });

  test('is of every agent, and of a task that it has', async () => {
    const server = await boot();
    const { arrange, run } = controllerOf(server, { tenant: 'signals' });
    await arrange('force_upstream_unavailable', { tool: 'activate_signal' });
    const activation = { idempotency_key: freshKey(), ...HIGH_LTV, destinations: [TRADE_DESK] };
    const call = () => server.call('activate_signal', activation, SIGNALS);
    expect((await call()).payload.code).toBe('SERVICE_UNAVAILABLE');
    succeeded(await call());
    for (const tool of ['create_media_buy', 'comply_test_controller', '*'])
      expect(await run('force_upstream_unavailable', { tool })).toMatchObject({
        error: 'NOT_FOUND',
        field: 'params.tool',
      });
  });
});
