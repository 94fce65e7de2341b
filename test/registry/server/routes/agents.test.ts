import { beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../../../src/platform/kernel/clock.js';
import { type ScriptedAgent, serveAgent } from '../../../kit/agent.js';
import type { HttpAnswer } from '../../../kit/http.js';
import { type Origins, serveOrigins } from '../../../kit/origins.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';
import { type Contract, publicContract } from '../../../kit/registry-contract.js';

const DOMAIN = 'news.example';
const SALES = 'https://sales.example/mcp';
const capabilities = (more: object): object => ({ supported_protocols: ['measurement'], ...more });
const metric = (metric_id: string, ...bodies: string[]) => ({
  metric_id,
  description: metric_id,
  ...(bodies.length > 0 && { accreditations: bodies.map((accrediting_body) => ({ accrediting_body })) }),
});

/** The registry runs a round every two seconds; on a busy machine one takes longer. */
const WAIT = { timeout: 60_000, interval: 100 };

type CatalogAnswer = { readonly agents: readonly { readonly url: string; readonly health?: { online: boolean } }[] };

let contract: Contract | undefined;
let origins: Origins;
let registry: BootedRegistry;
let meter: ScriptedAgent;
let seller: ScriptedAgent;
let acme: { org_id: string; token: string };
let other: { org_id: string; token: string };
let basic: { org_id: string; token: string };

/** Asks, and checks the answer against the public contract. */
async function ask(operation: string, path: string, token?: string, status = 200): Promise<unknown> {
  return judged(operation, await registry.get(path, token), status);
}

function judged(operation: string, answer: HttpAnswer, status: number): unknown {
  expect(answer.status, answer.text.slice(0, 400)).toBe(status);
  expect(contract?.faultOf(operation, answer)).toBeUndefined();
  return answer.json();
}

const urls = (body: unknown): readonly string[] =>
  (body as { agents: { url: string }[] }).agents.map(({ url }) => url).toSorted();

const enrol = (slug: string, url: string, type: string, visibility: string): Promise<object> =>
  registry.server().operate({
    path: '/api/admin/agents',
    body: { organization: slug, url, type, visibility, name: `${type} of ${slug}` },
  });

beforeAll(async () => {
  contract = publicContract();
  meter = await serveAgent({
    get_adcp_capabilities: capabilities({
      measurement: {
        metrics: [metric('attention_score', 'MRC'), metric('viewability', 'MRC', 'ARF'), metric('reach')],
      },
    }),
  });
  seller = await serveAgent(
    {
      get_adcp_capabilities: {
        supported_protocols: ['media_buy'],
        creative: {
          supported_formats: [
            { capability_id: 'tile', operations: ['preview'], format: { format_kind: 'image' } },
            {
              capability_id: 'house_tile',
              operations: ['build', 'validate'],
              format: { format_kind: 'image', publisher_domain: DOMAIN, format_option_id: 'mpu' },
            },
            { capability_id: 'spot', format: { format_kind: 'audio_hosted' } },
          ],
        },
        media_buy: { portfolio: { publisher_domains: [DOMAIN], primary_channels: ['olv'], primary_countries: ['DE'] } },
      },
      get_products: {
        products: [
          {
            product_id: 'p',
            delivery_type: 'guaranteed',
            channels: ['ctv'],
            format_ids: [{ agent_url: SALES, id: 'f' }],
            format_options: [{ format_option_id: 'spot', format_kind: 'video_hosted', params: {} }],
          },
        ],
      },
      create_media_buy: {},
    },
    true,
  );
  origins = await serveOrigins([DOMAIN, 'plain.example', 'managed.example', 'sales.example']);
  origins.put(`https://${DOMAIN}/.well-known/adagents.json`, {
    properties: [
      {
        property_id: 'site',
        property_type: 'website',
        name: 'News',
        identifiers: [{ type: 'domain', value: DOMAIN }],
        tags: ['sport'],
      },
      {
        property_id: 'app',
        property_type: 'mobile_app',
        name: 'App',
        identifiers: [{ type: 'ios_bundle', value: 'x.y' }],
      },
    ],
    authorized_agents: [
      { url: seller.url, authorized_for: 'all', authorization_type: 'property_tags', property_tags: ['sport'] },
      { url: SALES, authorized_for: 'apps', authorization_type: 'property_ids', property_ids: ['app'] },
    ],
  });
  registry = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)) });
  [acme, other, basic] = [
    await registry.member('acme'),
    await registry.member('other'),
    await registry.member('basic', 'member', 'basic'),
  ];
  await enrol('acme', meter.url, 'measurement', 'public');
  await enrol('acme', seller.url, 'sales', 'members_only');
  await enrol('acme', SALES, 'sales', 'private');
  await registry.post('/api/registry/crawl-request', { domain: DOMAIN }, acme.token);
  // The registry's own rounds read the file and visit the agents.
  await vi.waitFor(async () => {
    const { agents } = (await registry.get('/api/registry/agents?health=true', acme.token)).json() as CatalogAnswer;
    expect(agents.filter(({ health }) => health?.online === true).map(({ url }) => url)).toEqual(
      [meter.url, seller.url].toSorted(),
    );
    const { results } = (await registry.get('/api/registry/agents/search?channels=ctv', acme.token)).json() as {
      results: object[];
    };
    expect(results).toHaveLength(1);
  }, WAIT);
});

