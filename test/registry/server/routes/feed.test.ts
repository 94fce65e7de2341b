import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/platform/kernel/clock.js';
import type { AuthorizationRecord, RegistryEvent } from '../../../../src/registry/model/records.js';
import { FIRST_CURSOR, pruneFeed } from '../../../../src/registry/server/service/feed/feed.js';
import { type Origins, serveOrigins } from '../../../kit/origins.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';
import { type Contract, publicContract } from '../../../kit/registry-contract.js';

const DOMAIN = 'news.example';
const SALES = 'https://sales.example/mcp';
const FEED = '/api/registry/feed';
const EVENTS = 1203;

type FeedBody = {
  events: RegistryEvent[];
  cursor: string | null;
  has_more: boolean;
  freshness: Record<string, unknown>;
};

let origins: Origins;
let registry: BootedRegistry;
let token: string;
let contract: Contract | undefined;

const file = (count: number): object => ({
  properties: Array.from({ length: count }, (_, index) => ({
    property_id: `p${index}`,
    property_type: 'website',
    name: `P ${index}`,
    identifiers: [{ type: 'subdomain', value: `p${index}.${DOMAIN}` }],
  })),
  authorized_agents: [
    { url: SALES, authorized_for: 'all', authorization_type: 'property_ids', property_ids: ['p0', 'p1'] },
  ],
  collections: [{ collection_id: 'c', name: 'C', kind: 'series' }],
});

async function read(query = '', as = token): Promise<FeedBody> {
  const answer = await registry.get(`${FEED}${query}`, as);
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  expect(contract?.faultOf('getRegistryFeed', answer)).toBeUndefined();
  return answer.json() as FeedBody;
}

const typesOf = ({ events }: FeedBody): readonly string[] => [...new Set(events.map(({ event_type }) => event_type))];
const store = () => registry.server().registry.store;

beforeAll(async () => {
  contract = publicContract();
  origins = await serveOrigins([DOMAIN]);
  registry = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)) });
  ({ token } = await registry.member('acme'));
});

describe('an empty registry', () => {
  it('answers an empty page, and takes the cursor that its snapshot names', async () => {
    expect(await read()).toMatchObject({ events: [], cursor: null, has_more: false });
    const snapshot = await registry.get('/api/registry/authorizations/snapshot', token);
    expect(snapshot.headers['x-sync-cursor']).toBe(FIRST_CURSOR);
    expect(await read(`?cursor=${FIRST_CURSOR}`)).toMatchObject({ events: [], cursor: FIRST_CURSOR });
  });
});

