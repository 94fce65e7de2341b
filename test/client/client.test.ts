import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createBuyerClient, TaskFailure } from '../../src/client/index.js';
import { CLIENT_TASKS } from '../../src/client/tasks.js';
import { TOOLS } from '../../src/seller/tasks/index.js';
import { afterUse } from '../kit/after-use.js';
import { boot } from '../kit/boot.js';
import { createRequest } from '../kit/buyer.js';

function clientOf(url: string, changes: object = {}) {
  const client = createBuyerClient({ url, token: 'sandbox-token', local: true, ...changes });
  afterUse(() => client.close());
  return client;
}

/** A server that answers these statuses and bodies, in turn, and the bodies that it was sent. */
async function startScripted(answers: readonly (readonly [status: number, payload?: object])[]) {
  const sent: { params: { name: string; arguments: Record<string, unknown> } }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const [status, payload] = answers[Math.min(sent.length, answers.length - 1)] ?? [500];
      sent.push(message);
      const isError = payload !== undefined && 'errors' in payload;
      const body = { jsonrpc: '2.0', id: message.id, result: { content: [], structuredContent: payload, isError } };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterUse(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, sent };
}

describe('the buyer client', () => {
  it('has a method for every task of the seller, and knows which ones change something', () => {
    const known = new Map(Object.values(CLIENT_TASKS).map(({ changes, task }) => [task as string, changes]));
    const tools = TOOLS.filter(({ sandboxOnly }) => sandboxOnly !== true).map(({ kind, name }) => [
      typeof name === 'string' ? name : 'get_adcp_capabilities',
      kind === 'mutation',
    ]);
    expect([...known].sort()).toEqual(tools.sort());
  });

  it('buys from a real seller under a key of its own, and the answers have their types', async () => {
    const server = await boot();
    const seller = clientOf(server.url());
    const { products } = await seller.getProducts({ buying_mode: 'wholesale' });
    expect(products.map(({ product_id }) => product_id)).toContain('test-product');
    const { idempotency_key: _without, ...order } = createRequest();
    const bought = await seller.createMediaBuy(order);
    const { media_buys } = await seller.getMediaBuys();
    expect(media_buys.map(({ media_buy_id }) => media_buy_id)).toEqual([bought.media_buy_id]);
    const { aggregated_totals } = await seller.getMediaBuyDelivery();
    expect(aggregated_totals.impressions).toBeGreaterThanOrEqual(0);
  });

  it('rejects with the code, field and suggestion of a refusal, and does not repeat it', async () => {
    const server = await boot();
    const failure = await clientOf(server.url())
      .createMediaBuy({ ...createRequest(), account: { account_id: 'nobody' } })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TaskFailure);
    expect(failure).toMatchObject({ code: 'ACCOUNT_NOT_FOUND', task: 'create_media_buy', isTransient: false });
    expect(server.server().app.calls.recent.list({ failed: true })).toHaveLength(1);
  });

  it('repeats what may succeed later, under the same key', async () => {
    const busy = { errors: [{ code: 'RATE_LIMITED', message: 'Too many.', retry_after: 0.01 }] };
    const { sent, url } = await startScripted([[503], [200, busy], [200, { media_buy_id: 'mb_1' }]]);
    const { media_buy_id } = await clientOf(url).createMediaBuy({ packages: [] });
    const keys = sent.map(({ params }) => params.arguments.idempotency_key);
    expect([media_buy_id, keys.length, new Set(keys).size]).toEqual(['mb_1', 3, 1]);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  });

  it('gives up after as many attempts as were asked for', async () => {
    const { sent, url } = await startScripted([[503]]);
    await expect(clientOf(url, { attempts: 2 }).getProducts()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(sent).toHaveLength(2);
  });

  it('registers its webhook with changing calls alone, and asks for its release', async () => {
    const { sent, url } = await startScripted([[200, { products: [] }]]);
    const webhook = { url: 'https://buyer.example/hooks', operation_id: 'op' };
    const client = clientOf(url, { webhook, version: '3.1' });
    await client.getProducts();
    await client.createMediaBuy();
    expect(sent.map(({ params: { arguments: args } }) => [args.adcp_version, args.push_notification_config])).toEqual([
      ['3.1', undefined],
      ['3.1', webhook],
    ]);
  });

  it('says of a wrong token that it is not known', async () => {
    const server = await boot();
    await expect(clientOf(server.url(), { token: 'wrong' }).getProducts()).rejects.toMatchObject({
      code: 'AUTH_INVALID',
    });
  });
});