describe('the catalog', () => {
  it('shows each caller what it may see', async () => {
    const all = [meter.url, seller.url, SALES].toSorted();
    expect(urls(await ask('listAgents', '/api/registry/agents'))).toEqual([meter.url]);
    expect(urls(await ask('listAgents', '/api/registry/agents', 'wrong'))).toEqual([meter.url]);
    expect(urls(await ask('listAgents', '/api/registry/agents', basic.token))).toEqual([meter.url]);
    expect(urls(await ask('listAgents', '/api/registry/agents', other.token))).toEqual(
      [meter.url, seller.url].toSorted(),
    );
    expect(urls(await ask('listAgents', '/api/registry/agents', acme.token))).toEqual(all);
  });

  it.each([
    ['metric_id=viewability', true],
    ['metric_id=nothing', false],
    ['metric_id=nothing&metric_id=viewability', true],
    ['accreditation=ARF', true],
    ['metric_id=attention_score&accreditation=ARF', false],
    ['metric_id=viewability&accreditation=ARF', true],
    ['q=VIEW', true],
    ['q=MRC', false],
    ['q=', true],
    ['type=measurement&q=reach', true],
    ['type=sales', false],
    ['verified=true', false],
    ['metric_id=nothing&metric_id=viewability&match=any', true],
    ['metric_id=nothing&metric_id=viewability&match=all', false],
    ['metric_id=attention_score&metric_id=viewability&match=all', true],
    ['metric_id=attention_score&metric_id=viewability&accreditation=ARF', true],
    ['metric_id=attention_score&metric_id=viewability&accreditation=ARF&match=all', false],
    ['metric_id=attention_score&metric_id=viewability&accreditation=MRC&match=all', true],
    ['accreditation=MRC&accreditation=ARF&q=view&match=all', true],
    ['accreditation=MRC&accreditation=ARF&q=attention&match=all', false],
  ])('?%s', async (query, found) => {
    expect(urls(await ask('listAgents', `/api/registry/agents?${query}`))).toEqual(found ? [meter.url] : []);
  });

  it.each([
    ['format_kind=image', true],
    ['format_kind=display_tag', false],
    ['format_kind=display_tag&format_kind=audio_hosted', true],
    ['format_kind=display_tag&format_kind=audio_hosted&match=all', false],
    ['format_kind=image&format_kind=audio_hosted&match=all', true],
    ['format_kind=audio_hosted&creative_operation=build', true],
    ['format_kind=audio_hosted&creative_operation=preview', false],
    ['format_kind=image&creative_operation=preview&publisher_domain=news.example', false],
    ['format_kind=image&creative_operation=validate&publisher_domain=news.example&format_option_id=mpu', true],
    ['creative_operation=build&creative_operation=preview&format_kind=image&match=all', true],
    ['creative_operation=build&creative_operation=preview&publisher_domain=news.example&match=all', false],
    ['capability_id=tile', true],
    ['capability_id=mpu', false],
    ['type=creative&format_kind=image', false],
  ])('?%s, of formats', async (query, found) => {
    expect(urls(await ask('listAgents', `/api/registry/agents?${query}`, acme.token))).toEqual(
      found ? [seller.url] : [],
    );
  });

  it.each([
    'type=sales&metric_id=reach',
    'metric_id=reach&format_kind=image',
    'creative_operation=paint',
    'match=most',
    `match=all&${['metric_id', 'accreditation'].flatMap((name) => Array.from({ length: 11 }, (_, index) => `${name}=${index}`)).join('&')}`,
    'type=nonsense',
    `q=${'x'.repeat(65)}`,
    'q=%25',
    'q=a_b',
    'verification_mode=guess',
    'type=sales&type=creative',
    'health=perhaps',
  ])('?%s is refused', async (query) => {
    const body = await ask('listAgents', `/api/registry/agents?${query}`, undefined, 400);
    expect(body).toMatchObject({ field: expect.any(String), suggestion: expect.any(String) });
  });

  it('adds what is asked for, and endorses no accreditation', async () => {
    const path = '/api/registry/agents?health=true&capabilities=true&properties=true&compliance=true';
    const { agents } = (await ask('listAgents', path, acme.token)) as { agents: { url: string }[] };
    expect(agents.find(({ url }) => url === meter.url)).toMatchObject({
      member: { slug: 'acme' },
      health: { online: true, tools_count: 1 },
      capabilities: {
        measurement_capabilities: {
          metrics: [
            { metric_id: 'attention_score', accreditations: [{ verified_by_aao: false, verified_by_registry: false }] },
            {},
            {},
          ],
        },
      },
      compliance: { status: 'unknown', verified: false },
    });
    expect(agents.find(({ url }) => url === seller.url)).toMatchObject({
      publisher_domains: [DOMAIN],
      property_summary: { total_count: 1, count_by_type: { website: 1 }, tags: ['sport'], publisher_count: 1 },
    });
  });

  it('is read again after a day, and an agent that is away keeps what it said', async () => {
    meter.script({ initialize: 503 });
    registry.clock.advance(DAY_MS);
    await vi.waitFor(async () => {
      const { agents } = (await ask('listAgents', '/api/registry/agents?health=true&q=view')) as { agents: object[] };
      expect(agents).toMatchObject([{ health: { online: false, error: 'http_error' } }]);
    }, WAIT);
  });
});

