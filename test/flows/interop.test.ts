import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import { type Booted, boot, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest } from '../kit/buyer.js';
import { type Buyer, buyAndChange } from '../kit/buying-flow.js';
import { operatorOf } from '../kit/operator.js';
import { shippedTenant, tenantsFolder, writeTenant } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';

type Connect = (server: Booted) => Promise<Buyer>;

const TOKEN = 'sandbox-token';
const BEARER = { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } };
const INFO = { name: 'interop', version: '1.0.0' };

/** What the two generations of SDK clients have in common. */
type SdkClient = {
  readonly callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<object>;
  readonly listTools: () => Promise<{ tools: { name: string }[] }>;
  readonly close: () => Promise<void>;
};

function buyerOf(client: SdkClient): Buyer {
  return {
    call: async (name, args) => {
      const result = (await client.callTool({ name, arguments: { ...args } })) as {
        structuredContent: Payload;
        isError?: boolean;
      };
      return result.isError === true
        ? { failed: result.structuredContent.code }
        : { payload: result.structuredContent };
    },
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    close: () => client.close(),
  };
}

async function connectV1(server: Booted): Promise<Buyer> {
  const client = new ClientV1(INFO);
  await client.connect(new TransportV1(new URL(server.url()), BEARER) as Parameters<typeof client.connect>[0]);
  return buyerOf(client);
}

/** The client of version 2 in its default mode, finding the newest revision by itself, or pinned to one. */
function connectV2(mode?: 'auto' | { readonly pin: string }): Connect {
  return async (server) => {
    const client = new ClientV2(INFO, mode === undefined ? {} : { versionNegotiation: { mode } });
    await client.connect(new TransportV2(new URL(server.url()), BEARER));
    return buyerOf(client);
  };
}

/** No MCP library at all: what a few lines of any language can do. */
async function connectFetch(server: Booted): Promise<Buyer> {
  const post = async (message: object, accept: string) => {
    const response = await fetch(server.url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
    return { status: response.status, headers: {}, text, json: (): unknown => JSON.parse(json) };
  };
  return {
    call: async (tool, args) => {
      const { payload, isError } = readAnswer(await post(toolCall(tool, args), 'application/json, text/event-stream'));
      return isError ? { failed: payload.code } : { payload };
    },
    tools: async () => {
      const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, '*/*');
      const { result } = answer.json() as { result: { tools: { name: string }[] } };
      return result.tools.map((tool) => tool.name);
    },
    close: async () => undefined,
  };
}

const CLIENTS: readonly (readonly [string, Connect])[] = [
  ['the SDK client of version 1', connectV1],
  ['the SDK client of version 2', connectV2()],
  ['the SDK client of version 2 that finds out by itself', connectV2('auto')],
  ['the SDK client of version 2 at revision 2026-07-28', connectV2({ pin: '2026-07-28' })],
  ['plain fetch', connectFetch],
];

describe.each(['adcp', 'proto'])('the protocol named %s', (name) => {
  test.each(CLIENTS)('%s buys, retries, changes and reads back', async (_what, connect) => {
    const server = await boot({ protocolName: name });
    const buyer = await connect(server);
    try {
      expect(await buyer.tools()).toContain(`get_${name}_capabilities`);
      await buyAndChange(buyer, name);
    } finally {
      await buyer.close();
    }
    expect(server.log).toEqual([]);
  });
});

