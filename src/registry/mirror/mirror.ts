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
import { type Backoff, createBackoff } from './backoff.js';
import { type BootstrapStep, bootstrap } from './bootstrap.js';
import type { Answer, IndexedProperty } from './lookup/answer.js';
import type { IndexQuestion } from './lookup/question.js';
import { type IndexStats, openRegistryIndex, type RegistryIndex } from './lookup/registry-index.js';
import { createOriginKeys, type OriginKeys } from './origin-keys.js';
import { type EventCounts, noEvents, pollFeed } from './poll.js';
import { viewsInstead } from './publisher-view.js';
import {
  describeReadFault,
  type FeedSource,
  isNotOffered,
  type OriginReader,
  retryAfterOf,
  statusOf,
} from './source.js';

/** Options of `openMirror`. */
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
  /** The index of the store, where it is open already; the mirror's own unless given. */
  readonly index?: RegistryIndex;
  /** Reads a publisher's own file, for the keys that it pins; without it, no key is known. */
  readonly readOrigin?: OriginReader;
};

/** State of a mirror, and how far it is behind the feed. */
export type MirrorLag = {
  readonly registry: string;
  /** `empty`: nothing was read yet; `reading`: all of it is being read; `following`: the feed is. */
  readonly state: 'empty' | 'reading' | 'following';
  /** Progress of the reading of all records; null while none is going on. */
  readonly reading: BootstrapStep | null;
  readonly cursor: string;
  /** When the end of the feed was last reached. */
  readonly synced_at: string | null;
  /** Milliseconds since `synced_at`; null before the end was ever reached. */
  readonly lag_ms: number | null;
  readonly is_stale: boolean;
  /** Rounds in a row that failed, and why the last one did. */
  readonly failures: number;
  readonly last_error: string | null;
  readonly rebuilds: number;
  readonly events: EventCounts;
};

/** A local copy of a registry's records that follows its feed and answers in microseconds. Its members may be passed on detached. */
export type Mirror = {
  /** Polls from now on, until `close`. */
  readonly start: () => void;
  /** Runs one round when one is due; `now` makes it due. A failure shows in `lag` and the round is tried again later. */
  readonly tick: (now?: 'now') => Promise<void>;
  /** Answers whether an agent is authorized; never (`snapshot_stale`) while the snapshot is too old. */
  readonly isAuthorized: (question: IndexQuestion) => Pick<Answer, 'authorized' | 'reason'>;
  /** Returns the decision with every step; undefined while the snapshot is too old. */
  readonly explain: (question: IndexQuestion) => Decision | undefined;
  /** Returns the properties with an identifier. */
  readonly identifier: (type: string, value: string) => readonly IndexedProperty[];
  /** Returns a publisher's file as derived from the records; undefined when none counts, or the snapshot is too old. */
  readonly effective: (domain: string) => EffectiveAdagents | undefined;
  readonly agent: (
    url: string,
  ) => Promise<{ readonly record?: AgentRecord; readonly domains: readonly string[] } | undefined>;
  readonly publisher: (
    domain: string,
  ) => Promise<{ readonly record: PublisherRecord; readonly agents: readonly string[] } | undefined>;
  readonly domainsOf: (agentUrl: string) => readonly string[];
  readonly brand: (domain: string) => Promise<BrandRecord | undefined>;
  /** Returns the keys that a publisher pins for an agent in its own file; keys that only events name are hearsay. */
  readonly keysOf: OriginKeys;
  /** The index that answers come from, for a process that serves it; unlike the mirror it does not close with staleness. */
  readonly index: RegistryIndex;
  readonly lag: () => MirrorLag;
  readonly stats: () => IndexStats;
  /** Stops polling, waits for the round in hand and closes the index. The store stays open. */
  readonly close: () => Promise<void>;
};

/** Milliseconds between two polls unless the options say otherwise. */
const USUAL_EVERY_MS = 30 * SECOND_MS;
/** Milliseconds between two checks whether a round is due. */
const LOOK_EVERY_MS = SECOND_MS;

