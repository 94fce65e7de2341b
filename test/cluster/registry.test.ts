import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { SECOND_MS } from '../../src/platform/kernel/clock.js';
import { createLog } from '../../src/platform/kernel/log.js';
import { MasterKeys } from '../../src/platform/sealing/master-keys.js';
import { openSharedStore } from '../../src/seller/store/store.js';
import { type Origins, serveOrigins } from '../kit/origins.js';
import { freshDatabase } from '../kit/postgres.js';
import { type BootedRegistry, bootRegistry } from '../kit/registry.js';
import { expectSameReads } from '../kit/registry-reads.js';
import { temporaryFolder } from '../kit/surroundings.js';

const DOMAIN = 'news.example';
const AGENT = 'https://sales.example/mcp';
const OTHER = 'https://other.example/mcp';
const WRITERS = 4;
const SAVES = 12;

let origins: Origins;
let store: string;
let registries: readonly BootedRegistry[];
let token: string;

const SERVICE = { policy: { ownership: 'off', lookAlikes: 'off', liveLookups: false } } as const;

const bootOn = (url: string, at: { readonly port?: number; readonly baseUrl?: string } = {}): Promise<BootedRegistry> =>
  bootRegistry({
    resolve: new Map(Object.entries(origins.resolve)),
    service: SERVICE,
    settings: { store: url, ...at },
  });

const brand = (domain: string) => ({ domain, brand_name: `Brand ${domain}` });
const property = (domain: string) => ({
  publisher_domain: domain,
  authorized_agents: [{ url: AGENT }],
  properties: [{ type: 'website', name: 'Site', identifiers: [{ type: 'domain', value: domain }] }],
});

const fileOf = (...agents: readonly string[]) => ({
  authorized_agents: agents.map((url) => ({
    url,
    authorized_for: 'all',
    authorization_type: 'property_ids',
    property_ids: ['p'],
  })),
  properties: [
    { property_id: 'p', property_type: 'website', name: 'P', identifiers: [{ type: 'domain', value: DOMAIN }] },
  ],
});

async function answered<T>(registry: BootedRegistry, path: string): Promise<T> {
  return (await registry.get(path, token)).json() as T;
}

/** Reads the feed from its beginning, a page after the other, until `isOver` and nothing more comes. */
async function follow(registry: BootedRegistry, isOver: () => boolean): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const wasOver = isOver();
    const query = `limit=7${cursor === null ? '' : `&cursor=${cursor}`}`;
    const page: { events: { event_id: string }[]; cursor: string | null } = await answered(
      registry,
      `/api/registry/feed?${query}`,
    );
    seen.push(...page.events.map(({ event_id }) => event_id));
    cursor = page.cursor;
    if (wasOver && page.events.length === 0) return seen;
  }
}

beforeAll(async () => {
  origins = await serveOrigins([DOMAIN, 'sales.example', 'other.example']);
  store = await freshDatabase();
  // Both begin with an empty database.
  registries = await Promise.all([bootOn(store), bootOn(store)]);
  ({ token } = await (registries[0] as BootedRegistry).member('acme'));
});

