import { yieldToEventLoop } from '../../../../../platform/kernel/event-loop.js';
import type { AgentRecord } from '../../../../model/records.js';
import type { ServerStore } from '../../../store/server-store.js';
import { RegistryProblem } from '../../problem.js';
import {
  askedDimensions,
  createProfileIndex,
  PROFILE_DIMENSIONS,
  type ProfileIndex,
  type ProfileQuery,
  type Ranked,
  type RankedProfile,
} from './profile-index.js';

/** What agents sell, held in memory for searching and following the records. */
export type Profiles = {
  /** The index; read from disk when it is first asked for. */
  readonly index: () => Promise<ProfileIndex<AgentRecord>>;
  readonly close: () => void;
};

/** Rows that are read at a time. */
const CHUNK = 500;

/** Opens the profiles of a registry. */
export function createProfiles(store: ServerStore): Profiles {
  const index = createProfileIndex<AgentRecord>();
  let reading: Promise<void> | undefined;
  const heard = new Set<string>();
  let isRead = false;
  const end = store.follow((change) => {
    if (change.noun !== 'agent' || reading === undefined) return;
    if (!isRead) heard.add(change.id);
    if (change.record === undefined) index.remove(change.id);
    else index.put(change.record);
  });

  async function read(): Promise<void> {
    for (let at = 0; ; ) {
      const { records, at: next } = await store.read.agent.scan(at, CHUNK);
      // What changed meanwhile is newer than the page in hand.
      for (const record of records) if (!heard.has(record.agent_url)) index.put(record);
      if (records.length < CHUNK) break;
      at = next;
      await yieldToEventLoop();
    }
    isRead = true;
    heard.clear();
  }

  return {
    index: async () => {
      reading ??= read();
      await reading;
      return index;
    },
    close: end,
  };
}

/** A result of the search (spec 1, Agent search result), with the members that public clients index it by (facts 1.3). */
export type AgentResult = Readonly<Record<string, unknown>> & { readonly agent_url: string };

/** A page of results. */
export type AgentResults = {
  readonly results: readonly AgentResult[];
  readonly cursor: string | null;
  readonly has_more: boolean;
};

/**
 * Searches agents by what they sell (spec 1, GET agents/search), among those that may be shown. Throws invalid_request for a cursor that
 * is none of this search.
 */
export async function searchAgents(
  profiles: Profiles,
  query: ProfileQuery & { readonly type?: string },
  limit: number,
  cursor: string | undefined,
  mayShow: (agent: AgentRecord) => Promise<boolean>,
): Promise<AgentResults> {
  const index = await profiles.index();
  const isOfType = (agent: AgentRecord): boolean => query.type === undefined || agent.type === query.type;
  const found: Ranked<AgentRecord>[] = [];
  let after = cursor === undefined ? undefined : readPlace(cursor);
  while (found.length <= limit) {
    const candidates = index.search(query, limit + 1, after, isOfType);
    for (const one of candidates) if (await mayShow(one.item)) found.push(one);
    const last = candidates.at(-1);
    if (last === undefined || candidates.length <= limit) break;
    after = { score: last.score, agentUrl: last.item.agent_url };
  }
  const matched = askedDimensions(query);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = found.length > limit;
  return {
    results: page.map(({ item, score }) => agentResult(item, score, matched)),
    cursor: hasMore && last !== undefined ? writePlace({ score: last.score, agentUrl: last.item.agent_url }) : null,
    has_more: hasMore,
  };
}

function agentResult(agent: AgentRecord, score: number, matched: readonly string[]): AgentResult {
  const { agent_url, badges, category_taxonomy, compliance, created_at, format_ids, has_tmp, name } = agent;
  const { property_count, publisher_count } = agent;
  const profile = {
    ...Object.fromEntries(PROFILE_DIMENSIONS.map((dimension) => [dimension, agent[dimension]])),
    category_taxonomy,
    format_ids,
    property_count,
    publisher_count,
    has_tmp,
  };
  return {
    agent_url,
    ...profile,
    relevance_score: score,
    matched_filters: matched,
    ...(created_at === undefined ? {} : { created_at }),
    updated_at: agent.updated_at ?? created_at ?? new Date(0).toISOString(),
    url: agent_url,
    name: name ?? agent_url,
    type: agent.type,
    format_kinds: [],
    inventory_profile: profile,
    match: { score, matched_filters: matched },
    ...(compliance === undefined ? {} : { compliance, compliance_summary: compliance }),
    ...(badges === undefined ? {} : { badges }),
  };
}

function writePlace({ agentUrl, score }: RankedProfile): string {
  return Buffer.from(`${score}:${agentUrl}`).toString('base64url');
}

function readPlace(cursor: string): RankedProfile {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [score, agentUrl] = /^(\d+(?:\.\d+)?(?:e-\d+)?):(.+)$/s.exec(text)?.slice(1) ?? [];
  const place = { score: Number(score), agentUrl: agentUrl ?? '' };
  if (agentUrl !== undefined && Number.isFinite(place.score) && writePlace(place) === cursor) return place;
  throw new RegistryProblem('invalid_request', 'cursor: is none that this search returned', {
    field: 'cursor',
    suggestion: 'Send the cursor of the previous page exactly as it came, or leave it out.',
  });
}
