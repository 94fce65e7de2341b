import { requireWhole } from '../../../platform/database/copy/unfinished-copy.js';
import type { Engine, TransactionOptions, Writing } from '../../../platform/database/engine.js';
import { type Leases, openLeases } from '../../../platform/database/leases.js';
import { Processes } from '../../../platform/database/postgres/processes.js';
import { Sweeper } from '../../../platform/database/retention.js';
import type { Log } from '../../../platform/kernel/log.js';
import type { NoteChange } from '../records.js';
import {
  combineRepositories,
  type MoreRepositories,
  REGISTRY_MIGRATIONS,
  type RegistryStore,
} from '../registry-store.js';
import { REGISTRY_PERIODS_MS, REGISTRY_RETENTION } from '../retention.js';
import type { RegistryTables } from '../schema/schema.js';
import { ChangeLog } from './change-log.js';
import { BEHIND, Replica } from './replica.js';

/** The opener's own repositories in a shared store, and this process's part of it. */
type SharedStoreOptions<Reads, Writes> = {
  readonly more: MoreRepositories<Reads, Writes>;
  /** The file of the replica. */
  readonly file: string;
  /** Names this process to the others on the database. */
  readonly processId: string;
  readonly log: Log;
};

/** Transactions come one after the other, of all processes: the order of the feed and of the log is that of the commits. */
const ALONE: TransactionOptions = { locks: ['registry'] };

/**
 * Opens the store that several processes share in a PostgreSQL database, migrating it as needed, with the replica that this process
 * looks authorizations up in. Throws FileProblem for a database that cannot be reached, is of a newer version or holds something else.
 */
export async function openSharedRegistryStore<Reads, Writes>(
  url: string,
  { file, log, more, processId }: SharedStoreOptions<Reads, Writes>,
): Promise<RegistryStore<Reads, Writes>> {
  const { openPostgres } = await import('../../../platform/database/postgres/postgres.js');
  const engine = await openPostgres<RegistryTables>(url, {
    migrations: REGISTRY_MIGRATIONS,
    marker: 'store_change',
    log,
  });
  try {
    await requireWhole(engine.reading);
    const { queries, reading } = engine;
    const changes = new ChangeLog(queries, engine.name);
    const leases = openLeases(engine, processId);
    const note: NoteChange = (tx, change) => changes.append(tx, change);
    const { reader, writer } = combineRepositories(queries, more(queries), { leases, note });
    const read = reader(reading);
    const newest = await engine.transact((tx) => changes.start(tx), ALONE);
    const replica = await Replica.open(file, { changes, reading, read }, newest, log);
    const processes = new Processes(engine, processId);
    return { ...storeOn({ engine, changes, replica, leases, log }, writer), read, processes };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

type StoreParts = {
  readonly engine: Engine<RegistryTables>;
  readonly changes: ChangeLog;
  readonly replica: Replica;
  readonly leases: Leases;
  readonly log: Log;
};

function storeOn<Writer>(
  { changes, engine, leases, log, replica }: StoreParts,
  writer: (tx: Writing) => Writer,
): Omit<RegistryStore, 'read' | 'transact' | 'processes'> & {
  readonly transact: <T>(action: (tx: Writer) => Promise<T>) => Promise<T>;
} {
  const sweeper = new Sweeper({ engine, retention: REGISTRY_RETENTION, periodsMs: REGISTRY_PERIODS_MS });
  const { file, follow, lookups, rebuildLookups, scan } = replica.store;
  return {
    file,
    follow,
    lookups,
    rebuildLookups,
    scan,
    leases,
    transact: async (action) => {
      let isFollowed = false;
      const outcome = await engine.transact(async (tx) => {
        const done = await action(writer(tx));
        isFollowed = changes.isWrittenBy(tx);
        return done;
      }, ALONE);
      // What is on disk is answered also when it cannot be read again just now.
      if (isFollowed) await replica.catchUp().catch((error: unknown) => log.warn({ err: error }, LATE));
      return outcome;
    },
    sweep: async (nowMs, isStopped, isWanted) =>
      (await sweeper.run(nowMs, isStopped, isWanted)) +
      (await changes.prune((action) => engine.transact(action, ALONE), nowMs, isStopped)),
    ping: async () => {
      if (replica.isBehind) throw new Error(BEHIND);
      await engine.ping();
    },
    stats: () => engine.stats(),
    figures: engine.figures,
    hotTables: async () => (await engine.figures?.tables(HOT_TABLES)) ?? [],
    changesBehind: () => replica.countMissing(),
    close: async () => {
      await replica.close();
      await engine.close();
    },
  };
}

/** Tables whose rows are written with every change, or go soonest. */
const HOT_TABLES = ['store_change', 'event', 'crawl', 'crawl_request', 'lease'];

const LATE = 'a change is stored, and is looked up in this process once the database can be read';
