import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../../kit/boot.js';
import { createRequest } from '../../../kit/buyer.js';
import { tenantsFolder } from '../../../kit/tenants.js';

const BEARER = { requestInit: { headers: { authorization: 'Bearer sandbox-token' } } };

type ToolResult = {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
};

/** Finds, buys, repeats, reads the delivery of and fails to change a media buy with the SDK's client; returns each result. */
async function buyOnce(server: Booted): Promise<readonly ToolResult[]> {
  const client = new Client({ name: 'model', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url()), BEARER));
  const results: ToolResult[] = [];
  const call = async (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
    const result = (await client.callTool({ name, arguments: args })) as ToolResult;
    results.push(result);
    return result;
  };
  await call('get_adcp_capabilities', {});
  await call('get_products', { brief: 'run of site banners' });
  const request = createRequest();
  const { structuredContent: bought } = await call('create_media_buy', request);
  await call('create_media_buy', request);
  await call('get_media_buy_delivery', { media_buy_ids: [bought.media_buy_id] });
  await call('update_media_buy', { media_buy_id: bought.media_buy_id });
  await call('list_accounts', {});
  await client.close();
  return results;
}

describe('the second block of an answer over MCP', () => {
  test('says each answer in plain words where the tenant wants it, behind JSON that is the first as ever', async () => {
    const server = await boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { model_summary: true })) });
    const results = await buyOnce(server);
    const id = String(results[2]?.structuredContent.media_buy_id);
    for (const { content, structuredContent } of results)
      expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    const words = results.map(({ content }) => content[1]?.text.split('\n') ?? []);
    expect(words.map((lines) => [lines[0], lines.at(-1)])).toEqual([
      [expect.stringMatching(/^This agent serves media_buy/), expect.stringMatching(/^Next: get_products /)],
      [expect.stringMatching(/^Found \d+ products\.$/), expect.stringMatching(/^Next: create_media_buy /)],
      [expect.stringContaining(`Media buy ${id} is active, budget 1,000 USD`), expect.stringContaining(id)],
      [expect.stringContaining(`Media buy ${id} is active`), expect.stringContaining(id)],
      [expect.stringMatching(/^Delivery of 1 media buy/), expect.stringMatching(/^Next: /)],
      [expect.stringMatching(/^The call failed with INVALID_REQUEST/), expect.stringContaining('UUID')],
      [undefined, undefined],
    ]);
    expect(words[3]).toContainEqual(expect.stringMatching(/nothing was done again/));
    expect(results.map(({ content }) => content.length)).toEqual([2, 2, 2, 2, 2, 2, 1]);
    expect(results.map(({ isError }) => isError === true).indexOf(true)).toBe(5);
  });

  test('is not there unless the tenant says so', async () => {
    const results = await buyOnce(await boot());
    expect(results.map(({ content }) => content.length)).toEqual(results.map(() => 1));
  });
});
