import type { Reading, Writing } from '../../../platform/database/engine.js';
import type { AttemptRecord, ClaimedEvent, NewEvent, SettledEvent } from './outbox-rows.js';
import type { OutboxStatements } from './outbox-statements.js';

/** The endpoint of waiting events, and when the earliest is due (ms). */
export type DueEndpoint = { readonly endpoint: string; readonly next_attempt_at: number };

/** Reads the queue of outgoing events. */
export class OutboxReader {
  readonly #tx: Reading;
  readonly #statements: OutboxStatements;

  constructor(tx: Reading, statements: OutboxStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns per endpoint when its earliest event is due. */
  due(): Promise<readonly DueEndpoint[]> {
    return this.#tx.all(this.#statements.due, {});
  }

  /** Returns when the earliest unclaimed event of an endpoint is due; undefined when none waits. */
  async nextDue(endpoint: string): Promise<number | undefined> {
    return (await this.#tx.one(this.#statements.nextDue, { endpoint }))?.next_attempt_at;
  }

  /** Whether the receiver has called this channel gone while it had this URL. */
  async isPaused(channel: string, url: string): Promise<boolean> {
    return (await this.#tx.one(this.#statements.paused, { channel, url })) !== undefined;
  }
}

/** Reads and writes the queue of outgoing events in one transaction. */
export class OutboxWriter extends OutboxReader {
  readonly #tx: Writing;
  readonly #statements: OutboxStatements;

  constructor(tx: Writing, statements: OutboxStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  async add(event: NewEvent): Promise<void> {
    const size_bytes = Buffer.byteLength(event.body);
    await this.#tx.run(this.#statements.add, { ...event, size_bytes, state: 'pending', none: 0 });
    await this.#tx.run(this.#statements.addBody, { key: event.idempotency_key, body: event.body });
  }

  /** Returns the key of an unclaimed event that one with this merge key replaces; undefined when there is none. */
  async findMergeable(merge_key: string): Promise<string | undefined> {
    return (await this.#tx.one(this.#statements.mergeable, { merge_key }))?.idempotency_key;
  }

  /** Gives an unclaimed event another text. */
  async rewrite(key: string, body: string): Promise<void> {
    const isUntried = (await this.#tx.run(this.#statements.resize, { key, size_bytes: Buffer.byteLength(body) })) === 1;
    if (isUntried) await this.#tx.run(this.#statements.rewrite, { key, body });
  }

  /** Makes coalescing events of a buy due at once; returns their endpoints. */
  async flush(media_buy_id: string, now: number): Promise<readonly string[]> {
    const rows = await this.#tx.all(this.#statements.coalescing, { media_buy_id });
    if (rows.length > 0) await this.#tx.run(this.#statements.flush, { media_buy_id, now });
    return rows.map((row) => row.endpoint);
  }

  /**
   * Takes the earliest due events of an endpoint that nobody has claimed since `lapsed`, in the order in which they are due. The
   * claim is in the store before anything is posted, and with it when the event was first tried.
   */
  async claim(endpoint: string, now: number, lapsed: number, limit: number): Promise<ClaimedEvent[]> {
    const params = { endpoint, now, lapsed, limit };
    const rows = await this.#tx.all(this.#statements.claimable, params);
    if (rows.length > 0) await this.#tx.run(this.#statements.claim, params);
    return rows.map((event) => ({ ...event, first_attempt_at: event.first_attempt_at ?? now }));
  }

  async settle(event: SettledEvent): Promise<void> {
    await this.#tx.run(this.#statements.settle, event);
  }

  async record(attempt: AttemptRecord): Promise<void> {
    await this.#tx.run(this.#statements.record, attempt);
  }

  /** Sends the waiting events of a channel to another endpoint. */
  async readdress(media_buy_id: string, channel: string, endpoint: string): Promise<void> {
    await this.#tx.run(this.#statements.readdress, { media_buy_id, channel, endpoint });
  }

  /**
   * Releases the claims of a stopped process, and gives events that it never tried `horizon` ms from now: their delay was not the
   * receiver's. Only for the one process that holds the store.
   */
  async recover(now: number, horizon: number): Promise<void> {
    await this.#tx.run(this.#statements.releaseClaims, {});
    await this.#tx.run(this.#statements.extend, { expires: now + horizon });
  }

  /** Gives up events that expired while they waited; returns how many. */
  expire(now: number, reason: string): Promise<number> {
    return this.#tx.run(this.#statements.expire, { now, state: 'dead', reason });
  }

  /** Makes an event due now, whatever its state, unless it is claimed. */
  async revive(key: string, endpoint: string, now: number, expires: number): Promise<void> {
    await this.#tx.run(this.#statements.revive, { key, endpoint, state: 'pending', now, expires });
  }

  /** Deletes delivered events and attempts that ended before `before`; dead events stay. Returns how many rows went. */
  async prune(before: number): Promise<number> {
    await this.#tx.run(this.#statements.deleteBodies, { state: 'delivered', before });
    const events = await this.#tx.run(this.#statements.deleteEvents, { state: 'delivered', before });
    return events + (await this.#tx.run(this.#statements.deleteAttempts, { before }));
  }

  /** Returns the next number of a stream of reports, from 1. */
  async nextSequence(stream: string): Promise<number> {
    await this.#tx.run(this.#statements.advanceSequence, { stream, first: 1 });
    return (await this.#tx.one(this.#statements.sequence, { stream }))?.last ?? 1;
  }

  /** Pauses a channel, whose receiver has called it gone at this URL. */
  async pause(channel: string, url: string, now: number): Promise<void> {
    await this.#tx.run(this.#statements.pause, { channel, url, now });
  }
}