describe('two registries on one database', () => {
  it('answer from what the other one saved, lists and what is looked up among it', async () => {
    const [one, two] = registries as [BootedRegistry, BootedRegistry];
    const listed = async (registry: BootedRegistry) =>
      (await answered<{ properties: { domain: string }[] }>(registry, '/api/properties/registry')).properties.map(
        ({ domain }) => domain,
      );
    // Lists are read when they are first asked for, and follow the changes from then on.
    expect(await listed(two)).toEqual([]);
    expect((await one.post('/api/properties/save', property('saved.example'), token)).status).toBe(200);
    const found = ({ server }: BootedRegistry) =>
      server()
        .registry.index.identifier('domain', 'saved.example')
        .map(({ publisher_domain }) => publisher_domain);
    // Of its own changes a process knows at once, and every row is in the database for all.
    expect(found(one)).toEqual(['saved.example']);
    expect(await listed(one)).toEqual(['saved.example']);
    expect((await two.server().registry.store.read.property.ofPublisher('saved.example', '', 9)).length).toBe(1);
    await expect.poll(() => found(two)).toEqual(['saved.example']);
    expect(await listed(two)).toEqual(['saved.example']);
  });

  it('show no event behind a cursor that has passed, whoever writes', async () => {
    let isOver = false;
    const readers = registries.map((registry) => follow(registry, () => isOver));
    await Promise.all(
      registries.flatMap((registry, at) =>
        Array.from({ length: WRITERS }, async (_writer, writer) => {
          for (let save = 0; save < SAVES; save++) {
            const saved = await registry.post(
              '/api/properties/save',
              property(`w${at}-${writer}-${save}.example`),
              token,
            );
            expect(saved.status, saved.text).toBe(200);
          }
        }),
      ),
    );
    isOver = true;
    const feed = (await (registries[0] as BootedRegistry).server().registry.store.read.events.page('', 10_000)).map(
      ({ event_id }) => event_id,
    );
    expect(feed.length).toBeGreaterThanOrEqual(registries.length * WRITERS * SAVES);
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(feed);
  });

  it('crawl a publisher once, whichever of them was asked', async () => {
    origins.put(`https://${DOMAIN}/.well-known/adagents.json`, fileOf(AGENT));
    const asked = await Promise.all(
      registries.map((registry) => registry.post('/api/registry/crawl-request', { domain: DOMAIN }, token)),
    );
    expect(asked.map(({ status }) => status)).toEqual([202, 202]);
    for (const registry of registries)
      await expect.poll(() => registry.server().registry.index.agentsOf(DOMAIN), { timeout: 60_000 }).toEqual([AGENT]);
    const events = await (registries[0] as BootedRegistry).server().registry.store.read.events.page('', 10_000);
    const found = events.filter(({ payload }) => payload.publisher_domain === DOMAIN || payload.domain === DOMAIN);
    const kinds = found.map(({ event_type }) => event_type);
    expect(kinds).toEqual([...new Set(kinds)]);
    expect(kinds).toContain('publisher.adagents_discovered');
  });

  it('a third one that starts later has it all', async () => {
    const third = await bootOn(store);
    expect(third.server().registry.index.agentsOf(DOMAIN)).toEqual([AGENT]);
    expect((await third.post('/api/brands/save', brand('late.example'), token)).status).toBe(200);
    for (const registry of registries)
      expect((await registry.get('/api/brands/resolve?domain=late.example')).status).toBe(200);
    await third.close();
  });

  it('serve mirrors, which have what either of them writes and crawls, and go on after both were started again', async () => {
    let [one, two] = registries as [BootedRegistry, BootedRegistry];
    const { token: admin } = await one.member('operators', 'admin');
    const mirrorOf = ({ baseUrl: url }: BootedRegistry) =>
      bootRegistry({ mirror: { url, token: admin, isStandby: true }, service: SERVICE });
    const mirrors = await Promise.all([mirrorOf(one), mirrorOf(two)]);
    const expectSame = async (): Promise<void> => {
      const feed = await two.server().registry.store.read.events.page('', 10_000);
      for (const mirror of mirrors) {
        await mirror.server().tick();
        expect(mirror.server().registry.replication.lag()).toMatchObject({ state: 'following', last_error: null });
        expect(await mirror.server().registry.store.read.events.page('', 10_000)).toEqual(feed);
      }
      const read = mirrors.map(({ baseUrl }) => ({ baseUrl, token }));
      const subjects = { domains: [DOMAIN, 'late.example'], agents: [AGENT], identifiers: [] };
      await expectSameReads({ baseUrl: one.baseUrl, token }, [{ baseUrl: two.baseUrl, token }, ...read], subjects);
    };
    await expectSame();
    origins.put(`https://${DOMAIN}/.well-known/adagents.json`, fileOf(AGENT, OTHER));
    // One of them crawls for both.
    for (const { server } of [one, two]) await server().registry.crawler.crawl(DOMAIN);
    const agentsIn = ({ server }: BootedRegistry) => server().registry.index.agentsOf(DOMAIN).toSorted();
    await expect
      .poll(() => [one, two].map(agentsIn), { timeout: 20_000 })
      .toEqual([
        [OTHER, AGENT],
        [OTHER, AGENT],
      ]);
    await expectSame();
    const addresses = [one, two].map(({ baseUrl }) => ({ baseUrl, port: Number(new URL(baseUrl).port) }));
    await Promise.all([one.close(), two.close()]);
    for (const mirror of mirrors) await mirror.server().tick();
    registries = await Promise.all(addresses.map((at) => bootOn(store, at)));
    [one, two] = registries as [BootedRegistry, BootedRegistry];
    expect((await one.post('/api/brands/save', brand('again.example'), token)).status).toBe(200);
    await expect.poll(async () => (await two.get('/api/brands/resolve?domain=again.example')).status).toBe(200);
    await expectSame();
  });
});

describe('a registry that stood still while the log of changes went on without it', () => {
  it('is not ready, and one that starts is', async () => {
    const url = await freshDatabase();
    const behind = await bootOn(url);
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`INSERT INTO store_change (at_ms, noun, id) VALUES (0, 'start', '')`);
    await client.query('DELETE FROM store_change WHERE seq < (SELECT max(seq) FROM store_change)');
    await client.end();
    const readiness = async (): Promise<number> => {
      behind.clock.advance(2 * SECOND_MS);
      return (await behind.get('/readyz')).status;
    };
    await expect.poll(readiness).toBe(503);
    expect((await (await bootOn(url)).get('/readyz')).status).toBe(200);
  });
});

describe('a registry does not start on', () => {
  it('the database of a seller', async () => {
    const url = await freshDatabase();
    const keys = MasterKeys.open({ file: `${temporaryFolder()}/master.json` });
    const seller = await openSharedStore(url, { keys, log: createLog('silent') });
    await seller.close();
    await expect(bootOn(url)).rejects.toThrow('this database holds something else');
    await expect(openSharedStore(store, { keys, log: createLog('silent') })).rejects.toThrow(
      'this database holds something else',
    );
  });

  it('the file of a seller', async () => {
    await expect(bootOn('/tmp/some.db')).rejects.toThrow('a registry has its file in the data folder');
  });
});
