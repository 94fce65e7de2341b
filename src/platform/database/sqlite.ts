import { mkdirSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { MIGRATIONS } from '../../seller/store/schema/migrations.js';
import type { Migration, Schema } from '../../seller/store/schema/schema.js';
import { yieldToEventLoop } from '../kernel/event-loop.js';
import type { Engine, Reading, Writing } from './engine.js';
import { bind, type Statement } from './statement.js';

type Prepared = {
  run: (values: readonly unknown[]) => { changes: number };
  get: (values: readonly unknown[]) => unknown;
  all: (values: readonly unknown[]) => unknown[];
};
type Connection = { prepare: (sql: string) => Prepared; exec: (sql: string) => void; close: () => void };

type Job = { readonly work: (tx: Writing) => Promise<unknown>; readonly settle: (outcome: Outcome) => void };
type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** A job failed after it had written, among others that did not. */
class Spoiled extends Error {}

/**
 * How a file is written. An `original` is on disk before a transaction is answered. A `copy` is of something that can be read again: after a
 * power cut it stands where it stood a moment before, whole, and nobody waits for the disk; a process that is killed loses nothing.
 */
const WAYS = {
  original: ['PRAGMA synchronous=FULL', 'PRAGMA wal_autocheckpoint=4000'],
  copy: ['PRAGMA synchronous=NORMAL', 'PRAGMA wal_autocheckpoint=500'],
} as const;

/** At most this many transactions share one commit, so that none waits long for its neighbours. */
const GROUP = 256;

/**
 * Opens the embedded engine on one file: write-ahead log, fsync before a transaction is answered, one writer, one reader.
 * Transactions that arrive together are committed together, so that one fsync serves them all. When one of them has to be
 * undone, all run again, with a savepoint each.
 */
export function openSqlite(
  file: string,
  { schema }: { readonly schema: Schema },
  migrations: readonly Migration[] = MIGRATIONS,
  way: keyof typeof WAYS = 'original',
): Engine {
  mkdirSync(path.dirname(file), { recursive: true });
  const writer = connect(file, ['PRAGMA journal_mode=WAL', 'PRAGMA cache_size=-12288', ...WAYS[way]]);
  migrate(writer, schema, migrations);
  const reader = connect(file, ['PRAGMA query_only=ON', 'PRAGMA cache_size=-6144']);
  const reading = readsOf(statementsOf(reader));
  const prepare = statementsOf(writer);
  let writes = 0;
  let afterwards: (() => void)[] = [];
  const writing: Writing = {
    ...readsOf(prepare),
    run: async (statement, params) => {
      writes += 1;
      return prepare(statement.sql).run(bind(statement, params)).changes;
    },
    onCommit: (then) => {
      afterwards.push(then);
    },
    rehearse: async (work, keep = () => false) => {
      const before = { writes, heard: afterwards.length };
      let kept = false;
      writer.exec('SAVEPOINT rehearsal');
      try {
        const outcome = await work();
        kept = keep(outcome);
        return outcome;
      } finally {
        if (!kept) {
          writer.exec('ROLLBACK TO rehearsal');
          writes = before.writes;
          afterwards.length = before.heard;
        }
        writer.exec('RELEASE rehearsal');
      }
    },
  };
  const jobs: Job[] = [];
  let draining: Promise<void> | undefined;
  let closed = false;
  let commits = 0;
  let transactions = 0;

  async function drain(): Promise<void> {
    // Everything that arrives in this turn of the event loop joins the same commit.
    await yieldToEventLoop();
    try {
      while (jobs.length > 0) await commitGroup(jobs.splice(0, GROUP));
    } finally {
      draining = undefined;
    }
  }

  async function commitGroup(group: readonly Job[]): Promise<void> {
    let outcomes: readonly Outcome[];
    try {
      outcomes = await runGroup(group, runTogether).catch((error: unknown) => {
        if (!(error instanceof Spoiled)) throw error;
        return runGroup(group, runApart);
      });
    } catch (error) {
      group.forEach((job) => {
        job.settle({ ok: false, error });
      });
      return;
    }
    try {
      for (const then of afterwards) then();
    } finally {
      // Refusals wait for the commit too: one may be about a neighbour's row, which is not there before. What is on disk is
      // answered also when a listener fails.
      group.forEach((job, index) => {
        job.settle(outcomes[index] ?? { ok: false, error: new Error('a transaction was not run') });
      });
    }
  }

  async function runGroup(group: readonly Job[], runJob: (job: Job) => Promise<Outcome>): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    afterwards = [];
    try {
      writer.exec('BEGIN IMMEDIATE');
      for (const job of group) outcomes.push(await runJob(job));
      writer.exec('COMMIT');
    } catch (error) {
      rollback();
      throw error;
    }
    commits += 1;
    transactions += group.length;
    return outcomes;
  }

  async function runTogether(job: Job): Promise<Outcome> {
    const before = writes;
    const outcome = await outcomeOf(job);
    if (!outcome.ok && writes > before) throw new Spoiled();
    return outcome;
  }

  async function runApart(job: Job): Promise<Outcome> {
    const heard = afterwards.length;
    writer.exec('SAVEPOINT job');
    const outcome = await outcomeOf(job);
    if (!outcome.ok) {
      writer.exec('ROLLBACK TO job');
      afterwards.length = heard;
    }
    writer.exec('RELEASE job');
    return outcome;
  }

  async function outcomeOf(job: Job): Promise<Outcome> {
    try {
      return { ok: true, value: await job.work(writing) };
    } catch (error) {
      return { ok: false, error };
    }
  }

  function rollback(): void {
    try {
      writer.exec('ROLLBACK');
    } catch {
      // The failed statement has already ended the transaction.
    }
  }

  return {
    reading,
    transact: <T>(work: (tx: Writing) => Promise<T>) => {
      if (closed) return Promise.reject(new Error('the store is closed'));
      return new Promise<T>((resolve, reject) => {
        jobs.push({ work, settle: (outcome) => (outcome.ok ? resolve(outcome.value as T) : reject(outcome.error)) });
        draining ??= drain();
      });
    },
    ping: async () => {
      await reading.all({ sql: 'select 1', parameters: [] }, {});
    },
    stats: () => ({ commits, transactions }),
    close: async () => {
      closed = true;
      await draining;
      reader.close();
      writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      writer.close();
    },
  };
}

