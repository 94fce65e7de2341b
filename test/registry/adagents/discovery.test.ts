import { describe, expect, it } from 'vitest';
import { readManagers } from '../../../src/registry/adagents/ads-txt.js';
import {
  ADAGENTS_MAX_BYTES,
  AUTHORITATIVE_MAX_BYTES,
  discoverAdagents,
} from '../../../src/registry/adagents/discovery.js';
import type { DISCOVERY_REASONS } from '../../../src/registry/documents/discovery-reasons.js';
import { NOW, type Page, walk } from '../scripted-web.js';

const OWN = 'https://news.example/.well-known/adagents.json';
const ADS = 'https://news.example/ads.txt';
const MANAGER = 'https://manager.example/.well-known/adagents.json';
const CDN = 'https://cdn.example/adagents.json';
const SITE = { property_type: 'website', name: 'News', identifiers: [{ type: 'domain', value: 'news.example' }] };
const ENTRY = {
  url: 'https://sales.example/mcp',
  authorized_for: 'Everything',
  authorization_type: 'publisher_properties',
  publisher_properties: [{ publisher_domain: 'news.example', selection_type: 'all' }],
};
const FILE = { properties: [SITE], authorized_agents: [ENTRY] };
const to = (location: string, status = 302): Page => ({ status, headers: { location } });
const text = (body: string): Page => ({ status: 200, headers: { 'content-type': 'text/plain' }, body });

function discover(world: Readonly<Record<string, Page>>, domain = 'news.example') {
  const { asked, result } = walk(discoverAdagents(domain, { nowMs: NOW }), world);
  return { ...result, asked: asked.map(({ url }) => url), requests: asked };
}

describe('the file of a publisher', () => {
  it('stands at its own domain', () => {
    const found = discover({ [OWN]: { json: FILE } });
    expect(found).toMatchObject({ reason: 'found', asked: [OWN], isTransient: false, publisherDomain: 'news.example' });
    expect(found.effective).toMatchObject({ method: 'direct', url: OWN, file: { domain: 'news.example' } });
    expect(found.requests[0]).toMatchObject({ maxBytes: ADAGENTS_MAX_BYTES, timeoutMs: 10_000 });
    expect(found.path).toEqual([{ url: OWN, says: 'answered 200' }]);
  });

  it.each(['www.news.example', 'm.news.example', 'HTTPS://News.example/path', ' news.example. '])(
    'is that of the domain itself for %j',
    (domain) => {
      expect(discover({ [OWN]: { json: FILE } }, domain)).toMatchObject({
        reason: 'found',
        publisherDomain: 'news.example',
      });
    },
  );

  it('is not that of another tenant of the same host', () => {
    const found = discover({}, 'www.github.io');
    expect(found.asked[0]).toBe('https://www.github.io/.well-known/adagents.json');
  });

  it.each(['', 'localhost', '10.0.0.1', 'not a domain'])('nothing is asked for %j', (domain) => {
    expect(discover({}, domain)).toMatchObject({ reason: 'not_a_domain', asked: [] });
  });
});

describe('redirects', () => {
  const at = (path: string): string => `https://www.news.example/${path}`;

  it('are followed within the domain, three times', () => {
    const world = { [OWN]: to(at('1')), [at('1')]: to('/2'), [at('2')]: to(at('3')), [at('3')]: { json: FILE } };
    const found = discover(world);
    expect(found).toMatchObject({ reason: 'found', effective: { method: 'direct', url: at('3') } });
    expect(found.asked).toEqual([OWN, at('1'), at('2'), at('3')]);
  });

  it.each<[name: string, world: Record<string, Page>, reason: keyof typeof DISCOVERY_REASONS]>([
    [
      'a fourth',
      { [OWN]: to(at('1')), [at('1')]: to(at('2')), [at('2')]: to(at('3')), [at('3')]: to(at('4')) },
      'too_many_redirects',
    ],
    ['to another domain', { [OWN]: to('https://other.example/a.json') }, 'redirect_off_site'],
    ['to a look-alike suffix', { [OWN]: to('https://news.example.evil.example/a.json') }, 'redirect_off_site'],
    ['to http', { [OWN]: to('http://news.example/a.json') }, 'redirect_not_https'],
    ['with credentials', { [OWN]: to('https://u:p@news.example/a.json') }, 'redirect_not_https'],
    ['to a file', { [OWN]: to('file:///etc/passwd') }, 'redirect_not_https'],
    ['to itself', { [OWN]: to(OWN) }, 'redirect_loop'],
    ['to itself under a fragment', { [OWN]: to(`${OWN}#again`) }, 'redirect_loop'],
    ['in a circle', { [OWN]: to(at('1')), [at('1')]: to(OWN) }, 'redirect_loop'],
    ['to nothing', { [OWN]: to('https://') }, 'broken_answer'],
  ])('%s is not', (_name, world, reason) => {
    const found = discover(world);
    expect(found.reason).toBe(reason);
    expect(found.effective).toBeUndefined();
    expect(found.message).toContain('news.example');
  });

  it('between tenants of one host are to another domain', () => {
    const own = 'https://a.github.io/.well-known/adagents.json';
    const found = discover({ [own]: to('https://b.github.io/.well-known/adagents.json') }, 'a.github.io');
    expect(found.reason).toBe('redirect_off_site');
  });
});

