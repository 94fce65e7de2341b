import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishFiles } from '../../../src/commands/registry/publish.js';
import { HOUR_MS, MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest } from '../../kit/buyer.js';
import { send } from '../../kit/http.js';
import { operatorOf } from '../../kit/operator.js';
import { type Origins, serveOrigins } from '../../kit/origins.js';
import { schemaJudge } from '../../kit/schemas.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';
import {
  addLivePrincipal,
  LIVE_ACCOUNT,
  LIVE_TOKEN,
  shippedTenant,
  tenantsFolder,
  writeTenant,
} from '../../kit/tenants.js';
import { scripted } from '../../registry/client/scripted-registry.js';

const PUBLISHERS = [
  'northlight.example',
  'northlight-play.example',
  'stadtblick.example',
  'wavecrest-audio.example',
  'cityloop.example',
];
const STADTBLICK = 'https://stadtblick.example/.well-known/adagents.json';

/** What the registry knows of a brand. */
const BRAND = {
  canonical_id: 'acme',
  canonical_domain: 'acme.example',
  brand_name: 'Acme Registered',
  source: 'brand_json',
  brand_manifest: { url: 'https://shop.acme.example/', colors: { primary: '#123456' } },
};

/** A seller of five publishers, real origins for them, and a registry that only listens. */
async function openStory(policy: 'refuse' | 'warn' = 'refuse', dataDir = temporaryFolder()) {
  const origins = await serveOrigins(PUBLISHERS);
  const { heard, url } = await scripted(({ url: asked }) => ({
    body: asked.startsWith('/api/brands/resolve')
      ? BRAND
      : asked.startsWith('/api/adagents/validate')
        ? { success: true, data: { domain: '', found: true, validation: { valid: true } }, timestamp: '' }
        : { success: true, message: `took ${asked}`, id: '1', domain: '' },
    ...(asked === '/api/registry/crawl-request' ? { status: 202 } : {}),
    // It has no feed: the publishers are asked themselves.
    ...(asked.startsWith('/api/registry/feed') ? { status: 503, headers: { 'retry-after': '3600' } } : {}),
  }));
  const tenants = tenantsFolder((tenant) => {
    addLivePrincipal(tenant);
    tenant.outbound = { resolve: origins.resolve };
  });
  writeTenant(tenants, shippedTenant('creative'), 'creative');
  copyPublishers(tenants);
  const registry = { url, token: 'sk_test', maxStalenessMs: HOUR_MS, policy } as const;
  const seller = await boot({ tenants, dataDir, settings: { registry } });
  const flags = { data: seller.dataDir, tenants, baseUrl: seller.baseUrl };
  const settings = await resolveSettings({ flags, env: {}, cwd: seller.dataDir, packageRoot: PROJECT });
  return { heard, origins, seller, settings: { ...settings, registry }, out: temporaryFolder() };
}

type Story = Awaited<ReturnType<typeof openStory>>;

function copyPublishers(folder: string): void {
  const shipped: object = JSON.parse(readFileSync(path.join(PROJECT, 'tenants', 'publishers.json'), 'utf8'));
  writeTenant(folder, shipped, 'publishers');
}

function publish({ out, seller, settings }: Story, offline = false) {
  return publishFiles(settings, {}, { out, offline, now: seller.clock.now() });
}

/** Puts what was written where it belongs, as an upload would. */
function upload({ origins, out }: Story): void {
  for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(out, name);
    if (statSync(file).isFile()) origins.put(`https://${name.split(path.sep).join('/')}`, { body: readFileSync(file) });
  }
}

async function offered({ seller }: Story, token = LIVE_TOKEN): Promise<readonly string[]> {
  const { payload } = await seller.call('get_products', { buying_mode: 'wholesale' }, { token });
  return payload.products.map(({ product_id }) => product_id);
}

async function readiness({ seller }: Story): Promise<unknown> {
  return (await send(`${seller.baseUrl}/readyz`)).json();
}

async function metric({ seller }: Story, name: string): Promise<readonly string[]> {
  const { text } = await operatorOf(seller).get('/metrics');
  return text.split('\n').filter((line) => line.startsWith(name));
}

