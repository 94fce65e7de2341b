import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../../src/platform/database/sqlite/sqlite.js';
import { once } from '../../../../src/platform/database/statement.js';
import type { Clock } from '../../../../src/platform/kernel/clock.js';
import { uuidAfter } from '../../../../src/platform/kernel/ids.js';
import { createLog } from '../../../../src/platform/kernel/log.js';
import type { PropertyRecord } from '../../../../src/registry/model/records.js';
import { unreadState } from '../../../../src/registry/server/crawl/operate.js';
import { appendEvent } from '../../../../src/registry/server/service/feed/feed.js';
import { openServerStore, openSharedServerStore } from '../../../../src/registry/server/store/server-store.js';
import { REGISTRY_MIGRATIONS } from '../../../../src/registry/store/registry-store.js';
import { COUNT_MIGRATIONS } from '../../../../src/registry/store/schema/counts.js';
import type { RegistryTables } from '../../../../src/registry/store/schema/schema.js';
import { freshDatabase } from '../../../kit/postgres.js';
import { temporaryFolder } from '../../../kit/surroundings.js';

const file = path.join(temporaryFolder('seller-agent-counts-'), 'registry.db');
const store =
  process.env.TEST_ENGINE === 'postgres'
    ? await openSharedServerStore(await freshDatabase(), { file, processId: 'p', log: createLog('silent') })
    : openServerStore(file);
if (!store.lookups.isBuilt) await store.rebuildLookups();
afterAll(() => store.close());

const byType = () => store.lookups.read.propertiesByType();

function property(name: string, type: PropertyRecord['property_type'], more?: Partial<PropertyRecord>): PropertyRecord {
  return {
    property_rid: name,
    publisher_domain: 'news.example',
    property_id: name,
    property_type: type,
    name,
    classification: 'property',
    identifiers: [{ type: 'domain', value: `${name}.example` }],
    tags: [],
    status: 'active',
    source: 'authoritative',
    ...more,
  };
}

const put = (...records: readonly PropertyRecord[]) =>
  store.transact(async (tx) => {
    for (const record of records) await tx.property.put(record);
  });

