import type { EngineStats, Reading, Writing } from '../../platform/database/engine.js';
import { openSqlite } from '../../platform/database/sqlite/sqlite.js';
import type { Builder } from '../../platform/database/statement.js';
import { type AliasChange, NOUNS, type Noun, type RecordChange } from '../model/records.js';
import { type EventReads, type EventWrites, eventRepository } from './events.js';
import { Lookups } from './lookups/lookups.js';
import { rebuildLookups, type ScanRecords } from './lookups/rebuild.js';
import {
  type LinkReads,
  type LinkWrites,
  linkRepository,
  type RecordReads,
  type RecordWrites,
  recordRepository,
} from './records.js';
import { CRAWL_MIGRATIONS } from './schema/crawl.js';
import { LOOKUP_MIGRATIONS } from './schema/lookups.js';
import { RECORD_MIGRATIONS } from './schema/records.js';
import type { RegistryTables } from './schema/schema.js';
import { SERVICE_MIGRATIONS } from './schema/service.js';

/** What a reader of a registry's file may use. */
export type RegistryReader = { readonly [N in Noun]: RecordReads<N> } & {
  readonly links: LinkReads;
  readonly events: EventReads;
};

/** What a transaction on a registry's file may use. It reads its own writes. */
export type RegistryWriter = { readonly [N in Noun]: RecordWrites<N> } & {
  readonly links: LinkWrites;
  readonly events: EventWrites;
  /** Calls back once the transaction is on disk, and never if it is undone. */
  readonly onCommit: Writing['onCommit'];
};

/** Repositories of the same file that its opener brings beside those of the records. */
export type MoreRepositories<Reads, Writes> = (db: Builder<RegistryTables>) => {
  readonly reads: (tx: Reading) => Reads;
  readonly writes: (tx: Writing) => Writes;
};

/** The records of a registry or of a mirror; a registry service adds its own repositories as `Reads` and `Writes`. */
export type RegistryStore<Reads = unknown, Writes = unknown> = {
  readonly file: string;
  readonly read: RegistryReader & Reads;
  /** One transaction: all of it is on disk before the promise resolves, or none of it ever happened. May run more than once. */
  readonly transact: <T>(work: (tx: RegistryWriter & Writes) => Promise<T>) => Promise<T>;
  /** Calls back with every change of a record that is on disk, in their order, before its transaction is answered; answers how to end it. */
  readonly follow: (listener: (change: RecordChange | AliasChange) => void) => () => void;
  /** What authorizations are looked up in. It follows the records in their own transactions. */
  readonly lookups: Lookups;
  /** Writes what authorizations are looked up in anew from the records, beside the edition that answers meanwhile. */
  readonly rebuildLookups: () => Promise<void>;
  readonly ping: () => Promise<void>;
  readonly stats: () => EngineStats;
  readonly close: () => Promise<void>;
};

/**
 * Opens a registry's file, creating and migrating it as needed; as a `copy` where it mirrors another registry (see `openSqlite`). Only one
 * process may hold it (`holdFolder`).
 */
export function openRegistryStore(file: string, way?: 'original' | 'copy'): RegistryStore;
export function openRegistryStore<Reads, Writes>(
  file: string,
  way: 'original' | 'copy',
  more: MoreRepositories<Reads, Writes>,
): RegistryStore<Reads, Writes>;
export function openRegistryStore<Reads, Writes>(
  file: string,
  way: 'original' | 'copy' = 'original',
  openMore?: MoreRepositories<Reads, Writes>,
): RegistryStore<Reads, Writes> {
  const migrations = [...RECORD_MIGRATIONS, ...SERVICE_MIGRATIONS, ...CRAWL_MIGRATIONS, ...LOOKUP_MIGRATIONS];
  const engine = openSqlite<RegistryTables>(file, { migrations, durability: way });
  const builder = engine.queries;
  const nouns = NOUNS.map((noun) => [noun, recordRepository(builder, noun)] as const);
  const repositories = Object.fromEntries(nouns);
  // The repository is the noun's own, which the compiler cannot see through the table.
  const scan = ((tx: Reading, noun: Noun, { at, limit }: { at: number; limit: number }) =>
    repositories[noun]?.reads(tx).scan(at, limit)) as ScanRecords;
  const links = linkRepository(builder);
  const events = eventRepository(builder);
  const more = openMore?.(builder);
  const lookups = new Lookups(builder, engine.direct);
  const listeners = new Set<(change: RecordChange | AliasChange) => void>();
  const tell = (change: RecordChange | AliasChange): void => {
    for (const listener of listeners) listener(change);
  };
  const reader = (tx: Reading): RegistryReader & Reads =>
    ({
      ...Object.fromEntries(nouns.map(([noun, repository]) => [noun, repository.reads(tx)])),
      links: links.reads(tx),
      events: events.reads(tx),
      ...more?.reads(tx),
    }) as RegistryReader & Reads;
  const writerOf = new WeakMap<Writing, RegistryWriter & Writes>();
  const writer = (tx: Writing): RegistryWriter & Writes => {
    const made =
      writerOf.get(tx) ??
      ({
        ...Object.fromEntries(nouns.map(([noun, repository]) => [noun, repository.writes(tx, { tell, lookups })])),
        links: links.writes(tx, { tell, lookups }),
        events: events.writes(tx),
        onCommit: (listener) => tx.onCommit(listener),
        ...more?.writes(tx),
      } as RegistryWriter & Writes);
    writerOf.set(tx, made);
    return made;
  };
  return {
    file,
    read: reader(engine.reading),
    lookups,
    transact: (work) =>
      engine.transact(async (tx) => {
        lookups.begin();
        const outcome = await work(writer(tx));
        await lookups.end(tx);
        return outcome;
      }),
    rebuildLookups: () => rebuildLookups(engine, lookups, scan),
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ping: () => engine.ping(),
    stats: () => engine.stats(),
    close: () => engine.close(),
  };
}
