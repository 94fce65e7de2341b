import path from 'node:path';
import { RegistryClient as PublicClient, RegistrySync } from '@adcp/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../src/platform/kernel/clock.js';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import { createRegistryClient } from '../../../src/registry/client/client.js';
import { type Mirror, openMirror } from '../../../src/registry/mirror/mirror.js';
import { NOUNS, type RegistryEvent } from '../../../src/registry/model/records.js';
import { openServerStore, type ServerStore } from '../../../src/registry/server/store/server-store.js';
import { type Origins, serveOrigins } from '../../kit/origins.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { collectingLog, temporaryFolder } from '../../kit/surroundings.js';

const PUBLISHERS = ['one.example', 'two.example', 'three.example', 'four.example', 'five.example'] as const;
const [ONE, TWO, THREE, FOUR, FIVE] = PUBLISHERS;
const MANAGER = 'network.example';
const SALES = 'https://sales.example/mcp';
const RIVAL = 'https://rival.example/mcp';

const site = (domain: string, more: object = {}) => ({
  property_id: 'site',
  property_type: 'website',
  name: domain,
  identifiers: [{ type: 'domain', value: domain }],
  supported_channels: ['display'],
  ...more,
});
const app = (domain: string) => ({
  property_id: 'app',
  property_type: 'ctv_app',
  name: `${domain} TV`,
  identifiers: [{ type: 'roku_store_id', value: `roku-${domain}` }],
  tags: ['sport'],
});
const entry = (url: string, more: object = {}) => ({
  url,
  authorized_for: 'direct sales',
  authorization_type: 'publisher_properties',
  publisher_properties: [{ publisher_domain: ONE, selection_type: 'all' }],
  delegation_type: 'direct',
  ...more,
});
const ids = (...property_ids: string[]) => ({
  authorization_type: 'property_ids',
  property_ids,
  publisher_properties: undefined,
});

let origins: Origins;
let registry: BootedRegistry;
let token: string;

const adagents = (domain: string, file: object | undefined): void =>
  origins.put(`https://${domain}/.well-known/adagents.json`, file);

/** Crawls every publisher that is due an hour later, and answers the events that this told. */
async function crawlAgain(): Promise<readonly RegistryEvent[]> {
  const before = await registry.server().registry.store.read.events.head();
  registry.clock.advance(HOUR_MS);
  await registry.server().registry.crawler.tick();
  return registry.server().registry.store.read.events.page(before ?? '', 10_000);
}

beforeAll(async () => {
  origins = await serveOrigins([...PUBLISHERS, MANAGER, 'sales.example', 'rival.example']);
  registry = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)) });
  ({ token } = await registry.member('acme'));
  adagents(ONE, { properties: [site(ONE), app(ONE)], authorized_agents: [entry(SALES), entry(RIVAL, ids('app'))] });
  adagents(TWO, { properties: [site(TWO)], authorized_agents: [entry(SALES, ids('site'))] });
  adagents(THREE, { authoritative_location: `https://${MANAGER}/files/three.json` });
  origins.put(`https://${MANAGER}/files/three.json`, {
    properties: [site(THREE, { publisher_domain: THREE })],
    authorized_agents: [entry(SALES, { ...ids('site'), delegation_type: 'ad_network' })],
  });
  origins.put(`https://${FOUR}/ads.txt`, {
    body: `MANAGERDOMAIN=${MANAGER}\n`,
    headers: { 'content-type': 'text/plain' },
  });
  adagents(MANAGER, {
    properties: [site(FOUR, { publisher_domain: FOUR })],
    authorized_agents: [
      entry(SALES, { publisher_properties: [{ publisher_domain: FOUR, selection_type: 'all' }], countries: ['US'] }),
    ],
  });
  adagents(FIVE, { properties: [site(FIVE)], authorized_agents: [entry(RIVAL, ids('site'))] });
}, 60_000);