describe('the search', () => {
  it('finds agents by what publishers authorize and by what they declare', async () => {
    const body = await ask(
      'searchAgentProfiles',
      '/api/registry/agents/search?channels=ctv&markets=DE&delivery_types=guaranteed&tags=sport&format_kinds=video_hosted',
      acme.token,
    );
    expect(body).toMatchObject({
      results: [
        {
          agent_url: seller.url,
          url: seller.url,
          property_count: 1,
          publisher_count: 1,
          matched_filters: ['channels', 'markets', 'tags', 'delivery_types', 'format_kinds'],
          format_kinds: ['audio_hosted', 'image', 'video_hosted'],
          relevance_score: 1 + Math.log(2) * 0.1,
          inventory_profile: { channels: ['ctv', 'olv'] },
        },
      ],
      has_more: false,
      cursor: null,
    });
  });

  it('shows nobody what its owner keeps', async () => {
    const found = async (token: string): Promise<number> =>
      ((await ask('searchAgentProfiles', '/api/registry/agents/search', token)) as { results: object[] }).results
        .length;
    expect([await found(acme.token), await found(other.token), await found(basic.token)]).toEqual([3, 2, 1]);
  });

  it.each([
    `channels=${Array.from({ length: 101 }, (_, index) => `c${index}`).join(',')}`,
    'limit=0',
    'limit=201',
    'cursor=nonsense',
    'cursor=MTpodHRwczovL3guZXhhbXBsZQ%3D%3D',
    'min_properties=-1',
    'has_tmp=maybe',
    'channels=a&channels=b',
  ])('?%s is refused', async (query) => {
    await ask('searchAgentProfiles', `/api/registry/agents/search?${query}`, acme.token, 400);
  });

  it('wants a credential', async () => {
    await ask('searchAgentProfiles', '/api/registry/agents/search', undefined, 401);
  });
});