describe('authoritative_location', () => {
  const pointing = (location: string): Page => ({ json: { authoritative_location: location } });

  it('is followed once, to any host and a larger file', () => {
    const found = discover({ [OWN]: pointing(CDN), [CDN]: { json: FILE } });
    expect(found.effective).toMatchObject({
      method: 'authoritative_location',
      url: CDN,
      file: { domain: 'news.example' },
    });
    expect(found.requests.map(({ maxBytes }) => maxBytes)).toEqual([ADAGENTS_MAX_BYTES, AUTHORITATIVE_MAX_BYTES]);
  });

  it.each<[name: string, world: Record<string, Page>, reason: keyof typeof DISCOVERY_REASONS]>([
    ['points on', { [OWN]: pointing(CDN), [CDN]: pointing('https://third.example/a.json') }, 'location_nested'],
    ['points back', { [OWN]: pointing(OWN) }, 'location_loop'],
    ['redirects', { [OWN]: pointing(CDN), [CDN]: to('https://cdn.example/b.json') }, 'redirect_refused'],
    ['carries credentials', { [OWN]: pointing('https://u:p@cdn.example/a.json') }, 'location_not_https'],
    ['is http', { [OWN]: pointing('http://cdn.example/a.json') }, 'invalid'],
    ['is not there', { [OWN]: pointing(CDN) }, 'location_not_found'],
    ['is in trouble', { [OWN]: pointing(CDN), [CDN]: { status: 502 } }, 'server_error'],
    ['is a page', { [OWN]: pointing(CDN), [CDN]: text('<html>') }, 'html'],
    ['leads inside', { [OWN]: pointing(CDN), [CDN]: { fails: 'private_address' } }, 'private_address'],
  ])('that %s is refused, and no manager is asked', (_name, world, reason) => {
    const found = discover({ ...world, [ADS]: text('MANAGERDOMAIN=manager.example'), [MANAGER]: { json: FILE } });
    expect(found.reason).toBe(reason);
    expect(found.effective).toBeUndefined();
    expect(found.asked).not.toContain(ADS);
  });
});

describe('an answer that is no file', () => {
  const manager = { [ADS]: text('MANAGERDOMAIN=manager.example'), [MANAGER]: { json: FILE } };

  it.each<[page: Page, reason: keyof typeof DISCOVERY_REASONS, isTransient: boolean]>([
    [{ status: 500 }, 'server_error', true],
    [{ status: 503, body: 'busy' }, 'server_error', true],
    [{ status: 429 }, 'server_error', true],
    [{ status: 403, body: '<html>Forbidden</html>' }, 'http_error', false],
    [{ status: 401 }, 'http_error', false],
    [{ status: 410 }, 'http_error', false],
    [{ status: 204 }, 'http_error', false],
    [{ status: 304 }, 'http_error', false],
    [{ status: 302 }, 'http_error', false],
    [{ fails: 'timeout' }, 'timeout', true],
    [{ fails: 'unresolved' }, 'unresolved', true],
    [{ fails: 'private_address' }, 'private_address', false],
    [{ fails: 'insecure' }, 'insecure', true],
    [{ status: 200, body: '<!doctype html>' }, 'html', false],
    [{ status: 200, body: '{' }, 'not_json', false],
    [{ status: 200, body: '{}' }, 'invalid', false],
  ])('%j is %s', judge);

  // In the table it would be written out whole as the name of the test: 60 MB.
  it('one byte above the bound is too_large', () =>
    judge({ status: 200, body: new Uint8Array(ADAGENTS_MAX_BYTES + 1) }, 'too_large', false));

  function judge(page: Page, reason: keyof typeof DISCOVERY_REASONS, isTransient: boolean): void {
    const found = discover({ ...manager, [OWN]: page });
    expect(found).toMatchObject({ reason, isTransient, asked: [OWN] });
    expect(found.effective).toBeUndefined();
    expect(found.fix).not.toBe('');
  }

  it('a file that is not served as JSON is warned of', () => {
    const found = discover({ [OWN]: { ...text(JSON.stringify(FILE)) } });
    expect(found.reason).toBe('found');
    expect(found.findings).toContainEqual(expect.objectContaining({ keyword: 'content_type', file: OWN }));
  });
});

