import { type Clock, isoTime, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { Log } from '../../../platform/kernel/log.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import { outboundUntil } from '../../../platform/net/outbound.js';
import { createRegistryClient, type RegistryClient } from '../../client/client.js';
import { type Backoff, createBackoff } from '../../mirror/backoff.js';
import type { RegistryIndex } from '../../mirror/lookup/registry-index.js';
import { type Mirror, openMirror } from '../../mirror/mirror.js';
import { describeReadFault, isNotOffered, isTooLarge, retryAfterOf, statusOf } from '../../mirror/source.js';
import type { ServerStore } from '../store/server-store.js';
import { applyPage, readReplicaPage } from './apply.js';
import { readCursor } from './cursor.js';
import { type MirrorState, saveMirror } from './epoch.js';
import type { Scope } from './scope.js';

/** The parts of a registry that replication uses. */
export type ReplicationParts = {
  readonly store: ServerStore;
  readonly index: RegistryIndex;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly outbound: Pick<Outbound, 'fetch'>;
};

/** How a mirror does. */
export type ReplicaLag = {
  /** Of the primary. */
  readonly url: string;
  /** `feed`: the registry offers its feed alone, and the mirror has no brands, members and entries of it. */
  readonly scope: Scope | 'feed';
  readonly state: 'beginning' | 'following';
  /** The epoch that is followed. */
  readonly term: number | null;
  /** When the mirror last had all that the primary had. */
  readonly synced_at: string | null;
  /** Milliseconds since then; null before it ever had. */
  readonly lag_ms: number | null;
  /** Rounds in a row that failed, and why the last one did. */
  readonly failures: number;
  readonly last_error: string | null;
  /** The status with which the primary refused the last round; null where none did. */
  readonly last_status: number | null;
};

/** Rows and events of a page. */
const ROWS_OF_A_PAGE = 500;
/** How long a page may wait at the primary, and how long one following takes until its caller has another look. */
const WAIT_SECONDS = 10;
const ROUND_MS = 20 * SECOND_MS;
/** Between two tries of a primary that fails: more after each, see `createBackoff`. */
const EVERY_MS = SECOND_MS;

/** Reads a primary's rows and feed into the store of a mirror: all of it first, then what happens, as it happens. */
export class Follower {
  readonly #parts: ReplicationParts;
  readonly #client: RegistryClient;
  readonly #closing = new AbortController();
  readonly #backoff: Backoff;
  #state: MirrorState;
  #lastError: string | null = null;
  #lastStatus: number | null = null;
  #round: Promise<boolean> | undefined;
  /** The mirror of a registry that offers its feed alone. */
  #feed: Mirror | undefined;

  private constructor(parts: ReplicationParts, state: MirrorState, token: string | undefined) {
    const { clock, ids, outbound } = parts;
    this.#parts = parts;
    this.#state = state;
    // A page that waits is given up when the mirror is closed.
    const ending = outboundUntil(outbound, this.#closing.signal);
    this.#client = createRegistryClient({ url: state.url, token, outbound: ending, clock, longestWaitMs: 0 });
    this.#backoff = createBackoff(EVERY_MS, () => Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32);
  }

  /** Opens the follower of a registry, which goes on where its store stands. */
  static async open(parts: ReplicationParts, state: MirrorState, token: string | undefined): Promise<Follower> {
    const follower = new Follower(parts, state, token);
    await parts.store.transact((tx) => saveMirror(tx, state));
    return follower;
  }

  /** Whether all of the primary was read once. */
  get isWhole(): boolean {
    return this.#feed === undefined ? this.#state.isWhole : this.#feed.lag().state === 'following';
  }

  lag(): ReplicaLag {
    const { epoch, scope, syncedAt, url } = this.#state;
    const feed = this.#feed?.lag();
    const atMs = feed === undefined ? syncedAt : Date.parse(feed.synced_at ?? '') || 0;
    return {
      url,
      scope: feed === undefined ? scope : 'feed',
      state: this.isWhole ? 'following' : 'beginning',
      term: epoch?.term ?? null,
      synced_at: atMs === 0 ? null : isoTime(atMs),
      lag_ms: atMs === 0 ? null : Math.max(0, this.#parts.clock.now() - atMs),
      failures: feed?.failures ?? this.#backoff.failures(),
      last_error: feed === undefined ? this.#lastError : feed.last_error,
      last_status: feed === undefined ? this.#lastStatus : null,
    };
  }

  /** Reads to the end of what the primary has by now. */
  async catchUp(): Promise<void> {
    await this.#round;
    while (await this.#run(0));
    await this.#feed?.tick('now');
  }

  /** Follows for a while: at once as long as the primary has more, else where a round is due. */
  async follow(): Promise<void> {
    const { clock } = this.#parts;
    const until = clock.now() + ROUND_MS;
    let hasMore = false;
    while (!this.#closing.signal.aborted && clock.now() < until) {
      if (this.#feed !== undefined) return await this.#feed.tick();
      if (!hasMore && clock.now() < this.#backoff.dueAt()) return;
      // Before it ever had all of it, a mirror does not know whether it is behind.
      hasMore = await this.#run(this.#state.syncedAt === 0 ? 0 : WAIT_SECONDS);
    }
  }

  /** Gives up what is waited for; nothing more is read. */
  stop(): void {
    this.#closing.abort();
  }

  /** Gives up what is waited for, and waits for what is being written. */
  async close(): Promise<void> {
    this.stop();
    await this.#round;
    await this.#feed?.close();
  }

  /** Reads a page, and returns whether there is more at once. A failure shows in the lag. */
  async #run(waitSeconds: number): Promise<boolean> {
    if (this.#feed !== undefined || this.#closing.signal.aborted) return false;
    this.#round ??= this.#readPage(waitSeconds).finally(() => {
      this.#round = undefined;
    });
    return await this.#round;
  }

  async #readPage(waitSeconds: number): Promise<boolean> {
    const { clock, log } = this.#parts;
    try {
      const hasMore = await this.#readNext(waitSeconds);
      this.#lastError = null;
      this.#lastStatus = null;
      this.#backoff.succeeded(clock.now());
      return hasMore;
    } catch (error) {
      if (this.#closing.signal.aborted) return false;
      if (isNotOffered(error)) return await this.#followFeed();
      if (statusOf(error) === 410 && this.#state.cursor !== '') {
        log.warn(
          { primary: this.#state.url },
          'the primary does not know where this mirror stands: all of it is read again',
        );
        this.#state = { ...this.#state, cursor: '' };
        return true;
      }
      this.#lastError = error instanceof Error ? error.message : String(error);
      this.#lastStatus = statusOf(error) || null;
      log.warn(
        { ...describeReadFault(error), primary: this.#state.url },
        'the primary could not be read; it is tried again',
      );
      this.#backoff.failed(clock.now(), retryAfterOf(error));
      return false;
    }
  }

  async #readNext(waitSeconds: number): Promise<boolean> {
    const { clock, store } = this.#parts;
    const answer = await this.#ask(waitSeconds);
    const epoch = readEpoch(answer.epoch);
    const term = this.#state.epoch?.term ?? 0;
    if (epoch.term < term)
      throw new Error(
        `the registry there is an older primary, of term ${epoch.term}: this mirror has followed term ${term}`,
      );
    const { cursor } = answer;
    const position = typeof cursor === 'string' ? readCursor(cursor) : undefined;
    if (position === undefined) throw new Error('the primary sent no cursor');
    const hasMore = answer.has_more === true;
    const next: MirrorState = {
      ...this.#state,
      cursor: String(cursor),
      epoch,
      isWhole: this.#state.isWhole || position.beginning === undefined,
      syncedAt: hasMore ? this.#state.syncedAt : clock.now(),
    };
    const page = readReplicaPage(answer);
    const isNews = next.cursor !== this.#state.cursor || page.rows.length + page.events.length > 0;
    if (isNews) await applyPage(store, page, next);
    this.#state = next;
    return hasMore;
  }

  /** Asks for the next page; one that is too large is asked for in smaller ones. */
  async #ask(wait: number): Promise<Readonly<Record<string, unknown>>> {
    const { cursor, scope } = this.#state;
    for (let limit = ROWS_OF_A_PAGE; ; limit = Math.floor(limit / 10)) {
      try {
        return await this.#client.replica({ cursor: cursor === '' ? undefined : cursor, scope, limit, wait });
      } catch (error) {
        if (limit < 10 || !isTooLarge(error)) throw error;
      }
    }
  }

  /** Follows the feed of a primary that offers no rows, as of any registry of the protocol. */
  async #followFeed(): Promise<boolean> {
    const { clock, ids, index, log, store } = this.#parts;
    this.#feed = await openMirror({ store, source: this.#client, clock, ids, log, index });
    this.#feed.start();
    return false;
  }
}

function readEpoch(epoch: unknown): NonNullable<MirrorState['epoch']> {
  const { id, term } = isObject(epoch) ? epoch : {};
  if (typeof id !== 'string' || typeof term !== 'number')
    throw new Error('the primary does not say which epoch it is of');
  return { id, term };
}