describe('operators and publishers', () => {
  it('an operator has the agents that the caller may see, with those who trust them', async () => {
    const host = '/api/registry/operator?domain=sales.example';
    expect(await ask('lookupOperator', host)).toMatchObject({ member: null, agents: [] });
    expect(await ask('lookupOperator', host, acme.token)).toMatchObject({
      member: { slug: 'acme' },
      agents: [
        { url: SALES, authorized_by: [{ publisher_domain: DOMAIN, authorized_for: 'apps', source: 'adagents_json' }] },
      ],
    });
    expect(urls(await ask('lookupOperator', `${host}&scope=public`, acme.token))).toEqual([]);
    await ask('lookupOperator', `${host}&scope=everything`, acme.token, 400);
    await ask('lookupOperator', '/api/registry/operator', undefined, 400);
  });

  it('a publisher has its properties and its agents, and one that nobody knows has none', async () => {
    expect(await ask('lookupPublisher', `/api/registry/publisher?domain=${DOMAIN}&include=placements`)).toMatchObject({
      adagents_valid: true,
      hosting: { mode: 'self' },
      files: { adagents_json: { status: 'valid' } },
      properties: [{ source: 'adagents_json' }, {}],
      authorized_agents: [
        { properties_authorized: 1, properties_total: 2, publisher_wide: false },
        { properties_authorized: 1 },
      ],
    });
    expect(await ask('lookupPublisher', '/api/registry/publisher?domain=nobody.example')).toMatchObject({
      adagents_valid: null,
      hosting: { mode: 'none' },
      authorized_agents: [],
    });
    await ask('lookupPublisher', '/api/registry/publisher?domain=-', undefined, 400);
    await ask('listPublishers', '/api/registry/publishers');
    await ask('getRegistryStats', '/api/registry/stats');
  });
});

describe('a crawl that is asked for', () => {
  const post = (domain: unknown, token: string | undefined) =>
    registry.post('/api/registry/crawl-request', { domain }, token);

  it.each([
    ['no domain', undefined],
    ['no text', 7],
    ['one label', 'localhost'],
    ['an address', '127.0.0.1'],
    ['a name that leads nowhere', 'nowhere.invalid'],
  ])('%s is refused', async (_name, domain) => {
    judged('requestCrawl', await post(domain, acme.token), 400);
  });

  it('wants a member', async () => {
    judged('requestCrawl', await post('plain.example', undefined), 401);
  });

  it('of a domain without a file says so, to the one who asked alone', async () => {
    const taken = judged('requestCrawl', await post('https://PLAIN.example/x', acme.token), 202);
    const { crawl_request_id: id } = taken as { crawl_request_id: string };
    await vi.waitFor(async () => {
      const mine = await registry.get(`/api/registry/crawl-request/${id}`, acme.token);
      expect(mine.json()).toMatchObject({ status: 'invalid', last_error_code: 'not_found', domain: 'plain.example' });
    }, WAIT);
    expect((await registry.get(`/api/registry/crawl-request/${id}`, other.token)).status).toBe(404);
  });
});

