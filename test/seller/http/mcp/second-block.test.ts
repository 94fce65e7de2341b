import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { type Booted, boot, rpc } from '../../../kit/boot.js';
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
    const server = await boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { model_answers: true })) });
    const results = await buyOnce(server);
    const id = String(results[2]?.structuredContent.media_buy_id);
    for (const { content, isError, structuredContent } of results)
      if (isError !== true) expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    const words = results.map(({ content }) => content[1]?.text.split('\n') ?? []);
    expect(words.map((lines) => [lines[0], lines.at(-1)])).toEqual([
      [expect.stringMatching(/^This agent serves media_buy/), expect.stringMatching(/^Next: get_products /)],
      [expect.stringMatching(/^Found \d+ products\.$/), expect.stringMatching(/^Next: create_media_buy /)],
      [expect.stringContaining(`Media buy ${id} is active, budget 1,000 USD`), expect.stringContaining(id)],
      [expect.stringContaining(`Media buy ${id} is active`), expect.stringContaining(id)],
      [expect.stringMatching(/^Delivery of 1 media buy/), expect.stringMatching(/^Next: /)],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(words[3]).toContainEqual(expect.stringMatching(/nothing was done again/));
    expect(results.map(({ content }) => content.length)).toEqual([2, 2, 2, 2, 2, 1, 1]);
    expect(results.map(({ isError }) => isError === true).indexOf(true)).toBe(5);
  });

  test('is not there unless the tenant says so', async () => {
    const results = await buyOnce(await boot());
    expect(results.map(({ content }) => content.length)).toEqual(results.map(() => 1));
  });
});

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/call' };

/** Calls a task of the creative tenant and returns the result. */
async function ask(server: Booted, args: object, headers: Record<string, string>, name = 'list_creative_formats') {
  const answer = await server.raw({ ...LIST, params: { name, arguments: args } }, headers, 'creative');
  return rpc(answer).result as unknown as ToolResult;
}

describe('answers for language models', async () => {
  const server = await boot();
  const minimal = { prefer: 'return=minimal' };
  const bytesOf = ({ content }: ToolResult): number => Buffer.byteLength(content[0]?.text ?? '');
  type Formats = {
    readonly formats: readonly { readonly format_id: object }[];
    readonly pagination: { cursor?: string };
  };
  const formatsOf = ({ structuredContent }: ToolResult): Formats => structuredContent as unknown as Formats;

  test('come in pages of at most ten rows and 20 KB, which lead to all that there is', async () => {
    const whole = formatsOf(await ask(server, { pagination: { max_results: 100 } }, {}));
    const paged: object[] = [];
    let cursor: string | undefined;
    do {
      const page = await ask(server, cursor === undefined ? {} : { pagination: { cursor } }, minimal);
      expect(bytesOf(page)).toBeLessThanOrEqual(20_000);
      expect(formatsOf(page).formats.length).toBeLessThanOrEqual(10);
      paged.push(...formatsOf(page).formats);
      cursor = formatsOf(page).pagination.cursor;
      if (cursor !== undefined) expect(page.content[1]?.text).toContain(`pagination.cursor ${cursor}`);
    } while (cursor !== undefined);
    expect(paged.slice(0, 100)).toEqual(whole.formats);
    expect(paged.length).toBeGreaterThan(100);
  });

  test('hold as many rows as were asked for', async () => {
    const page = await ask(server, { pagination: { max_results: 40 } }, minimal);
    expect(formatsOf(page).formats).toHaveLength(40);
  });

  test('say a failure once: code, field, what is allowed and what was meant', async () => {
    const result = await ask(server, { type: 'vidio', context: { a: 1 } }, minimal);
    const said = JSON.parse(result.content[0]?.text ?? '');
    expect(result.content).toHaveLength(1);
    expect(said).toMatchObject({ status: 'failed', code: 'INVALID_REQUEST', field: 'type', context: { a: 1 } });
    expect(said.suggestion).toMatch(/^Did you mean "video"\? One of /);
    expect(Object.keys(said)).not.toEqual(expect.arrayContaining(['errors']));
    expect(Object.keys(said)).not.toEqual(expect.arrayContaining(['adcp_error']));
    expect(JSON.stringify(said).match(/INVALID_REQUEST/g)).toHaveLength(1);
    // Programs find it where they look for it.
    expect(result.structuredContent).toMatchObject({ adcp_error: { field: 'type' }, errors: [{ field: 'type' }] });
  });

  test.each([
    ['nothing', {}],
    ['another preference', { prefer: 'respond-async, return=representation' }],
  ])('are not for a request that says %s', async (_, headers) => {
    const result = await ask(server, {}, headers);
    expect(result.content).toHaveLength(1);
    expect(formatsOf(result).formats.length).toBeGreaterThan(10);
  });

  test('are nobody’s where the tenant says so', async () => {
    const never = await boot({
      tenants: tenantsFolder((tenant) => Object.assign(tenant, { model_answers: false }), 'creative'),
    });
    expect(await ask(never, {}, minimal)).toEqual(expect.objectContaining({ content: [expect.anything()] }));
  });
});