const order = () =>
  createRequest({
    account: { account_id: LIVE_ACCOUNT },
    packages: [{ product_id: 'test-product', pricing_option_id: 'default', budget: 5000 }],
  });

describe('publishing who may sell', () => {
  let story: Story;
  let all: readonly string[];

  beforeAll(async () => {
    story = await openStory();
    await story.seller.server().tick();
    all = await offered(story, 'sandbox-token');
  });

  it('while nobody has published anything, nothing is sold to real buyers, and sandboxes see everything', async () => {
    expect(all).toHaveLength(17);
    expect(await offered(story)).toEqual([]);
    const { payload, isError } = await story.seller.call('create_media_buy', order(), { token: LIVE_TOKEN });
    expect([isError, payload.errors[0]?.code]).toEqual([true, 'PRODUCT_NOT_FOUND']);
    expect(await readiness(story)).toMatchObject({
      status: 'ready',
      registry: { status: 'never_in_step', lag_seconds: null, policy: 'refuse', unauthorized_products: 17 },
    });
    expect(await metric(story, 'seller_agent_unauthorized_products')).toEqual([
      'seller_agent_unauthorized_products 17',
    ]);
    expect(await metric(story, 'seller_agent_registry_lag_seconds')).toEqual([]);
    expect(story.seller.log.filter(({ text }) => text.includes('do not authorize this agent'))).toHaveLength(1);
  });

  it('offline, the files are written and nobody is asked', async () => {
    const before = story.origins.asked.length;
    const { ok, text } = await publish(story, true);
    expect(text).toMatch(/8 files written\. Nobody was asked/);
    expect([ok, story.origins.asked.length]).toEqual([true, before]);
    const judge = schemaJudge('3.0');
    for (const domain of PUBLISHERS) {
      const file = path.join(story.out, domain, '.well-known', 'adagents.json');
      expect([domain, judge('adagents', JSON.parse(readFileSync(file, 'utf8')))]).toEqual([domain, []]);
    }
  });

  it('it says what every domain lacks, and fails', async () => {
    const { ok, text } = await publish(story);
    expect(ok).toBe(false);
    for (const domain of PUBLISHERS) expect(text).toContain(`not served: ${domain}: there is no adagents.json`);
    expect(text).toMatch(/5 of 8 files need work/);
  });

  it('once the files are uploaded it has nothing to say, and tells the registry', async () => {
    upload(story);
    const before = story.heard.length;
    const { ok, text } = await publish(story);
    expect(text).toMatch(/8 files, all served as they are here/);
    expect(ok).toBe(true);
    const announced = story.heard
      .slice(before)
      .filter(({ method }) => method === 'POST')
      .map(({ body, headers, url }) => [url, headers.authorization, JSON.parse(body)]);
    expect(announced.slice(0, 3)).toEqual([
      ['/api/adagents/validate', undefined, { domain: 'northlight.example' }],
      ['/api/properties/save', 'Bearer sk_test', expect.objectContaining({ publisher_domain: 'northlight.example' })],
      ['/api/registry/crawl-request', 'Bearer sk_test', { domain: 'northlight.example' }],
    ]);
    expect(announced).toHaveLength(15);
  });

  it('everything is sold as soon as the publishers are read again', async () => {
    expect(await offered(story)).toEqual([]);
    story.seller.clock.advance(6 * MINUTE_MS);
    await story.seller.server().tick();
    expect(await offered(story)).toEqual(all);
    const { isError } = await story.seller.call('create_media_buy', order(), { token: LIVE_TOKEN });
    expect(isError).toBe(false);
  });

  it('a publisher that takes its word back takes its products back, the others go on', async () => {
    const served = JSON.parse(
      readFileSync(path.join(story.out, 'stadtblick.example/.well-known/adagents.json'), 'utf8'),
    );
    story.seller.clock.advance(2 * HOUR_MS);
    const rival = {
      ...served.authorized_agents[0],
      url: 'https://rival.example/mcp',
    };
    story.origins.put(STADTBLICK, { ...served, authorized_agents: [rival], last_updated: story.seller.clock.iso() });
    await story.seller.server().tick();
    expect(all.filter((id) => id.startsWith('stadtblick'))).toHaveLength(2);
    expect(await offered(story)).toEqual(all.filter((id) => !id.startsWith('stadtblick')));
    expect(await offered(story, 'sandbox-token')).toEqual(all);
    expect(await metric(story, 'seller_agent_unauthorized_products')).toEqual(['seller_agent_unauthorized_products 2']);
    const { ok, text } = await publish(story);
    expect(ok).toBe(false);
    expect(text).toMatch(/\+ \/authorized_agents\/0 .*\n.*- \/authorized_agents\/0 .*rival\.example/);
    expect(text).toContain('other_agents');
  });

  it('a publisher that is down for a while is still taken at its last word', async () => {
    upload(story);
    story.seller.clock.advance(2 * HOUR_MS);
    await story.seller.server().tick();
    expect(await offered(story)).toEqual(all);
    // Last read now, so that the day begins here.
    story.origins.put(STADTBLICK, { body: 'busy', status: 503 });
    story.seller.clock.advance(2 * HOUR_MS);
    await story.seller.server().tick();
    expect(await offered(story)).toEqual(all);
    story.seller.clock.advance(25 * HOUR_MS);
    await story.seller.server().tick();
    expect(await offered(story)).toEqual(all.filter((id) => !id.startsWith('stadtblick')));
  });

  it('a buyer’s brand is looked up at the registry, not at its own site', async () => {
    const before = story.heard.length;
    const args = {
      message: 'Spring sale',
      brand: { domain: 'acme.example' },
      target_format_id: { agent_url: story.seller.url('creative'), id: 'display_300x250_image' },
    };
    const { payload } = await story.seller.call('build_creative', args, { tenant: 'creative' });
    const { assets } = payload.creative_manifest as { assets: Record<string, { url: string }> };
    expect(assets.click_url?.url).toBe('https://shop.acme.example/');
    const asked = story.heard.slice(before).map(({ url }) => url);
    expect(asked.filter((url) => url.includes('brands'))).toEqual(['/api/brands/resolve?domain=acme.example']);
  });

  it('a restart forgets what was read, and reads it again', async () => {
    upload(story);
    await story.seller.restart();
    await story.seller.server().tick();
    expect(await offered(story)).toEqual(all);
  });
});

