import type { Reading, Writing } from '../../../../platform/database/engine.js';
import { sha256Hex } from '../../../../platform/kernel/canonical.js';
import { SECOND_MS } from '../../../../platform/kernel/clock.js';
import type { SealedColumns } from '../../sealing/sealed.js';
import type {
  AttemptRecord,
  ClaimedEvent,
  ClaimKind,
  DroppedEvent,
  DueEndpoint,
  NewEvent,
  SettledEvent,
} from './rows.js';
import type { OutboxStatements } from './statements.js';

type Sealed = Pick<SealedColumns, 'channels' | 'bodies'>;

/** Which events are claimed, by whom, and for how long. */
type Claiming = {
  readonly endpoints: readonly string[];
  readonly kind: ClaimKind;
  /** A new name. */
  readonly claim: string;
  readonly nowMs: number;
  /** When others may have them. */
  readonly leaseMs: number;
  /** Of each endpoint. */
  readonly limit: number;
};

/** Which events of an endpoint are made due. */
type Hurrying = {
  readonly endpoint: string;
  readonly nowMs: number;
  /** The last that was. */
  readonly after: number;
  readonly limit: number;
};

/** By how much the clocks of processes may differ without changing the order of a buy's events. */
const MAX_SKEW_MS = 2 * SECOND_MS;

/** Reads the queue of outgoing events. */
export class OutboxReader {
  readonly #tx: Reading;
  readonly #statements: OutboxStatements;

