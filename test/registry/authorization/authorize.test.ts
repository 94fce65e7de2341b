import { describe, expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../../src/platform/kernel/clock.js';
import { isAuthorized } from '../../../src/registry/authorization/authorize.js';
import type { Decision } from '../../../src/registry/authorization/evaluate.js';
import type { AuthorizationQuestion } from '../../../src/registry/authorization/question.js';
import { AUTHORIZATION_REASONS, type AuthorizationReason } from '../../../src/registry/authorization/reasons.js';
import type { BrandContent } from '../../../src/registry/brand/types.js';
import { canonicalAgentUrl } from '../../../src/registry/model/agent-url.js';
import { urlCases } from '../../platform/signing/verify/vectors.js';
import { brandOf, effectiveOf, examples, NOW } from '../scripted-web.js';

const AGENT = 'https://sales.example/mcp';
const SITE = {
  property_id: 'site',
  property_type: 'website',
  name: 'News',
  identifiers: [{ type: 'domain', value: 'news.example' }],
  tags: ['news'],
};
const SPORTS = {
  property_id: 'sports',
  property_type: 'website',
  name: 'Sports',
  identifiers: [{ type: 'domain', value: '*.sports.news.example' }],
  tags: ['sports'],
};
const APP = {
  property_id: 'app',
  property_type: 'mobile_app',
  name: 'News app',
  identifiers: [
    { type: 'ios_bundle', value: 'example.news.ios' },
    { type: 'android_package', value: 'example.news' },
  ],
};
const ENTRY = {
  url: AGENT,
  authorized_for: 'Everything',
  authorization_type: 'publisher_properties',
  publisher_properties: [{ publisher_domain: 'news.example', selection_type: 'all' }],
};
const scoped = (authorization_type: string, selects: object): object => ({
  url: AGENT,
  authorized_for: 'Some',
  authorization_type,
  ...selects,
});
const file = (...authorized_agents: object[]) => ({ properties: [SITE, SPORTS, APP], authorized_agents });

function ask(
  content: object,
  question: Partial<AuthorizationQuestion> = {},
  operator?: BrandContent,
  rest: Parameters<typeof effectiveOf>[2] = {},
): Decision {
  const about = question.property === undefined && question.domain === undefined ? { domain: 'news.example' } : {};
  return isAuthorized(
    { agent: AGENT, at: NOW, ...about, ...question },
    effectiveOf(content, 'news.example', rest),
    operator,
  );
}

/** The reason of an answer, checked against its table. */
function reasonOf(answer: Decision, strict = false): AuthorizationReason {
  const { authorizes, says } = AUTHORIZATION_REASONS[answer.reason];
  expect(answer.authorized).toBe(authorizes === 'always' || (authorizes === 'unless_strict' && !strict));
  expect(answer.explanation).toBe(says);
  expect(answer.steps.length).toBeGreaterThan(0);
  for (const { says: step } of answer.steps) expect(step).toMatch(/^\S.*\.$/);
  return answer.reason;
}

describe('what an entry selects', () => {
  const inline = { ...SITE, property_id: undefined };

  it.each<[name: string, entry: object, covered: readonly string[]]>([
    ['all of the publisher', ENTRY, ['news.example', 'x.sports.news.example', 'example.news']],
    ['by id', scoped('property_ids', { property_ids: ['site', 'other'] }), ['news.example']],
    ['by tag', scoped('property_tags', { property_tags: ['sports', 'other'] }), ['x.sports.news.example']],
    ['inline', scoped('inline_properties', { properties: [inline] }), ['news.example']],
    [
      'by id of the publisher',
      scoped('publisher_properties', {
        publisher_properties: [{ publisher_domain: 'news.example', selection_type: 'by_id', property_ids: ['app'] }],
      }),
      ['example.news'],
    ],
    [
      'by tag of several publishers',
      scoped('publisher_properties', {
        publisher_properties: [
          { publisher_domains: ['other.example', 'news.example'], selection_type: 'by_tag', property_tags: ['news'] },
        ],
      }),
      ['news.example'],
    ],
    [
      'all of another publisher',
      scoped('publisher_properties', {
        publisher_properties: [{ publisher_domain: 'other.example', selection_type: 'all' }],
      }),
      [],
    ],
    ['signals', scoped('signal_ids', { signal_ids: ['x'] }), []],
    ['signals by tag', scoped('signal_tags', { signal_tags: ['x'] }), []],
  ])('%s', (_name, entry, covered) => {
    const hosts = ['news.example', 'x.sports.news.example'];
    const found = hosts.filter((domain) => ask(file(entry), { domain }).authorized);
    const app = { property: { type: 'android_package', value: 'example.news' } } as const;
    expect([...found, ...(ask(file(entry), app).authorized ? ['example.news'] : [])]).toEqual(covered);
  });

  it.each<[host: string, authorized: boolean]>([
    ['news.example', true],
    ['www.news.example', true],
    ['m.news.example', true],
    ['https://www.news.example/article', true],
    ['edition.news.example', false],
    ['a.sports.news.example', true],
    ['a.b.sports.news.example', true],
    ['sports.news.example', false],
  ])('%s: %s', (domain, authorized) => {
    expect(ask(file(ENTRY), { domain }).authorized).toBe(authorized);
  });

  it('a site is asked for by its identifier too, an app by the very text', () => {
    expect(ask(file(ENTRY), { property: { type: 'domain', value: 'WWW.news.example' } }).authorized).toBe(true);
    expect(ask(file(ENTRY), { property: { type: 'ios_bundle', value: 'example.news.ios' } }).authorized).toBe(true);
    expect(ask(file(ENTRY), { property: { type: 'ios_bundle', value: 'Example.news.ios' } }).authorized).toBe(false);
    expect(ask(file(ENTRY), { property: { type: 'bundle_id', value: 'example.news.ios' } }).authorized).toBe(false);
    expect(ask(file(ENTRY), { property: { property_id: 'app' } })).toMatchObject({
      authorized: true,
      property: { name: 'News app' },
    });
  });

  it("a publisher's own file without properties means its site, and nothing else", () => {
    const bare = { authorized_agents: [ENTRY] };
    expect(reasonOf(ask(bare))).toBe('operator_unknown');
    expect(ask(bare, { domain: 'm.news.example' }).authorized).toBe(true);
    expect(ask(bare, { domain: 'edition.news.example' }).authorized).toBe(false);
    expect(ask(bare, { property: { type: 'ios_bundle', value: 'x' } }).authorized).toBe(false);
    expect(ask({ authorized_agents: [scoped('property_tags', { property_tags: ['news'] })] }).authorized).toBe(false);
  });

  it("not when it lists some that cannot be read, and not in a manager's file", () => {
    const broken = { properties: [{ ...SITE, name: undefined }], authorized_agents: [ENTRY] };
    expect(reasonOf(ask(broken))).toBe('property_unknown');
    expect(ask({ authorized_agents: [ENTRY] }, {}, undefined, { owner: 'manager.example' }).authorized).toBe(false);
  });
});

describe('the answer', () => {
  const without = (...agents: object[]) => ({ ...file(...agents) });
  const dated = (from: number | undefined, until: number | undefined): object => ({
    ...ENTRY,
    ...(from === undefined ? {} : { effective_from: isoTime(from) }),
    ...(until === undefined ? {} : { effective_until: isoTime(until) }),
  });
  const placements = [
    { placement_id: 'top', name: 'Top', tags: ['premium'], property_ids: ['site'] },
    { placement_id: 'side', name: 'Side', property_ids: ['site'] },
    { placement_id: 'app_top', name: 'App', tags: ['premium'], property_ids: ['app'] },
  ];
  const placed = (change: object) => ({ ...file({ ...ENTRY, ...change }), placements });
  const rival = (change: object = {}): object => ({
    ...ENTRY,
    url: 'https://rival.example/mcp',
    exclusive: true,
    ...change,
  });

  it.each<[name: string, content: object, question: Partial<AuthorizationQuestion>, reason: AuthorizationReason]>([
    ['nobody listed', { ...file(), catalog_etag: '1' }, {}, 'nobody_authorized'],
    ['a community catalog', { ...file(ENTRY), catalog_role: 'community_format_registry' }, {}, 'nobody_authorized'],
    ['a file that was replaced', { ...file(ENTRY), superseded_by: 'https://x.example/a.json' }, {}, 'superseded'],
    [
      'a revoked publisher',
      { ...file(ENTRY), revoked_publisher_domains: [{ publisher_domain: 'www.news.example', revoked_at: 'long ago' }] },
      {},
      'publisher_revoked',
    ],
    ['another agent', file({ ...ENTRY, url: 'https://other.example/mcp' }), {}, 'agent_not_listed'],
    [
      'another agent of the same host',
      file({ ...ENTRY, url: 'https://sales.example/creative/mcp' }),
      {},
      'agent_not_listed',
    ],
    ['a final slash', file({ ...ENTRY, url: `${AGENT}/` }), {}, 'agent_url_differs'],
    ['another case of the path', file({ ...ENTRY, url: 'https://sales.example/MCP' }), {}, 'agent_url_differs'],
    ['a query', file({ ...ENTRY, url: `${AGENT}?tenant=a` }), {}, 'agent_url_differs'],
    ['a faulty entry', file({ ...ENTRY, countries: 'US' }), {}, 'nobody_authorized'],
    ['another publisher', file(ENTRY), { domain: 'other.example' }, 'other_publisher'],
    ['a parent domain', file(ENTRY), { domain: 'example.com' }, 'other_publisher'],
    [
      "another publisher's site in the list",
      {
        properties: [{ ...SITE, identifiers: [{ type: 'domain', value: 'victim.example' }] }],
        authorized_agents: [ENTRY],
      },
      { domain: 'victim.example' },
      'other_publisher',
    ],
    [
      "another publisher's app",
      { properties: [{ ...APP, publisher_domain: 'other.example' }, SITE], authorized_agents: [ENTRY] },
      { property: { property_id: 'app' } },
      'other_publisher',
    ],
    ['a site that is not listed', file(ENTRY), { domain: 'edition.news.example' }, 'property_unknown'],
    ['an id that is not listed', file(ENTRY), { property: { property_id: 'x' } }, 'property_unknown'],
    [
      'an id of two properties',
      { properties: [SITE, { ...APP, property_id: 'site' }], authorized_agents: [ENTRY] },
      { property: { property_id: 'site' } },
      'property_ambiguous',
    ],
    [
      'an id that two properties have',
      {
        properties: [SITE, { ...APP, property_id: 'site' }],
        authorized_agents: [scoped('property_ids', { property_ids: ['site'] })],
      },
      {},
      'property_not_covered',
    ],
    [
      'an id that a property of another publisher has too',
      {
        properties: [SITE, { ...APP, property_id: 'site', publisher_domain: 'other.example' }],
        authorized_agents: [scoped('property_ids', { property_ids: ['site'] })],
      },
      {},
      'property_not_covered',
    ],
    [
      'a property that is not selected',
      file(scoped('property_ids', { property_ids: ['app'] })),
      {},
      'property_not_covered',
    ],
    ['an agent for signals', file(scoped('signal_ids', { signal_ids: ['x'] })), {}, 'signals_only'],
    ['before it begins', file(dated(NOW + 1000, undefined)), {}, 'not_yet_effective'],
    ['when it begins', file(dated(NOW, undefined)), {}, 'operator_unknown'],
    ['when it ends', file(dated(undefined, NOW)), {}, 'expired'],
    ['before it ends', file(dated(NOW - DAY_MS, NOW + 1000)), {}, 'operator_unknown'],
    ['a country among those', file({ ...ENTRY, countries: ['US', 'CA'] }), { country: 'ca' }, 'operator_unknown'],
    ['a country not among those', file({ ...ENTRY, countries: ['US'] }), { country: 'DE' }, 'country_excluded'],
    ['no country, where it matters', file({ ...ENTRY, countries: ['US'] }), {}, 'country_open'],
    ['any country', file({ ...ENTRY, countries: ['US'] }), { openLimits: 'report' }, 'operator_unknown'],
    ['a country, everywhere', file(ENTRY), { country: 'DE' }, 'operator_unknown'],
    ['a placement by id', placed({ placement_ids: ['top'] }), { placement: 'top' }, 'operator_unknown'],
    ['another placement', placed({ placement_ids: ['top'] }), { placement: 'side' }, 'placement_excluded'],
    ['a placement by tag', placed({ placement_tags: ['premium'] }), { placement: 'top' }, 'operator_unknown'],
    [
      'a placement without the tag',
      placed({ placement_tags: ['premium'] }),
      { placement: 'side' },
      'placement_excluded',
    ],
    [
      'a placement of another property',
      placed({ placement_tags: ['premium'] }),
      { placement: 'app_top' },
      'placement_excluded',
    ],
    [
      'a placement that is not declared',
      placed({ placement_ids: ['ghost'] }),
      { placement: 'ghost' },
      'placement_excluded',
    ],
    ['no placement, where it matters', placed({ placement_ids: ['top'] }), {}, 'placement_open'],
    [
      'no placement that there is',
      placed({ placement_ids: ['ghost'] }),
      { openLimits: 'report' },
      'placement_excluded',
    ],
    ['a placement, everywhere', placed({}), { placement: 'ghost' }, 'operator_unknown'],
    [
      'a collection among those',
      file({ ...ENTRY, collections: [{ publisher_domain: 'news.example', collection_ids: ['a'] }] }),
      { collection: { collection_id: 'a' } },
      'operator_unknown',
    ],
    [
      "another publisher's collection of the same id",
      file({ ...ENTRY, collections: [{ publisher_domain: 'other.example', collection_ids: ['a'] }] }),
      { collection: { collection_id: 'a' } },
      'collection_excluded',
    ],
    [
      'no collection, where it matters',
      file({ ...ENTRY, collections: [{ publisher_domain: 'news.example', collection_ids: ['a'] }] }),
      {},
      'collection_open',
    ],
    [
      'two entries of one agent',
      file({ ...ENTRY, countries: ['US'] }, { ...ENTRY, countries: ['CA'] }),
      { country: 'CA' },
      'operator_unknown',
    ],
    ['an exclusive rival', without(ENTRY, rival()), {}, 'exclusive_elsewhere'],
    [
      'an exclusive rival for another property',
      without(ENTRY, rival({ authorization_type: 'property_ids', property_ids: ['app'] })),
      {},
      'operator_unknown',
    ],
    [
      'an exclusive rival whose time has passed',
      without(ENTRY, rival({ effective_until: isoTime(NOW) })),
      {},
      'operator_unknown',
    ],
    [
      'an exclusive rival elsewhere',
      without(ENTRY, rival({ countries: ['DE'] })),
      { country: 'US' },
      'operator_unknown',
    ],
    ['an exclusive rival here', without(ENTRY, rival({ countries: ['DE'] })), { country: 'DE' }, 'exclusive_elsewhere'],
    ['an exclusive rival perhaps here', without(ENTRY, rival({ countries: ['DE'] })), {}, 'exclusive_elsewhere'],
    [
      'what an exclusive rival leaves',
      without(ENTRY, rival({ countries: ['DE'] })),
      { openLimits: 'report' },
      'operator_unknown',
    ],
    [
      'what two exclusive rivals leave nothing of',
      without({ ...ENTRY, countries: ['DE', 'AT'] }, rival({ countries: ['DE'] }), rival({ countries: ['AT'] })),
      { openLimits: 'report' },
      'exclusive_elsewhere',
    ],
    ['an exclusive rival for nothing', without(ENTRY, rival({ placement_ids: ['ghost'] })), {}, 'operator_unknown'],
    ['the exclusive agent itself', file({ ...ENTRY, exclusive: true }), {}, 'operator_unknown'],
  ])('%s: %s', (_name, content, question, reason) => {
    expect(reasonOf(ask(content, question))).toBe(reason);
  });

  it('without a file is no', () => {
    expect(reasonOf(isAuthorized({ agent: AGENT, domain: 'news.example', at: NOW }, undefined))).toBe(
      'no_publisher_file',
    );
  });

  it('with a revocation that is only remembered is no', () => {
    expect(reasonOf(ask(file(ENTRY), {}, undefined, { isHeldRevoked: true }))).toBe('publisher_revoked');
  });

  it('takes the reason that came furthest', () => {
    const content = file(
      scoped('property_ids', { property_ids: ['app'] }),
      { ...ENTRY, countries: ['US'] },
      { ...ENTRY, effective_until: isoTime(NOW - DAY_MS) },
    );
    const answer = ask(content, { country: 'DE' });
    expect(reasonOf(answer)).toBe('country_excluded');
    expect(answer.steps.map(({ ok }) => ok)).toEqual([true, true, false, true, false, true, false]);
  });

  it('tells the way in sentences', () => {
    const { entry, steps } = ask(file({ ...ENTRY, countries: ['US'], effective_from: '2026-01-01T00:00:00Z' }), {
      country: 'US',
    });
    expect(steps.map(({ says }) => says)).toEqual([
      'The adagents.json of news.example was read at https://news.example/.well-known/adagents.json (direct).',
      'One entry names https://sales.example/mcp.',
      '/authorized_agents/0: it covers news.example (News) by publisher_properties.',
      '/authorized_agents/0: effective_from is 2026-01-01T00:00:00Z.',
      '/authorized_agents/0: it is limited by country to US, which is met.',
      "/authorized_agents/0: The publisher authorizes the agent; the operator's brand.json was not looked at.",
    ]);
    expect(entry?.pointer).toBe('/authorized_agents/0');
  });

  it('tells about a bounded number of entries', () => {
    const many = Array.from({ length: 5000 }, () => scoped('property_ids', { property_ids: ['app'] }));
    const answer = ask(file(...many, ENTRY));
    expect(answer.authorized).toBe(true);
    expect(answer.steps.length).toBeLessThan(60);
  });

  it('of a strict reader: one entry, and both sides', () => {
    expect(reasonOf(ask(file(ENTRY), { strict: true }), true)).toBe('operator_unknown');
    expect(reasonOf(ask(file(ENTRY, ENTRY), { strict: true }), true)).toBe('agent_ambiguous');
  });
});

describe('a question that asks nothing is refused', () => {
  it.each<[question: object, field: string]>([
    [{}, 'property'],
    [{ domain: 'news.example', property: { property_id: 'site' } }, 'property'],
    [{ domain: 'not a domain' }, 'domain'],
    [{ domain: 'news.example', agent: 'sales' }, 'agent'],
    [{ domain: 'news.example', country: 'Germany' }, 'country'],
    [{ domain: 'news.example', at: Number.NaN }, 'at'],
    [{ property: { type: 'web', value: 'x' } }, 'property.type'],
    [{ property: { type: 'domain', value: '' } }, 'property.value'],
  ])('%j', (question, field) => {
    expect(() =>
      isAuthorized({ agent: AGENT, at: NOW, ...question } as AuthorizationQuestion, effectiveOf(file(ENTRY))),
    ).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        extras: expect.objectContaining({ field, suggestion: expect.any(String) }),
      }),
    );
  });
});

