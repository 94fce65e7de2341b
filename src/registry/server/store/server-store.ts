import type { Reading, Writing } from '../../../platform/database/engine.js';
import type { DatabaseGuard } from '../../../platform/database/identity.js';
import type { Builder } from '../../../platform/database/statement.js';
import type { Log } from '../../../platform/kernel/log.js';
import {
  openRegistryStore,
  type RegistryReader,
  type RegistryStore,
  type RegistryWriter,
} from '../../store/registry-store.js';
import { type NoteRow, rowChangeRepository } from '../../store/row-changes.js';
import { type RegistryTables, SERVICE_RECORD_KINDS, type ServiceRecordKind } from '../../store/schema/schema.js';
import { CallCountWriter, callCountStatements } from './call-counts.js';
import { CrawlReader, CrawlWriter } from './crawl/crawl.js';
import { crawlStatements } from './crawl/statements.js';
import { PropertyCheckReader, PropertyCheckWriter, propertyCheckStatements } from './property-checks.js';
import { ReplicationReader, ReplicationWriter, replicationStatements } from './replication.js';
import { RowCountReader, RowCountWriter, rowCountStatements } from './row-counts.js';
import { ServiceReader, ServiceWriter, serviceStatements } from './service.js';

type ServerReads = { readonly [K in ServiceRecordKind]: ServiceReader<K> } & {
  readonly crawl: CrawlReader;
  readonly counts: RowCountReader;
  readonly propertyChecks: PropertyCheckReader;
  readonly replication: ReplicationReader;
};
type ServerWrites = { readonly [K in ServiceRecordKind]: ServiceWriter<K> } & {
  readonly crawl: CrawlWriter;
  readonly calls: CallCountWriter;
  readonly counts: RowCountWriter;
  readonly propertyChecks: PropertyCheckWriter;
  readonly replication: ReplicationWriter;
};

/** Reads of a registry service's file. */
export type ServerReader = RegistryReader & ServerReads;

/** Reads and writes of one transaction of a registry service. */
export type ServerWriter = RegistryWriter & ServerWrites;

/** The file of a registry service: the records, and beside them its members, entries and crawls. */
export type ServerStore = RegistryStore<ServerReads, ServerWrites>;

/** This process's part of a store that several share: the file of its replica, its name, and its log. */
type SharedServerOptions = { readonly file: string; readonly processId: string; readonly log: Log };

/** Opens the database that several registry services share, see `openSharedRegistryStore`. */
export async function openSharedServerStore(url: string, options: SharedServerOptions): Promise<ServerStore> {
  const { openSharedRegistryStore } = await import('../../store/shared/shared-store.js');
  return openSharedRegistryStore<ServerReads, ServerWrites>(url, { ...options, more: serverRepositories });
}

/** Opens the file of a registry service, creating and migrating it as needed. Only one process may hold it. */
export function openServerStore(file: string, guard?: DatabaseGuard): ServerStore {
  return openRegistryStore<ServerReads, ServerWrites>(file, 'original', { more: serverRepositories, guard });
}

function serverRepositories(db: Builder<RegistryTables>) {
  const kinds = SERVICE_RECORD_KINDS.map((kind) => [kind, lazily(() => serviceStatements(db, kind))] as const);
  const crawl = lazily(() => crawlStatements(db));
  const calls = lazily(() => callCountStatements(db));
  const counts = lazily(() => rowCountStatements(db));
  const propertyChecks = lazily(() => propertyCheckStatements(db));
  const replication = lazily(() => replicationStatements(db));
  const changes = lazily(() => rowChangeRepository(db));
  const note: NoteRow = (tx, kind, id) => changes().note(tx, kind, id);
  return {
    // Every kind has a repository of its own type, which the compiler cannot see through the list.
    reads: (tx: Reading) =>
      ({
        ...Object.fromEntries(kinds.map(([kind, statements]) => [kind, new ServiceReader(tx, statements)])),
        crawl: new CrawlReader(tx, crawl, new RowCountReader(tx, counts)),
        counts: new RowCountReader(tx, counts),
        propertyChecks: new PropertyCheckReader(tx, propertyChecks),
        replication: new ReplicationReader(tx, replication),
      }) as ServerReads,
    writes: (tx: Writing) => {
      const counted = new RowCountWriter(tx, counts);
      return {
        ...Object.fromEntries(
          kinds.map(([kind, statements]) => [kind, new ServiceWriter(tx, { statements, kind, note, counts: counted })]),
        ),
        crawl: new CrawlWriter(tx, crawl, { note, counts: counted }),
        calls: new CallCountWriter(tx, calls),
        counts: counted,
        propertyChecks: new PropertyCheckWriter(tx, propertyChecks),
        replication: new ReplicationWriter(tx, replication),
      } as ServerWrites;
    },
  };
}

/** Returns a function that makes a value when it is first called: a registry that starts compiles no statement. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
