import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';

/** How far the delivery of a buy was read from its ad server. Times in ms; `next_at` is null once no more comes, `failing_since` while it can be read. */
export type DeliveryPull = SellerTables['delivery_pull'];

const ROW = ['media_buy_id', 'owner', 'through_ms', 'next_at', 'failing_since', 'trouble'] as const;

const MAX_TROUBLE_CHARS = 1000;

/** Returns the statements on how far delivery was read, compiled for an engine. */
export function deliveryPullStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ media_buy_id: string }, DeliveryPull>((q, slot) =>
      q
        .selectFrom('delivery_pull')
        .select([...ROW])
        .where('media_buy_id', '=', slot('media_buy_id')),
    ),
    due: prepare<{ now: number; limit: number }, DeliveryPull>((q, slot) =>
      q
        .selectFrom('delivery_pull')
        .select([...ROW])
        .where('next_at', '<=', slot('now'))
        .orderBy('next_at')
        .orderBy('media_buy_id')
        .limit(slot('limit')),
    ),
    failing: prepare<{ limit: number }, DeliveryPull>((q, slot) =>
      q
        .selectFrom('delivery_pull')
        .select([...ROW])
        .where('failing_since', 'is not', null)
        .orderBy('failing_since')
        .orderBy('media_buy_id')
        .limit(slot('limit')),
    ),
    count: prepare<object, { total: number }>((q) =>
      q
        .selectFrom('delivery_pull')
        .select((is) => is.fn.countAll<number>().as('total'))
        .where('failing_since', 'is not', null),
    ),
    save: prepare<DeliveryPull>((q, slot) => {
      const values = slot.each(...ROW);
      return q
        .insertInto('delivery_pull')
        .values(values)
        .onConflict((c) => c.column('media_buy_id').doUpdateSet(values));
    }),
  };
}

/** The compiled statements on pulls. */
type DeliveryPullStatements = ReturnType<typeof deliveryPullStatements>;

/** Reads how far the delivery of buys was read from ad servers. */
export class DeliveryPullReader {
  readonly #tx: Reading;
  readonly #statements: DeliveryPullStatements;

  constructor(tx: Reading, statements: DeliveryPullStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns how far the delivery of a buy was read; undefined where it was never booked. */
  find(media_buy_id: string): Promise<DeliveryPull | undefined> {
    return this.#tx.one(this.#statements.byId, { media_buy_id });
  }

  /** Returns the buys whose delivery is to be read by `now`, longest first. */
  due(now: number, limit: number): Promise<DeliveryPull[]> {
    return this.#tx.all(this.#statements.due, { now, limit });
  }

  /** Returns the buys whose delivery cannot be read just now, longest first. */
  failing(limit: number): Promise<DeliveryPull[]> {
    return this.#tx.all(this.#statements.failing, { limit });
  }

  async countFailing(): Promise<number> {
    return (await this.#tx.one(this.#statements.count, {}))?.total ?? 0;
  }
}

/** Reads and stores how far the delivery of buys was read, in one transaction. */
export class DeliveryPullWriter extends DeliveryPullReader {
  readonly #tx: Writing;
  readonly #statements: DeliveryPullStatements;

  constructor(tx: Writing, statements: DeliveryPullStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Has the delivery of a buy read from `nowMs` on, where nothing is planned. */
  async open(media_buy_id: string, owner: string, nowMs: number): Promise<void> {
    const present = await this.find(media_buy_id);
    if (present === undefined)
      this.save({ media_buy_id, owner, through_ms: 0, next_at: nowMs, failing_since: null, trouble: null });
    else if (present.next_at === null) this.save({ ...present, next_at: nowMs });
  }

  /** Records that the delivery of a buy up to a moment cannot be read; what was read since stands. */
  async fail(media_buy_id: string, throughMs: number, nowMs: number, trouble: string): Promise<void> {
    const present = await this.find(media_buy_id);
    if (present === undefined || present.through_ms >= throughMs) return;
    this.save({
      ...present,
      failing_since: present.failing_since ?? nowMs,
      // PostgreSQL has no NUL in text: https://www.postgresql.org/docs/current/datatype-character.html
      trouble: trouble.slice(0, MAX_TROUBLE_CHARS).replaceAll('\0', ''),
    });
  }

  save(pull: DeliveryPull): void {
    this.#tx.write(this.#statements.save, pull);
  }
}
