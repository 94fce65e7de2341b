import { describe, expect, it } from 'vitest';
import { MAX_DOMAINS_OF_A_SELECTOR } from '../../../src/registry/adagents/agents.js';
import { isValid } from '../../../src/registry/documents/finding.js';
import { fileOf, read, short } from '../scripted-web.js';

const HEAD = {
  $schema: 'https://adcontextprotocol.org/schemas/v3/adagents.json',
  last_updated: '2026-01-01T00:00:00Z',
};
const SITE = {
  property_id: 'site',
  property_type: 'website',
  name: 'News',
  identifiers: [{ type: 'domain', value: 'news.example' }],
};
const ENTRY = {
  url: 'https://sales.example/mcp',
  authorized_for: 'Everything',
  authorization_type: 'property_ids',
  property_ids: ['site'],
};
const KEY = { kid: 'k1', kty: 'OKP', crv: 'Ed25519', x: 'AAAA' };
const GOOD = { ...HEAD, properties: [SITE], authorized_agents: [ENTRY] };

const withEntry = (change: object): object => ({ ...GOOD, authorized_agents: [{ ...ENTRY, ...change }] });
const withSite = (change: object): object => ({ ...GOOD, properties: [{ ...SITE, ...change }] });
const selecting = (...selectors: object[]): object =>
  withEntry({ authorization_type: 'publisher_properties', property_ids: undefined, publisher_properties: selectors });