describe('the count of properties by type', () => {
  it('follows properties that come, change their type, go stale and go, the most frequent type first', async () => {
    await put(
      property('a', 'mobile_app'),
      property('b', 'website'),
      property('c', 'website'),
      property('d', 'podcast'),
    );
    expect(byType()).toEqual({ website: 2, mobile_app: 1, podcast: 1 });
    expect(Object.keys(byType())[0]).toBe('website');
    await put(property('b', 'mobile_app'), property('d', 'podcast', { status: 'stale' }), property('c', 'website'));
    expect(byType()).toEqual({ mobile_app: 2, website: 1 });
    await store.transact((tx) => tx.property.remove('a'));
    expect(byType()).toEqual({ mobile_app: 1, website: 1 });
  });

  it('counts nothing of a transaction that is undone', async () => {
    const before = byType();
    const undone = store.transact(async (tx) => {
      await tx.property.put(property('z', 'dooh'));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(byType()).toEqual(before);
  });

  it('is the same when lookups are written anew', async () => {
    const before = byType();
    await store.rebuildLookups();
    expect(byType()).toEqual(before);
    expect(store.lookups.stats().properties).toBe(Object.values(before).reduce((sum, count) => sum + count, 0));
  });
});

describe('the count of what agents say they sell', () => {
  const visit = (agent_url: string, ...publisher_domains: readonly string[]) =>
    store.transact((tx) =>
      tx.crawl.saveVisit({
        agent_url,
        visitedAt: 1,
        dueAt: 2,
        failures: 0,
        offer: {
          publisher_domains,
          channels: [],
          markets: [],
          categories: [],
          delivery_types: [],
          format_ids: [],
          has_tmp: false,
        },
      }),
    );

  it('follows each visit, counts a domain of one answer once, and forgets an agent that is gone', async () => {
    await visit('https://one.example/mcp', 'a.example', 'b.example', 'a.example');
    await visit('https://two.example/mcp', 'a.example');
    expect(await store.read.crawl.countClaims()).toBe(3);
    await visit('https://one.example/mcp', 'c.example');
    expect(await store.read.crawl.countClaims()).toBe(2);
    await store.transact((tx) => tx.crawl.dropVisit('https://two.example/mcp'));
    expect(await store.read.crawl.countClaims()).toBe(1);
  });
});

describe('the counts of publishers, visits, enrolled agents and entries', () => {
  const { read, transact } = store;
  const state = (domain: string, failures: number) => ({ ...unreadState(domain), failures });
  const counts = async () => ({
    publishers: await read.crawl.countPublishers(),
    failing: await read.crawl.countFailing(),
  });

  it('follow each publisher that comes, fails, is well again and goes', async () => {
    await transact(async (tx) => {
      await tx.crawl.saveState(state('a.example', 0));
      await tx.crawl.saveState(state('b.example', 2));
      await tx.crawl.addState(state('a.example', 0));
      await tx.crawl.addState(state('c.example', 0));
    });
    expect(await counts()).toEqual({ publishers: 3, failing: 1 });
    await transact((tx) => tx.crawl.saveState(state('b.example', 3)));
    await transact((tx) => tx.crawl.saveState(state('c.example', 1)));
    expect(await counts()).toEqual({ publishers: 3, failing: 2 });
    await transact((tx) => tx.crawl.saveState(state('c.example', 0)));
    await transact((tx) => tx.crawl.dropState('b.example'));
    await transact((tx) => tx.crawl.dropState('nobody.example'));
    expect(await counts()).toEqual({ publishers: 2, failing: 0 });
  });

  it('follow visits, enrolled agents and entries by their kind', async () => {
    const visits = await read.crawl.countVisits();
    const visit = { agent_url: 'https://three.example/mcp', visitedAt: 1, dueAt: 2, failures: 0 };
    await transact((tx) => tx.crawl.saveVisit(visit));
    await transact((tx) => tx.crawl.saveVisit({ ...visit, dueAt: 3 }));
    expect(await read.crawl.countVisits()).toBe(visits + 1);
    await transact((tx) => tx.crawl.dropVisit(visit.agent_url));
    expect(await read.crawl.countVisits()).toBe(visits);
    const entry = { kind: 'property', domain: 'a.example', org_id: 'o', revision_number: 1 } as const;
    const rest = {
      content: { authorized_agents: [], properties: [] },
      review_status: 'approved',
      created_at: '',
      updated_at: '',
    } as const;
    for (const revision_number of [1, 2])
      await transact((tx) => tx.entry.put({ id: 'x', ...entry, ...rest, revision_number }));
    expect([await read.counts.find('entry:property'), await read.counts.find('entry:brand')]).toEqual([1, 0]);
    await transact((tx) => tx.entry.remove('property:a.example'));
    await transact((tx) => tx.entry.remove('property:a.example'));
    expect(await read.counts.find('entry:property')).toBe(0);
  });
});

it('a file of an earlier version is counted when it is opened', async () => {
  const older = path.join(temporaryFolder('seller-agent-counts-'), 'registry.db');
  const old = openSqlite<RegistryTables>(older, {
    migrations: REGISTRY_MIGRATIONS.slice(
      0,
      REGISTRY_MIGRATIONS.findIndex((one) => COUNT_MIGRATIONS.includes(one)),
    ),
  });
  const edition = {
    edition: 1,
    is_live: 1,
    publishers: 0,
    properties: 3,
    identifiers: 0,
    authorizations: 0,
    agents: 0,
  };
  const row = { edition: 1, publisher: 1, property_id: null, inline: 0, tags: '[]', identifiers: '[]' };
  await old.transact(async (tx) => {
    await tx.run(once(old.queries.insertInto('lookup_edition').values(edition)), {});
    for (const [id, type] of ['website', 'website', 'radio'].entries())
      await tx.run(once(old.queries.insertInto('lookup_property').values({ ...row, id, rid: `r${id}`, type })), {});
    for (const [domain, failures] of [
      ['a.example', 0],
      ['b.example', 2],
    ] as const)
      await tx.run(
        once(old.queries.insertInto('crawl').values({ domain, failures, due_at: 1, mark: '', doc: '{}' })),
        {},
      );
    await tx.run(once(old.queries.insertInto('claim').values({ publisher_domain: 'a.example', agent_url: 'u' })), {});
  });
  await old.close();
  const opened = openServerStore(older);
  expect(opened.lookups.read.propertiesByType()).toEqual({ website: 2, radio: 1 });
  expect(await opened.read.crawl.countClaims()).toBe(1);
  expect([await opened.read.crawl.countPublishers(), await opened.read.crawl.countFailing()]).toEqual([2, 1]);
  await opened.close();
});

describe('the order of the feed', () => {
  const clock = { now: () => Date.UTC(2026, 0, 1), iso: () => '' } as unknown as Clock;
  const draft = (entity_id: string) => ({
    event_type: 'agent.removed' as const,
    entity_id,
    payload: { agent_url: entity_id },
    actor: 'test',
  });
  const appendThree = (name: string) =>
    store.transact(async (tx) => {
      for (const part of ['1', '2', '3']) await appendEvent(tx, clock, draft(`${name}.${part}`));
      if (name === 'undone') throw new Error('undone');
    });
  const entities = async () => (await store.read.events.page('', 1000)).map(({ entity_id }) => entity_id);

  it('is that of the commits, of one transaction after the other, whatever was undone or dropped between them', async () => {
    const before = (await entities()).length;
    const names = ['a', 'undone', 'b', 'c', 'undone', 'd', 'e'];
    const outcomes = await Promise.allSettled(names.map(appendThree));
    expect(outcomes.map(({ status }) => status)).toEqual(
      names.map((name) => (name === 'undone' ? 'rejected' : 'fulfilled')),
    );
    const told = (await entities()).slice(before);
    expect(told).toHaveLength(15);
    const groups = [0, 3, 6, 9, 12].map((at) => told.slice(at, at + 3));
    for (const group of groups) expect(group).toEqual(['1', '2', '3'].map((part) => `${group[0]?.[0]}.${part}`));
    const last = await store.transact(async (tx) => {
      const event = await appendEvent(tx, clock, draft('dropped'));
      await tx.events.drop(event.event_id);
      // Those of another primary come with ids of their own.
      await tx.events.append([
        { ...event, event_id: uuidAfter(event.event_id, clock.now() + 60_000), entity_id: 'theirs' },
      ]);
      return await appendEvent(tx, clock, draft('ours'));
    });
    expect((await entities()).slice(before + 15)).toEqual(['theirs', 'ours']);
    expect(await store.read.events.head()).toBe(last.event_id);
  });
});
