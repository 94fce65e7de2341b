import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { boot } from '../../../../kit/boot.js';
import { createRequest, freshKey, succeeded, updateRequest } from '../../../../kit/buyer.js';
import { connectNew, connectOld } from '../../../../kit/mcp-clients.js';
import { HIGH_LTV, TRADE_DESK } from '../../../../kit/signals.js';
import { tenantsFolder } from '../../../../kit/tenants.js';

const server = await boot();
const sales = { url: server.url() };

/** A client whose person answers as told; it notes what they were asked. */
async function clientOf(answer: (message: string) => ElicitResult, mode: 'auto' | 'legacy' = 'auto', at = sales) {
  const client = await connectNew(at, mode, { elicitation: {} });
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return answer(params.message);
  });
  return { client, asked };
}

const order = (changes: object = {}) => ({ name: 'create_media_buy', arguments: createRequest(changes) });
const buys = async () =>
  succeeded(await server.call('get_media_buys', { status_filter: ['active', 'pending_start', 'pending_creatives'] }))
    .media_buys as readonly object[];

describe('an order of a client that can ask a person', () => {
  it('is made when they allow it, after they saw product, price and total', async () => {
    const { asked, client } = await clientOf(() => ({ action: 'accept', content: { confirm: true } }));
    const { structuredContent } = await client.callTool(order());
    expect(structuredContent).toMatchObject({ media_buy_id: expect.any(String) });
    expect(asked).toEqual([
      expect.stringMatching(
        /Buy from "[^"]+"\?\n- "Northlight run of site, display and video" \(test-product\), 5 USD cpm, 1,000 USD\nTotal: 1,000 USD, \d{4}-\d\d-\d\d to 2030-01-31\.\nThis is the sandbox/,
      ),
    ]);
  });

  it.each([
    ['decline', { action: 'decline' }],
    ['close the form', { action: 'cancel' }],
    ['leave it unticked', { action: 'accept', content: { confirm: false } }],
  ] as const)('is not made when they %s', async (_what, answer) => {
    const before = await buys();
    const { client } = await clientOf(() => answer);
    const { isError, structuredContent } = await client.callTool(order());
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await buys()).toEqual(before);
  });

  it('is asked about once: a repeated call has the answer that there was', async () => {
    const { asked, client } = await clientOf(() => ({ action: 'accept', content: { confirm: true } }));
    const again = order();
    const first = await client.callTool(again);
    const second = await client.callTool(again);
    expect(second.structuredContent).toMatchObject({
      media_buy_id: (first.structuredContent as { media_buy_id: string }).media_buy_id,
    });
    expect(asked).toHaveLength(1);
  });

  it('that would be refused is refused, and nobody is asked', async () => {
    const { asked, client } = await clientOf(() => ({ action: 'accept', content: { confirm: true } }));
    const { isError } = await client.callTool(
      order({ packages: [{ product_id: 'none', pricing_option_id: 'x', budget: 1 }] }),
    );
    expect(isError).toBe(true);
    expect(asked).toEqual([]);
  });

  it('is asked about anew where another one was allowed', async () => {
    const client = await connectNew(sales, 'auto', { elicitation: {} });
    const manual = { allowInputRequired: true } as const;
    const first = (await client.callTool(order(), manual)) as unknown as { readonly requestState: string };
    expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { confirm: {} } });
    const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
    const other = {
      ...order({ packages: [{ product_id: 'test-product', pricing_option_id: 'default', budget: 9000 }] }),
    };
    const second = await client.callTool(
      { ...other, inputResponses, requestState: first.requestState } as never,
      manual,
    );
    expect(second).toMatchObject({ resultType: 'input_required' });
    expect((second as unknown as { readonly requestState: string }).requestState).not.toBe(first.requestState);
  });
});

