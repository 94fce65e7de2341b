import { AgentClient } from '@adcp/sdk';
import { ClientFactory } from 'a2a-sdk/client';
import { describe, expect, it } from 'vitest';
import { a2aBuyer, dataOf } from '../../kit/a2a.js';
import { boot } from '../../kit/boot.js';
import { createRequest, freshKey, updateRequest } from '../../kit/buyer.js';

const server = await boot();
const buyer = a2aBuyer(server);
const other = a2aBuyer(server, { token: 'sandbox-token-2' });

describe('a skill that is called over A2A', () => {
  it('answers what the tool answers over MCP, as the data of a Task that is over', async () => {
    const input = { brief: 'sports', buying_mode: 'brief', context: { trace: 'a-1' } };
    const task = await buyer.call('get_products', input);
    const { payload } = await server.call('get_products', input);
    expect(task).toMatchObject({ kind: 'task', status: { state: 'completed', timestamp: '2030-01-01T00:00:00Z' } });
    expect(dataOf(task)).toEqual(payload);
  });

  it('sends a context back to the digit, under either name of the arguments', async () => {
    for (const name of ['input', 'parameters']) {
      const context = '{"big":12345678901234567890,"one":1.0,"__proto__":{"deep":1e400}}';
      const data = `{"skill":"get_media_buys","${name}":{"context":${context}}}`;
      const parts = `[{"kind":"text","text":"now"},{"kind":"data","data":${data}}]`;
      const answer = await buyer.raw(
        `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","messageId":"m","parts":${parts}}}}`,
      );
      expect(answer.text).toContain(`"context":${context}`);
    }
  });

  it('takes the name parameters that the clients of today send', async () => {
    const { result } = await buyer.rpc('message/send', {
      message: {
        kind: 'message',
        role: 'user',
        messageId: 'm',
        parts: [
          { kind: 'text', text: 'please' },
          { kind: 'data', data: { skill: 'get_products', parameters: { brief: 'sports' } } },
        ],
      },
    });
    expect(result?.status.state).toBe('completed');
  });

  it('buys once under a key, and says that the second answer is a repetition', async () => {
    const request = createRequest();
    const [first, second] = [
      await buyer.call('create_media_buy', request),
      await buyer.call('create_media_buy', request),
    ];
    expect(dataOf(second)).toMatchObject({ media_buy_id: dataOf(first).media_buy_id, replayed: true });
    const overMcp = await server.call('create_media_buy', request);
    expect(overMcp.payload).toMatchObject({ media_buy_id: dataOf(first).media_buy_id, replayed: true });
    const another = await buyer.call('create_media_buy', { ...request, end_time: '2030-02-28T00:00:00Z' });
    expect(another.status.state).toBe('failed');
    expect(dataOf(another)).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('fails as a Task with the error object that the tool answers over MCP', async () => {
    const request = createRequest({ packages: [{ product_id: 'nothing', budget: 1 }] });
    const task = await buyer.call('create_media_buy', request);
    const { payload } = await server.call('create_media_buy', { ...request, idempotency_key: freshKey() });
    expect(task.status.state).toBe('failed');
    expect(dataOf(task).adcp_error).toEqual(payload.adcp_error);
    const unknown = await buyer.call('no_such_skill');
    expect(dataOf(unknown)).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(/^Unknown tool/) });
  });

  it('says in words that the call is completed where the status in its data is that of a canceled buy', async () => {
    const bought = dataOf(await buyer.call('create_media_buy', createRequest()));
    const canceled = await buyer.call(
      'update_media_buy',
      updateRequest(String(bought.media_buy_id), { canceled: true }),
    );
    expect(canceled.status.state).toBe('completed');
    expect(canceled.artifacts?.[0]?.parts).toEqual([
      { kind: 'text', text: 'The call is completed; the media buy is canceled.' },
      { kind: 'data', data: expect.objectContaining({ status: 'canceled', media_buy_status: 'canceled' }) },
    ]);
  });

  it('answers in the context that the message names, in a new one where it names none', async () => {
    const task = await buyer.call('get_media_buys', {}, { message: { contextId: 'my-context' } });
    expect(task.contextId).toBe('my-context');
    const [one, two] = [await buyer.call('get_media_buys'), await buyer.call('get_media_buys')];
    expect(one.contextId).not.toBe(two.contextId);
  });
});