function connect(file: string, pragmas: readonly string[]): Connection {
  const database = new Libsql(file, { timeout: 5000 });
  const connection: Connection = {
    prepare: (sql) => {
      const prepared = database.prepare(sql);
      return {
        // Given as one list, the values are bound without being copied.
        run: (values) => prepared.run(values),
        get: (values) => prepared.get(values),
        all: (values) => prepared.all(values),
      };
    },
    exec: (sql) => {
      database.exec(sql);
    },
    close: () => {
      database.close();
    },
  };
  for (const pragma of pragmas) connection.prepare(pragma).all([]);
  return connection;
}

type Prepare = (sql: string) => Prepared;

/** Statements are compiled once per text. */
function statementsOf(connection: Connection): Prepare {
  const cache = new Map<string, Prepared>();
  return (sql) => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    const fresh = connection.prepare(sql);
    // Queries shaped by a request come in endless variety; only so many are kept.
    if (cache.size >= 500) cache.clear();
    cache.set(sql, fresh);
    return fresh;
  };
}

function readsOf(prepare: Prepare): Reading {
  return {
    one: async <Params extends object, Row>(statement: Statement<Params, Row>, params: Params) =>
      prepare(statement.sql).get(bind(statement, params)) as Row | undefined,
    all: async <Params extends object, Row>(statement: Statement<Params, Row>, params: Params) =>
      prepare(statement.sql).all(bind(statement, params)) as Row[],
  };
}

function migrate(connection: Connection, schema: Schema, migrations: readonly Migration[]): void {
  connection.exec('CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY)');
  const done = connection.prepare('SELECT number FROM migration').all([]).length;
  if (done > migrations.length) throw new Error('this store was written by a newer version of seller-agent');
  migrations.slice(done).forEach((migration, index) => {
    connection.exec('BEGIN IMMEDIATE');
    for (const step of migration(schema, 'sqlite')) connection.exec(step.compile().sql);
    connection.prepare('INSERT INTO migration VALUES (?)').run([done + index + 1]);
    connection.exec('COMMIT');
  });
}
