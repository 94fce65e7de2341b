import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { RegistryTables } from '../../store/schema/schema.js';
import type { AgentTally, CrawlRequest, CrawlState, RequestState, Share, Visit } from '../crawl/records.js';

/** What the crawler knows. Agents by their canonical URLs. */
export type CrawlReads = {
  readonly state: (domain: string) => Promise<CrawlState | undefined>;
  /** Publishers that are due at an instant in ms, the longest due first. */
  readonly due: (nowMs: number, limit: number) => Promise<readonly string[]>;
  readonly count: () => Promise<number>;
  readonly countDue: (nowMs: number) => Promise<number>;
  readonly request: (id: string) => Promise<CrawlRequest | undefined>;
  /** Requests that are not done, the oldest first. */
  readonly openRequests: (limit: number) => Promise<readonly CrawlRequest[]>;
  readonly countOpen: () => Promise<number>;
  readonly openRequestsOf: (domain: string) => Promise<readonly CrawlRequest[]>;
  readonly visit: (agentUrl: string) => Promise<Visit | undefined>;
  readonly visitsDue: (nowMs: number, limit: number) => Promise<readonly Visit[]>;
  /** Agents that say that they sell a publisher. */
  readonly claimsOf: (domain: string, limit: number) => Promise<readonly string[]>;
  readonly tally: (agentUrl: string) => Promise<AgentTally | undefined>;
  /** What an agent sells of a publisher. */
  readonly share: (domain: string, agentUrl: string) => Promise<Share | undefined>;
  /** Agents that sell something of a publisher, in the order of their URLs, after `after`. */
  readonly agentsOf: (domain: string, after: string, limit: number) => Promise<readonly string[]>;
  /** The last event that was forgotten. */
  readonly floor: () => Promise<string | undefined>;
};
export type CrawlWrites = CrawlReads & {
  readonly saveState: (state: CrawlState) => Promise<void>;
  readonly saveRequest: (request: CrawlRequest) => Promise<void>;
  /** Forgets requests from before an instant in ms that are done. */
  readonly dropRequests: (beforeMs: number) => Promise<number>;
  readonly saveVisit: (visit: Visit) => Promise<void>;
  /** Forgets a visit and what the agent claimed. */
  readonly dropVisit: (agentUrl: string) => Promise<void>;
  readonly saveTally: (tally: AgentTally) => Promise<void>;
  readonly dropTally: (agentUrl: string) => Promise<void>;
  readonly saveShare: (domain: string, agentUrl: string, share: Share) => Promise<void>;
  readonly dropShare: (domain: string, agentUrl: string) => Promise<void>;
  readonly setFloor: (eventId: string) => Promise<void>;
};

const DONE: ReadonlySet<RequestState> = new Set<RequestState>(['completed', 'invalid', 'failed']);
const FLOOR = 'feed';

