import { parseDateTime } from '../../../../platform/kernel/clock.js';
import { startPace } from '../../../../platform/kernel/event-loop.js';
import { Piecemeal } from '../../../../platform/kernel/json/pieces.js';
import { effectiveSpan, isAuthorizing, isInEffect } from '../../../model/grants.js';
import type { AuthorizationRecord, PublisherRecord } from '../../../model/records.js';
import { Inventory } from '../agent/inventory/inventory.js';
import { RegistryProblem } from '../problem.js';
import type { Registry } from '../registry.js';
import { itemOf, requireAgent } from './lookups.js';
import { readAuthorizationPages, readPropertyPages } from './record-pages.js';

/** What a publisher that named an agent says of it now. */
export const LIFECYCLE_STATES = ['authorized', 'revoked'] as const;
type LifecycleState = (typeof LIFECYCLE_STATES)[number];

/** Which publishers of an agent are wanted, and from where on. */
type PublishersQuery = {
  readonly since?: string | undefined;
  /** The last domain of the page before, as it was answered. */
  readonly cursor?: string | undefined;
  readonly status: readonly LifecycleState[];
  readonly limit: number;
  readonly withPropertyIds: boolean;
};

/** Ids of one publisher that are listed. */
const MAX_PROPERTY_IDS = 10_000;

/**
 * Returns the publishers whose files name an agent, by domain, with how much of each it may sell; they are read while they are written.
 * Throws not_found for an agent that no publisher names, and invalid_request for a cursor or an instant that is none.
 */
export function lookupAgentPublishers(registry: Registry, agentUrl: string, query: PublishersQuery): Piecemeal {
  const agent = requireAgent(agentUrl, 'encodedUrl');
  const sinceMs = query.since === undefined ? undefined : readInstant(query.since);
  const after = query.cursor === undefined ? '' : readCursor(query.cursor);
  const domains = registry.index.domainsOf(agent).toSorted();
  if (domains.length === 0) throw refuseUnnamed();
  const page = new PublisherPage(registry, { ...query, agent, sinceMs });
  return new Piecemeal({
    agent_url: agentUrl,
    publishers: page.read(domains.filter((domain) => domain > after)),
    directory_indexed_at: () => page.latest ?? null,
    next_cursor: () => (page.last === undefined ? null : Buffer.from(page.last).toString('base64url')),
  });
}

type PageQuery = PublishersQuery & { readonly agent: string; readonly sinceMs: number | undefined };

/** A page of publishers while it is read. */
class PublisherPage {
  readonly #registry: Registry;
  readonly #query: PageQuery;
  #latest: string | undefined;
  #last: string | undefined;

  constructor(registry: Registry, query: PageQuery) {
    this.#registry = registry;
    this.#query = query;
  }

  /** The newest instant at which one of the publishers was read. */
  get latest(): string | undefined {
    return this.#latest;
  }

  /** The domain behind which the next page begins; undefined where there is none. */
  get last(): string | undefined {
    return this.#last;
  }

  async *read(domains: readonly string[]): AsyncGenerator<readonly object[]> {
    const pace = startPace();
    let [shown, before] = [0, ''];
    for (const domain of domains) {
      if (pace.isDue()) await pace.rest();
      const entry = await this.#entryOf(domain);
      if (entry === undefined) continue;
      if (shown === this.#query.limit) {
        this.#last = before;
        return;
      }
      [shown, before] = [shown + 1, domain];
      if (this.#latest === undefined || entry.last_verified_at > this.#latest) this.#latest = entry.last_verified_at;
      yield [entry];
    }
  }

  async #entryOf(domain: string) {
    const { sinceMs, status: wanted, agent, withPropertyIds } = this.#query;
    const { read } = this.#registry.store;
    const publisher = await read.publisher.find(domain);
    const last_verified_at = publisher?.last_validated ?? publisher?.updated_at;
    if (publisher === undefined || last_verified_at === undefined) return undefined;
    if (sinceMs !== undefined && Date.parse(last_verified_at) < sinceMs) return undefined;
    const rows: AuthorizationRecord[] = [];
    for await (const page of readAuthorizationPages(read, domain)) {
      rows.push(...page.filter((row) => row.agent_url_canonical === agent && isAuthorizing(row)));
    }
    const nowMs = this.#registry.clock.now();
    const status = lifecycleOf(publisher, rows, nowMs);
    if (status === undefined || !wanted.includes(status)) return undefined;
    const current = status === 'revoked' ? rows : rows.filter((row) => isInEffect(effectiveSpan(row), nowMs));
    const { ids, total } = await this.#coveredBy(domain, current);
    return {
      publisher_domain: domain,
      discovery_method: publisher.discovery_method ?? 'direct',
      manager_domain: publisher.manager_domain ?? null,
      properties_authorized: status === 'authorized' ? ids.length : 0,
      properties_total: total,
      property_ids: withPropertyIds ? ids.slice(0, MAX_PROPERTY_IDS) : undefined,
      signing_keys_pinned: current.some(({ signing_keys = [] }) => signing_keys.length > 0),
      status,
      last_verified_at,
    };
  }

  /** Returns the ids of the active properties of a publisher that rows are for, and how many it has. */
  async #coveredBy(
    domain: string,
    rows: readonly AuthorizationRecord[],
  ): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
    const inventory = new Inventory();
    const items: string[] = [];
    for await (const page of readPropertyPages(this.#registry.store.read, domain)) {
      for (const record of page) if (inventory.add(record)) items.push(itemOf(record));
    }
    const covered = inventory.emptySet();
    for (const row of rows) inventory.cover(row, covered);
    const ids: string[] = [];
    covered.each((position) => ids.push(items[position] ?? ''));
    return { ids, total: inventory.size };
  }
}

/** Returns where an agent stands with a publisher: revoked where the file is, or where each row for it has ended; nowhere before one begins. */
function lifecycleOf(
  { standing }: PublisherRecord,
  rows: readonly AuthorizationRecord[],
  nowMs: number,
): LifecycleState | undefined {
  if (rows.length === 0) return undefined;
  if (standing === 'revoked') return 'revoked';
  if (standing !== 'open') return undefined;
  const spans = rows.map(effectiveSpan);
  if (spans.some((span) => isInEffect(span, nowMs))) return 'authorized';
  return spans.every(({ effectiveUntil = Number.POSITIVE_INFINITY }) => effectiveUntil <= nowMs)
    ? 'revoked'
    : undefined;
}

function readInstant(text: string): number {
  const ms = parseDateTime(text);
  if (ms !== undefined) return ms;
  throw new RegistryProblem('invalid_request', 'since: is no instant', {
    field: 'since',
    suggestion: 'Send an ISO 8601 instant with an offset, such as 2026-01-31T00:00:00Z.',
  });
}

function readCursor(cursor: string): string {
  const domain = Buffer.from(cursor, 'base64url').toString('utf8');
  if (/^[a-z0-9.-]{1,253}$/.test(domain)) return domain;
  throw new RegistryProblem('invalid_request', 'cursor: is not one of this list', {
    field: 'cursor',
    suggestion: 'Send the next_cursor of the page before, or none to begin anew.',
  });
}

function refuseUnnamed(): RegistryProblem {
  return new RegistryProblem('not_found', 'No publisher that this registry knows names this agent.', {
    field: 'encodedUrl',
    suggestion: 'Check the spelling, or ask for a publisher’s crawl with POST /api/registry/crawl-request.',
  });
}
