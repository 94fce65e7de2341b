import type { Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { RegistryTables } from '../../store/schema/schema.js';

/** Ended windows that are cleared at a time. */
const CLEARED = 2000;

/** Returns the statements on the counts of calls, compiled for an engine. */
export function callCountStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    find: prepare<{ id: string }, { points: number; until_ms: number }>((q, slot) =>
      q.selectFrom('call_count').select(['points', 'until_ms']).where('id', '=', slot('id')),
    ),
    put: prepare<{ id: string; points: number; until_ms: number }>((q, slot) =>
      q
        .insertInto('call_count')
        .values(slot.each('id', 'points', 'until_ms'))
        .onConflict((c) => c.column('id').doUpdateSet(slot.each('points', 'until_ms'))),
    ),
    clear: prepare<{ now: number; limit: number }>((q, slot) =>
      q
        .deleteFrom('call_count')
        .where('id', 'in', (e) =>
          e
            .selectFrom('call_count')
            .select('id')
            .where('until_ms', '<=', slot('now'))
            .orderBy('until_ms')
            .limit(slot('limit')),
        ),
    ),
  };
}

type CallCountStatements = ReturnType<typeof callCountStatements>;

/** A window in which calls are counted; instants in milliseconds. */
type CountedWindow = { readonly points: number; readonly windowMs: number; readonly nowMs: number };

/** Counts calls where restarts and other processes find them, in one transaction. */
export class CallCountWriter {
  readonly #tx: Writing;
  readonly #statements: () => CallCountStatements;

  constructor(tx: Writing, statements: () => CallCountStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /**
   * Counts a call in the window of its key, which begins with the first. Returns `begun` where it is the first, and `waitMs` until the
   * window ends where there were enough in it: that call is not counted.
   */
  async take(id: string, { nowMs, points, windowMs }: CountedWindow): Promise<{ begun: boolean; waitMs?: number }> {
    const before = await this.#tx.one(this.#statements().find, { id });
    // A clock that was set back leaves no window that is longer than it may be.
    const isOpen = before !== undefined && before.until_ms > nowMs && before.until_ms <= nowMs + windowMs;
    if (isOpen && before.points >= points) return { begun: false, waitMs: before.until_ms - nowMs };
    const next = isOpen
      ? { points: before.points + 1, until_ms: before.until_ms }
      : { points: 1, until_ms: nowMs + windowMs };
    await this.#tx.run(this.#statements().put, { id, ...next });
    return { begun: !isOpen };
  }

  /** Deletes windows that have ended, the oldest first. */
  async clear(nowMs: number): Promise<void> {
    await this.#tx.run(this.#statements().clear, { now: nowMs, limit: CLEARED });
  }
}
