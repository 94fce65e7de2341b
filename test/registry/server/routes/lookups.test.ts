import { beforeAll, describe, expect, it } from 'vitest';
import { isoTime } from '../../../../src/platform/kernel/clock.js';
import { type HttpAnswer, send } from '../../../kit/http.js';
import { type Origins, serveOrigins } from '../../../kit/origins.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';
import { type Contract, publicContract } from '../../../kit/registry-contract.js';

const DOMAIN = 'news.example';
const SHORT = 'short.example';
const DATED = 'dated.example';
const SALES = 'https://sales.example/mcp';
const OTHER = 'https://other.example/mcp';
const encoded = encodeURIComponent;

let contract: Contract | undefined;
let origins: Origins;
let registry: BootedRegistry;

function judged(operation: string, answer: HttpAnswer, status = 200): unknown {
  expect(answer.status, answer.text.slice(0, 400)).toBe(status);
  expect(contract?.faultOf(operation, answer)).toBeUndefined();
  return answer.json();
}

const get = async (operation: string, path: string, status = 200): Promise<unknown> =>
  judged(operation, await registry.get(path), status);
const post = async (operation: string, path: string, body: unknown, status = 200): Promise<unknown> =>
  judged(operation, await registry.post(path, body), status);
const refused = async (answer: Promise<HttpAnswer>, field?: string): Promise<void> => {
  const { json, status, text } = await answer;
  expect(status, text).toBe(400);
  expect(json()).toMatchObject({ error: expect.any(String), suggestion: expect.any(String), ...(field && { field }) });
  expect(text).not.toContain('stack');
};

/** Returns how many agents or publishers an answer lists, whatever it calls them. */
function countListed(answer: unknown): number {
  const { agents, authorized_agents, domains, publishers } = answer as Readonly<Record<string, readonly object[]>>;
  const lists = [
    authorized_agents,
    domains,
    publishers,
    agents?.flatMap((one) => ('authorized_by' in one ? one.authorized_by : [one])),
  ];
  return lists.flatMap((list) => list ?? []).length;
}

beforeAll(async () => {
  contract = publicContract();
  origins = await serveOrigins([DOMAIN, SHORT, DATED, 'empty.example', 'operator.example']);
  origins.put(`https://${DOMAIN}/.well-known/adagents.json`, {
    properties: [
      {
        property_id: 'site',
        property_type: 'website',
        name: 'The News',
        identifiers: [{ type: 'domain', value: DOMAIN }],
        tags: ['sport'],
      },
      {
        property_id: 'app',
        property_type: 'mobile_app',
        name: 'News app',
        identifiers: [{ type: 'ios_bundle', value: 'x.y' }],
      },
    ],
    authorized_agents: [
      {
        url: SALES,
        authorized_for: 'all',
        authorization_type: 'publisher_properties',
        publisher_properties: [{ publisher_domain: DOMAIN, selection_type: 'all' }],
      },
      {
        url: OTHER,
        authorized_for: 'sport',
        authorization_type: 'property_tags',
        property_tags: ['sport'],
        effective_until: '2029-01-01T00:00:00Z',
      },
    ],
  });
  registry = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)) });
  await registry.server().registry.crawler.crawl(DOMAIN);
});

