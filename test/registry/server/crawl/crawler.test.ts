import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../../src/platform/kernel/clock.js';
import { createOutbound } from '../../../../src/platform/net/fetch.js';
import { FetchError } from '../../../../src/platform/net/fetch-error.js';
import { protocolNames } from '../../../../src/protocol/names.js';
import type { Member } from '../../../../src/registry/server/auth/caller.js';
import { Crawler } from '../../../../src/registry/server/crawl/crawler.js';
import { unreadState } from '../../../../src/registry/server/crawl/operate.js';
import type { BrandReading } from '../../../../src/registry/server/crawl/recent-brands.js';
import type { CrawlRequest } from '../../../../src/registry/server/crawl/records.js';
import { requestCrawl } from '../../../../src/registry/server/crawl/request.js';
import { ProbeQueue } from '../../../../src/registry/server/service/agent/probe.js';
import type { Registry } from '../../../../src/registry/server/service/registry.js';
import { serveOrigins } from '../../../kit/origins.js';
import { bootRegistry } from '../../../kit/registry.js';
import { collectingLog, type LogLine, temporaryFolder } from '../../../kit/surroundings.js';
import { openServiceContext, type ServiceContext } from '../context.js';

const MANAGER = 'https://network.example/files/all.json';
const site = (domain: string): object => ({
  property_type: 'website',
  name: domain,
  identifiers: [{ type: 'domain', value: domain }],
  publisher_domain: domain,
});

const READ: BrandReading = { reason: 'found', isTransient: false };
const ABSENT: BrandReading = { reason: 'not_found', isTransient: false };

function open(
  limits?: ConstructorParameters<typeof Crawler>[1],
  readBrand?: (domain: string) => Promise<BrandReading>,
): ServiceContext & { readonly crawler: Crawler } {
  const service = openServiceContext();
  const outbound = {
    ...service.outbound,
    leadsInside: async () => false,
    resolves: async () => true,
    close: async () => undefined,
  };
  const context = { ...service, outbound, names: protocolNames('adcp'), log: collectingLog([]), readBrand };
  return { ...service, crawler: new Crawler(context, limits) };
}

