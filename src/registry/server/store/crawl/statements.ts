import { type Builder, createPrepare, type DocRow } from '../../../../platform/database/statement.js';
import type { RegistryTables } from '../../../store/schema/schema.js';

/** Returns the statements on the tables of the crawler, compiled for an engine. */
export function crawlStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    state: prepare<{ domain: string }, DocRow>((q, slot) =>
      q.selectFrom('crawl').select('doc').where('domain', '=', slot('domain')),
    ),
    due: prepare<{ now: number; limit: number }, { domain: string }>((q, slot) =>
      q.selectFrom('crawl').select('domain').where('due_at', '<=', slot('now')).orderBy('due_at').limit(slot('limit')),
    ),
    countDue: prepare<{ now: number }, { count: number }>((q, slot) =>
      q
        .selectFrom('crawl')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('due_at', '<=', slot('now')),
    ),
    failing: prepare<{ after: string; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('crawl')
        .select('doc')
        .where('failures', '>', 0)
        .where('domain', '>', slot('after'))
        .orderBy('domain')
        .limit(slot('limit')),
    ),
    states: prepare<{ from: string; limit: number }, DocRow>((q, slot) =>
      q.selectFrom('crawl').select('doc').where('domain', '>=', slot('from')).orderBy('domain').limit(slot('limit')),
    ),
    earliestDue: prepare<object, { due_at: number | null }>((q) =>
      q.selectFrom('crawl').select((e) => e.fn.min<number | null>('due_at').as('due_at')),
    ),
    alike: prepare<{ mark: string }, { domain: string }>((q, slot) =>
      q.selectFrom('crawl').select('domain').where('mark', '=', slot('mark')).orderBy('domain').limit(100),
    ),
    saveState: prepare<{ domain: string; due_at: number; mark: string; failures: number; doc: string }>((q, slot) =>
      q
        .insertInto('crawl')
        .values(slot.each('domain', 'due_at', 'mark', 'failures', 'doc'))
        .onConflict((c) => c.column('domain').doUpdateSet(slot.each('due_at', 'mark', 'failures', 'doc'))),
    ),
    addState: prepare<{ domain: string; due_at: number; doc: string }>((q, slot) =>
      q
        .insertInto('crawl')
        .values({ ...slot.each('domain', 'due_at', 'doc'), mark: '' })
        .onConflict((c) => c.column('domain').doNothing()),
    ),
    dropState: prepare<{ domain: string }>((q, slot) => q.deleteFrom('crawl').where('domain', '=', slot('domain'))),
    request: prepare<{ id: string }, DocRow>((q, slot) =>
      q.selectFrom('crawl_request').select('doc').where('id', '=', slot('id')),
    ),
    openRequests: prepare<{ limit: number }, DocRow>((q, slot) =>
      q.selectFrom('crawl_request').select('doc').where('open', '=', 1).orderBy('requested_at').limit(slot('limit')),
    ),
    countOpen: prepare<object, { count: number }>((q) =>
      q
        .selectFrom('crawl_request')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('open', '=', 1),
    ),
    openRequestsFor: prepare<{ domain: string }, DocRow>((q, slot) =>
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
    visit: prepare<{ url: string }, DocRow>((q, slot) =>
      q.selectFrom('visit').select('doc').where('agent_url', '=', slot('url')),
    ),
    visitsDue: prepare<{ now: number; limit: number }, DocRow>((q, slot) =>
      q.selectFrom('visit').select('doc').where('due_at', '<=', slot('now')).orderBy('due_at').limit(slot('limit')),
    ),
    claims: prepare<{ domain: string; limit: number }, { agent_url: string }>((q, slot) =>
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
    failures: prepare<{ domain: string }, { failures: number }>((q, slot) =>
      q.selectFrom('crawl').select('failures').where('domain', '=', slot('domain')),
    ),
    hasVisit: prepare<{ url: string }, { agent_url: string }>((q, slot) =>
      q.selectFrom('visit').select('agent_url').where('agent_url', '=', slot('url')),
    ),
    saveVisit: prepare<{ url: string; due_at: number; failures: number; doc: string }>((q, slot) =>
      q
        .insertInto('visit')
        .values({ agent_url: slot('url'), ...slot.each('due_at', 'failures', 'doc') })
        .onConflict((c) => c.column('agent_url').doUpdateSet(slot.each('due_at', 'failures', 'doc'))),
    ),
    failingVisits: prepare<{ after: string; limit: number }, { doc: string; agent: string }>((q, slot) =>
      q
        .selectFrom('visit')
        .innerJoin('member_agent', 'member_agent.id', 'visit.agent_url')
        .select(['visit.doc', 'member_agent.doc as agent'])
        .where('visit.failures', '>', 0)
        .where('visit.agent_url', '>', slot('after'))
        .orderBy('visit.agent_url')
        .limit(slot('limit')),
    ),
    countFailingVisits: prepare<object, { count: number }>((q) =>
      q
        .selectFrom('visit')
        .innerJoin('member_agent', 'member_agent.id', 'visit.agent_url')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('visit.failures', '>', 0),
    ),
    assessment: prepare<{ url: string }, DocRow>((q, slot) =>
      q.selectFrom('assessment').select('doc').where('agent_url', '=', slot('url')),
    ),
    assessmentsDue: prepare<{ now: number; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('assessment')
        .select('doc')
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .limit(slot('limit')),
    ),
    assessments: prepare<{ after: string; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('assessment')
        .select('doc')
        .where('agent_url', '>', slot('after'))
        .orderBy('agent_url')
        .limit(slot('limit')),
    ),
    saveAssessment: prepare<{ url: string; due_at: number; doc: string }>((q, slot) =>
      q
        .insertInto('assessment')
        .values({ agent_url: slot('url'), ...slot.each('due_at', 'doc') })
        .onConflict((c) => c.column('agent_url').doUpdateSet(slot.each('due_at', 'doc'))),
    ),
    dropAssessment: prepare<{ url: string }>((q, slot) =>
      q.deleteFrom('assessment').where('agent_url', '=', slot('url')),
    ),
    dropVisit: prepare<{ url: string }>((q, slot) => q.deleteFrom('visit').where('agent_url', '=', slot('url'))),
    totals: prepare<{ url: string }, DocRow>((q, slot) =>
      q.selectFrom('tally').select('doc').where('agent_url', '=', slot('url')),
    ),
    saveTotals: prepare<{ url: string; doc: string }>((q, slot) =>
      q
        .insertInto('tally')
        .values({ agent_url: slot('url'), doc: slot('doc') })
        .onConflict((c) => c.column('agent_url').doUpdateSet({ doc: slot('doc') })),
    ),
    dropTotals: prepare<{ url: string }>((q, slot) => q.deleteFrom('tally').where('agent_url', '=', slot('url'))),
    share: prepare<{ domain: string; url: string }, DocRow>((q, slot) =>
      q
        .selectFrom('crawl_share')
        .select('doc')
        .where('domain', '=', slot('domain'))
        .where('agent_url', '=', slot('url')),
    ),
    sellers: prepare<{ domain: string; after: string; limit: number }, { agent_url: string }>((q, slot) =>
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

/** The compiled statements on the tables of the crawler. */
export type CrawlStatements = ReturnType<typeof crawlStatements>;
