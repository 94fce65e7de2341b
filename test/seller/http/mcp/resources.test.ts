import { UriTemplate } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../../src/seller/http/mcp/resources/table.js';
import { matchUri, templateOf } from '../../../../src/seller/http/mcp/resources/uri.js';
import { boot, rpc } from '../../../kit/boot.js';
import { createRequest, succeeded } from '../../../kit/buyer.js';
import { connectNew, MCP_CLIENTS } from '../../../kit/mcp-clients.js';
import { sandboxToken, tenantsFolder } from '../../../kit/tenants.js';

// biome-ignore lint/suspicious/noExplicitAny: answers of many tasks
type Any = any;

const server = await boot();
const sales = { url: server.url() };

const read = (uri: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });

async function textAt(uri: string, tenant = 'sales') {
  const client = await connectNew({ url: server.url(tenant), token: sandboxToken(tenant) });
  const { contents } = await client.readResource({ uri });
  expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }]);
  return JSON.parse((contents[0] as { text: string }).text);
}

describe.each(MCP_CLIENTS)('resources over MCP, with %s', (_name, connect) => {
  it('are declared, listed and read', async () => {
    const client = await connect(sales);
    expect(client.getServerCapabilities()?.resources).toEqual({});
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resources.map(({ uri }) => uri)).toContain('seller://products');
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('seller://products/{product_id}');
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(expect.any(Object));
    }
  });

  it('that there are none of are refused with what to read instead', async () => {
    const client = await connect(sales);
    for (const [uri, instead] of [
      ['seller://produts', /Did you mean seller:\/\/products\?/],
      ['seller://products/none', /Read seller:\/\/products for what there is/],
      ['seller://formats/none', /Read seller:\/\/formats/],
      ['seller://media-buys/none', /Read seller:\/\/media-buys/],
      ['seller://media-buys/none/delivery', /Read seller:\/\/media-buys/],
      ['file:///etc/passwd', /resources\/list and resources\/templates\/list/],
    ] as const) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        code: expect.toBeOneOf([-32002, -32602]),
        message: expect.stringMatching(instead),
        data: { uri },
      });
    }
  });
});

