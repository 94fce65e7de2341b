import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../../../src/platform/database/engine.js';
import { type Lease, LeaseLostError, type Leases, openLeases } from '../../../../src/platform/database/leases.js';
import { openPostgres } from '../../../../src/platform/database/postgres/postgres.js';
import { SharedJob } from '../../../../src/platform/database/shared-job.js';
import { HOUR_MS } from '../../../../src/platform/kernel/clock.js';
import { createLog } from '../../../../src/platform/kernel/log.js';
import { SELLER_MIGRATIONS } from '../../../../src/seller/store/schema/migrations.js';
import { databaseOf } from '../../../kit/postgres.js';

const LEASE_MS = 30_000;
const NOTED = { sql: 'INSERT INTO migration VALUES ($1)', parameters: [1000] };
const log = createLog('silent');

type Process = { readonly engine: Engine<unknown>; readonly leases: Leases };

/** Opens one database as several processes do. */
async function openProcesses(name: string, count: number): Promise<readonly Process[]> {
  const url = await databaseOf(name);
  const open = async (holder: string) => {
    const engine = await openPostgres<unknown>(url, { migrations: SELLER_MIGRATIONS, log });
    onTestFinished(() => engine.close());
    return { engine, leases: openLeases(engine, holder) };
  };
  return Promise.all(Array.from({ length: count }, (_, n) => open(`process ${n + 1}`)));
}

/** Returns the end of the one lease, and the database's present moment, in ms. */
async function readLease(name: string): Promise<{ readonly until_ms: number; readonly now_ms: number }> {
  const client = new pg.Client(await databaseOf(name));
  await client.connect();
  const { rows } = await client.query(
    'SELECT until_ms::float8, (extract(epoch from clock_timestamp()) * 1000)::float8 AS now_ms FROM lease',
  );
  await client.end();
  return rows[0];
}

/** Lets a lease end at another moment. */
async function moveEnds(name: string, until_ms: string): Promise<void> {
  const client = new pg.Client(await databaseOf(name));
  await client.connect();
  await client.query(`UPDATE lease SET until_ms = ${until_ms}`);
  await client.end();
}

const taken = (lease: Lease | undefined): Lease => lease ?? expect.fail('the lease was not to be had');

