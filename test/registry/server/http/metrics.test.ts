import { describe, expect, it } from 'vitest';
import { readSamples } from '../../../kit/metrics.js';
import { serveOrigins } from '../../../kit/origins.js';
import { bootRegistry } from '../../../kit/registry.js';

const DOMAIN = 'news.example';
const PREFIX = 'seller_agent_registry_';
const SAVE = {
  publisher_domain: 'saved.example',
  authorized_agents: [{ url: 'https://sales.example/mcp' }],
  properties: [{ type: 'website', name: 'Site', identifiers: [{ type: 'domain', value: 'saved.example' }] }],
};
const isShared = process.env.TEST_ENGINE === 'postgres';

describe('/metrics of a registry', () => {
  it('tells its store, its records, its feed and its crawls at the operator’s address alone', async () => {
    const registry = await bootRegistry({ service: { policy: { ownership: 'off', lookAlikes: 'off' } } });
    const before = await readSamples(registry);
    expect(before.get('process_start_time_seconds')).toBeGreaterThan(0);
    expect(before.get(`${PREFIX}records{kind="property"}`)).toBe(0);
    expect(before.has(`${PREFIX}feed_latest_seconds`)).toBe(false);
    const { token } = await registry.member('acme');
    expect((await registry.post('/api/properties/save', SAVE, token)).status).toBe(200);
    registry.clock.advance(60_000);
    const after = await readSamples(registry);
    expect(after.get(`${PREFIX}records{kind="property"}`)).toBe(1);
    expect(after.get(`${PREFIX}feed_latest_seconds`)).toBeGreaterThanOrEqual(60);
    expect(after.get(`${PREFIX}feed_oldest_seconds`)).toBeGreaterThanOrEqual(60);
    expect(after.get('seller_agent_store_transactions_total')).toBeGreaterThan(
      before.get('seller_agent_store_transactions_total') ?? 0,
    );
    expect(after.get('seller_agent_store_retries_total')).toBeGreaterThanOrEqual(0);
    expect(after.has(`${PREFIX}lag_seconds`)).toBe(false);
    expect((await registry.get('/metrics')).status).toBe(404);
  });

  it('counts the crawls that were asked for, and the age of what is due', async () => {
    const origins = await serveOrigins([DOMAIN]);
    const registry = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)) });
    const { token } = await registry.member('acme');
    const asked = await registry.post('/api/registry/crawl-request', { domain: DOMAIN }, token);
    expect(asked.status).toBe(202);
    await expect.poll(async () => (await readSamples(registry)).get(`${PREFIX}publishers_crawled`)).toBe(1);
    expect((await readSamples(registry)).get(`${PREFIX}crawls_due`)).toBe(0);
  });

  it(`tells ${isShared ? 'the connections to the database and what is not read yet' : 'nothing of a database server, where a file is the store'}`, async () => {
    const samples = await readSamples(await bootRegistry());
    const names = [...samples.keys()].filter((name) => /_database_|changes_behind/.test(name));
    if (!isShared) return expect(names).toEqual([]);
    expect(samples.get('seller_agent_database_connections{state="idle"}')).toBeGreaterThan(0);
    expect(samples.get(`${PREFIX}changes_behind`)).toBe(0);
  });
});