describe("the operator's word", () => {
  const operator = (relationship: string | undefined, change: object = {}): BrandContent =>
    brandOf({
      house: { domain: 'sales.example', name: 'Sales', agents: [{ type: 'sales', url: AGENT, id: 'sales' }] },
      brands: [
        {
          id: 'sales',
          names: [{ en: 'Sales' }],
          properties: [
            { type: 'website', identifier: 'news.example', ...(relationship && { relationship }), ...change },
          ],
        },
      ],
    });

  it.each<[delegation: string | undefined, relationship: string | undefined, match: string, authorized: boolean]>([
    ['direct', 'direct', 'both', true],
    ['direct', 'owned', 'both', true],
    ['direct', undefined, 'both', true],
    ['direct', 'delegated', 'mismatch', false],
    ['direct', 'ad_network', 'mismatch', false],
    ['delegated', 'delegated', 'both', true],
    ['delegated', 'direct', 'mismatch', false],
    ['delegated', 'owned', 'mismatch', false],
    ['ad_network', 'ad_network', 'both', true],
    ['ad_network', 'delegated', 'mismatch', false],
    [undefined, 'delegated', 'delegation_unspecified', true],
    [undefined, undefined, 'delegation_unspecified', true],
  ])('delegation %s beside relationship %s is %s', (delegation_type, relationship, match, authorized) => {
    const answer = ask(file({ ...ENTRY, ...(delegation_type && { delegation_type }) }), {}, operator(relationship));
    reasonOf(answer);
    expect(answer).toMatchObject({
      authorized,
      match,
      mutual: authorized,
      publisher_side: {
        authorized: true,
        publisher_domain: 'news.example',
        ...(delegation_type && { delegation_type }),
      },
      operator_side: { lists_agent: true, declared: true, relationship: relationship ?? 'owned' },
    });
  });

  it.each<[name: string, operator: BrandContent, match: string, reason: AuthorizationReason]>([
    ['another property', operator('direct', { identifier: 'other.example' }), 'orphaned', 'orphaned'],
    ['a property of another kind', operator('direct', { type: 'mobile_app' }), 'orphaned', 'orphaned'],
    [
      'another agent',
      brandOf({ agents: [{ type: 'sales', url: 'https://other.example/mcp', id: 'x' }] }),
      'unknown',
      'operator_silent',
    ],
    [
      'the agent twice',
      brandOf({
        agents: [
          { type: 'sales', url: AGENT, id: 'x' },
          { type: 'creative', url: 'https://SALES.example/mcp', id: 'y' },
        ],
      }),
      'unknown',
      'operator_silent',
    ],
  ])('declares %s: only a strict reader says no', (_name, content, match, reason) => {
    expect(ask(file(ENTRY), {}, content)).toMatchObject({ authorized: true, mutual: false, match, reason });
    expect(ask(file(ENTRY), { strict: true }, content)).toMatchObject({
      authorized: false,
      mutual: false,
      match,
      reason,
    });
  });

  it('for another country says nothing', () => {
    const content = operator('direct', { region: 'CN' });
    expect(ask(file(ENTRY), { country: 'US' }, content).match).toBe('orphaned');
    expect(ask(file(ENTRY), { country: 'CN' }, content).match).toBe('delegation_unspecified');
  });

  it('without the publisher is no', () => {
    const answer = ask(file({ ...ENTRY, url: 'https://other.example/mcp' }), {}, operator('direct'));
    expect(answer).toMatchObject({
      authorized: false,
      match: 'missing',
      mutual: false,
      publisher_side: { authorized: false },
    });
  });

  it('about another entry of the agent may be the one that fits', () => {
    const content = file({ ...ENTRY, delegation_type: 'ad_network' }, { ...ENTRY, delegation_type: 'delegated' });
    const answer = ask(content, {}, operator('delegated'));
    expect(answer).toMatchObject({ authorized: true, match: 'both', entry: { pointer: '/authorized_agents/1' } });
  });

  it('is asked about apps by their identifiers', () => {
    const app = operator('direct', { type: 'mobile_app', identifier: 'example.news' });
    const question = { property: { type: 'ios_bundle', value: 'example.news.ios' } } as const;
    expect(ask(file({ ...ENTRY, delegation_type: 'direct' }), question, app).match).toBe('both');
  });
});

