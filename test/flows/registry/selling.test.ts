import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { explainAuthorization } from '../../../src/commands/registry/explain.js';
import { publishFiles } from '../../../src/commands/registry/publish.js';
import { HOUR_MS, MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { resolveSettings, type Settings } from '../../../src/seller/config/settings.js';
import { type Booted, boot } from '../../kit/boot.js';
import { send } from '../../kit/http.js';
import { operatorOf } from '../../kit/operator.js';
import { type Origins, serveOrigins } from '../../kit/origins.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';
import { addLivePrincipal, LIVE_TOKEN, tenantsFolder, writeTenant } from '../../kit/tenants.js';

const { publishers: SHIPPED } = JSON.parse(readFileSync(path.join(PROJECT, 'tenants', 'publishers.json'), 'utf8')) as {
  publishers: { domain: string }[];
};
const PUBLISHERS = SHIPPED.map(({ domain }) => domain);
const CITYLOOP = 'https://cityloop.example/.well-known/adagents.json';

describe('a seller, its publishers and a registry', () => {
  /** The same pages for both, so that it is seen who asks. */
  let crawled: Origins;
  let origins: Origins;
  let registry: BootedRegistry;
  let seller: Booted;
  let settings: Settings;
  let all: readonly string[];
  const out = temporaryFolder();

  beforeAll(async () => {
    crawled = await serveOrigins(PUBLISHERS);
    origins = await serveOrigins(PUBLISHERS);
    registry = await bootRegistry({ resolve: new Map(Object.entries(crawled.resolve)) });
    const { token } = await registry.member('northlight');
    const tenants = tenantsFolder((tenant) => {
      addLivePrincipal(tenant);
      tenant.outbound = { resolve: origins.resolve };
    });
    writeTenant(tenants, { publishers: SHIPPED }, 'publishers');
    const use = { url: registry.baseUrl, token, maxStalenessMs: HOUR_MS, policy: 'refuse' } as const;
    seller = await boot({ tenants, ids: 'system', settings: { registry: use } });
    const flags = { data: seller.dataDir, tenants, baseUrl: seller.baseUrl };
    const resolved = await resolveSettings({ flags, env: {}, cwd: seller.dataDir, packageRoot: PROJECT });
    settings = { ...resolved, registry: use };
    // Judged once, so that it is known when publishers are asked again.
    await seller.server().tick();
    all = await offered('sandbox-token');
  });

  async function offered(token = LIVE_TOKEN): Promise<readonly string[]> {
    const { payload } = await seller.call('get_products', { buying_mode: 'wholesale' }, { token });
    return payload.products.map(({ product_id }) => product_id);
  }

  function put(...page: Parameters<Origins['put']>): void {
    crawled.put(...page);
    origins.put(...page);
  }

  const publish = () => publishFiles(settings, {}, { out, now: seller.clock.now() });

  /** Puts what was written where it belongs, as an upload would. */
  function upload(): void {
    for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
      const file = path.join(out, name);
      const headers = { 'content-type': name.endsWith('.json') ? 'application/json' : 'text/plain' };
      if (!statSync(file).isFile()) continue;
      put(`https://${name.split(path.sep).join('/')}`, { body: readFileSync(file), headers });
    }
  }

  /** Lets time pass for the seller. The first round may be one that was under way before. */
  async function pass(ms: number): Promise<void> {
    seller.clock.advance(ms);
    await seller.server().tick();
    seller.clock.advance(MINUTE_MS);
    await seller.server().tick();
  }

  it('the registry wants proof of a domain, and the proof lies beside the files to upload', async () => {
    const { ok, text } = await publish();
    expect(text).toMatch(/registry: wants proof that northlight\.example is yours[\s\S]*adcp-ownership\.txt/);
    expect(ok).toBe(false);
    expect(readdirSync(path.join(out, 'northlight.example', '.well-known')).sort()).toEqual([
      'adagents.json',
      'adcp-ownership.txt',
    ]);
  });

  it('once all is uploaded, every publisher is saved or read there, and its crawl asked for', async () => {
    upload();
    const { ok, text } = await publish();
    expect(text).not.toContain('was refused');
    expect(text).toMatch(/8 files, all served as they are here/);
    expect(ok).toBe(true);
    for (const domain of PUBLISHERS) {
      const { status } = await registry.get(`/api/properties/resolve?domain=${domain}`);
      expect([domain, status]).toEqual([domain, 200]);
    }
  });

  it('crawled and mirrored, everything may be sold, without asking a publisher', async () => {
    for (const domain of PUBLISHERS) await registry.server().registry.crawler.crawl(domain);
    const asked = origins.asked.length;
    await pass(MINUTE_MS);
    expect((await send(`${seller.baseUrl}/readyz`)).json()).toMatchObject({
      registry: { status: 'in_step', lag_seconds: expect.any(Number), unauthorized_products: 0 },
    });
    expect(await offered()).toEqual(all);
    expect(origins.asked).toHaveLength(asked);
    const { text } = await operatorOf(seller).get('/metrics');
    expect(text).toMatch(/\nseller_agent_registry_lag_seconds \d+\n/);
  });

  it('what a publisher takes back is taken over by the feed, and told', async () => {
    const file = JSON.parse(readFileSync(path.join(out, 'cityloop.example/.well-known/adagents.json'), 'utf8'));
    const [entry] = file.authorized_agents;
    put(CITYLOOP, {
      ...file,
      last_updated: new Date(registry.clock.now() + HOUR_MS).toISOString(),
      authorized_agents: [{ ...entry, property_tags: ['berlin_transit'] }],
    });
    registry.clock.advance(2 * HOUR_MS);
    await registry.server().registry.crawler.crawl('cityloop.example');
    await pass(2 * HOUR_MS);
    expect(all.filter((id) => id.startsWith('cityloop'))).toEqual([
      'cityloop_berlin_transit',
      'cityloop_new_york_billboards',
    ]);
    expect(await offered()).toEqual(all.filter((id) => id !== 'cityloop_new_york_billboards'));
    const now = seller.clock.now();
    const agent = seller.url();
    const of = (value: string) =>
      explainAuthorization(settings, {}, { agent, property: `venue_id:${value}@cityloop.example`, now });
    expect((await of('cityloop-us-nyc-billboard')).text).toMatch(/^no: /);
    expect((await of('cityloop-de-ber-transit')).ok).toBe(true);
  });

  it('after a restart it knows all that, warm and without asking anybody', async () => {
    const asked = origins.asked.length;
    await seller.restart();
    await pass(0);
    expect(await offered()).toEqual(all.filter((id) => id !== 'cityloop_new_york_billboards'));
    expect(origins.asked).toHaveLength(asked);
  });

  it('while the registry is away too long, the publishers are asked themselves', async () => {
    await registry.close();
    await pass(3 * HOUR_MS);
    const { registry: report } = (await send(`${seller.baseUrl}/readyz`)).json() as { registry: object };
    expect(report).toMatchObject({ status: 'stale', unauthorized_products: 1 });
    expect(await offered()).toEqual(all.filter((id) => id !== 'cityloop_new_york_billboards'));
    put('https://northlight.example/.well-known/adagents.json', undefined);
    await pass(2 * HOUR_MS);
    expect((await offered()).filter((id) => id.startsWith('northlight'))).toEqual([]);
  });
});
