import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { protocolNames } from '../../../../src/protocol/names.js';
import { PROMPTS } from '../../../../src/seller/http/mcp/prompts/table.js';
import { boot, rpc } from '../../../kit/boot.js';
import { createRequest, succeeded } from '../../../kit/buyer.js';
import { connectNew, MCP_CLIENTS } from '../../../kit/mcp-clients.js';
import { PROJECT } from '../../../kit/surroundings.js';
import { sandboxToken, tenantsFolder } from '../../../kit/tenants.js';

const server = await boot();
const sales = { url: server.url() };
const at = (tenant: string) => ({ url: server.url(tenant), token: sandboxToken(tenant) });

const completed = async (ref: object, argument: object, headers = {}) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'completion/complete', params: { ref, argument } };
  return rpc(await server.raw(message, headers));
};
const ofProduct = { type: 'ref/resource', uri: 'seller://products/{product_id}' };
const ofBuy = { type: 'ref/prompt', name: 'why_under_delivering' };

/** Every word of the sources that shape requests and answers. */
const WORDS = new Set(
  ['seller/tasks', 'seller/domain', 'seller/lifecycle', 'creative', 'protocol'].flatMap((room) =>
    readdirSync(path.join(PROJECT, 'src', room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => readFileSync(path.join(PROJECT, 'src', room, file), 'utf8').match(/[a-z][a-z_]+/g) ?? []),
  ),
);

describe.each(MCP_CLIENTS)('prompts over MCP, with %s', (_name, connect) => {
  it('are declared, listed, completed and filled in', async () => {
    const client = await connect(sales);
    expect(client.getServerCapabilities()).toMatchObject({ prompts: {}, completions: {} });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['plan_campaign', 'why_under_delivering', 'prepare_creatives']);
    const { messages } = await client.getPrompt({
      name: 'plan_campaign',
      arguments: { goal: 'Sell tents', budget: '20000 EUR' },
    });
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringMatching(/Goal: Sell tents\nBudget: 20000 EUR\n/) } },
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'plan_campaign' },
      argument: { name: 'channels', value: 'display, ct' },
    });
    expect(completion.values).toEqual(['display, ctv']);
  });

  it('that there are none of, or that lack something, are refused with what there is', async () => {
    const client = await connect(sales);
    for (const [asked, said] of [
      [{ name: 'buy_everything' }, /There are plan_campaign, /],
      [{ name: 'plan_campaign' }, /arguments\.goal is required/],
      [{ name: 'plan_campaign', arguments: { goal: 'x'.repeat(4001) } }, /at most 4000 characters/],
    ] as const)
      await expect(client.getPrompt(asked)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(said),
      });
  });
});

