import { EventEmitter, once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRelay } from '../../../../scripts/cluster/relay.mjs';
import { openPostgres } from '../../../../src/platform/database/postgres/postgres.js';
import type { Statement } from '../../../../src/platform/database/statement.js';
import { createLog } from '../../../../src/platform/kernel/log.js';
import { MasterKeys } from '../../../../src/platform/sealing/master-keys.js';
import { createIdempotency } from '../../../../src/seller/idempotency/key.js';
import { openSharedStore } from '../../../../src/seller/store/store.js';
import { freshDatabase } from '../../../kit/postgres.js';

type Tables = { readonly counter: { readonly id: number; readonly value: number } };

const COUNTER: Statement<object, { value: number }> = { sql: 'SELECT value FROM counter WHERE id = 1', parameters: [] };
const FIRST: Statement<object, unknown> = { sql: 'INSERT INTO counter VALUES (1, 0)', parameters: [] };
/** More than the buffers between a database and a process hold. */
const LARGE: Statement<object, unknown> = {
  sql: "SELECT repeat('x', 1000000) FROM generate_series(1, 60)",
  parameters: [],
};
const setCounter = (value: number): Statement<object, unknown> => ({
  sql: 'UPDATE counter SET value = $1 WHERE id = 1',
  parameters: [value],
});
const log = createLog('silent');

async function openCounter(url: string) {
  const engine = await openPostgres<Tables>(url, {
    migrations: [
      (schema) => [
        schema
          .createTable('counter')
          .addColumn('id', 'integer', (c) => c.primaryKey())
          .addColumn('value', 'integer'),
      ],
    ],
    log,
  });
  onTestFinished(() => engine.close());
  return engine;
}

/** Opens what decides on keys, as another process would. */
async function openKeys(url: string) {
  const keys = MasterKeys.open({ file: '', given: Buffer.alloc(32, 1).toString('base64') });
  const store = await openSharedStore(url, { keys, log });
  onTestFinished(() => store.close());
  return createIdempotency(store);
}

const KEYED = { owner: 'sales\nbuyer', key: 'one-and-the-same-key', hash: 'h', nowMs: 0 };

