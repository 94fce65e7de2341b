import type { Engine, Reading, Writing } from '../../../platform/database/engine.js';
import { presentMs } from '../../../platform/database/leases.js';
import { type Builder, createPrepare, type EngineName } from '../../../platform/database/statement.js';
import { runSlices } from '../../../platform/kernel/slices.js';
import type { StoreChange } from '../../model/records.js';
import { REGISTRY_PERIODS_MS } from '../retention.js';
import type { RegistryTables } from '../schema/schema.js';

/** A change as the log has it: `doc` is the record as JSON, null where it is gone, and of an alias what it stands for. */
export type LoggedChange = {
  readonly seq: number;
  /** By the database's clock. */
  readonly at_ms: number;
  readonly noun: StoreChange['noun'] | 'start';
  readonly id: string;
  readonly doc: string | null;
};

/**
 * The changes of a store that several processes share, in the order of their commits: transactions that write to it come one after the
 * other. The last one is always there, so that a reader that stands at a row that is gone knows that it has missed some.
 */
export class ChangeLog {
  readonly #statements: ReturnType<typeof changeStatements>;
  readonly #writers = new WeakSet<Writing>();

  constructor(db: Builder<RegistryTables>, engine: EngineName) {
    this.#statements = changeStatements(db, engine);
  }

  /** Writes the first row of a log that has none; returns the last one. */
  async start(tx: Writing): Promise<LoggedChange> {
    const last = await tx.one(this.#statements.last, {});
    if (last !== undefined) return last;
    await tx.run(this.#statements.append, { noun: 'start', id: '', doc: null });
    return this.findLast(tx);
  }

  /** Returns the last change of a log that was started. */
  async findLast(reading: Reading): Promise<LoggedChange> {
    const last = await reading.one(this.#statements.last, {});
    if (last === undefined) throw new Error('the log of changes is empty');
    return last;
  }

  /** Writes a change in its transaction. */
  async append(tx: Writing, change: StoreChange): Promise<void> {
    this.#writers.add(tx);
    const { id, noun } = change;
    await tx.run(this.#statements.append, { noun, id, doc: docOf(change) });
  }

  /** Whether a transaction has written a change. */
  isWrittenBy(tx: Writing): boolean {
    return this.#writers.has(tx);
  }

  /** Returns the changes from a number on, at most so many. */
  read(reading: Reading, from: number, limit: number): Promise<readonly LoggedChange[]> {
    return reading.all(this.#statements.from, { from, limit });
  }

  /** Clears what every process has read long ago, slice by slice; returns how many rows that were. */
  async prune(
    transact: Engine<unknown>['transact'],
    nowMs: number,
    isStopped: () => boolean = () => false,
  ): Promise<number> {
    const before = nowMs - REGISTRY_PERIODS_MS.changes;
    let pruned = 0;
    await runSlices(async (limit) => {
      const cleared = await transact((tx) => tx.run(this.#statements.prune, { before, limit }));
      pruned += cleared;
      return cleared === limit;
    }, isStopped);
    return pruned;
  }
}

function docOf(change: StoreChange): string | null {
  if (change.noun === 'alias') return change.canonical;
  if (change.noun === 'entry') return change.doc;
  return change.record === undefined ? null : JSON.stringify(change.record);
}

function changeStatements(db: Builder<RegistryTables>, engine: EngineName) {
  const prepare = createPrepare(db);
  return {
    append: prepare<Omit<LoggedChange, 'seq' | 'at_ms'>>((q, slot) =>
      q.insertInto('store_change').values({ at_ms: presentMs(engine, 0), ...slot.each('noun', 'id', 'doc') }),
    ),
    last: prepare<object, LoggedChange>((q) =>
      q.selectFrom('store_change').select(['seq', 'at_ms', 'noun', 'id', 'doc']).orderBy('seq', 'desc').limit(1),
    ),
    from: prepare<{ from: number; limit: number }, LoggedChange>((q, slot) =>
      q
        .selectFrom('store_change')
        .select(['seq', 'at_ms', 'noun', 'id', 'doc'])
        .where('seq', '>=', slot('from'))
        .orderBy('seq')
        .limit(slot('limit')),
    ),
    prune: prepare<{ before: number; limit: number }>((q, slot) =>
      q
        .deleteFrom('store_change')
        .where('seq', 'in', (e) => e.selectFrom('store_change').select('seq').orderBy('seq').limit(slot('limit')))
        .where('at_ms', '<=', slot('before'))
        .where('seq', '<', (e) => e.selectFrom('store_change').select((f) => f.fn.max<number>('seq').as('last'))),
    ),
  };
}