describe('a resource', () => {
  it('is what its task answers', async () => {
    const called = async (task: string, args: object) => succeeded(await server.call(task, args));
    expect(await textAt('seller://capabilities')).toEqual(await called('get_adcp_capabilities', {}));
    const pagination = { max_results: 10 };
    expect(await textAt('seller://products')).toEqual(
      await called('get_products', { buying_mode: 'wholesale', pagination }),
    );
    const { formats } = await called('list_creative_formats', { pagination });
    const format = formats[0] as Any;
    expect(await textAt(`seller://formats/${format.format_id.id}`)).toEqual(format);
    const { media_buy: block } = (await called('get_adcp_capabilities', {})) as Any;
    expect(await textAt('seller://policies')).toMatchObject({ portfolio: block.portfolio });
    expect(await textAt('seller://targeting')).toMatchObject({ execution: block.execution });
    expect(await textAt('seller://signals', 'signals')).toMatchObject({ signals: expect.any(Array) });
  });

  it('has further pages behind its cursor', async () => {
    const { pagination, products } = await textAt('seller://products');
    const next = await textAt(`seller://products?cursor=${encodeURIComponent(pagination.cursor)}`);
    expect(next.products.length).toBeGreaterThan(0);
    expect(next.products[0].product_id).not.toBe(products[0].product_id);
  });

  it('of a media buy is its buyer’s alone', async () => {
    const { media_buy_id: id } = succeeded(await server.call('create_media_buy', createRequest()));
    expect(await textAt(`seller://media-buys/${id}`)).toMatchObject({ media_buy_id: id, packages: [{}] });
    expect(await textAt(`seller://media-buys/${id}/delivery`)).toMatchObject({
      media_buy_deliveries: [{ media_buy_id: id }],
    });
    const other = await connectNew({ ...sales, token: 'sandbox-token-2' });
    await expect(other.readResource({ uri: `seller://media-buys/${id}` })).rejects.toThrow(/or it is not yours/);
  });

  it('is there where its task is', async () => {
    const uris = async (tenant: string) => {
      const { resources } = await (
        await connectNew({ url: server.url(tenant), token: sandboxToken(tenant) })
      ).listResources();
      return resources.map(({ uri }) => uri);
    };
    expect(await uris('creative')).toEqual(['seller://capabilities', 'seller://formats']);
    expect(await uris('signals')).toEqual(['seller://capabilities', 'seller://signals']);
    expect(await uris('governance')).toEqual(['seller://capabilities']);
  });

  it('wants a URI, and a credential', async () => {
    expect(rpc(await server.raw(read(7))).error).toMatchObject({ code: -32602 });
    expect(rpc(await server.raw(read(`seller://products/${'x'.repeat(5000)}`))).error).toMatchObject({ code: -32002 });
    expect((await server.raw(read('seller://products'), { authorization: undefined })).status).toBe(401);
    expect((await server.raw(read('seller://products'), { authorization: 'Bearer nonsense' })).status).toBe(401);
    const listing = { jsonrpc: '2.0', id: 1, method: 'resources/list', params: { cursor: 'x' } };
    expect(rpc(await server.raw(listing)).error).toMatchObject({ code: -32602 });
  });

  it('is taken off the budget of its task', async () => {
    const limited = await boot({
      tenants: tenantsFolder((tenant) => {
        Object.assign(tenant.policies as object, { rate_limits: { reads: { per_second: 1, burst: 1 } } });
      }),
    });
    const answers = await Promise.all(Array.from({ length: 12 }, () => limited.raw(read('seller://products'))));
    const refused = answers.map((answer) => rpc(answer).error).filter((error) => error !== undefined);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ code: -32000, data: { code: 'RATE_LIMITED' } });
  });
});

describe('resources for whoever has no key', async () => {
  const open = await boot({
    tenants: tenantsFolder((tenant) => {
      tenant.public_tools = ['get_products'];
    }),
  });
  const nobody = { authorization: undefined };

  it('are those of the public tasks', async () => {
    const listed = rpc(await open.raw({ jsonrpc: '2.0', id: 1, method: 'resources/list' }, nobody));
    expect(listed.result).toMatchObject({ resources: [{ uri: 'seller://products' }] });
    expect((await open.raw(read('seller://products/test-product'), nobody)).status).toBe(200);
    for (const uri of ['seller://capabilities', 'seller://media-buys', 'seller://media-buys/x/delivery', 'x'])
      expect([uri, (await open.raw(read(uri), nobody)).status]).toEqual([uri, 401]);
  });
});

describe('the URIs of resources', () => {
  it('are read as their templates are expanded', () => {
    const values = { product_id: 'ä/b ?c', format_id: 'x', media_buy_id: 'mb_1', cursor: 'a+b=' };
    for (const resource of RESOURCES) {
      const template = templateOf(resource);
      if (template === undefined) continue;
      const { variableNames } = new UriTemplate(template);
      const expected = Object.fromEntries(Object.entries(values).filter(([name]) => variableNames.includes(name)));
      expect(matchUri(resource, new UriTemplate(template).expand(values))).toEqual(expected);
    }
  });

  it.each([
    'seller://products/',
    'seller://products//',
    'seller://products/%zz',
    'seller://products?cursor=%',
    'seller://products?page=2',
    'seller://products/a?cursor=b',
    'seller://products/a/b',
    'SELLER://products',
  ])('are nothing else, such as %s', (uri) => {
    expect(RESOURCES.filter((resource) => matchUri(resource, uri) !== undefined)).toEqual([]);
  });

  it('are each told by one resource', () => {
    expect(new Set(RESOURCES.map(({ uri }) => uri)).size).toBe(RESOURCES.length);
    expect(new Set(RESOURCES.map(({ name }) => name)).size).toBe(RESOURCES.length);
  });
});
