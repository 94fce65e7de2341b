import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { afterUse } from '../../kit/after-use.js';
import { send } from '../../kit/http.js';
import { type Origins, serveOrigins } from '../../kit/origins.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { expectQuestions, expectSameReads, type ReadSubjects } from '../../kit/registry-reads.js';
import { temporaryFolder } from '../../kit/surroundings.js';

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

const SERVICE = { policy: { ownership: 'off', lookAlikes: 'off', liveLookups: false } } as const;

/** A request that was done long ago. */
const DONE = {
  crawl_request_id: 'done',
  domain: NEWS,
  status: 'completed',
  attempts: 1,
  max_attempts: 3,
  started_at: null,
  last_attempted_at: null,
  completed_at: null,
  next_attempt_at: null,
  last_error_code: null,
  requested_by: 'nobody',
} as const;

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
  return await bootRegistry({
    mirror,
    service: SERVICE,
    clock: primary.clock,
    ...(dataDir === undefined ? {} : { dataDir }),
  });
}

const whole = (registry: BootedRegistry) => registry.server().tick();

beforeAll(async () => {
  origins = await serveOrigins([...DOMAINS, 'sales.example', 'rival.example', 'enrolled.example', 'secret.example']);
  primary = await bootRegistry({
    resolve: new Map(Object.entries(origins.resolve)),
    service: SERVICE,
  });
  ({ token } = await primary.member('acme'));
  await fill();
  // Agents that were just enrolled are visited before anybody compares.
  await primary.server().tick();
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
    await primary.server().tick();
    await whole(standby);
    await whole(open);
    await expectSameReads({ baseUrl: primary.baseUrl, token }, [{ baseUrl: standby.baseUrl, token }], SUBJECTS);
    await expectSamePublicReads();
  });
});