describe('five publishers are crawled', () => {
  it('each is asked for over REST; every request says what came of it', async () => {
    for (const domain of PUBLISHERS) {
      const taken = await registry.post('/api/registry/crawl-request', { domain }, token);
      expect(taken.status, taken.text).toBe(202);
      expect(taken.json()).toMatchObject({ message: 'Crawl request accepted', domain });
      await registry.server().registry.crawler.crawl(domain);
      const { crawl_request_id: id } = taken.json() as { crawl_request_id: string };
      const done = await registry.get(`/api/registry/crawl-request/${id}`, token);
      expect(done.json()).toMatchObject({ status: 'completed', attempts: 1, last_error_code: null });
    }
    // The manager of one of them is crawled by its own domain too, for a file of its own counts there.
    await registry.server().registry.crawler.tick();
  });

  it('what they say is answered', async () => {
    const publishers = (await registry.get('/api/registry/publishers')).json() as { count: number };
    expect(publishers.count).toBe(PUBLISHERS.length + 1);
    const domains = await registry.get(`/api/registry/lookup/agent/${encodeURIComponent(SALES)}/domains`);
    expect(domains.json()).toMatchObject({ domains: [FOUR, ONE, THREE, TWO], count: 4 });
    expect(domains.headers).toMatchObject({ deprecation: 'true' });
    const check = async (agent: string, type: string, value: string, more = '') =>
      (
        await registry.get(
          `/api/registry/validate/property-authorization?agent_url=${encodeURIComponent(agent)}&identifier_type=${type}&identifier_value=${value}${more}`,
        )
      ).json();
    expect(await check(SALES, 'domain', ONE)).toMatchObject({
      authorized: true,
      publisher_domain: ONE,
      property_id: 'site',
    });
    expect(await check(RIVAL, 'domain', ONE)).toMatchObject({ authorized: false, reason: 'property_not_covered' });
    expect(await check(RIVAL, 'roku_store_id', `roku-${ONE}`)).toMatchObject({ authorized: true });
    expect(await check(SALES, 'domain', FOUR, '&country=DE')).toMatchObject({
      authorized: false,
      reason: 'country_excluded',
    });
    expect(await check(SALES, 'domain', FOUR, '&country=US')).toMatchObject({ authorized: true });
    const publisher = (await registry.get(`/api/registry/publisher?domain=${THREE}`)).json();
    expect(publisher).toMatchObject({
      adagents_valid: true,
      discovery_method: 'authoritative_location',
      authorized_agents: [{ url: SALES, properties_authorized: 1, properties_total: 1, publisher_wide: false }],
    });
    expect((await registry.get(`/api/registry/publisher?domain=${FOUR}`)).json()).toMatchObject({
      discovery_method: 'ads_txt_managerdomain',
      manager_domain: MANAGER,
    });
    expect(await (await registry.get('/api/registry/stats')).json()).toMatchObject({
      discovered_agents: 2,
      discovered_publishers: 6,
      discovered_properties: 7,
      properties_by_type: { website: 6, ctv_app: 1 },
    });
  });
});

describe('the public client', () => {
  let sync: RegistrySync;
  let client: PublicClient;

  beforeAll(async () => {
    client = new PublicClient({ baseUrl: registry.baseUrl, apiKey: token });
    sync = new RegistrySync({ client, pollIntervalMs: 3_600_000 });
    await sync.start();
  });
  afterAll(() => sync.stop());

  it('indexes every agent and every authorization', () => {
    expect(
      sync
        .getAgents()
        .map(({ url }) => url)
        .toSorted(),
    ).toEqual([RIVAL, SALES]);
    expect(
      sync
        .findAgents({ property_types: ['ctv_app'] })
        .map(({ url }) => url)
        .toSorted(),
    ).toEqual([RIVAL, SALES]);
    for (const domain of [ONE, TWO, THREE, FOUR]) expect(sync.isAuthorized(SALES, domain), domain).toBe(true);
    expect(sync.isAuthorized(SALES, FIVE)).toBe(false);
  });

  it('reads what the REST API answers', async () => {
    expect((await client.searchAgents({ channels: 'display', limit: 1 } as never)).results[0]).toMatchObject({
      agent_url: SALES,
    });
    expect(await client.lookupPublisher(TWO)).toMatchObject({ domain: TWO });
    expect(await client.validateProductAuthorization(SALES, [{ publisher_domain: TWO }])).toMatchObject({
      authorized: true,
    });
    expect(await client.expandProductIdentifiers(SALES, [{ publisher_domain: ONE }])).toMatchObject({
      property_count: 2,
      identifier_count: 2,
    });
    expect(await client.search('two.example')).toMatchObject({ publishers: [{ domain: TWO }] });
    expect(await client.getAgentDomains(RIVAL)).toMatchObject({ domains: [FIVE, ONE] });
  });
});