describe('crawls of another kind', () => {
  it('of a brand.json alone read it, and make no publisher of the domain', async () => {
    origins.put('https://managed.example/.well-known/brand.json', {
      id: 'plain',
      names: [{ en: 'Plain' }],
    });
    const path = '/api/registry/brand-crawl-request';
    judged('requestBrandCrawl', await registry.post(path, { domain: 'managed.example' }), 401);
    judged('requestBrandCrawl', await registry.post(path, { domain: 'nowhere.invalid' }, acme.token), 400);
    const before = await registry.server().registry.store.read.crawl.findState('sales.example');
    for (const domain of ['managed.example', 'sales.example']) {
      const taken = judged('requestBrandCrawl', await registry.post(path, { domain }, acme.token), 202);
      const { crawl_request_id: id } = taken as { crawl_request_id: string };
      await vi.waitFor(async () => {
        const { json } = await registry.get(`/api/registry/crawl-request/${id}`, acme.token);
        expect(json()).toMatchObject({ status: domain === 'managed.example' ? 'completed' : 'invalid' });
      }, WAIT);
    }
    expect((await registry.get('/api/brands/registry?search=managed')).json()).toMatchObject({
      brands: [{ domain: 'managed.example', source: 'brand_json' }],
    });
    expect(await registry.server().registry.store.read.crawl.findState('sales.example')).toEqual(before);
  });

  it('of a manager make the publishers due that name it', async () => {
    const path = '/api/registry/manager-revalidation-request';
    const body = { manager_domain: 'sales.example' };
    judged('requestManagerRevalidation', await registry.post(path, body), 401);
    expect(judged('requestManagerRevalidation', await registry.post(path, body, acme.token), 202)).toMatchObject({
      publishers_enqueued: 0,
    });
    origins.put('https://managed.example/ads.txt', { body: 'MANAGERDOMAIN=sales.example\n' });
    origins.put('https://sales.example/.well-known/adagents.json', {
      authorized_agents: [
        {
          url: SALES,
          authorized_for: 'all',
          authorization_type: 'publisher_properties',
          publisher_properties: [{ publisher_domain: 'managed.example', selection_type: 'all' }],
        },
      ],
    });
    await registry.server().registry.crawler.crawl('managed.example');
    expect(judged('requestManagerRevalidation', await registry.post(path, body, acme.token), 202)).toMatchObject({
      publishers_enqueued: 1,
    });
  });

  it('by an admin read the file at once, and say what is wrong with it', async () => {
    const admin = await registry.member('watch', 'admin');
    const path = (domain: string) => `/api/registry/publisher/${domain}/adagents/revalidate`;
    judged('revalidatePublisherAdagents', await registry.post(path(DOMAIN), {}, acme.token), 403);
    judged('revalidatePublisherAdagents', await registry.post(path('-'), {}, admin.token), 400);
    expect(
      judged('revalidatePublisherAdagents', await registry.post(`${path(DOMAIN)}?force=true`, {}, admin.token), 200),
    ).toMatchObject({
      domain: DOMAIN,
      adagents_valid: true,
      properties_count: 2,
      authorized_agents_count: 2,
      status_code: 200,
      discovery_method: 'direct',
      issues: { errors: [] },
    });
  });
});

