import { type Clock, SECOND_MS } from '../../kernel/clock.js';
import type { Log } from '../../kernel/log.js';
import { startLoop } from '../../kernel/loop.js';
import type { Engine } from '../engine.js';
import { sql } from '../kysely.js';
import { presentMs } from '../leases.js';
import { createBuilder, createPrepare } from '../statement.js';

/** How often a process says that it is there, in ms. */
const SIGN_MS = 5 * SECOND_MS;
/** A process that has said nothing for so long, in ms, is gone. */
const GONE_MS = 60 * SECOND_MS;

/** A process that has a database open, as the table of processes has it; times are by the database's clock. */
export type SeenProcess = {
  readonly id: string;
  readonly version: string;
  /** By how much its own clock is ahead of the database's, in ms; less the time that its sign took. */
  readonly ahead_ms: number;
  readonly started_ms: number;
  readonly seen_ms_ago: number;
};

/** The table of processes, a row for each. */
type ProcessTables = {
  process: { id: string; version: string; ahead_ms: number; started_ms: number; seen_ms: number };
};

/** The processes that share a database, with version and clock of each. */
export class Processes {
  readonly #engine: Pick<Engine<unknown>, 'transact' | 'reading'>;
  readonly #id: string;
  readonly #statements = processStatements();

  constructor(engine: Pick<Engine<unknown>, 'transact' | 'reading'>, id: string) {
    this.#engine = engine;
    this.#id = id;
  }

  /** Says that this process is there, of a version and with a clock that says `nowMs`; forgets those that are gone. */
  async sign(version: string, nowMs: number): Promise<void> {
    await this.#engine.transact(
      async (tx) => {
        await tx.run(this.#statements.sign, { id: this.#id, version, now: nowMs });
        await tx.run(this.#statements.forget, { age: GONE_MS });
      },
      { isolation: 'rows' },
    );
  }

  /** Returns those that said within a minute that they are there, the oldest first. */
  list(): Promise<readonly SeenProcess[]> {
    return this.#engine.reading.all(this.#statements.list, { age: GONE_MS });
  }

  /** Says that this process is gone. */
  async leave(): Promise<void> {
    await this.#engine.transact((tx) => tx.run(this.#statements.leave, { id: this.#id }), { isolation: 'rows' });
  }
}

/** The clock, version and log of a process that registers itself. */
type Signer = { readonly clock: Clock; readonly version: string; readonly log: Log };

/** Says at once and again and again that this process is there; returns how to end that, which says that it is gone. */
export function startSigning(processes: Processes, { clock, log, version }: Signer): () => Promise<void> {
  const sign = (): Promise<void> => processes.sign(version, clock.now());
  const first = sign().catch((error: unknown) => log.warn({ err: error }, 'other processes hear of this one later'));
  const loop = startLoop('processes', SIGN_MS, log, sign);
  return async () => {
    await first;
    await loop.stop();
    // Without a database it is forgotten by itself.
    await processes.leave().catch(() => undefined);
  };
}

function processStatements() {
  const prepare = createPrepare(createBuilder<ProcessTables>('postgres'));
  const present = presentMs('postgres', 0);
  return {
    sign: prepare<{ id: string; version: string; now: number }>((q, slot) => {
      const ahead_ms = sql<number>`${slot('now')}::bigint - ${present}`;
      return q
        .insertInto('process')
        .values({ ...slot.each('id', 'version'), ahead_ms, started_ms: present, seen_ms: present })
        .onConflict((c) => c.column('id').doUpdateSet({ ...slot.each('version'), ahead_ms, seen_ms: present }));
    }),
    forget: prepare<{ age: number }>((q, slot) =>
      q.deleteFrom('process').where('seen_ms', '<', sql<number>`${present} - ${slot('age')}::bigint`),
    ),
    list: prepare<{ age: number }, SeenProcess>((q, slot) =>
      q
        .selectFrom('process')
        .select(['id', 'version', 'ahead_ms', 'started_ms'])
        .select(sql<number>`${present} - seen_ms`.as('seen_ms_ago'))
        .where('seen_ms', '>=', sql<number>`${present} - ${slot('age')}::bigint`)
        .orderBy('started_ms')
        .limit(MAX_SHOWN),
    ),
    leave: prepare<{ id: string }>((q, slot) => q.deleteFrom('process').where('id', '=', slot('id'))),
  };
}

/** Processes that are shown at most. */
const MAX_SHOWN = 100;
