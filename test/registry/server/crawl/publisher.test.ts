import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/platform/kernel/clock.js';
import { unreadState } from '../../../../src/registry/server/crawl/operate.js';
import { crawlPublisher } from '../../../../src/registry/server/crawl/publisher.js';
import { openServiceContext, type ServiceContext, types } from '../context.js';

const DOMAIN = 'news.example';
const AGENT = 'https://sales.example/mcp';
const site = (id: string, value = `${id}.${DOMAIN}`, more: object = {}) => ({
  property_id: id,
  property_type: 'website',
  name: id,
  identifiers: [{ type: 'subdomain', value }],
  ...more,
});
const entry = (more: object = {}, url = AGENT) => ({
  url,
  authorized_for: 'everything',
  authorization_type: 'property_ids',
  property_ids: ['one', 'two'],
  ...more,
});
const file = (more: object = {}) => ({
  properties: [site('one', undefined, { tags: ['sport'] }), site('two')],
  authorized_agents: [entry()],
  last_updated: '2029-12-01T00:00:00Z',
  ...more,
});

describe('a publisher is crawled', () => {
  it('the first time everything is told, in an order in which nothing is named before it is there', async () => {
    const service = openServiceContext();
    service.publish(DOMAIN, file());
    const { verdict, events } = await crawlPublisher(service, DOMAIN);
    const news = await service.news();
    expect([verdict, events]).toEqual(['adopted', news.length]);
    expect(types(news)).toEqual([
      'agent.discovered',
      'property.created',
      'property.created',
      'authorization.granted',
      'publisher.adagents_discovered',
    ]);
    expect(news.map(({ event_id }) => event_id)).toEqual(news.map(({ event_id }) => event_id).toSorted());
    expect(await service.store.read.agent.find(AGENT)).toMatchObject({
      agent_url: AGENT,
      property_count: 2,
      publisher_count: 1,
      property_types: ['website'],
      tags: ['sport'],
    });
    expect(await service.store.read.publisher.find(DOMAIN)).toMatchObject({
      standing: 'open',
      adagents_valid: true,
      discovery_method: 'direct',
      agent_count: 1,
      property_count: 2,
    });
    const rows = await service.store.read.authorization.ofPublisher(DOMAIN, '', 10);
    expect(rows).toMatchObject([
      { agent_url: AGENT, property_rid: null, selectors: [{ selection_type: 'by_id', property_ids: ['one', 'two'] }] },
    ]);
  });

  it.each([
    ['the same bytes', {}],
    ['another $schema and last_updated', { $schema: 'https://x.example/s.json', last_updated: '2029-12-02T00:00:00Z' }],
    ['sets turned round', { authorized_agents: [entry({ property_ids: ['two', 'one'] })] }],
    ['properties turned round', { properties: [site('two'), site('one', undefined, { tags: ['sport'] })] }],
  ])('%s: nothing that is visible to anybody changed the records', async (_name, more) => {
    const service = openServiceContext();
    service.publish(DOMAIN, file());
    await crawlPublisher(service, DOMAIN);
    await service.news();
    service.publish(DOMAIN, file(more));
    service.clock.advance(HOUR_MS);
    await crawlPublisher(service, DOMAIN);
    const left = types(await service.news()).filter((type) => type !== 'publisher.adagents_changed');
    expect(left).toEqual([]);
  });

  it.each([
    ['the same bytes', {}],
    ['another $schema and last_updated', { $schema: 'https://x.example/s.json', last_updated: '2029-12-02T00:00:00Z' }],
  ])('%s: no event at all', async (_name, more) => {
    const service = openServiceContext();
    service.publish(DOMAIN, file());
    await crawlPublisher(service, DOMAIN);
    await service.news();
    service.publish(DOMAIN, file(more));
    expect((await crawlPublisher(service, DOMAIN)).events).toBe(0);
  });

  it.each([
    [
      'a new limit',
      { authorized_agents: [entry({ countries: ['US'] })] },
      ['authorization.modified', 'agent.profile_updated'],
    ],
    [
      'a pinned key',
      { authorized_agents: [entry({ signing_keys: [{ kid: 'k', kty: 'OKP', crv: 'Ed25519', x: 'AA' }] })] },
      ['authorization.modified'],
    ],
    [
      'a new name',
      { properties: [site('one', undefined, { tags: ['sport'], name: 'One' }), site('two')] },
      ['property.updated'],
    ],
    [
      'another agent',
      { authorized_agents: [entry(), entry({ property_ids: ['one'] }, 'https://b.example/mcp')] },
      ['agent.discovered', 'authorization.granted'],
    ],
    [
      'the agent is another one',
      { authorized_agents: [entry({}, 'https://b.example/mcp')] },
      ['agent.discovered', 'authorization.revoked', 'authorization.granted', 'agent.removed'],
    ],
    [
      'a property less',
      { properties: [site('one', undefined, { tags: ['sport'] })] },
      ['property.stale', 'agent.profile_updated'],
    ],
    [
      'two properties became one',
      {
        properties: [
          site('one', undefined, {
            tags: ['sport'],
            identifiers: [
              { type: 'subdomain', value: `one.${DOMAIN}` },
              { type: 'subdomain', value: `two.${DOMAIN}` },
            ],
          }),
        ],
      },
      ['property.updated', 'property.merged', 'agent.profile_updated'],
    ],
    ['a collection', { collections: [{ collection_id: 'c', name: 'C' }] }, ['collection.created']],
    ['formats alone', { formats: [{ format_kind: 'display', format_option_id: 'f' }] }, []],
  ])('%s', async (_name, more, expected) => {
    const service = openServiceContext();
    service.publish(DOMAIN, file());
    await crawlPublisher(service, DOMAIN);
    await service.news();
    service.publish(DOMAIN, file(more));
    await crawlPublisher(service, DOMAIN);
    expect(types(await service.news())).toEqual([...expected, 'publisher.adagents_changed']);
    expect((await crawlPublisher(service, DOMAIN)).events, 'once').toBe(0);
  });

  it('a stale property comes back as itself', async () => {
    const service = openServiceContext();
    service.publish(DOMAIN, file());
    await crawlPublisher(service, DOMAIN);
    const [before] = (await service.news()).filter(({ payload }) => payload.property_id === 'two');
    service.publish(DOMAIN, file({ properties: [site('one', undefined, { tags: ['sport'] })] }));
    await crawlPublisher(service, DOMAIN);
    await service.news();
    service.publish(DOMAIN, file());
    await crawlPublisher(service, DOMAIN);
    const news = await service.news();
    expect(types(news)).toEqual(['property.reactivated', 'agent.profile_updated', 'publisher.adagents_changed']);
    expect(news[0]?.entity_id).toBe(before?.entity_id);
  });

  it('a file that is gone takes everything with it, and trouble that passes nothing for a day', async () => {
    const service = openServiceContext();
    service.publish(DOMAIN, file());
    await crawlPublisher(service, DOMAIN);
    await service.news();
    service.world[`https://${DOMAIN}/.well-known/adagents.json`] = { fails: 'timeout' };
    service.clock.advance(HOUR_MS);
    expect((await crawlPublisher(service, DOMAIN)).verdict).toBe('kept');
    expect(await service.news()).toEqual([]);
    service.clock.advance(DAY_MS);
    expect((await crawlPublisher(service, DOMAIN)).verdict).toBe('dropped');
    expect(types(await service.news())).toEqual([
      'property.stale',
      'property.stale',
      'authorization.revoked',
      'agent.removed',
      'publisher.adagents_changed',
    ]);
    service.publish(DOMAIN, file());
    await crawlPublisher(service, DOMAIN);
    expect(types(await service.news())).toEqual([
      'agent.discovered',
      'property.reactivated',
      'property.reactivated',
      'authorization.granted',
      'publisher.adagents_discovered',
    ]);
  });

  it('what cannot be read is tried again in minutes, then later, and a domain that never had a file the next day', async () => {
    const url = `https://${DOMAIN}/.well-known/adagents.json`;
    const waits = async (service: ServiceContext, rounds: number): Promise<readonly number[]> => {
      const minutes: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const { dueAt } = (await crawlPublisher(service, DOMAIN)).state;
        minutes.push((dueAt - service.clock.now()) / MINUTE_MS);
        service.clock.advance(dueAt - service.clock.now());
      }
      return minutes;
    };
    expect(await waits(openServiceContext(), 2)).toEqual([1440, 1440]);
    const [broken, gone, named] = [openServiceContext(), openServiceContext(), openServiceContext()];
    broken.world[url] = { json: [] };
    expect(await waits(broken, 10)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440]);
    gone.publish(DOMAIN, file());
    expect(await waits(gone, 1)).toEqual([60]);
    delete gone.world[url];
    expect(await waits(gone, 3)).toEqual([5, 10, 20]);
    named.world[url] = { json: [] };
    await named.store.transact((tx) => tx.crawl.saveState({ ...unreadState(DOMAIN), namedBy: 'network.example' }));
    expect(await waits(named, 1)).toEqual([1440]);
  });

  it('a broken file is looked at again every hour or sooner while the last good one stands in', async () => {
    const service = openServiceContext();
    service.publish(DOMAIN, file());
    await crawlPublisher(service, DOMAIN);
    await service.news();
    service.publish(DOMAIN, { authorized_agents: 'broken' });
    for (let hour = 0; hour < 24; hour += 6) {
      service.clock.advance(6 * HOUR_MS);
      const { state, verdict } = await crawlPublisher(service, DOMAIN);
      expect([verdict, state.dueAt - service.clock.now() <= 6 * HOUR_MS]).toEqual(['kept', true]);
    }
    expect(await service.news()).toEqual([]);
    service.clock.advance(HOUR_MS);
    expect((await crawlPublisher(service, DOMAIN)).verdict).toBe('dropped');
    expect(types(await service.news())).toContain('authorization.revoked');
  });

  it('the domains that a network’s file names are crawled, some at a time, and forgotten where they have no file', async () => {
    const service = openServiceContext();
    const domains = Array.from({ length: 120 }, (_, index) => `p${index}.example`);
    const properties = domains.slice(0, 60).map((domain) => site('one', domain, { publisher_domain: domain }));
    const publisher_properties = [{ publisher_domains: domains.slice(60), selection_type: 'all' }];
    const network = [entry({ authorization_type: 'publisher_properties', publisher_properties })];
    service.publish('network.example', { properties, authorized_agents: network });
    await crawlPublisher(service, 'p7.example');
    const { dueAt } = (await service.store.read.crawl.findState('p7.example')) ?? {};
    await crawlPublisher(service, 'network.example');
    const now = service.clock.now();
    const due = async (at: number) => (await service.store.read.crawl.listDue(at, 1000)).length;
    expect([await due(now), await due(now + 5 * 60_000), await due(now + 10 * 60_000)]).toEqual([49, 99, 119]);
    expect((await service.store.read.crawl.findState('p7.example'))?.dueAt).toBe(dueAt);
    for (let reading = 0; reading < 3; reading += 1) {
      expect(await service.store.read.crawl.findState('p1.example')).toMatchObject({ namedBy: 'network.example' });
      await crawlPublisher(service, 'p1.example');
    }
    expect(await service.store.read.crawl.findState('p1.example')).toBeUndefined();
    service.publish('p2.example', { authoritative_location: 'https://network.example/.well-known/adagents.json' });
    await crawlPublisher(service, 'p2.example');
    expect(await service.store.read.publisher.find('p2.example')).toMatchObject({ adagents_valid: true });
    expect((await service.store.read.crawl.findState('p2.example'))?.namedBy).toBeUndefined();
  });

  it('a file on another’s domain has that domain crawled', async () => {
    const service = openServiceContext();
    service.publish(DOMAIN, { authoritative_location: 'https://files.network.example/all.json' });
    service.world['https://files.network.example/all.json'] = { json: file() };
    await crawlPublisher(service, DOMAIN);
    expect(await service.store.read.crawl.findState('network.example')).toMatchObject({ namedBy: DOMAIN });
  });

  it('a revoked publisher authorizes nobody, and for a week after the file says nothing of it any more', async () => {
    const service = openServiceContext();
    const revoked = { revoked_publisher_domains: [{ publisher_domain: DOMAIN, revoked_at: '2029-12-31T00:00:00Z' }] };
    service.publish(DOMAIN, file());
    await crawlPublisher(service, DOMAIN);
    await service.news();
    service.publish(DOMAIN, file(revoked));
    await crawlPublisher(service, DOMAIN);
    expect(types(await service.news())).toContain('authorization.revoked');
    service.publish(DOMAIN, file());
    service.clock.advance(DAY_MS);
    await crawlPublisher(service, DOMAIN);
    expect((await service.store.read.publisher.find(DOMAIN))?.standing).toBe('revoked');
    service.clock.advance(7 * DAY_MS);
    await crawlPublisher(service, DOMAIN);
    expect(types(await service.news())).toContain('authorization.granted');
  });

  it('what one agent sells is added up over publishers, and taken away again', async () => {
    const service = openServiceContext();
    for (const domain of ['a.example', 'b.example']) {
      service.publish(domain, file({ properties: [site('one', `one.${domain}`)] }));
      await crawlPublisher(service, domain);
    }
    expect(await service.store.read.agent.find(AGENT)).toMatchObject({ property_count: 2, publisher_count: 2 });
    service.world['https://a.example/.well-known/adagents.json'] = { status: 404 };
    await crawlPublisher(service, 'a.example');
    expect(await service.store.read.agent.find(AGENT)).toMatchObject({ property_count: 1, publisher_count: 1 });
    expect((await service.news()).filter(({ event_type }) => event_type === 'agent.removed')).toEqual([]);
  });

  it('a large file is told whole, in transactions of bounded size', async () => {
    const service = openServiceContext();
    const properties = Array.from({ length: 1200 }, (_, index) => site(`p${index}`));
    service.publish(DOMAIN, file({ properties, authorized_agents: [entry({ property_ids: ['p0', 'p1199'] })] }));
    const { events } = await crawlPublisher(service, DOMAIN);
    const news = await service.news();
    expect([events, news.length]).toEqual([1203, 1203]);
    expect(new Set(news.map(({ event_id }) => event_id)).size).toBe(1203);
    expect(await service.store.read.agent.find(AGENT)).toMatchObject({ property_count: 2 });
  });

  it.each([1, 2, 3, 4, 5])(
    'a crash after transaction %i is made good by the next reading, and nothing is told twice',
    async (after) => {
      const service = openServiceContext();
      const agents = Array.from({ length: 400 }, (_, index) => entry({}, `https://agent${index}.example/mcp`));
      const properties = [site('one', undefined, { tags: ['sport'] }), site('two')];
      service.publish(DOMAIN, file({ properties, authorized_agents: agents }));
      let left = after;
      const transact: typeof service.store.transact = (action) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('killed')) : service.store.transact(action);
      };
      const dying = { ...service, store: { ...service.store, transact } };
      await crawlPublisher(dying, DOMAIN).catch((error: Error) => expect(error.message).toBe('killed'));
      await crawlPublisher(service, DOMAIN);
      const news = await service.news();
      expect(types(news).filter((type) => type !== 'agent.profile_updated')).toHaveLength(400 + 2 + 400 + 1);
      expect(new Set(news.map(({ event_type, entity_id }) => `${event_type} ${entity_id}`)).size).toBe(news.length);
      const known = await service.store.read.agent.page('', 1000);
      expect(known.map(({ property_count, publisher_count }) => [property_count, publisher_count])).toEqual(
        Array.from({ length: 400 }, () => [2, 1]),
      );
      expect((await crawlPublisher(service, DOMAIN)).events).toBe(0);
    },
  );
});