describe('the publishers of an agent', () => {
  const path = (url: string, query = '') => `/v1/agents/${encodeURIComponent(url)}/publishers${query}`;
  const names = (body: unknown): readonly string[] =>
    (body as { publishers: { publisher_domain: string }[] }).publishers.map((one) => one.publisher_domain);

  it('come with how much of each it may sell, and under both paths', async () => {
    const body = await ask('getPublishersForAgent', path(seller.url, '?include=properties'));
    expect(body).toMatchObject({
      agent_url: seller.url,
      publishers: [
        {
          publisher_domain: DOMAIN,
          discovery_method: 'direct',
          manager_domain: null,
          properties_authorized: 1,
          properties_total: 2,
          property_ids: ['site'],
          signing_keys_pinned: false,
          status: 'authorized',
        },
      ],
      next_cursor: null,
    });
    const older = `/api${path(seller.url, '?include=properties')}`;
    expect(await ask('getPublishersForAgentLegacyApiPrefix', older)).toEqual(body);
    const etag = (await registry.get(older)).headers.etag;
    const again = await fetch(`${registry.baseUrl}${older}`, { headers: { 'if-none-match': String(etag) } });
    expect(again.status).toBe(304);
  });

  it('are paged, and told by what their files say now', async () => {
    origins.put('https://managed.example/.well-known/adagents.json', {
      properties: [
        { property_type: 'website', name: 'P', identifiers: [{ type: 'domain', value: 'managed.example' }] },
      ],
      authorized_agents: [
        {
          url: SALES,
          authorized_for: 'all',
          authorization_type: 'publisher_properties',
          publisher_properties: [{ publisher_domain: 'managed.example', selection_type: 'all' }],
          effective_until: '2001-01-01T00:00:00Z',
          signing_keys: [{ kid: 'k', kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }],
        },
      ],
    });
    registry.clock.advance(2 * DAY_MS);
    await registry.server().registry.crawler.crawl('managed.example');
    await vi.waitFor(async () => {
      expect(names(await ask('getPublishersForAgent', path(SALES)))).toEqual([DOMAIN]);
      expect(await ask('getPublishersForAgent', path(SALES, '?status=revoked'))).toMatchObject({
        publishers: [{ publisher_domain: 'managed.example', properties_authorized: 0, signing_keys_pinned: true }],
      });
    }, WAIT);
    const first = await ask('getPublishersForAgent', path(SALES, '?status=revoked&status=authorized&limit=1'));
    expect(names(first)).toEqual(['managed.example']);
    const { next_cursor } = first as { next_cursor: string };
    const second = await ask(
      'getPublishersForAgent',
      path(SALES, `?status=revoked&status=authorized&cursor=${next_cursor}`),
    );
    expect(names(second)).toEqual([DOMAIN]);
    expect(names(await ask('getPublishersForAgent', path(SALES, '?since=2099-01-01T00:00:00Z')))).toEqual([]);
    const rows = await ask(
      'getAgentAuthorizations',
      `/api/registry/authorizations?agent_url=${encodeURIComponent(SALES)}`,
      acme.token,
    );
    const { rows: all } = rows as { rows: readonly { signing_keys?: readonly { kid: string }[] }[] };
    expect(all.flatMap(({ signing_keys = [] }) => signing_keys.map(({ kid }) => kid))).toEqual(['k']);
  });

  it.each([
    '?status=authorized,revoked',
    '?status=authorized&status=x',
    '?include=all',
    '?limit=1001',
    '?since=x',
    '?cursor=%2B',
  ])('%s is refused', async (query) => {
    await ask('getPublishersForAgent', path(SALES, query), undefined, 400);
  });

  it('are not there for an agent that nobody names, or that is none', async () => {
    await ask('getPublishersForAgent', path('https://nobody.example/mcp'), undefined, 404);
    await ask('getPublishersForAgent', path('nobody'), undefined, 400);
  });
});

describe('the catalog of properties', () => {
  it.each([
    ['publisher_domain=news.example', 2],
    ['publisher_domain=www.news.example', 2],
    ['publisher_domain=news.example&property_type=mobile_app', 1],
    ['publisher_domain=news.example&status=stale', 0],
    ['publisher_domain=news.example&classification=property&status=active', 2],
    ['property_type=radio', 0],
  ])('has of ?%s as many as there are', async (query, count) => {
    for (const path of ['catalog', 'catalog/sync']) {
      const { json, status } = await registry.get(`/api/registry/${path}?${query}`, acme.token);
      expect([status, (json() as { properties: object[] }).properties.length]).toEqual([200, count]);
    }
  });

  it('refuses a filter that means nothing', async () => {
    for (const query of ['status=lost', 'classification=news', 'publisher_domain=-', 'cursor=zzz'])
      expect((await registry.get(`/api/registry/catalog?${query}`, acme.token)).status).toBe(400);
    for (const path of ['catalog/sync', 'collections/sync'])
      expect((await registry.get(`/api/registry/${path}?cursor=zzz`, acme.token)).json()).toMatchObject({
        code: 'invalid_request',
        field: 'cursor',
      });
  });
});