describe('a Task that is over', () => {
  it('is answered again, after a restart too, to its buyer alone', async () => {
    const made = await buyer.call('create_media_buy', createRequest({ context: { big: 12345678901234567000 } }));
    const failed = await buyer.call('create_media_buy', {});
    expect(await buyer.get(made.id)).toEqual(made);
    await server.restart();
    expect(await buyer.get(made.id)).toEqual(made);
    expect(await buyer.get(failed.id)).toEqual(failed);
    expect((await other.rpc('tasks/get', { id: made.id })).error).toMatchObject({ code: -32001 });
    expect((await buyer.rpc('tasks/cancel', { id: made.id })).error).toMatchObject({ code: -32002 });
  });

  it('goes when its principal has had two hundred more, or after a day', async () => {
    const seller = a2aBuyer(server, { token: 'demo-acme-outdoor-v1' });
    const first = await seller.call('get_adcp_capabilities');
    for (let count = 0; count < 199; count += 1) await seller.call('get_adcp_capabilities');
    expect((await seller.get(first.id)).id).toBe(first.id);
    const last = await seller.call('get_adcp_capabilities');
    expect((await seller.rpc('tasks/get', { id: first.id })).error).toMatchObject({ code: -32001 });

    server.clock.advance(24 * 3_600_000 + 1);
    const { store, clock } = server.server().app;
    await store.sweep(clock.now());
    expect((await seller.rpc('tasks/get', { id: last.id })).error).toMatchObject({ code: -32001 });
  }, 60_000);

  it('says of an answer that was too large to be kept that it was', async () => {
    const context = { long: 'x'.repeat(200_000), longer: 'ä'.repeat(40_000) };
    const task = await buyer.call('get_media_buys', { context });
    expect(dataOf(task).context).toEqual(context);
    const again = await buyer.get(task.id);
    expect(again.artifacts?.[0]?.parts).toEqual([
      { kind: 'text', text: expect.stringMatching(/too large to be kept/) },
    ]);
  });
});

describe('clients of others', () => {
  it('the one of @a2a-js/sdk finds the card and calls a skill in revision 1.0', async () => {
    const fetchImpl: typeof fetch = (url, init) =>
      fetch(url, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization: 'Bearer sandbox-token' },
      });
    const { JsonRpcTransportFactory } = await import('a2a-sdk/client');
    const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] } as never);
    const client = await factory.createFromUrl(`${server.baseUrl}/sales/`);
    const { Role, SendMessageRequest } = await import('a2a-sdk');
    const request = SendMessageRequest.fromJSON({
      message: {
        messageId: 'm-1',
        role: 'ROLE_USER',
        parts: [{ data: { skill: 'get_products', input: { brief: 'sports' } } }],
      },
    });
    expect(request.message?.role).toBe(Role.ROLE_USER);
    const task = await client.sendMessage(request);
    if (!('status' in task)) throw new Error('no Task');
    const [part] = task.artifacts[0]?.parts ?? [];
    expect(part?.content).toMatchObject({ $case: 'data', value: { status: 'completed', products: expect.any(Array) } });
    expect((await client.getTask({ id: task.id, tenant: '' } as never)).id).toBe(task.id);
  });

  it('the one of @adcp/sdk finds the card, reads products, buys, and reads an error and a refused credential', async () => {
    const agent = (auth_token: string) =>
      new AgentClient({
        id: 'seller',
        name: 'Seller',
        agent_uri: `${server.baseUrl}/sales/a2a`,
        protocol: 'a2a',
        auth_token,
      });
    const client = agent('sandbox-token');
    const products = await client.getProducts({ brief: 'sports', buying_mode: 'brief' });
    expect([products.success, products.status]).toEqual([true, 'completed']);
    const bought = await client.createMediaBuy(createRequest() as never);
    expect(bought).toMatchObject({ success: true, data: { media_buy_id: expect.any(String) } });
    const refused = await client.createMediaBuy(
      createRequest({ packages: [{ product_id: 'nothing', pricing_option_id: 'x', budget: 1 }] }) as never,
    );
    expect(refused).toMatchObject({ success: false, status: 'failed' });
    const stranger = await agent('no-such-token').getProducts({ brief: 'sports', buying_mode: 'brief' });
    expect(stranger.success).toBe(false);
    expect(stranger.error).toMatch(/auth/i);
  });
});
