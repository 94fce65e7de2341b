import { describe, expect, it, onTestFinished } from 'vitest';
import { startRelay } from '../../scripts/cluster/relay.mjs';
import { SECOND_MS } from '../../src/platform/kernel/clock.js';
import { readSamples } from '../kit/metrics.js';
import { freshDatabase } from '../kit/postgres.js';
import { bootRegistry } from '../kit/registry.js';

const AGENT = 'https://sales.example/mcp';
const save = (domain: string) => ({
  publisher_domain: domain,
  authorized_agents: [{ url: AGENT }],
  properties: [{ type: 'website', name: 'Site', identifiers: [{ type: 'domain', value: domain }] }],
});
const QUESTION = `agent_url=${encodeURIComponent(AGENT)}&identifier_type=domain&identifier_value=before.example`;
const LOOKUP = `/api/registry/validate/property-authorization?${QUESTION}`;

/** Starts a registry that reaches its database through a relay. */
async function bootBehindRelay() {
  const store = new URL(await freshDatabase());
  const relay = await startRelay({ port: Number(store.port) });
  store.port = String(relay.port);
  const registry = await bootRegistry({
    service: { policy: { ownership: 'off', lookAlikes: 'off' } },
    settings: { store: store.href },
  });
  onTestFinished(async () => {
    relay.restore();
    await registry.close();
    await relay.close();
  });
  return { registry, relay };
}

describe('a registry whose database is cut off', () => {
  it('answers 503 with the time to wait, looks up on, is not ready, and goes on by itself once it is back', async () => {
    const { registry, relay } = await bootBehindRelay();
    const { token } = await registry.member('acme');
    const saves = (domain: string) => registry.post('/api/properties/save', save(domain), token);
    const readiness = async (): Promise<number> => {
      registry.clock.advance(2 * SECOND_MS);
      return (await registry.get('/readyz')).status;
    };
    expect((await saves('before.example')).status).toBe(200);
    expect(await readiness()).toBe(200);
    const { text: found } = await registry.get(LOOKUP);
    expect(found).toContain('before.example');

    relay.cut();
    const refused = await saves('meanwhile.example');
    expect(refused.json()).toMatchObject({ code: 'unavailable', retry_after: 2 });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
    const feed = await registry.get('/api/registry/feed', token);
    expect([feed.status, feed.headers['retry-after']]).toEqual([503, '2']);
    expect((await registry.get(LOOKUP)).text).toBe(found);
    expect((await registry.get('/healthz')).status).toBe(200);
    expect(await readiness()).toBe(503);
    const samples = await readSamples(registry);
    expect(samples.has('seller_agent_database_oldest_xmin_age')).toBe(false);
    expect(samples.get('seller_agent_registry_records{kind="property"}')).toBe(1);

    relay.restore();
    await expect.poll(async () => (await saves('after.example')).status).toBe(200);
    await expect.poll(readiness).toBe(200);
    const { events } = (await registry.get('/api/registry/feed', token)).json() as {
      events: { payload: { domain?: string; publisher_domain?: string } }[];
    };
    const told = new Set(events.map(({ payload }) => payload.publisher_domain ?? payload.domain));
    expect([...told].toSorted()).toEqual(['after.example', 'before.example']);
    const errors = registry.log.filter(({ level }) => level === 'error');
    expect(errors.filter(({ text }) => !text.includes('the server is not ready'))).toEqual([]);
  });
});
