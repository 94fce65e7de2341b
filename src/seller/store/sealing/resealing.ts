import type { Engine, Reading } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { presentMs } from '../../../platform/database/leases.js';
import type { Statement } from '../../../platform/database/statement.js';
import { MINUTE_MS, monotonicMs, SECOND_MS } from '../../../platform/kernel/clock.js';
import { runSlices } from '../../../platform/kernel/slices.js';
import { keyProblem, type MasterKeys } from '../../../platform/sealing/master-keys.js';
import type { Sealer } from '../../../platform/sealing/sealer.js';
import type { SellerTables } from '../schema/schema.js';
import type { SealedColumn, SealedColumns } from './sealed.js';

/** The state of the master keys of a store, for the operator. */
type SealingState = {
  /** Ids of the key that seals, and of those that stored secrets still need. */
  readonly active: string;
  readonly older: readonly string[];
  /** Whether every secret is sealed with the key that seals. */
  readonly isComplete: boolean;
};

/** A row of the table `sealing`: a key that rows are sealed with, and a text that shows that the key is the right one. */
export type KeyRow = { readonly key_id: string; readonly proof: string; readonly is_complete: number };

/** A column, its table and that table's key. */
type ResealedColumn = {
  readonly table: string;
  readonly key: string;
  readonly column: string;
  readonly sealed: SealedColumn;
};

const PROOF = 'sealing.proof';
/** Reads the table `sealing`. */
export const ALL_KEYS: Statement<object, KeyRow> = {
  sql: 'SELECT key_id, proof, is_complete FROM sealing',
  parameters: [],
};
/** For how long a process is taken to seal with a key after it last noted it, and how often it does. */
const USED_MS = MINUTE_MS;
const NOTE_EVERY_MS = 10 * SECOND_MS;
/** Most rows of a slice; bodies have up to a megabyte. */
const MAX_SLICE_ROWS = 50;

/** A store, what its secrets are sealed with, and which columns hold them. */
type ResealingParts = {
  readonly engine: Engine<SellerTables>;
  readonly keys: MasterKeys;
  readonly sealer: Sealer;
  readonly columns: SealedColumns;
  readonly rows: readonly KeyRow[];
};

/** The keys that a store's secrets are sealed with, and the job of sealing them with another key. */
export class Resealing {
  readonly #engine: Engine<SellerTables>;
  readonly #keys: MasterKeys;
  readonly #sealer: Sealer;
  readonly #resealed: readonly ResealedColumn[];
  #rows: readonly KeyRow[];
  /** When the use of the key is noted again for other processes, by a clock that nobody sets. */
  #noteAgainAt = 0;

