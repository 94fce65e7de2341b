import { runSlices } from '../kernel/slices.js';
import type { Engine, Writing } from './engine.js';
import { type Compilable, sql } from './kysely.js';
import {
  type Builder,
  createBuilder,
  createPrepare,
  type EngineName,
  LISTS,
  type Slots,
  type Statement,
} from './statement.js';

/** Rows of another table that belong to the rows that are cleared, and go before them. */
type SweptPart = {
  readonly table: string;
  /** The column, or expression, that names the row. */
  readonly column: string;
  /** The column of the row that it names. */
  readonly of: string;
};

/** Which rows are cleared once they are older than a period. */
type Sweep<Period extends string = string> = {
  /** The period, by its name in the settings; none for rows that end at the very time in their column. */
  readonly period?: Period;
  /** The column that holds the row's time, in ms. There is an index on it. */
  readonly time: string;
  /** Further condition, in SQL. */
  readonly where?: string;
  /** The column that is emptied in place of deleting the row. */
  readonly empties?: string;
  /** The table whose one row says up to when (`at`) rows may be deleted, where a trigger refuses to delete others; it is raised with each slice. */
  readonly floor?: string;
  readonly parts?: readonly SweptPart[];
};

/** How long the rows of a table stay, what bounds them, and whose they are. */
export type TableRetention<Period extends string = string> = {
  /** The file whose statements write the table. */
  readonly owner: string;
  /** How long a row stays, for people. */
  readonly stays: string;
  /** What bounds the number of rows and their bytes, for people. */
  readonly bound: string;
  /** What the clock clears; none where rows go with others, or by a statement of the owner. */
  readonly sweeps?: readonly Sweep<Period>[];
};

/** The retention of every table of a database. */
export type RetentionTable<Period extends string = string> = Readonly<Record<string, TableRetention<Period>>>;

/** The periods of a retention table in milliseconds. */
export type Periods<Period extends string = string> = Readonly<Record<Period, number>>;

/** The parts of a sweeper: the database, its retention table and the periods of that. */
type SweeperParts<Period extends string> = {
  readonly engine: Pick<Engine<unknown>, 'name' | 'transact' | 'reading' | 'giveBack'>;
  readonly retention: RetentionTable<Period>;
  readonly periodsMs: Periods<Period>;
};

type DueSlots = { before: number; limit: number };
/** The keys or names of rows, as the engine takes a list. */
type NamesSlot = { names: unknown };
type PartSlots = NamesSlot & { limit: number };
type Key = { readonly key: unknown } & Readonly<Record<string, unknown>>;

/** What engines call a row's own place. */
const ROW_KEYS = { sqlite: 'rowid', postgres: 'ctid' } as const;

/** The statements of a sweep. */
type CompiledSweep = {
  readonly table: string;
  readonly periodMs: number;
  readonly due: Statement<DueSlots, Key>;
  readonly parts: readonly { readonly of: string; readonly clear: Statement<PartSlots, unknown> }[];
  readonly clear: Statement<NamesSlot, unknown>;
  readonly raiseFloor: Statement<{ before: number }, unknown> | undefined;
};

/** Clears the rows of a database that have outlived their retention, in bounded slices, and gives the room back to the disk. */
export class Sweeper<Period extends string> {
  readonly #engine: SweeperParts<Period>['engine'];
  readonly #sweeps: readonly CompiledSweep[];
  readonly #bind: (values: readonly unknown[]) => unknown;

