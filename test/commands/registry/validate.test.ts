import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { explainAuthorization, splitProperty } from '../../../src/commands/registry/explain.js';
import { validateSubject } from '../../../src/commands/registry/validate.js';
import { TaskError } from '../../../src/protocol/errors.js';
import { resolveSettings, type Settings } from '../../../src/seller/config/settings.js';
import { type Origins, serveOrigins } from '../../kit/origins.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';
import { tenantsFolder } from '../../kit/tenants.js';
import { NOW } from '../../registry/scripted-web.js';

const AGENT = 'https://ads.seller.example/sales/mcp';
const DOMAINS = [
  'news.example',
  'small.example',
  'manager.example',
  'pointer.example',
  'page.example',
  'seller.example',
];
const wellKnown = (domain: string, name: 'adagents' | 'brand' = 'adagents'): string =>
  `https://${domain}/.well-known/${name}.json`;

const NEWS = {
  $schema: 'https://adcontextprotocol.org/schemas/v3/adagents.json',
  contact: { name: 'News' },
  properties: [
    {
      property_id: 'site',
      property_type: 'website',
      name: 'News',
      identifiers: [{ type: 'domain', value: 'news.example' }],
    },
    {
      property_id: 'app',
      property_type: 'mobile_app',
      name: 'News app',
      identifiers: [{ type: 'ios_bundle', value: 'example.news' }],
    },
  ],
  authorized_agents: [
    {
      url: AGENT,
      authorized_for: 'The site',
      authorization_type: 'property_ids',
      property_ids: ['site'],
      delegation_type: 'delegated',
      countries: ['US'],
    },
  ],
  last_updated: '2026-01-01T00:00:00Z',
};
const MANAGER = {
  ...NEWS,
  properties: [
    {
      property_type: 'website',
      name: 'Small',
      publisher_domain: 'small.example',
      identifiers: [{ type: 'domain', value: 'small.example' }],
    },
  ],
  authorized_agents: [
    {
      url: AGENT,
      authorized_for: 'All of it',
      authorization_type: 'publisher_properties',
      publisher_properties: [{ publisher_domain: 'small.example', selection_type: 'all' }],
    },
  ],
};
const BRAND = {
  house: { domain: 'seller.example', name: 'Seller', agents: [{ type: 'sales', url: AGENT, id: 'sales' }] },
  brands: [
    {
      id: 'seller',
      names: [{ en: 'Seller' }],
      properties: [{ type: 'website', identifier: 'news.example', relationship: 'delegated' }],
    },
  ],
};

let origins: Origins;
let settings: Settings;

beforeAll(async () => {
  origins = await serveOrigins(DOMAINS);
  const tenants = tenantsFolder((tenant) => {
    tenant.outbound = { resolve: { ...origins.resolve, 'ads.seller.example': origins.resolve['seller.example'] } };
  });
  const cwd = temporaryFolder();
  settings = await resolveSettings({ flags: { tenants, data: cwd }, env: {}, cwd, packageRoot: PROJECT });
  origins.put(wellKnown('news.example'), NEWS);
  origins.put(wellKnown('seller.example', 'brand'), BRAND);
  origins.put('https://small.example/ads.txt', {
    body: 'MANAGERDOMAIN=manager.example\n',
    headers: { 'content-type': 'text/plain' },
  });
  origins.put(wellKnown('manager.example'), MANAGER);
  origins.put(wellKnown('pointer.example'), { authoritative_location: 'https://news.example/shared/adagents.json' });
  origins.put('https://news.example/shared/adagents.json', {
    ...NEWS,
    properties: NEWS.properties.map((property) => ({ ...property, publisher_domain: 'pointer.example' })),
  });
  origins.put(wellKnown('page.example'), { body: '<!doctype html><title>Not found</title>' });
});

const validate = (subject: string, request: object = {}) =>
  validateSubject(settings, {}, { subject, now: NOW, ...request });
const explain = (property: string, request: object = {}) =>
  explainAuthorization(settings, {}, { agent: AGENT, property, now: NOW, ...request });