describe('agents are compared by their canonical URL', () => {
  const cases = urlCases();

  it('in 31 published cases', () => {
    expect(cases).toHaveLength(31);
  });

  it.each(cases.filter(({ reject }) => reject !== true))('$name', (one) => {
    const canonical = one.expected_target_uri ?? '';
    expect(canonicalAgentUrl(one.input_url)).toBe(canonical);
    // An entry over http, with credentials or on a network that is not public is none, under any spelling.
    const isListed = /^https:/i.test(one.input_url) && !/^https:\/\/(?:[^/]*@|\[)/i.test(one.input_url);
    expect(ask(file({ ...ENTRY, url: one.input_url }), { agent: canonical }).authorized).toBe(isListed);
    const isPlain = /^https:/.test(canonical) && !canonical.includes('[');
    expect(ask(file({ ...ENTRY, url: canonical }), { agent: one.input_url }).authorized).toBe(isPlain);
  });

  it.each(cases.filter(({ reject }) => reject === true))('$name', (one) => {
    expect(() => ask(file(ENTRY), { agent: one.input_url })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
    expect(ask(file(ENTRY, { ...ENTRY, url: one.input_url })).entry?.url).toBe(AGENT);
  });
});

describe('the public examples', () => {
  const [, site, meta, tumblr, network] = examples('3.0', 'adagents');

  it('authorize whom they name', () => {
    const instagram = { property: { type: 'ios_bundle', value: 'com.burbn.instagram' }, at: NOW } as const;
    const { authorized_agents } = meta as { authorized_agents: { url: string }[] };
    const agent = authorized_agents[0]?.url ?? '';
    const answer = isAuthorized({ ...instagram, agent }, effectiveOf(meta, 'instagram.com', { owner: 'meta.com' }));
    expect(answer.authorized).toBe(true);
    expect(isAuthorized({ ...instagram, agent }, effectiveOf(meta, 'whatsapp.com', { owner: 'meta.com' })).reason).toBe(
      'other_publisher',
    );
    const corporate = { agent: 'https://tumblr-sales.com', at: NOW };
    expect(isAuthorized({ ...corporate, domain: 'www.tumblr.com' }, effectiveOf(tumblr, 'tumblr.com')).authorized).toBe(
      true,
    );
    expect(
      isAuthorized({ ...corporate, domain: 'someone.tumblr.com' }, effectiveOf(tumblr, 'tumblr.com')).authorized,
    ).toBe(false);
  });

  it('a tag that no property carries covers none, and what an agent says of itself proves nothing', () => {
    const agent = 'https://agent.example.com';
    const answer = isAuthorized(
      { agent, at: NOW, domain: 'example.com', country: 'US' },
      effectiveOf(site, 'example.com'),
    );
    expect(answer.reason).toBe('property_not_covered');
    const own = { agent: 'https://agent.example/api', at: NOW, domain: 'cnn.com' };
    expect(isAuthorized(own, effectiveOf(network, 'agent.example')).reason).toBe('other_publisher');
  });
});