  constructor({ engine, periodsMs, retention }: SweeperParts<Period>) {
    this.#engine = engine;
    this.#bind = LISTS[engine.name].bind;
    this.#sweeps = Object.entries(retention).flatMap(([table, { sweeps = [] }]) =>
      sweeps.map((sweep) =>
        compileSweep(engine.name, table, sweep, sweep.period === undefined ? 0 : periodsMs[sweep.period]),
      ),
    );
  }

  /**
   * Clears what has outlived its retention by `nowMs`, of the tables that are wanted; returns how many rows that were. Others write
   * between two slices.
   */
  async run(
    nowMs: number,
    isStopped: () => boolean = () => false,
    isWanted: (table: string) => boolean = () => true,
  ): Promise<number> {
    let cleared = 0;
    for (const sweep of this.#sweeps) {
      if (!isWanted(sweep.table)) continue;
      const before = nowMs - sweep.periodMs;
      await runSlices(async (limit) => {
        if (!(await this.#isDue(sweep, before))) return false;
        cleared += await this.#engine.transact((tx) => this.#clearSlice(tx, sweep, { before, limit }));
        return true;
      }, isStopped);
    }
    await this.#giveBack(isStopped);
    return cleared;
  }

  /** Whether there is anything to clear; where there is nothing, nothing is written. */
  async #isDue({ due }: CompiledSweep, before: number): Promise<boolean> {
    return (await this.#engine.reading.one(due, { before, limit: 1 })) !== undefined;
  }

  /** Clears some rows; where the parts of these are many, some of the parts alone. Returns how many rows went. */
  async #clearSlice(tx: Writing, { clear, due, parts, raiseFloor }: CompiledSweep, slots: DueSlots): Promise<number> {
    if (raiseFloor !== undefined) await tx.run(raiseFloor, slots);
    const rows = await tx.all(due, slots);
    let cleared = 0;
    for (const part of parts) {
      const names = this.#bind(rows.map((row) => row[part.of]));
      cleared += await tx.run(part.clear, { names, limit: slots.limit - cleared });
      if (cleared >= slots.limit) return cleared;
    }
    return cleared + (await tx.run(clear, { names: this.#bind(rows.map(({ key }) => key)) }));
  }

  /** Gives free pages of a file back to the disk. */
  async #giveBack(isStopped: () => boolean): Promise<void> {
    await runSlices(async (pages) => (await this.#engine.giveBack(pages)) > 0, isStopped);
  }
}

function compileSweep(engine: EngineName, table: string, sweep: Sweep, periodMs: number): CompiledSweep {
  const { empties, floor, parts = [], time, where = 'TRUE' } = sweep;
  const { close, open } = LISTS[engine];
  const key = ROW_KEYS[engine];
  const prepare = createPrepare(createBuilder<unknown>(engine));
  const named = [...new Set(parts.map(({ of }) => of))].map((column) => `, "${column}"`).join('');
  const remaining = empties === undefined ? 'TRUE' : `"${empties}" IS NOT NULL`;
  const chosen = `SELECT ${key} AS key${named} FROM "${table}" WHERE ${where} AND ${remaining} AND "${time}" <= `;
  return {
    table,
    periodMs,
    due: prepare<DueSlots, Key>((q, slot) => ({
      compile: () =>
        sql<Key>`${sql.raw(chosen)}${slot('before')} ${sql.raw(`ORDER BY "${time}" LIMIT `)}${slot('limit')}`.compile(
          q,
        ),
    })),
    parts: parts.map((part) => ({
      of: part.of,
      clear: prepare<PartSlots>((q, slot) => clearPart(part, engine, q, slot)),
    })),
    clear: prepare<NamesSlot>((q, slot) => {
      const change = empties === undefined ? `DELETE FROM "${table}"` : `UPDATE "${table}" SET "${empties}" = NULL`;
      const chosenRows = sql.raw(`${change} WHERE ${key} ${open}`);
      return { compile: () => sql<object>`${chosenRows}${slot('names')}${sql.raw(close)}`.compile(q) };
    }),
    raiseFloor:
      floor === undefined
        ? undefined
        : prepare<{ before: number }>((q, slot) => ({
            compile: () =>
              sql<object>`INSERT INTO ${sql.table(floor)} (id, at) VALUES (1, ${slot('before')})
                ON CONFLICT (id) DO UPDATE SET at = excluded.at`.compile(q),
          })),
  };
}

/** Clears the rows of a part some at a time, since they are as many as a stranger sent. */
function clearPart(
  { column, table }: SweptPart,
  engine: EngineName,
  db: Builder<unknown>,
  slot: Slots<PartSlots>,
): Compilable<object> {
  const { close, open } = LISTS[engine];
  const key = ROW_KEYS[engine];
  const isNamed = sql`${sql.raw(`${column} ${open}`)}${slot('names')}${sql.raw(close)}`;
  const rows = sql`SELECT ${sql.raw(key)} FROM ${sql.table(table)} WHERE ${isNamed} LIMIT ${slot('limit')}`;
  return {
    compile: () => sql<object>`DELETE FROM ${sql.table(table)} WHERE ${sql.raw(key)} IN (${rows})`.compile(db),
  };
}