/** Opens a mirror on its store, which answers as it did before it was closed. */
export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  const { source, store } = options;
  const index = options.index ?? (await openRegistryIndex(store));
  const cursor = await store.read.events.cursorOf(source.url);
  return new FeedMirror(options, index, cursor ?? { cursor: '', syncedAt: 0, basis: 'none' });
}

type FeedStream = ReturnType<NonNullable<FeedSource['listen']>>;

/** Follows the feed of a registry and answers from an index. Public members are bound, for callers that detach them. */
class FeedMirror implements Mirror {
  readonly index: RegistryIndex;
  readonly keysOf: OriginKeys;
  readonly #store: RegistryStore;
  readonly #source: FeedSource;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #maxStalenessMs: number;
  readonly #backoff: Backoff;
  readonly #events = noEvents();
  #feedCursor: FeedCursor;
  #state: MirrorLag['state'];
  #progress: BootstrapStep | null = null;
  #lastError: string | null = null;
  #rebuilds = 0;
  #round: Promise<void> | undefined;
  #loop: Loop | undefined;
  #stream: FeedStream | undefined;
  /** Whether the source offers no stream. */
  #isStreamless = false;
  /** More is to be read as soon as the round in hand is over. */
  #hasMore = false;

  constructor(options: MirrorOptions, index: RegistryIndex, feedCursor: FeedCursor) {
    const { clock, ids, log, maxStalenessMs = HOUR_MS, readOrigin = async () => undefined, source, store } = options;
    const { everyMs = USUAL_EVERY_MS } = options;
    this.index = index;
    this.keysOf = createOriginKeys(readOrigin, clock);
    this.#store = store;
    this.#source = source;
    this.#clock = clock;
    this.#log = log;
    this.#maxStalenessMs = maxStalenessMs;
    this.#backoff = createBackoff(everyMs, () => Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32);
    this.#feedCursor = feedCursor;
    this.#state = feedCursor.basis === 'none' ? 'empty' : 'following';
  }

  readonly start: Mirror['start'] = () => {
    this.#loop ??= startLoop('registry mirror', LOOK_EVERY_MS, this.#log, this.tick);
  };

