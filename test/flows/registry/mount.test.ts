import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistryServer } from '../../../src/registry/server/server.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { createServer } from '../../../src/seller/server.js';
import { send } from '../../kit/http.js';
import { readSamples } from '../../kit/metrics.js';
import { bootRegistry } from '../../kit/registry.js';
import { collectingLog, PROJECT, temporaryFolder } from '../../kit/surroundings.js';
import { SHIPPED_PATHS, tenantsFolder } from '../../kit/tenants.js';

describe('serve --registry', () => {
  it('serves the registry beside the tenants, and neither takes the place of the other', async () => {
    const dataDir = temporaryFolder();
    const settings = await resolveSettings({
      flags: { port: '0', data: dataDir },
      env: {},
      cwd: dataDir,
      packageRoot: PROJECT,
    });
    const server = await createServer({ settings, env: {}, registry: true, log: collectingLog([]) });
    const base = await server.listen();
    const get = async (at: string, headers = {}) => send(`${base}${at}`, { headers });
    expect((await get('/api')).json()).toMatchObject({ endpoints: { resolveBrand: 'GET /api/brands/resolve' } });
    expect((await get('/api', { origin: 'https://page.example' })).status).toBe(200);
    expect((await get('/readyz')).json()).toMatchObject({
      registry_store: { status: 'ok' },
      tenants: SHIPPED_PATHS,
    });
    expect((await get('/.well-known/adagents.json')).json()).toHaveProperty('authorized_agents');
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const tools = await send(`${base}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(list),
    });
    expect(tools.text).toContain('resolve_brand');
    expect((await get('/nothing')).status).toBe(404);
    const samples = await readSamples({ dataDir });
    expect(samples.get('seller_agent_tenants')).toBe(SHIPPED_PATHS.length);
    expect(samples.get('seller_agent_registry_records{kind="property"}')).toBe(0);
    const operator = JSON.parse(readFileSync(path.join(dataDir, 'operator.json'), 'utf8')) as {
      url: string;
      token: string;
    };
    const ask = (token: string) =>
      send(`${operator.url}/api/admin/organizations`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask(operator.token)).json()).toEqual({ organizations: [] });
    expect((await ask('wrong')).status).toBe(401);
    await server.close();
  });

  it('probes a seller of its own without a key, where the tenant lets strangers read capabilities', async () => {
    const dataDir = temporaryFolder();
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { public_tools: ['get_adcp_capabilities'] }));
    const flags = { port: '0', data: dataDir, tenants };
    const settings = await resolveSettings({ flags, env: {}, cwd: dataDir, packageRoot: PROJECT });
    const server = await createServer({
      settings: { ...settings, development: true },
      env: {},
      registry: true,
      log: collectingLog([]),
    });
    const base = await server.listen();
    const url = encodeURIComponent(`${base}/sales/mcp`);
    const found = await send(`${base}/api/public/discover-agent?url=${url}`);
    expect(found.status).toBe(200);
    expect(found.json()).toMatchObject({
      type: 'sales',
      protocols: ['mcp'],
      stats: { publisher_count: expect.any(Number) },
    });
    await server.close();
  });

  it('serves none without it', async () => {
    const dataDir = temporaryFolder();
    const settings = await resolveSettings({
      flags: { port: '0', data: dataDir },
      env: {},
      cwd: dataDir,
      packageRoot: PROJECT,
    });
    const server = await createServer({ settings, env: {}, log: collectingLog([]) });
    const base = await server.listen();
    expect((await send(`${base}/api`)).status).toBe(404);
    await server.close();
  });
});

describe('registry serve --mirror', () => {
  it('reads what the origin tells, serves it, and takes no writes', async () => {
    const origin = await bootRegistry({ service: { policy: { ownership: 'off' } } });
    const { token } = await origin.member('acme');
    const save = (name: string) =>
      origin.post(
        '/api/properties/save',
        { publisher_domain: 'acme.example', authorized_agents: [], properties: [{ type: 'website', name }] },
        token,
      );
    await save('News');
    const dataDir = temporaryFolder();
    const settings = await resolveSettings({
      flags: { port: '0', data: dataDir },
      env: {},
      cwd: dataDir,
      packageRoot: PROJECT,
    });
    const mirror = await createRegistryServer({
      settings,
      mirror: { url: origin.baseUrl, token },
      log: collectingLog([]),
      clock: origin.clock,
    });
    const base = await mirror.listen();
    const names = async (): Promise<readonly string[]> =>
      (await mirror.registry.store.read.property.page('', 10))
        .filter(({ status }) => status === 'active')
        .map(({ name }) => name);
    await mirror.tick();
    expect(await names()).toEqual(['News']);
    await save('Sports');
    origin.clock.advance(60_000);
    await mirror.tick();
    expect(await names()).toEqual(['Sports']);
    const refused = await send(`${base}/api/brands/save`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{}',
    });
    expect([refused.status, refused.json()]).toEqual([405, expect.objectContaining({ origin: origin.baseUrl })]);
    const { discovered_properties } = (await origin.get('/api/registry/stats')).json() as Record<string, number>;
    expect((await send(`${base}/api/registry/stats`)).json()).toMatchObject({ discovered_properties });
    await mirror.close();
  });
});