  /**
   * `rows` are those of the table `sealing`. Throws ConfigError where a key that the store was sealed with is missing. Makes the first key
   * of a store that has none.
   */
  constructor({ columns, engine, keys, rows, sealer }: ResealingParts) {
    this.#engine = engine;
    this.#keys = keys;
    this.#sealer = sealer;
    this.#resealed = listColumns(columns);
    this.#rows = rows;
    for (const row of this.#rows) this.#prove(row);
    if (keys.isEmpty) keys.generate();
  }

  /** Returns the state of the keys. */
  get state(): SealingState {
    const { id } = this.#keys.active;
    const older = this.#rows.map(({ key_id }) => key_id).filter((key) => key !== id);
    const isSealed = this.#rows.some(({ key_id, is_complete }) => key_id === id && is_complete === 1);
    // Of several processes the last one that sealed with an older key may have come back.
    const isComplete = isSealed && older.length === 0;
    return { active: id, older, isComplete };
  }

  /** Notes which key seals from now on. A store that was never sealed is sealed now, and what it held readable is wiped from its file. */
  async start(): Promise<void> {
    const { isComplete, older } = this.state;
    const isFirst = !isComplete && older.length === 0;
    await this.#noteActive();
    if (!isFirst) return;
    if (await this.run(() => false)) await this.#engine.compact();
  }

  /** Makes a key that seals from now on; `run` brings the stored secrets after. Throws ConfigError where the operator keeps the keys. */
  async rotate(): Promise<SealingState> {
    if (this.#keys.isGiven) throw keyProblem('SELLER_AGENT_MASTER_KEY', GIVEN, GIVEN_FIX);
    if (this.#isShared) throw keyProblem('keys/master.json', SHARED, SHARED_FIX);
    this.#keys.generate();
    await this.#noteActive();
    return this.state;
  }

  /**
   * Seals every secret with the present key, slice by slice, unless another process seals with another key. Returns whether anything
   * changed.
   */
  async run(isStopped: () => boolean): Promise<boolean> {
    if (this.#isShared && monotonicMs() >= this.#noteAgainAt) await this.#noteActive();
    if (this.state.isComplete || (await this.#isOtherUsed(this.#engine.reading))) return false;
    const { id } = this.#keys.active;
    let changed = 0;
    for (const column of this.#resealed) {
      let after = 0;
      await runSlices(async (limit) => {
        const slice = await this.#renewSlice(column, after, Math.min(limit, MAX_SLICE_ROWS));
        changed += slice.changed;
        after = slice.last ?? after;
        return slice.last !== undefined;
      }, isStopped);
    }
    // Somebody may have rotated meanwhile: the next run goes on with that key.
    if (isStopped() || id !== this.#keys.active.id) return changed > 0;
    const isComplete = await this.#engine.transact(async (tx) => {
      if (await this.#isOtherUsed(tx)) return false;
      tx.write(sql`DELETE FROM sealing WHERE key_id <> ${id}`.compile(this.#engine.queries), {});
      tx.write({ sql: 'UPDATE sealing SET is_complete = 1', parameters: [] }, {});
      return true;
    });
    await this.#readRows();
    if (isComplete) this.#keys.forgetOthers();
    return changed > 0;
  }

  async #renewSlice({ column, key, sealed, table }: ResealedColumn, after: number, limit: number) {
    const { queries } = this.#engine;
    const [id, stored, from] = [sql.ref(key), sql.ref(column), sql.table(table)];
    return this.#engine.transact(async (tx) => {
      const rows = await tx.all<object, { id: number; stored: string }>(
        sql<{ id: number; stored: string }>`SELECT ${id} AS id, ${stored} AS stored FROM ${from}
          WHERE ${id} > ${after} AND ${stored} IS NOT NULL ORDER BY ${id} LIMIT ${limit}`.compile(queries),
        {},
      );
      let changed = 0;
      for (const row of rows) {
        const renewed = sealed.renew(row.stored);
        if (renewed === undefined) continue;
        const update = sql`UPDATE ${from} SET ${stored} = ${renewed} WHERE ${id} = ${row.id}`;
        changed += await tx.run(update.compile(queries), {});
      }
      return { changed, last: rows.at(-1)?.id };
    });
  }

  /** Notes that this process seals with its key, for the others. Throws ConfigError where another one seals with a key that is not here. */
  async #noteActive(): Promise<void> {
    const { id } = this.#keys.active;
    if (!this.#isShared && this.#rows.some(({ key_id }) => key_id === id)) return;
    const proof = this.#sealer.seal(PROOF, PROOF);
    const { name, queries } = this.#engine;
    const insert = sql`INSERT INTO sealing (key_id, proof, is_complete, used_until)
      VALUES (${id}, ${proof}, 0, ${presentMs(name, 0)} + ${USED_MS})
      ON CONFLICT (key_id) DO UPDATE SET used_until = excluded.used_until`;
    await this.#engine.transact(async (tx) => {
      for (const row of await tx.all(ALL_KEYS, {})) this.#prove(row);
      await tx.run(insert.compile(queries), {});
    });
    this.#noteAgainAt = monotonicMs() + NOTE_EVERY_MS;
    await this.#readRows();
  }

  /** Whether another process seals with another key. */
  async #isOtherUsed(reading: Reading): Promise<boolean> {
    if (!this.#isShared) return false;
    const { name, queries } = this.#engine;
    const query = sql<object>`SELECT key_id FROM sealing
      WHERE key_id <> ${this.#keys.active.id} AND used_until > ${presentMs(name, 0)}`;
    return (await reading.one<object, object>(query.compile(queries), {})) !== undefined;
  }

  get #isShared(): boolean {
    return this.#engine.name === 'postgres';
  }

  async #readRows(): Promise<void> {
    this.#rows = await this.#engine.reading.all(ALL_KEYS, {});
  }

  #prove({ key_id, proof }: KeyRow): void {
    if (this.#keys.find(key_id) === undefined)
      throw keyProblem('keys/master.json', describeMissingKey(key_id), MISSING_FIX);
    this.#sealer.open(proof, PROOF);
  }
}

function listColumns(columns: SealedColumns): readonly ResealedColumn[] {
  return [
    { table: 'media_buy', key: 'seq', column: 'doc', sealed: columns.callbacks },
    { table: 'task', key: 'seq', column: 'doc', sealed: columns.tasks },
    { table: 'a2a_push', key: 'seq', column: 'doc', sealed: columns.pushes },
    { table: 'catalog', key: 'seq', column: 'doc', sealed: columns.catalogs },
    { table: 'governance_agent', key: 'seq', column: 'doc', sealed: columns.agents },
    { table: 'followed_list', key: 'seq', column: 'doc', sealed: columns.followed },
    { table: 'inventory_list', key: 'seq', column: 'doc', sealed: columns.lists },
    { table: 'account_subscriber', key: 'seq', column: 'doc', sealed: columns.subscribers },
    { table: 'governance_approval', key: 'seq', column: 'doc', sealed: columns.approvals },
    { table: 'rights_grant', key: 'seq', column: 'doc', sealed: columns.grants },
    { table: 'governed_action', key: 'seq', column: 'doc', sealed: columns.actions },
    { table: 'governance_entry', key: 'seq', column: 'doc', sealed: columns.entries },
    { table: 'shared_secret', key: 'seq', column: 'sealed', sealed: columns.secrets },
    { table: 'idempotency', key: 'seq', column: 'response', sealed: columns.answers },
    { table: 'webhook_event', key: 'seq', column: 'channel', sealed: columns.channels },
    { table: 'webhook_body', key: 'event_seq', column: 'body', sealed: columns.bodies },
  ];
}

function describeMissingKey(id: string): string {
  return `the secrets in the database are sealed with the master key ${id}, which is not here`;
}

const MISSING_FIX =
  'Put keys/master.json of the data folder back from the backup, or set SELLER_AGENT_MASTER_KEY to that key (several with commas, the one that seals first).';
const SHARED = 'processes share the database, and each needs the new key';
const SHARED_FIX =
  'Give all of them SELLER_AGENT_MASTER_KEY, first as "<old key>,<new key>", then as "<new key>,<old key>".';
const GIVEN = 'the master key comes from the environment, so it is not made here';
const GIVEN_FIX =
  'Set it to "<new key>,<old key>" and start the server again; it says in the log when the old key can go.';