describe('the feed of a large publisher', () => {
  beforeAll(async () => {
    origins.put(`https://${DOMAIN}/.well-known/adagents.json`, file(1200));
    await registry.server().registry.crawler.crawl(DOMAIN);
  });

  it('is read page by page, each event once, in order', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    for (;;) {
      const page: FeedBody = await read(`?limit=500${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.events.map(({ event_id }) => event_id));
      cursor = page.cursor;
      if (!page.has_more) break;
      expect(page.events).toHaveLength(500);
    }
    expect(seen).toHaveLength(EVENTS + 1);
    expect(seen).toEqual([...new Set(seen)].toSorted());
    expect(await read(`?cursor=${cursor}`)).toMatchObject({ events: [], cursor, has_more: false });
  });

  it('is told whole in one page of 10,000, and how fresh it is', async () => {
    const page = await read('?limit=10000');
    expect(page.events).toHaveLength(EVENTS + 1);
    expect(page.freshness).toMatchObject({ lag_seconds: 0, retention_days: 90 });
  });

  it.each([
    ['property.created', ['property.created']],
    ['agent.*,collection.*', ['agent.discovered', 'collection.created']],
    ['authorization.*', ['authorization.granted']],
    ['a*', ['agent.discovered', 'authorization.granted']],
    ['property.merged', []],
    ['*.created', ['collection.created', 'property.created']],
    ['nothing.here', []],
    ['property.created,nothing.*', ['property.created']],
  ])('types=%s', async (types, expected) => {
    const page = await read(`?limit=10000&types=${types}`);
    expect(typesOf(page).toSorted()).toEqual(expected);
    // A page without matches moves on as far as it has read.
    expect(page.cursor).toBe(await store().read.events.head());
  });

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=10001', 'limit'],
    ['?limit=ten', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?cursor=abc', 'cursor'],
    [`?cursor=${FIRST_CURSOR}&cursor=${FIRST_CURSOR}`, 'cursor'],
    ['?types=Property.created', 'types'],
    ['?types=.created', 'types'],
    ['?types=property.created,,x', 'types'],
    ['?types=a&types=b', 'types'],
  ])('%s is refused', async (query, field) => {
    const answer = await registry.get(`${FEED}${query}`, token);
    expect([answer.status, (answer.json() as { field?: string }).field]).toEqual([400, field]);
    expect(contract?.faultOf('getRegistryFeed', answer)).toBeUndefined();
  });

  it.each([
    ['of another registry', '0190a5e0-0000-7000-8000-00000000abcd'],
    ['that is no v7', '0190a5e0-0000-4000-8000-00000000abcd'],
    ['from the future', 'fffffff0-0000-7000-8000-000000000000'],
  ])('a cursor %s has expired', async (_name, cursor) => {
    const answer = await registry.get(`${FEED}?cursor=${cursor}`, token);
    expect(answer.status).toBe(410);
    expect(answer.json()).toMatchObject({ error: 'cursor_expired', message: expect.any(String) });
    expect(contract?.faultOf('getRegistryFeed', answer)).toBeUndefined();
  });

  it('wants a credential', async () => {
    for (const answer of [await registry.get(FEED), await registry.get(FEED, 'wrong')]) {
      expect(answer.status).toBe(401);
      expect(contract?.faultOf('getRegistryFeed', answer)).toBeUndefined();
    }
  });
});

describe('the surfaces that a mirror starts from', () => {
  it('the catalog is paged, and told since an instant', async () => {
    const first = (await registry.get('/api/registry/catalog?limit=1000', token)).json() as Page;
    expect([first.properties.length, first.has_more]).toEqual([1000, true]);
    const rest = (
      await registry.get(`/api/registry/catalog?limit=1000&cursor=${first.next_cursor}`, token)
    ).json() as Page;
    expect([rest.properties.length, rest.next_cursor, rest.has_more]).toEqual([200, null, false]);
    const later = await registry.get('/api/registry/catalog/sync?since=2031-01-01T00:00:00Z', token);
    expect(later.json()).toMatchObject({ properties: [], server_timestamp: expect.any(String) });
    const wrong = await registry.get('/api/registry/catalog/sync?since=yesterday', token);
    expect([wrong.status, (wrong.json() as { field: string }).field]).toEqual([400, 'since']);
  });

  it('collections', async () => {
    const answer = await registry.get('/api/registry/collections/sync?limit=1', token);
    expect(answer.json()).toMatchObject({
      collections: [{ collection_id: 'c', name: 'C', kind: 'series', publisher_domain: DOMAIN }],
      total: 1,
      next_offset: null,
    });
  });

  it('the rows of an agent', async () => {
    const answer = await registry.get(`/api/registry/authorizations?agent_url=${encodeURIComponent(SALES)}`, token);
    expect(contract?.faultOf('getAgentAuthorizations', answer)).toBeUndefined();
    expect(answer.json()).toMatchObject({ count: 1, include: 'effective', evidence: ['adagents_json'] });
    for (const query of ['?agent_url=nonsense', `?agent_url=${encodeURIComponent(SALES)}&evidence=hearsay`, '']) {
      const wrong = await registry.get(`/api/registry/authorizations${query}`, token);
      expect(wrong.status).toBe(400);
      expect(contract?.faultOf('getAgentAuthorizations', wrong)).toBeUndefined();
    }
  });

  it('the whole graph is one compressed file that says where the feed goes on, and 304 while nothing happens', async () => {
    const head = await store().read.events.head();
    const { headers, body } = await raw('/api/registry/authorizations/snapshot');
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'x-sync-cursor': head });
    const lines = gunzipSync(body).toString('utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { agent_url: SALES, override_applied: false },
    ]);
    const again = await raw('/api/registry/authorizations/snapshot', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('has the rows of the evidence asked for, whatever the keys of a row say', async () => {
    const [row] = await store().read.authorization.page('', 1);
    const key = { kid: '"evidence":"override"', evidence: 'override' };
    const added = [
      { ...row, id: 'zz-1', signing_keys: [key], evidence: 'community' },
      { ...row, id: 'zz-2', signing_keys: [], evidence: 'override' },
    ] as AuthorizationRecord[];
    await store().transact(async (tx) => {
      for (const one of added) await tx.authorization.put(one);
    });
    const rowsOf = async (evidence: string): Promise<readonly unknown[]> => {
      const { body } = await raw(`/api/registry/authorizations/snapshot?evidence=${evidence}`);
      const lines = gunzipSync(body).toString('utf8').split('\n');
      return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
    };
    expect(await rowsOf('community')).toEqual([{ ...added[0], override_applied: false, override_reason: null }]);
    expect(await rowsOf('override')).toEqual([{ ...added[1], override_applied: true, override_reason: null }]);
    await store().transact(async (tx) => {
      for (const { id } of added) await tx.authorization.remove(id);
    });
  });
});

describe('the stream', () => {
  it('tells what is behind its cursor, then what happens, and resumes by Last-Event-ID', async () => {
    const [before] = await store().read.events.page('', 1);
    const reader = await openStream(`${FEED}/stream?types=publisher.*,collection.*&cursor=${before?.event_id}`);
    const first = await reader.next();
    expect(first.data.events?.map(({ event_type }) => event_type)).toEqual([
      'collection.created',
      'publisher.adagents_discovered',
    ]);
    origins.put(`https://${DOMAIN}/.well-known/adagents.json`, { ...file(1200), collections: [] });
    await registry.server().registry.crawler.crawl(DOMAIN);
    const second = await nextEvents(reader, 2);
    expect(second.map(({ event_type }) => event_type)).toEqual(['collection.removed', 'publisher.adagents_changed']);
    reader.close();
    const resumed = await openStream(`${FEED}/stream?types=publisher.*,collection.*`, { 'last-event-id': first.id });
    expect(await nextEvents(resumed, 2)).toEqual(second);
    resumed.close();
  });

  it('refuses a lost cursor before it begins, and more readers than there is room for', async () => {
    const lost = await registry.get(`${FEED}/stream?cursor=0190a5e0-0000-7000-8000-00000000abcd`, token);
    expect(lost.status).toBe(410);
    const { streams } = registry.server().registry;
    const release = Array.from({ length: 100 - streams.size }, () => streams.take().release);
    const full = await registry.get(`${FEED}/stream`, token);
    expect([full.status, full.headers['retry-after']]).toEqual([429, '30']);
    for (const one of release) one();
  });
});

describe('after ninety days', () => {
  it('a reader of the end has lost nothing; one from before the retention has', async () => {
    const [first] = await store().read.events.page('', 1);
    const head = await store().read.events.head();
    registry.clock.advance(91 * DAY_MS);
    expect(await read(`?cursor=${head}`)).toMatchObject({ events: [], cursor: head });
    expect((await registry.get(`${FEED}?cursor=${first?.event_id}`, token)).status).toBe(410);
    while ((await pruneFeed(store(), registry.clock)) > 0) await registry.get(FEED, token);
    const floor = await store().read.events.floor();
    expect(floor === undefined || floor > (head ?? '')).toBe(true);
    expect((await read(`?cursor=${head}`)).events.every(({ event_id }) => event_id > (head ?? ''))).toBe(true);
    expect((await registry.get(`${FEED}?cursor=${first?.event_id}`, token)).status).toBe(410);
    expect((await registry.get(`${FEED}?cursor=${FIRST_CURSOR}`, token)).status).toBe(410);
  });
});

type Page = { properties: object[]; next_cursor: string | null; has_more: boolean };

/** A GET whose body is not decoded. */
async function raw(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: Buffer }> {
  const request = get(`${registry.baseUrl}${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

/** Returns so many events of a stream; a crawl may tell them in several messages. */
async function nextEvents(
  { next }: Awaited<ReturnType<typeof openStream>>,
  count: number,
): Promise<readonly RegistryEvent[]> {
  const events: RegistryEvent[] = [];
  while (events.length < count) events.push(...((await next()).data.events ?? []));
  return events;
}

type StreamMessage = { readonly id: string; readonly event: string; readonly data: Partial<FeedBody> };

/** Reads server-sent events one by one. */
async function openStream(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ next: () => Promise<StreamMessage>; close: () => void }> {
  const request: ClientRequest = get(`${registry.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.headers['content-type']).toBe('text/event-stream');
  const chunks = response[Symbol.asyncIterator]();
  let text = '';
  return {
    next: async () => {
      while (!text.includes('\n\n')) text += String((await chunks.next()).value);
      const end = text.indexOf('\n\n');
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      text = text.slice(end + 2);
      return {
        id: fields.id ?? '',
        event: fields.event ?? '',
        data: JSON.parse(fields.data ?? '{}') as Partial<FeedBody>,
      };
    },
    close: () => request.destroy(),
  };
}
