import { existsSync, rmSync } from 'node:fs';
import type { Reading } from '../../../platform/database/engine.js';
import { FileProblem } from '../../../platform/database/file-problem.js';
import type { Log } from '../../../platform/kernel/log.js';
import { type Loop, startLoop } from '../../../platform/kernel/loop.js';
import { NOUNS, type Noun, type RecordChange } from '../../model/records.js';
import { openRegistryStore, type RegistryReader, type RegistryStore } from '../registry-store.js';
import type { ChangeLog, LoggedChange } from './change-log.js';

/** How often the changes of other processes are asked for, in ms. */
const POLL_MS = 500;
/** Rows that are read, and written, at a time. */
const CHUNK = 500;

/** The row of the cursor by which a replica knows again which change it holds last. */
const SOURCE = 'the shared store';

/** Why a replica does not go on. */
export const BEHIND = 'this process stood still for so long that it has missed changes of the others: restart it';

/** The source of a replica: the changes of a shared store, and what reads it. */
type ReplicaSource = {
  readonly changes: ChangeLog;
  readonly reading: Reading;
  readonly read: RegistryReader;
};

/**
 * The records of a shared store once more in a file of this process, where authorizations are looked up and what follows the records
 * hears of changes: of its own before they are answered, of those of others within a second. The next start goes on with the file where
 * the log still has the change that the file holds last.
 */
export class Replica {
  readonly store: RegistryStore;
  readonly #source: ReplicaSource;
  readonly #loop: Loop;
  /** The change that the file holds last. */
  #last: LoggedChange;
  #reading: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #isBehind = false;

  private constructor(store: RegistryStore, source: ReplicaSource, last: LoggedChange, log: Log) {
    this.store = store;
    this.#source = source;
    this.#last = last;
    this.#loop = startLoop('changes of the shared store', POLL_MS, log, () => this.catchUp());
  }

  /** Goes on with the file of an earlier start, or copies what the store has by now into a new one. `newest` is the log's last change. */
  static async open(file: string, source: ReplicaSource, newest: LoggedChange, log: Log): Promise<Replica> {
    const { last, store } = (await reopen(file, source)) ?? (await copy(file, source, newest));
    try {
      const replica = new Replica(store, source, last, log);
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
    return Math.max(0, (await this.#source.changes.findLast(this.#source.reading)).seq - this.#last.seq);
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
      const [before, ...changes] = await log.read(reading, this.#last.seq, CHUNK);
      this.#isBehind = before?.seq !== this.#last.seq;
      if (this.#isBehind) throw new Error(BEHIND);
      const last = changes.at(-1);
      if (last !== undefined)
        await this.store.transact(async (tx) => {
          await applyChanges(tx, changes);
          await saveLast(tx, last);
        });
      this.#last = last ?? this.#last;
      isMore = changes.length === CHUNK - 1;
    }
  }
}

/** A file that holds all changes up to one. */
type ReplicaFile = { readonly store: RegistryStore; readonly last: LoggedChange };

/** Opens the file that an earlier start left; undefined where there is none, or none that the log goes on from. */
async function reopen(file: string, { changes, reading }: ReplicaSource): Promise<ReplicaFile | undefined> {
  const store = openStored(file);
  const stored = await store?.read.events.cursorOf(SOURCE);
  const [last] = stored === undefined ? [] : await changes.read(reading, Number.parseInt(stored.cursor, 10), 1);
  if (store !== undefined && last !== undefined && nameOf(last) === stored?.cursor) return { store, last };
  await store?.close();
  return undefined;
}

/** Opens the stored file; undefined where it is not there, damaged, or of a newer version, and made anew. */
function openStored(file: string): RegistryStore | undefined {
  try {
    return existsSync(file) ? openRegistryStore(file, 'copy') : undefined;
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
}

/** Copies all records into a new file, which counts once it is whole. */
async function copy(file: string, { read }: ReplicaSource, last: LoggedChange): Promise<ReplicaFile> {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  const store = openRegistryStore(file, 'copy');
  try {
    await copyRecords(read, store);
    await store.transact((tx) => saveLast(tx, last));
    return { store, last };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function saveLast(tx: ReplicaWriter, last: LoggedChange): Promise<void> {
  return tx.events.saveCursor(SOURCE, { cursor: nameOf(last), syncedAt: 0, basis: 'records' });
}

/** Names a change so that no other database, and none that was restored from a backup, has one of that name. */
function nameOf({ at_ms, id, noun, seq }: LoggedChange): string {
  return `${seq} ${at_ms} ${noun} ${id}`;
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
