import { describe, expect, it } from 'vitest';
import { APPS } from '../../../../src/seller/http/mcp/apps/table.js';
import { boot, rpc } from '../../../kit/boot.js';
import { connectNew, connectOld } from '../../../kit/mcp-clients.js';
import { sandboxToken, tenantsFolder } from '../../../kit/tenants.js';

const UI = 'io.modelcontextprotocol/ui';
const MEDIA_TYPE = 'text/html;profile=mcp-app';
const WITH_APPS = { extensions: { [UI]: { mimeTypes: [MEDIA_TYPE] } } };

const server = await boot();

type Tools = { readonly tools: readonly { readonly name: string; readonly _meta?: unknown }[] };

/** The apps by their tasks that a list of tools names. */
const named = ({ tools }: Tools) => tools.flatMap(({ _meta, name }) => (_meta === undefined ? [] : [[name, _meta]]));

/** The apps of a tenant, as the table has them. */
const rowsOf = ({ tools }: Tools) => APPS.filter(({ task }) => tools.some(({ name }) => name === task));

describe.each(['auto', 'legacy'] as const)('to a client that shows apps (%s)', (mode) => {
  it.each(['sales', 'creative'])('tools and resources of %s name them', async (tenant) => {
    const client = await connectNew({ url: server.url(tenant), token: sandboxToken(tenant) }, mode, WITH_APPS);
    const listed = await client.listTools();
    const rows = rowsOf(listed);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Map(named(listed) as [string, unknown][])).toEqual(
      new Map(rows.map(({ task, uri }) => [task, { ui: { resourceUri: uri } }])),
    );
    const { resources } = await client.listResources();
    const apps = resources.filter(({ uri }) => uri.startsWith('ui://'));
    expect(apps.map(({ uri }) => uri)).toEqual(rows.map(({ uri }) => uri));
    for (const { _meta, mimeType } of apps) {
      expect(mimeType).toBe(MEDIA_TYPE);
      expect(_meta).toEqual({ ui: { csp: {}, prefersBorder: true } });
    }
  });
});

describe('an app', () => {
  it('is one document that names no address to load anything from', async () => {
    const client = await connectNew({ url: server.url() }, 'auto', WITH_APPS);
    for (const { uri } of rowsOf(await client.listTools())) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType: MEDIA_TYPE, _meta: { ui: { csp: {} } } }]);
      const { text } = contents[0] as { text: string };
      expect(text).not.toMatch(/<link|src=|@import|url\(/);
      // What a script says may not end it.
      expect(text.match(/<\/script/g)).toHaveLength(1);
      expect(text.length).toBeLessThan(64 * 1024);
    }
  });

  it('is read by whoever may list tools, and by nobody else', async () => {
    const open = await boot({
      tenants: tenantsFolder((tenant) => Object.assign(tenant, { public_tools: ['get_products'] })),
    });
    const request = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: APPS[0]?.uri } };
    expect(rpc(await open.raw(request, { authorization: undefined })).result).toHaveProperty('contents');
    expect(await server.raw(request, { authorization: undefined })).toMatchObject({ status: 401 });
    await open.close();
  });
});

describe('a client that shows no apps', () => {
  it('reads not a byte of them, and has no session', async () => {
    const without = await connectNew({ url: server.url() });
    const old = await connectOld({ url: server.url() });
    for (const client of [without, old]) {
      expect(named(await client.listTools())).toEqual([]);
      expect((await client.listResources()).resources.filter(({ uri }) => uri.startsWith('ui://'))).toEqual([]);
    }
    const initialize = (capabilities: object) =>
      server.raw({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'test', version: '1' } },
      });
    for (const capabilities of [
      {},
      { extensions: { [UI]: {} } },
      { extensions: { [UI]: { mimeTypes: ['text/html'] } } },
    ])
      expect((await initialize(capabilities)).headers).not.toHaveProperty('mcp-session-id');
    expect((await initialize(WITH_APPS)).headers['mcp-session-id']).toMatch(/^apps-./);
  });
});