  readonly tick: Mirror['tick'] = async (now) => {
    if (now === undefined && this.#clock.now() < this.#backoff.dueAt()) return;
    this.#round ??= this.#runRound().finally(() => {
      this.#round = undefined;
    });
    await this.#round;
  };

  readonly isAuthorized: Mirror['isAuthorized'] = (question) =>
    this.#isStale() ? { authorized: false, reason: 'snapshot_stale' } : this.index.isAuthorized(question);

  readonly explain: Mirror['explain'] = (question) => (this.#isStale() ? undefined : this.index.explain(question));

  readonly identifier: Mirror['identifier'] = (type, value) => this.index.identifier(type, value);

  readonly effective: Mirror['effective'] = (domain) => (this.#isStale() ? undefined : this.index.effective(domain));

  readonly agent: Mirror['agent'] = async (url) => {
    const record = await this.#store.read.agent.find(canonicalAgentUrl(url) ?? url);
    const domains = this.index.domainsOf(url);
    if (record !== undefined) return { record, domains };
    return domains.length === 0 ? undefined : { domains };
  };

  readonly publisher: Mirror['publisher'] = async (domain) => {
    const indexed = this.index.publisher(domain);
    const record = indexed && (await this.#store.read.publisher.find(indexed.domain));
    return record && { record, agents: this.index.agentsOf(record.domain) };
  };

  readonly domainsOf: Mirror['domainsOf'] = (agentUrl) => this.index.domainsOf(agentUrl);

  readonly brand: Mirror['brand'] = (domain) => this.#store.read.brand.find(domain);

  readonly lag: Mirror['lag'] = () => {
    const { cursor, syncedAt } = this.#feedCursor;
    return {
      registry: this.#source.url,
      state: this.#state,
      reading: this.#progress,
      cursor,
      synced_at: syncedAt === 0 ? null : isoTime(syncedAt),
      lag_ms: syncedAt === 0 ? null : Math.max(0, this.#clock.now() - syncedAt),
      is_stale: this.#isStale(),
      failures: this.#backoff.failures(),
      last_error: this.#lastError,
      rebuilds: this.#rebuilds,
      events: { ...this.#events },
    };
  };

  readonly stats: Mirror['stats'] = () => this.index.stats();

  readonly close: Mirror['close'] = async () => {
    await this.#loop?.stop();
    this.#loop = undefined;
    this.#stream?.stop();
    await this.#round;
    await this.index.close();
  };

  #isStale(): boolean {
    const { basis, syncedAt } = this.#feedCursor;
    return basis === 'none' || this.#clock.now() - syncedAt > this.#maxStalenessMs;
  }

  /** Runs one round and schedules the next. A failure is logged and shows in `lag`. */
  async #runRound(): Promise<void> {
    this.#hasMore = false;
    try {
      await this.#syncFeed();
      this.#lastError = null;
      this.#backoff.succeeded(this.#clock.now());
      if (this.#hasMore) this.#backoff.hurry();
      this.#openStream();
    } catch (error) {
      this.#lastError = error instanceof Error ? error.message : String(error);
      this.#log.warn(
        { ...describeReadFault(error), registry: this.#source.url },
        'the registry could not be read; it is tried again',
      );
      this.#backoff.failed(this.#clock.now(), retryAfterOf(error));
    }
  }

  /**
   * Reads the feed on from the cursor. Reads all records before that when there are none, when their last reading broke off, and when
   * the cursor has expired (410).
   */
  async #syncFeed(): Promise<void> {
    this.#feedCursor = (await this.#store.read.events.cursorOf(this.#source.url)) ?? this.#feedCursor;
    if (this.#feedCursor.basis === 'none' || this.#state === 'reading') await this.#bootstrapRecords();
    try {
      await this.#followFeed();
    } catch (error) {
      if (statusOf(error) !== 410) throw error;
      await this.#bootstrapRecords();
      await this.#followFeed();
    }
  }

  /** Reads all records anew. Answers meanwhile come from the index as it was before. */
  async #bootstrapRecords(): Promise<void> {
    this.index.freeze();
    this.#state = 'reading';
    const { basis, cursor } = await bootstrap({
      store: this.#store,
      source: this.#source,
      nowMs: this.#clock.now(),
      progress: (step) => {
        this.#progress = step;
      },
    });
    // The rows are consistent again, but the feed from `cursor` on is still unread: `syncedAt` does not move.
    await this.#saveFeedCursor({ cursor, basis, syncedAt: this.#feedCursor.syncedAt });
    await this.index.rebuild();
    this.#rebuilds += 1;
    this.#progress = null;
    this.#state = 'following';
  }

  /** Folds the events after the cursor, to the end of the feed or for as many pages as a round may read. */
  async #followFeed(): Promise<void> {
    const nowMs = this.#clock.now();
    const { basis, cursor: after } = this.#feedCursor;
    const { cursor, isAtEnd } = await pollFeed(after, {
      store: this.#store,
      source: this.#source,
      nowMs,
      counts: this.#events,
      divert: basis === 'publishers' ? viewsInstead(this.#source, isoTime(nowMs)) : undefined,
    });
    if (isAtEnd) await this.#saveFeedCursor({ ...this.#feedCursor, cursor, syncedAt: nowMs });
    else this.#feedCursor = { ...this.#feedCursor, cursor };
    this.#hasMore ||= !isAtEnd;
  }

  async #saveFeedCursor(next: FeedCursor): Promise<void> {
    await this.#store.transact((tx) => tx.events.saveCursor(this.#source.url, next));
    this.#feedCursor = next;
  }

  /** Opens a stream that only signals when to poll: records come from the feed alone. Without a stream, polling goes on by itself. */
  #openStream(): void {
    if (this.#loop === undefined || this.#stream !== undefined || this.#isStreamless) return;
    const opened = this.#source.listen?.(this.#feedCursor.cursor, () => {
      this.#hasMore = true;
      this.#backoff.hurry();
    });
    if (opened === undefined) return;
    this.#stream = opened;
    void opened.done
      .catch((error: unknown) => {
        this.#isStreamless = isNotOffered(error);
      })
      .finally(() => {
        this.#stream = undefined;
      });
  }
}
