import { rmSync } from 'node:fs';
import type { Reading } from '../../../platform/database/engine.js';
import type { Log } from '../../../platform/kernel/log.js';
import { type Loop, startLoop } from '../../../platform/kernel/loop.js';
import { NOUNS, type Noun, type RecordChange } from '../../model/records.js';
import { openRegistryStore, type RegistryReader, type RegistryStore } from '../registry-store.js';
import type { ChangeLog, LoggedChange } from './change-log.js';

/** How often the changes of other processes are asked for, in ms. */
const POLL_MS = 500;
/** Rows that are read, and written, at a time. */
const CHUNK = 500;

/** Why a replica does not go on. */
export const BEHIND = 'this process stood still for so long that it has missed changes of the others: restart it';

/** What a replica is of: the changes of a shared store, and what reads it. */
type ReplicaSource = {
  readonly changes: ChangeLog;
  readonly reading: Reading;
  readonly read: RegistryReader;
};

/**
 * The records of a shared store once more in a file of this process, where authorizations are looked up and what follows the records
 * hears of changes: of its own before they are answered, of those of others within a second. It is made anew at each start.
 */
export class Replica {
  readonly store: RegistryStore;
  readonly #source: ReplicaSource;
  readonly #loop: Loop;
  #at: number;
  #reading: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #isBehind = false;

  private constructor(store: RegistryStore, source: ReplicaSource, at: number, log: Log) {
    this.store = store;
    this.#source = source;
    this.#at = at;
    this.#loop = startLoop('changes of the shared store', POLL_MS, log, () => this.catchUp());
  }

  /** Copies what the store has by now into a new file, from the number `at` of the log on. */
  static async open(file: string, source: ReplicaSource, at: number, log: Log): Promise<Replica> {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    const store = openRegistryStore(file, 'copy');
    try {
      await copyRecords(source.read, store);
      const replica = new Replica(store, source, at, log);
      await replica.catchUp();
      return replica;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Whether the log went on without this process for so long that changes are missing. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Returns how many numbers of the log are behind the last one that was read. */
  async countMissing(): Promise<number> {
    return Math.max(0, (await this.#source.changes.findLast(this.#source.reading)) - this.#at);
  }

  /** Takes in everything that was committed before the call. */
  catchUp(): Promise<void> {
    if (this.#reading === undefined) return this.#start();
    // The reading in hand may have begun before the commit that the caller means.
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  /** Ends the following, and closes the file. */
  async close(): Promise<void> {
    await this.#loop.stop();
    await this.#next?.catch(() => undefined);
    await this.#reading?.catch(() => undefined);
    await this.store.close();
  }

  #start(): Promise<void> {
    this.#reading = this.#readOn().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOn(): Promise<void> {
    const { changes: log, reading } = this.#source;
    for (let isMore = true; isMore; ) {
      const [known, ...changes] = await log.read(reading, this.#at, CHUNK);
      this.#isBehind = known?.seq !== this.#at;
      if (this.#isBehind) throw new Error(BEHIND);
      if (changes.length > 0) await this.store.transact((tx) => applyChanges(tx, changes));
      this.#at = changes.at(-1)?.seq ?? this.#at;
      isMore = changes.length === CHUNK - 1;
    }
  }
}

type ReplicaWriter = Parameters<Parameters<RegistryStore['transact']>[0]>[0];

async function applyChanges(tx: ReplicaWriter, changes: readonly LoggedChange[]): Promise<void> {
  for (const { doc, id, noun } of changes) {
    if (noun === 'start') continue;
    if (noun === 'alias') await tx.links.merge(id, doc ?? '');
    else if (noun === 'entry') await tx.announce({ noun, id, doc: doc ?? '' });
    else await writeRecord(tx, noun, id, doc);
  }
}

async function writeRecord(tx: ReplicaWriter, noun: Noun, id: string, doc: string | null): Promise<void> {
  if (doc === null) await tx[noun].remove(id);
  // The record is the noun's own, which the compiler cannot see through the table.
  else await (tx[noun] as { put: (record: RecordChange['record']) => Promise<boolean> }).put(JSON.parse(doc));
}

/** Copies aliases before what may name them, and no lookups: these are made of the records in the end. */
async function copyRecords(from: RegistryReader, to: RegistryStore): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: readonly { id: string; canonical: string }[] = await from.links.aliases(after, CHUNK);
    await to.transact(async (tx) => {
      for (const { canonical, id } of rows) await tx.links.merge(id, canonical);
    });
    after = rows.length < CHUNK ? undefined : rows.at(-1)?.id;
  }
  for (const noun of NOUNS) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const rows: readonly { id: string; doc: string }[] = await from[noun].texts(after, CHUNK);
      await to.transact(async (tx) => {
        for (const { doc, id } of rows) await writeRecord(tx, noun, id, doc);
      });
      after = rows.length < CHUNK ? undefined : rows.at(-1)?.id;
    }
  }
}