describe('lookups', () => {
  it('agents of a domain, in any spelling', async () => {
    const expected = {
      domain: DOMAIN,
      authorized_agents: [{ url: SALES }],
      sales_agents_claiming: [],
    };
    for (const spelling of [DOMAIN, `www.${DOMAIN}`, encoded(`https://${DOMAIN}/x`), 'NEWS.example']) {
      expect(await get('lookupDomain', `/api/registry/lookup/domain/${spelling}`)).toMatchObject(expected);
    }
  });

  it('agents of a property', async () => {
    expect(await get('lookupProperty', '/api/registry/lookup/property?type=ios_bundle&value=x.y')).toMatchObject({
      agents: [{ agent_url: SALES, property: { property_id: 'app' }, publisher_domain: DOMAIN }],
      count: 1,
    });
    expect(await get('lookupProperty', '/api/registry/lookup/property?type=ios_bundle&value=nothing')).toMatchObject({
      count: 0,
    });
  });

  it('domains of an agent', async () => {
    expect(await get('getAgentDomains', `/api/registry/lookup/agent/${encoded(SALES)}/domains`)).toEqual({
      agent_url: SALES,
      domains: [DOMAIN],
      count: 1,
    });
    expect(
      await get('getAgentDomains', `/api/registry/lookup/agent/${encoded('https://x.example/')}/domains`),
    ).toMatchObject({
      count: 0,
    });
  });

  it('name an agent while its entry is in effect and the file counts, in every list', async () => {
    const agentUrl = `https://${DATED}/mcp`;
    const beginMs = registry.clock.now() + 60_000;
    const selector = { publisher_domain: DATED, selection_type: 'all' };
    const document = {
      properties: [
        { property_id: 's', property_type: 'website', name: 'D', identifiers: [{ type: 'domain', value: DATED }] },
      ],
      authorized_agents: [
        {
          url: agentUrl,
          authorized_for: 'all',
          authorization_type: 'publisher_properties',
          publisher_properties: [selector],
          effective_from: isoTime(beginMs),
          effective_until: isoTime(beginMs + 60_000),
        },
      ],
    };
    const publish = async (file: object): Promise<void> => {
      origins.put(`https://${DATED}/.well-known/adagents.json`, file);
      await registry.server().registry.crawler.crawl(DATED);
    };
    origins.put(`https://${DATED}/.well-known/brand.json`, {
      house: { domain: DATED, name: 'D', agents: [{ type: 'sales', url: agentUrl, id: 'sales' }] },
      brands: [{ id: 'd', names: [{ en: 'D' }], keller_type: 'master', properties: [] }],
    });
    await publish(document);
    await registry.get(`/api/brands/resolve?domain=${DATED}`);
    const lists = [
      `registry/lookup/domain/${DATED}`,
      `registry/lookup/property?type=domain&value=${DATED}`,
      `registry/lookup/agent/${encoded(agentUrl)}/domains`,
      `registry/publisher?domain=${DATED}`,
      `registry/operator?domain=${DATED}`,
      `properties/resolve?domain=${DATED}`,
      `v1/agents/${encoded(agentUrl)}/publishers`,
    ];
    const listing = async (): Promise<readonly number[]> =>
      await Promise.all(lists.map(async (path) => countListed((await registry.get(`/api/${path}`)).json())));
    const [none, all] = [lists.map(() => 0), lists.map(() => 1)];
    expect(await listing()).toEqual(none);
    registry.clock.advance(60_000);
    expect(await listing()).toEqual(all);
    registry.clock.advance(60_000);
    expect(await listing()).toEqual(none);
    const [entry] = document.authorized_agents;
    await publish({ ...document, authorized_agents: [{ ...entry, effective_until: undefined }] });
    expect(await listing()).toEqual(all);
    await publish({
      ...document,
      revoked_publisher_domains: [{ publisher_domain: DATED, revoked_at: isoTime(beginMs) }],
    });
    expect(await listing()).toEqual(none);
  });

  it('whether an agent may sell a property, again under one ETag until the file says otherwise, the operator does, or an entry ends', async () => {
    const path = `/api/registry/validate/property-authorization?agent_url=${encoded(`https://seller.${SHORT}/mcp`)}&identifier_type=domain&identifier_value=${SHORT}`;
    const publish = async (entry: object): Promise<void> => {
      const url = `https://seller.${SHORT}/mcp`;
      const site = { property_type: 'website', name: 'Short', identifiers: [{ type: 'domain', value: SHORT }] };
      const named = { url, authorized_for: 'all', authorization_type: 'property_ids', property_ids: ['s'], ...entry };
      origins.put(`https://${SHORT}/.well-known/adagents.json`, {
        properties: [{ property_id: 's', ...site }],
        authorized_agents: [named],
      });
      await registry.server().registry.crawler.crawl(SHORT);
    };
    const ask = async () => {
      const answer = await registry.get(path);
      const { authorized, checked_at, reason } = judged('validatePropertyAuthorization', answer) as Record<
        string,
        unknown
      >;
      expect(Date.parse(String(checked_at))).toBe(registry.clock.now());
      return { authorized, reason, etag: answer.headers.etag };
    };
    await publish({ effective_until: new Date(registry.clock.now() + 60_000).toISOString() });
    const first = await ask();
    expect(first).toMatchObject({ authorized: true, reason: 'operator_unknown' });
    registry.clock.advance(1000);
    expect(await ask()).toEqual(first);
    const url = `${registry.baseUrl}${path}`;
    const headers = { 'if-none-match': String(first.etag) };
    expect(await send(url, { method: 'GET', headers })).toMatchObject({ status: 304, text: '' });
    expect(await send(url, { method: 'HEAD', headers: {} })).toMatchObject({ status: 200, text: '' });
    expect(await send(`${url}&strict=true`, { method: 'GET', headers })).toMatchObject({ status: 200 });
    registry.clock.advance(59_000);
    expect(await ask()).toMatchObject({ authorized: false, reason: 'expired' });
    expect(await send(url, { method: 'GET', headers })).toMatchObject({ status: 200 });
    await publish({});
    expect(await ask()).toMatchObject({ authorized: true, reason: 'operator_unknown' });
    expect(await ask()).toMatchObject({ authorized: true, reason: 'operator_unknown' });
    await registry.server().registry.store.transact((tx) =>
      tx.brand.put({
        domain: SHORT,
        canonical_id: SHORT,
        canonical_domain: SHORT,
        brand_name: 'Short',
        source: 'brand_json',
        brand_json: {
          house: { domain: SHORT, name: 'Short' },
          brands: [{ id: 'short', names: [{ en: 'Short' }], properties: [] }],
        },
        created_at: registry.clock.iso(),
        updated_at: registry.clock.iso(),
      }),
    );
    expect(await ask()).toMatchObject({ reason: 'operator_silent' });
    await publish({ url: SALES });
    expect(await ask()).toMatchObject({ authorized: false });
    expect(await ask()).toMatchObject({ authorized: false });
  });

  it('says that the publisher’s word is missing where the operator alone declares a property', async () => {
    const agent = 'https://operator.example/mcp';
    const property = (type: string, identifier: string) => ({ type, identifier, relationship: 'direct' });
    const properties = [property('website', DOMAIN), property('website', 'nobody.example')];
    origins.put('https://operator.example/.well-known/brand.json', {
      house: { domain: 'operator.example', name: 'O', agents: [{ type: 'sales', url: agent, id: 'sales' }] },
      brands: [
        {
          id: 'o',
          names: [{ en: 'O' }],
          keller_type: 'master',
          properties: [...properties, property('mobile_app', 'x.y'), property('mobile_app', 'com.unlisted')],
        },
      ],
    });
    expect((await registry.get('/api/brands/resolve?domain=operator.example')).status).toBe(200);
    const ask = (type: string, value: string, more: string) =>
      get(
        'validatePropertyAuthorization',
        `/api/registry/validate/property-authorization?agent_url=${encoded(agent)}&identifier_type=${type}&identifier_value=${value}${more}`,
      );
    for (const more of ['', '&explain=true']) {
      const missing = { authorized: false, match: 'missing', mutual: false, publisher_side: { authorized: false } };
      expect(await ask('domain', DOMAIN, more)).toMatchObject({ ...missing, reason: 'agent_not_listed' });
      expect(await ask('ios_bundle', 'x.y', more)).toMatchObject({ ...missing, reason: 'agent_not_listed' });
      expect(await ask('domain', 'nobody.example', more)).toMatchObject({ ...missing, reason: 'no_publisher_file' });
      expect(await ask('ios_bundle', 'com.unlisted', more)).toMatchObject({ ...missing, reason: 'property_unknown' });
      expect(await ask('ios_bundle', 'com.else', more)).toMatchObject({ authorized: false, match: 'unknown' });
    }
  });

  it('how much of a publisher an agent may sell', async () => {
    const path = (agent: string): string =>
      `/api/registry/publisher/authorization?domain=${DOMAIN}&agent=${encoded(agent)}`;
    expect(await get('lookupPublisherAgentAuthorization', path(SALES))).toMatchObject({
      authorized: 2,
      total: 2,
      publisher_wide: true,
      unauthorized_properties: [],
    });
    // Its entry has ended.
    expect(await get('lookupPublisherAgentAuthorization', path(OTHER))).toMatchObject({
      authorized: 0,
      total: 2,
      publisher_wide: false,
      unauthorized_properties: [{}, {}],
    });
    await get('lookupPublisherAgentAuthorization', path('https://x.example/mcp'), 404);
  });

  it('whether an agent may sell what a product runs on', async () => {
    const ask = (agent_url: string, ...publisher_properties: object[]) =>
      post('validateProductAuthorization', '/api/registry/validate/product-authorization', {
        agent_url,
        publisher_properties,
      });
    expect(await ask(SALES, { publisher_domain: DOMAIN, selection_type: 'all' })).toMatchObject({
      authorized: true,
      coverage_percentage: 100,
      total_requested: 2,
    });
    expect(await ask(SALES, { publisher_domain: DOMAIN, property_ids: ['site', 'gone'] })).toMatchObject({
      authorized: false,
      coverage_percentage: 50,
      selectors: [{ selection_type: 'by_id', unauthorized_items: ['gone'], source: 'adagents_json' }],
    });
    expect(await ask(OTHER, { publisher_domain: DOMAIN, tags: ['sport'] })).toMatchObject({
      authorized: false,
      selectors: [{ selection_type: 'by_tag', authorized_count: 0, source: 'none' }],
    });
    expect(await ask(SALES, { publisher_domain: 'nobody.example' })).toMatchObject({
      authorized: false,
      total_requested: 0,
    });
    expect(await ask(SALES, { publisher_domain: DOMAIN, property_types: ['website'] })).toMatchObject({
      total_requested: 1,
    });
  });

  it('judges properties without an id one by one, also those that share an identifier or are known by a pattern', async () => {
    const domain = 'unnamed.example';
    const website = (name: string, value: string, ...tags: string[]) => {
      return { property_type: 'website', name, identifiers: [{ type: 'domain', value }], tags };
    };
    const file = {
      properties: [
        website('All hosts', `*.${domain}`, 'free'),
        website('Left', domain, 'free'),
        website('Right', domain, 'sold'),
      ],
      authorized_agents: [
        { url: SALES, authorized_for: 'x', authorization_type: 'property_tags', property_tags: ['sold'] },
      ],
    };
    const files = [{ domain, text: JSON.stringify(file) }];
    await registry.server().operate({ path: '/api/admin/import', body: { files } });
    const body = { agent_url: SALES, publisher_properties: [{ publisher_domain: domain }] };
    expect(
      await post('validateProductAuthorization', '/api/registry/validate/product-authorization', body),
    ).toMatchObject({ authorized: false, total_requested: 3, total_authorized: 1 });
    const path = `/api/registry/publisher/authorization?domain=${domain}&agent=${encoded(SALES)}`;
    expect(await get('lookupPublisherAgentAuthorization', path)).toMatchObject({
      authorized: 1,
      total: 3,
      unauthorized_properties: [{ name: expect.stringMatching(/All hosts|Left/) }, {}],
    });
  });

  it('what a product stands for', async () => {
    const body = { agent_url: SALES, publisher_properties: [{ publisher_domain: DOMAIN }] };
    expect(await post('expandProductIdentifiers', '/api/registry/expand/product-identifiers', body)).toMatchObject({
      property_count: 2,
      identifiers: expect.arrayContaining([
        { type: 'ios_bundle', value: 'x.y', property_id: 'app', publisher_domain: DOMAIN },
      ]),
    });
  });

  it.each([
    ['agent_url=nonsense&identifier_type=domain&identifier_value=x.example', 'agent_url'],
    [`agent_url=${encoded(SALES)}&identifier_type=nonsense&identifier_value=x`, 'identifier_type'],
    [`agent_url=${encoded(SALES)}&identifier_type=domain`, 'identifier_value'],
    ['identifier_type=domain&identifier_value=x.example', 'agent_url'],
    [`agent_url=${encoded(SALES)}&identifier_type=domain&identifier_value=-`, undefined],
    [`agent_url=${encoded(SALES)}&identifier_type=domain&identifier_value=x.example&country=1`, 'country'],
    [`agent_url=${encoded(SALES)}&identifier_type=domain&identifier_value=x.example&country=12`, 'country'],
  ])('property-authorization?%s is refused', async (query, field) => {
    await refused(registry.get(`/api/registry/validate/property-authorization?${query}`), field);
  });

  it.each([
    ['/api/registry/lookup/domain/-', 'domain'],
    ['/api/registry/lookup/domain/localhost', 'domain'],
    ['/api/registry/lookup/agent/%E0%A4%A/domains', 'agentUrl'],
    ['/api/registry/lookup/agent/nonsense/domains', 'agentUrl'],
    ['/api/registry/lookup/property?type=domain', 'value'],
    ['/api/registry/lookup/property?type=x&value=y', 'type'],
    ['/api/registry/publisher/authorization?domain=news.example', 'agent'],
    ['/api/search?q=a', 'q'],
    ['/api/search', 'q'],
    ['/api/manifest-refs/lookup', 'domain'],
    ['/api/manifest-refs/lookup?domain=news.example&type=robots.txt', 'type'],
  ])('%s is refused', async (path, field) => {
    await refused(registry.get(path), field);
  });

  it.each([
    [{}, '/agent_url'],
    [{ agent_url: SALES }, '/publisher_properties'],
    [{ agent_url: 7, publisher_properties: [{}] }, '/agent_url'],
    [{ agent_url: 'nonsense', publisher_properties: [{ publisher_domain: DOMAIN }] }, '/agent_url'],
    [{ agent_url: SALES, publisher_properties: [] }, '/publisher_properties'],
    [{ agent_url: SALES, publisher_properties: [{}] }, '/publisher_properties/0/publisher_domain'],
    [
      { agent_url: SALES, publisher_properties: [{ publisher_domain: '-' }] },
      '/publisher_properties/0/publisher_domain',
    ],
    [
      { agent_url: SALES, publisher_properties: [{ publisher_domain: DOMAIN, selection_type: 'by_id' }] },
      '/publisher_properties/0/property_ids',
    ],
    [
      { agent_url: SALES, publisher_properties: Array.from({ length: 101 }, () => ({ publisher_domain: DOMAIN })) },
      '/publisher_properties',
    ],
  ])('a product of %j is refused', async (body, field) => {
    await refused(registry.post('/api/registry/validate/product-authorization', body), field);
    await refused(registry.post('/api/registry/expand/product-identifiers', body), field);
  });
});

