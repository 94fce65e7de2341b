import { type Clock, HOUR_MS, isoTime, SECOND_MS } from '../../platform/kernel/clock.js';
import type { Ids } from '../../platform/kernel/ids.js';
import type { Log } from '../../platform/kernel/log.js';
import { type Loop, startLoop } from '../../platform/kernel/loop.js';
import type { EffectiveAdagents } from '../adagents/discovery.js';
import type { Decision } from '../authorization/evaluate.js';
import { canonicalAgentUrl } from '../model/agent-url.js';
import type { AgentRecord, BrandRecord, PublisherRecord } from '../model/records.js';
import type { FeedCursor } from '../store/events.js';
import type { RegistryStore } from '../store/registry-store.js';
import { createBackoff } from './backoff.js';
import { type BootstrapStep, bootstrap } from './bootstrap.js';
import type { IndexQuestion } from './lookup/question.js';
import {
  type Answer,
  type IndexedProperty,
  type IndexStats,
  openRegistryIndex,
  type RegistryIndex,
} from './lookup/registry-index.js';
import { createOriginKeys, type OriginKeys } from './origin-keys.js';
import { type EventCounts, noEvents, pollFeed } from './poll.js';
import { viewsInstead } from './publisher-view.js';
import { type FeedSource, isNotOffered, type OriginReader, retryAfterOf, statusOf } from './source.js';

/** What a mirror is made with. */
export type MirrorOptions = {
  /** A store of its own: nobody else writes its records. */
  readonly store: RegistryStore;
  readonly source: FeedSource;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** A snapshot that has not reached the end of the feed for this long answers no more; an hour unless set. */
  readonly maxStalenessMs?: number;
  /** Between two polls; 30 seconds unless set. */
  readonly everyMs?: number;
  /** Reads a publisher's own file, for the keys that it pins; without it, no key is known. */
  readonly readOrigin?: OriginReader;
};

/** How a mirror does. */
export type MirrorLag = {
  readonly registry: string;
  /** `empty`: nothing was read yet; `reading`: all of it is being read; `following`: the feed is. */
  readonly state: 'empty' | 'reading' | 'following';
  /** Where the reading of all of it is. */
  readonly reading: BootstrapStep | null;
  readonly cursor: string;
  /** When the end of the feed was last reached. */
  readonly synced_at: string | null;
  /** Since then; null before. */
  readonly lag_ms: number | null;
  readonly is_stale: boolean;
  /** Rounds in a row that failed, and why the last one did. */
  readonly failures: number;
  readonly last_error: string | null;
  readonly rebuilds: number;
  readonly events: EventCounts;
};

/** A registry's records, kept up to date on this machine, with answers in microseconds. */
export type Mirror = {
  /** Polls from now on, until `close`. */
  readonly start: () => void;
  /** One round when one is due; `now` makes it due. A failure is kept in `lag` and tried again later. */
  readonly tick: (now?: 'now') => Promise<void>;
  /** Closed (`snapshot_stale`) while the snapshot is too old: what cannot be known is a no. */
  readonly isAuthorized: (question: IndexQuestion) => Pick<Answer, 'authorized' | 'reason'>;
  /** The same with every step; undefined while the snapshot is too old. */
  readonly explain: (question: IndexQuestion) => Decision | undefined;
  readonly identifier: (type: string, value: string) => readonly IndexedProperty[];
  /** The file of a publisher as the records tell it; undefined when none counts, or the snapshot is too old. */
  readonly effective: (domain: string) => EffectiveAdagents | undefined;
  readonly agent: (
    url: string,
  ) => Promise<{ readonly record?: AgentRecord; readonly domains: readonly string[] } | undefined>;
  readonly publisher: (
    domain: string,
  ) => Promise<{ readonly record: PublisherRecord; readonly agents: readonly string[] } | undefined>;
  readonly domainsOf: (agentUrl: string) => readonly string[];
  readonly brand: (domain: string) => Promise<BrandRecord | undefined>;
  /** The keys that a publisher pins for an agent, as its own file says now: those that events tell of are hearsay. */
  readonly keysOf: OriginKeys;
  /** What it answers from, for a process that serves it; unlike the mirror it does not close with staleness. */
  readonly index: RegistryIndex;
  readonly lag: () => MirrorLag;
  readonly stats: () => IndexStats;
  /** Waits for the round in hand. The store stays open. */
  readonly close: () => Promise<void>;
};

const USUAL_EVERY_MS = 30 * SECOND_MS;
/** How often it is looked whether a round is due. */
const LOOK_EVERY_MS = SECOND_MS;