describe('the manager of ads.txt', () => {
  const S3 = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';

  it.each<[name: string, page: Page]>([
    ['404', { status: 404 }],
    ["a bucket's 403", { status: 403, body: S3 }],
  ])('is asked after %s', (_name, page) => {
    const found = discover({ [OWN]: page, [ADS]: text('MANAGERDOMAIN=manager.example'), [MANAGER]: { json: FILE } });
    expect(found).toMatchObject({ reason: 'found', asked: [OWN, ADS, MANAGER] });
    expect(found.effective).toMatchObject({
      method: 'ads_txt_managerdomain',
      managerDomain: 'manager.example',
      publisherDomain: 'news.example',
      file: { domain: 'manager.example' },
    });
    expect(found.findings).toContainEqual(expect.objectContaining({ keyword: 'fallback', severity: 'warning' }));
  });

  it('may point to its file', () => {
    const world = {
      [ADS]: text('MANAGERDOMAIN=manager.example'),
      [MANAGER]: { json: { authoritative_location: CDN } },
      [CDN]: { json: FILE },
    };
    expect(discover(world).effective).toMatchObject({
      method: 'ads_txt_managerdomain',
      url: CDN,
      file: { domain: 'manager.example' },
    });
  });

  const managed = (file: unknown): Record<string, Page> => ({
    [ADS]: text('MANAGERDOMAIN=manager.example'),
    [MANAGER]: { json: file },
  });
  const entry = (change: object): object => ({ ...ENTRY, publisher_properties: undefined, ...change });
  const theirs = { ...SITE, property_id: 'site', tags: ['news'], publisher_domain: 'news.example' };

  it.each<[name: string, file: object]>([
    ['publisher_properties', { authorized_agents: [ENTRY] }],
    [
      'publisher_domains',
      {
        authorized_agents: [
          entry({
            publisher_properties: [{ publisher_domains: ['a.example', 'www.news.example'], selection_type: 'all' }],
          }),
        ],
      },
    ],
    [
      'collections',
      {
        properties: [SITE],
        authorized_agents: [
          entry({
            authorization_type: 'property_ids',
            property_ids: ['x'],
            collections: [{ publisher_domain: 'news.example', collection_ids: ['c'] }],
          }),
        ],
      },
    ],
    [
      'a property by id',
      {
        properties: [theirs],
        authorized_agents: [entry({ authorization_type: 'property_ids', property_ids: ['site'] })],
      },
    ],
    [
      'a property by tag',
      {
        properties: [theirs],
        authorized_agents: [entry({ authorization_type: 'property_tags', property_tags: ['news'] })],
      },
    ],
    [
      'a property inline',
      { authorized_agents: [entry({ authorization_type: 'inline_properties', properties: [theirs] })] },
    ],
  ])('names the publisher by %s', (_name, file) => {
    expect(discover(managed(file)).reason).toBe('found');
  });

  it.each<[name: string, world: Record<string, Page>, reason: keyof typeof DISCOVERY_REASONS]>([
    ['no ads.txt', {}, 'not_found'],
    ['no manager in it', { [ADS]: text('google.com, pub-1, DIRECT') }, 'not_found'],
    ['an ads.txt that is forbidden', { [ADS]: { status: 403 } }, 'not_found'],
    ['an ads.txt that leads inside', { [ADS]: { fails: 'private_address' } }, 'not_found'],
    ['an ads.txt in trouble', { [ADS]: { status: 500 } }, 'ads_txt_unavailable'],
    ['an ads.txt in time', { [ADS]: { fails: 'timeout' } }, 'ads_txt_unavailable'],
    ['a manager without a file', { [ADS]: text('MANAGERDOMAIN=manager.example') }, 'manager_not_found'],
    [
      'a manager that does not name the publisher',
      managed({
        ...FILE,
        authorized_agents: [
          { ...ENTRY, publisher_properties: [{ publisher_domain: 'other.example', selection_type: 'all' }] },
        ],
      }),
      'manager_out_of_scope',
    ],
    [
      'a manager that only lists its property',
      managed({
        properties: [theirs],
        authorized_agents: [entry({ authorization_type: 'property_ids', property_ids: ['other'] })],
      }),
      'manager_out_of_scope',
    ],
    ['a manager in trouble', { ...managed(FILE), [MANAGER]: { status: 500 } }, 'server_error'],
    ['a manager that points back', { ...managed({ authoritative_location: OWN }) }, 'location_loop'],
    ['a manager that redirects away', { ...managed(FILE), [MANAGER]: to('https://x.example/') }, 'redirect_off_site'],
  ])('leaves it at that with %s', (_name, world, reason) => {
    const found = discover(world);
    expect(found.reason).toBe(reason);
    expect(found.effective).toBeUndefined();
  });

  it("has no manager of its own: a manager's ads.txt is never asked", () => {
    const world = {
      [ADS]: text('MANAGERDOMAIN=manager.example'),
      'https://manager.example/ads.txt': text('MANAGERDOMAIN=third.example'),
      'https://third.example/.well-known/adagents.json': { json: FILE },
    };
    expect(discover(world)).toMatchObject({ reason: 'manager_not_found', asked: [OWN, ADS, MANAGER] });
  });

  it('its ads.txt may stand at another domain, one redirect away', () => {
    const away = 'https://adstxt.example/news';
    const world = { ...managed(FILE), [ADS]: to(away), [away]: text('MANAGERDOMAIN=manager.example') };
    expect(discover(world).reason).toBe('found');
    const further = {
      ...world,
      [away]: to('https://third.example/x'),
      'https://third.example/x': text('MANAGERDOMAIN=manager.example'),
    };
    expect(discover(further).reason).toBe('not_found');
  });
});