describe('the crawler', () => {
  it('reads the operator’s copies in one transaction each, however many are read at once', async () => {
    const { crawler, store } = open({ concurrency: 60 });
    const files = Array.from({ length: 60 }, (_, index) => {
      const domain = `copy-${index}.example`;
      const properties = Array.from({ length: 10 }, (_one, at) => ({
        ...site(`s${at}.${domain}`),
        publisher_domain: domain,
        property_id: `p${at}`,
      }));
      const agents = [0, 1, 2].map((at) => ({
        url: `https://ads-${at}.example/mcp`,
        authorized_for: 'all',
        authorization_type: 'property_ids',
        property_ids: [`p${at}`],
      }));
      return { domain, text: JSON.stringify({ properties, authorized_agents: agents }) };
    });
    const before = store.stats().transactions;
    const readings = await crawler.readLocal(files);
    expect(readings.filter(({ verdict }) => verdict === 'adopted')).toHaveLength(60);
    // One of the lease stands beside them.
    expect(store.stats().transactions - before).toBeLessThanOrEqual(62);
  });

  it('reads every publisher again when it is due, and a failing one later each time', async () => {
    const { asked, clock, crawler, publish } = open();
    publish('a.example', { properties: [site('a.example')], authorized_agents: [] });
    await crawler.crawl('a.example');
    await crawler.crawl('gone.example');
    asked.length = 0;
    await crawler.tick();
    expect(asked).toEqual([]);
    clock.advance(HOUR_MS);
    await crawler.tick();
    expect(asked).toEqual(['https://a.example/.well-known/adagents.json']);
    clock.advance(DAY_MS - HOUR_MS);
    asked.length = 0;
    await crawler.tick();
    expect(asked).toContain('https://gone.example/.well-known/adagents.json');
  });

  it('fetches the file of a network once for all its publishers, and each publisher’s own pointer every time', async () => {
    const { asked, clock, crawler, publish, store, world } = open();
    const domains = Array.from({ length: 20 }, (_, index) => `p${index}.example`);
    world[MANAGER] = { json: { properties: domains.map(site), authorized_agents: [] } };
    for (const domain of domains) publish(domain, { authoritative_location: MANAGER });
    await Promise.all(domains.map((domain) => crawler.crawl(domain)));
    expect(asked.filter((url) => url === MANAGER)).toHaveLength(1);
    expect(asked).toHaveLength(domains.length + 1);
    expect(await store.read.property.count()).toBe(domains.length);
    clock.advance(HOUR_MS);
    await crawler.tick();
    expect(asked.filter((url) => url === MANAGER)).toHaveLength(2);
  });

  it('reads the brand.json of an agent’s operator before the agent counts as visited, so that a kill between the two loses neither', async () => {
    const agent = 'https://ads.example/mcp';
    const seen: unknown[] = [];
    const { crawler, store } = open(undefined, async (domain) => {
      seen.push([domain, await store.read.crawl.findVisit(agent)]);
      return READ;
    });
    await crawler.visit(agent);
    expect(seen).toEqual([['ads.example', undefined]]);
    expect(await store.read.crawl.findVisit(agent)).toMatchObject({ agent_url: agent });
  });

  it('tries what somebody asked for three times while waiting may help', async () => {
    const { clock, crawler, store, world } = open();
    world['https://slow.example/.well-known/adagents.json'] = { fails: 'timeout' };
    const { crawl_request_id: id } = await crawler.request('slow.example', 'me');
    await expect.poll(async () => (await store.read.crawl.findRequest(id))?.status).toBe('retrying');
    const states: unknown[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const request = await store.read.crawl.findRequest(id);
      states.push([request?.status, request?.attempts, request?.last_error_code]);
      clock.advance(10 * MINUTE_MS);
      await crawler.tick();
    }
    expect(states.map((state) => (state as unknown[])[0])).toEqual(['retrying', 'retrying', 'failed']);
    expect(states.at(-1)).toEqual(['failed', 3, 'timeout']);
  });

  it('reads the brand.json of a domain that somebody asks for, and of its agents’ operators, however lately they were read', async () => {
    const read: string[] = [];
    const { clock, crawler, publish, store } = open(undefined, async (domain) =>
      read.push(domain) > 0 ? READ : ABSENT,
    );
    const ask = async (domain: string): Promise<readonly string[]> => {
      read.length = 0;
      const { crawl_request_id: id } = await crawler.request(domain, 'me');
      await expect.poll(async () => (await store.read.crawl.findRequest(id))?.completed_at).not.toBeNull();
      return read.toSorted();
    };
    publish('a.example', {
      properties: [site('a.example')],
      authorized_agents: [
        {
          url: 'https://mcp.operator.example/',
          authorized_for: 'all',
          authorization_type: 'publisher_properties',
          publisher_properties: [{ publisher_domain: 'a.example', selection_type: 'all' }],
        },
      ],
    });
    expect(await ask('a.example')).toEqual(['a.example', 'operator.example']);
    expect(await ask('a.example')).toEqual(['a.example', 'operator.example']);
    // An operator that is no publisher has no adagents.json.
    expect(await ask('operator.example')).toEqual(['operator.example']);
    read.length = 0;
    clock.advance(HOUR_MS);
    await crawler.crawl('a.example');
    expect(read).toEqual([]);
  });

  it('reads a brand.json that could not be read again in minutes, then later and later, and one that is not there after a day', async () => {
    const attempts: number[] = [];
    let reading: BrandReading = { reason: 'not_json', isTransient: false };
    const { clock, crawler } = open(undefined, async () => {
      attempts.push(clock.now() / MINUTE_MS);
      return reading;
    });
    const waits = async (minutes: number): Promise<readonly number[]> => {
      const before = attempts.length;
      for (let passed = 0; passed < minutes; passed += 5) {
        clock.advance(5 * MINUTE_MS);
        await crawler.tick();
      }
      return attempts.slice(before).map((at, index) => Math.round(at - (attempts[before + index - 1] ?? at)));
    };
    await crawler.visit('https://ads.example/mcp');
    expect(await waits(80)).toEqual([5, 10, 20, 40]);
    reading = READ;
    expect(await waits(80)).toEqual([80]);
    expect(await waits(600)).toEqual([]);
    const late = open(undefined, async (domain) => {
      attempts.push(domain.length);
      return ABSENT;
    });
    attempts.length = 0;
    await late.crawler.visit('https://ads.example/mcp');
    late.clock.advance(10 * HOUR_MS);
    await late.crawler.tick();
    expect(attempts).toHaveLength(1);
  });

  it('reads all that is due at once, however little one round takes', async () => {
    const { clock, crawler, publish, store } = open({ perRound: 2 });
    const domains = ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'];
    for (const domain of domains) publish(domain, { authorized_agents: [] });
    await store.transact(async (tx) => {
      for (const domain of domains) await tx.crawl.saveState({ ...unreadState(domain), dueAt: clock.now() });
    });
    await crawler.tick();
    expect(await store.read.crawl.countDue(clock.now())).toBe(0);
  });

  it('takes no more requests than it has room for', async () => {
    const { crawler, world } = open({ concurrency: 1, perRound: 10, maxOpen: 1 });
    world['https://slow.example/.well-known/adagents.json'] = { fails: 'timeout' };
    await crawler.request('slow.example', 'me');
    await expect(crawler.request('other.example', 'me')).rejects.toMatchObject({ code: 'crawl_queue_at_capacity' });
  });

  it('ends what is under way when it is closed, and begins nothing more', async () => {
    const { asked, crawler } = open();
    await crawler.close();
    await crawler.crawl('a.example');
    expect(await crawler.tick()).toBe(0);
    expect(asked).toEqual([]);
  });

  it('cuts off what is read when it is stopped, which says nothing of anybody: publishers, brands and agents stay due', async () => {
    const { outbound, ...service } = openServiceContext();
    const { clock, store } = service;
    const asked: string[] = [];
    const fetch: typeof outbound.fetch = (url, { signal }) => {
      asked.push(url);
      return new Promise((_answered, reject) => {
        const cutOff = () => reject(new FetchError('unreachable'));
        if (signal?.aborted === true) cutOff();
        signal?.addEventListener('abort', cutOff);
      });
    };
    const lookups = { leadsInside: async () => false, resolves: async () => true, close: async () => undefined };
    const log: LogLine[] = [];
    const crawler = new Crawler(
      {
        ...service,
        outbound: { ...lookups, fetch },
        names: protocolNames('adcp'),
        log: collectingLog(log),
        readBrand: async (domain, from) => {
          await from.fetch(`https://${domain}/brand`, { maxBytes: 1, timeoutMs: 1 }).catch(() => undefined);
          return ABSENT;
        },
      },
      { concurrency: 2 },
    );
    const due = { ...unreadState('a.example'), dueAt: clock.now() };
    const wanted: CrawlRequest = {
      crawl_request_id: 'wanted',
      domain: 'brand.example',
      status: 'queued',
      attempts: 0,
      max_attempts: 3,
      requested_at: isoTime(clock.now()),
      started_at: null,
      last_attempted_at: null,
      completed_at: null,
      next_attempt_at: null,
      last_error_code: null,
      requested_by: 'me',
      reads: 'brand',
    };
    await store.transact(async (tx) => {
      await tx.crawl.saveState(due);
      await tx.crawl.saveRequest(wanted);
    });
    const round = crawler.tick();
    await expect.poll(() => asked.length).toBe(2);
    crawler.stop();
    expect(await round).toBe(0);
    const cut = asked.length;
    await crawler.visit('https://ads.example/mcp');
    expect(asked).toHaveLength(cut);
    expect(await store.read.crawl.findState('a.example')).toEqual(due);
    expect(await store.read.crawl.listOpenRequestsFor('brand.example')).toMatchObject([{ attempts: 0 }]);
    // The operator's copies are no reading of others: a call that has them in hand goes on.
    const text = JSON.stringify({ properties: [site('copy.example')], authorized_agents: [] });
    const [copy] = await crawler.readLocal([{ domain: 'copy.example', text }]);
    expect(copy).toMatchObject({ verdict: 'adopted' });
    await crawler.close();
    expect(log.filter(({ level }) => level !== 'info' && level !== 'debug')).toEqual([]);
  }, 20_000);
});

