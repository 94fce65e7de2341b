import { describe, expect, it } from 'vitest';
import { type A2aAnswer, a2aBuyer, dataOf, rpcRequest, skillMessage } from '../../kit/a2a.js';
import { boot } from '../../kit/boot.js';
import { createRequest } from '../../kit/buyer.js';
import { tenantsFolder } from '../../kit/tenants.js';
import { post, signingContext } from '../../seller/http/signatures/signing-context.js';

const server = await boot({ settings: { maxBodyBytes: 2_000_000 } });
const buyer = a2aBuyer(server);
const stranger = a2aBuyer(server, { token: null });

const get = (path: string) => fetch(`${server.baseUrl}${path}`);

describe('a request of somebody without a credential', () => {
  it.each([
    ['no credential', null, 'Bearer realm="seller-agent"'],
    ['a credential that nobody has', 'nonsense', 'Bearer realm="seller-agent", error="invalid_token"'],
  ])(
    'is refused with %s, and the error object is in the data of the JSON-RPC error',
    async (_name, token, challenge) => {
      for (const [method, params] of [
        ['message/send', skillMessage('create_media_buy', createRequest())],
        ['tasks/get', { id: 'a' }],
        ['tasks/cancel', { id: 'a' }],
        ['tasks/pushNotificationConfig/set', { taskId: 'a', pushNotificationConfig: { url: 'https://a.example/' } }],
      ] as const) {
        const answer = await a2aBuyer(server, { token }).raw(rpcRequest(method, params));
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, expect.stringContaining(challenge)]);
        const { error, id } = answer.json() as A2aAnswer;
        expect(id).toBe(1);
        expect(error?.data).toMatchObject({ code: 'UNAUTHORIZED', adcp_error: { code: 'AUTH_REQUIRED' } });
      }
    },
  );

  it('is read no further than 64 KB', async () => {
    const answer = await stranger.raw(
      rpcRequest('message/send', skillMessage('get_products', { brief: 'x'.repeat(70_000) })),
    );
    expect(answer.status).toBe(413);
  });
});

