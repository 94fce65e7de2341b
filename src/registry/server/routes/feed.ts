import { z } from 'zod';
import { CLASSIFICATIONS, EVIDENCES } from '../../model/records.js';
import { problemsOf } from '../http/answers.js';
import { gzipPieces, hasTag, refusesGzip } from '../http/caching.js';
import { ok, type Route, route } from '../http/route.js';
import { choice, csvOf, domain, integer, offset, text } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import {
  findFeedHead,
  listEventGroups,
  readFeedPage,
  readFreshness,
  readTypeFilter,
  resolveCursor,
} from '../service/feed/feed.js';
import { streamFeed } from '../service/feed/stream.js';
import {
  type CatalogChunk,
  readAgentRows,
  readCatalogPage,
  readCollectionPage,
  readSnapshotRows,
  requirePosition,
  snapshotTag,
  wantedEvidence,
} from '../service/feed/sync-surfaces.js';

const event = z
  .looseObject({
    event_id: z.uuid(),
    event_type: z.string(),
    entity_type: z.string(),
    entity_id: z.string(),
    payload: z.record(z.string(), z.unknown()),
    actor: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'RegistryEvent' });

const fresh = z.object({
  generated_at: z.string(),
  latest_event_created_at: z.string().nullable(),
  lag_seconds: z.number(),
  retention_days: z.int(),
});

const SYNC_CURSOR = 'x-sync-cursor';
const CATALOG_CURSORS =
  'Pages are in the order of their rids, and a cursor is the rid that the page before ended with. One that no property has (any more) is a place in that order all the same, so that a reader goes on when a property is removed in between.';
const cursor = () =>
  text('Resume after this event.')
    .refine((value) => z.uuid().safeParse(value).success, 'has to be the cursor of a page before, a UUID')
    .meta({ shown: { format: 'uuid' } })
    .transform((value) => value.toLowerCase())
    .optional();
const types = () =>
  text(`Event types and globs, with commas between them: ${listEventGroups().join(', ')}.`).optional();
const evidence = () =>
  csvOf(EVIDENCES, 'Whose word, with commas between several; adagents_json unless given.').optional();
const rows = z.array(z.record(z.string(), z.unknown()));

/** What a page of the catalog may be asked for. */
const CATALOG_FILTERS = {
  publisher_domain: domain('Only properties of this publisher.').optional(),
  property_type: text('Only properties of this type, such as website.', { max: 64 }).optional(),
  classification: choice(CLASSIFICATIONS, 'Only properties of this kind.').optional(),
  status: choice(['active', 'stale'], 'Only properties in this state.').optional(),
};