describe('the statistics of the registry', () => {
  it('count what is there, and the same after a restart', async () => {
    const origins = await serveOrigins(['a.example', 'gone.example']);
    origins.put('https://a.example/.well-known/adagents.json', {
      properties: [site('a.example')],
      authorized_agents: [
        {
          url: 'https://mcp.operator.example/',
          authorized_for: 'all',
          authorization_type: 'publisher_properties',
          publisher_properties: [{ publisher_domain: 'a.example', selection_type: 'all' }],
        },
      ],
    });
    const boot = {
      dataDir: temporaryFolder('seller-registry-stats-'),
      resolve: new Map(Object.entries(origins.resolve)),
    };
    const first = await bootRegistry(boot);
    for (const domain of ['a.example', 'gone.example']) await first.server().registry.crawler.crawl(domain);
    const before = (await first.get('/api/registry/stats')).json();
    expect(before).toMatchObject({
      discovered_agents: 1,
      discovered_publishers: 1,
      discovered_properties: 1,
      authorizations: 1,
      properties_by_type: { website: 1 },
      crawler: { publishers: 2, due: 0, failing: 1, agents: 1 },
    });
    await first.close();
    const second = await bootRegistry(boot);
    expect((await second.get('/api/registry/stats')).json()).toEqual(before);
  });
});