  constructor(tx: Reading, statements: OutboxStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns some hundred endpoints that follow another one, each with its earliest event; none after the last. */
  dueAfter(endpoint: string): Promise<readonly DueEndpoint[]> {
    return this.#tx.all(this.#statements.dueAfter, { endpoint });
  }

  /** Returns when the earliest unclaimed event of each endpoint is due; null where none waits. */
  nextDue(endpoints: readonly string[]): Promise<readonly { endpoint: string; next_attempt_at: number | null }[]> {
    return this.#tx.all(this.#statements.nextDue, { endpoints: this.#statements.bindList(endpoints) });
  }

  /** Returns the endpoints with events that were never tried in their whole time, and how many. */
  overdue(now: number): Promise<readonly { endpoint: string; count: number }[]> {
    return this.#tx.all(this.#statements.overdue, { now, none: 0 });
  }

  /** Returns the revision of the buy that an event tells of; 0 once it is not to be tried again, undefined where it tells of none. */
  async findRevision(seq: number): Promise<number | undefined> {
    return (await this.#tx.one(this.#statements.revision, { seq }))?.revision ?? undefined;
  }

  /** Whether the receiver has called this channel gone while it had this URL. */
  async isPaused(channel: string, url: string): Promise<boolean> {
    return (await this.#tx.one(this.#statements.paused, pauseKey(channel, url))) !== undefined;
  }
}

/** Reads and writes the queue of outgoing events in one transaction. */
export class OutboxWriter extends OutboxReader {
  readonly #tx: Writing;
  readonly #statements: OutboxStatements;
  readonly #sealed: Sealed;

  constructor(tx: Writing, statements: OutboxStatements, sealed: Sealed) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  async add(event: NewEvent): Promise<void> {
    this.#tx.write(this.#statements.add, {
      // First: a copy that members are added to takes V8 ten times as long (bench row "webhooks").
      size_bytes: Buffer.byteLength(event.body),
      state: 'pending',
      none: 0,
      ...event,
      channel: this.#sealed.channels.write(event.channel),
    });
    this.#tx.write(this.#statements.addBody, {
      key: event.idempotency_key,
      body: this.#sealed.bodies.write(event.body),
    });
  }

  /** Returns the key of an unclaimed event that one with this merge key replaces; undefined when there is none. */
  async findMergeable(merge_key: string): Promise<string | undefined> {
    return (await this.#tx.one(this.#statements.mergeable, { merge_key }))?.idempotency_key;
  }

  /** Gives an unclaimed event another text, and makes it due at `dueMs` at the latest. */
  async rewrite(key: string, body: string, dueMs: number): Promise<void> {
    const resized = { key, size_bytes: Buffer.byteLength(body), due: dueMs };
    const isUntried = (await this.#tx.run(this.#statements.resize, resized)) === 1;
    if (isUntried) this.#tx.write(this.#statements.rewrite, { key, body: this.#sealed.bodies.write(body) });
  }

  /**
   * Drops the events that tell where a buy stands and are not delivered; returns those that nobody has, the oldest first. One that
   * somebody has is not tried again after that.
   */
  async dropState(media_buy_id: string, now: number, reason: string): Promise<readonly DroppedEvent[]> {
    const rows = await this.#tx.all(this.#statements.tellsState, { media_buy_id });
    const waiting = rows.filter(({ claimed_at }) => claimed_at === null);
    const claimed = rows.filter(({ claimed_at }) => claimed_at !== null);
    for (const { seq } of claimed) this.#tx.write(this.#statements.outdate, { seq, none: 0 });
    for (const { seq } of waiting) this.#tx.write(this.#statements.drop, { seq, now, state: 'dropped', reason });
    return waiting.map(({ body, merge_key, next_attempt_at }) => ({
      body: this.#sealed.bodies.read(body),
      gathers_until: merge_key === null ? undefined : next_attempt_at,
    }));
  }

  /** Returns the bodies of the coalescing events of a buy and a type, the oldest first. */
  async gathering(media_buy_id: string, type: string): Promise<readonly string[]> {
    const rows = await this.#tx.all(this.#statements.gathering, { media_buy_id, type });
    return rows.map(({ body }) => this.#sealed.bodies.read(body));
  }

  /** Makes coalescing events of a buy due at once; returns their endpoints. */
  async flush(media_buy_id: string, now: number): Promise<readonly string[]> {
    const rows = await this.#tx.all(this.#statements.coalescing, { media_buy_id });
    if (rows.length > 0) this.#tx.write(this.#statements.flush, { media_buy_id, now });
    return rows.map((row) => row.endpoint);
  }

  /**
   * Takes events of endpoints that nobody has, in the order in which they are due. The claim is in the store before anything is posted,
   * and with it when the event was first tried.
   */
  async claim({ claim, endpoints, kind, leaseMs, limit, nowMs }: Claiming): Promise<ClaimedEvent[]> {
    const lanes = this.#statements.bindList(endpoints);
    const params = { endpoints: lanes, claim, now: nowMs, soon: nowMs + MAX_SKEW_MS, lease: leaseMs, limit };
    const rows = await this.#tx.all(this.#statements.claim[kind], params);
    if (rows.length === 0) return [];
    // After the rows are ours: a text may have been rewritten until then.
    const seqs = this.#statements.bindList(rows.map(({ seq }) => seq));
    const bodies = new Map(
      (await this.#tx.all(this.#statements.bodies, { seqs })).map((row) => [row.event_seq, row.body]),
    );
    const channels = new Map<string, string>();
    return rows
      .sort((a, b) => a.next_attempt_at - b.next_attempt_at || a.seq - b.seq)
      .map((row) => {
        // Many events of one claim have one registration.
        const channel = channels.get(row.channel) ?? this.#sealed.channels.read(row.channel);
        channels.set(row.channel, channel);
        return Object.assign(row, { channel, body: this.#sealed.bodies.read(bodies.get(row.seq) ?? '') });
      });
  }

  /** Stores the result of a claimed event; returns false, and stores nothing, where another process has claimed it since. */
  async settle(event: SettledEvent): Promise<boolean> {
    return (await this.#tx.run(this.#statements.settle, event)) === 1;
  }

  async record(attempt: AttemptRecord): Promise<void> {
    this.#tx.write(this.#statements.record, attempt);
  }

  /** Sends the waiting events of a channel to another endpoint. */
  async readdress(media_buy_id: string, channel: string, endpoint: string): Promise<void> {
    this.#tx.write(this.#statements.readdress, { media_buy_id, channel, endpoint });
  }

  /** Releases the claims of a stopped process; only for the one process that holds the store. */
  async releaseClaims(): Promise<void> {
    await this.#tx.run(this.#statements.releaseClaims, {});
  }

  /** Gives events that were never tried `horizonMs` from now, where nobody could try them: their delay was not the receiver's. */
  async extend(nowMs: number, horizonMs: number): Promise<void> {
    await this.#tx.run(this.#statements.extend, { expires: nowMs + horizonMs });
  }

  /** Makes events due that wait for a later attempt, at most `limit`; returns the last of them, undefined when there are no more. */
  async hurry({ endpoint, nowMs, after, limit }: Hurrying): Promise<number | undefined> {
    const rows = await this.#tx.all(this.#statements.hurry, { endpoint, now: nowMs, after, limit });
    return rows.length === 0 ? undefined : Math.max(...rows.map(({ seq }) => seq));
  }

  /** Gives up events that were tried and expired while they waited, at most `limit`; returns how many. */
  expire(now: number, reason: string, limit: number): Promise<number> {
    return this.#tx.run(this.#statements.expire, { now, state: 'dead', reason, limit });
  }

  /** Makes an event due now, whatever its state, unless it is claimed. */
  async revive(key: string, endpoint: string, now: number, expires: number): Promise<void> {
    this.#tx.write(this.#statements.revive, { key, endpoint, state: 'pending', now, expires });
  }

  /** Returns the next number of a stream of reports, from 1. */
  async nextSequence(stream: string): Promise<number> {
    this.#tx.write(this.#statements.advanceSequence, { stream, first: 1 });
    return (await this.#tx.one(this.#statements.sequence, { stream }))?.last ?? 1;
  }

  /** Pauses a channel, whose receiver has called it gone at this URL. */
  async pause(channel: string, url: string, now: number): Promise<void> {
    this.#tx.write(this.#statements.pause, { ...pauseKey(channel, url), now });
  }
}

/** Channels and addresses hold secrets, and are only compared. */
function pauseKey(channel: string, url: string): { channel: string; url: string } {
  return { channel: sha256Hex(channel), url: sha256Hex(url) };
}