/** The repository of the crawler. */
export function crawlRepository(db: Builder<RegistryTables>) {
  // A mirror opens these tables too and asks nothing of them.
  let compiled: ReturnType<typeof statementsOf> | undefined;
  const sql = (): ReturnType<typeof statementsOf> => {
    compiled ??= statementsOf(db);
    return compiled;
  };
  const reads = (tx: Reading): CrawlReads => ({
    state: async (domain) => decode<CrawlState>(await tx.one(sql().state, { domain })),
    due: async (now, limit) => (await tx.all(sql().due, { now, limit })).map(({ domain }) => domain),
    count: async () => (await tx.one(sql().count, {}))?.count ?? 0,
    countDue: async (now) => (await tx.one(sql().countDue, { now }))?.count ?? 0,
    request: async (id) => decode<CrawlRequest>(await tx.one(sql().request, { id })),
    openRequests: async (limit) => (await tx.all(sql().openRequests, { limit })).map(decoded<CrawlRequest>),
    countOpen: async () => (await tx.one(sql().countOpen, {}))?.count ?? 0,
    openRequestsOf: async (domain) => (await tx.all(sql().openRequestsOf, { domain })).map(decoded<CrawlRequest>),
    visit: async (url) => decode<Visit>(await tx.one(sql().visit, { url })),
    visitsDue: async (now, limit) => (await tx.all(sql().visitsDue, { now, limit })).map(decoded<Visit>),
    claimsOf: async (domain, limit) =>
      (await tx.all(sql().claimsOf, { domain, limit })).map(({ agent_url }) => agent_url),
    tally: async (url) => decode<AgentTally>(await tx.one(sql().tally, { url })),
    share: async (domain, url) => decode<Share>(await tx.one(sql().share, { domain, url })),
    agentsOf: async (domain, after, limit) =>
      (await tx.all(sql().agentsOf, { domain, after, limit })).map(({ agent_url }) => agent_url),
    floor: async () => (await tx.one(sql().floor, { name: FLOOR }))?.event_id,
  });
  const writes = (tx: Writing): CrawlWrites => ({
    ...reads(tx),
    saveState: async (state) => {
      await tx.run(sql().saveState, { domain: state.domain, due_at: state.dueAt, doc: JSON.stringify(state) });
    },
    saveRequest: async (request) => {
      await tx.run(sql().saveRequest, {
        id: request.crawl_request_id,
        domain: request.domain,
        open: DONE.has(request.status) ? 0 : 1,
        requested_at: Date.parse(request.requested_at),
        doc: JSON.stringify(request),
      });
    },
    dropRequests: (before) => tx.run(sql().dropRequests, { before }),
    saveVisit: async (visit) => {
      const { agent_url: url, dueAt: due_at, offer } = visit;
      await tx.run(sql().saveVisit, { url, due_at, doc: JSON.stringify(visit) });
      await tx.run(sql().dropClaims, { url });
      for (const domain of new Set(offer?.publisher_domains)) await tx.run(sql().saveClaim, { url, domain });
    },
    dropVisit: async (url) => {
      await tx.run(sql().dropVisit, { url });
      await tx.run(sql().dropClaims, { url });
    },
    saveTally: async (tally) => {
      await tx.run(sql().saveTally, { url: tally.agent_url, doc: JSON.stringify(tally) });
    },
    dropTally: async (url) => {
      await tx.run(sql().dropTally, { url });
    },
    saveShare: async (domain, url, share) => {
      await tx.run(sql().saveShare, { domain, url, doc: JSON.stringify(share) });
    },
    dropShare: async (domain, url) => {
      await tx.run(sql().dropShare, { domain, url });
    },
    setFloor: async (id) => {
      await tx.run(sql().setFloor, { name: FLOOR, id });
    },
  });
  return { reads, writes };
}

type Doc = { readonly doc: string };

function decode<T>(row: Doc | undefined): T | undefined {
  return row === undefined ? undefined : decoded<T>(row);
}

function decoded<T>({ doc }: Doc): T {
  return JSON.parse(doc) as T;
}