describe('both names are read without configuration', () => {
  const own = boot();
  const neutral = boot({ protocolName: 'proto' });

  test.each([
    ['get_proto_capabilities', own],
    ['get_agent_capabilities', own],
    ['get_agent_capabilities', neutral],
  ])('%s answers like the capabilities task and is not listed', async (alias, booted) => {
    const server = await booted;
    const { payload, isError } = await server.call(alias);
    expect(isError).toBe(false);
    expect(payload).toMatchObject({ status: 'completed', idempotency: { supported: true } });
    const listed = (await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).text;
    expect(listed).not.toContain(alias);
  });

  test('an alias answers exactly what the listed name answers', async () => {
    const server = await own;
    const [listed, alias] = [await server.call('get_adcp_capabilities'), await server.call('get_proto_capabilities')];
    expect(alias.payload).toEqual(listed.payload);
  });

  test.each([
    ['authorization', `Bearer ${TOKEN}`, own],
    ['x-adcp-auth', TOKEN, own],
    ['x-proto-auth', TOKEN, own],
    ['x-proto-auth', TOKEN, neutral],
    ['x-proto-auth', `Bearer ${TOKEN}`, neutral],
  ])('a token in %s is read', async (header, value, booted) => {
    const server = await booted;
    const body = toolCall('list_accounts', {});
    const answer = readAnswer(await server.raw(body, { authorization: undefined, [header]: value }));
    expect(answer.payload.accounts.map((account) => account.account_id)).toEqual(['acct_sandbox']);
  });

  test.each([
    ['adcp_version', '3.1', own, { adcp_version: '3.1' }],
    ['proto_version', '3.1', own, { adcp_version: '3.1' }],
    ['proto_version', '3.0', own, { adcp_version: '3.0' }],
    ['proto_version', '3.1', neutral, { proto_version: '3.1' }],
    ['proto_version', '3.7', neutral, { proto_version: '3.1' }],
  ])('%s %s is served and told in the name that is set', async (field, value, booted, expected) => {
    const { payload } = await (await booted).call('get_products', { [field]: value });
    expect(payload).toMatchObject(expected);
  });

  test.each([
    ['adcp_version', '9.0', own],
    ['proto_version', '9.0', own],
    ['adcp_major_version', 9, own],
    ['proto_major_version', 9, own],
    ['proto_major_version', 9, neutral],
  ])('%s %s is refused with that field', async (field, value, booted) => {
    const { payload } = await (await booted).call('get_products', { [field]: value });
    expect(payload).toMatchObject({ code: 'VERSION_UNSUPPORTED', errors: [{ field }] });
  });

  test('the error object is named after the protocol', async () => {
    const wrong = createRequest({ packages: [] });
    expect((await (await own).call('create_media_buy', wrong)).payload).toHaveProperty('adcp_error.code');
    const { payload } = await (await neutral).call('create_media_buy', wrong);
    expect(payload).toHaveProperty('proto_error.code');
    expect(payload).not.toHaveProperty('adcp_error');
  });
});

test('a tenant may have a name of its own for the protocol', async () => {
  const tenants = tenantsFolder();
  writeTenant(tenants, { ...shippedTenant(), protocol: { name: 'proto' } }, 'neutral');
  const server = await boot({ tenants });
  const at = async (tenant: string) => {
    const { payload } = await server.call('get_agent_capabilities', {}, { tenant });
    return ['adcp', 'proto'].filter((name) => name in payload);
  };
  expect([await at('sales'), await at('neutral')]).toEqual([['adcp'], ['proto']]);
});

test('the public buyer client waits for a person, and learns what was decided', async () => {
  const tenants = tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] }));
  const server = await boot({ tenants });
  const operator = operatorOf(server);
  const { AgentClient } = await import('@adcp/sdk');
  const agent = { id: 'seller', name: 'Seller', agent_uri: server.url(), protocol: 'mcp', auth_token: TOKEN } as const;
  const client = new AgentClient(agent);
  const decided = async (decision: object) => {
    const answer = await client.createMediaBuy(createRequest() as Parameters<typeof client.createMediaBuy>[0]);
    expect(answer.status).toBe('submitted');
    const [waiting] = await operator.waiting();
    expect(waiting?.id).toBe(answer.submitted?.taskId);
    const outcome = answer.submitted?.waitForCompletion(20);
    await operator.post(`/approvals/${waiting?.id}`, decision);
    return outcome;
  };
  const approved = await decided({ decision: 'approve' });
  expect(approved).toMatchObject({ success: true, status: 'completed', data: { media_buy_id: expect.any(String) } });
  const rejected = await decided({ decision: 'reject', reason: 'No room.' });
  expect(rejected).toMatchObject({ success: false, error: expect.stringContaining('No room.') });
});
