import { describe, expect, it } from 'vitest';
import { JSON_HEADERS, toolCall } from '../kit/boot.js';
import { send } from '../kit/http.js';
import { startServe } from '../kit/process.js';

describe('the log of a server', () => {
  it('has one JSON line for each call and each refused request, with the id that goes in and comes out', async () => {
    const serving = await startServe();
    const url = `${serving.baseUrl}/sales/mcp`;
    const body = JSON.stringify(toolCall('get_products', { brief: 'video', buying_mode: 'brief' }));
    const ask = (headers: Readonly<Record<string, string>>) =>
      send(url, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body });
    const named = await ask({ 'x-request-id': 'trace-42' });
    const insane = await ask({ 'x-request-id': 'two words' });
    await ask({ authorization: 'Bearer wrong', 'x-request-id': 'stranger-1' });
    serving.child.kill('SIGTERM');
    const { stderr } = await serving.finished;
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(named.headers['x-request-id']).toBe('trace-42');
    expect(insane.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    expect(lines.filter(({ msg }) => msg === 'call')).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        request_id: 'trace-42',
        protocol: 'mcp',
        tenant: 'sales',
        principal: 'sandbox',
        task: 'get_products',
        code: 'ok',
        ms: expect.any(Number),
        replayed: false,
        msg: 'call',
      },
      expect.objectContaining({ request_id: insane.headers['x-request-id'] }),
    ]);
    expect(lines.filter(({ msg }) => msg === 'request refused')).toEqual([
      expect.objectContaining({ request_id: 'stranger-1', tenant: 'sales', status: 401, code: 'AUTH_INVALID' }),
    ]);
  });
});