function statementsOf(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    state: prepare<{ domain: string }, Doc>((q, slot) =>
      q.selectFrom('crawl').select('doc').where('domain', '=', slot('domain')),
    ),
    due: prepare<{ now: number; limit: number }, { domain: string }>((q, slot) =>
      q.selectFrom('crawl').select('domain').where('due_at', '<=', slot('now')).orderBy('due_at').limit(slot('limit')),
    ),
    count: prepare<object, { count: number }>((q) =>
      q.selectFrom('crawl').select((e) => e.fn.countAll<number>().as('count')),
    ),
    countDue: prepare<{ now: number }, { count: number }>((q, slot) =>
      q
        .selectFrom('crawl')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('due_at', '<=', slot('now')),
    ),
    saveState: prepare<{ domain: string; due_at: number; doc: string }>((q, slot) =>
      q
        .insertInto('crawl')
        .values({ domain: slot('domain'), due_at: slot('due_at'), doc: slot('doc') })
        .onConflict((c) => c.column('domain').doUpdateSet({ due_at: slot('due_at'), doc: slot('doc') })),
    ),
    request: prepare<{ id: string }, Doc>((q, slot) =>
      q.selectFrom('crawl_request').select('doc').where('id', '=', slot('id')),
    ),
    openRequests: prepare<{ limit: number }, Doc>((q, slot) =>
      q.selectFrom('crawl_request').select('doc').where('open', '=', 1).orderBy('requested_at').limit(slot('limit')),
    ),
    countOpen: prepare<object, { count: number }>((q) =>
      q
        .selectFrom('crawl_request')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('open', '=', 1),
    ),
    openRequestsOf: prepare<{ domain: string }, Doc>((q, slot) =>
      q
        .selectFrom('crawl_request')
        .select('doc')
        .where('open', '=', 1)
        .where('domain', '=', slot('domain'))
        .orderBy('requested_at'),
    ),
    saveRequest: prepare<{ id: string; domain: string; open: number; requested_at: number; doc: string }>((q, slot) =>
      q
        .insertInto('crawl_request')
        .values({
          id: slot('id'),
          domain: slot('domain'),
          open: slot('open'),
          requested_at: slot('requested_at'),
          doc: slot('doc'),
        })
        .onConflict((c) => c.column('id').doUpdateSet({ open: slot('open'), doc: slot('doc') })),
    ),
    dropRequests: prepare<{ before: number }>((q, slot) =>
      q.deleteFrom('crawl_request').where('open', '=', 0).where('requested_at', '<', slot('before')),
    ),
    visit: prepare<{ url: string }, Doc>((q, slot) =>
      q.selectFrom('visit').select('doc').where('agent_url', '=', slot('url')),
    ),
    visitsDue: prepare<{ now: number; limit: number }, Doc>((q, slot) =>
      q.selectFrom('visit').select('doc').where('due_at', '<=', slot('now')).orderBy('due_at').limit(slot('limit')),
    ),
    claimsOf: prepare<{ domain: string; limit: number }, { agent_url: string }>((q, slot) =>
      q
        .selectFrom('claim')
        .select('agent_url')
        .where('publisher_domain', '=', slot('domain'))
        .orderBy('agent_url')
        .limit(slot('limit')),
    ),
    saveClaim: prepare<{ url: string; domain: string }>((q, slot) =>
      q.insertInto('claim').values({ publisher_domain: slot('domain'), agent_url: slot('url') }),
    ),
    dropClaims: prepare<{ url: string }>((q, slot) => q.deleteFrom('claim').where('agent_url', '=', slot('url'))),
    saveVisit: prepare<{ url: string; due_at: number; doc: string }>((q, slot) =>
      q
        .insertInto('visit')
        .values({ agent_url: slot('url'), due_at: slot('due_at'), doc: slot('doc') })
        .onConflict((c) => c.column('agent_url').doUpdateSet({ due_at: slot('due_at'), doc: slot('doc') })),
    ),
    dropVisit: prepare<{ url: string }>((q, slot) => q.deleteFrom('visit').where('agent_url', '=', slot('url'))),
    tally: prepare<{ url: string }, Doc>((q, slot) =>
      q.selectFrom('tally').select('doc').where('agent_url', '=', slot('url')),
    ),
    saveTally: prepare<{ url: string; doc: string }>((q, slot) =>
      q
        .insertInto('tally')
        .values({ agent_url: slot('url'), doc: slot('doc') })
        .onConflict((c) => c.column('agent_url').doUpdateSet({ doc: slot('doc') })),
    ),
    dropTally: prepare<{ url: string }>((q, slot) => q.deleteFrom('tally').where('agent_url', '=', slot('url'))),
    share: prepare<{ domain: string; url: string }, Doc>((q, slot) =>
      q
        .selectFrom('crawl_share')
        .select('doc')
        .where('domain', '=', slot('domain'))
        .where('agent_url', '=', slot('url')),
    ),
    agentsOf: prepare<{ domain: string; after: string; limit: number }, { agent_url: string }>((q, slot) =>
      q
        .selectFrom('crawl_share')
        .select('agent_url')
        .where('domain', '=', slot('domain'))
        .where('agent_url', '>', slot('after'))
        .orderBy('agent_url')
        .limit(slot('limit')),
    ),
    saveShare: prepare<{ domain: string; url: string; doc: string }>((q, slot) =>
      q
        .insertInto('crawl_share')
        .values({ domain: slot('domain'), agent_url: slot('url'), doc: slot('doc') })
        .onConflict((c) => c.columns(['domain', 'agent_url']).doUpdateSet({ doc: slot('doc') })),
    ),
    dropShare: prepare<{ domain: string; url: string }>((q, slot) =>
      q.deleteFrom('crawl_share').where('domain', '=', slot('domain')).where('agent_url', '=', slot('url')),
    ),
    floor: prepare<{ name: string }, { event_id: string }>((q, slot) =>
      q.selectFrom('feed_floor').select('event_id').where('name', '=', slot('name')),
    ),
    setFloor: prepare<{ name: string; id: string }>((q, slot) =>
      q
        .insertInto('feed_floor')
        .values({ name: slot('name'), event_id: slot('id') })
        .onConflict((c) => c.column('name').doUpdateSet({ event_id: slot('id') })),
    ),
  };
}
