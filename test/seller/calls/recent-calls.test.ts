import { describe, expect, it } from 'vitest';
import { Written } from '../../../src/platform/kernel/json/json.js';
import { type FinishedCall, RecentCalls } from '../../../src/seller/calls/recent-calls.js';
import { boot, toolCall } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';

function finished(changes: Partial<FinishedCall> = {}): FinishedCall {
  return {
    atMs: 0,
    ms: 1,
    requestId: 'r',
    protocol: 'mcp',
    tenant: 'sales',
    principal: 'acme',
    isSandbox: false,
    task: 'get_products',
    code: 'ok',
    isReplayed: false,
    args: { brief: 'shoes' },
    bytes: 20,
    answer: new Written('{"products":[]}'),
    ...changes,
  };
}

describe('the last calls', () => {
  it('are 500 that were answered and 500 that were refused, the newest', () => {
    const recent = new RecentCalls();
    for (let index = 0; index < 1700; index += 1)
      recent.add(finished({ atMs: index, code: index % 2 === 0 ? 'ok' : 'CONFLICT' }));
    const all = recent.list({ limit: 5000 });
    expect([all.length, all[0]?.at, all.at(-1)?.at]).toEqual([
      1000,
      '1970-01-01T00:00:01.699Z',
      '1970-01-01T00:00:00.700Z',
    ]);
    expect(recent.list({ failed: true, limit: 5000 })).toHaveLength(500);
  });

  it('take no more than 2 MiB each, and none of an answer that is long', () => {
    const recent = new RecentCalls();
    const text = JSON.stringify({ text: 'x'.repeat(16_000) });
    for (let index = 0; index < 400; index += 1) recent.add(finished({ atMs: index, answer: new Written(text) }));
    expect(recent.list({ limit: 500 }).length).toBeLessThan(131);
    recent.add(finished({ atMs: 1000, bytes: 50_000, answer: new Written(`"${'y'.repeat(20_000)}"`) }));
    expect(recent.list()[0]).toMatchObject({ arguments: '[50000 bytes]', answer: '[20002 bytes]' });
  });

  it('are found by buyer, task, code and request', () => {
    const recent = new RecentCalls();
    recent.add(finished({ requestId: 'one' }));
    recent.add(finished({ requestId: 'two', principal: 'nova', code: 'CONFLICT' }));
    const found = (filter: Parameters<RecentCalls['list']>[0]) => recent.list(filter).map((call) => call.request_id);
    expect([
      found({ principal: 'nova' }),
      found({ request_id: 'one' }),
      found({ code: 'CONFLICT' }),
      found({ tenant: 'none' }),
    ]).toEqual([['two'], ['one'], ['two'], []]);
  });
});

describe('a call over HTTP', () => {
  it('is kept with its request id, arguments without secrets, and answer', async () => {
    const server = await boot();
    const push_notification_config = {
      url: 'https://user:pass@buyer.example/hooks?sig=abc',
      authentication: { schemes: ['Bearer'], credentials: 'a-very-secret-credential-of-32-characters' },
    };
    const answer = await server.raw(toolCall('create_media_buy', createRequest({ push_notification_config })), {
      'x-request-id': 'buyer-7',
    });
    expect(answer.headers['x-request-id']).toBe('buyer-7');
    const [call] = server.server().app.calls.recent.list({ request_id: 'buyer-7' });
    expect(call).toMatchObject({ tenant: 'sales', task: 'create_media_buy', sandbox: true, protocol: 'mcp' });
    const shown = JSON.stringify(call);
    expect(shown).not.toMatch(/very-secret|user:pass|sig=abc/);
    expect(shown).toContain('[redacted]');
  });

  it('that is repeated under its key is marked as replayed, and one in conflict carries its code', async () => {
    const server = await boot();
    const request = createRequest();
    succeeded(await server.call('create_media_buy', request));
    succeeded(await server.call('create_media_buy', request));
    await server.call('create_media_buy', { ...request, end_time: '2031-01-01T00:00:00Z' });
    await server.call('get_nothing');
    const shown = server.server().app.calls.recent.list();
    expect(shown.map(({ code, replayed, task }) => [task, code, replayed]).reverse()).toEqual([
      ['create_media_buy', 'ok', false],
      ['create_media_buy', 'ok', true],
      ['create_media_buy', 'IDEMPOTENCY_CONFLICT', false],
      ['unknown', 'INVALID_REQUEST', false],
    ]);
  });
});
