import type { EngineStats, Reading, Writing } from '../../platform/database/engine.js';
import { openSqlite } from '../../platform/database/sqlite/sqlite.js';
import { type AliasChange, NOUNS, type Noun, type RecordChange } from '../model/records.js';
import { SERVICE_NOUNS, type ServiceNoun } from '../server/service/nouns.js';
import { type CrawlReads, type CrawlWrites, crawlRepository } from '../server/store/crawl.js';
import { CRAWL_MIGRATIONS } from '../server/store/migrations-crawl.js';
import { SERVICE_MIGRATIONS } from '../server/store/migrations-service.js';
import { type ServiceReads, type ServiceWrites, serviceRepository } from '../server/store/service.js';
import { type EventReads, type EventWrites, eventRepository } from './events.js';
import { RECORD_MIGRATIONS } from './migrations.js';
import {
  type LinkReads,
  type LinkWrites,
  linkRepository,
  type RecordReads,
  type RecordWrites,
  recordRepository,
} from './records.js';
import type { RegistryTables } from './schema.js';

/** What a reader of a registry's file may use. */
export type RegistryReader = { readonly [N in Noun]: RecordReads<N> } & {
  readonly [N in ServiceNoun]: ServiceReads<N>;
} & {
  readonly links: LinkReads;
  readonly events: EventReads;
  readonly crawl: CrawlReads;
};

/** What a transaction on a registry's file may use. It reads its own writes. */
export type RegistryWriter = { readonly [N in Noun]: RecordWrites<N> } & {
  readonly [N in ServiceNoun]: ServiceWrites<N>;
} & {
  readonly links: LinkWrites;
  readonly events: EventWrites;
  readonly crawl: CrawlWrites;
  /** Calls back once the transaction is on disk, and never if it is undone. */
  readonly onCommit: Writing['onCommit'];
};

/** The records of a registry, of a mirror and of the service alike. */
export type RegistryStore = {
  readonly file: string;
  readonly read: RegistryReader;
  /** One transaction: all of it is on disk before the promise resolves, or none of it ever happened. May run more than once. */
  readonly transact: <T>(work: (tx: RegistryWriter) => Promise<T>) => Promise<T>;
  /** Calls back with every change of a record that is on disk, in their order, before its transaction is answered; answers how to end it. */
  readonly follow: (listener: (change: RecordChange | AliasChange) => void) => () => void;
  readonly ping: () => Promise<void>;
  readonly stats: () => EngineStats;
  readonly close: () => Promise<void>;
};

/**
 * Opens a registry's file, creating and migrating it as needed; as a `copy` where it mirrors another registry (see `openSqlite`). Only one
 * process may hold it (`holdFolder`).
 */
export function openRegistryStore(file: string, way: 'original' | 'copy' = 'original'): RegistryStore {
  const migrations = [...RECORD_MIGRATIONS, ...SERVICE_MIGRATIONS, ...CRAWL_MIGRATIONS];
  const engine = openSqlite<RegistryTables>(file, { migrations, durability: way });
  const builder = engine.queries;
  const nouns = NOUNS.map((noun) => [noun, recordRepository(builder, noun)] as const);
  const services = SERVICE_NOUNS.map((noun) => [noun, serviceRepository(builder, noun)] as const);
  const links = linkRepository(builder);
  const events = eventRepository(builder);
  const crawl = crawlRepository(builder);
  const listeners = new Set<(change: RecordChange | AliasChange) => void>();
  const tell = (change: RecordChange | AliasChange): void => {
    for (const listener of listeners) listener(change);
  };
  const reader = (tx: Reading): RegistryReader =>
    ({
      ...Object.fromEntries(nouns.map(([noun, repository]) => [noun, repository.reads(tx)])),
      ...Object.fromEntries(services.map(([noun, repository]) => [noun, repository.reads(tx)])),
      links: links.reads(tx),
      events: events.reads(tx),
      crawl: crawl.reads(tx),
    }) as RegistryReader;
  const writerOf = new WeakMap<Writing, RegistryWriter>();
  const writer = (tx: Writing): RegistryWriter => {
    const made =
      writerOf.get(tx) ??
      ({
        ...Object.fromEntries(nouns.map(([noun, repository]) => [noun, repository.writes(tx, tell)])),
        ...Object.fromEntries(services.map(([noun, repository]) => [noun, repository.writes(tx)])),
        links: links.writes(tx, tell),
        events: events.writes(tx),
        crawl: crawl.writes(tx),
        onCommit: (listener) => tx.onCommit(listener),
      } as RegistryWriter);
    writerOf.set(tx, made);
    return made;
  };
  return {
    file,
    read: reader(engine.reading),
    transact: (work) => engine.transact((tx) => work(writer(tx))),
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ping: () => engine.ping(),
    stats: () => engine.stats(),
    close: () => engine.close(),
  };
}