describe('transactions of several processes', () => {
  it('that name one lock run one after the other, and none twice', async () => {
    const url = await freshDatabase();
    const engines = await Promise.all([openCounter(url), openCounter(url)]);
    await engines[0]?.transact(async (tx) => tx.write(FIRST, {}));
    const before = engines.map((engine) => engine.stats());
    const increase = (engine: (typeof engines)[number]) =>
      engine.transact(
        async (tx) => {
          const { value = 0 } = (await tx.one(COUNTER, {})) ?? {};
          tx.write(setCounter(value + 1), {});
        },
        { locks: ['the counter'] },
      );
    await Promise.all(engines.flatMap((engine) => Array.from({ length: 30 }, () => increase(engine))));
    expect(await engines[0]?.reading.one(COUNTER, {})).toEqual({ value: 60 });
    const counts = engines.map((engine, at) => engine.stats().transactions - (before[at]?.transactions ?? 0));
    expect(counts).toEqual([30, 30]);
    expect(engines.map((engine, at) => engine.stats().retries - (before[at]?.retries ?? 0))).toEqual([0, 0]);
  });

  it.each(['before it begins', 'after it began'] as const)(
    'go on where a process stops that has their lock (%s), and runs anew when it goes on',
    async (when) => {
      const url = await freshDatabase();
      const [stopped, other] = await Promise.all([openCounter(url), openCounter(url)]);
      await other.transact(async (tx) => tx.write(FIRST, {}));
      const [started, goesOn] = [new EventEmitter(), new EventEmitter()];
      const isStarted = once(started, 'now');
      onTestFinished(() => void goesOn.emit('now'));
      let tries = 0;
      const late = stopped.transact(
        async (tx) => {
          const { value = 0 } = (await (when === 'before it begins' ? tx.ahead : tx).one(COUNTER, {})) ?? {};
          tries += 1;
          started.emit('now');
          if (tries === 1) await once(goesOn, 'now');
          await tx.run(setCounter(value + 10), {});
        },
        { locks: ['the counter'] },
      );
      await isStarted;
      await other.transact(
        async (tx) => {
          const { value = 0 } = (await tx.one(COUNTER, {})) ?? {};
          await tx.run(setCounter(value + 1), {});
        },
        { locks: ['the counter'] },
      );
      expect(await other.reading.one(COUNTER, {})).toEqual({ value: 1 });
      goesOn.emit('now');
      await late;
      expect([tries, await other.reading.one(COUNTER, {})]).toEqual([2, { value: 11 }]);
    },
  );

  it('go on where a process stops that has their lock while a large answer comes', async () => {
    const url = await freshDatabase();
    const relay = await startRelay({ port: Number(new URL(url).port) });
    onTestFinished(() => relay.close());
    const behindRelay = new URL(url);
    behindRelay.port = String(relay.port);
    const [stopped, other] = await Promise.all([openCounter(behindRelay.href), openCounter(url)]);
    const started = new EventEmitter();
    const isStarted = once(started, 'now');
    const order: string[] = [];
    const late = stopped
      .transact(
        async (tx) => {
          await tx.one(COUNTER, {});
          if (order.length > 0) return;
          started.emit('now');
          relay.stopReading();
          await tx.all(LARGE, {});
        },
        { locks: ['the counter'] },
      )
      .finally(() => order.push('it goes on'));
    await isStarted;
    const write = () => other.transact(async (tx) => tx.write(FIRST, {}), { locks: ['the counter'] });
    const isWritten = () =>
      write().then(
        () => order.push('others go on'),
        () => 0,
      );
    await expect.poll(isWritten, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    relay.readOn();
    await late;
    expect(order).toEqual(['others go on', 'it goes on']);
  });

  it('fail of what a statement fails of that nobody waited for, also in a rehearsal', async () => {
    const engine = await openCounter(await freshDatabase());
    await engine.transact(async (tx) => tx.write(FIRST, {}));
    const other = { sql: 'INSERT INTO counter VALUES (2, 0)', parameters: [] };
    await expect(
      engine.transact(async (tx) => {
        tx.write(other, {});
        tx.write(FIRST, {});
      }),
    ).rejects.toThrow('duplicate key');
    await expect(
      engine.transact(async (tx) => {
        tx.write(other, {});
        await tx.rehearse(async () => tx.write(FIRST, {}));
      }),
    ).rejects.toThrow('duplicate key');
    expect(await engine.reading.all({ sql: 'SELECT id FROM counter', parameters: [] }, {})).toEqual([{ id: 1 }]);
  });

  it('that claim one key do its request once: the rival waits and replays', async () => {
    const url = await freshDatabase();
    const [one, other] = await Promise.all([openKeys(url), openKeys(url)]);
    const run = (keys: typeof one, response: string) => keys.run(KEYED, 3600, async () => response);
    const answers = await Promise.all([run(one, '"one"'), run(other, '"other"')]);
    expect(answers.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect(answers[0]?.response).toBe(answers[1]?.response);
  });

  it('whose key a rival has in hand for long are answered IDEMPOTENCY_IN_FLIGHT, and replay later', async () => {
    const url = await freshDatabase();
    const [one, other] = await Promise.all([openKeys(url), openKeys(url)]);
    const [started, ended] = [new EventEmitter(), new EventEmitter()];
    const isStarted = once(started, 'now');
    const slow = one.run(KEYED, 3600, async (tx) => {
      // A transaction that says nothing is ended by the database; one that waits for its own statement is not.
      const poll = setInterval(() => void tx.keys.find('', '').catch(() => undefined), 500);
      started.emit('now');
      await once(ended, 'now');
      clearInterval(poll);
      return '"slow"';
    });
    await isStarted;
    await expect(other.run(KEYED, 3600, async () => '"rival"')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_FLIGHT',
      extras: { retryAfter: 2 },
    });
    ended.emit('now');
    expect(await slow).toEqual({ response: '"slow"', replayed: false });
    expect(await other.run(KEYED, 3600, async () => '"rival"')).toEqual({ response: '"slow"', replayed: true });
  });

  it('are prepared by one of those that get the same call at once; the others replay', async () => {
    const url = await freshDatabase();
    const rivals = await Promise.all([openKeys(url), openKeys(url), openKeys(url)]);
    let prepared = 0;
    const run = (keys: (typeof rivals)[number]) =>
      keys.run(
        KEYED,
        3600,
        async (_tx, answer) => String(answer),
        async () => {
          prepared += 1;
          await new Promise((resume) => setTimeout(resume, 300));
          return `"${prepared}"`;
        },
      );
    const answers = await Promise.all(rivals.map(run));
    expect(prepared).toBe(1);
    expect(answers.map(({ response }) => response)).toEqual(['"1"', '"1"', '"1"']);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it("that are being prepared for long are answered IDEMPOTENCY_IN_FLIGHT, and are another process's when the first one fails", async () => {
    const url = await freshDatabase();
    const [one, other] = await Promise.all([openKeys(url), openKeys(url)]);
    const [started, ended] = [new EventEmitter(), new EventEmitter()];
    const isStarted = once(started, 'now');
    const broken = one.run(
      KEYED,
      3600,
      async () => '"one"',
      async () => {
        started.emit('now');
        await once(ended, 'now');
        throw new Error('the preparation broke off');
      },
    );
    const outcome = broken.catch(String);
    await isStarted;
    const rival = () =>
      other.run(
        KEYED,
        3600,
        async () => '"other"',
        async () => undefined,
      );
    await expect(rival()).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    ended.emit('now');
    expect(await outcome).toContain('broke off');
    expect(await rival()).toEqual({ response: '"other"', replayed: false });
  });
});
