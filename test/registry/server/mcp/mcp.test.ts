import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { REGISTRY_ROUTES } from '../../../../src/registry/server/routes/routes.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';

const BRAND = { domain: 'acme.example', brand_name: 'Acme' };

describe('/mcp', () => {
  let registry: BootedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await bootRegistry({ service: { policy: { ownership: 'off' } } });
    ({ token } = await registry.member('acme'));
    await registry.post('/api/brands/save', BRAND, token);
  });

  async function connect(bearer?: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${registry.baseUrl}/mcp`), { requestInit: { headers } }),
    );
    return client;
  }
  const call = (name: string, args: object, bearer?: string) =>
    registry.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, bearer);

  it('lists the reads of the table and none of the writes, to the official client', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('resolve_brand');
    expect(names).toHaveLength(REGISTRY_ROUTES.filter(({ tool }) => tool === true).length);
    expect(
      REGISTRY_ROUTES.filter(({ tool, auth }) => tool === true && (auth === 'member' || auth === 'admin')),
    ).toEqual([]);
    expect(tools.find(({ name }) => name === 'get_brand_history')?.inputSchema).toMatchObject({
      type: 'object',
      properties: { domain: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 100 } },
      required: ['domain'],
    });
    await client.close();
  });

  it('answers what REST answers', async () => {
    const client = await connect();
    const { structuredContent, isError } = await client.callTool({
      name: 'resolve_brand',
      arguments: { domain: 'acme.example' },
    });
    expect(isError).toBeFalsy();
    expect(structuredContent).toEqual((await registry.get('/api/brands/resolve?domain=acme.example')).json());
    const history = await client.callTool({
      name: 'get_brand_history',
      arguments: { domain: 'acme.example', limit: 5 },
    });
    expect(history.structuredContent).toMatchObject({ total: 1 });
    await client.close();
  });

  it.each([
    ['a domain that is none', 'resolve_brand', { domain: 'no domain' }, 'invalid_domain'],
    ['a missing argument', 'resolve_brand', {}, 'invalid_request'],
    ['an argument out of bounds', 'get_brand_history', { domain: 'acme.example', limit: 0 }, 'invalid_request'],
    ['a brand that is not there', 'resolve_brand', { domain: 'nobody.example' }, 'not_found'],
  ])('says what is wrong with %s, as a failed result', async (_what, name, args, code) => {
    const { result } = (await call(name, args)).json() as {
      result: { isError: boolean; structuredContent: { code: string } };
    };
    expect([result.isError, result.structuredContent.code]).toEqual([true, code]);
  });

  it('wants a token where REST wants one, and refuses a bad one anywhere', async () => {
    const open = await call('search_agent_profiles', {});
    expect(open.status).toBe(401);
    expect(open.headers['www-authenticate']).toContain('/.well-known/oauth-protected-resource/mcp');
    expect((await call('search_agent_profiles', {}, token)).status).toBe(200);
    expect((await call('resolve_brand', { domain: 'acme.example' }, 'sk_wrong')).status).toBe(401);
  });

  it('refuses what is no message', async () => {
    expect((await registry.post('/mcp', '{')).status).toBe(400);
    expect((await registry.post('/mcp', [])).status).toBe(400);
    expect((await registry.get('/mcp')).status).toBe(405);
    const unknown = (await call('save_brand', BRAND, token)).json() as { error: { code: number } };
    expect(unknown.error.code).toBe(-32602);
  });
});