describe('a file', () => {
  it('without faults has no findings', () => {
    expect(read(GOOD).findings).toEqual([]);
    expect(fileOf(GOOD)).toMatchObject({
      domain: 'news.example',
      properties: [{ ...SITE, publisher_domain: 'news.example', pointer: '/properties/0' }],
      agents: [{ canonicalUrl: 'https://sales.example/mcp', exclusive: false, pointer: '/authorized_agents/0' }],
      lastUpdated: Date.UTC(2026, 0, 1),
    });
  });

  it('points elsewhere', () => {
    const location = 'https://cdn.example/adagents.json';
    expect(read({ authoritative_location: location }).content).toEqual({ kind: 'pointer', location });
  });

  it.each<[name: string, text: string | Uint8Array, finding: string, message: RegExp]>([
    ['a web page', '<!DOCTYPE html><html><body>Home</body></html>', 'error  html', /web page/],
    ['a page without a doctype', '\n  <html lang="en">', 'error  html', /web page/],
    ['XML', '<?xml version="1.0"?><Error/>', 'error  html', /markup/],
    ['nothing', '', 'error  json', /empty/],
    ['blanks', ' \n\t ', 'error  json', /empty/],
    ['cut JSON', '{"authorized_agents": [', 'error  json', /not JSON/],
    ['a trailing comma', '{\n"authorized_agents": [],\n}', 'error  json', /line 3/],
    ['a list', '[]', 'error  type', /no JSON object/],
    ['a text', '"adagents"', 'error  type', /no JSON object/],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00]), 'error  json', /UTF-8/],
    ['a name twice', '{"authorized_agents": [], "authorized_agents": []}', 'error  duplicate', /"authorized_agents"/],
    ['an escaped name twice', '{"a": 1, "\\u0061": 2}', 'error  duplicate', /same name twice/],
    ['a pit', `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'error  json', /64 levels/],
  ])('that is %s is explained and holds nothing', (_name, text, finding, message) => {
    const { content, findings } = read(text);
    expect(content).toBeUndefined();
    expect(short(findings)).toEqual([finding]);
    expect(findings[0]?.message).toMatch(message);
    expect(findings[0]?.fix).not.toBe('');
  });

  it('may begin with a byte order mark, which is warned of', () => {
    const { content, findings } = read(`\u{feff}${JSON.stringify(GOOD)}`);
    expect(content?.kind).toBe('file');
    expect(short(findings)).toEqual(['warning  json']);
  });

  it.each<[name: string, content: object, finding: string]>([
    ['without agents', HEAD, 'error /authorized_agents required'],
    ['with agents that are no list', { ...HEAD, authorized_agents: {} }, 'error /authorized_agents type'],
    ['that says nothing', { ...HEAD, authorized_agents: [] }, 'error /authorized_agents required'],
    [
      'with revocations that are no list',
      { ...GOOD, revoked_publisher_domains: {} },
      'error /revoked_publisher_domains type',
    ],
    [
      'that points and says',
      { ...GOOD, authoritative_location: 'https://cdn.example/a.json' },
      'error /authoritative_location conflict',
    ],
    [
      'that points over http',
      { authoritative_location: 'http://cdn.example/a.json' },
      'error /authoritative_location pattern',
    ],
    ['that points to a path', { authoritative_location: '/a.json' }, 'error /authoritative_location pattern'],
    ['that points to nothing', { authoritative_location: null }, 'error /authoritative_location type'],
  ])('%s holds nothing', (_name, content, finding) => {
    const answer = read(content);
    expect(answer.content).toBeUndefined();
    expect(short(answer.findings)).toContain(finding);
  });
});

describe('an entry with a fault counts for nothing', () => {
  it.each<[change: object, finding: string]>([
    [{ url: undefined }, '/authorized_agents/0/url required'],
    [{ url: 'sales.example/mcp' }, '/authorized_agents/0/url pattern'],
    [{ url: 'http://sales.example/mcp' }, '/authorized_agents/0/url unsafe'],
    [{ url: 'https://user:pass@sales.example/mcp' }, '/authorized_agents/0/url unsafe'],
    [{ url: 'https://10.0.0.1/mcp' }, '/authorized_agents/0/url unsafe'],
    [{ url: 'https://localhost/mcp' }, '/authorized_agents/0/url unsafe'],
    [{ url: '*' }, '/authorized_agents/0/url pattern'],
    [{ url: 'https://a\\b.example/' }, '/authorized_agents/0/url pattern'],
    [{ authorized_for: undefined }, '/authorized_agents/0/authorized_for required'],
    [{ authorized_for: '' }, '/authorized_agents/0/authorized_for range'],
    [{ authorized_for: 'x'.repeat(501) }, '/authorized_agents/0/authorized_for range'],
    [{ authorization_type: undefined }, '/authorized_agents/0/authorization_type required'],
    [{ authorization_type: 'all' }, '/authorized_agents/0/authorization_type enum'],
    [{ property_ids: [] }, '/authorized_agents/0/property_ids range'],
    [{ property_ids: ['News-Site'] }, '/authorized_agents/0/property_ids/0 pattern'],
    [{ property_ids: 'site' }, '/authorized_agents/0/property_ids type'],
    [{ countries: 'US' }, '/authorized_agents/0/countries type'],
    [{ countries: [] }, '/authorized_agents/0/countries range'],
    [{ countries: ['usa'] }, '/authorized_agents/0/countries/0 pattern'],
    [{ countries: null }, '/authorized_agents/0/countries type'],
    [{ effective_from: 'tomorrow' }, '/authorized_agents/0/effective_from pattern'],
    [{ effective_until: '2026-01-01' }, '/authorized_agents/0/effective_until pattern'],
    [{ effective_until: '2026-02-30T00:00:00Z' }, '/authorized_agents/0/effective_until pattern'],
    [
      { effective_from: '2026-02-01T00:00:00Z', effective_until: '2026-01-01T00:00:00Z' },
      '/authorized_agents/0/effective_until range',
    ],
    [{ delegation_type: 'reseller' }, '/authorized_agents/0/delegation_type enum'],
    [{ exclusive: 'yes' }, '/authorized_agents/0/exclusive type'],
    [{ placement_ids: [7] }, '/authorized_agents/0/placement_ids/0 type'],
    [{ placement_tags: {} }, '/authorized_agents/0/placement_tags type'],
    [{ collections: {} }, '/authorized_agents/0/collections type'],
    [{ signing_keys: [{ kty: 'OKP' }] }, '/authorized_agents/0/signing_keys pattern'],
    [{ signing_keys: [KEY, 'k2'] }, '/authorized_agents/0/signing_keys pattern'],
    [{ signing_keys: [{ ...KEY, d: 'secret' }] }, '/authorized_agents/0/signing_keys/0/d private'],
    [{ signing_keys: [{ ...KEY, revoked_at: 'soon' }] }, '/authorized_agents/0/signing_keys/0/revoked_at pattern'],
    [
      { authorization_type: 'inline_properties', property_ids: undefined, inline_properties: [SITE] },
      '/authorized_agents/0/inline_properties required',
    ],
  ])('%j', (change, finding) => {
    const { findings } = read(withEntry(change));
    expect(short(findings)).toContain(`error ${finding}`);
    expect(isValid(findings)).toBe(false);
    expect(fileOf(withEntry(change)).agents).toEqual([]);
  });

  it('and leaves the others', () => {
    const file = fileOf({ ...GOOD, authorized_agents: ['x', { ...ENTRY, countries: 'US' }, ENTRY] });
    expect(file.agents.map(({ pointer }) => pointer)).toEqual(['/authorized_agents/2']);
  });

  it('names the authorization_type that is meant', () => {
    const { findings } = read(withEntry({ authorization_type: undefined }));
    expect(findings[0]?.fix).toContain('"authorization_type": "property_ids"');
  });
});

describe('a property with a fault is left out alone, as a warning', () => {
  it.each<[change: object, finding: string]>([
    [{ name: undefined }, '/properties/0/name required'],
    [{ property_type: 'site' }, '/properties/0/property_type enum'],
    [{ identifiers: [] }, '/properties/0/identifiers range'],
    [{ identifiers: undefined }, '/properties/0/identifiers required'],
    [
      { identifiers: [{ type: 'domain', value: 'https://news.example/' }] },
      '/properties/0/identifiers/0/value pattern',
    ],
    [{ identifiers: [{ type: 'domain', value: '*.co.uk' }] }, '/properties/0/identifiers/0/value pattern'],
    [{ identifiers: [{ type: 'web', value: 'x' }] }, '/properties/0/identifiers/0/type enum'],
    [{ publisher_domain: 'not a domain' }, '/properties/0/publisher_domain pattern'],
  ])('%j', (change, finding) => {
    const content = {
      ...GOOD,
      properties: [
        { ...SITE, ...change },
        { ...SITE, property_id: 'other' },
      ],
    };
    const { findings } = read(content);
    expect(short(findings)).toContain(`warning ${finding}`);
    const file = fileOf(content);
    expect(file.properties.map(({ property_id }) => property_id)).toEqual(['other']);
    expect(file.unreadProperties).toBe(1);
  });

  it.each<[change: object, finding: string, left: object]>([
    [{ tags: ['Sports!', 'news'] }, '/properties/0/tags/0 pattern', { tags: ['news'] }],
    [{ property_id: 'News-Site' }, '/properties/0/property_id pattern', { name: 'News' }],
    [
      { supported_channels: ['tv', 'display'] },
      '/properties/0/supported_channels/0 pattern',
      { supported_channels: ['display'] },
    ],
    [
      { publisher_domain: 'WWW.News.example' },
      '/properties/0/publisher_domain pattern',
      { publisher_domain: 'news.example' },
    ],
  ])('what only describes is left out of it: %j', (change, finding, left) => {
    expect(short(read(withSite(change)).findings)).toContain(`warning ${finding}`);
    expect(fileOf(withSite(change)).properties).toMatchObject([left]);
  });
});

describe('a selector', () => {
  const all = { publisher_domain: 'news.example', selection_type: 'all' };

  it.each<[selector: object, finding: string]>([
    [{ selection_type: 'all' }, 'publisher_domain required'],
    [{ ...all, publisher_domains: ['a.example'] }, 'publisher_domains conflict'],
    [{ ...all, selection_type: 'some' }, 'selection_type enum'],
    [{ publisher_domain: 'news.example' }, 'selection_type required'],
    [{ ...all, selection_type: 'by_id' }, 'property_ids required'],
    [{ ...all, selection_type: 'by_tag', property_tags: [] }, 'property_tags range'],
    [{ publisher_domains: ['a.example'], selection_type: 'by_id', property_ids: ['x'] }, 'publisher_domains conflict'],
    [{ publisher_domains: [], selection_type: 'all' }, 'publisher_domains range'],
    [{ ...all, publisher_domain: 'https://news.example' }, 'publisher_domain pattern'],
  ])('with a fault addresses nobody: %j', (selector, finding) => {
    const content = selecting(selector, all);
    expect(short(read(content).findings)).toContain(`error /authorized_agents/0/publisher_properties/0/${finding}`);
    expect(fileOf(content).agents).toMatchObject([{ scope: { selectors: [{ domains: new Set(['news.example']) }] } }]);
  });

  it('reads domains in one form', () => {
    const content = selecting({
      publisher_domains: ['www.A.example', 'b.example', '%', 'b.example'],
      selection_type: 'all',
    });
    const at = '/authorized_agents/0/publisher_properties/0/publisher_domains';
    expect(short(read(content).findings)).toEqual([
      `warning ${at}/0 pattern`,
      `warning ${at}/2 pattern`,
      `warning ${at}/3 duplicate`,
    ]);
    expect(fileOf(content).agents).toMatchObject([
      { scope: { selectors: [{ domains: new Set(['a.example', 'b.example']) }] } },
    ]);
  });

  it('may address as many domains as a network has, and not more', () => {
    const domains = Array.from({ length: MAX_DOMAINS_OF_A_SELECTOR + 1 }, (_, index) => `site${index}x.example`);
    const many = selecting({ publisher_domains: domains.slice(1), selection_type: 'all' });
    expect(fileOf(many).agents).toMatchObject([
      { scope: { selectors: [{ domains: expect.objectContaining({ size: MAX_DOMAINS_OF_A_SELECTOR }) }] } },
    ]);
    const tooMany = selecting({ publisher_domains: domains, selection_type: 'all' });
    expect(short(read(tooMany).findings)).toContain(
      'error /authorized_agents/0/publisher_properties/0/publisher_domains too_many',
    );
    expect(fileOf(tooMany).agents).toMatchObject([{ scope: { selectors: [] } }]);
  });
});

describe('what the members say of each other', () => {
  it.each<[name: string, content: object, finding: string]>([
    [
      'two entries of one agent',
      { ...GOOD, authorized_agents: [ENTRY, { ...ENTRY, url: 'https://SALES.example:443/mcp' }] },
      '/authorized_agents/1/url ambiguous',
    ],
    ['two properties of one id', { ...GOOD, properties: [SITE, SITE] }, '/properties/1/property_id duplicate'],
    ['an id of no property', withEntry({ property_ids: ['other'] }), '/authorized_agents/0/property_ids undefined'],
    [
      'a placement that is not declared',
      withEntry({ placement_ids: ['top'] }),
      '/authorized_agents/0/placement_ids undefined',
    ],
    ['a tag without description', withSite({ tags: ['news'] }), '/tags undefined'],
    [
      'an entry that has ended',
      withEntry({ effective_until: '2026-01-31T00:00:00Z' }),
      '/authorized_agents/0/effective_until stale',
    ],
    ['no $schema', { ...GOOD, $schema: undefined }, ' required'],
    ['no last_updated', { ...GOOD, last_updated: undefined }, ' required'],
    ['a file of the future', { ...GOOD, last_updated: '2027-01-01T00:00:00Z' }, '/last_updated range'],
    ['a file that was replaced', { ...GOOD, superseded_by: 'https://x.example/a.json' }, '/superseded_by stale'],
    ['a community that sells', { ...GOOD, catalog_role: 'community_format_registry' }, '/authorized_agents conflict'],
    ['a catalog alone', { ...GOOD, authorized_agents: [] }, '/authorized_agents version'],
    [
      'a placement on nothing',
      { ...GOOD, placements: [{ placement_id: 'top', name: 'Top', property_ids: ['x'] }] },
      '/placements/0/property_ids undefined',
    ],
    [
      'format_ids of 3.0',
      { ...GOOD, placements: [{ placement_id: 'top', name: 'Top', property_ids: ['site'], format_ids: [] }] },
      '/placements/0/format_ids deprecated',
    ],
  ])('%s is warned of', (_name, content, finding) => {
    const { findings } = read(content);
    expect(short(findings)).toContain(`warning ${finding}`);
    expect(isValid(findings)).toBe(true);
  });

  it.each<[name: string, content: object, finding: string]>([
    [
      'a placement without properties',
      { ...GOOD, placements: [{ placement_id: 'top', name: 'Top' }] },
      '/placements/0 required',
    ],
    [
      'a placement that tells too much',
      { ...GOOD, placements: [{ placement_id: 'top', name: 'Top', property_ids: ['site'], delivery_mappings: {} }] },
      '/placements/0/delivery_mappings private',
    ],
    ['a format by an old name', { ...GOOD, formats: [{ capability_id: 'x' }] }, '/formats/0/capability_id unknown'],
    [
      'a placement with a format that is not there',
      {
        ...GOOD,
        placements: [
          { placement_id: 'top', name: 'Top', property_ids: ['site'], format_options: [{ format_option_id: 'x' }] },
        ],
      },
      '/placements/0/format_options/0/format_option_id undefined',
    ],
    ['a signal without a type', { ...GOOD, signals: [{ id: 'a', name: 'A' }] }, '/signals/0/value_type required'],
    [
      'a signal with a bad range',
      { ...GOOD, signals: [{ id: 'a', name: 'A', value_type: 'numeric', range: { min: 2, max: 1 } }] },
      '/signals/0/range range',
    ],
    ['a contact without a name', { ...GOOD, contact: { email: 'x' } }, '/contact/name required'],
  ])('%s is a fault', (_name, content, finding) => {
    expect(short(read(content).findings)).toContain(`error ${finding}`);
  });

  it('revokes a publisher whatever else is wrong with the row', () => {
    const revoked_publisher_domains = [
      { publisher_domain: 'WWW.Gone.example' },
      { publisher_domain: 'past.example', revoked_at: '2026-01-01T00:00:00Z', reason: 'other' },
    ];
    const { revoked } = fileOf({ ...GOOD, revoked_publisher_domains });
    expect([...revoked]).toEqual([
      ['gone.example', undefined],
      ['past.example', Date.UTC(2026, 0, 1)],
    ]);
  });
});

describe('look-alikes', () => {
  it.each<[name: string, content: object, finding: string, message: RegExp]>([
    [
      'of the publisher',
      selecting({ publisher_domain: 'nevvs.example', selection_type: 'all' }),
      '/authorized_agents/0',
      /nevvs\.example looks like news\.example/,
    ],
    [
      'of a property',
      withSite({
        identifiers: [
          { type: 'domain', value: 'news.example' },
          { type: 'domain', value: 'new5.example' },
        ],
      }),
      '/properties/0',
      /new5\.example looks like news\.example/,
    ],
    [
      'among agents',
      { ...GOOD, authorized_agents: [ENTRY, { ...ENTRY, url: 'https://sa1es.example/mcp' }] },
      '/authorized_agents/1',
      /sa1es\.example looks like sales\.example/,
    ],
    [
      'of another script',
      selecting({ publisher_domain: 'nеws.example', selection_type: 'all' }),
      '/authorized_agents/0',
      /mixes scripts/,
    ],
  ])('%s', (_name, content, pointer, message) => {
    const found = read(content).findings.filter(({ keyword }) => keyword === 'look_alike');
    expect(found).toContainEqual(
      expect.objectContaining({ pointer, message: expect.stringMatching(message), severity: 'warning' }),
    );
  });

  it('subdomains of one owner are no look-alikes', () => {
    const identifiers = ['news.example', 'm.news.example', 'rn.news.example'].map((value) => ({
      type: 'domain',
      value,
    }));
    expect(read(withSite({ identifiers })).findings).toEqual([]);
  });
});

describe('a hostile file', () => {
  it('makes no report as large as itself', () => {
    const authorized_agents = Array.from({ length: 20_000 }, (_, index) => ({ url: `x${index}`, countries: 7 }));
    const { findings } = read({ ...HEAD, authorized_agents });
    expect(findings.length).toBeLessThan(210);
    expect(findings.at(-1)).toMatchObject({ keyword: 'truncated', message: expect.stringMatching(/more findings/) });
  });

  it('quotes nothing long or moving', () => {
    const { findings } = read(withEntry({ authorization_type: `\u001b[2J\n${'x'.repeat(1000)}` }));
    const message = findings.find(({ keyword }) => keyword === 'enum')?.message ?? '';
    expect(message.length).toBeLessThan(200);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
    expect(message).not.toMatch(/[\u0000-\u001f\u007f]/);
  });

  it('names that objects inherit are no members', () => {
    const { content } = read('{"__proto__": {"authorized_agents": []}, "constructor": 1}');
    expect(content).toBeUndefined();
    expect(
      fileOf({ ...GOOD, tags: JSON.parse('{"__proto__": {"name": "x", "description": "y"}}') }).agents,
    ).toHaveLength(1);
  });

  it('is read in the time that its size takes', () => {
    const properties = Array.from({ length: 20_000 }, (_, index) => ({ ...SITE, property_id: `p${index}` }));
    const property_ids = properties.map(({ property_id }) => property_id);
    const authorized_agents = Array.from({ length: 20 }, () => ({ ...ENTRY, property_ids }));
    const file = fileOf({ ...HEAD, properties, authorized_agents });
    expect(file.agents).toHaveLength(20);
    expect(file.properties).toHaveLength(20_000);
  });
});