describe('search', () => {
  it('finds brands, publishers and properties', async () => {
    expect(await get('search', '/api/search?q=NEWS')).toMatchObject({
      publishers: [{ domain: DOMAIN, member: null }],
      properties: [{ publisher_domain: DOMAIN }, {}],
    });
    expect(await get('search', '/api/search?q=nothing-of-it')).toEqual({ brands: [], publishers: [], properties: [] });
  });

  it('finds where a file stands', async () => {
    expect(
      await get('lookupManifestRef', `/api/manifest-refs/lookup?domain=${DOMAIN}&type=adagents.json`),
    ).toMatchObject({
      success: true,
      reference: { manifest_url: `https://${DOMAIN}/.well-known/adagents.json`, verification_status: 'valid' },
    });
    expect(await get('lookupManifestRef', `/api/manifest-refs/lookup?domain=${DOMAIN}`)).toEqual({
      success: false,
      found: false,
    });
  });
});

describe('validation', () => {
  it('a file is read and judged now', async () => {
    expect(await post('validateAdagents', '/api/adagents/validate', { domain: DOMAIN })).toMatchObject({
      success: true,
      valid: true,
      errors: [],
      data: {
        domain: DOMAIN,
        found: true,
        validation: { valid: true, status_code: 200, discovery_method: 'direct', raw_data: { properties: [{}, {}] } },
        agent_cards: [{ agent_url: SALES, valid: false }, {}],
      },
    });
    expect(await post('validateAdagents', '/api/adagents/validate', { domain: 'empty.example' })).toMatchObject({
      data: { found: false, validation: { valid: false, errors: [{ field: 'domain', severity: 'error' }] } },
    });
    await refused(registry.post('/api/adagents/validate', { domain: 'no domain' }), '/domain');
  });

  it('a file too large to be repeated is judged all the same, and the answer says that it is left out', async () => {
    const properties = Array.from({ length: 2000 }, (_, index) => ({
      property_id: `p${index}`,
      property_type: 'mobile_app',
      name: `App ${index}`.padEnd(100, '.'),
      identifiers: [{ type: 'bundle_id', value: `com.large.app${index}` }],
    }));
    origins.put('https://empty.example/.well-known/adagents.json', {
      properties,
      authorized_agents: [
        { url: SALES, authorized_for: 'all', authorization_type: 'property_ids', property_ids: ['p1'] },
      ],
    });
    const answer = (await post('validateAdagents', '/api/adagents/validate', { domain: 'empty.example' })) as {
      data: { validation: { response_bytes: number; warnings: { message: string }[] } };
    };
    expect(answer).toMatchObject({ valid: true, data: { found: true, validation: { status_code: 200 } } });
    expect(answer.data.validation).not.toHaveProperty('raw_data');
    expect(answer.data.validation.warnings.map(({ message }) => message)).toContain(
      'the file is larger than 262144 bytes and is not repeated in raw_data; all of it was validated',
    );
    expect(await get('validatePublisher', '/api/public/validate-publisher?domain=empty.example')).toMatchObject({
      property_count: 2000,
      property_type_counts: { mobile_app: 2000 },
    });
    origins.put('https://empty.example/.well-known/adagents.json', undefined);
  });

  it('names what is no domain', async () => {
    await refused(registry.post('/api/adagents/validate', {}), '/domain');
  });

  it('a file is written of what it should say', async () => {
    const request = {
      authorized_agents: [
        { url: SALES, authorized_for: 'all', authorization_type: 'property_ids', property_ids: ['site'] },
      ],
      properties: [
        { property_id: 'site', property_type: 'website', name: 'S', identifiers: [{ type: 'domain', value: DOMAIN }] },
      ],
    };
    const answer = (await post('createAdagents', '/api/adagents/create', request)) as {
      data: { adagents_json: string };
    };
    expect(JSON.parse(answer.data.adagents_json)).toMatchObject({
      $schema: expect.any(String),
      ...request,
      last_updated: isoTime(registry.clock.now()),
    });
    const bare = await post('createAdagents', '/api/adagents/create', {
      ...request,
      include_schema: false,
      include_timestamp: false,
    });
    expect(JSON.parse((bare as typeof answer).data.adagents_json)).toEqual(request);
  });

  it('a file is written with the authorization_type that an entry stands for', async () => {
    const agent = (selects: object) => ({ url: SALES, authorized_for: 'all', ...selects });
    const answer = (await post('createAdagents', '/api/adagents/create', {
      authorized_agents: [
        agent({ property_tags: ['sport'] }),
        agent({ publisher_properties: [{ publisher_domain: DOMAIN, selection_type: 'all' }] }),
      ],
    })) as { data: { adagents_json: string } };
    expect(JSON.parse(answer.data.adagents_json)).toMatchObject({
      authorized_agents: [{ authorization_type: 'property_tags' }, { authorization_type: 'publisher_properties' }],
    });
    for (const selects of [{}, { property_tags: ['sport'], property_ids: ['site'] }]) {
      const body = { authorized_agents: [agent(selects)] };
      await refused(registry.post('/api/adagents/create', body), '/authorized_agents/0/authorization_type');
    }
    // Nothing is left out of a file that is not made.
    const nameless = await registry.post('/api/adagents/create', { authorized_agents: [agent({ url: 7 })] });
    expect(nameless.json()).toMatchObject({
      error: '/authorized_agents/0/url: url is not a text; readers leave the entry out',
    });
  });

  it.each([
    [{}, '/authorized_agents'],
    [{ authorized_agents: [] }, '/authorized_agents'],
    [{ authorized_agents: [{ url: 'http://x.example', authorized_for: 'x' }] }, undefined],
    [{ authorized_agents: 'x' }, '/authorized_agents'],
  ])('%j is refused', async (body, field) => {
    await refused(registry.post('/api/adagents/create', body), field);
  });
});
