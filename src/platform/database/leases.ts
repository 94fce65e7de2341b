import type { Engine, Writing } from './engine.js';
import { type Expression, type RawBuilder, sql } from './kysely.js';
import { createBuilder, createPrepare, type EngineName } from './statement.js';

/**
 * Returns the moment, in ms since the epoch, by which leases are judged: of a database that several processes share its own clock, else
 * `given`, the time of the one process that has it. A moment that is not over is not counted: nothing ends before its time.
 */
export function presentMs(engine: EngineName, given: number): RawBuilder<number> {
  return engine === 'sqlite'
    ? sql<number>`${given}`
    : sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

/** A process that asks for a lease of some length takes one that would last this many times longer: the clock that it was given by was ahead. */
const OVERLONG = 10;

/** Returns whether a lease that ends at `until` is over by a moment, as one is whose end is farther away than any of its length. */
export function isLeaseOver(
  until: Expression<number | null>,
  moment: RawBuilder<number>,
  ms: number,
): RawBuilder<boolean> {
  return sql<boolean>`(${until} <= ${moment} OR ${until} > ${moment} + ${ms} * ${sql.lit(OVERLONG)})`;
}

/** The right of one process to do something that no other does meanwhile. */
export type Lease = {
  readonly name: string;
  /** Grows with every taking: what was begun under an earlier number is refused. */
  readonly fence: number;
  /** How long nobody had it before, in ms; undefined where nobody is known to have had it. */
  readonly idleMs: number | undefined;
};

/** Thrown within a transaction whose lease another process has taken since. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(lease: Lease) {
    super(`another process has taken over: ${lease.name}`);
  }
}

/** Gives leases to processes that share a database, whose clock decides how long each lasts. */
export type Leases = {
  /** Takes a lease for `ms` from now; returns undefined while another process has it. */
  take(name: string, ms: number): Promise<Lease | undefined>;
  /** Lets a lease last for `ms` from now; returns whether nobody has taken it since. */
  renew(lease: Lease, ms: number): Promise<boolean>;
  /** Gives a lease back, so that another process need not wait for its end. */
  release(lease: Lease): Promise<void>;
  /** Gives back a lease on what comes once, and forgets its name. */
  forget(lease: Lease): Promise<void>;
  /** Keeps a lease from being taken until the transaction ends. Throws LeaseLostError where that has happened. */
  requireHeld(tx: Writing, lease: Lease): Promise<void>;
};

/** The table of leases, a row for each name. */
type LeaseTables = {
  lease: { name: string; holder: string; fence: number; until_ms: number; idle_ms: number | null };
};

/** The tables of a database that leases are kept in. */
type Database = Pick<Engine<unknown>, 'name' | 'transact'>;

/** Returns the leases of a database; `holder` names this process in it. One process alone is granted every lease at once. */
export function openLeases(engine: Database, holder: string): Leases {
  return engine.name === 'sqlite' ? new GrantedLeases() : new StoredLeases(engine, holder);
}

/** Leases of a process that has its database for itself. */
class GrantedLeases implements Leases {
  #last = 0;

  async take(name: string): Promise<Lease> {
    this.#last += 1;
    return { name, fence: this.#last, idleMs: undefined };
  }

  async renew(): Promise<boolean> {
    return true;
  }

  async release(): Promise<void> {}

  async forget(): Promise<void> {}

  async requireHeld(): Promise<void> {}
}

/** Leases as rows of a database that several processes share. */
class StoredLeases implements Leases {
  readonly #engine: Database;
  readonly #holder: string;
  readonly #statements: ReturnType<typeof leaseStatements>;

  constructor(engine: Database, holder: string) {
    this.#engine = engine;
    this.#holder = holder;
    this.#statements = leaseStatements();
  }

  async take(name: string, ms: number): Promise<Lease | undefined> {
    const params = { name, holder: this.#holder, ms };
    const row = await this.#engine.transact((tx) => tx.one(this.#statements.take, params), { isolation: 'rows' });
    return row && { name, fence: row.fence, idleMs: row.idle_ms ?? undefined };
  }

  async renew({ name, fence }: Lease, ms: number): Promise<boolean> {
    return (
      (await this.#engine.transact((tx) => tx.run(this.#statements.renew, { name, fence, ms }), {
        isolation: 'rows',
      })) === 1
    );
  }

  async release({ name, fence }: Lease): Promise<void> {
    await this.#engine.transact((tx) => tx.run(this.#statements.renew, { name, fence, ms: 0 }), { isolation: 'rows' });
  }

  async forget({ name, fence }: Lease): Promise<void> {
    await this.#engine.transact((tx) => tx.run(this.#statements.forget, { name, fence }), { isolation: 'rows' });
  }

  async requireHeld(tx: Writing, lease: Lease): Promise<void> {
    const { name, fence } = lease;
    if ((await tx.one(this.#statements.held, { name, fence })) === undefined) throw new LeaseLostError(lease);
  }
}

/** Returns the moment that comes `ms` after another. */
function addMs(moment: RawBuilder<number>, ms: number): RawBuilder<number> {
  return sql<number>`${moment} + ${ms}`;
}

type Taking = { name: string; holder: string; ms: number };

function leaseStatements() {
  const prepare = createPrepare(createBuilder<LeaseTables>('postgres'));
  const now = presentMs('postgres', 0);
  return {
    take: prepare<Taking, { fence: number; idle_ms: number | null }>((q, slot) => {
      const until_ms = addMs(now, slot('ms'));
      return (
        q
          .insertInto('lease')
          // A name that was forgotten begins where no earlier taking of it can be.
          .values({ ...slot.each('name', 'holder'), fence: now, until_ms })
          .onConflict((c) =>
            c
              .column('name')
              .doUpdateSet((e) => ({
                ...slot.each('holder'),
                fence: e('lease.fence', '+', 1),
                until_ms,
                idle_ms: e(now, '-', e.ref('lease.until_ms')),
              }))
              .where((e) => isLeaseOver(e.ref('lease.until_ms'), now, slot('ms'))),
          )
          .returning(['fence', 'idle_ms'])
      );
    }),
    renew: prepare<{ name: string; fence: number; ms: number }>((q, slot) =>
      q
        .updateTable('lease')
        .set({ until_ms: addMs(now, slot('ms')) })
        .where((is) => is.and(slot.each('name', 'fence'))),
    ),
    forget: prepare<{ name: string; fence: number }>((q, slot) =>
      q.deleteFrom('lease').where((is) => is.and(slot.each('name', 'fence'))),
    ),
    // The lock makes whoever takes the lease wait; a row that was taken since fails a serializable transaction, which then finds it gone.
    held: prepare<{ name: string; fence: number }, { fence: number }>((q, slot) =>
      q
        .selectFrom('lease')
        .select('fence')
        .where((is) => is.and(slot.each('name', 'fence')))
        .forShare(),
    ),
  };
}