describe('how an agent stands', () => {
  const at = (rest: string, url = seller.url) => `/api/registry/agents/${encodeURIComponent(url)}/${rest}`;

  it('is unknown before anybody checked it, and says afterwards what was found', async () => {
    expect(await ask('getAgentCompliance', at('compliance', 'https://nobody.example/mcp'))).toMatchObject({
      status: 'unknown',
      verified: false,
    });
    const badge = { role: 'sales', verified_specialisms: ['sales-guaranteed'] };
    await registry.server().operate({ path: '/api/admin/badges', body: { url: seller.url, ...badge } });
    const outcome = { status: 'passing', tracks: { core: 'pass' }, storyboards_passing: 3, storyboards_total: 4 };
    await registry.server().operate({ path: '/api/admin/compliance', body: { url: seller.url, ...outcome } });
    expect(await ask('getAgentCompliance', at('compliance'))).toMatchObject({
      ...outcome,
      agent_url: seller.url,
      verified: true,
      verified_badges: [{ role: 'media-buy', adcp_version: '3.1', verified_specialisms: ['sales-guaranteed'] }],
    });
    expect(await ask('getAgentVerification', at('verification'))).toMatchObject({
      verified: true,
      badges: [{ role: 'media-buy', verification_modes: ['spec'] }],
    });
    await ask('getAgentVerification', at('verification', 'nonsense'), undefined, 400);
  });

  it('is drawn as a badge, of any release or of one, and one that it does not have says so', async () => {
    const drawn = async (rest: string): Promise<string> => {
      const answer = await registry.get(at(rest));
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/svg+xml']);
      return answer.text;
    };
    expect(await drawn('badge/media-buy.svg')).toContain('Media Buy Agent');
    expect(await drawn('badge/sales.svg')).toContain('Media Buy Agent');
    expect(await drawn('badge/media-buy/3.1.svg')).toContain('Media Buy Agent 3.1');
    expect(await drawn('badge/media-buy/3.0.svg')).toContain('Not verified');
    expect(await drawn('badge/creative.svg')).toContain('Not verified');
    expect((await registry.get(at('badge/king.svg'))).status).toBe(400);
    await ask('getAgentBadgeVersionedSvg', at('badge/creative/new.svg'), undefined, 400);
  });

  it('is put on a page by what the registry gives for it', async () => {
    const { badge_svg_url, html } = (await ask('getAgentBadgeEmbed', at('badge/media-buy/embed'))) as Record<
      string,
      string
    >;
    expect(html).toContain(`<img src="${badge_svg_url}"`);
    expect((await fetch(String(badge_svg_url))).status).toBe(200);
    expect(await ask('getAgentBadgeVersionedEmbed', at('badge/media-buy/3.1/embed'))).toMatchObject({
      adcp_version: '3.1',
      role: 'media-buy',
    });
  });
});

