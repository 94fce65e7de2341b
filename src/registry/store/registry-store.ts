import type { DatabaseFigures, EngineStats, Reading, TableFigures, Writing } from '../../platform/database/engine.js';
import type { DatabaseGuard } from '../../platform/database/identity.js';
import { type Lease, type Leases, openLeases } from '../../platform/database/leases.js';
import type { Migration } from '../../platform/database/migrations.js';
import type { Processes } from '../../platform/database/postgres/processes.js';
import { Sweeper } from '../../platform/database/retention.js';
import { openSqlite } from '../../platform/database/sqlite/sqlite.js';
import type { Builder } from '../../platform/database/statement.js';
import { type EntryChange, NOUNS, type Noun, type Records, type StoreChange } from '../model/records.js';
import { type EventReads, type EventWrites, eventRepository } from './events.js';
import { Lookups } from './lookups/lookups.js';
import { rebuildLookups, type ScanRecords } from './lookups/rebuild.js';
import {
  type LinkReads,
  type LinkWrites,
  linkRepository,
  type NoteChange,
  type RecordReads,
  type RecordWrites,
  recordRepository,
  type Scan,
} from './records.js';
import { REGISTRY_PERIODS_MS, REGISTRY_RETENTION } from './retention.js';
import { rowChangeRepository } from './row-changes.js';
import { COUNT_MIGRATIONS, LATER_COUNT_MIGRATIONS } from './schema/counts.js';
import { ASSESSMENT_MIGRATIONS, CRAWL_MIGRATIONS, LATER_CRAWL_MIGRATIONS, VISIT_MIGRATIONS } from './schema/crawl.js';
import { LOOKUP_MIGRATIONS } from './schema/lookups.js';
import { PROPERTY_CHECK_MIGRATIONS } from './schema/property-checks.js';
import { RECORD_MIGRATIONS } from './schema/records.js';
import { REPLICATION_MIGRATIONS } from './schema/replication.js';
import type { RegistryTables } from './schema/schema.js';
import {
  ACT_MIGRATIONS,
  BADGE_MIGRATIONS,
  BLOCK_MIGRATIONS,
  HOLD_MIGRATIONS,
  SERVICE_MIGRATIONS,
} from './schema/service.js';
import { SHARED_MIGRATIONS } from './schema/shared.js';

/** The migrations of a registry's database, oldest first; a released one is never edited. */
export const REGISTRY_MIGRATIONS: readonly Migration[] = [
  ...RECORD_MIGRATIONS,
  ...SERVICE_MIGRATIONS,
  ...CRAWL_MIGRATIONS,
  ...LOOKUP_MIGRATIONS,
  ...SHARED_MIGRATIONS,
  ...LATER_CRAWL_MIGRATIONS,
  ...COUNT_MIGRATIONS,
  ...BLOCK_MIGRATIONS,
  ...LATER_COUNT_MIGRATIONS,
  ...VISIT_MIGRATIONS,
  ...REPLICATION_MIGRATIONS,
  ...PROPERTY_CHECK_MIGRATIONS,
  ...BADGE_MIGRATIONS,
  ...ASSESSMENT_MIGRATIONS,
  ...ACT_MIGRATIONS,
  ...HOLD_MIGRATIONS,
];

/** The file of a registry's records, in the data folder. */
export const REGISTRY_FILE = 'registry.db';

/** The reads on a registry's file. */
export type RegistryReader = { readonly [N in Noun]: RecordReads<N> } & {
  readonly links: LinkReads;
  readonly events: EventReads;
};

/** The reads and writes of a transaction on a registry's file. It reads its own writes. */
export type RegistryWriter = { readonly [N in Noun]: RecordWrites<N> } & {
  readonly links: LinkWrites;
  readonly events: EventWrites;
  /** Calls back once the transaction is on disk, and never if it is undone. */
  readonly onCommit: Writing['onCommit'];
  /** Tells those who follow the store, once the transaction is on disk, that an entry was saved. */
  readonly announce: (change: EntryChange) => Promise<void>;
  /** Keeps a lease from being taken until the transaction ends. Throws LeaseLostError where another process has it. */
  readonly requireLease: (lease: Lease) => Promise<void>;
};

/** Repositories of the same file that its opener brings beside those of the records. */
export type MoreRepositories<Reads, Writes> = (db: Builder<RegistryTables>) => {
  readonly reads: (tx: Reading) => Reads;
  readonly writes: (tx: Writing) => Writes;
};

/** The opener's own repositories, and the guard of a registry's file. */
type RegistryStoreOptions<Reads, Writes> = {
  readonly more: MoreRepositories<Reads, Writes>;
  readonly guard: DatabaseGuard | undefined;
};

/** Where a scan goes on, and how many rows it reads. */
type ScanPage = { readonly at: number; readonly limit: number };