describe('a mirror follows', () => {
  it('in one round it reads all there is, and hears of what happens while it waits', async () => {
    const mirror = await bootMirror(token, false);
    const { replication } = mirror.server().registry;
    await replication.follow();
    expect(replication.lag()).toMatchObject({ state: 'following', lag_ms: 0, failures: 0 });
    const history = async () =>
      (await mirror.get(`/api/brands/history?domain=${SAVED}`)).json() as { readonly total: number };
    const { total } = await history();
    primary.clock.advance(MINUTE_MS);
    const round = replication.follow();
    await save('brands', { domain: SAVED, brand_name: 'Followed brand' });
    await round;
    expect(await history()).toMatchObject({ total: total + 1 });
  });

  it('ends at once when it is told to, whatever it waits for at its primary', async () => {
    // A primary that has a page wait for ever.
    let waiting = 0;
    const held = createServer(async ({ headers, url = '' }, response) => {
      if (/[?&]wait=[1-9]/.test(url)) {
        waiting += 1;
        return void response.once('close', () => {
          waiting -= 1;
        });
      }
      const { status, text } = await send(`${primary.baseUrl}${url}`, {
        headers: { authorization: headers.authorization },
      });
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    }).listen(0, '127.0.0.1');
    await once(held, 'listening');
    afterUse(() => {
      held.close();
      held.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(held.address() as AddressInfo).port}`;
    const mirror = await bootRegistry({ mirror: { url, token }, service: SERVICE, clock: primary.clock });
    await whole(mirror);
    primary.clock.advance(MINUTE_MS);
    await expect.poll(() => waiting, { timeout: 20_000 }).toBe(1);
    await mirror.close();
    await expect.poll(() => waiting).toBe(0);
  }, 25_000);

  it('tells how long ago it had all of its primary, while that is away', async () => {
    const away = await bootRegistry({ service: SERVICE, clock: primary.clock });
    const { token: key } = await away.member('acme');
    const mirror = await bootRegistry({
      mirror: { url: away.baseUrl, token: key },
      service: SERVICE,
      clock: primary.clock,
    });
    await whole(mirror);
    await away.close();
    primary.clock.advance(10 * MINUTE_MS);
    await whole(mirror);
    expect(mirror.server().registry.replication.lag()).toMatchObject({ lag_ms: 10 * MINUTE_MS, failures: 1 });
    expect((await mirror.get('/readyz')).json()).toMatchObject({ mirror: { status: 'degraded', lag_seconds: 600 } });
    expect((await mirror.get('/api/registry/publishers')).headers['x-registry-lag-seconds']).toBe('600');
    expect((await primary.get('/api/registry/publishers')).headers['x-registry-lag-seconds']).toBeUndefined();
  });
});

describe('a mirror whose key is refused', () => {
  it.each([
    ['it is none', { token: 'sk_wrong', isStandby: false }, 401],
    ['it is no key of an admin, of a standby', { token: undefined, isStandby: true }, 403],
  ] as const)(
    'says in /readyz which key it needs, and where it belongs: %s',
    async (_why, { isStandby, token: wrong }, status) => {
      const { token: own } = await primary.member(`reader-${status}`);
      const mirror = await bootRegistry({
        mirror: { url: primary.baseUrl, token: wrong ?? own, isStandby },
        service: SERVICE,
        clock: primary.clock,
      });
      await mirror.server().registry.replication.catchUp();
      const answer = await mirror.get('/readyz');
      expect([answer.status, answer.json()]).toMatchObject([
        503,
        { mirror: { status: 'ill', failures: 1, message: expect.stringContaining(`(${status})`) } },
      ]);
      expect(answer.text).toContain('SELLER_AGENT_REGISTRY_TOKEN');
      expect(answer.text).not.toContain(wrong ?? own);
      await mirror.close();
    },
  );
});

describe('a standby is promoted', () => {
  const dataDir = temporaryFolder('seller-agent-standby-');
  const promote = (registry: BootedRegistry, force = false) =>
    registry.server().operate({ path: '/api/admin/promote', body: { force } });
  let standby: BootedRegistry;
  let admin: string;

  beforeAll(async () => {
    ({ token: admin } = await primary.member('promoters', 'admin'));
    standby = await bootMirror(admin, true, dataDir);
  });

  it('is refused before it is whole, and while its primary answers; so is a change that is its primary’s', async () => {
    await expect(promote(standby)).rejects.toMatchObject({ code: 'conflict' });
    await whole(standby);
    await expect(promote(standby)).rejects.toThrow('still answers');
    const key = standby.server().operate({ path: '/api/admin/keys', body: { organization: 'acme' } });
    await expect(key).rejects.toMatchObject({ code: 'method_not_allowed' });
  });

  it('a reader goes on at it where the reader stood at the primary, also where it is not that far yet', async () => {
    await save('properties', { publisher_domain: 'later.example', authorized_agents: [], properties: [] });
    await save('properties', {
      publisher_domain: 'later.example',
      authorized_agents: [],
      properties: [{ type: 'website', name: 'Later' }],
    });
    const { cursor, events } = (await primary.get('/api/registry/feed?limit=10000', token)).json() as FeedPage;
    const ahead = await standby.get(`/api/registry/feed?cursor=${cursor}`, token);
    expect([ahead.status, ahead.json()]).toEqual([200, expect.objectContaining({ events: [], cursor })]);
    await whole(standby);
    const middle = events.at(-5)?.event_id ?? '';
    const rest = (await standby.get(`/api/registry/feed?cursor=${middle}&limit=100`, token)).json() as FeedPage;
    expect(rest.events).toEqual(events.slice(-4));
  });

  it('stays a mirror that follows where the promotion fails, and has forgotten nothing that the primary has', async () => {
    const { replication, store } = standby.server().registry;
    const failing: typeof store.transact = (work) =>
      store.transact(async (tx) => {
        await work(tx);
        throw new Error('the disk is full');
      });
    await expect(replication.promote({ ...store, transact: failing }, true)).rejects.toThrow('the disk is full');
    expect(replication.lag()).toMatchObject({ state: 'following', scope: 'whole' });
    await save('brands', { domain: 'after.example', brand_name: 'After' });
    await whole(standby);
    expect(await store.read.brand.find('after.example')).toMatchObject({ brand_name: 'After' });
  });

  it('clears its own counts of calls and requests that were done long ago, as its primary does, and tells of nothing', async () => {
    const { clock, replication, store } = standby.server().registry;
    const requests = [8, 6, 9].map((days, index) => ({
      ...DONE,
      crawl_request_id: `done-${index}`,
      domain: index === 2 ? 'held.example' : NEWS,
      requested_at: isoTime(clock.now() - days * DAY_MS),
    }));
    await primary.server().registry.store.transact(async (tx) => {
      for (const one of requests) await tx.crawl.saveRequest(one);
    });
    const hold = { kind: 'domain', name: 'held.example', reason: 'a court asks' };
    await primary.server().operate({ path: '/api/admin/holds', body: hold });
    await whole(standby);
    await store.transact((tx) => tx.calls.take('feed one', { points: 9, windowMs: HOUR_MS, nowMs: clock.now() }));
    primary.clock.advance(2 * HOUR_MS);
    const before = await store.read.events.head();
    await replication.catchUp();
    await whole(standby);
    expect(await store.sweep(clock.now(), undefined, (table) => table === 'call_count')).toBe(0);
    const found = await Promise.all(requests.map((one) => store.read.crawl.findRequest(one.crawl_request_id)));
    expect(found).toEqual([undefined, requests[1], requests[2]]);
    expect(await store.read.events.head()).toBe(before);
  });

  it('takes writes then, goes on with the feed, has the schedule of the crawls, and stays the primary after a restart', async () => {
    const crawls = await schedule(primary);
    const head = await primary.server().registry.store.read.events.head();
    await promote(standby, true);
    expect((await standby.get('/api')).json()).toMatchObject({ epoch: { term: 2, promoted_from: primary.baseUrl } });
    expect(await schedule(standby)).toEqual(crawls);
    const saved = await standby.post('/api/brands/save', { domain: 'new.example', brand_name: 'New' }, token);
    expect([saved.status, (await standby.get('/api/brands/history?domain=new.example')).json()]).toEqual([
      200,
      expect.objectContaining({ total: 1 }),
    ]);
    const hosted = {
      publisher_domain: 'new.example',
      authorized_agents: [],
      properties: [{ type: 'website', name: 'N' }],
    };
    expect((await standby.post('/api/properties/save', hosted, token)).status).toBe(200);
    const page = (await standby.get(`/api/registry/feed?cursor=${head}`, token)).json() as FeedPage;
    expect(page.events.length).toBeGreaterThan(0);
    expect(await promote(standby)).toMatchObject({ term: 2, promoted_from: primary.baseUrl });
    await standby.close();
    const again = await bootMirror(admin, true, dataDir);
    expect(again.server().registry.mirrors).toBeUndefined();
    expect(await promote(again)).toMatchObject({ term: 2 });
  });

  it('a mirror that followed it refuses the old primary', async () => {
    standby = await bootMirror(admin, true, dataDir);
    const follower = temporaryFolder('seller-agent-follower-');
    const mirror = { token: admin, isStandby: true };
    const first = await bootRegistry({
      mirror: { ...mirror, url: standby.baseUrl },
      clock: primary.clock,
      dataDir: follower,
    });
    await whole(first);
    expect(first.server().registry.replication.lag()).toMatchObject({ term: 2, last_error: null, lag_ms: 0 });
    await first.close();
    const again = await bootRegistry({
      mirror: { ...mirror, url: primary.baseUrl },
      clock: primary.clock,
      dataDir: follower,
    });
    await whole(again);
    expect(again.server().registry.replication.lag()?.last_error).toContain('older primary, of term 1');
  });
});

type FeedPage = { readonly events: readonly { readonly event_id: string }[]; readonly cursor: string };

async function schedule(registry: BootedRegistry): Promise<readonly object[]> {
  const states = await registry.server().registry.store.read.crawl.listStates('', 100);
  return states.map(({ domain, dueAt }) => ({ domain, dueAt }));
}