describe('a publisher whose servers say whether a file has changed', () => {
  const OWN = `https://${DOMAIN}/.well-known/adagents.json`;
  const NETWORK = 'https://cdn.example/network.json';
  const ETAG = { etag: '"v1"' };

  it('is not read again while they say that it has not, and the clock restarts', async () => {
    const service = openServiceContext();
    service.serve(OWN, { authoritative_location: NETWORK }, ETAG);
    service.serve(NETWORK, file({ formats: [{ format_option_id: 'banner' }] }), {
      'last-modified': 'Mon, 01 Jan 2029 00:00:00 GMT',
    });
    const first = await crawlPublisher(service, DOMAIN);
    expect(first).toMatchObject({ verdict: 'adopted', state: { served: { status: 200 } } });
    await service.news();
    service.clock.advance(HOUR_MS);
    const again = await crawlPublisher(service, DOMAIN);
    const now = service.clock.now();
    expect(again).toMatchObject({ verdict: 'unchanged', events: 0 });
    expect(again.state).toMatchObject({ readAt: now, attemptedAt: now, dueAt: now + HOUR_MS, failures: 0 });
    expect(again.state.served).toEqual({ status: 304, bytes: first.state.served?.bytes });
    expect(again.state.formats).toEqual(first.state.formats);
    expect(service.asked).toEqual([OWN, NETWORK, OWN, NETWORK]);
    expect(await service.news()).toEqual([]);
  });

  it('is read when one of them has, without asking twice for what was just answered', async () => {
    const service = openServiceContext();
    service.serve(OWN, file(), ETAG);
    await crawlPublisher(service, DOMAIN);
    await service.news();
    service.serve(OWN, file({ authorized_agents: [entry({ countries: ['US'] })] }), { etag: '"v2"' });
    service.clock.advance(HOUR_MS);
    expect((await crawlPublisher(service, DOMAIN)).verdict).toBe('adopted');
    expect(types(await service.news())).toContain('authorization.modified');
    expect(service.asked).toEqual([OWN, OWN]);
  });

  it('is read in full once a day all the same, and when a server fails', async () => {
    const service = openServiceContext();
    service.serve(OWN, file(), ETAG);
    await crawlPublisher(service, DOMAIN);
    service.clock.advance(HOUR_MS);
    service.world[OWN] = { fails: 'timeout' };
    expect(await crawlPublisher(service, DOMAIN)).toMatchObject({ verdict: 'kept', discovery: { reason: 'timeout' } });
    service.serve(OWN, file(), ETAG);
    expect((await crawlPublisher(service, DOMAIN)).verdict).toBe('adopted');
    service.clock.advance(DAY_MS);
    expect((await crawlPublisher(service, DOMAIN)).verdict).toBe('adopted');
  });

  it.each(['no quotes', '"a\r\nx: y"', `"${'x'.repeat(300)}"`])(
    'an ETag that is none is not sent back: %j',
    async (etag) => {
      const service = openServiceContext();
      service.serve(OWN, file(), { etag });
      await crawlPublisher(service, DOMAIN);
      service.clock.advance(HOUR_MS);
      expect((await crawlPublisher(service, DOMAIN)).verdict).toBe('adopted');
    },
  );
});
