import { beforeAll, describe, expect, it } from 'vitest';
import { type Origins, serveOrigins } from '../../kit/origins.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';

const DOMAIN = 'news.example';
const FILE = `https://${DOMAIN}/.well-known/adagents.json`;
const AGENT = 'https://sales.example/mcp';
const file = {
  formats: [{ format_option_id: 'banner', format_kind: 'image' }],
  authorized_agents: [
    { url: AGENT, authorized_for: 'all', authorization_type: 'property_ids', property_ids: ['site'] },
  ],
  properties: [
    { property_id: 'site', property_type: 'website', name: 'Site', identifiers: [{ type: 'domain', value: DOMAIN }] },
  ],
};
const saved = {
  publisher_domain: DOMAIN,
  authorized_agents: [{ url: AGENT }],
  properties: [
    { type: 'website', name: 'Saved site', identifiers: [{ type: 'domain', value: DOMAIN }] },
    { type: 'mobile_app', name: 'Saved app', identifiers: [{ type: 'bundle_id', value: 'com.news.app' }] },
  ],
};

describe('what a member contributed, and the publisher’s own file', () => {
  let origins: Origins;
  let registry: BootedRegistry;
  let token: string;

  const crawl = async (): Promise<void> => {
    registry.clock.advance(25 * 3_600_000);
    await registry.server().registry.crawler.crawl(DOMAIN);
  };
  const active = async (): Promise<readonly unknown[]> => {
    const { read } = registry.server().registry.store;
    const records = await read.property.ofPublisher(DOMAIN, '', 100);
    return records
      .filter(({ status }) => status === 'active')
      .map(({ name, source }) => `${source} ${name}`)
      .sort();
  };
  const ask = async (path: string) => (await registry.get(path)).json() as Record<string, never>;
  const appHolder = () =>
    registry.server().registry.index.isAuthorized({
      agent: AGENT,
      property: { type: 'bundle_id', value: 'com.news.app' },
      at: registry.clock.now(),
    }).reason;

  beforeAll(async () => {
    origins = await serveOrigins([DOMAIN, 'sales.example']);
    registry = await bootRegistry({
      resolve: new Map(Object.entries(origins.resolve)),
      service: { policy: { ownership: 'off', liveLookups: false } },
    });
    ({ token } = await registry.member('acme'));
    expect((await registry.post('/api/properties/save', saved, token)).status).toBe(200);
  });

  it('stands while the publisher says nothing', async () => {
    await crawl();
    expect(await active()).toEqual(['contributed Saved app', 'contributed Saved site']);
    expect(await ask('/api/registry/stats')).toMatchObject({
      discovered_properties: 2,
      properties_by_type: { website: 1, mobile_app: 1 },
    });
    expect(appHolder()).not.toBe('property_unknown');
  });

  it('gives way to the file when it appears, in records, index, listing and statistics alike', async () => {
    origins.put(FILE, file);
    await crawl();
    expect(await active()).toEqual(['authoritative Site']);
    const resolved = await ask(`/api/properties/resolve?domain=${DOMAIN}`);
    expect(resolved).toMatchObject({ source: 'adagents_json', properties: [{ name: 'Site' }] });
    expect(resolved.properties).toHaveLength(1);
    const publisher = await ask(`/api/registry/publisher?domain=${DOMAIN}`);
    expect(publisher.properties).toMatchObject([{ name: 'Site', source: 'adagents_json' }]);
    expect(publisher).toMatchObject({
      formats: [{ format_option_id: 'banner', format_kind: 'image' }],
      hosting: { mode: 'self', last_http_status: 200, last_bytes: JSON.stringify(file).length },
    });
    expect(publisher.authorized_agents).toMatchObject([{ url: AGENT, source: 'adagents_json', properties_total: 1 }]);
    registry.clock.advance(60_000);
    const stats = await ask('/api/registry/stats');
    expect(stats).toMatchObject({ discovered_properties: 1 });
    expect(stats.properties_by_type).toEqual({ website: 1 });
    expect(appHolder()).toBe('property_unknown');
  });

  it('and cannot come back beside it: a save is refused', async () => {
    expect((await registry.post('/api/properties/save', saved, token)).status).toBe(409);
    expect(await active()).toEqual(['authoritative Site']);
  });

  it('comes back when the publisher takes its file away', async () => {
    origins.put(FILE, undefined);
    await crawl();
    await crawl();
    expect(await ask(`/api/properties/resolve?domain=${DOMAIN}`)).toMatchObject({ source: 'hosted' });
    expect(await active()).toEqual(['contributed Saved app', 'contributed Saved site']);
    origins.put(FILE, file);
    await crawl();
    expect(await active()).toEqual(['authoritative Site']);
  });
});