/** The records of a registry or of a mirror; a registry service adds its own repositories as `Reads` and `Writes`. */
export type RegistryStore<Reads = unknown, Writes = unknown> = {
  readonly file: string;
  readonly read: RegistryReader & Reads;
  /** One transaction: all of it is on disk before the promise resolves, or none of it ever happened. May run more than once. */
  readonly transact: <T>(action: (tx: RegistryWriter & Writes) => Promise<T>) => Promise<T>;
  /** Calls back with every change that is on disk, in their order, before its transaction is answered; answers how to end it. */
  readonly follow: (listener: (change: StoreChange) => void) => () => void;
  /** Records in the order in which this process's file first had them. */
  readonly scan: <N extends Noun>(noun: N, page: ScanPage) => Promise<Scan<Records[N]>>;
  /** Of what one of the processes on the store does at a time. */
  readonly leases: Leases;
  /** The processes that share the database; a file has one. */
  readonly processes: Processes | undefined;
  /** What authorizations are looked up in. It follows the records in their own transactions. */
  readonly lookups: Lookups;
  /** Writes what authorizations are looked up in anew from the records, beside the edition that answers meanwhile. */
  readonly rebuildLookups: () => Promise<void>;
  /** Clears what has outlived its retention by a moment (ms), slice by slice; returns how many rows that were. */
  readonly sweep: (nowMs: number, isStopped?: () => boolean, isWanted?: (table: string) => boolean) => Promise<number>;
  readonly ping: () => Promise<void>;
  readonly stats: () => EngineStats;
  /** Of the database server; a file has none. */
  readonly figures: DatabaseFigures | undefined;
  /** Returns the figures of the tables whose rows change and go soonest; none of a file. */
  readonly hotTables: () => Promise<readonly TableFigures[]>;
  /** Returns how many changes of other processes this one has not read yet; undefined of a file, which has none. */
  readonly changesBehind: () => Promise<number | undefined>;
  readonly close: () => Promise<void>;
};

/**
 * Opens a registry's file, creating and migrating it as needed; as a `copy` where it mirrors another registry (see `openSqlite`). Only one
 * process may hold it (`holdFolder`).
 */
export function openRegistryStore(file: string, mode?: 'original' | 'copy'): RegistryStore;
export function openRegistryStore<Reads, Writes>(
  file: string,
  mode: 'original' | 'copy',
  more: RegistryStoreOptions<Reads, Writes>,
): RegistryStore<Reads, Writes>;
export function openRegistryStore<Reads, Writes>(
  file: string,
  mode: 'original' | 'copy' = 'original',
  { guard, more: openMore }: Partial<RegistryStoreOptions<Reads, Writes>> = {},
): RegistryStore<Reads, Writes> {
  const engine = openSqlite<RegistryTables>(file, { migrations: REGISTRY_MIGRATIONS, durability: mode, guard });
  const sweeper = new Sweeper({ engine, retention: REGISTRY_RETENTION, periodsMs: REGISTRY_PERIODS_MS });
  const builder = engine.queries;
  const lookups = new Lookups(builder, engine.direct);
  const leases = openLeases(engine, '');
  const listeners = new Set<(change: StoreChange) => void>();
  const { reader, scan, writer } = combineRepositories(builder, openMore?.(builder), {
    leases,
    note: async (tx, change) => {
      tx.onCommit(() => {
        for (const listener of listeners) listener(change);
      });
      if (change.noun !== 'entry') await lookups.apply(tx, change);
    },
  });
  return {
    file,
    read: reader(engine.reading),
    lookups,
    transact: (action) =>
      engine.transact(async (tx) => {
        lookups.begin();
        const outcome = await action(writer(tx));
        await lookups.end(tx);
        return outcome;
      }),
    rebuildLookups: () => rebuildLookups(engine, lookups, scan),
    scan: (noun, page) => scan(engine.reading, noun, page),
    leases,
    processes: undefined,
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    sweep: (nowMs, isStopped, isWanted) => sweeper.run(nowMs, isStopped, isWanted),
    ping: () => engine.ping(),
    stats: () => engine.stats(),
    figures: undefined,
    hotTables: async () => [],
    changesBehind: async () => undefined,
    close: () => engine.close(),
  };
}

/** The leases and the change notes that the writers of a store share. */
type WriterParts = { readonly leases: Leases; readonly note: NoteChange };

/** Makes one reader and one writer of the repositories of all nouns, and of those that the opener brings. */
export function combineRepositories<Reads, Writes>(
  builder: Builder<RegistryTables>,
  more: ReturnType<MoreRepositories<Reads, Writes>> | undefined,
  { leases, note }: WriterParts,
) {
  const changes = rowChangeRepository(builder);
  // A brand is told by no event; where there is no service there are no mirrors either.
  const noteAll: NoteChange =
    more === undefined
      ? note
      : async (tx, change) => {
          if (change.noun === 'brand') await changes.note(tx, change.noun, change.id);
          await note(tx, change);
        };
  const nouns = NOUNS.map((noun) => [noun, recordRepository(builder, noun)] as const);
  const repositories = Object.fromEntries(nouns);
  const links = linkRepository(builder);
  const events = eventRepository(builder);
  const writers = new WeakMap<Writing, RegistryWriter & Writes>();
  return {
    // The repository is the noun's own, which the compiler cannot see through the table.
    scan: ((tx: Reading, noun: Noun, page: ScanPage) => repositories[noun]?.scan(tx, page)) as ScanRecords,
    reader: (tx: Reading): RegistryReader & Reads =>
      ({
        ...Object.fromEntries(nouns.map(([noun, repository]) => [noun, repository.reads(tx)])),
        links: links.reads(tx),
        events: events.reads(tx),
        ...more?.reads(tx),
      }) as RegistryReader & Reads,
    writer: (tx: Writing): RegistryWriter & Writes => {
      const made =
        writers.get(tx) ??
        ({
          ...Object.fromEntries(nouns.map(([noun, repository]) => [noun, repository.writes(tx, noteAll)])),
          links: links.writes(tx, note),
          events: events.writes(tx),
          onCommit: (listener) => tx.onCommit(listener),
          announce: (change) => note(tx, change),
          requireLease: (lease) => leases.requireHeld(tx, lease),
          ...more?.writes(tx),
        } as RegistryWriter & Writes);
      writers.set(tx, made);
      made.events.begin();
      return made;
    },
  };
}
