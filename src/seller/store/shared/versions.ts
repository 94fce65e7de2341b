import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import { monotonicMs, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { SellerTables } from '../schema/schema.js';

/** The tables whose changes are counted by owner; triggers of a shared database do it (`schema/migrations/shared.ts`). */
export type CountedTable = SellerTables['state_version']['noun'];

/** A kind of rows by whose versions answers are cached: the proposals of an owner, the books of a scope, and what is asked for of them. */
type Versioned = 'proposal' | 'inventory_day' | 'inventory_demand';

/** For how long an answer about what is left may be older than what another process holds: an order is judged by the books themselves. */
const MAX_STALE_MS = 2 * SECOND_MS;

/** Returns the statements on the versions of a shared database, compiled for an engine. */
export function versionStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    of: prepare<{ noun: CountedTable; owner: string }, { version: number }>((q, slot) =>
      q
        .selectFrom('state_version')
        .select('version')
        .where((is) => is.and(slot.each('noun', 'owner'))),
    ),
    ofAll: prepare<{ noun: CountedTable }, { owner: string; version: number }>((q, slot) =>
      q.selectFrom('state_version').select(['owner', 'version']).where('noun', '=', slot('noun')),
    ),
    total: prepare<{ noun: CountedTable }, { total: number | null }>((q, slot) =>
      q
        .selectFrom('state_version')
        .select((e) => e.fn.sum<number | null>('version').as('total'))
        .where('noun', '=', slot('noun')),
    ),
  };
}

/** The compiled statements on versions. */
export type VersionStatements = ReturnType<typeof versionStatements>;

/** Texts that are others after each change of an owner's rows: what answers are cached by. */
export type Versions = {
  readonly get: (tx: Reading, table: Versioned, owner: string) => string | Promise<string>;
  /** Counts a change once it is on disk. */
  readonly countOnCommit: (tx: Writing, table: Versioned, owner: string) => void;
};

/** Counts the changes of this process, which alone holds the store. */
export class LocalVersions implements Versions {
  readonly #counts = new Map<string, number>();

  get(_tx: Reading, table: Versioned, owner: string): string {
    return `${this.#counts.get(keyOf(table, owner)) ?? 0}`;
  }

  countOnCommit(tx: Writing, table: Versioned, owner: string): void {
    const key = keyOf(table, owner);
    tx.onCommit(() => void this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1));
  }
}

/**
 * Reads the versions of a database that several processes change. Books have none there, for every order of a tenant would wait for it:
 * what is read of them is over after MAX_STALE_MS, and at once after a change of this process.
 */
export class SharedVersions implements Versions {
  readonly #statements: VersionStatements;
  readonly #local = new LocalVersions();

  constructor(statements: VersionStatements) {
    this.#statements = statements;
  }

  async get(tx: Reading, table: Versioned, owner: string): Promise<string> {
    if (table !== 'proposal') return `${this.#local.get(tx, table, owner)}.${Math.floor(monotonicMs() / MAX_STALE_MS)}`;
    return `${(await tx.one(this.#statements.of, { noun: table, owner }))?.version ?? 0}`;
  }

  countOnCommit(tx: Writing, table: Versioned, owner: string): void {
    if (table !== 'proposal') this.#local.countOnCommit(tx, table, owner);
  }
}

function keyOf(table: Versioned, owner: string): string {
  return `${table} ${owner}`;
}
