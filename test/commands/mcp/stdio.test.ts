import path from 'node:path';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { APP_MEDIA_TYPE } from '../../../src/platform/mcp/apps.js';
import { afterUse } from '../../kit/after-use.js';
import { boot } from '../../kit/boot.js';
import { createRequest } from '../../kit/buyer.js';
import { CLI, runCli } from '../../kit/process.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';

const server = await boot();
const url = `${server.baseUrl}/sales/mcp`;
const UI = 'io.modelcontextprotocol/ui';
const identity = { name: 'test', version: '1' };

type Started = { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> };

/** How the command is started, as a client's settings file says it. */
const startOf = ({ args, env = {} }: Started) => ({
  command: process.execPath,
  args: [CLI, 'mcp', '--stdio', ...args],
  env: { PATH: process.env.PATH ?? '', ...env },
  stderr: 'ignore' as const,
  cwd: temporaryFolder(),
});

async function connectOld(started: Started, capabilities: object = {}) {
  const client = new OldClient(identity, { capabilities });
  await client.connect(new OldTransport(startOf(started)));
  afterUse(() => client.close());
  return client;
}

async function connectNew(started: Started, mode: 'auto' | 'legacy', capabilities = {}) {
  const client = new NewClient(identity, { versionNegotiation: { mode }, capabilities });
  await client.connect(new NewTransport(startOf(started)));
  afterUse(() => client.close());
  return client;
}

const remote: Started = { args: [], env: { SELLER_AGENT_URL: url, SELLER_AGENT_KEY: 'sandbox-token' } };
const brief = { name: 'get_products', arguments: { brief: 'connected TV sports' } };

describe('mcp --stdio', () => {
  it.each([
    ['the client of the older revisions', () => connectOld(remote)],
    ['the newer client, as it decides', () => connectNew(remote, 'auto')],
    ['the newer client in the older revision', () => connectNew(remote, 'legacy')],
  ])('carries lists and calls of %s to a running server', async (_name, connect) => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('create_media_buy');
    const [one, other] = await Promise.all([
      client.callTool(brief),
      client.callTool({ name: 'list_accounts', arguments: {} }),
    ]);
    expect(one.structuredContent).toMatchObject({ products: expect.any(Array) });
    expect(other.structuredContent).toMatchObject({ accounts: expect.any(Array) });
    await expect(client.callTool({ name: 'no_such_task', arguments: {} })).resolves.toMatchObject({ isError: true });
    const { contents } = await client.readResource({ uri: 'seller://products/test-product' });
    expect(contents).toMatchObject([{ text: expect.stringContaining('"product_id":"test-product"') }]);
  });

  it('speaks the newest revision with a client that knows it', async () => {
    const client = await connectNew(remote, 'auto');
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  });

  it.each(['auto', 'legacy'] as const)('carries a session of apps to a client that shows them (%s)', async (mode) => {
    const client = await connectNew(remote, mode, { extensions: { [UI]: { mimeTypes: [APP_MEDIA_TYPE] } } });
    const { tools } = await client.listTools();
    const shown = Object.fromEntries(
      tools.flatMap(({ _meta, name }) => (_meta === undefined ? [] : [[name, _meta.ui]])),
    );
    expect(shown).toEqual({
      get_products: { resourceUri: 'ui://seller-agent/products' },
      create_media_buy: { resourceUri: 'ui://seller-agent/buy' },
      get_media_buy_delivery: { resourceUri: 'ui://seller-agent/delivery' },
    });
    const { resources } = await client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('ui://'))).toHaveLength(3);
    const { contents } = await client.readResource({ uri: 'ui://seller-agent/products' });
    expect(contents).toMatchObject([{ mimeType: APP_MEDIA_TYPE, text: expect.stringContaining('<!doctype html>') }]);
  });

  it('carries prompts and completion, and declares nothing of what a connection would have to be told', async () => {
    for (const client of [await connectNew(remote, 'auto'), await connectNew(remote, 'legacy')]) {
      // No listChanged, and nothing to subscribe to.
      const { extensions: _extensions, ...core } = client.getServerCapabilities() ?? {};
      expect(core).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
      const { tools } = await client.listTools();
      expect(tools.every(({ _meta }) => _meta === undefined)).toBe(true);
      const { messages } = await client.getPrompt({ name: 'plan_campaign', arguments: { goal: 'sell shoes' } });
      expect(JSON.stringify(messages)).toContain('sell shoes');
      const ref = { type: 'ref/resource', uri: 'seller://products/{product_id}' } as const;
      const completed = await client.complete({ ref, argument: { name: 'product_id', value: 'test-p' } });
      expect(completed.completion.values).toContain('test-product');
    }
  });

  it('carries a call that a client of the older revision follows as a task, to its result', async () => {
    const { experimental } = await connectOld(remote, { tasks: {} });
    const told = [];
    for await (const message of experimental.tasks.callToolStream(brief, CallToolResultSchema, { task: {} }))
      told.push(message);
    expect(told.map(({ type }) => type)).toEqual(['taskCreated', 'taskStatus', 'result']);
    expect(told.at(-1)).toMatchObject({ result: { structuredContent: { products: expect.any(Array) } } });
  });

  it('carries the question before an order to the client, and what its user says', async () => {
    const client = await connectNew(remote, 'auto', { elicitation: {} });
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { confirm: true } };
    });
    const { structuredContent } = await client.callTool({ name: 'create_media_buy', arguments: createRequest() });
    expect(structuredContent).toMatchObject({ media_buy_id: expect.any(String) });
    expect(asked).toEqual([expect.stringContaining('Total: 1,000 USD')]);
  });

  it('takes address and key as flags, and hands on that a key is not valid', async () => {
    const client = await connectOld({ args: ['--url', url, '--key', 'sandbox-token'] });
    expect((await client.listTools()).tools).not.toEqual([]);
    await expect(connectOld({ args: ['--url', url, '--key', 'nonsense'] })).rejects.toThrow(/does not take this key/);
  });

  it('says that nobody answers at an address, and that something else does', async () => {
    const nobody = connectOld({ args: ['--url', 'http://127.0.0.1:9/sales/mcp'] });
    await expect(nobody).rejects.toThrow(/127\.0\.0\.1:9\/sales\/mcp does not answer/);
    const another = connectOld({ args: ['--url', `${server.baseUrl}/healthz`] });
    await expect(another).rejects.toThrow(/and no MCP; its path ends in \/mcp/);
  });

  it('starts a server of its own from the tenant files, which a second client shares', async () => {
    const args = ['--data', temporaryFolder(), '--tenants', path.join(PROJECT, 'tenants'), '--tenant', 'signals'];
    const first = await connectOld({ args });
    const second = await connectNew({ args }, 'auto');
    for (const client of [first, second]) {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('get_signals');
    }
  });

  it('answers all that it read before its input ended, a last line without an end too', async () => {
    const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: identity };
    const messages = [
      { id: 1, method: 'initialize', params: greeting },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: brief },
    ];
    const input = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n');
    const { code, stdout } = await runCli(['mcp', '--stdio', '--url', url, '--key', 'sandbox-token'], { input });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(answers.toSorted((one, other) => one.id - other.id)).toMatchObject([
      { id: 1, result: { protocolVersion: '2025-11-25' } },
      { id: 2, result: { tools: expect.any(Array) } },
      { id: 3, result: { structuredContent: { products: expect.any(Array) } } },
    ]);
  });

  it('ends with its client, and says what an address is like', async () => {
    const ended = await runCli(['mcp', '--stdio', '--url', url]);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    const refused = await runCli(['mcp', '--stdio', '--url', 'sales']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/is like https:/) });
  });
});