/** Opens a mirror on its store, which answers as it did before it was closed. */
export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  const { clock, ids, log, source, store } = options;
  const { everyMs = USUAL_EVERY_MS, maxStalenessMs = HOUR_MS } = options;
  const random = (): number => Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32;
  const events = noEvents();
  const backoff = createBackoff(everyMs, random);
  const index = await openRegistryIndex(store);
  let stand: FeedCursor = (await store.read.events.cursorOf(source.url)) ?? { cursor: '', syncedAt: 0, basis: 'none' };
  let state: MirrorLag['state'] = stand.basis === 'none' ? 'empty' : 'following';
  let reading: BootstrapStep | null = null;
  let lastError: string | null = null;
  let rebuilds = 0;
  let running: Promise<void> | undefined;
  let loop: Loop | undefined;
  let stream: ReturnType<NonNullable<FeedSource['listen']>> | undefined;
  let isStreamless = false;
  /** More is to be read as soon as the round in hand is over. */
  let isMoreThere = false;

  function isStale(): boolean {
    return stand.basis === 'none' || clock.now() - stand.syncedAt > maxStalenessMs;
  }

  async function saveStand(next: FeedCursor): Promise<void> {
    await store.transact((tx) => tx.events.saveCursor(source.url, next));
    stand = next;
  }

  /** Reads everything anew. What answers meanwhile is what was there before. */
  async function readAll(): Promise<void> {
    index.freeze();
    state = 'reading';
    const progress = (step: BootstrapStep): void => {
      reading = step;
    };
    const { basis, cursor } = await bootstrap({ store, source, nowMs: clock.now(), progress });
    // The rows are of one piece again, and older than the feed is by what it tells from here on.
    await saveStand({ cursor, basis, syncedAt: stand.syncedAt });
    await index.rebuild();
    rebuilds += 1;
    reading = null;
    state = 'following';
  }

  async function follow(): Promise<void> {
    const nowMs = clock.now();
    const { cursor, isAtEnd } = await pollFeed(stand.cursor, {
      store,
      source,
      nowMs,
      counts: events,
      ...(stand.basis === 'publishers' && { divert: viewsInstead(source, isoTime(nowMs)) }),
    });
    if (isAtEnd) await saveStand({ ...stand, cursor, syncedAt: nowMs });
    else stand = { ...stand, cursor };
    isMoreThere ||= !isAtEnd;
  }

  async function round(): Promise<void> {
    isMoreThere = false;
    try {
      stand = (await store.read.events.cursorOf(source.url)) ?? stand;
      if (stand.basis === 'none' || state === 'reading') await readAll();
      try {
        await follow();
      } catch (error) {
        if (statusOf(error) !== 410) throw error;
        await readAll();
        await follow();
      }
      lastError = null;
      backoff.succeeded(clock.now());
      if (isMoreThere) backoff.hurry();
      listen();
    } catch (error) {
      lastError = error instanceof Error ? error.message : String(error);
      log.warn({ err: error, registry: source.url }, 'the registry could not be read; it is tried again');
      backoff.failed(clock.now(), retryAfterOf(error));
    }
  }

  /** A stream only says that there is something to poll for; what counts is the feed. Without one, polling goes on by itself. */
  function listen(): void {
    if (loop === undefined || stream !== undefined || isStreamless || source.listen === undefined) return;
    const opened = source.listen(stand.cursor, () => {
      isMoreThere = true;
      backoff.hurry();
    });
    stream = opened;
    void opened.done
      .catch((error: unknown) => {
        isStreamless = isNotOffered(error);
      })
      .finally(() => {
        stream = undefined;
      });
  }

  async function tick(now?: 'now'): Promise<void> {
    if (now === undefined && clock.now() < backoff.dueAt()) return;
    running ??= round().finally(() => {
      running = undefined;
    });
    await running;
  }

  return {
    start: () => {
      loop ??= startLoop('registry mirror', LOOK_EVERY_MS, log, tick);
    },
    tick,
    isAuthorized: (question) =>
      isStale() ? { authorized: false, reason: 'snapshot_stale' } : index.isAuthorized(question),
    explain: (question) => (isStale() ? undefined : index.explain(question)),
    identifier: (type, value) => index.identifier(type, value),
    effective: (domain) => (isStale() ? undefined : index.effective(domain)),
    agent: async (url) => {
      const record = await store.read.agent.find(canonicalAgentUrl(url) ?? url);
      const domains = index.domainsOf(url);
      if (record === undefined && domains.length === 0) return undefined;
      return { ...(record === undefined ? {} : { record }), domains };
    },
    publisher: async (text) => {
      const known = index.publisher(text);
      const record = known && (await store.read.publisher.find(known.domain));
      return record && { record, agents: index.agentsOf(record.domain) };
    },
    domainsOf: (agentUrl) => index.domainsOf(agentUrl),
    brand: (domain) => store.read.brand.find(domain),
    keysOf: createOriginKeys(options.readOrigin ?? (async () => undefined), clock),
    index,
    lag: () => ({
      registry: source.url,
      state,
      reading,
      cursor: stand.cursor,
      synced_at: stand.syncedAt === 0 ? null : isoTime(stand.syncedAt),
      lag_ms: stand.syncedAt === 0 ? null : Math.max(0, clock.now() - stand.syncedAt),
      is_stale: isStale(),
      failures: backoff.failures(),
      last_error: lastError,
      rebuilds,
      events: { ...events },
    }),
    stats: () => index.stats(),
    close: async () => {
      await loop?.stop();
      loop = undefined;
      stream?.stop();
      await running;
      await index.close();
    },
  };
}