describe('limits of crawls', () => {
  it('one for each domain in five minutes', async () => {
    const limited = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)), service: { limits: {} } });
    const { token } = await limited.member('acme');
    const post = () => limited.post('/api/registry/crawl-request', { domain: DOMAIN }, token);
    expect((await post()).status).toBe(202);
    const refused = await post();
    judged('requestCrawl', refused, 429);
    expect(refused.json()).toMatchObject({ error: 'Rate limit exceeded for this domain', retry_after: 300 });
    expect(refused.headers['retry-after']).toBe('300');
    await limited.close();
  });

  it('thirty an hour for each user, whatever the domains', async () => {
    const limited = await bootRegistry({
      resolve: new Map(Object.entries(origins.resolve)),
      service: { limits: { crawl_domain: false } },
    });
    const [{ token }, other] = [await limited.member('acme'), await limited.member('other')];
    const post = (who: string) => limited.post('/api/registry/crawl-request', { domain: DOMAIN }, who);
    for (let turn = 0; turn < 30; turn += 1) expect([turn, (await post(token)).status]).toEqual([turn, 202]);
    const refused = await post(token);
    judged('requestCrawl', refused, 429);
    const { error, retry_after } = refused.json() as { error: unknown; retry_after: number };
    expect(error).toEqual(expect.any(String));
    expect(retry_after).toBeGreaterThan(3000);
    expect(retry_after).toBeLessThanOrEqual(3600);
    expect((await post(other.token)).status).toBe(202);
    await limited.close();
  });
});

describe('probing', () => {
  const path = (operation: string, url: string): string => `/api/public/${operation}?url=${encodeURIComponent(url)}`;

  it('asks an agent who it is, and for what it lists', async () => {
    expect(await ask('discoverAgent', path('discover-agent', seller.url))).toMatchObject({
      name: 'Scripted',
      protocols: ['mcp'],
      type: 'sales',
      tools_count: 3,
      stats: { publisher_count: 1 },
    });
    expect(await ask('getAgentProducts', path('agent-products', seller.url))).toMatchObject({
      success: true,
      products: [{ product_id: 'p' }],
    });
    const renderer = await serveAgent({
      list_creative_formats: { formats: Array.from({ length: 300 }, (_, id) => ({ id })) },
    });
    const { formats } = (await ask('getAgentFormats', path('agent-formats', renderer.url))) as { formats: object[] };
    expect(formats).toHaveLength(200);
  });

  it.each([
    ['nonsense', 400],
    ['ftp://agent.example/mcp', 400],
    ['https://user:secret@agent.example/mcp', 400],
    ['https://10.0.0.1/mcp', 400],
    ['https://169.254.169.254/latest', 400],
  ])('%s is refused before anything is asked', async (url, status) => {
    const answer = await registry.get(path('discover-agent', url));
    expect(answer.status, answer.text).toBe(status);
    expect(answer.json()).toMatchObject({ suggestion: expect.any(String) });
  });

  it.each([
    ['that wants credentials', 401, 502],
    ['that is too busy', 429, 429],
    ['that is broken', 500, 502],
  ])('an agent %s', async (_name, initialize, status) => {
    const agent = await serveAgent({ initialize });
    const answer = await registry.get(path('discover-agent', agent.url));
    expect([answer.status, answer.text.includes('stack')]).toEqual([status, false]);
  });

  it.each([
    ['deeper than anybody nests', Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], [])],
    ['of more values than anybody lists', Array.from({ length: 250_000 }, () => 1)],
  ])('an answer %s is not read', async (_name, formats) => {
    const agent = await serveAgent({ list_creative_formats: { formats } });
    const answer = await registry.get(path('agent-formats', agent.url));
    expect(answer.status, answer.text).toBe(502);
    expect(answer.json()).toMatchObject({ reason: 'too_large' });
  });

  it('counts what a publisher’s file holds', async () => {
    expect(await ask('validatePublisher', `/api/public/validate-publisher?domain=${DOMAIN}`)).toMatchObject({
      valid: true,
      agent_count: 2,
      property_count: 2,
      property_type_counts: { website: 1, mobile_app: 1 },
      tag_count: 1,
    });
    expect(await ask('validatePublisher', '/api/public/validate-publisher?domain=plain.example')).toMatchObject({
      valid: false,
      errors: [expect.stringContaining('adagents.json')],
    });
  });
});
