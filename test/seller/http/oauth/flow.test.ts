import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Booted, boot } from '../../../kit/boot.js';
import { send } from '../../../kit/http.js';
import { allowing, RememberingClient, Visitor } from '../../../kit/oauth.js';
import { tenantsFolder } from '../../../kit/tenants.js';

describe('signing in by OAuth', () => {
  let server: Booted;
  beforeAll(async () => {
    server = await boot({ ids: 'system', tenants: tenantsFolder((tenant) => Object.assign(tenant, { oauth: {} })) });
  });

  const open = (provider: RememberingClient) =>
    new StreamableHTTPClientTransport(new URL(server.url()), { authProvider: provider });
  const client = () => new Client({ name: 'test', version: '1' });

  /** Goes from 401 to tokens as an assistant does, with a person who answers the page. */
  async function signIn(fields = allowing('sandbox-token'), provider = new RememberingClient()) {
    const transport = open(provider);
    await expect(client().connect(transport)).rejects.toThrow('Unauthorized');
    const visitor = new Visitor();
    await visitor.open(String(provider.sentTo));
    expect(visitor.status, visitor.page).toBe(200);
    const question = visitor.page;
    const back = await visitor.submit(fields);
    expect(back, visitor.page).toBeDefined();
    const code = back?.searchParams.get('code') ?? '';
    await transport.finishAuth(code);
    return { provider, code, back, question };
  }

  it('an SDK client finds the server, registers, is let in by a key, and calls', async () => {
    const { provider, question } = await signIn();
    expect(question).toContain('Let Test assistant use');
    const connected = client();
    await connected.connect(open(provider));
    const { tools } = await connected.listTools();
    expect(tools.map(({ name }) => name)).toContain('get_products');
    const answer = await connected.callTool({
      name: 'get_products',
      arguments: { brief: 'video', buying_mode: 'brief' },
    });
    expect(answer.isError).not.toBe(true);
    await connected.close();
  });

  it('says in a 401 where the metadata are', async () => {
    const { headers, status } = await server.raw(
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { authorization: undefined },
    );
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(
      `Bearer realm="seller-agent", resource_metadata="${server.baseUrl}/.well-known/oauth-protected-resource/sales/mcp", scope="read buy"`,
    );
    const at = await send(`${server.baseUrl}/.well-known/oauth-protected-resource/sales/mcp`);
    expect(at.json()).toMatchObject({ resource: server.url(), authorization_servers: [server.baseUrl] });
  });
});