describe('by the policy "warn"', () => {
  it('everything is sold, and the log says what is not authorized', async () => {
    const story = await openStory('warn');
    await story.seller.server().tick();
    expect(await offered(story)).toHaveLength(17);
    expect(story.seller.log.filter(({ text }) => text.includes('sold all the same'))).toHaveLength(1);
    expect(await readiness(story)).toMatchObject({ registry: { policy: 'warn', unauthorized_products: 17 } });
  });
});

describe('with a copy that cannot be opened', () => {
  it('the server starts all the same, says so, and asks the publishers', async () => {
    const dataDir = temporaryFolder();
    writeFileSync(
      path.join(dataDir, 'registry-mirror.db'),
      'no database at all, and long enough to be taken for one '.repeat(99),
    );
    const story = await openStory('refuse', dataDir);
    expect(story.seller.log).toContainEqual({ level: 'error', text: expect.stringContaining('cannot be opened') });
    await story.seller.server().tick();
    expect(await offered(story)).toEqual([]);
    expect(story.origins.asked).toContain(STADTBLICK);
  });
});

describe('without a registry', () => {
  it('nobody is asked and everything is sold', async () => {
    const origins: Origins = await serveOrigins(PUBLISHERS);
    const tenants = tenantsFolder((tenant) => {
      addLivePrincipal(tenant);
      tenant.outbound = { resolve: origins.resolve };
    });
    const seller: Booted = await boot({ tenants });
    await seller.server().tick();
    const { payload } = await seller.call('get_products', { buying_mode: 'wholesale' }, { token: LIVE_TOKEN });
    expect(payload.products).toHaveLength(17);
    expect(origins.asked).toEqual([]);
    expect((await send(`${seller.baseUrl}/readyz`)).json()).not.toHaveProperty('registry');
  });
});