describe('MANAGERDOMAIN', () => {
  it.each<[text: string, manager: string | undefined]>([
    ['MANAGERDOMAIN=manager.example', 'manager.example'],
    ['managerdomain = Manager.example ', 'manager.example'],
    ['MANAGERDOMAIN=www.manager.example', 'manager.example'],
    ['a.example, 1, DIRECT\r\nMANAGERDOMAIN=one.example\r\nMANAGERDOMAIN=two.example', 'two.example'],
    ['MANAGERDOMAIN=manager.example # since 2024', 'manager.example'],
    ['MANAGERDOMAIN=manager.example #noagents', undefined],
    ['MANAGERDOMAIN=one.example\nMANAGERDOMAIN=two.example # NoAgents please', 'one.example'],
    ['MANAGERDOMAIN=manager.example, US', undefined],
    ['MANAGERDOMAIN=manager.example,', 'manager.example'],
    ['# MANAGERDOMAIN=manager.example', undefined],
    ['OWNERDOMAIN=owner.example', undefined],
    ['MANAGERDOMAIN=', undefined],
    ['MANAGERDOMAIN=https://manager.example/', undefined],
    ['MANAGERDOMAIN=10.0.0.1', undefined],
    ['MANAGERDOMAIN=news.example', undefined],
    ['MANAGERDOMAIN=www.news.example', undefined],
    ['MANAGERDOMAIN manager.example', undefined],
    ['<html>MANAGERDOMAIN=manager.example</html>', undefined],
  ])('%j names %s', (file, manager) => {
    expect(readManagers(file, 'news.example').manager).toBe(manager);
  });

  it('says which lines do not count', () => {
    const file = `\nMANAGERDOMAIN=a.example #noagents\n${'MANAGERDOMAIN=x\n'.repeat(100)}`;
    const { skipped } = readManagers(file, 'news.example');
    expect(skipped[0]).toEqual({ line: 2, why: 'says #noagents' });
    expect(skipped.length).toBeLessThan(30);
  });
});