describe('a prompt', () => {
  it('is there where its tasks are, and is not declared where there are none', async () => {
    const names = async (tenant: string) => {
      const client = await connectNew(at(tenant));
      if (client.getServerCapabilities()?.prompts === undefined) return undefined;
      return (await client.listPrompts()).prompts.map(({ name }) => name);
    };
    expect(await names('creative')).toEqual(['prepare_creatives']);
    expect(await names('signals')).toEqual(['find_audience']);
    expect(await names('governance')).toBeUndefined();
  });

  it.each(['sales', 'creative', 'signals'])(
    'names tasks of the %s tenant and fields that there are',
    async (tenant) => {
      const client = await connectNew(at(tenant));
      const { tools } = await client.listTools();
      const called = new Set(tools.map(({ name }) => name));
      const { prompts } = await client.listPrompts();
      for (const { arguments: taken = [], name } of prompts) {
        const filled = Object.fromEntries(taken.map((argument) => [argument.name, 'ctv']));
        const { messages } = await client.getPrompt({ name, arguments: filled });
        const [message] = messages;
        const text = message?.content.type === 'text' ? message.content.text : '';
        const tasks = [...text.matchAll(/[Cc]all `(\w+)`/g)].map(([, task = '']) => task);
        expect(tasks.length).toBeGreaterThan(1);
        expect(tasks.filter((task) => !called.has(task))).toEqual([]);
        const fields = [...text.matchAll(/`(\w+)`/g)].map(([, field = '']) => field);
        expect(fields.filter((field) => !called.has(field) && !WORDS.has(field))).toEqual([]);
      }
    },
  );

  it('needs a credential, but for public tasks', async () => {
    const listing = { jsonrpc: '2.0', id: 1, method: 'prompts/list' };
    expect((await server.raw(listing, { authorization: undefined })).status).toBe(401);
    const open = await boot({
      tenants: tenantsFolder((tenant) => {
        tenant.public_tools = ['list_creative_formats'];
      }),
    });
    const nobody = { authorization: undefined };
    const { result } = rpc(await open.raw(listing, nobody));
    expect(result).toMatchObject({ prompts: [{ name: 'prepare_creatives' }] });
    const ref = { type: 'ref/prompt', name: 'prepare_creatives' };
    const asked = { ref, argument: { name: 'format_id', value: 'display' } };
    const answer = await open.raw({ jsonrpc: '2.0', id: 1, method: 'completion/complete', params: asked }, nobody);
    expect(rpc(answer).result).toMatchObject({ completion: { values: expect.arrayContaining([expect.any(String)]) } });
  });

  it('asks for what its row says', () => {
    expect(new Set(PROMPTS.map(({ name }) => name)).size).toBe(PROMPTS.length);
    for (const { arguments: taken, text } of PROMPTS) {
      const filled = Object.fromEntries(taken.map(({ name }) => [name, `<${name}>`]));
      const whole = text(filled, { names: protocolNames('adcp'), offers: () => true });
      for (const { name } of taken) expect(whole).toContain(`<${name}>`);
    }
  });
});

describe('completion', () => {
  it('shows products on sale, those that begin so first', async () => {
    const { result } = await completed(ofProduct, { name: 'product_id', value: 'TEST' });
    expect(result).toMatchObject({ completion: { values: ['test-product'], hasMore: false } });
    const all = await completed(ofProduct, { name: 'product_id', value: '' });
    expect(all.result).toMatchObject({ completion: { values: expect.arrayContaining(['test-product']) } });
  });

  it('shows media buys to their buyer alone', async () => {
    const { media_buy_id: id } = succeeded(await server.call('create_media_buy', createRequest()));
    const asked = { name: 'media_buy_id', value: String(id).slice(0, -1) };
    expect((await completed(ofBuy, asked)).result).toMatchObject({
      completion: { values: expect.arrayContaining([id]) },
    });
    const other = await completed(ofBuy, asked, { authorization: 'Bearer sandbox-token-2' });
    expect(other.result).toMatchObject({ completion: { values: [], total: 0 } });
  });

  it('knows the countries of the seller, and nothing of words that are free', async () => {
    const ref = { type: 'ref/prompt', name: 'plan_campaign' };
    expect((await completed(ref, { name: 'countries', value: 'd' })).result).toMatchObject({
      completion: { values: ['DE'] },
    });
    expect((await completed(ref, { name: 'goal', value: 'd' })).result).toMatchObject({ completion: { values: [] } });
    const long = { name: 'countries', value: 'd'.repeat(10_000) };
    expect((await completed(ref, long)).result).toMatchObject({ completion: { values: [] } });
  });

  it.each([
    [{ type: 'ref/prompt', name: 'none' }, { name: 'goal', value: '' }, /Unknown prompt/],
    [{ type: 'ref/resource', uri: 'seller://none/{id}' }, { name: 'id', value: '' }, /params\.ref/],
    [ofProduct, { name: 'media_buy_id', value: '' }, /There are product_id/],
    [ofProduct, { name: 'product_id' }, /params\.argument/],
    [{}, { name: 'product_id', value: '' }, /params\.ref/],
  ])('refuses %j with what there is', async (ref, argument, said) => {
    expect((await completed(ref, argument)).error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(said),
    });
  });
});
