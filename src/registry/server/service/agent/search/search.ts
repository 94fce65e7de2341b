import { yieldToEventLoop } from '../../../../../platform/kernel/event-loop.js';
import type { AgentRecord } from '../../../../model/records.js';
import type { ServerStore } from '../../../store/server-store.js';
import { RegistryProblem } from '../../problem.js';
import {
  askedDimensions,
  PROFILE_DIMENSIONS,
  ProfileIndex,
  type ProfileQuery,
  type Ranked,
  type RankedProfile,
} from './profile-index.js';

/** Rows that are read at a time. */
const CHUNK = 500;

/** The agents of a registry, held in memory for searching; they are read when the index is first asked for, and follow the records. */
export class Profiles {
  readonly #store: ServerStore;
  readonly #index = new ProfileIndex<AgentRecord>();
  /** Agents that changed while the others were read. */
  readonly #changed = new Set<string>();
  readonly #unfollow: () => void;
  #reading: Promise<void> | undefined;
  #isRead = false;

  constructor(store: ServerStore) {
    this.#store = store;
    this.#unfollow = store.follow((change) => {
      if (change.noun !== 'agent' || this.#reading === undefined) return;
      if (!this.#isRead) this.#changed.add(change.id);
      if (change.record === undefined) this.#index.remove(change.id);
      else this.#index.put(change.record);
    });
  }

  async index(): Promise<ProfileIndex<AgentRecord>> {
    this.#reading ??= this.#read();
    await this.#reading;
    return this.#index;
  }

  close(): void {
    this.#unfollow();
  }

  async #read(): Promise<void> {
    for (let at = 0; ; ) {
      const { records, at: next } = await this.#store.scan('agent', { at, limit: CHUNK });
      // What changed meanwhile is newer than the page in hand.
      for (const record of records) if (!this.#changed.has(record.agent_url)) this.#index.put(record);
      if (records.length < CHUNK) break;
      at = next;
      await yieldToEventLoop();
    }
    this.#isRead = true;
    this.#changed.clear();
  }
}

/** A result of the search, with the members beside it that public clients read. */
type AgentResult = Readonly<Record<string, unknown>> & { readonly agent_url: string };

/** A page of results. */
type AgentResults = {
  readonly results: readonly AgentResult[];
  readonly cursor: string | null;
  readonly has_more: boolean;
};

/**
 * Searches agents by what they sell, among those that may be shown. Throws invalid_request for a cursor that this search did not return.
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
  const results: Ranked<AgentRecord>[] = [];
  let after = cursor === undefined ? undefined : decodeCursor(cursor);
  while (results.length <= limit) {
    const candidates = index.search(query, limit + 1, after, isOfType);
    for (const one of candidates) if (await mayShow(one.item)) results.push(one);
    const last = candidates.at(-1);
    if (last === undefined || candidates.length <= limit) break;
    after = { score: last.score, agentUrl: last.item.agent_url };
  }
  const matched = askedDimensions(query);
  const page = results.slice(0, limit);
  const last = page.at(-1);
  const hasMore = results.length > limit;
  return {
    results: page.map(({ item, score }) => agentResult(item, score, matched)),
    cursor: hasMore && last !== undefined ? encodeCursor({ score: last.score, agentUrl: last.item.agent_url }) : null,
    has_more: hasMore,
  };
}

function agentResult(agent: AgentRecord, score: number, matched: readonly string[]): AgentResult {
  const { agent_url, badges, category_taxonomy, compliance, created_at, format_ids, has_tmp, name } = agent;
  const { property_count, publisher_count } = agent;
  const profile = {
    ...Object.fromEntries(PROFILE_DIMENSIONS.map((dimension) => [dimension, agent[dimension] ?? []])),
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
    created_at,
    updated_at: agent.updated_at ?? created_at ?? new Date(0).toISOString(),
    url: agent_url,
    name: name ?? agent_url,
    type: agent.type,
    inventory_profile: profile,
    match: { score, matched_filters: matched },
    compliance,
    compliance_summary: compliance,
    badges,
  };
}

function encodeCursor({ agentUrl, score }: RankedProfile): string {
  return Buffer.from(`${score}:${agentUrl}`).toString('base64url');
}

function decodeCursor(cursor: string): RankedProfile {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [score, agentUrl] = /^(\d+(?:\.\d+)?(?:e-\d+)?):(.+)$/s.exec(text)?.slice(1) ?? [];
  const position = { score: Number(score), agentUrl: agentUrl ?? '' };
  if (agentUrl !== undefined && Number.isFinite(position.score) && encodeCursor(position) === cursor) return position;
  throw new RegistryProblem('invalid_request', 'cursor: is none that this search returned', {
    field: 'cursor',
    suggestion: 'Send the cursor of the previous page exactly as it came, or leave it out.',
  });
}