describe('a mirror', () => {
  const outbound = createOutbound({ development: true });
  let store: ServerStore;
  let mirror: Mirror;

  /** Every record of a store, without what was read of the registry besides. */
  async function recordsOf({ read }: ServerStore): Promise<object> {
    const nouns = NOUNS.filter((noun) => noun !== 'brand');
    const all = await Promise.all(nouns.map(async (noun) => [noun, await read[noun].page('', 10_000)] as const));
    return Object.fromEntries(all);
  }

  const origin = (): ServerStore => registry.server().registry.store;
  const asks = (agent: string, domain: string): boolean =>
    mirror.isAuthorized({ agent, domain, at: registry.clock.now(), openLimits: 'report' }).authorized;

  beforeAll(async () => {
    store = openServerStore(path.join(temporaryFolder('seller-agent-mirror-'), 'mirror.db'));
    const source = createRegistryClient({ url: registry.baseUrl, token, outbound });
    mirror = await openMirror({ store, source, clock: registry.clock, ids: systemIds, log: collectingLog([]) });
    await mirror.tick('now');
  });
  afterAll(async () => {
    await mirror.close();
    await store.close();
    await outbound.close();
  });

  it('that was just opened equals the origin', async () => {
    expect(mirror.lag()).toMatchObject({ state: 'following', failures: 0, last_error: null });
    expect(await recordsOf(store)).toEqual(await recordsOf(origin()));
    expect([asks(SALES, ONE), asks(SALES, FIVE), asks(RIVAL, FIVE)]).toEqual([true, false, true]);
  });

  it.each([
    [
      'a publisher changes its file',
      () =>
        adagents(TWO, {
          properties: [site(TWO, { name: 'Two' }), app(TWO)],
          authorized_agents: [entry(SALES, ids('site', 'app')), entry(RIVAL, ids('app'))],
        }),
      [
        'property.updated',
        'property.created',
        'authorization.modified',
        'authorization.granted',
        'agent.profile_updated',
        'agent.profile_updated',
        'publisher.adagents_changed',
      ],
    ],
    [
      'a publisher takes its file away',
      () => adagents(FIVE, undefined),
      ['property.stale', 'authorization.revoked', 'agent.profile_updated', 'publisher.adagents_changed'],
    ],
    [
      'a publisher revokes one of two agents',
      () => adagents(ONE, { properties: [site(ONE), app(ONE)], authorized_agents: [entry(SALES)] }),
      ['authorization.revoked', 'agent.profile_updated', 'publisher.adagents_changed'],
    ],
    ['nothing happens', () => undefined, []],
  ])('follows when %s', async (_name, happens, expected) => {
    happens();
    const events = await crawlAgain();
    expect(events.map(({ event_type }) => event_type)).toEqual(expected);
    await mirror.tick('now');
    expect(mirror.lag()).toMatchObject({ failures: 0, last_error: null });
    expect(await recordsOf(store)).toEqual(await recordsOf(origin()));
  });

  it('answers as the origin does afterwards', () => {
    expect([asks(SALES, TWO), asks(RIVAL, FIVE), asks(SALES, ONE)]).toEqual([true, false, true]);
    const app = { type: 'roku_store_id', value: `roku-${ONE}` } as const;
    expect(mirror.isAuthorized({ agent: RIVAL, property: app, at: registry.clock.now() }).authorized).toBe(false);
  });
});

describe('both sides', () => {
  const check = async (): Promise<unknown> =>
    (
      await registry.get(
        `/api/registry/validate/property-authorization?agent_url=${encodeURIComponent(SALES)}&identifier_type=domain&identifier_value=${ONE}`,
      )
    ).json();
  const brandJson = (relationship: string): object => ({
    house: { domain: 'sales.example', name: 'Sales', agents: [{ type: 'sales', url: SALES, id: 'sales' }] },
    brands: [
      {
        id: 'sales',
        names: [{ en: 'Sales' }],
        keller_type: 'master',
        properties: [{ type: 'website', identifier: ONE, relationship }],
      },
    ],
  });

  it('the operator is not known until its brand.json was read', async () => {
    expect(await check()).toMatchObject({ authorized: true, reason: 'operator_unknown', mutual: false });
  });

  it.each([
    ['direct', { authorized: true, reason: 'confirmed', match: 'both', mutual: true }],
    ['ad_network', { authorized: false, reason: 'delegation_mismatch', match: 'mismatch', mutual: false }],
  ])('the operator says %s beside the publisher’s direct', async (relationship, expected) => {
    origins.put('https://sales.example/.well-known/brand.json', brandJson(relationship));
    registry.clock.advance(25 * HOUR_MS);
    await registry.server().registry.crawler.visit(SALES);
    expect(await check()).toMatchObject(expected);
  });
});
