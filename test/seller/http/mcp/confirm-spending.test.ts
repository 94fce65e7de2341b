import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { boot } from '../../../kit/boot.js';
import { createRequest, succeeded } from '../../../kit/buyer.js';
import { connectNew, connectOld } from '../../../kit/mcp-clients.js';

const server = await boot();
const sales = { url: server.url() };

/** A client whose person answers as told; it notes what they were asked. */
async function clientOf(answer: (message: string) => ElicitResult, mode: 'auto' | 'legacy' = 'auto') {
  const client = await connectNew(sales, mode, { elicitation: {} });
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
