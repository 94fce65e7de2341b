import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../../../src/platform/database/postgres/postgres.js';
import { DatabaseUnavailable, LockTimeout } from '../../../../src/platform/database/unavailable.js';
import { createLog } from '../../../../src/platform/kernel/log.js';
import { databaseOf } from '../../../kit/postgres.js';

type Tables = { readonly counter: { readonly id: number; readonly value: number } };

const COUNTER = { sql: 'SELECT value FROM counter WHERE id = 1', parameters: [] };

/** Fails as a database does whose disk is full. */
const RAISED = "DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$";

async function openCounter(name: string) {
  const url = await databaseOf(name);
  const engine = await openPostgres<Tables>(url, {
    migrations: [
      (schema) => [
        schema
          .createTable('counter')
          .addColumn('id', 'integer', (c) => c.primaryKey())
          .addColumn('value', 'integer'),
      ],
    ],
    log: createLog('silent'),
  });
  onTestFinished(() => engine.close());
  return { engine, url };
}

describe('a PostgreSQL database', () => {
  it('counts every transaction once, however many run at the same time', async () => {
    const { engine } = await openCounter('every transaction once');
    await engine.transact((tx) => tx.run({ sql: 'INSERT INTO counter VALUES (1, 0)', parameters: [] }, {}));
    const before = engine.stats();
    await Promise.all(
      Array.from({ length: 40 }, () =>
        engine.transact(async (tx) => {
          const row = await tx.one<object, { value: number }>(COUNTER, {});
          await tx.run({ sql: 'UPDATE counter SET value = $1 WHERE id = 1', parameters: [(row?.value ?? 0) + 1] }, {});
        }),
      ),
    );
    expect(await engine.reading.one(COUNTER, {})).toEqual({ value: 40 });
    const { commits, retries, transactions } = engine.stats();
    expect([commits - before.commits, transactions - before.transactions]).toEqual([40, 40]);
    expect(retries, 'rivals that nothing keeps apart run again').toBeGreaterThan(0);
  });

  it('is made once by several processes that start at the same time, and open to all of them', async () => {
    const opened = await Promise.all(Array.from({ length: 4 }, () => openCounter('several processes')));
    for (const { engine } of opened)
      await engine.transact((tx) =>
        tx.run(
          {
            sql: 'INSERT INTO counter VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET value = counter.value + 1',
            parameters: [],
          },
          {},
        ),
      );
    expect(await opened[0]?.engine.reading.one(COUNTER, {})).toEqual({ value: 4 });
  });

  it('that breaks off a transaction refuses that one alone, and takes the next', async () => {
    const { engine } = await openCounter('broken off');
    const broken = engine.transact(async (tx) => {
      await tx.run({ sql: 'INSERT INTO counter VALUES (1, 1)', parameters: [] }, {});
      await tx.one({ sql: 'SELECT pg_terminate_backend(pg_backend_pid())', parameters: [] }, {});
    });
    await expect(broken).rejects.toThrow('the database cannot be written');
    expect(await engine.reading.one(COUNTER, {})).toBeUndefined();
    await engine.transact((tx) => tx.run({ sql: 'INSERT INTO counter VALUES (1, 2)', parameters: [] }, {}));
    expect(await engine.reading.one(COUNTER, {})).toEqual({ value: 2 });
  });

  it('that cancels a statement, or is locked by somebody for longer than is waited, refuses with what passes by itself, and goes on', async () => {
    const { engine, url } = await openCounter('canceled');
    const timedOut = engine.transact(async (tx) => {
      await tx.run({ sql: "SET LOCAL statement_timeout = '20ms'", parameters: [] }, {});
      await tx.run({ sql: 'SELECT pg_sleep(10)', parameters: [] }, {});
    });
    await expect(timedOut).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(timedOut).rejects.toMatchObject({ reason: expect.stringContaining('statement timeout') });
    await expect(engine.transact((tx) => tx.one({ sql: RAISED, parameters: [] }, {}))).rejects.toMatchObject({
      reason: expect.stringContaining('no room'),
    });
    const somebody = new pg.Client(url);
    await somebody.connect();
    await somebody.query('BEGIN; LOCK TABLE counter IN ACCESS EXCLUSIVE MODE');
    await expect(engine.reading.one(COUNTER, {})).rejects.toBeInstanceOf(LockTimeout);
    await somebody.end();
    await engine.transact((tx) => tx.run({ sql: 'INSERT INTO counter VALUES (1, 3)', parameters: [] }, {}));
    expect(await engine.reading.one(COUNTER, {})).toEqual({ value: 3 });
  });

  it('answers what it has committed, though a listener fails', async () => {
    const { engine } = await openCounter('a listener');
    const answer = engine.transact(async (tx) => {
      tx.onCommit(() => {
        throw new Error('the listener');
      });
      await tx.run({ sql: 'INSERT INTO counter VALUES (1, 7)', parameters: [] }, {});
      return 'done';
    });
    expect(await answer).toBe('done');
    expect(await engine.reading.one(COUNTER, {})).toEqual({ value: 7 });
  });

  it('that cannot be reached is named without its password', async () => {
    const error = await openPostgres('postgres://user:secret@127.0.0.1:1/db', {
      migrations: [],
      log: createLog('silent'),
    }).catch(String);
    expect(error).toMatch(/postgres:\/\/127\.0\.0\.1:1\/db.*cannot be reached/);
    expect(error).not.toContain('secret');
  });

  it('that refuses a process as it starts is named with what to do', async () => {
    const url = await databaseOf('refusals');
    const [nobody, missing, unencrypted] = [new URL(url), new URL(url), new URL(url)];
    nobody.username = 'nobody_of_this_name';
    missing.pathname = '/no_such_database';
    unencrypted.searchParams.set('sslmode', 'verify-full');
    const open = (at: URL) => openPostgres(at.href, { migrations: [], log: createLog('silent') });
    await expect(open(nobody)).rejects.toThrow(/refuses this process: .*See that the user/s);
    await expect(open(missing)).rejects.toThrow(/refuses this process: .*createdb/s);
    await expect(open(unencrypted)).rejects.toThrow(/refuses this process: .*sslmode=/s);
  });
});
