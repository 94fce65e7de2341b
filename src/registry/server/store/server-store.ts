import type { Reading, Writing } from '../../../platform/database/engine.js';
import type { Builder } from '../../../platform/database/statement.js';
import {
  openRegistryStore,
  type RegistryReader,
  type RegistryStore,
  type RegistryWriter,
} from '../../store/registry-store.js';
import { type RegistryTables, SERVICE_NOUNS, type ServiceNoun } from '../../store/schema/schema.js';
import { type CrawlReads, type CrawlWrites, crawlRepository } from './crawl.js';
import { type ServiceReads, type ServiceWrites, serviceRepository } from './service.js';

type ServerReads = { readonly [N in ServiceNoun]: ServiceReads<N> } & { readonly crawl: CrawlReads };
type ServerWrites = { readonly [N in ServiceNoun]: ServiceWrites<N> } & { readonly crawl: CrawlWrites };

/** What a reader of a registry service's file may use. */
export type ServerReader = RegistryReader & ServerReads;

/** What a transaction of a registry service may use. */
export type ServerWriter = RegistryWriter & ServerWrites;

/** The file of a registry service: the records, and beside them its members, entries and crawls. */
export type ServerStore = RegistryStore<ServerReads, ServerWrites>;

/** Opens the file of a registry service, creating and migrating it as needed. Only one process may hold it. */
export function openServerStore(file: string): ServerStore {
  return openRegistryStore<ServerReads, ServerWrites>(file, 'original', serverRepositories);
}

function serverRepositories(db: Builder<RegistryTables>) {
  const services = SERVICE_NOUNS.map((noun) => [noun, serviceRepository(db, noun)] as const);
  const crawl = crawlRepository(db);
  return {
    // Every noun has a repository of its own kind, which the compiler cannot see through the list.
    reads: (tx: Reading) =>
      ({
        ...Object.fromEntries(services.map(([noun, repository]) => [noun, repository.reads(tx)])),
        crawl: crawl.reads(tx),
      }) as ServerReads,
    writes: (tx: Writing) =>
      ({
        ...Object.fromEntries(services.map(([noun, repository]) => [noun, repository.writes(tx)])),
        crawl: crawl.writes(tx),
      }) as ServerWrites,
  };
}
