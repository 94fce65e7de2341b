import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../src/platform/kernel/clock.js';
import { type Origins, serveOrigins } from '../../kit/origins.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { expectQuestions, expectSameReads, type ReadSubjects } from '../../kit/registry-reads.js';

const DOMAINS = ['news.example', 'tv.example', 'hosted.example', 'brand.example', 'saved-brand.example'] as const;
const [NEWS, TV, HOSTED, BRAND, SAVED] = DOMAINS;
const SALES = 'https://sales.example/mcp';
const RIVAL = 'https://rival.example/mcp';
const ENROLLED = 'https://enrolled.example/mcp';
const SECRET = 'https://secret.example/mcp';

const SUBJECTS: ReadSubjects = {
  domains: [...DOMAINS, 'nobody.example'],
  agents: [SALES, RIVAL, ENROLLED],
  identifiers: [
    { type: 'domain', value: NEWS },
    { type: 'roku_store_id', value: 'roku-tv' },
    { type: 'domain', value: HOSTED },
  ],
};

let origins: Origins;
let primary: BootedRegistry;
let token: string;

const property = (id: string, type: string, value: string) => ({
  property_id: id,
  property_type: type === 'domain' ? 'website' : 'ctv_app',
  name: id,
  identifiers: [{ type, value }],
  tags: ['sport'],
});
const entry = (url: string, ...property_ids: string[]) => ({
  url,
  authorized_for: 'direct sales',
  authorization_type: 'property_ids',
  property_ids,
});

async function save(kind: 'brands' | 'properties', body: object): Promise<void> {
  const answer = await primary.post(`/api/${kind}/save`, body, token);
  expect(answer.status, answer.text).toBe(200);
}

/** Publishers, brands with their history, entries and agents, each told in its own way. */
async function fill(): Promise<void> {
  origins.put(`https://${NEWS}/.well-known/adagents.json`, {
    properties: [property('site', 'domain', NEWS)],
    collections: [{ collection_id: 'evening', name: 'Evening', kind: 'series' }],
    authorized_agents: [entry(SALES, 'site'), entry(RIVAL, 'site')],
  });
  origins.put(`https://${TV}/.well-known/adagents.json`, {
    properties: [property('app', 'roku_store_id', 'roku-tv'), property('site', 'domain', TV)],
    authorized_agents: [entry(SALES, 'app')],
  });
  origins.put(`https://${BRAND}/.well-known/brand.json`, {
    house: { domain: BRAND, name: 'Brand House' },
    brands: [{ id: 'brand', names: [{ en: 'Brand' }], keller_type: 'master' }],
  });
  for (const domain of [NEWS, TV]) await primary.server().registry.crawler.crawl(domain);
  await primary.post('/api/registry/crawl-request', { domain: BRAND }, token);
  await primary.server().tick();
  for (const brand_name of ['First brand', 'Second brand']) await save('brands', { domain: SAVED, brand_name });
  for (const name of ['One', 'Two'])
    await save('properties', {
      publisher_domain: HOSTED,
      authorized_agents: [{ url: SALES }],
      properties: [{ type: 'website', name, identifiers: [{ type: 'domain', value: HOSTED }] }],
      contact: { name: 'Ads', email: 'ads@hosted.example' },
    });
  for (const [url, visibility] of [
    [ENROLLED, 'public'],
    [SECRET, 'private'],
  ]) {
    const enrolled = await primary.post('/api/me/agents', { url, name: 'Ours', type: 'sales', visibility }, token);
    expect(enrolled.status, enrolled.text).toBeLessThan(300);
  }
}

async function bootMirror(key: string, isStandby: boolean, dataDir?: string): Promise<BootedRegistry> {
  const mirror = { url: primary.baseUrl, token: key, isStandby };
  return await bootRegistry({ mirror, clock: primary.clock, ...(dataDir === undefined ? {} : { dataDir }) });
}

const whole = (registry: BootedRegistry) => registry.server().tick();

beforeAll(async () => {
  origins = await serveOrigins([...DOMAINS, 'sales.example', 'rival.example', 'enrolled.example', 'secret.example']);
  primary = await bootRegistry({
    resolve: new Map(Object.entries(origins.resolve)),
    service: { policy: { ownership: 'off', lookAlikes: 'off', liveLookups: false } },
  });
  ({ token } = await primary.member('acme'));
  await fill();
}, 60_000);

describe('a mirror is whole', () => {
  let admin: string;
  let standby: BootedRegistry;
  let open: BootedRegistry;
  let reader: string;
  let stranger: string;

  beforeAll(async () => {
    ({ token: admin } = await primary.member('operators', 'admin'));
    ({ token: stranger } = await primary.member('stranger', 'member', 'basic'));
    standby = await bootMirror(admin, true);
    open = await bootMirror(token, false);
  });

  /** Asks as somebody who sees what everybody sees. What is private or hidden is counted at the primary alone. */
  async function expectSamePublicReads(): Promise<void> {
    const mirrored = { baseUrl: open.baseUrl, token: reader };
    await expectSameReads({ baseUrl: primary.baseUrl, token: stranger }, [mirrored], {
      ...SUBJECTS,
      leftOut: ['registered_agents', 'registered_publishers'],
    });
  }

  it('every read of the table of operations has its questions', () => expectQuestions());

  it('answers nothing before it has read all of its primary', async () => {
    const early = await open.get('/api/brands/registry');
    expect([early.status, early.headers['retry-after']]).toEqual([503, '5']);
    await whole(standby);
    await whole(open);
    expect((await open.get('/api')).json()).toMatchObject({ mirror: { scope: 'public', state: 'following', term: 1 } });
    ({ token: reader } = await open.member('reader', 'member', 'basic'));
  });

  it('a standby answers every read as its primary does, by the same keys', async () => {
    expect(
      await expectSameReads({ baseUrl: primary.baseUrl, token }, [{ baseUrl: standby.baseUrl, token }], SUBJECTS),
    ).toBeGreaterThan(60);
  });

  it('a mirror of what is public answers as the primary does, and has no key, no contact of a private agent and nothing that waits', async () => {
    expect(reader).toBeDefined();
    await expectSamePublicReads();
    const { read } = open.server().registry.store;
    expect(await read.member_agent.page('', 10)).toMatchObject([{ agent_url: ENROLLED }]);
    expect(await read.api_key.count()).toBe(1);
  });

  it('follows: what is saved, crawled, hidden and taken away is answered by all', async () => {
    await save('brands', { domain: SAVED, brand_name: 'Third brand' });
    origins.put(`https://${TV}/.well-known/adagents.json`, undefined);
    primary.clock.advance(HOUR_MS);
    await primary.server().tick();
    await primary.request('PATCH', `/api/me/agents/${encodeURIComponent(ENROLLED)}`, {
      token,
      body: { visibility: 'private' },
    });
    await primary
      .server()
      .operate({ path: '/api/admin/blocked', body: { kind: 'domain', name: HOSTED, reason: 'asked for' } });
    await whole(standby);
    await whole(open);
    await expectSameReads({ baseUrl: primary.baseUrl, token }, [{ baseUrl: standby.baseUrl, token }], SUBJECTS);
    await expectSamePublicReads();
  });
});