describe('operation of the crawler', () => {
  it('lists failing publishers with why, and reads what an operator names with the next round', async () => {
    const origins = await serveOrigins(['late.example', 'unread.example']);
    const registry = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)) });
    const { crawler } = registry.server().registry;
    const { token } = await registry.member('ops', 'moderator');
    const failing = async () => (await registry.get('/api/admin/crawls', token)).json();
    await crawler.crawl('late.example');
    expect(await failing()).toEqual({
      crawls: [
        {
          domain: 'late.example',
          reason: 'not_found',
          message: expect.stringContaining('there is no adagents.json'),
          fix: expect.stringContaining('Serve /.well-known/adagents.json'),
          failures: 1,
          attempted_at: '2030-01-01T00:00:00Z',
          next_attempt_at: '2030-01-02T00:00:00Z',
          read_at: null,
          copy_counts: false,
        },
      ],
    });
    expect((await registry.get('/api/admin/crawls?after=late.example', token)).json()).toEqual({ crawls: [] });
    for (const domain of ['late.example', 'unread.example']) {
      origins.put(`https://${domain}/.well-known/adagents.json`, {
        properties: [site(domain)],
        authorized_agents: [],
      });
    }
    const asked = await registry.post('/api/admin/crawls', { domains: ['late.example', 'unread.example'] }, token);
    expect(asked.json()).toEqual({ due: 2, new: 1, blocked: 0 });
    await crawler.tick();
    expect(await failing()).toEqual({ crawls: [] });
    expect((await registry.get('/api/registry/stats')).json()).toMatchObject({ discovered_publishers: 2 });
  });
});

describe('a request for a crawl', () => {
  const member = { kind: 'key', id: 'k', name: 'A', role: 'member' } as unknown as Member;
  const taken: string[] = [];

  function registryAt(address: string | undefined): Registry {
    const lookup = async () => (address === undefined ? [] : [{ address, family: 4 }]);
    return {
      outbound: createOutbound({ development: false, lookup }),
      isDevelopment: false,
      limits: { take: async (name: string) => void taken.push(name) },
      crawler: { request: async () => ({ requested_by: 'k' }) },
      store: { read: { blocked: { find: async () => undefined } } },
    } as unknown as Registry;
  }

  it.each(['10.0.0.7', '127.0.0.1', '169.254.169.254', '192.168.1.1', '100.64.0.1', undefined])(
    'is refused for a name that leads to %s, before it costs a turn',
    async (address) => {
      taken.length = 0;
      await expect(requestCrawl(registryAt(address), member, 'inside.example')).rejects.toMatchObject({
        code: 'invalid_domain',
        extras: { field: '/domain' },
      });
      expect(taken).toEqual([]);
    },
  );

  it('is taken for one that leads to the public internet', async () => {
    await requestCrawl(registryAt('93.184.216.34'), member, 'outside.example');
    expect(taken).toEqual(['crawl_domain', 'crawl_user']);
  });
});

describe('the gate of probes', () => {
  it('lets so many run, so many wait, and turns the others away', async () => {
    const gate = new ProbeQueue(2, 1);
    const ends: (() => void)[] = [];
    const visit = () => new Promise<string>((resolve) => ends.push(() => resolve('done')));
    const running = [gate.run(visit), gate.run(visit), gate.run(visit)];
    await expect(gate.run(visit)).rejects.toMatchObject({ code: 'unavailable' });
    while (gate.pending > 0) {
      ends.splice(0).forEach((end) => {
        end();
      });
      await new Promise((resume) => setImmediate(resume));
    }
    expect(await Promise.all(running)).toEqual(['done', 'done', 'done']);
  });
});