describe('registry validate', () => {
  it('says that a sound domain is valid, and what it says', async () => {
    const { ok, text } = await validate('https://News.example/about');
    expect(text).toContain('adagents.json: valid, at https://news.example/.well-known/adagents.json');
    expect(text).toContain('agents: 1, properties: 2, placements: 0');
    expect(text).toContain('brand.json: news.example: there is no brand.json.');
    expect(ok).toBe(true);
  });

  it.each<[domain: string, says: RegExp]>([
    ['pointer.example', /valid, at https:\/\/news\.example\/shared\/adagents\.json/],
    [
      'small.example',
      /valid, at https:\/\/manager\.example\/\.well-known\/adagents\.json[\s\S]*its manager manager\.example counts/,
    ],
  ])('follows the way of %s', async (domain, says) => {
    const { ok, text } = await validate(domain);
    expect(text).toMatch(says);
    expect(ok).toBe(true);
  });

  it('tells a web page from a file', async () => {
    const { ok, text } = await validate('page.example');
    expect(text).toMatch(/error: a web page is served instead of JSON[\s\S]*fix: Serve the file itself/);
    expect(ok).toBe(false);
  });

  it.each<[what: string, name: string, content: object, says: RegExp, ok: boolean]>([
    ['a publisher', 'news.example/.well-known/adagents.json', NEWS, /valid, as the file of news\.example/, true],
    ['an operator', 'seller.json', BRAND, /brand\.json: valid/, true],
    [
      'a file with a fault',
      'broken.json',
      { ...NEWS, authorized_agents: [{ ...NEWS.authorized_agents[0], countries: ['usa'] }] },
      /error \/authorized_agents\/0\/countries[\s\S]*fix: /,
      false,
    ],
    [
      'a pointer',
      'pointer.json',
      { authoritative_location: 'https://a.example/f.json' },
      /it points to https:\/\/a\.example\/f\.json/,
      true,
    ],
  ])('reads a file of this machine: %s', async (_what, name, content, says, ok) => {
    const file = path.join(temporaryFolder(), name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(content));
    const result = await validate(file);
    expect(result.text).toMatch(says);
    expect(result.ok).toBe(ok);
  });

  it('also says whether an agent may sell a property of the file', async () => {
    const yes = await validate('news.example', { agent: AGENT, property: 'site', country: 'US' });
    expect([yes.ok, yes.text]).toEqual([
      true,
      expect.stringContaining(`yes: ${AGENT} may sell site in US (confirmed)`),
    ]);
    const no = await validate('news.example', { agent: AGENT, property: 'ios_bundle:example.news', country: 'US' });
    expect([no.ok, no.text]).toEqual([false, expect.stringMatching(/no: .* may not sell ios_bundle:example\.news/)]);
  });

  it('refuses what is neither a file nor a domain, and says what to name', async () => {
    const error = await validate('./not/here.json').catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TaskError);
    expect((error as TaskError).extras.suggestion).toContain('news.example');
  });
});

describe('registry explain', () => {
  it.each<[property: string, request: object, ok: boolean, says: RegExp]>([
    [
      'news.example',
      { country: 'us' },
      true,
      /\(confirmed\)[\s\S]*publisher: authorizes it, delegated\n {2}operator: declares the property, delegated; the two sides: both/,
    ],
    ['news.example', { country: 'DE' }, false, /may not sell news\.example in DE[\s\S]*fix: /],
    ['www.news.example', {}, true, /yes:/],
    ['site@news.example', { country: 'US', strict: true }, true, /yes:/],
    ['app@news.example', {}, false, /no:/],
    ['ios_bundle:example.news@news.example', {}, false, /no:/],
    ['small.example', {}, true, /operator: does not declare the property; the two sides: orphaned/],
    ['small.example', { strict: true }, false, /no:/],
    ['page.example', {}, false, /no_publisher_file/],
    ['news.example', { agent: 'https://ads.seller.example/sales/MCP' }, false, /agent_url_differs/],
  ])('%s %o', async (property, request, ok, says) => {
    const result = await explain(property, request);
    expect(result.text).toMatch(says);
    expect(result.ok).toBe(ok);
  });

  it('shows what strangers wrote, and lets none of it move the cursor', async () => {
    const evil = `https://ads.seller.example/sales/\u001b[2Jmcp`;
    origins.put(wellKnown('page.example'), {
      ...NEWS,
      authorized_agents: [{ ...NEWS.authorized_agents[0], url: evil, authorized_for: '\u009b31m' }],
    });
    const { text } = await validate('page.example', { agent: 'https://ads.seller.example/sales/%1B[2JMCP' });
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    expect(text).toMatch(/no:/);
  });

  it('asks whose an app is', async () => {
    const error = await explain('ios_bundle:example.news').catch((cause: unknown) => cause);
    expect((error as TaskError).extras.suggestion).toBe('Add the publisher: ios_bundle:example.news@news.example.');
  });

  it('knows the types of identifiers', () => {
    expect(splitProperty('domain:news.example')).toEqual({
      publisher: 'news.example',
      reference: { property: { type: 'domain', value: 'news.example' } },
    });
    expect(splitProperty('rss_url:https://a.example/feed.xml@a.example').reference).toEqual({
      property: { type: 'rss_url', value: 'https://a.example/feed.xml' },
    });
    expect(() => splitProperty('bundle:x@a.example')).toThrow('"bundle" is no type of identifier.');
  });
});
