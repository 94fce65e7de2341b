import { beforeAll, describe, expect, it } from 'vitest';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';

/** What a hostile or careless caller sends where a domain belongs. */
const NO_DOMAINS = [
  ...[
    '',
    ' ',
    'localhost',
    'com',
    'a',
    '127.0.0.1',
    '[::1]',
    '0x7f.1',
    '2130706433',
    'http://',
    '-a.example',
    'a-.example',
  ],
  ...[
    'a..example',
    '.example',
    'a b.example',
    'a.example@evil',
    'user:pw@',
    'a_b.example',
    'x'.repeat(64).concat('.example'),
  ],
  ...[
    `${'a.'.repeat(130)}example`,
    'xn--0.example',
    'xn--a-ecp.example',
    '%00.example',
    '../../etc/passwd',
    '<script>.example',
    '*.example',
    'a%.example',
  ],
];

const DOMAIN_QUERIES = [
  '/api/brands/resolve',
  '/api/brands/brand-json',
  '/api/brands/enrich',
  '/api/brands/history',
  '/api/properties/resolve',
  '/api/properties/validate',
  '/api/properties/history',
];

describe('bad input', () => {
  let registry: BootedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await bootRegistry({ service: { policy: { ownership: 'off' } } });
    ({ token } = await registry.member('acme'));
  });

  it.each(DOMAIN_QUERIES)('%s refuses what is no domain, nothing, and two at once', async (path) => {
    for (const text of NO_DOMAINS) {
      const answer = await registry.get(`${path}?domain=${encodeURIComponent(text)}`);
      expect([text, answer.status, answer.json()]).toEqual([
        text,
        400,
        expect.objectContaining({ code: 'invalid_domain', field: 'domain', suggestion: expect.any(String) }),
      ]);
    }
    for (const query of ['', '?domain', '?domain=a.example&domain=b.example']) {
      expect((await registry.get(`${path}${query}`)).status).toBe(400);
    }
  });

  it.each([
    ['limit', 'abc'],
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '1e2'],
    ['limit', '99999999999'],
    ['limit', '5001'],
    ['offset', '-1'],
    ['offset', '1.5'],
    ['source', 'nonsense'],
    ['source', '__proto__'],
  ])('a list refuses %s=%s', async (name, value) => {
    for (const path of ['/api/brands/registry', '/api/properties/registry']) {
      const answer = await registry.get(`${path}?${name}=${value}`);
      expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({ field: name })]);
    }
  });

  it.each<[string, unknown, string]>([
    ['no list', { domains: 'a.example' }, '/domains'],
    ['an empty list', { domains: [] }, '/domains'],
    ['101 domains', { domains: Array.from({ length: 101 }, (_, index) => `d${index}.example`) }, '/domains'],
    ['one that is no domain', { domains: ['a.example', 'localhost'] }, '/domains/1'],
    ['a number', { domains: [1] }, '/domains/0'],
    ['nothing', {}, '/domains'],
    ['a list as the body', [], ''],
    ['null', null, ''],
    ['a text', '"text"', ''],
  ])('a bulk request refuses %s', async (_what, body, field) => {
    for (const path of ['/api/brands/resolve/bulk', '/api/properties/resolve/bulk']) {
      const answer = await registry.post(path, body === null ? 'null' : body);
      expect([answer.status, answer.json()]).toEqual([
        400,
        expect.objectContaining({ code: expect.stringMatching(/^invalid_/), field }),
      ]);
    }
  });

  it.each<[string, unknown, number]>([
    ['no name', { domain: 'a.example' }, 400],
    ['an empty name', { domain: 'a.example', brand_name: ' ' }, 400],
    ['a name that is a number', { domain: 'a.example', brand_name: 1 }, 400],
    ['an endless name', { domain: 'a.example', brand_name: 'x'.repeat(256) }, 400],
    ['a manifest that is a text', { domain: 'a.example', brand_name: 'A', brand_manifest: 'x' }, 400],
    ['a logo without a URL', { domain: 'a.example', brand_name: 'A', brand_manifest: { logos: [{ tags: [] }] } }, 400],
    ['a public suffix', { domain: 'co.uk', brand_name: 'A' }, 400],
    [
      'a body that is too large',
      { domain: 'a.example', brand_name: 'A', brand_manifest: { x: 'x'.repeat(70_000) } },
      413,
    ],
    [
      'a body that is too deep',
      JSON.stringify({
        domain: 'a.example',
        brand_name: 'A',
        brand_manifest: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`),
      }),
      400,
    ],
    ['no JSON', '{"domain":', 400],
  ])('a save refuses %s and writes nothing', async (_what, body, status) => {
    const answer = await registry.post('/api/brands/save', body, token);
    expect([answer.status, answer.json()]).toEqual([status, expect.objectContaining({ error: expect.any(String) })]);
    expect(await registry.server().registry.store.read.entry.count()).toBe(0);
  });

  it.each<[string, unknown]>([
    ['no agents', { publisher_domain: 'a.example' }],
    ['agents that are none', { publisher_domain: 'a.example', authorized_agents: ['https://a.example'] }],
    ['an agent without a URL', { publisher_domain: 'a.example', authorized_agents: [{ authorized_for: 'x' }] }],
    [
      'a property without a type',
      { publisher_domain: 'a.example', authorized_agents: [], properties: [{ type: ' ', name: 'Z' }] },
    ],
    [
      'a property without a name',
      { publisher_domain: 'a.example', authorized_agents: [], properties: [{ type: 'website' }] },
    ],
    [
      'a contact without a good address',
      { publisher_domain: 'a.example', authorized_agents: [], contact: { email: 'no' } },
    ],
  ])('a property save refuses %s and tells nothing', async (_what, body) => {
    expect((await registry.post('/api/properties/save', body, token)).status).toBe(400);
    expect(await registry.server().registry.store.read.events.head()).toBeUndefined();
  });

  it('refuses bodies of another type, methods that a path does not take, and paths that are not there', async () => {
    const form = await registry.request('POST', '/api/brands/save', { token });
    expect(form.status).toBe(400);
    expect((await registry.request('DELETE', '/api/brands/save', { token })).headers.allow).toBe('POST');
    expect((await registry.get('/api/nothing')).status).toBe(404);
    expect((await registry.get('/api/brands/resolve/')).status).toBe(400);
    expect((await registry.request('HEAD', '/api')).text).toBe('');
  });

  it.each(['', 'Bearer', 'Bearer  ', 'Basic YTpi', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`])(
    'takes %j for no credential',
    async (authorization) => {
      const { send } = await import('../../../kit/http.js');
      const answer = await send(`${registry.baseUrl}/api/me/agents`, { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('resource_metadata=');
    },
  );

  it('answers a host name that is not its own with 403', async () => {
    const { send } = await import('../../../kit/http.js');
    expect((await send(`${registry.baseUrl}/api`, { headers: { host: 'rebound.example' } })).status).toBe(403);
  });

  it('has met none of this with an error of its own', () => {
    expect(registry.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