/** The change feed, and the surfaces that a reader starts from. */
export const FEED_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/registry/feed',
    operation_id: 'getRegistryFeed',
    tag: TAGS.feed,
    summary: 'What changed, in order, behind a cursor.',
    description: 'Pages of up to 10,000 events. A cursor that is older than 90 days or unknown answers 410.',
    auth: 'bearer',
    query: z.object({
      cursor: cursor(),
      types: types(),
      limit: integer('Most events of a page.', { min: 1, max: 10_000, usual: 100 }).optional(),
    }),
    answers: {
      200: {
        description: 'A page; has_more says whether another one is there already.',
        body: z.object({
          events: z.array(event),
          cursor: z.uuid().nullable(),
          has_more: z.boolean(),
          freshness: fresh,
        }),
      },
      ...problemsOf(400, 401, 410),
    },
    run: async ({ registry, query }) => {
      const { store } = registry;
      const wanted = readTypeFilter(query.types);
      const position = await resolveCursor(registry, query.cursor);
      const page = readFeedPage(store, position, wanted, query.limit ?? 100);
      const freshness = await readFreshness(registry);
      return { stream: feedText(page, query.cursor, freshness), type: 'application/json' };
    },
  }),
  route({
    method: 'GET',
    path: '/api/registry/feed/stream',
    operation_id: 'streamRegistryFeed',
    tag: TAGS.feed,
    summary: 'The change feed as server-sent events.',
    description: 'Every message has its cursor as id; Last-Event-ID resumes behind it. A quiet feed sends heartbeats.',
    auth: 'bearer',
    query: z.object({
      cursor: cursor(),
      types: types(),
      poll_interval_seconds: integer('Seconds between heartbeats.', { min: 5, max: 60, usual: 15 }).optional(),
    }),
    answers: {
      200: { description: 'Events feed and heartbeat.', body: z.string(), type: 'text/event-stream' },
      ...problemsOf(400, 401, 410, 429),
    },
    run: async ({ registry, query, headers, signal }) => {
      const wanted = readTypeFilter(query.types);
      const position = await resolveCursor(registry, headers['last-event-id']?.toLowerCase() ?? query.cursor);
      const { release, ended } = registry.streams.take();
      signal.addEventListener('abort', release, { once: true });
      const stream = streamFeed({
        registry,
        position,
        types: wanted,
        intervalSeconds: query.poll_interval_seconds ?? 15,
        signal: AbortSignal.any([signal, ended]),
      });
      return { stream, type: 'text/event-stream', headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/registry/catalog',
    operation_id: 'getRegistryCatalog',
    tag: TAGS.feed,
    summary: 'All properties, page by page.',
    description: CATALOG_CURSORS,
    auth: 'bearer',
    query: z.object({
      cursor: text('From the page before.', { max: 64 }).optional(),
      limit: integer('Most properties of a page.', { min: 1, max: 1000, usual: 100 }).optional(),
      ...CATALOG_FILTERS,
    }),
    answers: {
      200: {
        description: 'A page of properties.',
        body: z.object({ properties: rows, next_cursor: z.string().nullable(), has_more: z.boolean() }),
      },
      ...problemsOf(400, 401),
    },
    run: async ({ registry, query }) => {
      const head = await findFeedHead(registry.store);
      const { cursor: after = '', limit = 100, ...filters } = query;
      await requirePosition(registry.store.read.property, after);
      const page = await readCatalogPage(registry.store, { ...filters, after, limit });
      return ok(catalogAnswer(page), { [SYNC_CURSOR]: head });
    },
  }),
  route({
    method: 'GET',
    path: '/api/registry/catalog/sync',
    operation_id: 'syncRegistryCatalog',
    tag: TAGS.feed,
    summary: 'Properties that changed since an instant, or behind a cursor.',
    description: CATALOG_CURSORS,
    auth: 'bearer',
    query: z.object({
      since: text('ISO 8601.', { max: 40 }).optional(),
      cursor: text('From the page before.', { max: 64 }).optional(),
      limit: integer('Most properties of a page.', { min: 1, max: 10_000, usual: 1000 }).optional(),
      ...CATALOG_FILTERS,
    }),
    answers: {
      200: {
        description: 'A page of properties, and the instant to ask with next time.',
        body: z.looseObject({ properties: rows, server_timestamp: z.string(), has_more: z.boolean() }),
      },
      ...problemsOf(400, 401),
    },
    run: async ({ registry, query }) => {
      const head = await findFeedHead(registry.store);
      const server_timestamp = new Date(registry.clock.now()).toISOString();
      const { cursor: after = '', limit = 1000, ...filters } = query;
      await requirePosition(registry.store.read.property, after);
      const page = await readCatalogPage(registry.store, { ...filters, after, limit });
      return ok({ ...catalogAnswer(page), server_timestamp }, { [SYNC_CURSOR]: head });
    },
  }),
  route({
    method: 'GET',
    path: '/api/registry/collections/sync',
    operation_id: 'syncCollections',
    tag: TAGS.feed,
    summary: 'All collections, page by page.',
    auth: 'bearer',
    query: z.object({
      limit: integer('Most collections of a page.', { min: 1, max: 1000, usual: 100 }).optional(),
      offset: offset().optional(),
      cursor: text('The last collection_rid of the page before; quicker than an offset.', { max: 64 }).optional(),
    }),
    answers: {
      200: {
        description: 'A page of collections.',
        body: z.looseObject({ collections: rows, total: z.int(), next_offset: z.int().nullable() }),
      },
      ...problemsOf(400, 401),
    },
    run: async ({ registry, query }) => {
      const head = await findFeedHead(registry.store);
      const { cursor: after = '', limit = 100, offset: skipped = 0 } = query;
      await requirePosition(registry.store.read.collection, after);
      return ok(await readCollectionPage(registry.store, limit, skipped, after), { [SYNC_CURSOR]: head });
    },
  }),
  route({
    method: 'GET',
    path: '/api/registry/authorizations',
    operation_id: 'getAgentAuthorizations',
    tag: TAGS.feed,
    summary: 'The rows of one agent in the authorization graph.',
    auth: 'bearer',
    query: z.object({
      agent_url: text('The agent, as buyers call it.'),
      evidence: evidence(),
      include: choice(['effective', 'raw'], 'Rows as they count, or as they stand.').optional(),
    }),
    answers: {
      200: {
        description: 'Rows.',
        body: z.looseObject({ agent_url: z.string(), rows, count: z.int(), include: z.string() }),
      },
      ...problemsOf(400, 401),
    },
    run: async ({ registry, query }) => {
      const evidence = wantedEvidence(query.evidence);
      const head = await findFeedHead(registry.store);
      const authorizations = await readAgentRows(registry.store, query.agent_url, evidence);
      const { include = 'effective' } = query;
      const { agent_url } = query;
      return ok(
        { agent_url, evidence: [...evidence], include, rows: authorizations, count: authorizations.length },
        { [SYNC_CURSOR]: head },
      );
    },
  }),
  route({
    method: 'GET',
    path: '/api/registry/authorizations/snapshot',
    operation_id: 'getAgentAuthorizationsSnapshot',
    tag: TAGS.feed,
    summary: 'The whole authorization graph, one row of JSON to a line, gzipped.',
    auth: 'bearer',
    limits: ['bulk_read'],
    query: z.object({
      evidence: evidence(),
      include: choice(['effective', 'raw'], 'Rows as they count, or as they stand.').optional(),
    }),
    answers: {
      200: {
        description: 'Rows; X-Sync-Cursor is where the feed goes on.',
        body: z.string(),
        type: 'application/x-ndjson',
      },
      304: { description: 'Nothing changed since the ETag that was sent.' },
      ...problemsOf(400, 401, 429),
    },
    run: async ({ registry: { store }, query, headers }) => {
      const evidence = wantedEvidence(query.evidence);
      const head = await findFeedHead(store);
      const etag = snapshotTag(head, evidence, query.include ?? 'effective');
      const common = { etag, [SYNC_CURSOR]: head, vary: 'authorization, accept-encoding' };
      if (hasTag(headers['if-none-match'], etag)) return { status: 304, empty: true, headers: common };
      const rows = readSnapshotRows(store, evidence);
      if (refusesGzip(headers['accept-encoding']))
        return { stream: rows, type: 'application/x-ndjson', headers: common };
      const stream = gzipPieces(rows);
      return { stream, type: 'application/x-ndjson', headers: { ...common, 'content-encoding': 'gzip' } };
    },
  }),
];

function catalogAnswer({ records, next }: CatalogChunk): object {
  return { properties: records, next_cursor: next ?? null, has_more: next !== undefined };
}

type Page = ReturnType<typeof readFeedPage>;

/** Reads a page as it is read: of ten thousand events no more than some hundreds are in memory. */
async function* feedText(
  page: Page,
  asked: string | undefined,
  freshness: Awaited<ReturnType<typeof readFreshness>>,
): AsyncGenerator<string> {
  let before = '{"events":[';
  for (;;) {
    const step = await page.next();
    if (step.done === true) {
      const { has_more } = step.value;
      const tail = { cursor: step.value.cursor ?? asked ?? null, has_more, freshness };
      yield `${before === ',' ? '' : before}],${JSON.stringify(tail).slice(1)}`;
      return;
    }
    yield `${before}${step.value.items}`;
    before = ',';
  }
}