describe('other calls that spend, of a client that can ask a person', () => {
  const yes = () => ({ action: 'accept', content: { confirm: true } }) as const;

  it('a change is asked about where it costs more, with the budgets before and after', async () => {
    const { media_buy_id, packages } = succeeded(await server.call('create_media_buy', createRequest()));
    const line = packages[0]?.package_id ?? '';
    const { asked, client } = await clientOf(yes);
    const change = (changes: object) =>
      client.callTool({ name: 'update_media_buy', arguments: updateRequest(media_buy_id, changes) });
    expect((await change({ paused: true })).isError).not.toBe(true);
    expect((await change({ packages: [{ package_id: line, budget: 900 }] })).isError).not.toBe(true);
    expect(asked).toEqual([]);
    const more = await change({ packages: [{ package_id: line, budget: 2500 }] });
    expect(more.structuredContent).toMatchObject({ affected_packages: [{ budget: 2500 }] });
    expect(asked).toEqual([
      expect.stringContaining(`- ${line}: 2,500 USD instead of 900 USD\nTotal: 2,500 USD instead of 900 USD.\n`),
    ]);
  });

  it('a change that they do not allow changes nothing', async () => {
    const { media_buy_id, packages } = succeeded(await server.call('create_media_buy', createRequest()));
    const { client } = await clientOf(() => ({ action: 'decline' }));
    const raised = { packages: [{ package_id: packages[0]?.package_id, budget: 5000 }] };
    const refused = await client.callTool({
      name: 'update_media_buy',
      arguments: updateRequest(media_buy_id, raised),
    });
    expect(refused.structuredContent).toMatchObject({ code: 'PERMISSION_DENIED' });
    const { media_buys } = succeeded(await server.call('get_media_buys', { media_buy_ids: [media_buy_id] }));
    expect(media_buys[0]).toMatchObject({ revision: 1, total_budget: 1000 });
  });

  it('a signal is asked about by its price and destinations, and not when it is taken back', async () => {
    const { asked, client } = await clientOf(yes, 'auto', { url: server.url('signals') });
    const activate = (changes: object = {}) => {
      const request = { idempotency_key: freshKey(), ...HIGH_LTV, destinations: [TRADE_DESK], ...changes };
      return client.callTool({ name: 'activate_signal', arguments: request });
    };
    expect((await activate()).isError).not.toBe(true);
    const question =
      /^Activate ".+" \(prism_high_ltv\) of ".+"\?\n- the-trade-desk\nPrice: [\d,]+ USD, monthly\.\nThis is/;
    expect(asked).toEqual([expect.stringMatching(question)]);
    expect((await activate({ action: 'deactivate' })).isError).not.toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('a build is asked about by what it costs, once, and one that is free is not', async () => {
    const build = {
      message: 'Announce the spring sale of hiking boots with 20 % off.',
      brand: { domain: 'acme-outdoor.example' },
      target_format_id: { agent_url: 'https://creative.adcontextprotocol.org', id: 'display_300x250_image' },
      account: { account_id: 'acct_studio' },
    };
    const free = await clientOf(yes, 'auto', { url: server.url('creative') });
    expect((await free.client.callTool({ name: 'build_creative', arguments: build })).isError).not.toBe(true);
    expect(free.asked).toEqual([]);
    const tenants = tenantsFolder((tenant) => {
      tenant.build_prices = [{ pricing_option_id: 'po_build', unit_price: 0.4, currency: 'USD' }];
    }, 'creative');
    const dear = await clientOf(yes, 'auto', { url: (await boot({ tenants })).url('creative') });
    const { isError, structuredContent } = await dear.client.callTool({ name: 'build_creative', arguments: build });
    expect(isError, JSON.stringify(structuredContent)).not.toBe(true);
    expect(structuredContent).toMatchObject({ vendor_cost: 0.4 });
    expect(dear.asked).toEqual([
      expect.stringMatching(/^Have ".+" build 1 creative\?\nTotal: 0\.4 USD\.\nThis is the sandbox/),
    ]);
  });
});

describe('an order of any other client', () => {
  it('is made at once: nobody can be asked', async () => {
    for (const client of [
      await connectNew(sales),
      await connectOld(sales),
      (await clientOf(() => ({ action: 'decline' }), 'legacy')).client,
    ])
      expect((await client.callTool(order())).structuredContent).toMatchObject({ media_buy_id: expect.any(String) });
  });
});