describe('a body that is too much, or no request', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const message = (input: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","messageId":"m","parts":[{"kind":"data","data":{"skill":"get_products","input":{"brief":${input}}}}]}}}`;

  it.each([
    ['is larger than is read', message(`"${'x'.repeat(2_100_000)}"`), 413],
    ['is no JSON', '{"jsonrpc":', 400],
    ['is a batch', [rpcRequest('tasks/get', { id: 'a' })], 400],
    ['has no id', { jsonrpc: '2.0', method: 'tasks/get', params: { id: 'a' } }, 400],
    ['has no method', { jsonrpc: '2.0', id: 1 }, 400],
    ['is nested thousands of levels deep', message(nested(5000)), 400],
  ])('is refused when it %s', async (_name, body, status) => {
    expect((await buyer.raw(body)).status).toBe(status);
  });

  it.each([
    ['seventy levels of nesting', message(nested(70))],
    ['twenty thousand values', message(`[${'0,'.repeat(20_000)}0]`)],
    [
      'twenty thousand parts',
      rpcRequest('message/send', { message: { role: 'user', messageId: 'm', parts: Array(20_000).fill({}) } }),
    ],
    [
      'twenty thousand members beside the message',
      rpcRequest('message/send', { ...skillMessage('get_products'), metadata: { list: Array(20_000).fill(0) } }),
    ],
  ])('fails before anything walks it when it has %s', async (_name, body) => {
    const { error } = (await buyer.raw(body)).json() as A2aAnswer;
    expect(error).toMatchObject({ code: -32602, data: { adcp_error: { code: 'INVALID_REQUEST' } } });
  });

  it.each([
    ['no message', 'message/send', {}, 'params.message'],
    [
      'a message of an agent',
      'message/send',
      { message: { role: 'agent', messageId: 'm', parts: [{}] } },
      'params.message.role',
    ],
    ['no id of the message', 'message/send', { message: { role: 'user', parts: [{}] } }, 'params.message.messageId'],
    ['no parts', 'message/send', { message: { role: 'user', messageId: 'm', parts: [] } }, 'params.message.parts'],
    [
      'parts that are none',
      'message/send',
      { message: { role: 'user', messageId: 'm', parts: [1] } },
      'params.message.parts',
    ],
    [
      'a context that is no text',
      'message/send',
      { message: { role: 'user', messageId: 'm', parts: [{}], contextId: {} } },
      'params.contextId',
    ],
    ['an id of a task that is no text', 'tasks/get', { id: {} }, 'params.id'],
    ['an id of a task that is too long', 'tasks/cancel', { id: 'x'.repeat(300) }, 'params.id'],
  ])('is refused with its field when it has %s', async (_name, method, params, field) => {
    const { error } = await buyer.rpc(method, params);
    expect(error).toMatchObject({ code: -32602, data: { adcp_error: { code: 'INVALID_REQUEST', field } } });
  });

  it('fails as a Task when no part names a skill, whatever the parts are', async () => {
    for (const part of [
      { kind: 'text', text: 'buy!' },
      { kind: 'data', data: null },
      { kind: 'file', file: 7 },
      { kind: 'data', data: { skill: 7 } },
    ]) {
      const { result } = await buyer.rpc('message/send', { message: { role: 'user', messageId: 'm', parts: [part] } });
      expect(result?.status.state).toBe('failed');
      expect(result && dataOf(result)).toMatchObject({
        code: 'INVALID_REQUEST',
        adcp_error: { field: 'message.parts' },
      });
    }
  });

  it('is told what is not served: other methods, other tasks', async () => {
    const unserved = async (method: string, params: object) => (await buyer.rpc(method, params)).error?.code;
    expect(await unserved('tools/call', {})).toBe(-32601);
    expect(await unserved('tasks/resubscribe', { id: 'a' })).toBe(-32001);
    expect(await unserved('ListTasks', {})).toBe(-32004);
    expect(await unserved('agent/getAuthenticatedExtendedCard', {})).toBe(-32004);
    expect(await unserved('tasks/get', {})).toBe(-32001);
    expect(await unserved('message/send', skillMessage('get_products', {}, { message: { taskId: 'a' } }))).toBe(-32001);
    expect((await get('/sales/a2a')).status).toBe(405);
    expect((await buyer.raw(rpcRequest('tasks/get', { id: 'a' }), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await buyer.raw(rpcRequest('tasks/get', { id: 'a' }), { host: 'evil.example' })).status).toBe(403);
  });
});

describe('a caller who calls too often', () => {
  it('hears of it with the seconds to wait, in a Task where a skill is called', async () => {
    const rate = { per_second: 1, burst: 5 };
    const tenants = tenantsFolder((tenant) => {
      Object.assign(tenant, { policies: { rate_limits: { reads: rate, writes: rate } } });
    });
    const limited = a2aBuyer(await boot({ tenants }));
    for (let count = 0; count < 10; count += 1) await limited.rpc('tasks/get', { id: 'a' });
    const { error } = await limited.rpc('tasks/get', { id: 'a' });
    expect(error).toMatchObject({
      code: -32000,
      data: { adcp_error: { code: 'RATE_LIMITED', retry_after: expect.any(Number) } },
    });
    const task = await limited.call('get_products');
    expect(dataOf(task)).toMatchObject({ adcp_error: { code: 'RATE_LIMITED' } });
    expect((await limited.rpc('tasks/cancel', { id: task.id })).error).toMatchObject({ code: -32001 });
  });
});

describe('a request that is signed', () => {
  it('is let in by its signature alone, and refused where that does not hold or is missing', async () => {
    const { alice, server: signing } = await signingContext();
    const to = `${signing.baseUrl}/sales/a2a`;
    const order = createRequest({ account: { account_id: 'acct_alice' } });
    const message = rpcRequest('message/send', skillMessage('create_media_buy', order));
    const made = (await post(signing, alice, message, { to })).json() as A2aAnswer;
    expect(made.result && dataOf(made.result)).toMatchObject({ media_buy_id: expect.any(String) });
    const id = made.result?.id ?? '';
    expect(((await post(signing, alice, rpcRequest('tasks/get', { id }), { to })).json() as A2aAnswer).result?.id).toBe(
      id,
    );

    const changed = JSON.stringify(message).replace('acct_alice', 'acct_alicf');
    const refused = await post(signing, alice, message, { to, instead: changed });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringMatching(/^Signature error="/),
    ]);
    const unsigned = await a2aBuyer(signing, { token: null }).raw(message);
    expect(unsigned.headers['www-authenticate']).toMatch(/request_signature_required/);
  });
});