describe('a lease', () => {
  it('is given to one of those that ask at the same time', async () => {
    const processes = await openProcesses('one of many', 4);
    const asked = processes.flatMap(({ leases }) => Array.from({ length: 8 }, () => leases.take('sweep', LEASE_MS)));
    expect((await Promise.all(asked)).filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('goes to another once its time is over or it is given back, each time under a greater number', async () => {
    const [a, b] = (await openProcesses('turns', 2)) as unknown as readonly [Process, Process];
    const first = taken(await a.leases.take('sweep', LEASE_MS));
    expect(await b.leases.take('sweep', LEASE_MS)).toBeUndefined();
    expect(await a.leases.renew(first, LEASE_MS)).toBe(true);
    await moveEnds('turns', '0');
    const second = taken(await b.leases.take('sweep', LEASE_MS));
    expect(second.idleMs).toBeGreaterThan(LEASE_MS);
    expect(await a.leases.renew(first, LEASE_MS)).toBe(false);
    await a.leases.release(first);
    expect(await a.leases.take('sweep', LEASE_MS), 'a stale release frees nothing').toBeUndefined();
    await b.leases.release(second);
    const third = taken(await a.leases.take('sweep', LEASE_MS));
    expect([second.fence - first.fence, third.fence - second.fence]).toEqual([1, 1]);
    await a.leases.forget(third);
    expect(taken(await b.leases.take('sweep', LEASE_MS)).fence, 'a stale taking of a forgotten name').not.toBe(
      first.fence,
    );
  });

  it('that was given by a clock an hour ahead is to be had soon after the clock is right, under a greater number', async () => {
    const [a, b] = (await openProcesses('clock ahead', 2)) as unknown as readonly [Process, Process];
    const first = taken(await a.leases.take('sweep', LEASE_MS));
    await moveEnds('clock ahead', `until_ms + ${HOUR_MS}`);
    const second = taken(await b.leases.take('sweep', LEASE_MS));
    expect(second.fence - first.fence).toBe(1);
    expect(await a.leases.renew(first, LEASE_MS), 'whoever had it and lives has lost it').toBe(false);
  });

  it.each(['serializable', 'rows'] as const)(
    'that was lost refuses its work, which leaves nothing (%s)',
    async (isolation) => {
      const name = `lost ${isolation}`;
      const [a, b] = (await openProcesses(name, 2)) as unknown as readonly [Process, Process];
      const lease = taken(await a.leases.take('booking', LEASE_MS));
      await moveEnds(name, '0');
      taken(await b.leases.take('booking', LEASE_MS));
      const settled = a.engine.transact(
        async (tx) => {
          await tx.run(NOTED, {});
          await a.leases.requireHeld(tx, lease);
        },
        { isolation },
      );
      await expect(settled).rejects.toThrow(LeaseLostError);
      const read = { sql: 'SELECT 1 FROM migration WHERE number = 1000', parameters: [] };
      expect(await a.engine.reading.all(read, {})).toEqual([]);
    },
  );

  it.each(['serializable', 'rows'] as const)(
    'that ends within a transaction is not taken before that is on disk (%s)',
    async (isolation) => {
      const name = `within ${isolation}`;
      const [a, b] = (await openProcesses(name, 2)) as unknown as readonly [Process, Process];
      const lease = taken(await a.leases.take('booking', 0));
      const order: string[] = [];
      let taking: Promise<unknown> | undefined;
      await a.engine.transact(
        async (tx) => {
          await a.leases.requireHeld(tx, lease);
          taking = b.leases.take('booking', LEASE_MS).then(() => order.push('taken'));
          await waitsForLock(name);
          tx.onCommit(() => order.push('settled'));
        },
        { isolation },
      );
      await taking;
      expect(order).toEqual(['settled', 'taken']);
    },
  );
});

/** Waits until a connection to the database of this name waits for a row. */
async function waitsForLock(name: string): Promise<void> {
  const client = new pg.Client(await databaseOf(name));
  await client.connect();
  const waiting = `SELECT 1 FROM pg_locks l JOIN pg_locks mine ON l.transactionid = mine.transactionid AND mine.granted
    JOIN pg_locks rel ON rel.pid = l.pid AND rel.relation = 'lease'::regclass WHERE NOT l.granted`;
  await expect
    .poll(async () => (await client.query(waiting)).rowCount, { timeout: 10_000, interval: 10 })
    .toBeGreaterThan(0);
  await client.end();
}

describe('a job that one process at a time does', () => {
  const jobsOf = (processes: readonly Process[], leaseMs: number) =>
    processes.map(({ leases }) => new SharedJob({ leases, name: 'sweep', leaseMs, log }));

  it('stays with the process that has it, and goes to another when that gives it up', async () => {
    const [first, second] = jobsOf(await openProcesses('stays', 2), 300) as [SharedJob, SharedJob];
    const runs: string[] = [];
    const round = (who: string) => async () => runs.push(who);
    await first.run(round('first'));
    await second.run(round('second'));
    await first.run(round('first'));
    expect(runs).toEqual(['first', 'first']);
    await first.release();
    await expect.poll(async () => second.run(round('second')).then(() => runs.at(-1)), { interval: 5 }).toBe('second');
  });

  it('is renewed while a round lasts longer than its lease', async () => {
    const [first, second] = jobsOf(await openProcesses('renewed', 2), 300) as [SharedJob, SharedJob];
    let others = 0;
    await first.run(async ({ isLost }) => {
      const { until_ms: firstEnd } = await readLease('renewed');
      const isPast = async () => {
        await second.run(async () => {
          others += 1;
        });
        return (await readLease('renewed')).now_ms > firstEnd;
      };
      await expect.poll(isPast, { timeout: 10_000, interval: 5 }).toBe(true);
      expect(isLost()).toBe(false);
    });
    expect(others).toBe(0);
  });

  it('tells a round that has lost it', async () => {
    const [first, second] = jobsOf(await openProcesses('lost round', 2), 300) as [SharedJob, SharedJob];
    await first.run(async ({ isLost }) => {
      let took = false;
      while (!took) {
        await moveEnds('lost round', '0');
        await second.run(async () => {
          took = true;
        });
      }
      await expect.poll(isLost, { timeout: 5000, interval: 5 }).toBe(true);
    });
  });
});
